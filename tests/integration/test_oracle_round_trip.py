"""Whatever the oracle does, the pointer can decide: nothing caps its success in silence."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
import torch
from tests.policies.pointer.fakes import FakeTextEncoder, make_model
from tests.tasks.runs import (
    EVERY,
    SUITES,
    Moment,
    Run,
    one_task_per_template,
    oracle_runs,
    phone,
    play,
)

from distrl import actions
from distrl.devices.phone import nuisance
from distrl.policies.pointer.decisions import candidates_of
from distrl.policies.pointer.inputs import Preparer, options_of
from distrl.types import Action, Kind, Observation, Picture, Situation

every_split = pytest.mark.parametrize(("suite", "split"), EVERY)
BLACK = Picture(np.zeros((8, 4, 3), np.uint8))


def situation_of(run: Run, moment: Moment) -> Situation:
    observation = Observation(BLACK, moment.elements, moment.keyboard, "app")
    return Situation(goal=run.task.goal, observation=observation, history=(), steps_left=1)


def same_effect(first: Action, second: Action) -> bool:
    """The same in every way, points to within a millionth of the screen."""
    points = [(a.x, a.y, a.x2, a.y2) for a in (first, second)]
    return (first.kind, first.key, first.text) == (second.kind, second.key, second.text) and (
        max(abs(p - q) for p, q in zip(*points, strict=True)) <= 1e-6
    )


def what_is_lost(runs: Iterable[Run]) -> list[str]:
    """Every action that does not come back, with the template that needs it."""
    lost = []
    for run in runs:
        for moment in run.moments:
            options = options_of(situation_of(run, moment))
            decision = options.decision(moment.action)
            if decision is None or not same_effect(options.action(decision), moment.action):
                lost.append(
                    f"{run.task.template} ({run.task.id}): {actions.to_text(moment.action)}"
                    f" for {run.task.goal!r} became {decision}"
                )
    return lost


@every_split
def test_every_oracle_action_comes_back_from_its_decision(suite: str, split: str) -> None:
    runs = oracle_runs(suite, split)
    assert sum(run.steps for run in runs) > len(runs)
    lost = what_is_lost(runs)
    assert not lost, lost[:20]


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("layout", [1, 2])
def test_every_oracle_action_comes_back_in_every_layout(suite: str, layout: int) -> None:
    device = phone(layout=layout)
    lost = what_is_lost(play(task, device) for task in one_task_per_template(suite))
    assert not lost, lost[:20]


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("kind", nuisance.KINDS)
def test_every_oracle_action_comes_back_under_every_nuisance(suite: str, kind: str) -> None:
    device = phone(nuisance=kind)
    lost = what_is_lost(play(task, device) for task in one_task_per_template(suite))
    assert not lost, lost[:20]


@every_split
def test_no_screen_has_more_elements_than_the_pointer_looks_at(suite: str, split: str) -> None:
    for run in oracle_runs(suite, split):
        for moment in run.moments:
            observation = situation_of(run, moment).observation
            assert candidates_of(observation) == moment.elements


@every_split
def test_every_text_that_the_oracle_types_can_be_drawn(suite: str, split: str) -> None:
    """The network rules out spans and texts that are not there; none of these is among them."""
    typed = [
        (run, moment)
        for run in oracle_runs(suite, split)
        for moment in run.moments
        if moment.action.kind is Kind.TYPE
    ]
    assert typed
    preparer = Preparer(FakeTextEncoder(), pixels=False)
    here = [situation_of(*pair) for pair in typed]
    decisions = [
        options_of(situation).decision(moment.action) or ()
        for situation, (_, moment) in zip(here, typed, strict=True)
    ]
    with torch.no_grad():
        seen = make_model().evaluate([preparer.prepare(s) for s in here], decisions)
    assert float(seen.log_prob.min()) > -100
    assert float(seen.invalid.max()) < 1
