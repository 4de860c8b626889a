"""Phones join a run that is going on, and devices leave it; meanwhile everything is recorded."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.devices.adb_tools import eventually, needs_adbutils, served

from distrl.cli.main import main
from distrl.errors import StoreError
from distrl.replay.store.sqlite import StoreReader
from distrl.run.state.folder import RunFolder
from distrl.web.runs import is_held

SECONDS = 300.0


@contextmanager
def _run_going_on(root: Path, *settings: str) -> Iterator[None]:
    command = [sys.executable, "-m", "distrl", "train", "--recipe", "debug"]
    with (root.parent / "output").open("wb") as output:
        process = subprocess.Popen(
            [*command, "--run-dir", str(root), *settings], stdout=output, stderr=output
        )
    try:
        assert eventually(lambda: is_held(root / "run.lock"), SECONDS)
        yield
        process.terminate()  # whoever runs the tests in the background has SIGINT ignored
        assert process.wait(timeout=SECONDS) == 130
    finally:
        process.kill()
        process.wait(timeout=30)


def _played_by(root: Path) -> list[str]:
    path = RunFolder(root).episodes
    try:
        with StoreReader(path) as store:
            return [store.get(name).device for name in store.ids()]
    except StoreError:  # the run has only just begun
        return []


@pytest.mark.slow
@pytest.mark.timeout(1200)
@needs_adbutils
def test_devices_join_and_leave_while_a_run_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root, tapes = tmp_path / "run", tmp_path / "tapes"
    settings = (
        "minutes=60",
        "max_episodes=null",
        "policy.width=16",
        "policy.heads=2",
        "collect.devices=1",
        "collect.latency=0.2",
        f"collect.cassettes={tapes}",
        'collect.android.safety.apps=["org.distrl.phone.*"]',
        "evaluate.before=false",
    )
    patience = ["--seconds", str(SECONDS)]
    with served(scale=1) as phone, _run_going_on(root, *settings):
        assert eventually(lambda: "phone-0" in _played_by(root), SECONDS)
        assert main(["devices", "join", str(root), "R58N", *patience]) == 2
        assert "add --opt-in" in capsys.readouterr().err
        assert main(["devices", "leave", str(root), "phone-0", *patience]) == 2
        assert "the last device" in capsys.readouterr().err

        assert main(["devices", "join", str(root), phone.address, *patience]) == 0
        assert eventually(lambda: phone.address in _played_by(root), SECONDS)
        assert main(["devices", "join", str(root), phone.address, *patience]) == 2
        assert "has a device" in capsys.readouterr().err

        assert main(["devices", "leave", str(root), "phone-0", *patience]) == 0
        before = len(_played_by(root))
        assert eventually(lambda: len(_played_by(root)) >= before + 3, SECONDS)
    devices = _played_by(root)
    assert set(devices) == {"phone-0", phone.address}
    assert devices[before + 1 :] == [phone.address] * len(devices[before + 1 :])
    tape = next(tapes.glob(f"*{phone.port}*"))
    assert main(["devices", "replay", str(tape)]) == 0
    # What has ended takes nobody in.
    assert main(["devices", "join", str(root), phone.address]) == 2
    assert "is not running" in capsys.readouterr().err
