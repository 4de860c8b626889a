"""Features of a situation for the pointer network, the same for acting and learning.

Three sources describe each candidate: literal matches between its label and the goal, vectors of
the sentence encoder for meaning, and a small crop of the screen for its looks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from distrl.actions import direction_of
from distrl.policies.pointer.colors import colors_named, colors_of
from distrl.policies.pointer.decisions import CHOICES, DIRECTIONS, Options, candidates_of
from distrl.policies.pointer.text_encoder import TextEncoder, words_of
from distrl.screens import crops_of
from distrl.types import Action, Element, Key, Kind, Picture, Pixels, Situation

Array = npt.NDArray[np.float32]

Naming: TypeAlias = Callable[[Pixels], Sequence[str]]
"""Names what crops [M, CROP, CROP, 3] show; empty where nothing is recognised."""

ROLES = (
    "button",
    "text",
    "field",
    "switch",
    "checkbox",
    "radio",
    "slider",
    "tab",
    "item",
    "image",
    "keyboard",
    "banner",
    "status",
    "cell",
)
CROP = 16
"""Pixels on a side of a crop."""
HISTORY = 4
"""Past actions in the inputs."""
# Layout of a candidate's feature vector: static (role, state, bounds), match with the goal, live
# (touched, typed), match of its row, colour match, next key. A stored step has this layout, and
# trained weights depend on it.
_STATIC = len(ROLES) + 6 + 4
_MATCH = 10
_LIVE = 6
_ROW = 3
_LOOKS = 1
_SPELLED = 1
MIDDLE, HEIGHT = _STATIC - 3, _STATIC - 1
TALLEST_ROW = 0.2
"""Share of the screen's height: a taller element is a panel, not a row."""
_TO_GOAL = _STATIC + _MATCH - 2
_TAPPED = _STATIC + _MATCH
_TYPED = _TAPPED + 3
_OWN = _STATIC + _MATCH + _LIVE
HAS_DESCRIPTION = _OWN - 1
_COLOR = _OWN + _ROW
_KEY = _COLOR + _LOOKS
CANDIDATE_FEATURES = _KEY + _SPELLED
WORD_FEATURES = 10
# Kinds that came later are written as two of the first at once, which no single action is: stored
# steps and trained weights keep their layout.
_WRITTEN_AS = {
    (Kind.DOUBLE_TAP, None): ((Kind.TAP, None), (Kind.LONG_PRESS, None)),
    (Kind.DRAG, None): ((Kind.SWIPE, None), (Kind.LONG_PRESS, None)),
    (Kind.OPEN_APP, None): ((Kind.TAP, None), (Kind.PRESS, Key.HOME)),
    (Kind.PRESS, Key.RECENTS): ((Kind.PRESS, Key.HOME), (Kind.PRESS, Key.BACK)),
    (Kind.ANSWER, None): ((Kind.COMPLETE, None), (Kind.TYPE, None)),
}
HISTORY_FEATURES = len(CHOICES) + len(DIRECTIONS) + 6
GLOBAL_FEATURES = 7
_MATCHED = [_STATIC, _STATIC + 2, _STATIC + 3]
"""Literal match of a label, and shares of label and goal words: what a row takes over."""
_SMALL_WORDS = frozenset(
    {
        *("a", "an", "the", "to", "of", "in", "on", "for", "my", "me", "with", "and", "or"),
        *("is", "it", "at", "from", "called", "named", "please", "i"),
    }
)
_TOUCHES = frozenset({Kind.TAP, Kind.LONG_PRESS, Kind.SWIPE, Kind.DOUBLE_TAP, Kind.DRAG})
_SAME_PLACE = 1e-3
"""Share of the screen, about a pixel: touches that are closer are at the same place."""
_MANY_TAPS = 3
"""Taps after which the count saturates: more of them say nothing new."""
_LEAST_NORM = 1e-6
"""Avoids a division by zero for a goal whose vectors cancel out."""
_NORMAL = re.compile(r"[^a-z0-9]+")


