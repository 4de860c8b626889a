"""How far one learner goes: from one device to ten thousand, on the virtual engine.

Collectors, fleet, replay, ingest and learner are those of any run. What would only burn processor
time is stood in for: the device is a counter with the timing of the fleet's profile, the policy
decides nothing, and the algorithm returns priorities without a network. What deciding and learning
cost is in `run/virtual/cost.py`; what a step takes in memory was measured too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

import numpy as np

from distrl import actions
from distrl.bench.phone import resident_bytes
from distrl.config import load_run_config
from distrl.devices.fault_injection import TimedDevice
from distrl.envs.device_env import DeviceEnv
from distrl.interfaces import Device, Env
from distrl.learn.algorithms.a_ride import UpdateResult
from distrl.learn.ingest import Ingest
from distrl.learn.learner import Budget, Learner, LearnerParts
from distrl.policies.base import ModelPolicy
from distrl.replay.buffer import ReplayBuffer, Sampled
from distrl.replay.index import Floats
from distrl.replay.trajectory import Trajectory
from distrl.run.virtual.cost import CostModel, cost_of, measured_cost
from distrl.run.virtual.engine import (
    Meter,
    Timeline,
    TransientStore,
    VirtualEngine,
    VirtualParts,
    VirtualSettings,
)
from distrl.types import (
    Action,
    Choice,
    Kind,
    Observation,
    Outcome,
    Picture,
    Situation,
    Task,
    Verdict,
)
from distrl.weights.memory_channel import MemoryChannel

DEVICES = (1, 3, 10, 32, 100, 320, 1000, 3200, 10_000)
SECONDS = 1800.0
SHORTEST, LONGEST = 2, 9
"""Steps of an episode, every number between them equally often: 5.5 in the mean."""
SUCCESS = 0.5
SATURATED = 0.95
"""Share of the time that a learner is busy from which on it is called saturated."""
# That of the general suite.
_STEP_LIMIT = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleRow:
    """A number of devices."""

    devices: int
    episodes_per_minute: float
    steps_per_second: float
    device_utilisation: float
    learner_utilisation: float
    updates_per_second: float
    replay_ratio: float
    """Steps learned from per collected step: less than what is wanted if the learner is late."""
    arrival_lag: float
    """Versions between an episode's oldest step and the newest weights, when it arrived."""
    trained_lag: float
    """The same when it was learned from."""
    replay_steps: int
    """Steps that replay held at the end."""
    replay_mb: float
    """What they take, by the measured size of a step of the pointer."""
    process_mb: float
    """By how much this process grew, for collectors, replay and stand-ins. What rows before it
    gave back is used again without growing, so that it is the least that they took."""
    wall_seconds: float
    """How long it took here."""


def measure_scale(
    devices: Sequence[int] = DEVICES,
    *,
    seconds: float = SECONDS,
    seed: int = 0,
    cost: CostModel = CostModel.POINTER,
    told: Callable[[ScaleRow], None] = lambda _: None,
) -> list[ScaleRow]:
    """A run for each number of devices."""
    found = []
    for count in devices:
        found.append(measure_one(count, seconds=seconds, seed=seed, cost=cost))
        told(found[-1])
    return found


def measure_one(
    devices: int,
    *,
    seconds: float = SECONDS,
    seed: int = 0,
    cost: CostModel = CostModel.POINTER,
) -> ScaleRow:
    """One run of so many devices."""
    began, before = time.monotonic(), resident_bytes()
    engine, ingest = build(devices, seconds=seconds, seed=seed, cost=cost)
    run = engine.run()
    held = ingest.buffer.steps
    return ScaleRow(
        devices=devices,
        episodes_per_minute=60 * run.episodes / seconds,
        steps_per_second=run.steps / seconds,
        device_utilisation=run.device_utilisation,
        learner_utilisation=run.learner_utilisation,
        updates_per_second=run.updates / seconds,
        replay_ratio=run.trained_steps / max(1, run.steps),
        arrival_lag=run.arrival_lag,
        trained_lag=run.trained_lag,
        replay_steps=held,
        replay_mb=held * measured_cost().step_bytes / 2**20,
        process_mb=max(0, resident_bytes() - before) / 2**20,
        wall_seconds=time.monotonic() - began,
    )


