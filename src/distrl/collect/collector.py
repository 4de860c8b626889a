"""The rollout collector: lease a device, play an episode, give back, store; and once more.

          +--------------------------------------------------------------------+
          v                                                                    |
    FreeDevice --lease--> play: OnDevice <-> Decide --Episode--> give back --> store
          ^                                                 |
          +--- retry: the same device and task, at once ----+

`collect` is a state machine that yields its waits (see `driver`); a thread drives it with
`run_collector`. It waits for a free device, for its device and for the policy. It waits for the
store only when `most_pending` of its episodes are not durable yet (backpressure), and never holds
a device meanwhile. It waits for judges at its end, and while a judge that rewards is full.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, TypeAlias

from distrl.collect.batcher import Batcher
from distrl.collect.driver import drive, relay
from distrl.collect.env_wrappers import EnvWrappers, MakeEnv, wrapped_env
from distrl.collect.episode import Decide, OnDevice, play
from distrl.collect.jobs import JobSource
from distrl.collect.retry_policy import Decision, FailureLimits, decide, try_again
from distrl.devices.fleet.fleet import Fleet, Lease
from distrl.errors import PipelineError
from distrl.interfaces import Clock, EpisodeStore
from distrl.types import Choice, Episode, Outcome, Situation

_LEASE_SECONDS = 0.5
"""How long a collector waits for a device before it looks whether it should stop. Shorter would
only wake idle collectors more often; longer would delay the end of a run."""


class JudgingHook(Protocol):
    """Judges episodes on their way to the store. Any thread may call."""

    @property
    def seconds(self) -> float:
        """The longest that it keeps an episode before it stores it."""
        ...

    def hand_over(self, episode: Episode) -> Future[None] | None:
        """Take an episode over: judge, finish, store and acknowledge it.

        The future is done then. None leaves the episode to the collector.
        """
        ...


@dataclass(frozen=True, slots=True)
class FreeDevice:
    """Waits for a Lease of a device; the answer is None when none became free in time."""

    timeout: float


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """Waits until the store has made an episode durable."""

    future: Future[None]
    timeout: float


Wait: TypeAlias = FreeDevice | OnDevice | Decide | Acknowledged


@dataclass(frozen=True, kw_only=True)
class CollectorParts:
    """What all collectors of a run share: where devices, jobs and policies come from and go to."""

    fleet: Fleet
    jobs: JobSource
    store: EpisodeStore
    make_env: MakeEnv
    wrappers: EnvWrappers = field(default_factory=EnvWrappers)
    finish: Callable[[Episode], Episode] = lambda episode: episode
    """The last change to an episode before it is stored, such as its penalties."""
    acknowledged: Callable[[Episode], None] = lambda _: None
    """Called with every episode once it is durable, in the order of one collector's episodes."""
    takeover: Callable[[str, Situation], Choice | None] = lambda _device, _situation: None
    """A person's choice on a device that a person has taken over; None leaves it to the policy."""
    may_begin: Callable[[float], bool] = lambda _: True
    """Waits up to so many seconds until an episode may begin; False if it may not (rate limiter).
    Asked by whoever leases devices."""
    judging: JudgingHook | None = None
    """Whoever judges episodes before they are stored."""
    clock: Clock
    limits: FailureLimits = field(default_factory=FailureLimits)
    most_pending: int = 4
    """Episodes of one collector that may wait for the store at the same time (backpressure): some,
    so that a slow commit costs no device time; few, so that a crash loses little."""
    store_seconds: float = 60.0
    """How long the store may take for one episode; longer is a PipelineError."""


def collect(parts: CollectorParts, stopping: Callable[[], bool]) -> Generator[Wait, Any, None]:
    """Play episodes until there are enough or it is time to stop.

    The driver may close the machine at any wait: the device goes back, the running episode is
    dropped, and what was handed to the store stays there.
    """
    pending = _Pending(parts)
    job, attempt = parts.jobs.next(), 0
    lease: Lease | None = None
    try:
        while job is not None and not stopping():
            if lease is None:
                lease = yield FreeDevice(_LEASE_SECONDS)
                continue
            machine = play(
                wrapped_env(
                    lease.device,
                    parts.make_env,
                    parts.wrappers,
                    heartbeat=partial(parts.fleet.heartbeat, lease),
                ),
                job.task,
                clock=parts.clock,
                episode_id=f"{job.episode_id}.{attempt}" if attempt else job.episode_id,
                seed=job.seed,
            )
            # Between two waits of this episode, tell of earlier ones that have become durable.
            episode = yield from relay(machine, pending.tell)
            attempt += 1
            # The device goes back first: storing may wait, and nobody waits while holding a device.
            lease = _hand_back(parts, lease, episode)
            pending.add(episode)
            if not try_again(episode.outcome, attempt, parts.limits):
                job, attempt = parts.jobs.next(), 0
            yield from pending.settle(down_to=parts.most_pending)
    finally:
        if lease is not None:
            parts.fleet.give_back(lease)
    yield from pending.settle_all()


