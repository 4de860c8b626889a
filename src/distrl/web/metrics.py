"""The numbers that a run recorded, as series for charts. Reads on where it stopped before."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from distrl.monitor.gauges import EVALUATED_HIGH, EVALUATED_LOW, MINUTES
from distrl.monitor.jsonl import METRICS, Follower, MetricsRecord

PARTS = ("collect", "learn", "evaluate")
MOST_POINTS = 400
"""Points of a series that are shown; a screen has no more columns than a few of these."""


@dataclass(slots=True)
class Series:
    """One number over a run."""

    minutes: list[float] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    """Episodes where collectors wrote it, updates where the learner did."""
    values: list[float] = field(default_factory=list)
    low: list[float | None] = field(default_factory=list)
    high: list[float | None] = field(default_factory=list)
    """Ends of the interval, where there is one."""

    def thinned(self, most: int = MOST_POINTS) -> Series:
        """So few points that a chart can show them; the last one always."""
        count = len(self.values)
        if count <= most:
            return self
        chosen = [round(i * (count - 1) / (most - 1)) for i in range(most)]
        return Series(
            [self.minutes[i] for i in chosen],
            [self.steps[i] for i in chosen],
            [self.values[i] for i in chosen],
            [self.low[i] for i in chosen],
            [self.high[i] for i in chosen],
        )


class Metrics:
    """Follows the metrics of one run. Any thread may ask."""

    def __init__(self, folder: Path) -> None:
        """Files that are not there yet are read once they are."""
        self._lock = threading.Lock()
        self._followers = {part: Follower(folder / METRICS / f"{part}.jsonl") for part in PARTS}
        self._series: dict[str, Series] = {}
        self._records = 0

    def refresh(self) -> int:
        """Read what is new; how many records there are."""
        with self._lock:
            for part, follower in self._followers.items():
                for record in follower.read():
                    self._take(record, has_range=part == "evaluate")
                    self._records += 1
            return self._records

    def names(self, prefix: str) -> list[str]:
        """Names that start so, in their own order."""
        with self._lock:
            return sorted(name for name in self._series if name.startswith(prefix))

    def series(self, name: str) -> Series | None:
        """A number by its name; None when nobody recorded it."""
        with self._lock:
            found = self._series.get(name)
            return None if found is None else found.thinned()

    def last(self, name: str) -> float | None:
        """The newest value of a number."""
        with self._lock:
            found = self._series.get(name)
            return None if found is None or not found.values else found.values[-1]

    def tail(self, name: str, count: int) -> Sequence[float]:
        """The newest values of a number, oldest first."""
        with self._lock:
            found = self._series.get(name)
            return [] if found is None else found.values[-count:]

    def _take(self, record: MetricsRecord, *, has_range: bool) -> None:
        minutes = record.numbers.get(MINUTES, record.seconds / 60)
        for name, value in record.numbers.items():
            series = self._series.setdefault(name, Series())
            key = name.split("/", 2)[-1] if has_range else ""
            series.minutes.append(minutes)
            series.steps.append(record.step)
            series.values.append(value)
            series.low.append(record.numbers.get(f"{EVALUATED_LOW}{key}") if has_range else None)
            series.high.append(record.numbers.get(f"{EVALUATED_HIGH}{key}") if has_range else None)
