from __future__ import annotations

import pytest
from tests.contracts.judge import JudgeContract
from tests.tasks.judges.episodes import make_episode

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
