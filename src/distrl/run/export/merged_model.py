"""A trained language model as a plain folder: the adapter becomes part of the weights."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import torch

from distrl.collect.evaluation.evaluate import Progress
from distrl.run.builders.lm import Lm, build_lm
from distrl.run.export.comparison_inputs import Counted, check_export, gather
from distrl.run.state.checkpoint import weights_of_run
from distrl.run.state.folder import RunFolder
from distrl.types import Choice, Situation


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedFigures:
    """What was written, and how it compares with the policy itself."""

    observations: int
    same_actions: int
    """Observations on which the merged model writes the same action."""
    size_mb: float
    latency_ms: float
    """Median time of one decision on one core."""


def export_merged(
    policy: Path, out: Path, *, observations: int = 100, progress: Progress | None = None
) -> MergedFigures:
    """Write the model of a run as a Hugging Face folder, and compare it with the policy.

    The critics stay behind: who acts does not need them.
    """
    check_export(out, observations)
    weights, path = weights_of_run(policy)
    config = RunFolder(policy).load_config()
    torch.set_num_threads(1)
    trained = build_lm(config)
    trained.take(weights, str(path))
    counted = Counted(observations, passes=2, progress=progress)
    seen = gather(trained.policy(greedy=True), config, observations, counted)
    merge(trained)
    out.mkdir(parents=True, exist_ok=True)
    trained.model.network.whole.save_pretrained(out)
    trained.prompt_encoder.save(out)
    plain = config.policy.lm.model_copy(update={"model": str(out)})
    merged = build_lm(
        config.model_copy(update={"policy": config.policy.model_copy(update={"lm": plain})})
    )
    same, latencies = _compare(merged, seen, counted)
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
    # Collected before: the modules are replaced while we go through them.
    for name, part in adapted:
        part.merge()
        parent, _, last = name.rpartition(".")
        setattr(whole.get_submodule(parent), last, part.get_base_layer())


def _compare(
    lm: Lm, seen: Sequence[tuple[Situation, Choice]], counted: Counted
) -> tuple[int, list[float]]:
    policy, same, seconds = lm.policy(greedy=True), 0, []
    for situation, choice in seen:
        began = time.perf_counter()
        (found,) = policy.act((situation,))
        seconds.append(time.perf_counter() - began)
        same += found.action == choice.action
        counted.add(1)
    return same, seconds
