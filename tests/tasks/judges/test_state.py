from __future__ import annotations

from dataclasses import replace

import pytest
from tests.contracts.judge import JudgeContract
from tests.tasks.judges.episodes import play_task

from distrl.config.devices import PhoneConfig
from distrl.interfaces import Judge
from distrl.tasks.judges import StateJudge


class TestStateJudge(JudgeContract):
    def make_judge(self) -> Judge:
        return StateJudge()

    def make_broken_judge(self) -> Judge:
        return StateJudge()  # it does not know the suite of the made-up episode


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("policy", ["scripted", "random"])
def test_it_says_what_the_referee_said(policy: str, number: int) -> None:
    episode = play_task(policy, number)
    assert (StateJudge().judge(episode),) == episode.verdicts


def test_one_judge_serves_many_episodes_in_any_order() -> None:
    judge = StateJudge()
    good, bad = play_task("scripted", 1), play_task("random", 2)
    verdicts = [judge.judge(episode).success for episode in (good, bad, good)]
    assert verdicts == [True, bad.succeeded, True]


def test_phones_without_elements_are_compared_by_their_pixels() -> None:
    phone = PhoneConfig(elements=False)
    assert StateJudge(phone).judge(play_task("scripted", phone=phone)).success is True


def test_an_episode_that_was_tampered_with_is_void() -> None:
    good, other = play_task("scripted", 1), play_task("scripted", 4)
    forged = replace(good, steps=(*good.steps[:1], *other.steps[1:]))
    verdict = StateJudge().judge(forged)
    assert verdict.success is None
    assert "something else" in verdict.reason


def test_an_episode_that_is_not_over_is_void() -> None:
    good = play_task("scripted", 1)
    half = replace(good, steps=good.steps[:-1])
    assert StateJudge().judge(half).success is None
