from __future__ import annotations

import json

import pytest

from distrl.cli import doctor_fleet
from distrl.cli.doctor import Group, Row, State
from distrl.cli.main import main
from distrl.devices.android.fleet_preflight import Supply

SUPPLIES = (
    Supply(name="memory_mb", free=12288, each=3072, unit="MB", get="buy memory"),
    Supply(name="console_ports", free=48, each=1, unit="pair of ports", get="end others"),
)


@pytest.fixture
def kvm(monkeypatch: pytest.MonkeyPatch) -> list[Row]:
    """What KVM says, on a machine with memory for four emulators."""
    rows = [Row(group=Group.ANDROID, name="kvm", state=State.OK, found="it does", get=None)]
    monkeypatch.setattr(doctor_fleet, "ask_kvm", lambda: rows[-1])
    monkeypatch.setattr(doctor_fleet, "read_machine", lambda: SUPPLIES)
    return rows


@pytest.mark.usefixtures("kvm")
def test_json_of_a_fleet_is_one_flat_object_with_rows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--fleet", "4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    rows = found.pop("rows")
    assert not any(isinstance(value, list | dict) for value in found.values())
    assert (found["fleet"], found["ok"], found["devices"]) == (4, True, 4)
    assert found["limited_by"] == "memory_mb"
    assert found["why_no_more"] == (
        "device 5 would lack memory_mb: each takes 3072 MB, and 12288 are free"
    )
    assert {"kvm", "binder", "adb_server", "ports_taken", "memory_mb_free"} <= set(found)
    assert [(row["name"], row["devices"], row["ok"]) for row in rows] == [
        ("memory_mb", 4, True),
        ("console_ports", 48, True),
    ]


@pytest.mark.usefixtures("kvm")
def test_fleet_that_does_not_fit_is_an_exit_code_and_says_what_to_get(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["doctor", "--fleet", "5", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["ok"], found["get"]) == (False, "buy memory")
    assert [row["get"] for row in found["rows"]] == ["buy memory", ""]


def test_no_emulator_fits_without_kvm(kvm: list[Row], capsys: pytest.CaptureFixture[str]) -> None:
    kvm.append(Row(Group.ANDROID, "kvm", State.MISSING, "absent: there is no /dev/kvm", "load it"))
    assert main(["doctor", "--fleet", "1", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["devices"], found["limited_by"], found["kvm"]) == (0, "kvm", False)
    assert "absent: there is no /dev/kvm" in found["why_no_more"]


@pytest.mark.usefixtures("kvm")
def test_fleet_is_printed_as_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--fleet", "4"]) == 0
    said = capsys.readouterr().out
    assert "device 5 would lack memory_mb" in said
    assert "console_ports" in said


@pytest.mark.parametrize("number", ["0", "-3"])
def test_fleet_has_at_least_one_device(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", f"--fleet={number}"]) == 2
    assert f"--fleet must be at least 1, got {number}" in capsys.readouterr().err


def test_fleet_is_a_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--fleet", "many"]) == 2
    assert "invalid int value: 'many'" in capsys.readouterr().err
