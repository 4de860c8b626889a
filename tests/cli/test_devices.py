from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.devices.adb_tools import needs_adbutils, own_server, served

from distrl.cli.main import main
from distrl.devices.android.adb import AdbServer
from distrl.devices.phone.adbd.daemon import AdbDaemon


@pytest.fixture(autouse=True)
def _own_list(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdbServer]:
    with own_server(tmp_path_factory.mktemp("home")) as started:
        yield started


@pytest.fixture
def phone(server: AdbServer) -> Iterator[AdbDaemon]:
    with served(scale=1) as daemon:
        server.adb.connect(daemon.address)
        yield daemon
        server.adb.disconnect(daemon.address)


def _json(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@needs_adbutils
def test_devices_are_listed(
    server: AdbServer, phone: AdbDaemon, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["devices", "quarantine", "other-phone", "--reason", "cracked"]) == 0
    capsys.readouterr()
    assert main(["devices", "list", "--json", "--adb-port", str(server.adb.port)]) == 0
    found = _json(capsys)
    assert (found["devices"], found["ready"]) == (2, 1)
    assert found["rows"] == [
        {
            "serial": phone.address,
            "state": "device",
            "model": phone.system.state["system"]["model"],
            "android": "14",
            "size": "180x400",
            "quarantined": "",
        },
        {
            "serial": "other-phone",
            "state": "absent",
            "model": "",
            "android": "",
            "size": "",
            "quarantined": "cracked",
        },
    ]
    assert main(["devices", "list", "--adb-port", str(server.adb.port)]) == 0
    assert "cracked" in capsys.readouterr().out


@needs_adbutils
def test_device_is_probed(
    server: AdbServer, phone: AdbDaemon, capsys: pytest.CaptureFixture[str]
) -> None:
    probe = ["devices", "probe", phone.address, "--adb-port", str(server.adb.port), "--json"]
    assert main(probe) == 0
    found = _json(capsys)
    assert (found["well"], found["app"]) == (True, "org.distrl.phone.launcher")
    phone.system.injected_faults.black = True
    assert main(probe) == 1
    assert str(_json(capsys)["fault"]).startswith("blank: ")


@needs_adbutils
def test_changes_are_told(
    server: AdbServer, phone: AdbDaemon, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["devices", "watch", "--adb-port", str(server.adb.port), "--seconds", "0.1"]) == 0
    assert capsys.readouterr().out == f"{phone.address}  device\n"


def test_quarantine_ends_with_a_release(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["devices", "quarantine", "a"]) == 0
    assert main(["devices", "release", "a"]) == 0
    assert "may take part" in capsys.readouterr().out
    assert main(["devices", "release", "a"]) == 2
    assert "not kept out of runs (those that are: none)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["list", "--adb-port", "1"], "adb start-server"),
        (["probe", "a b"], "a serial has"),
        (["quarantine", "a;b"], "a serial has"),
        (["probe", "a", "--deadline", "0"], "deadline must be greater than 0; got 0.0"),
        (["probe", "a", "--deadline", "inf"], "deadline must be a finite number; got inf"),
        (["probe", "a", "--deadline", "1e10"], "less than or equal to 3600"),
        (["probe", "a", "--deadline", "nan"], "finite number; got nan"),
        (["list", "--adb-port", "70000"], "from 1 to 65535, got 70000"),
        (["lst"], "did you mean 'list'"),
        (["join", "no-run", "a"], "there is no run in no-run"),
        (["join", "no-run", "a b"], "a serial has"),
        (["leave", "no-run", "a"], "there is no run in no-run"),
    ],
)
def test_what_does_not_fit_is_refused(
    argv: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["devices", *argv]) == 2
    assert said in capsys.readouterr().err
