"""A host's two queues: jobs that it was given, and episodes that are not acknowledged yet.

    JobQueue --Job--> Collector[N] --Episode--> Outbox --blobs, in order--> the coordinator

Collectors wait at both ends and hold no device meanwhile. Backpressure: the outbox is bounded, so
that collectors wait, instead of filling memory, while the store does not acknowledge.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import takewhile

from distrl.collect.jobs import Job
from distrl.errors import PipelineError
from distrl.replay.store.packing import PACKED, PackedEpisode, pack
from distrl.types import Episode

_KNOWN = 200_000
"""Most digests of durable content, which is not encoded or sent again; some 20 MB of memory."""
_PACKERS = 2
"""Threads that compress episodes; encoding releases the GIL, so two do work in parallel."""
_BYTES = 16 * 2**20
"""A response holds about this at most, so that it arrives well before the host counts as lost."""
_REMEMBERED = 10_000
"""Newest jobs by which repeated ones are recognised: a job is repeated within moments or never."""


class JobQueue:
    """Jobs that wait for a collector. Any thread may call."""

    def __init__(self, room: int) -> None:
        """Ask for up to `room` jobs ahead, so that no collector waits for a round trip."""
        self._room = room
        self._changed = threading.Condition()
        self._jobs: deque[Job] = deque()
        self._seen: dict[str, None] = {}
        self._closed = False

    def add(self, jobs: Iterable[Job]) -> None:
        """Queue jobs; one that was added before is ignored."""
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
        """How many more jobs there is room for."""
        with self._changed:
            return max(0, self._room - len(self._jobs))

    def close(self) -> None:
        """Hand out no more jobs; those who wait for one get None."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


@dataclass(frozen=True, slots=True, eq=False)
class _Leaving:
    number: int
    packing: Future[tuple[bytes, tuple[bytes, ...]]]
    """The blob, and the digests of what later ones need not have again."""
    durable: Future[None] = field(default_factory=Future)


class Outbox:
    """Keeps episodes until they are acknowledged as durable. An `EpisodeStore` for collectors."""

    def __init__(self, most: int) -> None:
        """Hold up to `most` episodes; a collector that adds one more waits."""
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
        """Wait for room and take an episode; the future is done when `settle` acknowledges it.

        Raises PipelineError when the host stops meanwhile.
        """
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
        # Outside the lock: a packing that is done already calls back here, and wants the lock.
        leaving.packing.add_done_callback(lambda _: self.wake())
        return leaving.durable

    def wake(self) -> None:
        """Have those who wait in `ready` look again."""
        with self._changed:
            self._changed.notify_all()

    def _pack(self, episode: Episode) -> tuple[bytes, tuple[bytes, ...]]:
        packed: PackedEpisode = pack(episode, codec="png", known=self._known.__contains__)
        return PACKED.encode(packed), packed.shared

    def ready(
        self, after: int, *, timeout: float, unless: Callable[[], bool] = lambda: False
    ) -> tuple[bytes, ...]:
        """The packed episodes after a number, oldest first; waits up to `timeout` for the first.

        It does not wait while `unless()`, which is asked again at every `wake`.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._next(after) or unless(), timeout)
            return self._next(after)

    def _next(self, after: int) -> tuple[bytes, ...]:
        # Only up to the first that is still being packed: numbers in a response have no gap.
        later = (leaving for leaving in self._leaving if leaving.number > after)
        total = 0
        found: list[bytes] = []
        for leaving in takewhile(lambda one: one.packing.done(), later):
            blob, _ = leaving.packing.result()
            total += len(blob)
            # Always at least one, or an episode above the bound would never leave.
            if found and total > _BYTES:
                break
            found.append(blob)
        return tuple(found)

    def settle(self, durable: int) -> None:
        """Forget all episodes up to a number, which are durable; repeating a call does nothing."""
        settled: list[_Leaving] = []
        with self._changed:
            while self._leaving and self._leaving[0].number <= durable:
                settled.append(self._leaving.popleft())
                _, pictures = settled[-1].packing.result()
                # Only now that they are durable: an episode that refers to a picture must never be
                # stored before it.
                self._known.update(dict.fromkeys(pictures))
            while len(self._known) > _KNOWN:
                del self._known[next(iter(self._known))]
            self._changed.notify_all()
        # Outside the lock: callbacks of the future may take as long as they like.
        for leaving in settled:
            leaving.durable.set_result(None)

    def check(self) -> None:
        """Raise the error of an episode that could not be packed, if there is one."""
        with self._changed:
            done = [leaving.packing for leaving in self._leaving if leaving.packing.done()]
        for packing in done:
            packing.result()

    def gauges(self) -> dict[str, float]:
        """How many episodes it holds, and how many collectors wait for room, and for how long."""
        with self._changed:
            return {
                "cluster/unacknowledged": float(len(self._leaving)),
                "cluster/collectors_waiting": float(self._waiting),
                "cluster/waited_seconds": self._waited,
            }

    def close(self) -> None:
        """Take no more episodes; those that were not acknowledged are given up."""
        with self._changed:
            self._closed = True
            given_up, self._leaving = self._leaving, deque()
            self._changed.notify_all()
        for leaving in given_up:
            leaving.durable.set_exception(PipelineError("the host stops"))
        # Not waited for: whoever stops a host has a deadline, and these episodes are given up.
        self._packers.shutdown(wait=False, cancel_futures=True)