def _hand_back(parts: CollectorParts, lease: Lease, episode: Episode) -> Lease | None:
    """Give the device back, or keep it for a retry; returns the lease if it is kept."""
    lost = episode.outcome is Outcome.DEVICE_LOST
    losses = parts.fleet.record_episode(lease, lost=lost, fault=episode.fault)
    again = decide(episode.outcome, losses, parts.limits) is Decision.RETRY
    if again and parts.fleet.heartbeat(lease):
        return lease
    parts.fleet.give_back(lease)
    return None


class _Pending:
    """Episodes of one collector that are not known to be durable yet, oldest first."""

    def __init__(self, parts: CollectorParts) -> None:
        self._parts = parts
        self._episodes: deque[tuple[Episode, Future[None]]] = deque()
        self._judged: list[Future[None]] = []

    def add(self, episode: Episode) -> None:
        """Hand an episode to the judge, which stores and acknowledges it, or to the store."""
        judging = self._parts.judging
        judged = None if judging is None else judging.hand_over(episode)
        if judged is not None:
            self._judged.append(judged)
            return
        finished = self._parts.finish(episode)
        self._episodes.append((finished, self._parts.store.add_later(finished)))

    def tell(self) -> None:
        """Acknowledge those that are durable; raise the error of one that could not be stored."""
        for future in [future for future in self._judged if future.done()]:
            self._judged.remove(future)
            future.result(0)
        while self._episodes and self._episodes[0][1].done():
            episode, future = self._episodes.popleft()
            future.result(0)
            self._parts.acknowledged(episode)

    def settle(self, *, down_to: int) -> Generator[Wait, Any, None]:
        """Wait for the oldest while more than `down_to` are left."""
        self.tell()
        while len(self._episodes) > down_to:
            yield Acknowledged(self._episodes[0][1], self._parts.store_seconds)
            self.tell()

    def settle_all(self) -> Generator[Wait, Any, None]:
        """Wait for all of them."""
        yield from self.settle(down_to=0)
        while self._judged and self._parts.judging is not None:
            seconds = self._parts.judging.seconds + self._parts.store_seconds
            yield Acknowledged(self._judged[0], seconds)
            self.tell()


class DeviceTime:
    """Total time that devices spent inside calls. Any thread may count."""

    def __init__(self, clock: Clock) -> None:
        """Start at 0."""
        self._clock = clock
        self._lock = threading.Lock()
        self._total = 0.0
        self._since: dict[int, float] = {}

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Count the time of one call."""
        thread, start = threading.get_ident(), self._clock.now()
        with self._lock:
            self._since[thread] = start
        try:
            yield
        finally:
            with self._lock:
                del self._since[thread]
                self._total += self._clock.now() - start

    def seconds(self) -> float:
        """Up to now, with the calls that are still going on."""
        now = self._clock.now()
        with self._lock:
            return self._total + sum(now - start for start in self._since.values())


class _Stopped(Exception):  # noqa: N818 - not an error: it was asked for
    """Ends the drive of a collector. No DistrlError: it must not be sent to the machine."""


def run_collector(
    parts: CollectorParts, batcher: Batcher, device_time: DeviceTime, stopping: threading.Event
) -> None:
    """Drive a collector in this thread until it ends, or leave its episode when it should stop."""

    def answer(wait: Wait) -> object:
        if isinstance(wait, Acknowledged):
            _wait_for_store(wait)
            return None
        if stopping.is_set():
            raise _Stopped
        match wait:
            case OnDevice():
                with device_time.inside():
                    return wait.run()
            case Decide():
                by_hand = parts.takeover(wait.device, wait.situation)
                if by_hand is not None:
                    return by_hand
                (choice,) = batcher.act((wait.situation,))
                return choice
            case FreeDevice():
                return _lease(parts, wait.timeout)

    with batcher.slot(), suppress(_Stopped):
        try:
            drive(collect(parts, stopping.is_set), answer)
        except PipelineError:
            # Whoever stops the run closes the batcher too: waiting for it then is no error.
            if not stopping.is_set():
                raise


def _lease(parts: CollectorParts, timeout: float) -> Lease | None:
    """A free device for a new episode; None when there was none in time, or none may begin."""
    return parts.fleet.lease(timeout=timeout) if parts.may_begin(timeout) else None


def _wait_for_store(wait: Acknowledged) -> None:
    try:
        wait.future.result(timeout=wait.timeout)
    except FutureTimeout:
        raise PipelineError(f"the store took longer than {wait.timeout:g} s") from None
