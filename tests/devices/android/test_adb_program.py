from pathlib import Path

import pytest

from distrl.cli.doctor import find_adb
from distrl.devices.android.adb_program import adb_to_type, locate_adb


def test_adb_on_path_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "adb"
    program.touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert locate_adb() == find_adb() == str(program)
    assert adb_to_type() == "adb"


def test_without_one_on_path_that_of_adbutils_is_used_and_told_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("adbutils")
    monkeypatch.setenv("PATH", "")
    found = locate_adb()
    assert found is not None
    assert Path(found).name == "adb"
    assert adb_to_type() == found
    assert f"{found} (not on PATH: distrl uses this one; in a shell, alias adb=" in str(find_adb())
