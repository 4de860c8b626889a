"""A trained language model as a plain folder: the adapter becomes part of the weights."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import torch

from distrl.clock import RealClock
from distrl.collect.lockstep import run_episodes
from distrl.config import RunConfig
from distrl.envs.worlds import env_on, world_of
from distrl.errors import ConfigError
from distrl.run.checkpoint import weights_of_run
from distrl.run.folder import RunFolder
from distrl.run.lm import Lm, build_lm
from distrl.run.parts import phone_settings
from distrl.tasks.suites import load_suite
from distrl.types import Choice, Situation

_PHONES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedFigures:
    """What was written, and how it compares with the policy itself."""

    observations: int
    same_actions: int
    """Observations on which the merged model writes the same action."""
    size_mb: float
    latency_ms: float
    """Median time of one decision on one core."""


def export_merged(policy: Path, out: Path, *, observations: int = 100) -> MergedFigures:
    """Write the model of a run as a Hugging Face folder, and compare it with the policy.

    The critics stay behind: who acts does not need them.
    """
    if observations < 3:
        raise ConfigError(f"the number of observations must be at least 3, got {observations}")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(f"{out} is there already, and is no empty folder")
    weights, path = weights_of_run(policy)
    config = RunFolder(policy).load_config()
    torch.set_num_threads(1)
    trained = build_lm(config)
    trained.take(weights, str(path))
    seen = _gather(trained, config, observations)
    merge(trained)
    out.mkdir(parents=True, exist_ok=True)
    trained.model.network.whole.save_pretrained(out)
    trained.reader.save(out)
    plain = config.policy.lm.model_copy(update={"model": str(out)})
    merged = build_lm(
        config.model_copy(update={"policy": config.policy.model_copy(update={"lm": plain})})
    )
    same, latencies = _compare(merged, seen)
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    return MergedFigures(
        observations=len(seen),
        same_actions=same,
        size_mb=size / 2**20,
        latency_ms=1000 * median(latencies),
    )


def merge(lm: Lm) -> None:
    """Add the adapter to the weights that it adapts, and take it off: training is over."""
    from peft.tuners.lora import LoraLayer

    whole: Any = lm.model.network.whole
    adapted = [(name, part) for name, part in whole.named_modules() if isinstance(part, LoraLayer)]
    for name, part in adapted:
        part.merge()
        parent, _, last = name.rpartition(".")
        setattr(whole.get_submodule(parent), last, part.get_base_layer())


class _Gathering:
    """A policy that keeps what it was shown and what it did."""

    def __init__(self, lm: Lm, most: int) -> None:
        self._policy, self._most = lm.policy(greedy=True), most
        self.seen: list[tuple[Situation, Choice]] = []

    def begin(self, seed: int) -> None:
        self._policy.begin(seed)

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        choices = self._policy.act(situations)
        self.seen += list(zip(situations, choices, strict=True))[: self._most - len(self.seen)]
        return choices


def _gather(lm: Lm, config: RunConfig, most: int) -> list[tuple[Situation, Choice]]:
    """What the policy comes to see on the training tasks, and what it does there."""
    world = world_of(config.tasks.suite, phone=phone_settings(config))
    envs = [env_on(world.make_device(f"export-{n}"))[0] for n in range(_PHONES)]
    tasks = load_suite(config.tasks.suite).tasks(config.tasks.split)
    gathering = _Gathering(lm, most)
    for start in range(0, len(tasks), _PHONES):
        for _ in run_episodes(envs, gathering, tasks[start : start + _PHONES], clock=RealClock()):
            continue
        if len(gathering.seen) >= most:
            break
    for env in envs:
        env.close()
    return gathering.seen


def _compare(lm: Lm, seen: Sequence[tuple[Situation, Choice]]) -> tuple[int, list[float]]:
    policy, same, seconds = lm.policy(greedy=True), 0, []
    for situation, choice in seen:
        began = time.perf_counter()
        (found,) = policy.act((situation,))
        seconds.append(time.perf_counter() - began)
        same += found.action == choice.action
    return same, seconds
