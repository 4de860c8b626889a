"""Metrics as JSON lines: appended, never changed, readable while they are written.

    {"step": 128, "seconds": 31.07, "collect/episodes": 128, "collect/steps_per_second": 141.2}

A number that is not finite is written as null and read as absent. A process that is killed may
leave half a line; the next writer starts a new one, and readers skip it.
"""

from __future__ import annotations

import json
import logging
import math
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from distrl.interfaces import Clock

METRICS = "metrics"
"""Folder of these files in a run's folder."""
_RESERVED = frozenset({"step", "seconds"})
_LONGEST = 1 << 20
"""Most bytes of one record. A longer line without an end is no record, and is skipped instead of
being read again at every call."""
_TAIL = 1 << 16
"""Bytes at the end of a file in which its newest record is looked for: some forty records."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MetricsRecord:
    """One line: numbers, and when they were recorded."""

    step: int
    seconds: float
    """Seconds since the run began, by the clock of whoever wrote it."""
    numbers: Mapping[str, float]


class JsonlMonitor:
    """Appends records to a file. Any thread may record."""

    def __init__(self, path: Path, clock: Clock, *, before: float = 0.0) -> None:
        """Append to a file, new or not; `before` is the seconds that the run took until now."""
        self._clock, self._before = clock, before
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        # Unbuffered: every record is one write, so a kill damages the last line at most.
        self._file = path.open("ab", buffering=0)
        if _ends_inside_a_line(path):
            self._file.write(b"\n")

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Write one line."""
        if clash := _RESERVED & numbers.keys():
            raise ValueError(f"a number cannot be named {', '.join(sorted(clash))}")
        row: dict[str, float | None] = {
            "step": int(step),
            "seconds": round(self._before + self._clock.now(), 3),
        }
        row |= {name: _finite(number) for name, number in numbers.items()}
        line = json.dumps(row, allow_nan=False, ensure_ascii=False).encode() + b"\n"
        with self._lock:
            self._file.write(line)

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        self._file.close()


class Follower:
    """Reads what another process appends to a file, as `tail -f` does."""

    def __init__(self, path: Path) -> None:
        """Start at the beginning of a file, which need not exist yet."""
        self._path = path
        self._at = 0

    def read(self) -> list[MetricsRecord]:
        """The records whose lines were completed since the last call."""
        try:
            with self._path.open("rb") as file:
                if os.fstat(file.fileno()).st_size < self._at:
                    _log.warning("%s has become shorter; reading it from its start", self._path)
                    self._at = 0
                file.seek(self._at)
                data = file.read()
        except FileNotFoundError:
            return []
        whole, newline, rest = data.rpartition(b"\n")
        self._at += len(whole) + len(newline)
        # `rest` is half a line, which the writer may still complete: it is read again next time.
        if len(rest) > _LONGEST:
            self._at += len(rest)
        found = (_parse(line) for line in whole.split(b"\n"))
        return [record for record in found if record is not None]


def read_records(path: Path) -> list[MetricsRecord]:
    """All complete records of a file; none if there is no file."""
    return Follower(path).read()


def last_record(path: Path) -> MetricsRecord | None:
    """The newest complete record, read from the end of the file alone; None if there is none."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
            lines = file.read().split(b"\n")[:-1]
    except FileNotFoundError:
        return None
    # The first line may be the end of one; it is no record then, and is skipped as such.
    found = (_parse(line) for line in reversed(lines))
    return next((record for record in found if record is not None), None)


def _parse(line: bytes) -> MetricsRecord | None:
    """The record that a line holds; None for any other line."""
    try:
        row = json.loads(line, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict):
        return None
    step, seconds = row.pop("step", None), row.pop("seconds", None)
    if not _is_number(step) or not _is_number(seconds):
        return None
    numbers = {name: float(number) for name, number in row.items() if _is_number(number)}
    return MetricsRecord(int(step), float(seconds), numbers)


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond all floats
        return False


def _finite(number: float) -> float | None:
    """A number, also of numpy or torch, as JSON writes it; None if it is not finite."""
    if isinstance(number, int):
        return int(number)
    plain = float(number)
    return plain if math.isfinite(plain) else None


def _ends_inside_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return False
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"
