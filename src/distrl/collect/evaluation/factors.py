"""Success by factor of robustness: the same tasks on phones that differ in one thing at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from distrl.collect.evaluation.evaluate import Report
from distrl.collect.evaluation.statistics import Row
from distrl.config.devices import PhoneConfig
from distrl.config.factors import SETTINGS, Factor

PLAIN = "plain"
"""The row of phones without a factor."""
_PLAIN_SETTING = "none of them"

PlayOn: TypeAlias = Callable[[PhoneConfig], Report]
"""Plays the tasks on phones that are made so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactorRow:
    """How well a policy does under one factor. Figures are None where no episode counts."""

    factor: str
    setting: str
    """What the factor is set to."""
    success: float | None
    low: float | None
    """Lower end of the 95 % Wilson interval of success."""
    high: float | None
    tasks: int
    """Episodes that count."""
    kept: float | None
    """Success over that of the plain row; None where that is 0."""


def evaluate_factors(
    play: PlayOn, phone: PhoneConfig, factors: Sequence[Factor] = tuple(Factor)
) -> tuple[Report, tuple[FactorRow, ...]]:
    """The report on plain phones, and a row for these and for each factor."""
    plain = play(phone)
    base = plain.overall.success
    rows = [_row(PLAIN, _PLAIN_SETTING, plain.overall, base)]
    for factor in factors:
        varied = phone.changed(factors=[*phone.factors, factor])
        rows.append(_row(factor.value, SETTINGS[factor], play(varied).overall, base))
    return plain, tuple(rows)


def _row(name: str, setting: str, figures: Row, plain: float | None) -> FactorRow:
    success = figures.success
    return FactorRow(
        factor=name,
        setting=setting,
        success=success,
        low=figures.low,
        high=figures.high,
        tasks=figures.episodes,
        kept=success / plain if plain and success is not None else None,
    )
