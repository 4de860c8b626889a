"""How the numbers of several hosts become one number: every gauge declares its reduction here.

    part           host a  host b  host c    combined                     reduction
    text/hits          90     180      90    360                          COUNTER
    text/hit_rate     0.9     0.9     0.9    0.9 = 360 / (360 + 40)       Ratio(hits, hits + misses)
    batcher/version     7       9       8    7, the oldest that acts      MIN
    batcher/batch       4       8       4    mean, weighted by passes     WeightedMean(passes)

`combine` is the only place where gauges of hosts are put together. A plug-in that emits gauges of
its own calls `declare` when its module is imported. An undeclared gauge is averaged, which keeps
its order of magnitude, and an `UndeclaredGauge` warning names it; pytest turns that into an error.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias


class UndeclaredGauge(UserWarning):
    """A gauge that no row of the table below and no call to `declare` names."""


class Reduce(StrEnum):
    """A reduction that needs nothing but the values of one gauge."""

    COUNTER = "counter"
    """Sum over all hosts that ever joined: what a host has counted survives the host."""
    SUM = "sum"
    """Sum over the hosts that are there now: a state, such as free devices."""
    MEAN = "mean"
    MAX = "max"
    MIN = "min"
    NEWEST = "newest"
    """The value that was reported last; also for what only one process measures."""


@dataclass(frozen=True, slots=True)
class WeightedMean:
    """Mean over the hosts that are there, weighted by another gauge of the same host."""

    by: str
    """The gauge that counts what was averaged. If all counts are 0, every host weighs the same."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """The ratio of two combined sums; recomputed, so that a busy host counts for more."""

    part: str
    whole: tuple[str, ...]
    """Gauges whose sum is the denominator."""
    empty: float = 0.0
    """The value when the denominator is 0."""


Reduction: TypeAlias = Reduce | WeightedMean | Ratio

_HOSTS: Mapping[str, Reduction] = {
    "collect/device_seconds": Reduce.COUNTER,
    "collect/wall_seconds": Reduce.COUNTER,
    "collect/utilisation": Ratio("collect/device_seconds", ("collect/wall_seconds",)),
    "fleet/free": Reduce.SUM,
    "fleet/leased": Reduce.SUM,
    "fleet/quarantined": Reduce.SUM,
    "fleet/retired": Reduce.SUM,
    "fleet/cause/*": Reduce.COUNTER,
    "safety/refused": Reduce.COUNTER,
    "adb/restarts": Reduce.COUNTER,
    "adb/unlisted": Reduce.COUNTER,
    "batcher/passes": Reduce.COUNTER,
    "batcher/decisions": Reduce.COUNTER,
    "batcher/batch": WeightedMean("batcher/passes"),
    "batcher/pass_ms": WeightedMean("batcher/passes"),
    # The oldest: a version has arrived everywhere once this gauge shows it.
    "batcher/version": Reduce.MIN,
    "canary/checks": Reduce.COUNTER,
    "canary/mismatches": Reduce.COUNTER,
    "canary/largest": Reduce.MAX,
    "text/hits": Reduce.COUNTER,
    "text/misses": Reduce.COUNTER,
    "text/hit_rate": Ratio("text/hits", ("text/hits", "text/misses"), empty=1.0),
    "lm/hits": Reduce.COUNTER,
    "lm/misses": Reduce.COUNTER,
    "lm/known": Ratio("lm/hits", ("lm/hits", "lm/misses")),
    "served/version": Reduce.MIN,
    "served/refused": Reduce.COUNTER,
    "served/unanswered": Reduce.COUNTER,
    "served/largest": Reduce.MAX,
    "judge/verdicts": Reduce.COUNTER,
    "judge/void": Reduce.COUNTER,
    "judge/passed_by": Reduce.COUNTER,
    "judge/waiting": Reduce.SUM,
    "services/cost": Reduce.COUNTER,
    "services/requests": Reduce.COUNTER,
    "services/estimated": Reduce.COUNTER,
    "cluster/unacknowledged": Reduce.SUM,
    "cluster/collectors_waiting": Reduce.SUM,
    "cluster/waited_seconds": Reduce.COUNTER,
    "cluster/weights_refused": Reduce.COUNTER,
}
"""What every collecting host measures. `a/*` stands for every name that begins with `a/`."""

_ONE_PROCESS: Final = (
    "run/minutes",
    "collect/clock",
    "collect/episodes",
    "collect/steps",
    "collect/episodes_per_second",
    "collect/steps_per_second",
    "collect/decide_ms",
    "collect/lag",
    "collect/faults",
    "collect/held_back",
    "collect/disputed",
    "collect/judge_apart",
    "collect/success/*",
    "collect/share/*",
    "store/waiting",
    "store/packed",
    "store/stored",
    "store/commits",
    "cluster/hosts",
    "cluster/hosts_silent",
    "cluster/hosts_lost",
    "cluster/jobs_lost",
    "cluster/jobs_out",
    "cluster/storing",
    "cluster/held_back",
    "cluster/unread",
    "evaluate/*",
    # Algorithms name their own losses and statistics; only the learner's process has them.
    "learn/*",
    "replay/*",
    "collected/*",
    "weights/*",
)
"""What only the process of the store, the coordinator or the learner measures."""

_declared: dict[str, Reduction] = {**_HOSTS, **dict.fromkeys(_ONE_PROCESS, Reduce.NEWEST)}


def declare(reductions: Mapping[str, Reduction]) -> None:
    """Add the gauges of a plug-in; ValueError for a name that is declared otherwise already."""
    for name, reduction in reductions.items():
        if _declared.setdefault(name, reduction) != reduction:
            raise ValueError(
                f"the gauge {name!r} is declared as {_declared[name]} already, not {reduction}"
            )


def reduction_of(name: str) -> Reduction:
    """The reduction of a gauge, by its name or else by the nearest `part/*`.

    For an undeclared gauge the mean, and an UndeclaredGauge warning once per name.
    """
    if name in _declared:
        return _declared[name]
    family = name
    # From the longest: `learn/loss/*` may be declared otherwise than `learn/*`.
    while "/" in family:
        family = family.rpartition("/")[0]
        if (found := _declared.get(f"{family}/*")) is not None:
            return found
    warnings.warn(
        f"the gauge {name!r} does not say how it is combined over hosts; the mean is shown. "
        "Declare it with distrl.monitor.reductions.declare",
        UndeclaredGauge,
        stacklevel=2,
    )
    return Reduce.MEAN


def combine(
    readings: Sequence[Mapping[str, float]], left: Mapping[str, float] | None = None
) -> dict[str, float]:
    """One number per gauge, from the readings of the hosts that are there.

    `readings` are ordered by the time of their arrival, oldest first. `left` are the counters of
    hosts that have left, as `add_counters` collects them.
    """
    left = left or {}
    combined: dict[str, float] = {}
    for name in sorted({*left, *(name for reading in readings for name in reading)}):
        values = [(reading[name], reading) for reading in readings if name in reading]
        match reduction_of(name):
            case Reduce() as reduce:
                combined[name] = _reduced(reduce, [v for v, _ in values], left.get(name, 0.0))
            case WeightedMean(by):
                weights = [reading.get(by, 0.0) for _, reading in values]
                combined[name] = _weighted_mean([value for value, _ in values], weights)
            case Ratio():
                pass  # below, from the sums that are not all known yet
    for name, reduction in _declared.items():
        if isinstance(reduction, Ratio) and {reduction.part, *reduction.whole} <= combined.keys():
            whole = sum(combined[one] for one in reduction.whole)
            combined[name] = combined[reduction.part] / whole if whole else reduction.empty
    return combined


def add_counters(left: Mapping[str, float], reading: Mapping[str, float]) -> dict[str, float]:
    """`left` with the counters of one more host that has left; its other gauges go with it."""
    counters = {n: value for n, value in reading.items() if reduction_of(n) is Reduce.COUNTER}
    return {**left, **{n: left.get(n, 0.0) + value for n, value in counters.items()}}


def _reduced(reduce: Reduce, values: Sequence[float], left: float) -> float:
    match reduce:
        case Reduce.COUNTER | Reduce.SUM:
            return sum(values) + left
        case Reduce.MEAN:
            return sum(values) / len(values)
        case Reduce.MAX:
            return max(values)
        case Reduce.MIN:
            return min(values)
        case Reduce.NEWEST:
            return values[-1]


def _weighted_mean(values: Sequence[float], weights: Sequence[float]) -> float:
    total = sum(weights)
    if total <= 0:
        return sum(values) / len(values)
    return sum(v * weight for v, weight in zip(values, weights, strict=True)) / total
