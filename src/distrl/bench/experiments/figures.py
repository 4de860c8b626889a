"""Figures of experiments: pure functions of the curves of runs.

final            mean success of the last three checkpoints
time to reach    the first checkpoint whose mean with the two before it reaches a level; the start
                 is one of them, at 0
interval         95 % Wilson, over the tasks of all seeds
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from distrl.collect.statistics import wilson_interval
from distrl.run.experiment import LAST, ExperimentResult, Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A success over seeds."""

    mean: float
    low: float
    """Ends of the Wilson interval over all tasks of all seeds."""
    high: float
    lowest: float
    """The worst seed."""
    highest: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """When a level was reached."""

    seconds: float
    steps: int
    reached: bool
    """If not, the other figures are those of the end: it takes longer than that."""


def final(result: ExperimentResult) -> float:
    """Success at the end."""
    return fmean(point.success for point in result.points[-LAST:])


def final_unseen(result: ExperimentResult) -> float | None:
    """Success on unseen at the end; None where it was not evaluated."""
    found = [point.unseen for point in result.points[-LAST:] if point.unseen is not None]
    return fmean(found) if found else None


def over_seeds(values: Sequence[float], tasks: int) -> Interval:
    """The mean over seeds; `tasks` is how many each was evaluated on."""
    mean, trials = fmean(values), tasks * len(values)
    low, high = wilson_interval(round(mean * trials), trials)
    # Rounding to whole successes can push an end past the mean where there are few tasks.
    return Interval(
        mean=mean,
        low=min(low, mean),
        high=max(high, mean),
        lowest=min(values),
        highest=max(values),
    )


def reach(start: Point, points: Sequence[Point], level: float) -> Reach:
    """When a run first did as well as `level`, smoothed over three points."""
    curve = [start, *points]
    for index in range(LAST - 1, len(curve)):
        smoothed = fmean(point.success for point in curve[index - LAST + 1 : index + 1])
        # Means of the same numbers in another order differ in their last digit.
        if smoothed >= level - 1e-9:
            return Reach(seconds=curve[index].seconds, steps=curve[index].steps, reached=True)
    return Reach(seconds=curve[-1].seconds, steps=curve[-1].steps, reached=False)


def ratio(above: float, below: float) -> float | None:
    """One over the other; None where there is nothing to divide by."""
    return above / below if below else None
