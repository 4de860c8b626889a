"""Tracks the cost of API requests and enforces a cap on it.

    booking(worst case) -> request -> settle(actual cost) | cancel() | neither: worst case is booked

The worst-case cost of a request is reserved before it is sent, so that concurrent requests of
several threads cannot exceed the cap together.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from distrl.errors import BudgetSpent, ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What tokens cost, in the currency of the cap, per million."""

    prompt: float = 0.0
    completion: float = 0.0

    def __post_init__(self) -> None:
        """ConfigError for what is no price."""
        for name, price in (("prompt", self.prompt), ("completion", self.completion)):
            if not (math.isfinite(price) and price >= 0):
                raise ConfigError(f"the price of {name} tokens must be 0 or more, got {price!r}")

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Cost of one request with these token counts."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1e6


class Entry(msgspec.Struct, frozen=True):
    """One request in the cost log."""

    purpose: str
    model: str
    prompt_tokens: int
    completion_tokens: int
    cost: float
    estimated: bool
    """True when no answer said what it cost, and the most it can have cost was booked."""


class Booking:
    """A reservation of money for one request."""

    def __init__(self, most: Entry) -> None:
        """Reserve `most`, the worst case: it is booked unless `settle` or `cancel` is called."""
        self._most = most
        self._entry: Entry | None = most

    @property
    def entry(self) -> Entry | None:
        """The entry to write to the log; None if nothing is to be booked."""
        return self._entry

    def settle(self, prompt_tokens: int, completion_tokens: int, cost: float) -> None:
        """Replace the worst case by the usage that the server reported."""
        self._entry = msgspec.structs.replace(
            self._most,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            cost=cost,
            estimated=False,
        )

    def cancel(self) -> None:
        """Book nothing: the server refused the request."""
        self._entry = None


class CostTracker:
    """Adds up costs, enforces the cap and appends each entry to a log file. Thread-safe."""

    def __init__(self, *, cap: float | None = None, path: Path | None = None) -> None:
        """Open the log at `path` (JSON lines); costs already in it count towards the cap."""
        if cap is not None and not (math.isfinite(cap) and cap > 0):
            raise ConfigError(f"the cap on costs must be above 0, got {cap!r}")
        if path is not None:
            require_parent(path, "the cost_tracker")
        self.cap = cap
        self._path = path
        self._lock = threading.Lock()
        self._reserved = 0.0
        old = _read(path) if path is not None else []
        self._spent = sum(entry.cost for entry in old)
        self._requests, self._estimated = len(old), sum(entry.estimated for entry in old)

    @property
    def spent(self) -> float:
        """Total cost booked so far, that of earlier processes included."""
        with self._lock:
            return self._spent

    @contextmanager
    def booking(self, most: Entry) -> Iterator[Booking]:
        """Reserve the worst-case cost of one request; BudgetSpent if it exceeds what is left.

        On exit the reservation becomes a log entry, unless the booking was cancelled inside.
        """
        # Check and reservation under one lock: two threads must not both see the same money left.
        with self._lock:
            left = math.inf if self.cap is None else self.cap - self._spent - self._reserved
            if most.cost > left:
                raise BudgetSpent(
                    f"asking {most.model} for {most.purpose} may cost {most.cost:.6f}, and of the "
                    f"cap of {self.cap} {max(0.0, left):.6f} is left; raise the cap, or ask less"
                )
            self._reserved += most.cost
        booking = Booking(most)
        try:
            yield booking
        finally:
            # Also after an exception: a request that was sent and not answered may be charged.
            self._close(most, booking.entry)

    def gauges(self) -> dict[str, float]:
        """Costs and counts so far."""
        with self._lock:
            return {
                "services/cost": self._spent,
                "services/requests": float(self._requests),
                "services/estimated": float(self._estimated),
            }

    def _close(self, most: Entry, entry: Entry | None) -> None:
        with self._lock:
            self._reserved -= most.cost
            if entry is None:
                return
            self._spent += entry.cost
            self._requests += 1
            self._estimated += entry.estimated
            if self._path is not None:
                _append(self._path, msgspec.json.encode(entry) + b"\n")


def require_parent(path: Path, what: str) -> None:
    """ConfigError if the folder of `path` does not exist: fail before any request is paid for."""
    if not path.parent.is_dir():
        raise ConfigError(f"there is no folder {path.parent} for {what} {path.name}")


def _append(path: Path, line: bytes) -> None:
    # O_APPEND and a single write: lines of several processes do not interleave.
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.write(handle, line)
    finally:
        os.close(handle)


def _read(path: Path) -> list[Entry]:
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    except OSError as cause:
        raise ConfigError(f"the cost_tracker {path} cannot be read: {cause}") from cause
    try:
        return [msgspec.json.decode(line, type=Entry) for line in lines if line.strip()]
    except msgspec.DecodeError as cause:
        raise ConfigError(f"{path} is no cost log, or a damaged one: {cause}") from cause
