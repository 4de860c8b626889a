"""A run of the pointer on embedded phones, for the virtual engine: the parts of a real run, wired.

config, settings --> phones with the timing of a fleet, sampler, policy, learner --> engine
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import numpy as np

from distrl.collect.judging.noisy_judge import Misjudgement, misjudge
from distrl.collect.penalties import penalise
from distrl.collect.rate_limiter import rate_limiter_of
from distrl.config import RunConfig
from distrl.devices.fault_injection import TimedDevice
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_env import DeviceEnv
from distrl.interfaces import Device, innermost
from distrl.learn.algorithms import make_algorithm
from distrl.learn.ingest import Ingest
from distrl.learn.learner import Learner, LearnerParts
from distrl.policies.pointer.packing import pack
from distrl.replay.buffer import ReplayBuffer
from distrl.replay.trajectory import Trajectory
from distrl.run.builders.learner import make_learner
from distrl.run.builders.pointer import Pointer, augmentation
from distrl.run.virtual.engine import (
    Meter,
    Timeline,
    TransientStore,
    VirtualEngine,
    VirtualParts,
    VirtualSettings,
)
from distrl.tasks.referee import PhoneReferee
from distrl.tasks.sampling import SuccessPool, TaskSampler
from distrl.tasks.suites import load_suite
from distrl.types import Episode, Task
from distrl.weights.memory_channel import MemoryChannel


def build_virtual(
    config: RunConfig,
    settings: VirtualSettings,
    pointer: Pointer,
    demonstrations: Sequence[Trajectory] = (),
    *,
    judge: Misjudgement | None = None,
    passed: Callable[[float], None] = lambda _: None,
) -> VirtualEngine:
    """The engine of a run that starts with the weights of `pointer`, which it trains.

    The run lasts as long as `settings` say, not as `config` says; its random numbers follow from
    the seed of `config`. With a `judge`, what is trained on is what that judge says.
    """
    # One seed for all that is random, so that a run is known by its settings.
    settings = replace(settings, seed=config.seed)
    meter, store, channel = Meter(Timeline()), TransientStore(), MemoryChannel()
    # A copy: the learner changes its weights in place, and who acts must see them only when they
    # are published.
    acting = pointer.copy().policy()
    ingest = _ingest(config, pointer, store)
    ingest.add_demonstrations(demonstrations)
    learner = _learner(config, settings, pointer, ingest, meter, channel)
    tasks = load_suite(config.tasks.suite).tasks(config.tasks.split)
    return VirtualEngine(
        VirtualParts(
            meter=meter,
            devices=_devices(config, settings, meter),
            make_env=timed_env,
            tasks=TaskSampler(
                tasks,
                Random(f"tasks {config.seed}"),
                config.curriculum,
                repeat=config.learner.group,
            ),
            policy=acting,
            store=store,
            channel=channel,
            learner=learner,
            ingest=ingest,
            finish=_finish(config, judge),
            limiter=rate_limiter_of(config, meter),
        ),
        settings,
        passed=passed,
    )


def _devices(config: RunConfig, settings: VirtualSettings, meter: Meter) -> list[TimedDevice]:
    phones = (
        PhoneDevice(f"phone-{number}", config.phone, config.tasks.factors)
        for number in range(config.collect.devices)
    )
    return [TimedDevice(phone, meter, settings.profile, seed=config.seed) for phone in phones]


def _ingest(config: RunConfig, pointer: Pointer, store: TransientStore) -> Ingest:
    pool: SuccessPool[Trajectory] | None = None
    if config.success_pool.enabled:
        pool = SuccessPool(config.success_pool, kind=lambda trajectory: trajectory.template)
    buffer = ReplayBuffer(config.replay, np.random.default_rng(config.seed))
    return Ingest(source=store, buffer=buffer, unpack=pointer.unpack, pool=pool)


def _learner(
    config: RunConfig,
    settings: VirtualSettings,
    pointer: Pointer,
    ingest: Ingest,
    meter: Meter,
    channel: MemoryChannel,
) -> Learner:
    minutes = None if math.isinf(settings.seconds) else settings.seconds / 60
    budget = {"minutes": minutes, "max_episodes": settings.episodes}
    parts = LearnerParts(
        algorithm=make_algorithm(pointer.model, config.algorithm),
        ingest=ingest,
        channel=channel,
        clock=meter,
        pack=pack,
        vary=augmentation(config, pointer.encoder),
    )
    return make_learner(parts, config.model_copy(update=budget))


def _finish(config: RunConfig, judge: Misjudgement | None) -> Callable[[Episode], Episode]:
    def finish(episode: Episode) -> Episode:
        judged = episode if judge is None else misjudge(episode, judge, seed=config.seed)
        return penalise(judged, config.collect.penalties)

    return finish


class BootingReferee:
    """A phone's referee for who plays on a wrapped phone: the wrapper is reset before each task.

    The referee restores states on the phone itself, which takes no time and heals nothing.
    """

    def __init__(self, device: Device, phone: PhoneDevice) -> None:
        """`phone` is inside of `device`."""
        self._device, self._referee = device, PhoneReferee(phone)
        self.outcome, self.verdict = self._referee.outcome, self._referee.verdict

    def begin(self, task: Task) -> None:
        """Reset what is played on, then set the task up."""
        self._device.reset(task.seed)
        self._referee.begin(task)


def timed_env(device: Device) -> DeviceEnv:
    """The environment on a phone with device time around it; a reset takes its time too."""
    phone = innermost(device)
    assert isinstance(phone, PhoneDevice)
    return DeviceEnv(device, BootingReferee(device, phone))
