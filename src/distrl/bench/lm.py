"""How fast a language model acts and learns on this machine, and where the time goes.

Episodes are played side by side by the recipe's policy as it was made, then the recipe's learner
learns from them and publishes as often as the recipe says. All of it happens in turns in one
process, so that a part's time is its own: the shares are of the work, whoever does it in a run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from distrl.clock import RealClock
from distrl.collect.vectorized_rollout import run_episodes
from distrl.config import RunConfig, load_run_config
from distrl.envs.device_kinds import device_factory, env_on
from distrl.errors import ConfigError, PipelineError
from distrl.learn.algorithms import make_algorithm
from distrl.learn.ingest import Ingest
from distrl.learn.learner import LearnerParts
from distrl.policies.lm.policy import LmPolicy
from distrl.replay.buffer import ReplayBuffer
from distrl.run.builders.learner import make_learner
from distrl.run.builders.lm import Lm, build_lm
from distrl.run.builders.torch_device import nearest_device
from distrl.run.inspection.critic_values import take_one_thread
from distrl.run.virtual.engine import TransientStore
from distrl.tasks.suites import load_suite
from distrl.types import Choice, Episode, Situation
from distrl.weights.file_channel import FileChannel


@dataclass(frozen=True, slots=True, kw_only=True)
class LmFigures:
    """What was measured, on one core."""

    rollout_tokens_per_second: float
    """Read and written while acting; screens that come again cost only the adapted layers."""
    update_tokens_per_second: float
    """Learned from, each time that they are."""
    share_generate: float
    """Of all the time: acting."""
    share_update: float
    share_publish: float
    share_devices: float
    """Playing what was decided, and preparing prompts."""
    prompt_tokens: float
    """Mean of a prompt."""
    action_tokens: float
    """Mean of an action."""
    known_screens: float
    """Share of the prompts that had been read before."""
    parameters: int
    """That are trained, and travel."""
    published_mb: float
    """Of one version."""
    steps: int
    updates: int
    seconds: float


class _Timed:
    """A policy whose time is taken."""

    def __init__(self, policy: LmPolicy) -> None:
        self._policy, self.seconds = policy, 0.0

    def begin(self, seed: int) -> None:
        self._policy.begin(seed)

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        prepared = [self._policy.prepare(situation) for situation in situations]
        began = time.perf_counter()
        choices = self._policy.decide(situations, prepared)
        self.seconds += time.perf_counter() - began
        return choices


class _TimedChannel(FileChannel):
    """Files, and how long it takes to write them."""

    seconds = 0.0

    def publish(
        self, weights: Mapping[str, Any], version: int, *, notes: Mapping[str, str] | None = None
    ) -> str:
        began = time.perf_counter()
        digest = super().publish(weights, version, notes=notes)
        self.seconds += time.perf_counter() - began
        return digest


def measure_lm(
    recipe: str = "smollm",
    *,
    episodes: int = 24,
    updates: int = 6,
    overrides: Sequence[str] = (),
    build: Callable[[RunConfig], Lm] = build_lm,
) -> LmFigures:
    """Play so many episodes, learn so many times, and take the time of each part."""
    config = load_run_config(recipe, [*overrides, f"learner.min_episodes={episodes}"])
    if config.policy.name != "lm":
        raise ConfigError(f"the recipe {recipe} trains {config.policy.name}, not lm")
    take_one_thread()
    lm = build(config)
    lm.place(nearest_device(config.device))
    began = time.perf_counter()
    timed, policy = _play(config, lm, episodes)
    played, acting = timed.episodes, timed.seconds
    playing = time.perf_counter() - began
    with TemporaryDirectory(prefix="distrl-") as folder:
        learned = _learn(config, lm, played, updates, Path(folder))
    total = playing + learned.seconds
    steps = sum(len(episode.steps) for episode in played)
    prompts = lm.prefix_cache.hits + lm.prefix_cache.misses
    return LmFigures(
        rollout_tokens_per_second=(policy.read + policy.written) / acting,
        update_tokens_per_second=learned.tokens / (learned.seconds - learned.publishing),
        share_generate=acting / total,
        share_update=(learned.seconds - learned.publishing) / total,
        share_publish=learned.publishing / total,
        share_devices=(playing - acting) / total,
        prompt_tokens=policy.read / steps,
        action_tokens=policy.written / steps,
        known_screens=lm.prefix_cache.hits / max(1, prompts),
        parameters=sum(weight.numel() for weight in lm.model.parameters()),
        published_mb=learned.published_mb,
        steps=steps,
        updates=updates,
        seconds=total,
    )


@dataclass(frozen=True, slots=True)
class _Played:
    episodes: list[Episode]
    seconds: float


@dataclass(frozen=True, slots=True)
class _Learned:
    tokens: int
    seconds: float
    publishing: float
    published_mb: float


def _play(config: RunConfig, lm: Lm, episodes: int) -> tuple[_Played, LmPolicy]:
    policy = lm.policy()
    timed = _Timed(policy)
    factory = device_factory(config.tasks.suite, phone=config.phone)
    devices = [factory.make_device(f"bench-{n}") for n in range(config.collect.devices)]
    envs = [env_on(device)[0] for device in devices]
    tasks = load_suite(config.tasks.suite).tasks(config.tasks.split)[:episodes]
    played = [one for _, one in run_episodes(envs, timed, tasks, clock=RealClock())]
    for env in envs:
        env.close()
    return _Played(played, timed.seconds), policy


def _learn(
    config: RunConfig, lm: Lm, played: Sequence[Episode], updates: int, folder: Path
) -> _Learned:
    store = TransientStore()
    for episode in played:
        store.add_later(episode)
    ingest = Ingest(
        source=store,
        buffer=ReplayBuffer(config.replay, np.random.default_rng(config.seed)),
        unpack=lm.unpack,
    )
    channel = _TimedChannel(folder, keep=config.learner.keep_weights)
    counting = _Counting(lm)
    parts = LearnerParts(
        algorithm=make_algorithm(lm.model, config.algorithm),
        ingest=ingest,
        channel=channel,
        clock=RealClock(),
        pack=lm.pack,
        vary=counting.vary,
    )
    learner = make_learner(parts, config)
    learner.begin()
    ingest.poll()
    if not ingest.steps:
        raise PipelineError("no episode could be learned from")
    channel.seconds, counting.tokens = 0.0, 0
    began = time.perf_counter()
    for _ in range(updates):
        learner.update()
    seconds = time.perf_counter() - began
    sizes = [path.stat().st_size for path in folder.iterdir() if path.is_file()]
    return _Learned(counting.tokens, seconds, channel.seconds, max(sizes) / 2**20)


class _Counting:
    """Counts the tokens of what is learned from, and changes nothing."""

    def __init__(self, lm: Lm) -> None:
        self._lm, self.tokens = lm, 0

    def vary(self, inputs: Sequence[Any], rng: np.random.Generator) -> Sequence[Any]:
        del rng
        self.tokens += sum(
            len(step.tokens) if step.states is None else len(step.states) for step in inputs
        )
        return inputs
