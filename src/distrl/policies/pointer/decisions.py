"""The pointer's encoding of a choice, and its translation to an action and back.

A decision is (kind, target, extra):
    tap, long_press     target = index of a candidate
    swipe               target = 0 for mid-screen, else candidate + 1; extra = direction
    type                extra = a text: goal spans first, then candidates' texts, then words
    answer              the same, with candidates' descriptions after their texts
    double_tap          target = index of a candidate
    everything else     target = extra = 0
An app is opened by its icon, and sliders follow swipes: `open_app` and `drag` are no decisions.
Candidates are the elements, or the cells of a grid where a device has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from distrl import actions
from distrl.actions import ANSWER_WORDS, Direction
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
"""Classes of the first head of every network: kinds of action, with a class for every key."""
LATER_CHOICES: tuple[tuple[Kind, Key | None], ...] = (
    (Kind.ANSWER, None),
    (Kind.DOUBLE_TAP, None),
    (Kind.PRESS, Key.RECENTS),
)
"""Classes behind these, of networks whose settings name a kind that is not basic."""
ALL_CHOICES = CHOICES + LATER_CHOICES
TAP, LONG_PRESS, SWIPE, TYPE = range(4)
ANSWER, DOUBLE_TAP, RECENTS = range(len(CHOICES), len(ALL_CHOICES))
TEXT_BLOCKS = {TYPE: 1, ANSWER: 2}
"""How often candidates are counted among the texts of a kind."""
DIRECTIONS = tuple(Direction)
MAX_SPAN = 8
"""Words of the longest goal span that can be typed."""
VOCABULARY = ("hello", "yes", "no", "thank you")
"""Texts that can be typed though they are neither in the goal nor on the screen."""
GRID_COLUMNS, GRID_ROWS = 6, 12
MAX_CANDIDATES = 72
"""As many as the grid has cells; what is beyond them cannot be chosen."""
_SAME_POINT = 1e-4
"""Share of the screen, below a pixel: coordinates that differ by less are the same point."""

Decision = tuple[int, int, int]


def choice_of(action: Action) -> int | None:
    """The class of an action; None for one that no decision stands for."""
    kind = (action.kind, action.key)
    return ALL_CHOICES.index(kind) if kind in ALL_CHOICES else None


def renumber(extra: int, kind: int, old: tuple[int, int], new: tuple[int, int]) -> int:
    """The number of a text among those of other sizes, which are goal words and candidates."""
    spans, blocks = old[0] * MAX_SPAN, TEXT_BLOCKS[kind]
    if extra < spans:
        return extra
    extra -= spans
    if extra < blocks * old[1]:
        block, place = divmod(extra, old[1])
        return new[0] * MAX_SPAN + block * new[1] + place
    return new[0] * MAX_SPAN + blocks * (new[1] - old[1]) + extra


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
    """Elements, or grid cells if the device reports none.

    Of too many elements, those that can be touched are kept.
    """
    if not observation.elements:
        return grid()
    return actions.keep_touchable(observation.elements, MAX_CANDIDATES)


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

    def text(self, extra: int, kind: int = TYPE) -> str:
        """The text that `extra` of a decision to type or to answer stands for."""
        spans = len(self.words) * MAX_SPAN
        if extra < spans:
            start, rest = divmod(extra, MAX_SPAN)
            return self.span(start, min(rest + 1, len(self.words) - start))
        return self._texts(kind)[extra - spans]

    def _texts(self, kind: int) -> tuple[str, ...]:
        """All texts of a kind behind the spans of the goal, in the order of their numbers."""
        texts = tuple(candidate.text for candidate in self.candidates)
        if kind == TYPE:
            return texts + VOCABULARY
        return (*texts, *(candidate.description for candidate in self.candidates), *ANSWER_WORDS)

    def action(self, decision: Decision) -> Action:
        """The action of a decision."""
        kind, key = ALL_CHOICES[decision[0]]
        target, extra = decision[1:]
        if kind in actions.TOUCHES:
            return actions.TOUCHES[kind](*self.candidates[target].center)
        if kind is Kind.SWIPE:
            start = self.candidates[target - 1].center if target else None
            return actions.swipe_towards(DIRECTIONS[extra], start)
        if kind is Kind.TYPE:
            return actions.type_text(self.text(extra))
        if kind is Kind.ANSWER:
            return actions.answer(self.text(extra, ANSWER))
        if key is not None:
            return actions.press(key)
        return Action(kind)

    def decision(self, action: Action) -> Decision | None:
        """The decision that has the effect of an action; None if there is none.

        A touch anywhere on a candidate is taken to mean that candidate.
        """
        kind = choice_of(action)
        if kind is None:
            return None
        if kind in (TAP, LONG_PRESS, DOUBLE_TAP):
            target = self._candidate_at(action.x, action.y)
            return None if target is None else (kind, target, 0)
        if kind == SWIPE:
            return self._swipe(action)
        if kind in TEXT_BLOCKS:
            extra = self._find_text(action.text, kind)
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
            # A touch on words that lie on a row is meant for the row.
            words_above = (
                around is not None
                and actions.can_touch(self.candidates[around])
                and not actions.can_touch(candidate)
            )
            if left <= x <= right and top <= y <= bottom and not words_above:
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

    def _find_text(self, text: str, kind: int) -> int | None:
        # In the order of the numbering, so that a text that occurs twice has one decision.
        if not text:
            return None
        for start in range(len(self.words)):
            for length in range(1, min(MAX_SPAN, len(self.words) - start) + 1):
                if self.span(start, length) == text:
                    return start * MAX_SPAN + length - 1
        texts = self._texts(kind)
        return len(self.words) * MAX_SPAN + texts.index(text) if text in texts else None
