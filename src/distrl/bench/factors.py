"""How robust a policy is: success by factor, on the tasks of some suites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from distrl.collect.evaluation.evaluate import Progress, select_tasks
from distrl.collect.evaluation.factors import FactorRow, evaluate_factors
from distrl.config.devices import PhoneConfig
from distrl.errors import ConfigError
from distrl.run.evaluate import player
from distrl.run.score_card.make import weights_digest
from distrl.tasks.suites import load_suite


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteFactors:
    """Success by factor on one suite."""

    suite: str
    rows: tuple[FactorRow, ...]
    """Plain phones first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactorFigures:
    """Success by factor."""

    policy: str
    weights: str | None
    """SHA-256 of the policy's weights."""
    split: str
    suites: tuple[SuiteFactors, ...]


def measure_factors(
    policy: str,
    suites: Sequence[str],
    split: str,
    *,
    tasks: int | None = None,
    progress: Progress | None = None,
) -> FactorFigures:
    """Play a split of every suite on plain phones and under each factor.

    ConfigError for a suite that is not played on embedded phones.
    """
    for suite in suites:
        if load_suite(suite).device != "phone":
            raise ConfigError(f"factors are for embedded phones, and {suite!r} is played elsewhere")
    found = tuple(
        SuiteFactors(suite=suite, rows=_rows(policy, suite, split, tasks, progress))
        for suite in suites
    )
    return FactorFigures(policy=policy, weights=weights_digest(policy), split=split, suites=found)


def _rows(
    policy: str, suite: str, split: str, tasks: int | None, progress: Progress | None
) -> tuple[FactorRow, ...]:
    play = player(policy, suite, select_tasks(suite, split, tasks=tasks))
    _, rows = evaluate_factors(lambda phone: play(phone=phone, progress=progress), PhoneConfig())
    return rows
