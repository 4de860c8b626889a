"""The coordinator of all hosts: hands out jobs, stores episodes, acknowledges what is durable.

    Jobs --> Coordinator --HostRequest--> host[N]
    store <-- Coordinator <--HostResponse-- host[N]

    Coordinator   waits for the store only when its queue is full; no host waits for another
    done          when every job was played and is durable; a lost host's jobs go to others

Delivery from a host is at least once, and storing an episode is idempotent, so that every episode
is stored exactly once; see `protocol`.

Backpressure: no host is given more jobs while the learner has more than `max_unread` stored
episodes left to read. Hosts then run out of jobs, instead of collecting what would be stale by the
time it is learned from.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field

from distrl.collect.jobs import Job, JobSource
from distrl.errors import StoreError
from distrl.monitor.reductions import add_counters, combine
from distrl.replay.store.packing import PACKED, PackedEpisode, check_packed
from distrl.run.ray_engine.protocol import HostRequest, HostResponse
from distrl.types import Episode

_SILENT_SECONDS = 2.0
"""A host answers several times a second; one that has not for so long is shown as silent. It is
given up much later, after cluster.host_timeout_seconds, so that a short outage loses nothing."""
_STORE_SECONDS = 60.0
"""Longest wait for an episode to become durable. A store that takes so long does not work."""


class BadResponse(StoreError):  # noqa: N818 - the name says what happened
    """A host sent what is no valid response. The host is restarted; the run goes on."""


@dataclass(slots=True)
class _Host:
    """The state of one host; episodes are numbered by the host, from 1."""

    received: int = 0
    """The number of its last episode that has arrived."""
    durable: int = 0
    """All its episodes up to this number are durable."""
    wanted: int = 0
    """Jobs that it asked for with its last response."""
    version: int = 0
    """The policy version that acted at its last response."""
    jobs: dict[str, Job] = field(default_factory=dict)
    """Jobs given to it whose episode has not arrived, by the episode's id."""
    unconfirmed: tuple[Job, ...] = ()
    """Those of `jobs` that it may not have received; they are repeated until it responds."""
    storing: deque[tuple[Episode, Future[None]]] = field(default_factory=deque)
    """Episodes that have arrived and are not known to be durable, in order."""
    gauges: Mapping[str, float] = field(default_factory=dict)
    heard: float = field(default_factory=time.monotonic)
    """When it last responded."""


class Coordinator:
    """The state of all hosts. Any thread may call; one thread per host does."""

    def __init__(
        self,
        store: Callable[[PackedEpisode], Future[None]],
        jobs: JobSource,
        *,
        acknowledged: Callable[[Episode], None],
        unread: Callable[[], int] = lambda: 0,
        max_unread: int = 2000,
        held: Callable[[], bool] = lambda: False,
    ) -> None:
        """`store` takes a packed episode in; its future is done when the episode is durable.

        `acknowledged` is called once per durable episode. `unread` says how many episodes the
        learner has left to read, `max_unread` how many it may, and `held` whether the rate limiter
        lets nobody begin an episode.
        """
        self._store, self._jobs, self._acknowledged = store, jobs, acknowledged
        self._unread, self._max_unread, self._limited = unread, max_unread, held
        # Held for bookkeeping only, never while an episode is checked, stored or acknowledged: one
        # slow host or disk would hold up the threads of all others.
        self._lock = threading.RLock()
        self._hosts: dict[str, _Host] = {}
        self._again: deque[Job] = deque()
        self._all_given = False
        self._left: Mapping[str, float] = {}
        """Counters of the hosts that have left."""
        self._held_back = 0
        self.lost_hosts = self.lost_jobs = 0

    def join(self, name: str) -> None:
        """Add a host; ValueError when one of this name has not left yet."""
        with self._lock:
            if name in self._hosts:
                raise ValueError(f"there is a host {name!r} already")
            self._hosts[name] = _Host()

    def leave(self, name: str, *, lost: bool = True) -> None:
        """Remove a host; its unfinished jobs go to others, under the same episode ids.

        With `lost`, it counts as a lost host. Waits for its episodes that the store has taken.
        """
        self.settle(name)
        with self._lock:
            host = self._hosts.pop(name)
            self._again.extend(host.jobs.values())
            if lost:
                self.lost_hosts += 1
                self.lost_jobs += len(host.jobs)
            self._left = add_counters(self._left, host.gauges)
        while host.storing:  # durable or not, they are in the store's hands already
            self._acknowledge(*host.storing.popleft())

    def request(self, name: str, *, patience: float) -> HostRequest:
        """The next request to a host. Jobs of an unanswered request are repeated in it."""
        self.settle(name)
        with self._lock:
            host = self._hosts[name]
            new = tuple(self._draw(host.wanted))
            host.jobs.update((job.episode_id, job) for job in new)
            host.unconfirmed += new
            host.wanted = 0
            return HostRequest(
                after=host.received,
                durable=host.durable,
                jobs=host.unconfirmed,
                version=host.version,
                patience=patience,
            )

    def _draw(self, wanted: int) -> Iterator[Job]:
        if not wanted:
            return
        held = self._limited() or self._unread() > self._max_unread
        self._held_back = wanted if held else 0
        for _ in range(0 if held else wanted):
            job = self._again.popleft() if self._again else self._jobs.next()
            if job is None:
                self._all_given = True
                return
            yield job

    def take(self, name: str, response: HostResponse) -> None:
        """Hand the episodes of a response to the store, and note what the host reports of itself.

        Raises BadResponse when they are not the episodes that were asked for, or no episodes.
        """
        with self._lock:
            host = self._hosts[name]
            # Any response confirms all earlier requests: requests to one host follow one another.
            host.unconfirmed = ()
            host.wanted, host.version = response.wanted, response.version
            host.gauges = response.gauges
            host.heard = time.monotonic()
            if response.first != host.received + 1:
                raise BadResponse(
                    f"host {name!r} sent episodes from {response.first} on, "
                    f"not from {host.received + 1}"
                )
        for blob in response.episodes:
            try:
                packed = PACKED.decode(blob)
                episode = check_packed(packed)
            except StoreError as error:
                raise BadResponse(f"host {name!r} sent what is no episode: {error}") from None
            stored = self._store(packed)
            with self._lock:
                host.received += 1
                host.storing.append((episode, stored))
                host.jobs.pop(_job_of(episode.id), None)
        self.settle(name)

    def settle(self, name: str) -> None:
        """Acknowledge a host's episodes that have become durable; raises what the store raised."""
        with self._lock:
            host = self._hosts[name]
            done: list[tuple[Episode, Future[None]]] = []
            # In order: `durable` says "all up to this number", so one that is early has to wait.
            while host.storing and host.storing[0][1].done():
                done.append(host.storing.popleft())
                host.durable += 1
        for episode, stored in done:
            self._acknowledge(episode, stored)

    def _acknowledge(self, episode: Episode, stored: Future[None]) -> None:
        stored.result(timeout=_STORE_SECONDS)
        self._acknowledged(episode)

    @property
    def hosts(self) -> tuple[str, ...]:
        """Names of the hosts that have joined and not left."""
        with self._lock:
            return tuple(self._hosts)

    @property
    def done(self) -> bool:
        """Whether every job was played and its episode is durable."""
        with self._lock:
            busy = any(host.jobs or host.storing for host in self._hosts.values())
            return self._all_given and not self._again and not busy

    def gauges(self) -> dict[str, float]:
        """The gauges of all hosts combined, and those of the coordinator."""
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
    """The job that an episode was an attempt at; later attempts have a number behind a dot."""
    return episode_id.partition(".")[0]
