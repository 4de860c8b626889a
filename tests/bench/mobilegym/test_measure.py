from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.devices.browser.browsers import needs_chromium

from distrl import actions
from distrl.bench.mobilegym.measure import Played, figures
from distrl.bench.mobilegym.own_runner import OwnEpisode
from distrl.bench.mobilegym.recordings import Patch
from distrl.errors import TaskError
from distrl.types import Task

CHECKOUT = os.environ.get("DISTRL_MOBILEGYM_CHECKOUT", "")


def played(name: str, verdict: tuple[bool, bool, float]) -> Played:
    task = Task(
        id=f"mobilegym:x/test/{name}", goal="", suite="mobilegym:x", split="test", template=name,
        parameters={}, seed=0, step_limit=9,
    )  # fmt: skip
    moves = (actions.tap(0.5, 0.5), Patch({}), actions.complete())
    return Played(task, moves, verdict, reset_seconds=1.0, seconds=0.5)


def own(verdict: tuple[bool, bool, float]) -> OwnEpisode:
    success, clean, progress = verdict
    passed = success and clean
    return OwnEpisode(passed, success, clean, progress, "", 2, setup_seconds=3.0, seconds=4.0)


def test_verdicts_and_speeds_are_compared() -> None:
    yes, dirty, no, half = (
        (True, True, 1.0),
        (True, False, 1.0),
        (False, True, 0.0),
        (False, True, 0.5),
    )
    told = [("a", yes, yes), ("b", no, half), ("c", no, no), ("d", yes, dirty)]
    pairs = [(played(name, ours), own(theirs)) for name, ours, theirs in told]
    found = figures(pairs, pairs[:1], [], {"e": "no such folder"})
    assert (found.episodes, found.same_verdicts, found.same_details) == (4, 3, 2)
    assert (found.passed, found.reached, found.unclean) == (1, 2, 1)
    assert (found.steps_per_second, found.own_steps_per_second, found.ratio) == (2.0, 0.5, 4.0)
    assert (found.reset_seconds, found.own_reset_seconds) == (1.0, 3.0)
    assert [one.task for one in found.differing] == ["b", "d"]
    assert found.left_out == {"e": "no such folder"}


def test_nothing_is_said_where_nothing_was_played_by_both() -> None:
    with pytest.raises(TaskError, match="no episode was played by both"):
        figures([], [], [], {"a": "no data"})


@pytest.mark.slow
@pytest.mark.browser
@needs_chromium
@pytest.mark.timeout(600)
@pytest.mark.skipif(
    not CHECKOUT,
    reason="DISTRL_MOBILEGYM_CHECKOUT names no checkout of MobileGym (with a # and some suites), "
    "whose page is served at DISTRL_MOBILEGYM_URL",
)
def test_a_real_checkout_is_judged_as_by_its_own_runner(tmp_path: Path) -> None:
    few = ["--episodes", "4", "--pages", "2", "--json", "--out", str(tmp_path)]
    measured = subprocess.run(
        [sys.executable, "-m", "distrl", "bench", "mobilegym", CHECKOUT, *few],
        capture_output=True,
        text=True,
        timeout=580,
    )
    assert measured.returncode == 0, measured.stderr
    told = json.loads((tmp_path / "summary.json").read_text())
    assert told["episodes"] == told["same_verdicts"] == 4
    assert told["ratio"] > 3
