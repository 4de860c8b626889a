from __future__ import annotations

import pytest
from tests.contracts.judge import JudgeContract
from tests.tasks.judges.episodes import make_episode

from distrl.errors import ConfigError
from distrl.interfaces import Judge
from distrl.tasks.judges import VoteJudge
from distrl.tasks.judges.vote import counted
from distrl.types import Episode, Verdict


class Says:
    """A judge that always says the same."""

    def __init__(self, name: str, success: bool | None, effect: str = "") -> None:
        self.name, self._success = name, success
        self._effects = (effect,) if effect else ()

    def judge(self, episode: Episode) -> Verdict:
        return Verdict(judge=self.name, success=self._success, side_effects=self._effects)


class TestVoteJudge(JudgeContract):
    def make_judge(self) -> Judge:
        return VoteJudge([Says("a", None), Says("b", None), Says("c", False)])

    def make_broken_judge(self) -> Judge:
        return VoteJudge([Says("a", None), Says("b", True)])


@pytest.mark.parametrize(
    ("votes", "success"),
    [
        ((True, True), True),
        ((True, False), None),
        ((True, True, False), True),
        ((False, False, True), False),
        ((True, None, None), None),
        ((True, True, None), True),
        ((False, None), None),
        ((None, None), None),
    ],
)
def test_more_than_half_decide(votes: tuple[bool | None, ...], success: bool | None) -> None:
    judge = VoteJudge([Says(f"j{n}", vote) for n, vote in enumerate(votes)])
    verdict = judge.judge(make_episode())
    assert verdict.success is success
    assert verdict.reason.count("j") == len(votes)


def test_side_effects_that_one_of_them_saw_are_kept() -> None:
    judge = VoteJudge([Says("a", True, "mail sent"), Says("b", True), Says("c", True, "mail sent")])
    assert judge.judge(make_episode()).side_effects == ("mail sent",)


@pytest.mark.parametrize("names", [[], ["a"], ["a", "a"]])
def test_a_vote_of_one_is_refused(names: list[str]) -> None:
    with pytest.raises(ConfigError, match="two or more different"):
        VoteJudge([Says(name, True) for name in names])


@pytest.mark.parametrize("votes", [(True, False, None), (True, True, False, False)])
def test_a_tie_is_void(votes: tuple[bool | None, ...]) -> None:
    judge = VoteJudge([Says(f"j{n}", vote) for n, vote in enumerate(votes)])
    assert judge.judge(make_episode()).success is None


def test_the_reason_says_what_each_of_them_said() -> None:
    judge = VoteJudge([Says("a", True), Says("b", False), Says("c", None)], name="panel")
    verdict = judge.judge(make_episode())
    assert verdict.judge == "panel"
    assert verdict.reason == "a: success, b: failure, c: void"


def test_side_effects_stand_in_the_order_in_which_they_were_seen_and_once() -> None:
    verdicts = [
        Verdict(judge="a", success=True, side_effects=("x", "y")),
        Verdict(judge="b", success=True, side_effects=("y", "z")),
    ]
    assert counted("vote", verdicts).side_effects == ("x", "y", "z")
    undecided = [*verdicts, Verdict(judge="c", success=None), Verdict(judge="d", success=None)]
    assert counted("vote", undecided).side_effects == ()
