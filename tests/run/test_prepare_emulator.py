from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.devices.adb_tools import needs_adbutils
from tests.devices.stand_in import gone, write_stand_in

from distrl.cli.main import main
from distrl.config.devices import EmulatorsConfig
from distrl.errors import DeviceLost
from distrl.run.prepare_emulator import prepare_emulator


def _config(folder: Path, avd: str) -> EmulatorsConfig:
    return EmulatorsConfig(
        avd=avd,
        program=write_stand_in(folder),
        snapshot="clean",
        boot_seconds=60.0,
        first_port=5660,
    )


def _started(folder: Path) -> list[tuple[int, list[str]]]:
    notes = sorted(folder.glob("started-*"))
    return [tuple(json.loads(line)) for note in notes for line in note.read_text().splitlines()]


@needs_adbutils
@pytest.mark.slow
def test_avd_is_started_set_up_saved_and_proved_to_load(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = write_stand_in(tmp_path)
    argv = ["emulators", "prepare", "pixel", "--snapshot", "clean", "--program", program]
    assert main(argv) == 0
    said = capsys.readouterr().out
    assert "it loads" in said
    assert "its home screen is org.distrl.phone.launcher" in said
    assert (tmp_path / "clean").exists()
    (first, template), (second, clone) = _started(tmp_path)
    assert "-read-only" not in template
    assert {"-read-only", "-force-snapshot-load"} <= set(clone)
    assert gone(first)
    assert gone(second)


@needs_adbutils
@pytest.mark.slow
@pytest.mark.parametrize(
    ("avd", "said"),
    [
        ("refused", "snapshot was saved with other settings"),
        ("full", "its snapshot was not saved"),
        ("broken", "cannot find AVD system path"),
    ],
)
def test_what_goes_wrong_is_said_and_nothing_is_left(tmp_path: Path, avd: str, said: str) -> None:
    with pytest.raises(DeviceLost, match=said):
        prepare_emulator(_config(tmp_path, avd), tmp_path / "logs", lambda step: None)
    assert all(gone(pid) for pid, _ in _started(tmp_path))
