"""A host's two queues: jobs that it was given, and episodes that are not durable yet.

    JobQueue --Job--> Collector[N] --Episode--> Outbox --blobs, in order--> the coordinator

Collectors wait at both ends and hold no device meanwhile. The outbox has room for so many episodes
and no more: while the store does not acknowledge, collectors stand still instead of filling memory.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import takewhile

from distrl.collect.collector import Job
from distrl.errors import PipelineError
from distrl.replay.store.packing import PACKED, PackedEpisode, pack
from distrl.types import Episode

_KNOWN = 200_000
"""Digests of pictures that the store has, which need not be encoded or sent again."""
_PACKERS = 2
_BYTES = 16 * 2**20
"""An answer holds no more than about this; the rest comes with the next."""
_REMEMBERED = 10_000
"""Jobs that are known again if they arrive a second time."""


class JobQueue:
    """Jobs that wait for a collector. Any thread may ask."""

    def __init__(self, room: int) -> None:
        """Take up to `room` jobs ahead."""
        self._room = room
        self._changed = threading.Condition()
        self._jobs: deque[Job] = deque()
        self._seen: dict[str, None] = {}
        self._closed = False

    def add(self, jobs: Iterable[Job]) -> None:
        """Queue those that are new."""
        with self._changed:
            for job in jobs:
                if job.episode_id not in self._seen:
                    self._seen[job.episode_id] = None
                    self._jobs.append(job)
            while len(self._seen) > _REMEMBERED:
                del self._seen[next(iter(self._seen))]
            self._changed.notify_all()

    def next(self) -> Job | None:
        """Wait for the next job; None once the queue is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or bool(self._jobs))
            return None if self._closed else self._jobs.popleft()

    @property
    def wanted(self) -> int:
        """How many more there is room for."""
        with self._changed:
            return max(0, self._room - len(self._jobs))

    def close(self) -> None:
        """Give nobody anything any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


@dataclass(frozen=True, slots=True, eq=False)
class _Leaving:
    number: int
    packing: Future[tuple[bytes, tuple[bytes, ...]]]
    """The blob, and the digests of the pictures in it."""
    durable: Future[None] = field(default_factory=Future)


class Outbox:
    """Keeps episodes until they are durable elsewhere. A `Store` for collectors."""

    def __init__(self, most: int) -> None:
        """Hold up to `most` episodes; whoever adds more waits."""
        self._most = most
        self._changed = threading.Condition()
        self._leaving: deque[_Leaving] = deque()
        self._number = 0
        self._known: dict[bytes, None] = {}
        self._closed = False
        self._waiting = 0
        self._waited = 0.0
        self._packers = ThreadPoolExecutor(_PACKERS, thread_name_prefix="pack")

    def add_later(self, episode: Episode) -> Future[None]:
        """Wait for room; the future is done when `settle` says that the episode is durable."""
        began = time.monotonic()
        with self._changed:
            self._waiting += 1
            self._changed.wait_for(lambda: self._closed or len(self._leaving) < self._most)
            self._waiting -= 1
            self._waited += time.monotonic() - began
            if self._closed:
                raise PipelineError(f"episode {episode.id!r} was not handed over: the host stops")
            self._number += 1
            leaving = _Leaving(self._number, self._packers.submit(self._pack, episode))
            self._leaving.append(leaving)
        leaving.packing.add_done_callback(lambda _: self._tell())
        return leaving.durable

    def _tell(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _pack(self, episode: Episode) -> tuple[bytes, tuple[bytes, ...]]:
        packed: PackedEpisode = pack(episode, codec="png", known=self._known.__contains__)
        return PACKED.encode(packed), tuple(packed.pictures)

    def ready(self, after: int, *, timeout: float) -> tuple[bytes, ...]:
        """Packed episodes after a number, oldest first; waits for a first one."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._next(after), timeout)
            return self._next(after)

    def _next(self, after: int) -> tuple[bytes, ...]:
        later = (leaving for leaving in self._leaving if leaving.number > after)
        total = 0
        found: list[bytes] = []
        for leaving in takewhile(lambda one: one.packing.done(), later):
            blob, _ = leaving.packing.result()
            total += len(blob)
            if found and total > _BYTES:
                break
            found.append(blob)
        return tuple(found)

    def settle(self, durable: int) -> None:
        """Forget all episodes up to a number: they are on the disk."""
        settled: list[_Leaving] = []
        with self._changed:
            while self._leaving and self._leaving[0].number <= durable:
                settled.append(self._leaving.popleft())
                _, pictures = settled[-1].packing.result()
                self._known.update(dict.fromkeys(pictures))
            while len(self._known) > _KNOWN:
                del self._known[next(iter(self._known))]
            self._changed.notify_all()
        for leaving in settled:
            leaving.durable.set_result(None)

    def check(self) -> None:
        """Raise what went wrong with an episode that could not be packed."""
        with self._changed:
            done = [leaving.packing for leaving in self._leaving if leaving.packing.done()]
        for packing in done:
            packing.result()

    def gauges(self) -> dict[str, float]:
        """How full it is, and who waits."""
        with self._changed:
            return {
                "cluster/unacknowledged": float(len(self._leaving)),
                "cluster/collectors_waiting": float(self._waiting),
                "cluster/waited_seconds": self._waited,
            }

    def close(self) -> None:
        """Take nothing any more; what was not acknowledged is given up."""
        with self._changed:
            self._closed = True
            given_up, self._leaving = self._leaving, deque()
            self._changed.notify_all()
        for leaving in given_up:
            leaving.durable.set_exception(PipelineError("the host stops"))
        self._packers.shutdown(wait=False, cancel_futures=True)
