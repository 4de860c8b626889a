"""Trajectories for the tests of replay."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from distrl.replay.trajectory import Trajectory


def make_trajectory(
    name: str = "e0",
    *,
    steps: int = 2,
    version: int = 0,
    log_mu: Sequence[float] | None = None,
    penalties: Sequence[float] | None = None,
    succeeded: bool = True,
) -> Trajectory:
    """An episode of some steps, whose inputs are their own numbers."""
    rewards = np.zeros(steps, np.float32)
    rewards[-1] = succeeded
    return Trajectory(
        id=name,
        inputs=tuple(range(steps)),
        decisions=tuple((0, i, 0) for i in range(steps)),
        log_mu=np.array(log_mu if log_mu is not None else [-0.5] * steps, np.float32),
        rewards=rewards,
        penalties=np.array(penalties if penalties is not None else [0.0] * steps, np.float32),
        terminated=True,
        oldest_version=version,
        succeeded=succeeded,
        goal="Set an alarm",
        template="set_alarm",
    )
