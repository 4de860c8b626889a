"""Metrics that carry their own reduction, so that merging two of them stays correct.

Mean    a share or an average        restarts at every look
Max     the largest                  restarts at every look
Rate    so much per second           restarts at every look
Sum     a total                      goes on for ever
Last    the newest value of a gauge  stays until there is a newer one
"""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from distrl.interfaces import Clock


@dataclass(frozen=True, slots=True)
class Mean:
    """A sum of values and how many there were."""

    total: float
    count: float = 1.0

    def merge(self, other: Mean) -> Mean:
        """The mean of all values of both."""
        return Mean(self.total + other.total, self.count + other.count)

    @property
    def value(self) -> float | None:
        """None when there was nothing to average."""
        return self.total / self.count if self.count else None


@dataclass(frozen=True, slots=True)
class Sum:
    """A total."""

    value: float

    def merge(self, other: Sum) -> Sum:
        """The total of both."""
        return Sum(self.value + other.value)


@dataclass(frozen=True, slots=True)
class Max:
    """The largest value seen."""

    value: float

    def merge(self, other: Max) -> Max:
        """The larger of both."""
        return Max(max(self.value, other.value))


@dataclass(frozen=True, slots=True)
class Last:
    """A gauge that was read at a moment."""

    value: float
    at: float = 0.0
    """Clock seconds; the later reading wins, the other one at a tie."""

    def merge(self, other: Last) -> Last:
        """The later of both."""
        return other if other.at >= self.at else self


@dataclass(frozen=True, slots=True)
class Rate:
    """An amount over a span of time. Spans may follow each other or be the same one."""

    amount: float
    start: float
    """Clock seconds."""
    end: float

    def merge(self, other: Rate) -> Rate:
        """Both amounts over the span that covers both."""
        return Rate(
            self.amount + other.amount, min(self.start, other.start), max(self.end, other.end)
        )

    @property
    def value(self) -> float | None:
        """Amount per second; None over no time at all."""
        return self.amount / (self.end - self.start) if self.end > self.start else None


Metric: TypeAlias = Mean | Sum | Max | Last | Rate


def merge(first: Metric, second: Metric) -> Metric:
    """Both as one; TypeError when they are of two kinds."""
    match first, second:
        case Mean(), Mean():
            return first.merge(second)
        case Sum(), Sum():
            return first.merge(second)
        case Max(), Max():
            return first.merge(second)
        case Last(), Last():
            return first.merge(second)
        case Rate(), Rate():
            return first.merge(second)
    kinds = f"{type(first).__name__} and {type(second).__name__}"
    raise TypeError(f"metrics of two kinds cannot be merged: {kinds}")


def merge_all(first: Mapping[str, Metric], second: Mapping[str, Metric]) -> dict[str, Metric]:
    """Both by name."""
    merged = dict(first)
    for name, metric in second.items():
        merged[name] = merge(merged[name], metric) if name in merged else metric
    return merged


def values(metrics: Mapping[str, Metric]) -> dict[str, float]:
    """What each comes to; those that come to nothing are left out."""
    found = ((name, metric.value) for name, metric in metrics.items())
    return {name: value for name, value in found if value is not None and math.isfinite(value)}


class Recorder:
    """Takes metrics from any thread and tells, look by look, what they came to."""

    def __init__(self, clock: Clock) -> None:
        """Rates count from now."""
        self._clock = clock
        self._lock = threading.Lock()
        self._since = clock.now()
        self._metrics: dict[str, Metric] = {}

    def add(self, name: str, metric: Metric) -> None:
        """Merge a metric into those of its name."""
        with self._lock:
            self._merge(name, metric)

    def mean(self, name: str, value: float) -> None:
        """Count one value into a mean."""
        self.add(name, Mean(value))

    def sum(self, name: str, amount: float = 1.0) -> None:
        """Add to a total."""
        self.add(name, Sum(amount))

    def max(self, name: str, value: float) -> None:
        """Note a value of which the largest counts."""
        self.add(name, Max(value))

    def last(self, name: str, value: float) -> None:
        """Read a gauge."""
        self.add(name, Last(value, self._clock.now()))

    def rate(self, name: str, amount: float = 1.0) -> None:
        """Count something whose number per second is asked for; with 0 it is known from now on."""
        with self._lock:
            self._merge(name, Rate(amount, self._since, self._since))

    def take(self) -> dict[str, Metric]:
        """All metrics up to now; means, maxima and rates start again."""
        with self._lock:
            now = self._clock.now()
            taken = {
                name: merge(metric, Rate(0.0, self._since, now))
                if isinstance(metric, Rate)
                else metric
                for name, metric in self._metrics.items()
            }
            self._metrics = {
                name: Rate(0.0, now, now) if isinstance(metric, Rate) else metric
                for name, metric in self._metrics.items()
                if not isinstance(metric, Mean | Max)
            }
            self._since = now
        return taken

    def numbers(self) -> dict[str, float]:
        """`take`, as the numbers that monitors record."""
        return values(self.take())

    def _merge(self, name: str, metric: Metric) -> None:
        known = self._metrics.get(name)
        try:
            self._metrics[name] = metric if known is None else merge(known, metric)
        except TypeError as error:
            raise TypeError(f"{name}: {error}") from None
