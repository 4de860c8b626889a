from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from distrl.bench.dashboard.synthetic_run import play_some
from distrl.config.devices import PhoneConfig
from distrl.interfaces import Policy
from distrl.types import Episode
from distrl.web.branch import branch


@cache
def solved() -> Episode:
    """A success of the oracle that takes a few steps."""
    episodes = play_some(6, policy="scripted")
    return max(episodes, key=lambda episode: len(episode.steps))


def no_policy() -> Policy:
    raise AssertionError("nobody asked for the run's policy")


def fork(step: int, action: str = "", then: str = "scripted", of: Episode | None = None) -> dict:  # type: ignore[type-arg]
    return branch(
        of or solved(),
        step=step,
        action=action,
        then=then,
        phone=PhoneConfig(),
        load_policy=no_policy,
    )


@pytest.mark.parametrize("step", [0, 2])
def test_the_oracle_from_any_step_reaches_the_goal_again(step: int) -> None:
    forked = fork(step)
    assert (forked["exact"], forked["differs_at"]) == (True, None)
    assert forked["branch"]["outcome"] == "succeeded"
    assert len(forked["branch"]["screens"]) == len(forked["branch"]["steps"]) - step + 1


def test_the_future_follows_from_the_other_action() -> None:
    forked = fork(1, "infeasible()")
    assert forked["exact"]
    assert forked["branch"]["outcome"] == "failed"
    assert len(forked["branch"]["steps"]) == 2


def test_the_oracle_finds_its_way_back_after_a_detour() -> None:
    forked = fork(1, "press(home)")
    assert forked["branch"]["steps"][1]["action"]["key"] == "home"
    assert forked["branch"]["outcome"] == "succeeded"


def test_nobody_ends_the_episode_right_after_the_action() -> None:
    forked = fork(0, "wait()", then="none")
    assert [s["action"]["kind"] for s in forked["branch"]["steps"]] == ["wait", "complete"]


def test_a_phone_that_has_changed_since_is_noticed() -> None:
    stored = solved()
    (other, *_) = play_some(1, policy="scripted")
    odd = replace(stored.steps[1], observation=other.steps[-1].observation)
    changed = replace(stored, steps=(stored.steps[0], odd, *stored.steps[2:]))
    forked = fork(2, of=changed)
    assert (forked["exact"], forked["differs_at"]) == (False, 1)
