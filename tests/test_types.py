from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from distrl.actions import tap
from distrl.types import (
    BASIC_KINDS,
    Element,
    Episode,
    Key,
    Kind,
    Observation,
    Outcome,
    Picture,
    Pixels,
    Task,
    keys_of,
)


def _frame() -> Pixels:
    return np.zeros((4, 2, 3), np.uint8)


def test_only_declarations_end_an_episode() -> None:
    declared = [Kind.COMPLETE, Kind.INFEASIBLE, Kind.ANSWER]
    assert [kind for kind in Kind if kind.ends_episode] == declared


def test_faults_are_not_trainable_and_failures_are() -> None:
    faults = {outcome for outcome in Outcome if not outcome.trainable}
    assert faults == {Outcome.DEVICE_LOST, Outcome.TASK_ERROR}


def test_center_is_the_middle_of_the_visible_part() -> None:
    assert Element("button", bounds=(0.2, 0.4, 0.4, 0.8)).center == pytest.approx((0.3, 0.6))


def test_picture_is_not_drawn_until_somebody_looks() -> None:
    drawn = []

    def draw() -> Pixels:
        drawn.append(1)
        return _frame()

    seen = Observation(Picture(draw), (), keyboard=False, app="x")
    assert not drawn
    assert seen.screen is seen.screen
    assert len(drawn) == 1


def test_picture_may_be_given_as_pixels() -> None:
    frame = _frame()
    assert Picture(frame).pixels is frame


def test_nouns_cannot_be_changed() -> None:
    action = tap(0.5, 0.5)
    with pytest.raises(FrozenInstanceError):
        action.x = 0.1  # type: ignore[misc]


@pytest.mark.parametrize("outcome", list(Outcome))
def test_episode_succeeds_by_its_outcome_alone(outcome: Outcome) -> None:
    task = Task(
        id="s/val/0",
        goal="Do it",
        suite="s",
        split="val",
        template="t",
        parameters={},
        seed=1,
        step_limit=5,
    )
    episode = Episode(
        id="e",
        task=task,
        steps=(),
        final=None,
        outcome=outcome,
        verdicts=(),
        device="d",
        started=0.0,
        ended=1.0,
    )
    assert episode.succeeded == (outcome is Outcome.SUCCEEDED)


def test_recents_is_a_key_of_who_has_more_than_the_basic_kinds() -> None:
    assert keys_of(BASIC_KINDS) == (Key.BACK, Key.HOME, Key.ENTER)
    assert keys_of(frozenset(Kind)) == tuple(Key)
    assert keys_of({Kind.TAP, Kind.ANSWER}) == ()
