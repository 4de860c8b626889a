"""The pointer's encoding of a choice, and its translation to an action and back.

A decision is (kind, target, extra):
    tap, long_press     target = index of a candidate
    swipe               target = 0 for mid-screen, else candidate + 1; extra = direction
    type                extra = a text: goal spans first, then candidates' texts, then words
    everything else     target = extra = 0
Candidates are the elements, or the cells of a grid where a device has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from distrl import actions
from distrl.actions import Direction
from distrl.policies.pointer.text_encoder import words_of
from distrl.types import Action, Element, Key, Kind, Observation

CHOICES: tuple[tuple[Kind, Key | None], ...] = (
    (Kind.TAP, None),
    (Kind.LONG_PRESS, None),
    (Kind.SWIPE, None),
    (Kind.TYPE, None),
    (Kind.PRESS, Key.BACK),
    (Kind.PRESS, Key.HOME),
    (Kind.PRESS, Key.ENTER),
    (Kind.WAIT, None),
    (Kind.COMPLETE, None),
    (Kind.INFEASIBLE, None),
)
"""Classes of the first head: kinds of action, with a class for every key."""
TAP, LONG_PRESS, SWIPE, TYPE = range(4)
DIRECTIONS = tuple(Direction)
MAX_SPAN = 8
"""Words of the longest goal span that can be typed."""
VOCABULARY = ("hello", "yes", "no", "thank you")
"""Texts that can be typed though they are neither in the goal nor on the screen."""
GRID_COLUMNS, GRID_ROWS = 6, 12
MAX_CANDIDATES = 72
"""As many as the grid has cells; further elements of a screen cannot be chosen."""
_SAME_POINT = 1e-4
"""Share of the screen, below a pixel: coordinates that differ by less are the same point."""

Decision = tuple[int, int, int]


@lru_cache(maxsize=1)
def grid() -> tuple[Element, ...]:
    """Cells of a grid, the candidates on a device without elements."""
    return tuple(
        Element(
            "cell",
            bounds=(
                column / GRID_COLUMNS,
                row / GRID_ROWS,
                (column + 1) / GRID_COLUMNS,
                (row + 1) / GRID_ROWS,
            ),
        )
        for row in range(GRID_ROWS)
        for column in range(GRID_COLUMNS)
    )


def candidates_of(observation: Observation) -> tuple[Element, ...]:
    """Elements that can be touched, or grid cells if the device reports no elements."""
    if observation.elements is None:
        return grid()
    return observation.elements[:MAX_CANDIDATES]


@dataclass(frozen=True)
class Options:
    """Translates decisions and actions on one screen for one goal."""

    goal: str
    candidates: tuple[Element, ...]

    @cached_property
    def words(self) -> tuple[tuple[int, int], ...]:
        """Start and end of each word of the goal."""
        return words_of(self.goal)

    def span(self, start: int, length: int) -> str:
        """Text of the goal span of `length` words from word `start` on."""
        return self.goal[self.words[start][0] : self.words[start + length - 1][1]]

    def text(self, extra: int) -> str:
        """The text that `extra` of a typing decision stands for."""
        spans = len(self.words) * MAX_SPAN
        if extra < spans:
            start, rest = divmod(extra, MAX_SPAN)
            return self.span(start, min(rest + 1, len(self.words) - start))
        extra -= spans
        if extra < len(self.candidates):
            return self.candidates[extra].text
        return VOCABULARY[extra - len(self.candidates)]

    def action(self, decision: Decision) -> Action:
        """The action of a decision."""
        kind, key = CHOICES[decision[0]]
        target, extra = decision[1:]
        if kind in (Kind.TAP, Kind.LONG_PRESS):
            build = actions.tap if kind is Kind.TAP else actions.long_press
            return build(*self.candidates[target].center)
        if kind is Kind.SWIPE:
            start = self.candidates[target - 1].center if target else None
            return actions.swipe_towards(DIRECTIONS[extra], start)
        if kind is Kind.TYPE:
            return actions.type_text(self.text(extra))
        if key is not None:
            return actions.press(key)
        return Action(kind)

    def decision(self, action: Action) -> Decision | None:
        """The decision that has the effect of an action; None if there is none.

        A touch anywhere on a candidate is taken to mean that candidate.
        """
        kind = CHOICES.index((action.kind, action.key))
        if kind in (TAP, LONG_PRESS):
            target = self._candidate_at(action.x, action.y)
            return None if target is None else (kind, target, 0)
        if kind == SWIPE:
            return self._swipe(action)
        if kind == TYPE:
            extra = self._find_text(action.text)
            return None if extra is None else (kind, 0, extra)
        return (kind, 0, 0)

    def _candidate_at(self, x: float, y: float) -> int | None:
        """The topmost candidate with its centre at a point, or else the topmost one around it."""
        around = None
        for index, candidate in enumerate(self.candidates):
            middle = candidate.center
            if abs(middle[0] - x) < _SAME_POINT and abs(middle[1] - y) < _SAME_POINT:
                around = index
        if around is not None:
            return around
        for index, candidate in enumerate(self.candidates):
            left, top, right, bottom = candidate.bounds
            if left <= x <= right and top <= y <= bottom:
                around = index
        return around

    def _swipe(self, action: Action) -> Decision | None:
        direction = DIRECTIONS.index(actions.direction_of(action))
        for target in (0, *(i + 1 for i in range(len(self.candidates)))):
            same = self.action((SWIPE, target, direction))
            if abs(same.x - action.x) < _SAME_POINT and abs(same.y - action.y) < _SAME_POINT:
                return (SWIPE, target, direction)
        nearest = self._candidate_at(action.x, action.y)
        return (SWIPE, 0 if nearest is None else nearest + 1, direction)

    def _find_text(self, text: str) -> int | None:
        # In the order of the numbering, so that a text that occurs twice has one decision.
        if not text:
            return None
        for start in range(len(self.words)):
            for length in range(1, min(MAX_SPAN, len(self.words) - start) + 1):
                if self.span(start, length) == text:
                    return start * MAX_SPAN + length - 1
        spans = len(self.words) * MAX_SPAN
        for index, candidate in enumerate(self.candidates):
            if candidate.text == text:
                return spans + index
        if text in VOCABULARY:
            return spans + len(self.candidates) + VOCABULARY.index(text)
        return None
