from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.devices.hostile import CANARY, hostile_strings

from distrl.devices.android.adb import (
    quote,
    quote_pipelines,
)
from distrl.errors import ActionError

_BATCH = 50


def test_no_hostile_string_changes_its_meaning_or_runs_anything(tmp_path: Path) -> None:
    shell = shutil.which("sh")
    assert shell is not None
    strings = hostile_strings(10_000, seed=1)
    for start in range(0, len(strings), _BATCH):
        words = strings[start : start + _BATCH]
        # As adb does it: the line is one argument of the device's `sh -c`.
        line = quote(["printf", "%s\\0", *words])
        done = subprocess.run([shell, "-c", line], cwd=tmp_path, capture_output=True, timeout=20)
        assert done.stdout.split(b"\0")[:-1] == [word.encode() for word in words]
    assert not list(tmp_path.iterdir())


def test_the_canary_dies_where_nothing_is_quoted(tmp_path: Path) -> None:
    shell = shutil.which("sh")
    assert shell is not None
    for word in hostile_strings(40, seed=1):
        line = f"echo {word}"
        subprocess.run([shell, "-c", line], cwd=tmp_path, capture_output=True, timeout=20)
    assert (tmp_path / CANARY).exists()


def test_pipes_are_quoted_word_by_word() -> None:
    pipelines = [[["a", "b c"], ["grep", "x|y"]], [["d", "$(e)"]]]
    assert quote_pipelines(pipelines) == "a 'b c' | grep 'x|y'; d '$(e)'"


@pytest.mark.parametrize("word", ["a\0b", "\ud800"])
def test_what_no_shell_can_be_told_is_refused(word: str) -> None:
    with pytest.raises(ActionError, match="cannot be said"):
        quote(["echo", word])


def test_lines_of_pipelines_run_in_a_real_shell_as_they_are_meant(tmp_path: Path) -> None:
    shell = shutil.which("sh")
    assert shell is not None
    words = [word for word in hostile_strings(60, seed=3) if word]
    pipelines = [[["printf", "%s\\0", word], ["cat"], ["cat", "-"]] for word in words]
    # A pipeline that fails does not keep the next one from running.
    line = quote_pipelines([[["false"], ["false"]], *pipelines])
    done = subprocess.run([shell, "-c", line], cwd=tmp_path, capture_output=True, timeout=20)
    assert done.stdout.split(b"\0")[:-1] == [word.encode() for word in words]
    assert list(tmp_path.iterdir()) == []
