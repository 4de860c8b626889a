"""What services have cost, and the cap that they may not pass.

Money is set aside before a request is sent, at the most that it can cost, and settled when the
answer says what it did cost. So several threads together stay below the cap, too.
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
        """The cost of one request."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1e6


class Entry(msgspec.Struct, frozen=True):
    """One line of the cost tracker."""

    purpose: str
    model: str
    prompt_tokens: int
    completion_tokens: int
    cost: float
    estimated: bool
    """True when no answer said what it cost, and the most it can have cost was booked."""


class Booking:
    """Money set aside for one request, until `settle`."""

    def __init__(self, most: Entry) -> None:
        """Reckon with the most that it can cost."""
        self._most = most
        self._entry: Entry | None = most

    @property
    def entry(self) -> Entry | None:
        """What is to be booked; None for nothing."""
        return self._entry

    def settle(self, prompt_tokens: int, completion_tokens: int, cost: float) -> None:
        """The answer told what it cost."""
        self._entry = msgspec.structs.replace(
            self._most,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            cost=cost,
            estimated=False,
        )

    def cancel(self) -> None:
        """The server refused; nothing was used."""
        self._entry = None


class CostTracker:
    """Adds up, keeps to the cap, and writes every line to a file if it has one."""

    def __init__(self, *, cap: float | None = None, path: Path | None = None) -> None:
        """`path` holds one JSON object per line; what is in it counts towards the cap."""
        if cap is not None and not (math.isfinite(cap) and cap > 0):
            raise ConfigError(f"the cap on costs must be above 0, got {cap!r}")
        if path is not None:
            require_parent(path, "the cost_tracker")
        self.cap = cap
        self._path = path
        self._turn = threading.Lock()
        self._reserved = 0.0
        old = _read(path) if path is not None else []
        self._spent = sum(entry.cost for entry in old)
        self._requests, self._estimated = len(old), sum(entry.estimated for entry in old)

    @property
    def spent(self) -> float:
        """What has been booked so far."""
        with self._turn:
            return self._spent

    @contextmanager
    def booking(self, most: Entry) -> Iterator[Booking]:
        """Set money aside for one request; BudgetSpent when there is not enough left.

        Unless it is settled or cancelled inside, the most is booked: a request that was sent and
        not answered may have been charged.
        """
        with self._turn:
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
            self._close(most, booking.entry)

    def gauges(self) -> dict[str, float]:
        """Costs and counts so far."""
        with self._turn:
            return {
                "services/cost": self._spent,
                "services/requests": float(self._requests),
                "services/estimated": float(self._estimated),
            }

    def _close(self, most: Entry, entry: Entry | None) -> None:
        with self._turn:
            self._reserved -= most.cost
            if entry is None:
                return
            self._spent += entry.cost
            self._requests += 1
            self._estimated += entry.estimated
            if self._path is not None:
                _append(self._path, msgspec.json.encode(entry) + b"\n")


def require_parent(path: Path, what: str) -> None:
    """ConfigError unless a file of ours can be made there: better than after it was paid for."""
    if not path.parent.is_dir():
        raise ConfigError(f"there is no folder {path.parent} for {what} {path.name}")


def _append(path: Path, line: bytes) -> None:
    # In a single write, so that lines of several processes do not mix.
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