def half(values: Array) -> Array:
    """Round to half precision, as stored, so that acting and learning see the same numbers."""
    return values.astype(np.float16).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Inputs:
    """Inputs of the network for one situation with W goal words and N candidates, unpadded."""

    goal: str
    names: tuple[str, ...]
    """[N] label of each candidate, from which its vector was encoded."""
    words: Array
    """[W, 384] vectors of the goal's words."""
    word_features: Array
    """[W, WORD_FEATURES]"""
    labels: Array
    """[N, 384] vectors of the candidates' labels."""
    features: Array
    """[N, CANDIDATE_FEATURES]"""
    crops: Pixels
    """[N, CROP, CROP, 3]"""
    history: Array
    """[HISTORY, HISTORY_FEATURES], newest first, zeros where nothing was done yet."""
    trail: tuple[str, ...]
    """[HISTORY] labels that those actions touched."""
    trail_labels: Array
    """[HISTORY, 384] vectors of those labels."""
    overview: Array
    """[GLOBAL_FEATURES]"""
    links: npt.NDArray[np.bool_]
    """[HISTORY + N, W] whether a goal word occurs in a touched label, or in a candidate's."""
    alike: Array
    """[HISTORY + N, W] how alike the meanings of a touched label, or of a candidate's, and of a
    goal word in its sentence are: cosines, 0 where negative."""
    enabled: npt.NDArray[np.bool_]
    """[N] whether a candidate is enabled."""
    typing: bool
    """Whether a field is focused."""


@lru_cache(maxsize=65536)
def normal(text: str) -> str:
    """Lower-case words with single blanks around each, so that `in` matches whole words."""
    return f" {_NORMAL.sub(' ', text.lower()).strip()} "


@lru_cache(maxsize=65536)
def _overlap(label: str, goal: str) -> tuple[float, float, float, float, float]:
    """Literal match of a label in the goal, its place, shares of label and goal words, length."""
    said, wanted = normal(label), normal(goal)
    words, goal_words = said.split(), wanted.split()
    if not words:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    at = wanted.find(said)
    present = set(goal_words)
    big = [w for w in words if w not in _SMALL_WORDS]
    big_goal = [w for w in goal_words if w not in _SMALL_WORDS]
    in_label = set(words)
    return (
        float(at >= 0 and bool(big)),
        at / len(wanted) if at >= 0 else 0.0,
        sum(w in present for w in big) / len(big) if big else 0.0,
        sum(w in in_label for w in big_goal) / len(big_goal) if big_goal else 0.0,
        min(1.0, len(words) / 6),
    )


@lru_cache(maxsize=65536)
def _linked(label: str, goal: str) -> bytes:
    """[W] which words of the goal occur in a label; small words (the, of) do not count."""
    said = set(normal(label).split()) - _SMALL_WORDS
    words = [set(normal(goal[start:end]).split()) for start, end in words_of(goal)]
    return bytes([not said.isdisjoint(word) for word in words])


def alike_of(trail_labels: Array, labels: Array, meanings: Array) -> Array:
    """[HISTORY + N, W] as of `Inputs`; `meanings` are those of the goal's words."""
    # Of unit vectors; a label without words has no vector and is like nothing.
    return np.maximum(np.concatenate([trail_labels, labels]) @ meanings.T, 0.0)


def links_of(goal: str, trail: tuple[str, ...], names: tuple[str, ...]) -> npt.NDArray[np.bool_]:
    """[HISTORY + N, W] occurrences of goal words in touched labels, then in candidates' labels."""
    rows = [_linked(name, goal) for name in (*trail, *names)]
    return np.frombuffer(b"".join(rows), np.bool_).reshape(len(rows), -1)


@lru_cache(maxsize=65536)
def _static(element: Element) -> tuple[float, ...]:
    left, top, right, bottom = element.bounds
    role = [0.0] * len(ROLES)
    if element.role in ROLES:
        role[ROLES.index(element.role)] = 1.0
    return (
        *role,
        float(element.enabled),
        float(element.checked is True),
        float(element.checked is False),
        float(element.focused),
        float(element.editable),
        float(bool(element.text)),
        (left + right) / 2,
        (top + bottom) / 2,
        right - left,
        bottom - top,
    )


# Elements of consecutive screens are mostly equal, so their features are cached: as bytes, since
# these are joined for all candidates at once.
@lru_cache(maxsize=65536)
def _fixed_features(element: Element, goal: str) -> bytes:
    """Features that depend on an element and the goal alone, in a row with zeros elsewhere."""
    text, said = _overlap(element.text, goal), _overlap(element.description, goal)
    row = np.zeros(CANDIDATE_FEATURES, np.float32)
    row[:_STATIC] = _static(element)
    row[_STATIC:_TO_GOAL] = (*text, said[0], said[2], said[3])
    row[_TYPED:_OWN] = (
        element.editable and bool(element.text),
        element.editable and text[0] > 0,
        bool(element.description),
    )
    return row.tobytes()


def _fill_taps(
    features: Array, candidates: tuple[Element, ...], history: tuple[Action, ...]
) -> None:
    """How often the centre of each was touched, and whether by the last action."""
    touches = [(a.x, a.y) for a in history if a.kind in _TOUCHES]
    if not touches or not candidates:
        return
    middles = np.array([element.center for element in candidates])
    near = (np.abs(middles[:, None] - np.array(touches)) < _SAME_PLACE).all(axis=-1)
    features[:, _TAPPED] = np.minimum(near.sum(axis=1), _MANY_TAPS) / _MANY_TAPS
    features[:, _TAPPED + 1] = near[:, -1] & (history[-1].kind is Kind.TAP)


