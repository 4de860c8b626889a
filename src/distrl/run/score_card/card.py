"""The score card and its two files: the figures in JSON, and a page of them in HTML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from distrl.collect.evaluation.factors import FactorRow
from distrl.collect.evaluation.statistics import Row
from distrl.errors import ConfigError
from distrl.run.score_card.conditions import Conditions
from distrl.run.state.provenance import Code, Machine

FORMAT = 1
_LARGEST = 4 * 2**20
"""Bytes of a card: some hundred times as many as that of the largest suite."""
_JSON, _PAGE = ".json", (".html", ".htm")


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakProof:
    """What the leak check found between the splits of the suite."""

    pairs: int
    """Pairs of splits that were compared."""
    leaks: int
    """Things that two of them share and must not."""
    unknown: int
    """Templates whose goals are known only when they are played, which are not compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCard:
    """What a policy reached, and all that it takes to play it again."""

    format: int
    conditions: Conditions
    weights: str | None
    """SHA-256 of the policy's weights; None for one that has none."""
    suite: str
    """SHA-256 of all tasks of the suite."""
    splits: Mapping[str, int]
    """Number of tasks by split."""
    leak_proof: LeakProof
    overall: Row
    templates: tuple[Row, ...]
    endings: Mapping[str, int]
    """Episodes by how they ended."""
    factors: tuple[FactorRow, ...]
    """Success by factor of robustness, the plain row first; empty for other devices."""
    command: str
    """What made the card."""
    code: Code
    machine: Machine


def files_of(path: Path) -> tuple[Path, Path]:
    """The JSON file and the page of a card that is named by either of them."""
    if path.suffix == _JSON:
        return path, path.with_suffix(_PAGE[0])
    if path.suffix in _PAGE:
        return path.with_suffix(_JSON), path
    raise ConfigError(
        f"a score card is a page (.html) with its figures (.json) beside it; got {str(path)!r}"
    )


def encode(card: ScoreCard) -> bytes:
    """The card as JSON."""
    return msgspec.json.format(msgspec.json.encode(card), indent=2) + b"\n"


def read(path: Path) -> ScoreCard:
    """The card in a file, or beside the page; ConfigError says what is wrong with it."""
    figures, _ = files_of(path)
    try:
        # One byte more than allowed: a larger file is known by it, and never read as a whole.
        with figures.open("rb") as opened:
            data = opened.read(_LARGEST + 1)
    except OSError as error:
        raise ConfigError(f"there is no score card in {figures}: {error.strerror}") from None
    if len(data) > _LARGEST:
        raise ConfigError(f"{figures} is larger than any score card ({_LARGEST:,} bytes)")
    try:
        card = msgspec.json.decode(data, type=ScoreCard)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{figures} is no score card: {error}") from None
    if card.format != FORMAT:
        raise ConfigError(
            f"{figures} is a score card of format {card.format}; this version reads {FORMAT}"
        )
    return card
