"""Batches of groups: episodes of the same task together, for algorithms such as GRPO.

The task sampler repeats every task several times in a row, so that replay holds rollouts of it by
policies of about the same version. A batch is sampled as usual, then each episode is joined by
other members of its group.
"""

from __future__ import annotations

import numpy as np

from distrl.replay.buffer import ReplayBuffer, Sampled
from distrl.replay.index import Indices
from distrl.replay.trajectory import Trajectory


def with_group_members(buffer: ReplayBuffer, drawn: Sampled, size: int, *, version: int) -> Sampled:
    """The drawn episodes, each followed by up to `size - 1` others with the same goal.

    Members get the importance weight of the drawn episode that they join. Demonstrations get no
    members and join no group.
    """
    held = buffer.held
    goals: dict[str, list[tuple[int, Trajectory]]] = {}
    for slot, trajectory in zip(held, buffer.look(held, version=version).trajectories, strict=True):
        if _has_behaviour_policy(trajectory):
            goals.setdefault(trajectory.goal, []).append((int(slot), trajectory))
    slots: list[int] = []
    weights: list[float] = []
    for slot, trajectory, weight in zip(
        drawn.slots, drawn.trajectories, drawn.weights, strict=True
    ):
        group = [int(slot), *_other_members(int(slot), trajectory, goals, size - 1)]
        slots += group
        weights += [float(weight)] * len(group)
    chosen: Indices = np.array(slots, np.int64)
    found = buffer.look(chosen, version=version)
    return Sampled(chosen, found.trajectories, np.array(weights, np.float32), found.fresh)


def _other_members(
    slot: int, trajectory: Trajectory, goals: dict[str, list[tuple[int, Trajectory]]], most: int
) -> list[int]:
    if not _has_behaviour_policy(trajectory):
        return []
    others = [(other, member) for other, member in goals[trajectory.goal] if other != slot]
    # A group's mean is a baseline for one policy, so the nearest versions come first; ties are
    # broken by slot, for a run to be reproducible.
    others.sort(key=lambda pair: (abs(pair[1].oldest_version - trajectory.oldest_version), pair[0]))
    return [other for other, _ in others[:most]]


def _has_behaviour_policy(trajectory: Trajectory) -> bool:
    # Demonstrations have no log mu: no policy chose their actions.
    return not bool(np.isnan(trajectory.log_mu).any())
