"""The official Selenium environment as a plug-in: same seeds and clicks, same goals and rewards."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest
from tests.devices.browser.browsers import needs_chromium
from tests.packages import EXAMPLES, write_package

from distrl import actions
from distrl.devices.browser.chromium import find_chromium
from distrl.envs.device_kinds import device_factory, env_on
from distrl.interfaces import SaysGoal
from distrl.tasks.suites import load_suite
from distrl.types import Action, Outcome

pytest.importorskip("miniwob", reason="miniwob is not installed: pip install 'distrl[browser]'")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    needs_chromium,
    pytest.mark.skipif(
        shutil.which("chromedriver") is None,
        reason="chromedriver is missing: apt-get install chromium-driver",
    ),
]

SUITE = """
from distrl.tasks.seed_suite import SeedSuite, SeedTemplate

def official():
    click = SeedTemplate("click-button", ("the page says it",), step_limit=10)
    return SeedSuite("official", [click], {"train": 30})
"""


@pytest.mark.timeout(600)
@pytest.mark.filterwarnings("ignore")  # of the official environment's own dependencies
def test_both_roads_give_the_same_goals_and_rewards_for_the_same_clicks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SE_OFFLINE", "true")
    monkeypatch.setenv("MINIWOB_CHROMEDRIVER", str(shutil.which("chromedriver")))
    monkeypatch.setenv("MINIWOB_CHROME_BINARY", str(find_chromium(full=True)))
    adapter = (EXAMPLES / "env.py").read_text()
    entries = {
        "distrl.devices": {"official": "env:official"},
        "distrl.suites": {"official": "official_suite:official"},
    }
    write_package(tmp_path, "official", entries, {"env": adapter, "official_suite": SUITE})
    monkeypatch.syspath_prepend(tmp_path)
    load_suite.cache_clear()

    theirs, _ = env_on(device_factory("official").make_device("seat-0"))
    ours, _ = env_on(device_factory("miniwob:click-button").make_device("page-0"))
    rng, ended = Random(0), []
    try:
        assert isinstance(theirs, SaysGoal) and isinstance(ours, SaysGoal)
        for turn in range(12):
            seen = ours.reset(load_suite("miniwob:click-button").tasks("train")[turn])
            theirs.reset(load_suite("official").tasks("train")[turn])
            assert ours.goal == theirs.goal
            buttons = [e for e in seen.elements or () if e.role == "button"]
            clicks: list[Action] = [
                actions.tap(0.95, 0.97),  # on nothing
                actions.tap(*rng.choice(buttons).center),
            ]
            for click in clicks:
                one, two = ours.step(click), theirs.step(click)
                assert (one.outcome, one.reward) == (two.outcome, two.reward)
            ended.append(one.outcome)
    finally:
        theirs.close()
        ours.close()
    assert {Outcome.SUCCEEDED, Outcome.FAILED} == set(ended)
