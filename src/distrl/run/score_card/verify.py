"""Whether a score card holds: its conditions are played again, and every figure is compared."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from distrl.collect.evaluation.evaluate import Progress
from distrl.errors import ConfigError
from distrl.run.score_card.card import ScoreCard, files_of, read
from distrl.run.score_card.make import make_card
from distrl.run.score_card.page import make_page

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
    path: Path, *, policy: str | None = None, progress: Progress | None = None
) -> Verification:
    """Play the card in a file again, with a policy of another name if a run has moved.

    Where the file is the page, the page has to be that of the figures too. ConfigError where there
    is no card, or it cannot be played.
    """
    card = read(path)
    conditions = card.conditions
    if policy is not None:
        conditions = replace(conditions, policy=policy)
    played = make_card(conditions, "", progress)
    said, found = _figures(card), _figures(played)
    if policy is not None:
        said["conditions"]["policy"] = policy
    return Verification(
        card=card,
        differences=(*_differences("", said, found), *_difference_of_page(path, card)),
        other_code=card.code.digest != played.code.digest,
    )


def _difference_of_page(path: Path, card: ScoreCard) -> Iterator[Difference]:
    figures, page = files_of(path)
    if path == figures:
        return
    wanted = make_page(card).encode()
    try:
        with page.open("rb") as opened:
            same = opened.read(len(wanted) + 1) == wanted
    except OSError as error:
        raise ConfigError(f"there is no score card in {page}: {error.strerror}") from None
    if not same:
        yield Difference(
            figure="page", card="another page", played=f"the page of the figures in {figures.name}"
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
