"""Whether a score card holds: its conditions are played again, and every figure is compared."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from distrl.collect.evaluation.evaluate import Progress
from distrl.run.score_card.card import ScoreCard
from distrl.run.score_card.make import make_card

_SURROUNDINGS = ("code", "command", "machine")
"""What may be different where a card is verified."""
_NAMES = ("factor", "template")
"""What the rows of a table are named by."""
_SAME = 1e-9
"""Two shares that differ by less are the same number, printed by another machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A figure that is not what the card says."""

    figure: str
    """Where it stands, such as `overall.success`."""
    card: str
    played: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What came of playing a card again."""

    card: ScoreCard
    differences: tuple[Difference, ...]
    other_code: bool
    """Whether the card was made by other code than the one that runs."""

    @property
    def holds(self) -> bool:
        """Whether every figure is what the card says."""
        return not self.differences


def verify_card(
    card: ScoreCard, *, policy: str | None = None, progress: Progress | None = None
) -> Verification:
    """Play a card again, with a policy of another name if one is given: a run may have moved.

    ConfigError where it cannot be played.
    """
    conditions = card.conditions
    if policy is not None:
        conditions = replace(conditions, policy=policy)
    played = make_card(conditions, "", progress)
    said, found = _figures(card), _figures(played)
    if policy is not None:
        said["conditions"]["policy"] = policy
    return Verification(
        card=card,
        differences=tuple(_differences("", said, found)),
        other_code=card.code.digest != played.code.digest,
    )


def _figures(card: ScoreCard) -> dict[str, Any]:
    tree: dict[str, Any] = msgspec.to_builtins(card)
    return {name: value for name, value in tree.items() if name not in _SURROUNDINGS}


def _differences(where: str, card: Any, played: Any) -> Iterator[Difference]:
    card, played = _by_name(card), _by_name(played)
    if isinstance(card, Mapping) and isinstance(played, Mapping):
        for key in dict.fromkeys((*card, *played)):
            inner = f"{where}.{key}" if where else str(key)
            yield from _differences(inner, card.get(key, "nothing"), played.get(key, "nothing"))
    elif not _equal(card, played):
        yield Difference(figure=where, card=_told(card), played=_told(played))


def _by_name(value: Any) -> Any:
    """A table as its rows by name, so that a difference names the row and not its place."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return value
    named = {
        next((row[name] for name in _NAMES if name in row), place): row
        for place, row in enumerate(value)
    }
    # Two rows of one name, which no card is made with, must not hide one another.
    return named if len(named) == len(value) else dict(enumerate(value))


def _equal(card: Any, played: Any) -> bool:
    if isinstance(card, float) or isinstance(played, float):
        numbers = isinstance(card, float | int) and isinstance(played, float | int)
        return numbers and math.isclose(card, played, rel_tol=_SAME, abs_tol=_SAME)
    return bool(card == played)


def _told(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return msgspec.json.encode(value).decode() if isinstance(value, Mapping) else str(value)