def one_learner_feeds(found: Sequence[ScaleRow], wanted: float) -> int | None:
    """How many devices one learner keeps up with, from the largest fleet that it was not late for.

    `wanted` is the replay ratio; None where no row is large enough to tell.
    """
    timely = [row for row in found if 0 < row.learner_utilisation < SATURATED]
    if not timely:
        return None
    largest = max(timely, key=lambda row: row.devices)
    busy = largest.learner_utilisation * wanted / max(largest.replay_ratio, 1e-9)
    return round(largest.devices / max(busy, largest.learner_utilisation))


def summary(
    found: Sequence[ScaleRow],
    *,
    seconds: float,
    seed: int,
    cost: CostModel = CostModel.POINTER,
    made_by: Mapping[str, str],
) -> dict[str, Any]:
    """One flat object with a row per number of devices.

    `made_by` are the command, the code and the machine.
    """
    wanted = load_run_config("comparison").learner.replay_ratio
    saturated = [row.devices for row in found if row.learner_utilisation >= SATURATED]
    return {
        "one_learner_feeds": one_learner_feeds(found, wanted),
        "first_saturated": min(saturated) if saturated else None,
        "wanted_replay_ratio": wanted,
        "cost": str(cost),
        **asdict(cost_of(cost)),
        "seconds": seconds,
        "seed": seed,
        **made_by,
        "rows": [
            {name: getattr(row, name) for name in ScaleRow.__dataclass_fields__} for row in found
        ],
    }


def build(
    devices: int, *, seconds: float, seed: int = 0, cost: CostModel = CostModel.POINTER
) -> tuple[VirtualEngine, Ingest]:
    """The engine with stand-ins for what thinks and what is touched."""
    config = load_run_config("comparison", [f"seed={seed}"])
    settings = VirtualSettings(seconds=seconds, checkpoints=1, seed=seed, **asdict(cost_of(cost)))
    meter, store, channel = Meter(Timeline()), TransientStore(), MemoryChannel()
    buffer = ReplayBuffer(config.replay, np.random.default_rng(seed))
    ingest = Ingest(source=store, buffer=buffer, unpack=bytes)
    parts = LearnerParts(
        algorithm=StandInAlgorithm(seed), ingest=ingest, channel=channel, clock=meter, pack=bytes
    )
    learner = Learner(
        parts, config.learner.changed(canaries=0), budget=Budget(seconds=seconds), seed=seed
    )
    fleet = [
        TimedDevice(StandInDevice(f"device-{number}"), meter, settings.profile, seed=seed)
        for number in range(devices)
    ]
    engine = VirtualEngine(
        VirtualParts(
            meter=meter,
            devices=fleet,
            make_env=_make_env,
            tasks=StandInTasks(seed),
            policy=StandInPolicy(),
            store=store,
            channel=channel,
            learner=learner,
            ingest=ingest,
        ),
        settings,
    )
    return engine, ingest


class StandInDevice:
    """Shows nothing and does nothing; what counts is the time that is put around it."""

    kinds = frozenset(Kind)

    def __init__(self, name: str) -> None:
        """A device of that name."""
        self.id = name

    def reset(self, seed: int) -> None:
        """Nothing is left behind."""

    def observe(self) -> Observation:
        """The one screen that there is."""
        return _SCREEN

    def perform(self, action: Action) -> None:
        """Nothing happens."""

    def close(self) -> None:
        """Nothing is held."""


def _no_pixels() -> np.ndarray[Any, Any]:
    return np.zeros((1, 1, 3), np.uint8)


_SCREEN = Observation(Picture(_no_pixels), (), False, "nothing")


