"""Figures of experiments: pure functions of the curves of runs.

final            mean success of the last three checkpoints
time to reach    the first checkpoint whose mean with the two before it reaches a level; the start
                 is one of them, at 0
interval         95 % Wilson, over the tasks; seeds and checkpoints play the same ones again, which
                 makes no further trials of them
spread           the mean over seeds with the lowest and the highest of them
difference       Newcombe's interval: both sides err, and nothing is known of single tasks
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean

from distrl.collect.evaluation.statistics import share_interval
from distrl.run.virtual.experiment import LAST, ExperimentResult, Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A success over seeds."""

    mean: float
    low: float
    """Ends of the Wilson interval over the tasks, which all seeds share."""
    high: float
    lowest: float
    """The worst seed."""
    highest: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """A figure that every seed has a value of."""

    mean: float
    lowest: float
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
    mean = fmean(values)
    low, high = share_interval(mean, tasks)
    return Interval(mean=mean, low=low, high=high, lowest=min(values), highest=max(values))


def difference_interval(
    share: float, base: float, tasks: int, *, comparisons: int = 1
) -> tuple[float, float]:
    """The range of `share - base`, at 95 % for so many comparisons together.

    Newcombe 1998 with Wilson's intervals, unpaired: which tasks were solved is not known, and two
    policies that solve the same ones differ by less than this allows for. Bonferroni divides the
    chance of an error among the comparisons.
    """
    z = NormalDist().inv_cdf(1 - 0.05 / (2 * comparisons))
    low, high = share_interval(share, tasks, z=z)
    base_low, base_high = share_interval(base, tasks, z=z)
    return (
        share - base - math.hypot(share - low, base_high - base),
        share - base + math.hypot(high - share, base - base_low),
    )


def spread(values: Iterable[float | None]) -> Spread | None:
    """What is known of a figure over seeds; None where nothing is."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    return Spread(mean=fmean(known), lowest=min(known), highest=max(known))


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
