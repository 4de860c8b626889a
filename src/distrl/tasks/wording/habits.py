"""How people type: lower case, no full stop, small words left out, keys missed.

Only the words between the parameters are touched. A value stays as it is spelled: what is typed
into a field is compared letter by letter, and a misspelt name would be another name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import TypeAlias

_PLACE = re.compile(r"(\{\w+\})")
_WORD = re.compile(r"[A-Za-z]{4,}")
_SMALL = re.compile(r"\b(?:the|a|an|my) ", re.IGNORECASE)
_NEXT_KEY = dict(zip("qwertyuiopasdfghjklzxcvbnm", "wertyuiopqsdfghjklaxcvbnmz", strict=True))
"""The key to the right on a keyboard; the last of a row goes on with its first."""

Mistake: TypeAlias = Callable[[str, int], str]
"""A word with a mistake at a place that is neither its first letter nor its last."""


def _doubled(word: str, at: int) -> str:
    return word[: at + 1] + word[at:]


def _left_out(word: str, at: int) -> str:
    return word[:at] + word[at + 1 :]


def _swapped(word: str, at: int) -> str:
    return word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]


def _missed(word: str, at: int) -> str:
    return word[:at] + _NEXT_KEY[word[at].lower()] + word[at + 1 :]


HEARD_MISTAKES: tuple[Mistake, ...] = (_doubled, _left_out)
HELD_MISTAKES: tuple[Mistake, ...] = (_swapped, _missed)
"""Mistakes that only the split `worded` makes."""


def sentence(phrasing: str) -> str:
    """With a capital at the start, as in a manual, unless a value stands there."""
    return phrasing[:1].upper() + phrasing[1:]


def lower(phrasing: str) -> str:
    """Without capitals, except in values."""
    return _outside(phrasing, str.lower)


def terse(phrasing: str) -> str:
    """Without articles and without the mark at its end."""
    return _outside(phrasing, lambda words: _SMALL.sub("", words)).rstrip("?.!")


def mistyped(phrasing: str, mistakes: tuple[Mistake, ...], rng: Random) -> str:
    """With one mistake in one of the longer words, if there is any."""
    parts = _PLACE.split(phrasing)
    words = [(i, word) for i in range(0, len(parts), 2) for word in _WORD.finditer(parts[i])]
    if not words:
        return phrasing
    index, word = rng.choice(words)
    wrong = rng.choice(mistakes)(word[0], rng.randrange(1, len(word[0]) - 1))
    parts[index] = parts[index][: word.start()] + wrong + parts[index][word.end() :]
    return "".join(parts)


def _outside(phrasing: str, change: Callable[[str], str]) -> str:
    """Change what stands between the places of the parameters."""
    parts = _PLACE.split(phrasing)
    # Every second part is a place: `split` keeps what the group of its pattern matched.
    return "".join(part if i % 2 else change(part) for i, part in enumerate(parts))
