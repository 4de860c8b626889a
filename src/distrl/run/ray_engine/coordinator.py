"""The coordinator of all hosts: hands jobs out, takes episodes in, says which are durable.

    Jobs --> Coordinator --HostRequest--> host[N]
    store <-- Coordinator <--HostResponse-- host[N]

    Coordinator   waits for the store only when that is too far behind; no host waits for another
    done          when every job was played and is durable; a lost host's jobs go to others

Backpressure: no host is given more jobs while the learner has more than `most_unread` stored
episodes left to read. Hosts then run dry, instead of collecting what is stale when it is learned.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Protocol

from distrl.collect.collector import Job, Jobs
from distrl.errors import StoreError
from distrl.monitor.reductions import add_counters, combine
from distrl.replay.store.packing import PACKED, PackedEpisode, check_packed
from distrl.run.ray_engine.protocol import HostRequest, HostResponse
from distrl.types import Episode

_SILENT_SECONDS = 2.0
"""A host answers several times a second; one that has not for so long is shown as silent."""


class BadResponse(StoreError):  # noqa: N818 - the name says what happened
    """What a host sent is not what it should be: the host is to blame, and not the store."""


class PackedStore(Protocol):
    """Where episodes go."""

    def add_packed_later(self, packed: PackedEpisode) -> Future[None]:
        """Return soon; the future is done when the episode is durable."""
        ...


@dataclass(slots=True)
class _Host:
    """What is known of one host."""

    after: int = 0
    durable: int = 0
    wanted: int = 0
    jobs: dict[str, Job] = field(default_factory=dict)
    """Given to it and not played yet, by the episode's id."""
    untold: tuple[Job, ...] = ()
    """Those among them that it may not have heard of."""
    storing: deque[tuple[Episode, Future[None]]] = field(default_factory=deque)
    gauges: Mapping[str, float] = field(default_factory=dict)
    heard: float = field(default_factory=time.monotonic)
    """When it answered last."""


class Coordinator:
    """Keeps the books of all hosts. Any thread may call; one thread per host does."""

    def __init__(
        self,
        store: PackedStore,
        jobs: Jobs,
        *,
        acknowledged: Callable[[Episode], None],
        unread: Callable[[], int] = lambda: 0,
        most_unread: int = 2000,
    ) -> None:
        """`acknowledged` is told of every episode once; `unread` is what the learner has left."""
        self._store, self._jobs, self._acknowledged = store, jobs, acknowledged
        self._unread, self._most_unread = unread, most_unread
        self._lock = threading.RLock()
        self._hosts: dict[str, _Host] = {}
        self._again: deque[Job] = deque()
        self._all_given = False
        self._left: Mapping[str, float] = {}
        """Counters of the hosts that have left."""
        self._held_back = 0
        self.lost_hosts = self.lost_jobs = 0

    def join(self, name: str) -> None:
        """A host is there."""
        with self._lock:
            if name in self._hosts:
                raise ValueError(f"there is a host {name!r} already")
            self._hosts[name] = _Host()

    def leave(self, name: str, *, lost: bool = True) -> None:
        """A host is gone: what it was playing is given to others, under the same names."""
        self.settle(name)
        with self._lock:
            host = self._hosts.pop(name)
            self._again.extend(host.jobs.values())
            if lost:
                self.lost_hosts += 1
                self.lost_jobs += len(host.jobs)
            self._left = add_counters(self._left, host.gauges)
        while host.storing:  # durable or not, they are in the store's hands already
            self._note(*host.storing.popleft())

    def request(self, name: str, *, patience: float) -> HostRequest:
        """What to tell a host next; the same again if it may not have heard it."""
        self.settle(name)
        with self._lock:
            host = self._hosts[name]
            new = tuple(self._draw(host.wanted))
            host.jobs.update((job.episode_id, job) for job in new)
            host.untold += new
            host.wanted = 0
            return HostRequest(
                after=host.after, durable=host.durable, jobs=host.untold, patience=patience
            )

    def _draw(self, wanted: int) -> Iterator[Job]:
        if not wanted:
            return
        held = self._unread() > self._most_unread
        self._held_back = wanted if held else 0
        for _ in range(0 if held else wanted):
            job = self._again.popleft() if self._again else self._jobs.next()
            if job is None:
                self._all_given = True
                return
            yield job

    def take(self, name: str, response: HostResponse) -> None:
        """Hand a host's episodes to the store; BadResponse when they are not what was asked for."""
        with self._lock:
            host = self._hosts[name]
            host.untold = ()
            host.wanted = response.wanted
            host.gauges = response.gauges
            host.heard = time.monotonic()
            if response.first != host.after + 1:
                raise BadResponse(
                    f"host {name!r} sent episodes from {response.first} on, "
                    f"not from {host.after + 1}"
                )
        for blob in response.episodes:
            try:
                packed = PACKED.decode(blob)
                episode = check_packed(packed)
            except StoreError as error:
                raise BadResponse(f"host {name!r} sent what is no episode: {error}") from None
            stored = self._store.add_packed_later(packed)
            with self._lock:
                host.after += 1
                host.storing.append((episode, stored))
                host.jobs.pop(_job_of(episode.id), None)
        self.settle(name)

    def settle(self, name: str) -> None:
        """Tell of a host's episodes that have become durable; raise what went wrong with others."""
        with self._lock:
            host = self._hosts[name]
            done: list[tuple[Episode, Future[None]]] = []
            while host.storing and host.storing[0][1].done():
                done.append(host.storing.popleft())
                host.durable += 1
        for episode, stored in done:
            self._note(episode, stored)

    def _note(self, episode: Episode, stored: Future[None]) -> None:
        stored.result(timeout=60.0)
        self._acknowledged(episode)

    @property
    def hosts(self) -> tuple[str, ...]:
        """Names of those that are there."""
        with self._lock:
            return tuple(self._hosts)

    @property
    def done(self) -> bool:
        """Whether every job there is was played and is durable."""
        with self._lock:
            busy = any(host.jobs or host.storing for host in self._hosts.values())
            return self._all_given and not self._again and not busy

    def gauges(self) -> dict[str, float]:
        """Numbers of all hosts together, and how far behind anybody is."""
        with self._lock:
            # Oldest first: of a gauge whose newest value counts, the last reading is taken.
            hosts = sorted(self._hosts.values(), key=lambda host: host.heard)
            return {
                **combine([host.gauges for host in hosts], self._left),
                "cluster/hosts": float(len(self._hosts)),
                "cluster/hosts_silent": float(sum(map(_is_silent, self._hosts.values()))),
                "cluster/hosts_lost": float(self.lost_hosts),
                "cluster/jobs_lost": float(self.lost_jobs),
                "cluster/jobs_out": float(sum(len(host.jobs) for host in self._hosts.values())),
                "cluster/storing": float(sum(len(host.storing) for host in self._hosts.values())),
                "cluster/held_back": float(self._held_back),
                "cluster/unread": float(self._unread()),
            }


def _is_silent(host: _Host) -> bool:
    return time.monotonic() - host.heard > _SILENT_SECONDS


def _job_of(episode_id: str) -> str:
    """The job that an episode was an attempt at; later backoff have a number behind a dot."""
    return episode_id.partition(".")[0]
