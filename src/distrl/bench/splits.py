"""What of a policy carries over: success on every split of some suites, by what is new in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from distrl.collect.evaluation.evaluate import Progress, select_tasks
from distrl.run.evaluate import player
from distrl.run.score_card.make import weights_digest
from distrl.tasks.splits import WIDE
from distrl.tasks.suites import load_suite

_TRAINED = frozenset({"train", WIDE})
"""Splits that policies may be trained on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitRow:
    """A policy on one split."""

    suite: str
    split: str
    tasks: int
    """Tasks that count."""
    success: float | None
    low: float | None
    """Ends of the 95 % Wilson interval of success."""
    high: float | None
    false_completions: float | None
    """Share that was declared complete and was not."""
    side_effects: float | None
    """Share with a lasting change that the task did not allow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitFigures:
    """Success by split."""

    policy: str
    weights: str | None
    """SHA-256 of the policy's weights."""
    rows: tuple[SplitRow, ...]


def measure_splits(
    policy: str,
    suites: Sequence[str],
    *,
    tasks: int | None = None,
    progress: Progress | None = None,
) -> SplitFigures:
    """Play every split for evaluation of every suite; ConfigError for an unknown one."""
    known = [(suite, split) for suite in suites for split in evaluation_splits(suite)]
    rows = tuple(_row(policy, suite, split, tasks, progress) for suite, split in known)
    return SplitFigures(policy=policy, weights=weights_digest(policy), rows=rows)


def evaluation_splits(suite: str) -> tuple[str, ...]:
    """The splits of a suite that have tasks and are not for training."""
    found = load_suite(suite)
    return tuple(s for s in found.splits if s not in _TRAINED and found.tasks(s))


def _row(
    policy: str, suite: str, split: str, tasks: int | None, progress: Progress | None
) -> SplitRow:
    play = player(policy, suite, select_tasks(suite, split, tasks=tasks))
    found = play(phone=None, progress=progress).overall
    return SplitRow(
        suite=suite,
        split=split,
        tasks=found.episodes,
        success=found.success,
        low=found.low,
        high=found.high,
        false_completions=found.false_complete,
        side_effects=found.side_effects,
    )
