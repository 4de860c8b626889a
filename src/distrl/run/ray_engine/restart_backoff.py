"""How often each place of a cluster was tried in vain, and when it is tried again.

One place that never works costs the others nothing: it is tried again after longer and longer
pauses. Only when all places there are have failed several times in a row is there no hope.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

FAILURES = 3
"""Times in a row after which a place is known not to work."""
_FIRST_PAUSE, _LONGEST_PAUSE = 2.0, 60.0

Place = TypeVar("Place", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Failed:
    """Attempts at one place since something last came of it."""

    times: int
    at: float
    """When the last one failed."""
    why: str


def pause_after(times: int) -> float:
    """Seconds until the next attempt; none after a single failure, which may be an accident."""
    return 0.0 if times <= 1 else min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** (times - 2))


class RestartBackoff(Generic[Place]):
    """Keeps count for all places. Any thread may call."""

    def __init__(self) -> None:
        """Nothing was tried yet."""
        self._lock = threading.Lock()
        self._failed: dict[Place, Failed] = {}

    def failed(self, place: Place, why: str, now: float) -> int:
        """An attempt came to nothing; how many in a row that makes."""
        with self._lock:
            before = self._failed.get(place)
            times = 1 if before is None else before.times + 1
            self._failed[place] = Failed(times, now, why)
        return times

    def worked(self, place: Place) -> None:
        """Something came of it: what was before does not count."""
        with self._lock:
            self._failed.pop(place, None)

    def is_due(self, place: Place, now: float) -> bool:
        """Whether to try a place."""
        with self._lock:
            before = self._failed.get(place)
        return before is None or now >= before.at + pause_after(before.times)

    def hopeless(self, places: Iterable[Place]) -> tuple[Place, Failed] | None:
        """The last failure, if every one of some places is known not to work."""
        with self._lock:
            found = [(place, self._failed.get(place)) for place in places]
        failures = [(place, one) for place, one in found if one is not None]
        if not failures or len(failures) < len(found):
            return None
        if any(one.times < FAILURES for _, one in failures):
            return None
        return max(failures, key=lambda failure: failure[1].at)
