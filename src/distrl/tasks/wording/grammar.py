"""The grammar: a phrase, perhaps inside a frame, as somebody types it.

    phrase  what is wanted: a request, a fragment or a question     words.py
    frame   what people put around a request                        frames.py
    habit   how they type it                                        habits.py

Training hears one part of the phrases, frames and mistakes, and the split `worded` has the other.
A seed decides: the same random numbers give the same words.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from distrl.tasks.wording import frames, habits
from distrl.tasks.wording.words import Phrases, Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How somebody talks: how often each habit shows, from 0 to 1."""

    alone: float
    """A fragment or a question instead of a request."""
    framed: float
    """A request inside a frame."""
    lower: float
    terse: float
    mistyped: float


_TRAINED = Manner(alone=0.25, framed=0.4, lower=0.35, terse=0.15, mistyped=0.1)
_WORDED = Manner(alone=0.25, framed=0.5, lower=0.6, terse=0.2, mistyped=0.2)


def say(words: Words, rng: Random, *, held: bool = False) -> str:
    """A phrasing with parameters in braces; `held` has only what training never hears."""
    manner = _WORDED if held else _TRAINED
    phrases = words.held if held else words.heard
    return typed(_plain(phrases, words.app, manner, rng, held), rng, held=held)


def typed(phrasing: str, rng: Random, *, held: bool = False) -> str:
    """A phrasing as somebody types it."""
    manner = _WORDED if held else _TRAINED
    if rng.random() < manner.terse:
        phrasing = habits.terse(phrasing)
    if rng.random() < manner.mistyped:
        mistakes = habits.HELD_MISTAKES if held else habits.HEARD_MISTAKES
        phrasing = habits.mistyped(phrasing, mistakes, rng)
    is_lower = rng.random() < manner.lower
    return habits.lower(phrasing) if is_lower else habits.sentence(phrasing)


def _plain(phrases: Phrases, app: str, manner: Manner, rng: Random, held: bool) -> str:
    alone = phrases.alone()
    if alone and (not phrases.do or rng.random() < manner.alone):
        return rng.choice(alone)
    request = rng.choice(phrases.do)
    if rng.random() >= manner.framed:
        return request
    return in_frame(request, app, rng, held=held)


def in_frame(request: str, app: str, rng: Random, *, held: bool = False) -> str:
    """A request inside one of the frames that fit it."""
    known = frames.fitting(frames.HELD if held else frames.HEARD, request, app)
    return frames.framed(rng.choice(known), request, app)