class StandInTasks:
    """An endless row of tasks."""

    def __init__(self, seed: int) -> None:
        """Which of them succeed follows from the seed."""
        self._rng, self._number = Random(f"{seed} tasks"), 0

    def next(self) -> Task:
        """The next one; its seed says whether it succeeds."""
        self._number += 1
        return Task(
            id=f"stand-in/{self._number}",
            goal="nothing",
            suite="stand-in",
            split="train",
            template="nothing",
            parameters={},
            seed=int(self._rng.random() < SUCCESS),
            step_limit=_STEP_LIMIT,
        )

    def report(self, task: Task, succeeded: bool) -> None:
        """Nothing follows from it."""


class StandInReferee:
    """Resets the device and says what the task's seed says."""

    def __init__(self, device: Device) -> None:
        """Watch over a device."""
        self._device = device
        self._succeeds = False

    def begin(self, task: Task) -> None:
        """Reset the device, which takes its time."""
        self._device.reset(task.seed)
        self._succeeds = bool(task.seed)

    def outcome(self, kind: Kind) -> Outcome:
        """Known beforehand."""
        if kind is not Kind.COMPLETE:
            return Outcome.STEP_LIMIT
        return Outcome.SUCCEEDED if self._succeeds else Outcome.FALSE_COMPLETE

    def verdict(self, outcome: Outcome) -> Verdict:
        """The same again."""
        return Verdict(judge="stand-in", success=outcome is Outcome.SUCCEEDED)


def _make_env(device: Device) -> Env:
    return DeviceEnv(device, StandInReferee(device))


class StandInPolicy(ModelPolicy["StandInModel"]):
    """Waits for some steps, then declares the task complete."""

    def __init__(self) -> None:
        """No weights yet."""
        super().__init__(StandInModel())

    def prepare(self, situation: Situation) -> None:
        """Nothing is seen."""
        del situation

    def pack(self, prepared: None) -> bytes:
        """Something, because steps without inputs are not learned from."""
        del prepared
        return b"-"

    def decide(self, situations: Sequence[Situation], prepared: Sequence[None]) -> list[Choice]:
        """A choice for each."""
        del prepared
        return [self._choice(situation) for situation in situations]

    def _choice(self, situation: Situation) -> Choice:
        # All steps of an episode share what is left of their seeds' last twelve bits.
        length = SHORTEST + (situation.seed >> 12) % (LONGEST - SHORTEST + 1)
        done = len(situation.history) + 1 >= length
        return Choice(
            action=actions.complete() if done else actions.wait(),
            decision=(0,),
            log_prob=-1.0,
            version=self.version,
        )


class StandInModel:
    """No weights."""

    def state_dict(self) -> dict[str, Any]:
        """None at all."""
        return {}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Nothing to load."""

    def parameters(self) -> Iterator[Any]:
        """None at all."""
        return iter(())

    def evaluate(self, inputs: Sequence[Any], decisions: Sequence[tuple[int, ...]]) -> Any:
        """Never asked: no canaries travel."""
        raise NotImplementedError

    def goal_logits(self, inputs: Sequence[Any]) -> Any:
        """Never asked: nothing is learned."""
        raise NotImplementedError


class StandInAlgorithm:
    """Learns nothing; its priorities are random."""

    def __init__(self, seed: int) -> None:
        """Priorities follow from the seed."""
        self.model = StandInModel()
        self._rng = np.random.default_rng(seed)

    def update(
        self, sampled: Sampled, pool: Sequence[Trajectory] = (), progress: float = 0.0
    ) -> UpdateResult:
        """Say that something was learned."""
        del pool, progress
        return UpdateResult(self.terms(sampled), {})

    def terms(self, sampled: Sampled) -> Floats:
        """Terms of priorities."""
        drawn: Floats = self._rng.random((len(sampled.trajectories), 3))
        return drawn

    def state_dict(self) -> dict[str, Any]:
        """Nothing."""
        return {"model": {}}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Nothing."""
