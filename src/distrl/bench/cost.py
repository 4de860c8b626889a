"""What a step costs on this machine: to play it, to decide it, and to learn from it.

The policy that ships with the package plays training tasks alone, as a device of the virtual
engine does; then a learner trains on these episodes by the recipe of the comparisons. What is
counted is the time of the processor, so that other programs do not matter.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import TypeVar

import msgspec
import numpy as np

from distrl.collect.driver import drive
from distrl.collect.episode import Decide, OnDevice, play
from distrl.config import RunConfig, load_run_config
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_env import DeviceEnv
from distrl.errors import PipelineError
from distrl.interfaces import Policy
from distrl.learn.algorithms import make_algorithm
from distrl.learn.ingest import Ingest
from distrl.learn.learner import LearnerParts
from distrl.policies.pointer.packing import pack
from distrl.replay.buffer import ReplayBuffer
from distrl.run.builders.learner import make_learner
from distrl.run.builders.pointer import Pointer, augmentation
from distrl.run.builders.pretrained import pointer_with, read_pretrained
from distrl.run.state.provenance import this_code, this_machine
from distrl.run.virtual.cost import COST_FILE, Cost
from distrl.run.virtual.engine import Meter, Timeline, TransientStore
from distrl.tasks.referee import PhoneReferee
from distrl.tasks.suites import load_suite
from distrl.types import Episode, Task
from distrl.weights.file_channel import write_whole
from distrl.weights.memory_channel import MemoryChannel

RECIPE = "comparison"
_WARM_UPDATES = 2
"""Updates before anything is counted."""

T = TypeVar("T")


def measure_cost(*, episodes: int = 96, updates: int = 40, command: str = "") -> Cost:
    """Play so many episodes, learn so many times, and count."""
    config = load_run_config(RECIPE, [f"learner.min_episodes={min(episodes, 64)}"])
    pointer = pointer_with(config, read_pretrained("pretrained:quickstart").weights, "the package")
    tasks = load_suite(config.tasks.suite).tasks(config.tasks.split)[:episodes]
    pointer.read_ahead(task.goal for task in tasks)
    policy = pointer.policy()
    _play_all(config, policy, tasks[:8], _Stopwatch())  # what is drawn once is drawn
    watch = _Stopwatch()
    played = _play_all(config, policy, tasks, watch)
    steps = sum(len(episode.steps) for episode in played)
    learned, learn_seconds = _learn(config, pointer, played, updates)
    return Cost(
        decide_seconds=watch.deciding / steps,
        learn_seconds=learn_seconds / learned,
        play_seconds=watch.playing / steps,
        step_bytes=_mean_bytes(pointer, played),
        steps=steps,
        algorithm=config.algorithm.name,
        batch=config.learner.batch,
        command=command,
        code=this_code(),
        machine=this_machine(),
    )


def write_cost(cost: Cost, path: Path = COST_FILE) -> None:
    """Let virtual runs cost so much from now on."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(cost), indent=2) + b"\n")


def _mean_bytes(pointer: Pointer, played: list[Episode]) -> float:
    """Of the arrays that a step is unpacked to."""
    sizes = [
        sum(getattr(getattr(inputs, field.name), "nbytes", 0) for field in fields(inputs))
        for episode in played
        for step in episode.steps
        for inputs in (pointer.unpack(step.choice.inputs),)
    ]
    return fmean(sizes)


class _Stopwatch:
    """Processor time by what it was spent on."""

    def __init__(self) -> None:
        self.playing, self.deciding = 0.0, 0.0

    def answer(self, policy: Policy, wait: OnDevice | Decide) -> object:
        if isinstance(wait, OnDevice):
            found, seconds = _timed(wait.run)
            self.playing += seconds
            return found
        (choice,), seconds = _timed(partial(policy.act, (wait.situation,)))
        self.deciding += seconds
        return choice


def _timed(call: Callable[[], T]) -> tuple[T, float]:
    # Processor time: neighbours on the machine do not count.
    began = time.process_time()
    found = call()
    return found, time.process_time() - began


def _play_all(
    config: RunConfig, policy: Policy, tasks: tuple[Task, ...], watch: _Stopwatch
) -> list[Episode]:
    phone = PhoneDevice("cost", config.phone)
    env, clock = DeviceEnv(phone, PhoneReferee(phone)), Meter(Timeline())
    return [
        drive(
            play(env, task, clock=clock, episode_id=task.id, seed=task.seed),
            partial(watch.answer, policy),
        )
        for task in tasks
    ]


def _learn(
    config: RunConfig, pointer: Pointer, played: list[Episode], updates: int
) -> tuple[int, float]:
    """Steps that were learned from, and the seconds of it."""
    store = TransientStore()
    for episode in played:
        store.add_later(episode)
    buffer = ReplayBuffer(config.replay, np.random.default_rng(config.seed))
    ingest = Ingest(source=store, buffer=buffer, unpack=pointer.unpack)
    parts = LearnerParts(
        algorithm=make_algorithm(pointer.model, config.algorithm),
        ingest=ingest,
        channel=MemoryChannel(),
        clock=Meter(Timeline()),
        pack=pack,
        vary=augmentation(config, pointer.encoder),
    )
    learner = make_learner(parts, config)
    learner.begin()
    _, reading = _timed(ingest.poll)
    if not ingest.steps:
        raise PipelineError("no episode could be learned from")
    for _ in range(_WARM_UPDATES):
        learner.update()
    before, began = learner.trained_steps, time.process_time()
    for _ in range(updates):
        learner.update()
    seconds, steps = time.process_time() - began, learner.trained_steps - before
    # An episode is read once, and learned from as often as the replay ratio says.
    return steps, seconds + reading * steps / (ingest.steps * config.learner.replay_ratio)
