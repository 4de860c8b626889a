"""Penalties of steps: b_t in the policy's loss, never part of the reward.

    invalid          the action cannot have an effect here, or the device does not have it
    repeat           it was just tried and changed nothing; grows with each repeat
    false_complete   completion was claimed and it is not done

Each is 0 or below and has a size of its own, of which 0 switches it off.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from distrl import screens
from distrl.actions import why_invalid
from distrl.config.collect import PenaltiesConfig
from distrl.types import Episode, Observation, Outcome

INVALID = "invalid"


def penalise(episode: Episode, sizes: PenaltiesConfig) -> Episode:
    """The same episode with the penalties of each step.

    A step that has the penalty INVALID already, of whatever size, was refused by its device.
    """
    repeats = tuple(repeats_of(episode)) if sizes.repeat else (0,) * len(episode.steps)
    last = len(episode.steps) - 1
    steps = []
    for index, step in enumerate(episode.steps):
        refused = INVALID in step.penalties
        invalid = refused or why_invalid(step.choice.action, step.observation) is not None
        claimed = index == last and episode.outcome is Outcome.FALSE_COMPLETE
        found = {
            INVALID: -sizes.invalid * invalid,
            "repeat": -sizes.repeat * min(repeats[index], sizes.repeat_max),
            "false_complete": -sizes.false_complete * claimed,
        }
        steps.append(replace(step, penalties={name: b for name, b in found.items() if b}))
    return replace(episode, steps=tuple(steps))


def repeats_of(episode: Episode) -> Iterator[int]:
    """For each step, how often in a row its action was tried just before and changed nothing."""
    repeats = 0
    steps = episode.steps
    for index, step in enumerate(steps):
        before = steps[index - 1]
        again = index > 0 and before.choice.action == step.choice.action
        # The action first: comparing screens may draw both.
        futile = again and shows_the_same(before.observation, step.observation)
        repeats = repeats + 1 if futile else 0
        yield repeats


def shows_the_same(before: Observation, after: Observation) -> bool:
    """Whether two observations cannot be told apart; pixels are compared only if need be."""
    return (
        (before.app, before.keyboard, before.elements)
        == (after.app, after.keyboard, after.elements)
    ) and screens.same(before.screen, after.screen)
