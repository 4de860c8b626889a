"""The virtual engine: a whole run under virtual time, deterministic by its seed, learning for real.

    Timeline   what happens next, and when
       |
       +-- collect() machines, the same as in threads: a device call is carried out at once, and its
       |   answer arrives when the device would have given it
       +-- Learner: what it has read when an update begins is what it learns from; the update is
       |   carried out, and its weights go out, when it would have ended
       +-- checkpoints: copies of the weights, to be evaluated off the clock

Nothing here waits. Device times come from a FleetProfile, learning costs a fixed time per step that
is learned from, and everything else is the code of a real run: environments, policy, collectors,
replay, algorithm. The modes differ in nothing but who waits for whom:

    async         every device goes on by itself; the learner learns meanwhile
    sync          every device plays its share with the same weights; all wait for the slowest; then
                  the learner learns, and the weights go out
    sync_pooled   the same number of episodes in a round, but any free device takes the next

The same settings and the same seed give the same run, bit by bit: all that is random, faults of
devices included, is drawn from the seed, and torch computes with one thread.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from threading import Event
from typing import Any

import torch
from torch import Tensor

from distrl.collect.collector import Acknowledged, CollectorParts, FreeDevice, Wait, collect
from distrl.collect.driver import START, Answer, Ended, Reply, advance, attempt
from distrl.collect.episode import Decide, OnDevice
from distrl.collect.jobs import SampledJobs, TaskSource
from distrl.collect.rate_limiter import RateLimiter
from distrl.devices.fault_injection import FleetProfile
from distrl.devices.fleet.fleet import Fleet
from distrl.devices.fleet.health import HealthLimits
from distrl.errors import ConfigError, PipelineError
from distrl.interfaces import ActingPolicy, Device, Env, WeightChannel
from distrl.learn.ingest import Ingest
from distrl.learn.learner import Learner
from distrl.run.virtual.cost import measured_cost
from distrl.types import Choice, Episode, StoredEpisode

ALWAYS_BOOTS = HealthLimits(quarantine_after=1_000_000_000)
"""Devices with device time boot again at their next reset, however often they die."""


class Mode(StrEnum):
    """Who waits for whom."""

    ASYNC = "async"
    SYNC = "sync"
    SYNC_POOLED = "sync_pooled"


@dataclass(frozen=True, slots=True, kw_only=True)
class VirtualSettings:
    """What is virtual about a run; seconds are virtual ones."""

    seconds: float = math.inf
    """How long the run lasts at most."""
    episodes: int | None = None
    """End as soon as this many episodes have arrived, if that comes first. In the sync modes the
    round that they arrive in is played to its end."""
    rounds: int | None = None
    """End after so many whole rounds, in the sync modes, if that comes first."""
    mode: Mode = Mode.ASYNC
    profile: FleetProfile = field(default_factory=FleetProfile)
    share: int = 2
    """Episodes of a device in a round, in the sync modes."""
    learn_seconds: float = field(default_factory=lambda: measured_cost().learn_seconds)
    """What a step that is learned from costs."""
    sync_speedup: float = 2.0
    """How much faster the learner is while nobody collects: it may use all cores."""
    decide_seconds: float = field(default_factory=lambda: measured_cost().decide_seconds)
    """What a decision costs."""
    checkpoints: int = 15
    """Copies of the weights, evenly spaced; the last is at the end."""
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot pass."""
        for name in ("share", "checkpoints", "rounds", "episodes"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ConfigError(f"{name} must be at least 1, got {value}")
        if self.rounds is not None and self.mode is Mode.ASYNC:
            raise ConfigError("there are no rounds in the mode async")
        if math.isinf(self.seconds) and self.episodes is None and self.rounds is None:
            raise ConfigError("a virtual run needs a budget: seconds, episodes or rounds")
        for name in ("seconds", "sync_speedup"):
            if not getattr(self, name) > 0:
                raise ConfigError(f"{name} must be above 0, got {getattr(self, name)}")
        for name in ("learn_seconds", "decide_seconds"):
            if not getattr(self, name) >= 0:
                raise ConfigError(f"{name} must be at least 0, got {getattr(self, name)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """The run at one time."""

    seconds: float
    episodes: int
    steps: int
    updates: int
    version: int
    weights: Mapping[str, Tensor]
    """What is evaluated: the ema ones where the algorithm keeps them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VirtualRun:
    """What came of it."""

    seconds: float
    """How long it lasted."""
    checkpoints: tuple[Checkpoint, ...]
    episodes: int
    """Collected, those that were lost not counted."""
    steps: int
    decisions: int
    """Of all episodes, those included that were lost or are not over."""
    lost: int
    """Episodes that ended with their device."""
    updates: int
    trained_steps: int
    device_utilisation: float
    """Time inside device calls over the time of all devices."""
    learner_utilisation: float
    arrival_lag: float
    """Versions between an episode's oldest step and the newest weights, when it arrived."""
    trained_lag: float
    """The same when it was learned from; mean over updates."""


class Timeline:
    """The event queue of a simulation: ordered by time, then by the order of planning."""

    def __init__(self) -> None:
        """Nothing is planned; time is 0."""
        self.time = 0.0
        self._planned: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Plan an event that is carried out `seconds` from now."""
        # The counter decides between equal times: first planned, first carried out, in every run.
        heapq.heappush(self._planned, (self.time + max(0.0, seconds), next(self._order), action))

    def run(self, until: Callable[[], bool], end: float) -> None:
        """Carry out events until a condition holds, none is left or the time `end` has come."""
        while self._planned and not until():
            time, _, action = self._planned[0]
            if time > end:
                self.time = end
                return
            heapq.heappop(self._planned)
            self.time = time
            action()


class Meter:
    """A clock for those who act within one moment: what they sleep is owed, not waited for."""

    def __init__(self, timeline: Timeline) -> None:
        """Owe nothing."""
        self.timeline = timeline
        self._owed = 0.0

    def now(self) -> float:
        """Virtual time, with what is owed."""
        return self.timeline.time + self._owed

    def sleep(self, seconds: float) -> None:
        """Owe so much more."""
        self._owed += max(0.0, seconds)

    def wait_until(
        self, condition: Callable[[], bool], *, timeout: float, poll: float = 0.01
    ) -> bool:
        """Look once: nothing changes within a moment."""
        del timeout, poll
        return condition()

    def settle(self) -> float:
        """What is owed since the last time."""
        owed, self._owed = self._owed, 0.0
        return owed


class TransientStore:
    """Episodes on their way to the learner, without what was seen; gone once they are read."""

    def __init__(self) -> None:
        """Start empty."""
        self._waiting: deque[tuple[int, StoredEpisode]] = deque()
        self._number = 0

    def add_later(self, episode: Episode) -> Future[None]:
        """Put an episode there; the future is already done."""
        self._number += 1
        self._waiting.append((self._number, StoredEpisode.of(episode)))
        done: Future[None] = Future()
        done.set_result(None)
        return done

    def read_after(self, number: int, limit: int) -> list[tuple[int, StoredEpisode]]:
        """The first `limit` episodes after a number; those up to it are forgotten."""
        while self._waiting and self._waiting[0][0] <= number:
            self._waiting.popleft()
        return list(itertools.islice(self._waiting, limit))


@dataclass(frozen=True, kw_only=True)
class VirtualParts:
    """What the engine drives."""

    meter: Meter
    """The clock of devices and learner."""
    devices: Sequence[Device]
    make_env: Callable[[Device], Env]
    tasks: TaskSource
    policy: ActingPolicy
    store: TransientStore
    """Where the learner's ingest reads."""
    channel: WeightChannel
    learner: Learner
    ingest: Ingest
    finish: Callable[[Episode], Episode] = lambda episode: episode
    """The last touch before an episode is stored."""
    limiter: RateLimiter | None = None
    """Holds devices back while the learner is too far behind."""


class VirtualEngine:
    """One run. Build it, `run` it once."""

    def __init__(
        self,
        parts: VirtualParts,
        settings: VirtualSettings,
        *,
        passed: Callable[[float], None] = lambda _: None,
    ) -> None:
        """`passed` is told the share of the budget that is spent.

        It is called at every checkpoint and, with a budget of episodes, for every episode.
        """
        self.settings, self._parts, self._passed = settings, parts, passed
        self._timeline, self._meter = parts.meter.timeline, parts.meter
        self._learning = False
        self._number = 0
        self._on_devices, self._learned, self._unpaid = 0.0, 0.0, 0.0
        self._call_ends: list[float] = []
        self._episodes, self._steps, self._lost = 0, 0, 0
        self._decisions = 0
        self._arrival_lags, self._trained_lags = _Mean(), _Mean()
        self._checkpoints: list[Checkpoint] = []

    @property
    def learner(self) -> Learner:
        """The learner, as the run has left it."""
        return self._parts.learner

    def run(self) -> VirtualRun:
        """Let the time pass."""
        # One thread: sums in another order, as several threads make them, end in other bits.
        torch.set_num_threads(1)
        torch.manual_seed(self.settings.seed)
        settings, parts = self.settings, self._parts
        parts.learner.begin()
        for number in range(1, settings.checkpoints):
            self._timeline.after(
                settings.seconds * number / settings.checkpoints, self._take_checkpoint
            )
        # Not by the quotient, which can come out a little later than the end.
        self._timeline.after(settings.seconds, self._take_checkpoint)
        if settings.mode is Mode.ASYNC:
            self._start(parts.devices, None, collectors=len(parts.devices))
            self._timeline.run(self._has_enough, settings.seconds)
        else:
            rounds = itertools.count() if settings.rounds is None else range(settings.rounds)
            for _ in itertools.takewhile(lambda _: not self._is_over(), rounds):
                self._round()
        # A run that ends by its episodes ends at a time for which no checkpoint was planned.
        if self._has_enough():
            self._take_checkpoint()
        took = self._timeline.time
        return VirtualRun(
            seconds=took,
            checkpoints=tuple(self._checkpoints),
            episodes=self._episodes,
            steps=self._steps,
            decisions=self._decisions,
            lost=self._lost,
            updates=parts.learner.updates,
            trained_steps=parts.learner.trained_steps,
            device_utilisation=self._on_devices_until(took) / (took * len(parts.devices)),
            learner_utilisation=self._learned / took,
            arrival_lag=self._arrival_lags.value,
            trained_lag=self._trained_lags.value,
        )

    def _on_devices_until(self, end: float) -> float:
        """Time inside device calls, without what calls that are in flight would take after `end`.

        When a budget of episodes ends the run, nobody knew the end when the calls began.
        """
        over = sum(max(0.0, min(ends, self.settings.seconds) - end) for ends in self._call_ends)
        return self._on_devices - over

    def _has_enough(self) -> bool:
        """Whether the budget of episodes is spent."""
        return self.settings.episodes is not None and self._episodes >= self.settings.episodes

    def _is_over(self) -> bool:
        return self._timeline.time >= self.settings.seconds or self._has_enough()

    def _share_done(self) -> float:
        """Share of the budget that is spent: of time or of episodes, whichever is larger."""
        settings = self.settings
        by_time = self._timeline.time / settings.seconds
        return max(by_time, self._episodes / settings.episodes if settings.episodes else 0.0)

    # Collecting

    def _round(self) -> None:
        """All play their share; when the slowest is done, the learner learns."""
        settings, devices = self.settings, self._parts.devices
        if settings.mode is Mode.SYNC:
            running = [self._start([d], settings.share, collectors=1) for d in devices]
        else:
            running = [self._start(devices, settings.share * len(devices), len(devices))]
        self._timeline.run(lambda: all(group.done for group in running), settings.seconds)
        self._parts.ingest.poll()
        while self._parts.learner.waiting_for is None and self._timeline.time < settings.seconds:
            cost = self._next_cost() / settings.sync_speedup
            ended = Event()
            self._timeline.after(cost, ended.set)
            self._timeline.run(ended.is_set, settings.seconds)
            if ended.is_set():
                self._update(cost)
        # Whatever `publish_every` says: the next round plays with what this one has taught.
        self._parts.learner.publish()

    def _start(
        self, devices: Sequence[Device], episodes: int | None, collectors: int
    ) -> _CollectorGroup:
        """Set collectors going on some devices, for so many episodes or for ever."""
        parts = self._parts
        # Leases never end: a device may be slow for longer than any lease, and nobody dies here.
        fleet = Fleet(devices, clock=self._meter, lease_seconds=float("inf"), limits=ALWAYS_BOOTS)
        limit = None if episodes is None else self._number + episodes
        jobs = SampledJobs(
            parts.tasks, seed=self.settings.seed, prefix="v", first=self._number, limit=limit
        )
        self._number = limit or self._number
        collecting = CollectorParts(
            fleet=fleet,
            jobs=jobs,
            store=parts.store,
            make_env=parts.make_env,
            finish=parts.finish,
            acknowledged=self._arrived,
            clock=self._meter,
        )
        group = _CollectorGroup(collectors)
        for _ in range(collectors):
            machine = collect(collecting, lambda: False)
            self._go_on(machine, group, fleet, lambda: START)
        return group

    def _go_on(
        self,
        machine: Generator[Wait, Any, None],
        group: _CollectorGroup,
        fleet: Fleet,
        reply: Callable[[], Reply],
    ) -> None:
        """Let a machine run up to its next wait, and plan the reply."""
        wait = advance(machine, reply())
        if isinstance(wait, Ended):
            group.left -= 1
            return
        seconds, following = self._reply_to(wait, fleet)
        self._timeline.after(seconds, partial(self._go_on, machine, group, fleet, following))

    def _reply_to(self, wait: Wait, fleet: Fleet) -> tuple[float, Callable[[], Reply]]:
        """How long a wait takes, and what gives the machine its reply at the end of that time."""
        match wait:
            case OnDevice():
                # Carried out now, told later: the device decides how long it takes.
                self._meter.settle()
                reply = attempt(wait.run)
                return self._took(), lambda: reply
            case Decide():
                # Carried out later: a decision uses the weights that are newest at its end.
                return self.settings.decide_seconds, lambda: attempt(lambda: self._decide(wait))
            case FreeDevice():
                # Asked without a timeout: nothing changes while this event is carried out.
                lease = fleet.lease(timeout=0.0) if self._may_begin() else None
                return 0.0 if lease else wait.timeout, lambda: Answer(lease)
            case Acknowledged():
                return 0.0, lambda: Answer()
        raise PipelineError(f"a collector waits for {wait!r}, which nobody here can answer")

    def _may_begin(self) -> bool:
        learner, limiter = self._parts.learner, self._parts.limiter
        if limiter is None:
            return True
        limiter.update(collected=self._parts.ingest.steps, trained=learner.trained_steps)
        return not limiter.held

    def _took(self) -> float:
        """What the last call of a device took; of the last ones, up to the end counts."""
        seconds = self._meter.settle()
        self._on_devices += min(seconds, max(0.0, self.settings.seconds - self._timeline.time))
        if self.settings.episodes is not None:
            self._call_ends.append(self._timeline.time + seconds)
        return seconds

    def _decide(self, wait: Decide) -> Choice:
        channel, policy = self._parts.channel, self._parts.policy
        newest = channel.latest()
        if newest > policy.version:
            published = channel.fetch(newest)
            policy.load(published.weights, published.version, published.digest)
        (choice,) = policy.act((wait.situation,))
        self._decisions += 1
        return choice

    def _arrived(self, episode: Episode) -> None:
        if not episode.outcome.trainable:
            self._lost += 1
            return
        self._episodes += 1
        self._steps += len(episode.steps)
        if self.settings.episodes is not None:
            self._passed(self._share_done())
        self._parts.tasks.report(episode.task, episode.succeeded)
        oldest = min(step.choice.version for step in episode.steps)
        self._arrival_lags.add(self._parts.channel.latest() - oldest)
        if self.settings.mode is Mode.ASYNC and not self._learning:
            self._learn()

    # Learning

    def _learn(self) -> None:
        """Begin an update if there is something to learn from; go on with the next at its end."""
        self._parts.ingest.poll()
        if self._parts.learner.waiting_for is not None:
            self._learning = False
            return
        self._learning = True
        cost = self._next_cost()
        self._timeline.after(cost, partial(self._end_update, cost))

    def _end_update(self, cost: float) -> None:
        self._update(cost)
        self._learn()

    def _next_cost(self) -> float:
        """What the next update is taken to cost, and what the last one cost in addition.

        How long the drawn episodes are is known only afterwards: they are taken to be as long as
        those collected so far, and the difference is paid with the next update.
        """
        ingest = self._parts.ingest
        length = ingest.steps / max(1, ingest.episodes)
        expected = self.settings.learn_seconds * length * self._parts.learner.config.batch
        return max(0.0, expected + self._unpaid)

    def _update(self, paid: float) -> None:
        learner, settings = self._parts.learner, self.settings
        before = learner.trained_steps + learner.pooled_steps
        metrics = learner.update()
        steps = learner.trained_steps + learner.pooled_steps - before
        faster = 1.0 if settings.mode is Mode.ASYNC else settings.sync_speedup
        self._unpaid += settings.learn_seconds * steps - paid * faster
        self._learned += paid
        self._trained_lags.add(metrics["lag/mean"])

    def _take_checkpoint(self) -> None:
        learner = self._parts.learner
        state = learner.algorithm.state_dict()
        weights = state.get("ema", state["model"])
        self._checkpoints.append(
            Checkpoint(
                seconds=self._timeline.time,
                episodes=self._episodes,
                steps=self._steps,
                updates=learner.updates,
                version=learner.version,
                # Copies: the learner goes on changing its weights in place.
                weights={name: tensor.detach().clone() for name, tensor in weights.items()},
            )
        )
        self._passed(self._share_done())


class _CollectorGroup:
    """Collectors that were set going together."""

    def __init__(self, collectors: int) -> None:
        self.left = collectors

    @property
    def done(self) -> bool:
        return self.left == 0


class _Mean:
    """Of numbers that come one by one; 0 before the first."""

    def __init__(self) -> None:
        self._total, self._count = 0.0, 0

    def add(self, number: float) -> None:
        self._total += number
        self._count += 1

    @property
    def value(self) -> float:
        return self._total / max(1, self._count)
