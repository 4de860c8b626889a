"""How fast the same fleet collects, in real time, by who waits for whom.

    async         every device goes on by itself
    sync          every device plays its share of a round, and all wait for the slowest
    sync_pooled   the same number of episodes in a round, and any free device takes the next
    vector_env    Gymnasium's AsyncVectorEnv: all wait for the slowest device at every step

The devices are embedded phones with the times of a FleetProfile, compressed by a `time_scale`: far
enough to be done in minutes, not so far that the processor would be what one waits for. The policy
is the one that comes with the package, and nobody learns. What is compared is the number of steps
in the same device time; rounds are measured whole.

Phones that hang or die are part of the profile; the vector environment gets a profile without them,
for it ends with the first environment that fails.
"""

from __future__ import annotations

import math
import os
import resource
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AsyncVectorEnv
from gymnasium.vector.utils import concatenate, create_empty_array

from distrl.actions import words_touched
from distrl.bench.phone import resident_bytes
from distrl.clock import RealClock
from distrl.collect.batcher import Batcher
from distrl.collect.collector import CollectorParts, DeviceTime, run_collector
from distrl.collect.jobs import SampledJobs
from distrl.config import RunConfig, load_run_config
from distrl.config.devices import PhoneConfig
from distrl.devices.fault_injection import FleetProfile, TimedDevice
from distrl.devices.fleet.fleet import Fleet
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_env import DeviceEnv
from distrl.envs.gymnasium_env import SuiteEnv, encode_action
from distrl.errors import PipelineError
from distrl.interfaces import Policy
from distrl.run.builders.pointer import Pointer, build_pointer
from distrl.run.builders.pretrained import read_pretrained
from distrl.run.train import threads_in_turn
from distrl.run.virtual.engine import ALWAYS_BOOTS, Mode, TransientStore, VirtualSettings
from distrl.run.virtual.phones import build_virtual, timed_env
from distrl.tasks.sampling import TaskSampler
from distrl.tasks.suites import load_suite
from distrl.types import Action, Observation, Picture, Situation, Task, step_seed
from distrl.weights.memory_channel import MemoryChannel
from distrl.weights.newest_weights import NewestWeights

