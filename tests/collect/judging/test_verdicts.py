from __future__ import annotations

from dataclasses import replace

import pytest
from tests.collect.judging.test_noisy_judge import episode

from distrl import actions
from distrl.collect.judging.verdicts import apart, asked, heard, known, opinions, rewarded
from distrl.types import Episode, Outcome, Verdict

YES, NO = Verdict(judge="vlm", success=True), Verdict(judge="vlm", success=False)
VOID = Verdict(judge="vlm", success=None, reason="no answer")


def checked(outcome: Outcome) -> Episode:
    """An episode with the verdict of its environment."""
    state = Verdict(judge="state", success=outcome is Outcome.SUCCEEDED)
    return replace(episode(outcome), verdicts=(state,))


def rewards(found: Episode) -> list[float]:
    return [step.reward for step in found.steps]


@pytest.mark.parametrize("verdict", [YES, NO, VOID])
@pytest.mark.parametrize("outcome", [Outcome.SUCCEEDED, Outcome.FALSE_COMPLETE])
def test_who_only_looks_on_changes_neither_outcome_nor_reward(
    outcome: Outcome, verdict: Verdict
) -> None:
    before = checked(outcome)
    after = heard(before, verdict)
    assert after.verdicts == (*before.verdicts, verdict)
    assert replace(after, verdicts=before.verdicts) == before


@pytest.mark.parametrize("outcome", [Outcome.FALSE_COMPLETE, Outcome.STEP_LIMIT, Outcome.FAILED])
def test_a_failure_is_a_success_if_the_judge_that_rewards_says_so(outcome: Outcome) -> None:
    after = rewarded(checked(outcome), YES)
    assert after.outcome is Outcome.SUCCEEDED
    assert rewards(after) == [0.0, 1.0]
    assert not known(after)


@pytest.mark.parametrize("outcome", [Outcome.FALSE_COMPLETE, Outcome.STEP_LIMIT, Outcome.FAILED])
def test_a_failure_that_the_judge_confirms_stays_what_it_was(outcome: Outcome) -> None:
    after = rewarded(checked(outcome), NO)
    assert after.outcome is outcome
    assert rewards(after) == [0.0, 0.0]


def test_a_success_that_is_not_believed_is_named_by_what_was_declared() -> None:
    assert rewarded(checked(Outcome.SUCCEEDED), NO).outcome is Outcome.FALSE_COMPLETE
    infeasible = episode(Outcome.SUCCEEDED, last=actions.infeasible())
    after = rewarded(infeasible, NO)
    assert after.outcome is Outcome.FAILED
    assert rewards(after) == [0.0, 0.0]


@pytest.mark.parametrize("outcome", [Outcome.SUCCEEDED, Outcome.FALSE_COMPLETE])
def test_a_void_verdict_of_who_rewards_is_neither_and_nobody_learns_from_it(
    outcome: Outcome,
) -> None:
    after = rewarded(checked(outcome), VOID)
    assert not after.outcome.trainable
    assert not after.succeeded
    assert rewards(after) == [0.0, 0.0]
    assert after.fault == "vlm is void: no answer"
    assert len(after.steps) == 2


def test_the_state_and_the_judge_part_by_the_difference_of_their_rates() -> None:
    told = [
        heard(checked(Outcome.FAILED), YES),
        heard(checked(Outcome.SUCCEEDED), YES),
        heard(checked(Outcome.SUCCEEDED), NO),
        heard(checked(Outcome.FAILED), YES),
    ]
    pairs = [pair for one in told if (pair := opinions(one)) is not None]
    assert apart(pairs) == 0.25


def test_there_are_two_opinions_only_where_both_have_one() -> None:
    assert opinions(checked(Outcome.FAILED)) is None
    assert opinions(heard(checked(Outcome.FAILED), VOID)) is None
    assert opinions(heard(checked(Outcome.FAILED), NO)) == (False, False)


def test_without_a_verdict_the_outcome_is_what_is_known() -> None:
    assert known(episode(Outcome.SUCCEEDED))
    assert not known(episode(Outcome.FAILED))


class OddJudge:
    """A judge of a stranger: it raises what it was given, or returns it."""

    name = "odd"

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def judge(self, episode: Episode) -> Verdict:
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("answer", "reason"), [(KeyError("goal"), "KeyError"), (True, "is no Verdict"), (None, "None")]
)
def test_a_judge_that_fails_has_no_opinion_and_says_why(answer: object, reason: str) -> None:
    verdict = asked(OddJudge(answer), checked(Outcome.SUCCEEDED))
    assert verdict.success is None
    assert verdict.judge == "odd"
    assert reason in verdict.reason


def test_the_verdict_of_a_judge_is_its_own() -> None:
    assert asked(OddJudge(YES), checked(Outcome.SUCCEEDED)) is YES
