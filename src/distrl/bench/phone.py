"""Speed and memory of the embedded phone, on one core.

The steps are those of oracle episodes on the training tasks of all suites. The oracle's actions
are recorded beforehand, outside the measured time, and then replayed through the environment: what
is measured is the phone with its resets, task set-ups and success checks, not the oracle.
Recording has made the start state of every task, and a process keeps those: a reset in here is one
of a task that comes back, as in a training run.

The screens of the first pass over the tasks paint every widget for the first time; later passes
copy most of them from the cache, as a training run does. Both speeds are reported.
"""

from __future__ import annotations

import gc
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_env import DeviceEnv
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.suites import load_suite
from distrl.types import Action, Observation, Task

PHONES = 256
"""Phones whose memory is measured."""
_SUITES = ("general", "shopping")
_SNAPSHOTS = 1000
_STEPS_INTO = 3
"""How far into an episode the phones are whose memory is measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneFigures:
    """What was measured."""

    steps_per_second: float
    """With the default screen drawn at every step, resets included."""
    steps_per_second_cold: float
    """The same on the first pass, when nothing is cached."""
    steps_per_second_blind: float
    """With actions and elements only."""
    snapshot_ms: float
    restore_ms: float
    restore_observe_ms: float
    """Restore, and build the elements of the restored screen."""
    memory_mb_256: float
    """Growth of the process for 256 phones in the middle of different episodes, each with its
    current screen, and with the caches and contents that they share."""
    episodes: int
    """Recorded episodes that were replayed."""


@dataclass(frozen=True, slots=True)
class Recording:
    """An episode of the oracle."""

    task: Task
    actions: tuple[Action, ...]


def measure_phone(seconds: float = 5.0, *, tasks: Sequence[Task] | None = None) -> PhoneFigures:
    """Measure everything; each speed for at least `seconds`, over `tasks` or all for training."""
    chosen = training_tasks() if tasks is None else tuple(tasks)
    with one_core():
        memory = memory_of_phones(chosen, PHONES)  # first, while nothing is cached yet
        recordings = record(chosen)
        cold = steps_per_second(recordings, look_at_screen, seconds=0.0)
        drawn = steps_per_second(recordings, look_at_screen, seconds=seconds)
        blind = steps_per_second(recordings, look_at_elements, seconds=seconds)
        snapshot, restore, restore_observe = state_times(recordings)
    return PhoneFigures(
        steps_per_second=drawn,
        steps_per_second_cold=cold,
        steps_per_second_blind=blind,
        snapshot_ms=1000 * snapshot,
        restore_ms=1000 * restore,
        restore_observe_ms=1000 * restore_observe,
        memory_mb_256=memory / 2**20,
        episodes=len(recordings),
    )


def training_tasks() -> tuple[Task, ...]:
    """The training tasks of two suites, so that figures of two machines and times compare."""
    return tuple(task for name in _SUITES for task in load_suite(name).tasks("train"))


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process on one core, where the system lets us."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def record(tasks: Sequence[Task]) -> tuple[Recording, ...]:
    """The oracle's actions on each task."""
    device = PhoneDevice("recorded")
    referee = PhoneReferee(device)
    env, oracle = DeviceEnv(device, referee), PhoneOracle(referee)
    recordings = []
    for task in tasks:
        env.reset(task)
        actions = []
        ended = False
        while not ended:
            actions.append(oracle.action())
            transition = env.step(actions[-1])
            ended = transition.outcome is not None
        recordings.append(Recording(task, tuple(actions)))
    return tuple(recordings)


def look_at_screen(observation: Observation) -> None:
    """Have the screen drawn, and the elements listed."""
    assert observation.screen.size and observation.elements is not None


def look_at_elements(observation: Observation) -> None:
    """Have the elements listed."""
    assert observation.elements is not None


def steps_per_second(
    recordings: Sequence[Recording], look: Callable[[Observation], None], *, seconds: float
) -> float:
    """Replay whole episodes for `seconds`, or each of them once when that takes longer."""
    device = PhoneDevice("replayed")
    env = DeviceEnv(device, PhoneReferee(device))
    steps = 0
    start = time.perf_counter()
    for played, recording in enumerate(cycle(recordings)):
        elapsed = time.perf_counter() - start
        if elapsed >= seconds and played >= (1 if seconds else len(recordings)):
            break
        look(env.reset(recording.task))
        for action in recording.actions:
            look(env.step(action).observation)
        steps += len(recording.actions)
    return steps / elapsed


def state_times(recordings: Sequence[Recording]) -> tuple[float, float, float]:
    """Mean seconds of a snapshot, of a restore, and of a restore with a look at the elements.

    Snapshots are taken in the middle of different episodes.
    """
    device = PhoneDevice("saved")
    env = DeviceEnv(device, PhoneReferee(device))
    states = []
    spent = 0.0
    for recording in recordings[:_SNAPSHOTS]:
        env.reset(recording.task)
        for action in recording.actions[: len(recording.actions) // 2]:
            env.step(action)
        start = time.perf_counter()
        states.append(device.snapshot())
        spent += time.perf_counter() - start
    start = time.perf_counter()
    for state in states:
        device.restore(state)
    restored = time.perf_counter()
    for state in states:
        device.restore(state)
        look_at_elements(device.observe())
    ended = time.perf_counter()
    count = len(states)
    return spent / count, (restored - start) / count, (ended - restored) / count


def memory_of_phones(tasks: Sequence[Task], count: int) -> int:
    """Bytes by which this process grows for phones in the middle of different episodes."""
    gc.collect()
    before = resident_bytes()
    held = []
    for number, task in zip(range(count), cycle(tasks), strict=False):
        device = PhoneDevice(f"phone-{number}")
        referee = PhoneReferee(device)
        referee.begin(task)
        oracle = PhoneOracle(referee)
        for _ in range(_STEPS_INTO):
            device.perform(oracle.action())
        observation = device.observe()
        look_at_screen(observation)
        held.append((device, referee, observation))
    gc.collect()
    return max(0, resident_bytes() - before)


def resident_bytes() -> int:
    """Memory of this process now; its peak where the system does not tell."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
