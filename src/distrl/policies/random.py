"""The uniform random policy: a kind of action uniformly, then one of its options uniformly."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from random import Random

from distrl import actions
from distrl.actions import Direction
from distrl.types import BASIC_KINDS, Action, Choice, Kind, Situation, keys_of

_COLUMNS, _ROWS = 8, 16
"""Grid of points to tap where a device reports no elements."""


class RandomPolicy:
    """Samples uniformly from the device's actions, with exact log-probabilities."""

    def __init__(self, kinds: frozenset[Kind] = BASIC_KINDS, *, seed: int = 0) -> None:
        """Choose among these kinds of action."""
        self._kinds = [kind for kind in Kind if kind in kinds]
        self._seed = seed
        self._rng = Random(f"{seed}")

    def begin(self, seed: int) -> None:
        """Start an episode: the two seeds determine its choices."""
        self._rng = Random(f"{self._seed} {seed}")

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        """A kind, then one of its options; the decision is the index of both."""
        return [self._choose(situation) for situation in situations]

    def _choose(self, situation: Situation) -> Choice:
        options = [options_of(kind, situation, self._kinds) for kind in self._kinds]
        kind = self._rng.randrange(len(options))
        option = self._rng.randrange(len(options[kind]))
        # Two uniform draws: log-probabilities add up, and so do entropies, the second on average.
        log_kinds = math.log(len(options))
        return Choice(
            action=options[kind][option],
            decision=(kind, option),
            log_prob=-log_kinds - math.log(len(options[kind])),
            entropy=log_kinds + sum(math.log(len(o)) for o in options) / len(options),
        )


def options_of(
    kind: Kind, situation: Situation, kinds: Collection[Kind] = BASIC_KINDS
) -> list[Action]:
    """All actions of a kind that a policy of these kinds considers here; never empty."""
    if kind in actions.TOUCHES:
        return _at_targets(actions.TOUCHES[kind], situation)
    if kind is Kind.SWIPE:
        return [actions.swipe_towards(direction) for direction in Direction]
    if kind is Kind.DRAG:
        return [
            actions.drag_towards(direction, (touch.x, touch.y))
            for touch in _at_targets(actions.tap, situation)
            for direction in Direction
        ]
    if kind is Kind.TYPE:
        return [actions.type_text(word) for word in situation.goal.split() or [""]]
    if kind is Kind.PRESS:
        return [actions.press(key) for key in keys_of(kinds)]
    if kind in (Kind.ANSWER, Kind.OPEN_APP):
        build = actions.answer if kind is Kind.ANSWER else actions.open_app
        return [build(text) for text in _texts(situation, answers=kind is Kind.ANSWER)]
    return [Action(kind)]


def _texts(situation: Situation, *, answers: bool) -> list[str]:
    """What can be read: words of the goal, and of the elements."""
    read = [words for e in situation.observation.elements or () for words in e.words]
    known = actions.ANSWER_WORDS if answers else ()
    return list(dict.fromkeys((*known, *situation.goal.split(), *read))) or [""]


def _at_targets(touch: Callable[[float, float], Action], situation: Situation) -> list[Action]:
    elements = situation.observation.elements
    if elements:
        return [touch(*element.center) for element in elements]
    return [
        touch((column + 0.5) / _COLUMNS, (row + 0.5) / _ROWS)
        for row in range(_ROWS)
        for column in range(_COLUMNS)
    ]