VECTOR_ENV = "vector_env"
SHARE = VirtualSettings(seconds=1.0).share
"""Episodes of a device in a round."""
_DECISIONS = 60.0
"""Decisions per second that 32 busy devices ask for: a quarter of what two cores can give."""
_STOP_SECONDS = 60.0
_LONG = 100.0
"""Times the measured time that as many rounds never take."""
# More episodes than any run collects: the learner waits for them, and costs nothing.
_NOBODY_LEARNS = 1_000_000_000
_NO_FAULTS = {"hang_rate": 0.0, "crash_rate": 0.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeFigures:
    """How one way did."""

    mode: str
    devices: int
    seconds: float
    """How long it was measured, in device time."""
    steps_per_minute: float
    """Of device time."""
    utilisation: float
    """Time inside device calls over the time of all devices."""
    speed: float
    """Seconds of device time in a second."""
    cpu_seconds: float
    """Of all cores, by this process and by those that it started, from setting up to the end."""
    rss_mb: float
    """Memory of this process and of those that it started, at the end; what they share is counted
    once."""
    virtual_steps_per_minute: float | None
    """What the virtual engine makes of the same; None for what it does not know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How long is measured, in seconds of the machine."""

    seconds: float = 60.0
    rounds: int = 3


def speed_for(devices: int, profile: FleetProfile) -> float:
    """By how much the time of so many devices may be compressed: one over their `time_scale`.

    More devices ask for more decisions, but by the root of their number: otherwise either the
    smallest fleet would take for ever or the largest one would wait for the processor.
    """
    wanted = _DECISIONS * math.sqrt(devices / 32)
    return wanted * mean_step(profile) / devices


def mean_step(profile: FleetProfile) -> float:
    """Seconds between two steps of a device that never waits, over a fleet of all speeds."""
    fast, slow = profile.fastest, profile.slowest
    quickness = 1 / fast if fast == slow else (1 / fast - 1 / slow) / math.log(slow / fast)
    return profile.step * math.exp(profile.step_spread**2 / 2) / quickness


def measure_modes(devices: int, budget: Budget, *, seed: int = 0) -> list[ModeFigures]:
    """All ways with one number of devices; the vector environment comes first.

    It forks a process per device, which is best done before there are threads.
    """
    profile = FleetProfile()
    config = load_run_config(
        "comparison", [f"collect.devices={devices}", f"seed={seed}", "init=pretrained:quickstart"]
    )
    with threads_in_turn():
        pointer = build_pointer(config)
        pointer.take(read_pretrained("pretrained:quickstart").weights, "pretrained:quickstart")
        pointer.read_ahead(task.goal for task in _tasks(config))
        found = [_vector_env(config, pointer, replace(profile, **_NO_FAULTS), budget)]
        for mode in Mode:
            measured = _RealFleet(config, pointer, profile).measure(mode, budget)
            virtual = _virtual(config, pointer, profile, measured, budget.rounds)
            found.append(replace(measured, virtual_steps_per_minute=virtual))
    return found


def ratios(figures: Sequence[ModeFigures]) -> dict[str, float]:
    """Async over each of the others, how busy it keeps devices, and what virtual time says."""
    by_mode = {one.mode: one for one in figures}
    ours = by_mode[Mode.ASYNC]
    found = {
        f"async_over_{mode}": ours.steps_per_minute / other.steps_per_minute
        for mode, other in by_mode.items()
        if mode != Mode.ASYNC
    }
    found["async_utilisation"] = ours.utilisation
    expected, base = ours.virtual_steps_per_minute, by_mode[Mode.SYNC].virtual_steps_per_minute
    if expected and base:
        found["virtual_async_over_sync"] = expected / base
    return found


def cpu_seconds() -> float:
    """Time of all cores that this process and its children that have ended took so far."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def memory_mb(others: Iterable[int | None] = ()) -> float:
    """Memory of this process and of `others`.

    Where the system does not say what they share, it is that of this process alone.
    """
    shares = [_proportional_bytes(process) for process in (os.getpid(), *others) if process]
    known = [share for share in shares if share is not None]
    return (sum(known) if len(known) == len(shares) else resident_bytes()) / 2**20


def _proportional_bytes(process: int) -> int | None:
    """Pages of a process, each divided by the number of those that have it."""
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text("utf-8")
    except OSError:
        return None
    kilobytes = [line.split()[1] for line in text.splitlines() if line.startswith("Pss:")]
    return 1024 * int(kilobytes[0]) if kilobytes else None


def _tasks(config: RunConfig) -> tuple[Task, ...]:
    return load_suite(config.tasks.suite).tasks(config.tasks.split)


def _sampler(config: RunConfig) -> TaskSampler:
    return TaskSampler(
        _tasks(config),
        Random(f"tasks {config.seed}"),
        config.curriculum,
        repeat=config.learner.group,
    )


class _RealFleet:
    """Timed phones, collectors in threads and one batcher."""

    def __init__(self, config: RunConfig, pointer: Pointer, profile: FleetProfile) -> None:
        count = config.collect.devices
        self._spent = cpu_seconds()
        self._speed = speed_for(count, profile)
        self._config, self._clock = config, RealClock()
        self._devices = [
            TimedDevice(
                PhoneDevice(f"phone-{number}", config.phone),
                self._clock,
                profile,
                seed=config.seed,
                time_scale=1 / self._speed,
            )
            for number in range(count)
        ]
        self._sampler, self._started = _sampler(config), 0
        self._time = DeviceTime(self._clock)
        self._batcher = Batcher(pointer.policy(), NewestWeights(MemoryChannel()))

    def measure(self, mode: Mode, budget: Budget) -> ModeFigures:
        stopping = threading.Event()
        batcher = threading.Thread(target=self._batcher.run, args=(stopping,), name="batcher")
        batcher.start()
        try:
            if mode is Mode.ASYNC:
                return self._collect_for(budget.seconds)
            began = self._clock.now()
            for _ in range(budget.rounds):
                self._play_round(pooled=mode is Mode.SYNC_POOLED)
            return self._figures(mode, began)
        finally:
            stopping.set()
            batcher.join(_STOP_SECONDS)

    def _figures(self, mode: Mode, began: float) -> ModeFigures:
        took, count = self._clock.now() - began, len(self._devices)
        return ModeFigures(
            mode=mode,
            devices=count,
            seconds=self._speed * took,
            steps_per_minute=60 * self._batcher.decisions / (self._speed * took),
            utilisation=self._time.seconds() / (took * count),
            speed=self._speed,
            cpu_seconds=cpu_seconds() - self._spent,
            rss_mb=memory_mb(),
            virtual_steps_per_minute=None,
        )

    def _collect_for(self, seconds: float) -> ModeFigures:
        stopping = threading.Event()
        began = self._clock.now()
        threads = self._start_collectors(self._devices, None, len(self._devices), stopping)
        stopping.wait(seconds)
        figures = self._figures(Mode.ASYNC, began)
        stopping.set()
        _join(threads)
        return figures

    def _play_round(self, *, pooled: bool) -> None:
        stopping, count = threading.Event(), len(self._devices)
        if pooled:
            threads = self._start_collectors(self._devices, SHARE * count, count, stopping)
        else:
            groups = [
                self._start_collectors([device], SHARE, 1, stopping) for device in self._devices
            ]
            threads = [thread for group in groups for thread in group]
        # A round takes as long as its slowest device: that is what is measured.
        _join(threads, seconds=math.inf)

    def _start_collectors(
        self,
        devices: Sequence[TimedDevice],
        episodes: int | None,
        collectors: int,
        stopping: threading.Event,
    ) -> list[threading.Thread]:
        """Collectors on some devices, for so many episodes or until they are stopped."""
        limit = None if episodes is None else self._started + episodes
        parts = CollectorParts(
            # No lease ends and no device is quarantined: what is compared is who waits for whom.
            fleet=Fleet(devices, clock=self._clock, lease_seconds=math.inf, limits=ALWAYS_BOOTS),
            jobs=SampledJobs(
                self._sampler,
                seed=self._config.seed,
                prefix="b",
                first=self._started,
                limit=limit,
            ),
            store=TransientStore(),
            make_env=timed_env,
            clock=self._clock,
        )
        self._started = limit or self._started
        threads = [
            threading.Thread(
                target=run_collector, args=(parts, self._batcher, self._time, stopping)
            )
            for _ in range(collectors)
        ]
        for thread in threads:
            thread.start()
        return threads


def _join(threads: Sequence[threading.Thread], seconds: float = _STOP_SECONDS) -> None:
    for thread in threads:
        thread.join(None if math.isinf(seconds) else seconds)
        if thread.is_alive():
            raise PipelineError(f"a collector did not stop within {seconds:g} s")


def _virtual(
    config: RunConfig, pointer: Pointer, profile: FleetProfile, measured: ModeFigures, rounds: int
) -> float:
    """Steps per minute of the virtual engine in the same time, or in as many whole rounds.

    At the end of a round few devices are still playing: a part of one would not compare with it.
    Nobody learns there either.
    """
    alone = config.model_copy(
        update={"learner": config.learner.model_copy(update={"min_episodes": _NOBODY_LEARNS})}
    )
    by_time = measured.mode == Mode.ASYNC
    settings = VirtualSettings(
        seconds=measured.seconds if by_time else _LONG * measured.seconds,
        rounds=None if by_time else rounds,
        mode=Mode(measured.mode),
        profile=profile,
        share=SHARE,
        decide_seconds=0.0,
        checkpoints=1,
    )
    run = build_virtual(alone, settings, pointer.copy()).run()
    return 60 * run.decisions / run.seconds


class _TimedPhoneEnv(SuiteEnv):
    """A phone with device time, which tells how long it has taken in all."""

    def __init__(
        self, number: int, config: RunConfig, profile: FleetProfile, time_scale: float
    ) -> None:
        self._number, self._seed, self._profile = number, config.seed, profile
        self._clock, self._time_scale, self._busy = RealClock(), time_scale, 0.0
        super().__init__(config.tasks.suite, config.tasks.split)

    def switch_on(self, config: PhoneConfig) -> DeviceEnv:
        phone = PhoneDevice(f"phone-{self._number}", config)
        timing = partial(TimedDevice, seed=self._seed, time_scale=self._time_scale)
        return timed_env(timing(phone, self._clock, self._profile))

    def reset(self, **options: Any) -> tuple[Any, dict[str, Any]]:
        began = self._clock.now()
        seen, info = super().reset(**options)
        self._busy += self._clock.now() - began
        return seen, {**info, "busy": self._busy}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        began = self._clock.now()
        seen, reward, terminated, truncated, info = super().step(action)
        self._busy += self._clock.now() - began
        return seen, reward, terminated, truncated, {**info, "busy": self._busy}


def _vector_env(
    config: RunConfig, pointer: Pointer, profile: FleetProfile, budget: Budget
) -> ModeFigures:
    """Step all devices together for a while, as users of vector environments do."""
    count, spent = config.collect.devices, cpu_seconds()
    speed = speed_for(count, profile)
    make: list[Callable[[], gymnasium.Env[Any, Any]]] = [
        partial(_TimedPhoneEnv, number, config, profile, 1 / speed) for number in range(count)
    ]
    with closing(AsyncVectorEnv(make, shared_memory=False, context="fork")) as envs:
        clock = RealClock()
        lanes = _Lanes(count, pointer.policy())
        seen, info = envs.reset(seed=config.seed)
        lanes.look(seen, info, np.ones(count, np.bool_))
        steps = 0
        while clock.now() < budget.seconds:
            chosen = lanes.decide()
            batch = batched(envs.single_action_space, [encode_action(action) for action in chosen])
            steps += int((~lanes.over).sum())
            seen, _, terminated, truncated, info = envs.step(batch)
            lanes.note(chosen)
            lanes.look(seen, info, lanes.over)
            lanes.over = terminated | truncated
        took = clock.now()
        busy = float(np.sum(info["busy"]))
        memory = memory_mb(process.pid for process in envs.processes)
    # The processes of the devices count from here on: they have ended.
    return ModeFigures(
        mode=VECTOR_ENV,
        devices=count,
        seconds=speed * took,
        steps_per_minute=60 * steps / (speed * took),
        utilisation=busy / (took * count),
        speed=speed,
        cpu_seconds=cpu_seconds() - spent,
        rss_mb=memory,
        virtual_steps_per_minute=None,
    )


def batched(space: gymnasium.Space[Any], points: Sequence[Any]) -> Any:
    """Points of a space as the one point that a vector environment takes."""
    empty = create_empty_array(space, n=len(points))
    assert empty is not None
    return concatenate(space, points, empty)


class _Lanes:
    """What a policy has to know of every environment: it is given arrays and decides on tasks."""

    def __init__(self, count: int, policy: Policy) -> None:
        self._policy = policy
        self._seen: list[Observation] = []
        self._tasks: list[Task] = []
        self._done: list[list[tuple[Action, str]]] = [[] for _ in range(count)]
        self.over = np.zeros(count, np.bool_)
        """Whose episode has ended: their next step is a reset, whatever they are told to do."""

    def look(self, seen: Any, info: dict[str, Any], begun: Any) -> None:
        """Take over what the environments show; those that have `begun` anew forget the past."""
        self._tasks = list(info["task"])
        self._seen = [
            Observation(Picture(screen), elements, bool(keyboard), app="")
            for screen, elements, keyboard in zip(
                seen["screen"], info["elements"], seen["keyboard"], strict=True
            )
        ]
        for number in np.flatnonzero(begun):
            self._done[number] = []

    def decide(self) -> list[Action]:
        """An action for each."""
        situations = [
            Situation(
                goal=task.goal,
                observation=seen,
                history=tuple(action for action, _ in done),
                touched=tuple(words for _, words in done),
                steps_left=task.step_limit - len(done),
                seed=step_seed(task.seed, len(done)),
            )
            for task, seen, done in zip(self._tasks, self._seen, self._done, strict=True)
        ]
        return [choice.action for choice in self._policy.act(situations)]

    def note(self, chosen: Sequence[Action]) -> None:
        """Remember what was done."""
        for done, action, seen in zip(self._done, chosen, self._seen, strict=True):
            done.append((action, words_touched(action, seen)))
