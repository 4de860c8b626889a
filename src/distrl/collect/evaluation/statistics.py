"""The figures of an evaluation: pure functions of how its episodes ended."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from distrl.types import Episode, Outcome

Z_95 = 1.959963984540054
"""Standard normal quantile of a two-sided interval of 95 %."""
SOLVED = 0.9
"""Success from which on a kind of task counts as solved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What an evaluation keeps of an episode."""

    template: str
    outcome: Outcome
    steps: int
    side_effects: bool
    """Whether anything changed for good that the task did not allow."""
    oracle_steps: int | None
    """Steps of the oracle on the same task; None where it did not succeed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The figures of some episodes. Shares are None where no episode counts."""

    template: str
    success: float | None
    low: float | None
    """Lower end of the 95 % Wilson interval of success."""
    high: float | None
    episodes: int
    """How many count: those that a fault ended do not."""
    false_complete: float | None
    """Share that was declared complete and was not."""
    side_effects: float | None
    """Share with a lasting change that the task did not allow."""
    mean_steps: float | None
    oracle_steps: float | None
    """Mean steps of the oracle on the same tasks."""
    faults: int
    """Episodes that ended with a lost device or a task's own error."""


def result_of(episode: Episode, oracle: Episode | None) -> Result:
    """Keep what counts of an episode and, where there is one, of the oracle's on its task."""
    return Result(
        template=episode.task.template,
        outcome=episode.outcome,
        steps=len(episode.steps),
        side_effects=any(verdict.side_effects for verdict in episode.verdicts),
        oracle_steps=len(oracle.steps) if oracle is not None and oracle.succeeded else None,
    )


def summarise(template: str, results: Sequence[Result]) -> Row:
    """The figures of these results, under a name."""
    counted = [result for result in results if result.outcome.trainable]
    total = len(counted)
    successes = sum(result.outcome is Outcome.SUCCEEDED for result in counted)
    low, high = wilson_interval(successes, total) if total else (None, None)
    return Row(
        template=template,
        success=successes / total if total else None,
        low=low,
        high=high,
        episodes=total,
        false_complete=_mean(r.outcome is Outcome.FALSE_COMPLETE for r in counted),
        side_effects=_mean(result.side_effects for result in counted),
        mean_steps=_mean(result.steps for result in counted),
        oracle_steps=_mean(r.oracle_steps for r in counted if r.oracle_steps is not None),
        faults=len(results) - total,
    )


def wilson_interval(successes: int, trials: int, *, z: float = Z_95) -> tuple[float, float]:
    """The range of a probability after so many trials. Wilson 1927; never empty, inside [0, 1]."""
    if not 0 <= successes <= trials or trials == 0:
        raise ValueError(f"{successes} successes of {trials} trials make no interval")
    share = successes / trials
    spread = z * z / trials
    centre = share + spread / 2
    reach = z * math.sqrt(share * (1 - share) / trials + spread / (4 * trials))
    low, high = (centre - reach) / (1 + spread), (centre + reach) / (1 + spread)
    # At the ends the formula gives 0 and 1 but for rounding.
    return (0.0 if successes == 0 else low), (1.0 if successes == trials else high)


def share_interval(share: float, tasks: int, *, z: float = Z_95) -> tuple[float, float]:
    """The range of a success on so many tasks, each of which may have been played repeatedly.

    How often a task was solved varies by no more than a single outcome would, so that a mean over
    repetitions is at least as sure as this says.
    """
    low, high = wilson_interval(round(share * tasks), tasks, z=z)
    # Rounding to whole successes can push an end past the mean where there are few tasks.
    return min(low, share), max(high, share)


def _mean(values: Iterable[float]) -> float | None:
    found = [float(value) for value in values]
    return fmean(found) if found else None
