from __future__ import annotations

import pytest
from tests.contracts.judge import JudgeContract
from tests.tasks.judges.episodes import lost, make_episode

from distrl import actions
from distrl.interfaces import Judge
from distrl.tasks.judges import HumanJudge
from distrl.tasks.judges.evidence import Case


def went_home(case: Case) -> str:
    raise EOFError


class TestHumanJudge(JudgeContract):
    def make_judge(self) -> Judge:
        return HumanJudge(lambda case: "no")

    def make_broken_judge(self) -> Judge:
        return HumanJudge(went_home)


@pytest.mark.parametrize(
    ("typed", "success"),
    [("y", True), (" YES\n", True), ("n", False), ("No", False), ("", None), ("perhaps", None)],
)
def test_yes_and_no_decide_and_nothing_else(typed: str, success: bool | None) -> None:
    assert HumanJudge(lambda case: typed).judge(make_episode()).success is success


def test_the_person_sees_goal_and_screens() -> None:
    cases: list[Case] = []

    def ask(case: Case) -> str:
        cases.append(case)
        return "y"

    HumanJudge(ask).judge(make_episode())
    assert cases[0].goal == "Write a note called Oat milk"
    assert "Oat milk" in cases[0].words


def test_a_case_that_was_not_ended_is_not_shown() -> None:
    asked: list[Case] = []

    def ask(case: Case) -> str:
        asked.append(case)
        return "y"

    judge = HumanJudge(ask)
    assert judge.judge(make_episode(done=(actions.tap(0.5, 0.5),))).success is False
    assert judge.judge(lost(make_episode())).success is None
    assert asked == []


def test_what_was_typed_instead_of_an_answer_is_told_and_cut() -> None:
    verdict = HumanJudge(lambda case: "x" * 500).judge(make_episode())
    assert verdict.success is None
    assert "neither yes nor no" in verdict.reason
    assert len(verdict.reason) < 120


def test_a_person_who_went_home_leaves_a_void_verdict() -> None:
    verdict = HumanJudge(went_home).judge(make_episode())
    assert verdict.success is None
    assert "asking a person" in verdict.reason
