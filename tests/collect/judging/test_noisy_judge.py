from __future__ import annotations

from dataclasses import replace

import pytest

from distrl import actions
from distrl.collect.judging.noisy_judge import JUDGE, Misjudgement, misjudge
from distrl.errors import ConfigError
from distrl.types import Action, Choice, Episode, Observation, Outcome, Picture, Step, Task

TASK = Task(
    id="t",
    goal="do it",
    suite="general",
    split="train",
    template="t",
    parameters={},
    seed=0,
    step_limit=5,
)


def episode(outcome: Outcome, name: str = "e", last: Action | None = None) -> Episode:
    seen = Observation(Picture(lambda: None), (), False, "notes")  # type: ignore[arg-type,return-value]
    steps = [
        Step(observation=seen, choice=Choice(action=action))
        for action in (actions.wait(), last or actions.complete())
    ]
    if outcome is Outcome.SUCCEEDED:
        steps[-1] = replace(steps[-1], reward=1.0)
    return Episode(
        id=name,
        task=TASK,
        steps=tuple(steps),
        final=None,
        outcome=outcome,
        verdicts=(),
        device="d",
        started=0.0,
        ended=1.0,
    )


ALWAYS = Misjudgement(false_positive=1.0, false_negative=1.0)


def test_a_success_that_is_not_believed_has_no_reward() -> None:
    judged = misjudge(episode(Outcome.SUCCEEDED), ALWAYS, seed=0)
    assert judged.outcome is Outcome.FALSE_COMPLETE
    assert [step.reward for step in judged.steps] == [0.0, 0.0]
    assert judged.verdicts[-1].judge == JUDGE
    assert judged.verdicts[-1].success is False


def test_an_impossible_task_that_is_not_believed_to_be_so_has_failed() -> None:
    judged = misjudge(episode(Outcome.SUCCEEDED, last=actions.infeasible()), ALWAYS, seed=0)
    assert judged.outcome is Outcome.FAILED


@pytest.mark.parametrize("outcome", [Outcome.FALSE_COMPLETE, Outcome.STEP_LIMIT, Outcome.FAILED])
def test_a_failure_may_pass_for_a_success(outcome: Outcome) -> None:
    judged = misjudge(episode(outcome), ALWAYS, seed=0)
    assert judged.succeeded
    assert [step.reward for step in judged.steps] == [0.0, 1.0]


def test_faults_are_left_alone() -> None:
    lost = episode(Outcome.DEVICE_LOST)
    assert misjudge(lost, ALWAYS, seed=0) is lost


def test_errors_come_as_often_as_they_should_and_the_same_at_every_time() -> None:
    rates = Misjudgement(false_positive=0.05, false_negative=0.10)
    for outcome, rate in ((Outcome.SUCCEEDED, 0.10), (Outcome.STEP_LIMIT, 0.05)):
        many = [episode(outcome, f"e-{number}") for number in range(2000)]
        flipped = [misjudge(one, rates, seed=3).succeeded != one.succeeded for one in many]
        assert sum(flipped) / 2000 == pytest.approx(rate, abs=0.02)
        assert flipped == [misjudge(o, rates, seed=3).succeeded != o.succeeded for o in many]
        assert flipped != [misjudge(o, rates, seed=4).succeeded != o.succeeded for o in many]


def test_a_rate_is_a_share() -> None:
    with pytest.raises(ConfigError, match=r"false_positive must be from 0 to 1, got 1\.5"):
        Misjudgement(false_positive=1.5)
