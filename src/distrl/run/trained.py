"""A trained policy from the folder of its run."""

from __future__ import annotations

from pathlib import Path

import torch

from distrl.policies.pointer.policy import PointerPolicy
from distrl.run.checkpoint import weights_of_run
from distrl.run.folder import RunFolder
from distrl.run.pointer import build_pointer


def load_policy(
    run: str | Path, *, greedy: bool = True, pixels: bool | None = None
) -> PointerPolicy:
    """The policy of a run's newest whole checkpoint; ConfigError when there is none.

    `pixels` says whether it sees the screen; by default as it was trained.
    """
    weights, path = weights_of_run(Path(run))
    torch.set_num_threads(1)
    config = RunFolder(Path(run)).load_config()
    if pixels is not None:
        seeing = config.policy.model_copy(update={"pixels": pixels})
        config = config.model_copy(update={"policy": seeing})
    policy = build_pointer(config).policy(greedy=greedy)
    policy.load(weights, version=0, digest=path.name)
    return policy
