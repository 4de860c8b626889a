"""A trained policy: from the folder of its run, or one that ships with the package."""

from __future__ import annotations

from pathlib import Path

import torch

from distrl.config import RunConfig
from distrl.errors import ConfigError
from distrl.interfaces import ActingPolicy
from distrl.run.builders.pointer import Pointer
from distrl.run.builders.policy_bundle import build_acting_bundle
from distrl.run.builders.pretrained import is_pretrained, pointer_with, read_pretrained
from distrl.run.state.checkpoint import weights_of_run
from distrl.run.state.folder import RunFolder


def load_policy(
    policy: str | Path, *, greedy: bool = True, pixels: bool | None = None
) -> ActingPolicy:
    """The policy of a run's newest whole checkpoint, or the one that is called `pretrained`.

    A Path is always the folder of a run. `pixels` says whether it sees the screen; by default as
    it was trained. ConfigError when there is none, or when it is of another network than the one
    in this version of the package.
    """
    if isinstance(policy, str) and is_pretrained(policy):
        pointer, _, digest = load_pointer(policy, pixels=pixels)
        trained: ActingPolicy = pointer.policy(greedy=greedy)
    else:
        weights, path = weights_of_run(Path(policy))
        bundle = build_acting_bundle(_with_pixels(RunFolder(Path(policy)).load_config(), pixels))
        if not bundle.acts_on_gpu:
            torch.set_num_threads(1)  # passes of a small network are slower with more of them
        bundle.take(weights, str(path))
        bundle.read_ahead()
        trained, digest = bundle.policy(greedy=greedy), path.name
    trained.digest = digest
    return trained


def is_lm(policy: str | Path) -> bool:
    """Whether it is a run that trained a language model."""
    if isinstance(policy, str) and is_pretrained(policy):
        return False
    folder = RunFolder(Path(policy))
    return folder.config.is_file() and folder.load_config().policy.name == "lm"


def load_pointer(
    policy: str | Path, *, pixels: bool | None = None
) -> tuple[Pointer, RunConfig, str]:
    """The same with its model, the settings that it was trained with, and a digest."""
    if isinstance(policy, str) and is_pretrained(policy):
        shipped = read_pretrained(policy)
        weights, config = shipped.weights, RunConfig(policy=shipped.policy)
        where, digest = policy, shipped.card.sha256
    else:
        weights, path = weights_of_run(Path(policy))
        config = RunFolder(Path(policy)).load_config()
        if config.policy.name != "pointer":
            raise ConfigError(f"{policy} trained {config.policy.name}, and this needs a pointer")
        where, digest = str(path), path.name
    config = _with_pixels(config, pixels)
    pointer = pointer_with(config, weights, where)
    pointer.read_ahead()
    return pointer, config, digest


def _with_pixels(config: RunConfig, pixels: bool | None) -> RunConfig:
    if pixels is None:
        return config
    seeing = config.policy.model_copy(update={"pixels": pixels})
    return config.model_copy(update={"policy": seeing})
