"""Exponential backoff per slot of a cluster: when an actor that failed there is started again.

A slot that never works costs the others nothing: the pauses between its restarts double. Only when
every slot has failed several times in a row is the run hopeless.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

FAILURES = 3
"""Failures in a row after which a slot is known not to work: one may be an accident, two may follow
from the first, such as a port that is still taken."""
_FIRST_PAUSE, _LONGEST_PAUSE = 2.0, 60.0
"""Seconds. Short at first, for most failures pass; at most a minute, so that a machine that was
repaired is soon in use."""

AnySlot = TypeVar("AnySlot", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Failed:
    """Failures of one slot since it last worked."""

    times: int
    at: float
    """The time of the last one."""
    why: str


def pause_after(times: int) -> float:
    """Seconds until the next start; 0 after a single failure, which may be an accident."""
    return 0.0 if times <= 1 else min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** (times - 2))


class RestartBackoff(Generic[AnySlot]):
    """Counts failures per slot. Any thread may call."""

    def __init__(self) -> None:
        """No slot has failed yet."""
        self._lock = threading.Lock()
        self._failed: dict[AnySlot, Failed] = {}

    def failed(self, slot: AnySlot, why: str, now: float) -> int:
        """Note a failure; returns how many in a row that makes."""
        with self._lock:
            before = self._failed.get(slot)
            times = 1 if before is None else before.times + 1
            self._failed[slot] = Failed(times, now, why)
        return times

    def worked(self, slot: AnySlot) -> None:
        """Forget the failures of a slot, which has done useful work."""
        with self._lock:
            self._failed.pop(slot, None)

    def is_due(self, slot: AnySlot, now: float) -> bool:
        """Whether a slot's pause is over."""
        with self._lock:
            before = self._failed.get(slot)
        return before is None or now >= before.at + pause_after(before.times)

    def hopeless(self, slots: Iterable[AnySlot]) -> tuple[AnySlot, Failed] | None:
        """The latest failure if all these slots are known not to work; None if one may."""
        with self._lock:
            found = [(slot, self._failed.get(slot)) for slot in slots]
        failures = [(slot, one) for slot, one in found if one is not None]
        if not failures or len(failures) < len(found):
            return None
        if any(one.times < FAILURES for _, one in failures):
            return None
        return max(failures, key=lambda failure: failure[1].at)