class Preparer:
    """Computes `Inputs` from situations. Thread-safe."""

    def __init__(
        self, encoder: TextEncoder, *, pixels: bool = True, naming: Naming | None = None
    ) -> None:
        """Without `pixels`, crops are black and only text is used.

        With `naming`, elements without text get a description of what they look like.
        """
        self._encoder = encoder
        self._pixels = pixels
        self._naming = naming if pixels else None
        # A goal is looked at in every step of its episode.
        self._direction = lru_cache(maxsize=4096)(self._direction_of)

    def prepare(self, situation: Situation) -> Inputs:
        """The inputs of one situation."""
        observation, goal = situation.observation, situation.goal
        plain = candidates_of(observation)
        crops = self._crops(observation.picture, plain)
        # Cells of a grid show parts of things, which the captioner was not trained on.
        candidates = plain if not observation.elements else self._named(plain, crops)
        names = tuple(e.text or e.description for e in candidates)
        words, meanings = self._encoder.goal(goal)
        labels = self._encoder.labels(names)
        to_goal = labels @ self._direction(goal)
        to_words = (labels @ meanings.T).max(axis=1) if len(candidates) else to_goal
        features = _own_features(situation, candidates, to_goal, to_words)
        features[:, _OWN:_COLOR] = _row_match(features)
        _fill_color_match(features, crops, goal)
        _fill_next_key(features, situation, candidates)
        return Inputs(
            goal=goal,
            names=names,
            words=words,
            word_features=half(_word_features(situation, candidates)),
            labels=labels,
            features=half(features),
            crops=crops,
            history=half(_history(situation)),
            trail=(trail := _trail(situation)),
            trail_labels=(touched := self._encoder.labels(trail)),
            links=links_of(goal, trail, names),
            alike=alike_of(touched, labels, meanings),
            overview=half(_overview(situation)),
            enabled=np.array([e.enabled for e in candidates], np.bool_),
            typing=observation.keyboard
            or any(e.focused and e.editable for e in observation.elements or ()),
        )

    def _direction_of(self, goal: str) -> Array:
        """[384] the unit vector of a goal's mean."""
        mean = self._encoder.goal(goal).meanings.mean(axis=0)
        direction: Array = mean / max(_LEAST_NORM, float(np.linalg.norm(mean)))
        return direction

    def _crops(self, picture: Picture, candidates: tuple[Element, ...]) -> Pixels:
        """[N, CROP, CROP, 3] the screen at each candidate."""
        if not self._pixels:
            return np.zeros((len(candidates), CROP, CROP, 3), np.uint8)
        return crops_of(picture, [element.bounds for element in candidates], CROP)

    def _named(self, candidates: tuple[Element, ...], crops: Pixels) -> tuple[Element, ...]:
        mute = [i for i, e in enumerate(candidates) if not e.text and not e.description]
        if self._naming is None or not mute:
            return candidates
        named = list(candidates)
        for index, name in zip(mute, self._naming(crops[mute]), strict=True):
            if name:
                named[index] = _described(named[index], name)
        return tuple(named)


def _own_features(
    situation: Situation, candidates: tuple[Element, ...], to_goal: Array, to_words: Array
) -> Array:
    """[N, CANDIDATE_FEATURES], without those that depend on other candidates or on looks."""
    goal, touched = situation.goal, situation.touched
    settled = b"".join([_fixed_features(element, goal) for element in candidates])
    rows = np.frombuffer(settled, np.float32).reshape(len(candidates), CANDIDATE_FEATURES).copy()
    rows[:, _TO_GOAL], rows[:, _TO_GOAL + 1] = to_goal, to_words
    _fill_taps(rows, candidates, situation.history)
    if touched:
        rows[:, _TAPPED + 2] = [bool(e.text) and e.text in touched for e in candidates]
    return rows


@lru_cache(maxsize=16384)
def _described(element: Element, description: str) -> Element:
    return replace(element, description=description)


def _row_match(features: Array) -> Array:
    """[N, 3] the best goal match among the other elements in a candidate's row.

    It identifies a switch or button without a label by the label beside it.
    """
    match = features[:, _MATCHED]
    # Few elements match the goal at all, and no match is below 0: the others change no maximum.
    some = np.flatnonzero(match.any(axis=1))
    rows = np.zeros((len(features), _ROW), np.float32)
    if not len(some):
        return rows
    middle, height = features[:, MIDDLE], features[some, HEIGHT]
    away = np.abs(middle[:, None] - middle[some])
    beside = (away <= height / 2) & (height < TALLEST_ROW)
    beside[some, np.arange(len(some))] = False
    best: Array = np.where(beside[:, :, None], match[some], rows[:, None]).max(axis=1)
    return best


def _fill_color_match(features: Array, crops: Pixels, goal: str) -> None:
    """Whether a candidate's main colour is named in the goal."""
    wanted = _colors_wanted(goal)
    if wanted:
        features[:, _COLOR] = [name in wanted for name in colors_of(crops)]


@lru_cache(maxsize=4096)
def _colors_wanted(goal: str) -> frozenset[str]:
    return colors_named(normal(goal).split())


def _fill_next_key(features: Array, situation: Situation, candidates: tuple[Element, ...]) -> None:
    """Whether a key is the next digit of the goal's numbers, given what was keyed in."""
    wanted = next_characters(situation.goal, situation.touched)
    if wanted:
        features[:, _KEY] = [e.text == wanted for e in candidates]


@lru_cache(maxsize=4096)
def next_characters(goal: str, touched: tuple[str, ...]) -> str:
    """The digit to key in next; numbers are keyed in the order in which the goal has them.

    Empty after the last digit of a number until another key is touched, after the last number, and
    if something else was keyed in.
    """
    keyed = ""
    for text in reversed(touched):
        if len(text) != 1:
            break
        keyed = text + keyed
    words = ("".join(filter(str.isdigit, goal[start:end])) for start, end in words_of(goal))
    numbers = [word for word in words if word]
    *before, now = re.split(r"\D", keyed)
    if before != numbers[: len(before)] or len(before) >= len(numbers):
        return ""
    wanted = numbers[len(before)]
    return wanted[len(now) : len(now) + 1] if wanted.startswith(now) else ""


@lru_cache(maxsize=4096)
def _fixed_word_features(goal: str) -> tuple[tuple[float, ...], ...]:
    """Per goal word: place, length, capital, number, small word, punctuation before and after."""
    spans = words_of(goal)
    rows = []
    for index, (start, end) in enumerate(spans):
        word = goal[start:end]
        before = goal[spans[index - 1][1] if index else 0 : start].strip()
        after = goal[end : spans[index + 1][0] if index + 1 < len(spans) else len(goal)].strip()
        rows.append(
            (
                index / 24,
                min(1.0, len(word) / 12),
                float(word[:1].isupper()),
                float(any(c.isdigit() for c in word)),
                float(word.lower() in _SMALL_WORDS),
                float(bool(before)),
                float(bool(after)),
            )
        )
    return tuple(rows)


@lru_cache(maxsize=4096)
def _goal_words(goal: str) -> tuple[str, ...]:
    return tuple(normal(goal[start:end]) for start, end in words_of(goal))


def _word_features(situation: Situation, candidates: tuple[Element, ...]) -> Array:
    """Per goal word: fixed features, then whether it is in a field, on the screen, touched."""
    goal = situation.goal
    fields = "".join([normal(e.text) for e in candidates if e.editable])
    screen = "".join([normal(e.text) for e in candidates if not e.editable])
    touched = "".join([normal(text) for text in situation.touched])
    rows = [
        (*fixed, word in fields, word in screen, word in touched)
        for fixed, word in zip(_fixed_word_features(goal), _goal_words(goal), strict=True)
    ]
    return np.array(rows, np.float32)


def _trail(situation: Situation) -> tuple[str, ...]:
    newest = tuple(reversed(situation.touched[-HISTORY:]))
    return newest + ("",) * (HISTORY - len(newest))


def _history(situation: Situation) -> Array:
    rows = np.zeros((HISTORY, HISTORY_FEATURES), np.float32)
    trail = _trail(situation)
    for row, action in enumerate(reversed(situation.history[-HISTORY:])):
        did = (action.kind, action.key)
        rows[row, [CHOICES.index(kind) for kind in _WRITTEN_AS.get(did, (did,))]] = 1.0
        if action.kind.moves_finger:
            rows[row, len(CHOICES) + DIRECTIONS.index(direction_of(action))] = 1.0
        match = _overlap(trail[row], situation.goal)
        rows[row, -6:] = (1.0, action.x, action.y, match[0], match[2], match[3])
    return rows


def _overview(situation: Situation) -> Array:
    taken = len(situation.history)
    done = _overlap(" ".join(situation.touched), situation.goal)
    return np.array(
        (
            situation.steps_left / 20,
            min(1.0, taken / 20),
            float(situation.observation.keyboard),
            float(not situation.observation.elements),
            float(taken == 0),
            done[2],
            done[3],
        ),
        np.float32,
    )


def options_of(situation: Situation) -> Options:
    """The decisions of a situation, to be translated into actions."""
    return Options(situation.goal, candidates_of(situation.observation))
