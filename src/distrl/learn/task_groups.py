"""Batches of groups: attempts at the same task side by side, for algorithms that compare them.

The sampler gives every task several times in a row, so that replay holds attempts that were made
with about the same weights. A batch is drawn as any other, and each episode brings its workers.
"""

from __future__ import annotations

import numpy as np

from distrl.replay.buffer import ReplayBuffer, Sampled
from distrl.replay.index import Indices
from distrl.replay.trajectory import Trajectory


def with_group_members(buffer: ReplayBuffer, drawn: Sampled, size: int, *, version: int) -> Sampled:
    """The drawn episodes, each followed by up to `size - 1` others of the same goal.

    Of many, those are taken whose weights were nearest. Mates are weighed like the one who brought
    them. Demonstrations have no workers: nobody's policy made them.
    """
    held = buffer.held
    goals: dict[str, list[tuple[int, Trajectory]]] = {}
    for slot, trajectory in zip(held, buffer.look(held, version=version).trajectories, strict=True):
        if _is_ours(trajectory):
            goals.setdefault(trajectory.goal, []).append((int(slot), trajectory))
    slots: list[int] = []
    weights: list[float] = []
    for slot, trajectory, weight in zip(
        drawn.slots, drawn.trajectories, drawn.weights, strict=True
    ):
        group = [int(slot), *_mates(int(slot), trajectory, goals, size - 1)]
        slots += group
        weights += [float(weight)] * len(group)
    chosen: Indices = np.array(slots, np.int64)
    looked = buffer.look(chosen, version=version)
    return Sampled(chosen, looked.trajectories, np.array(weights, np.float32), looked.fresh)


def _mates(
    slot: int, trajectory: Trajectory, goals: dict[str, list[tuple[int, Trajectory]]], most: int
) -> list[int]:
    if not _is_ours(trajectory):
        return []
    others = [(other, worker) for other, worker in goals[trajectory.goal] if other != slot]
    others.sort(key=lambda pair: (abs(pair[1].oldest_version - trajectory.oldest_version), pair[0]))
    return [other for other, _ in others[:most]]


def _is_ours(trajectory: Trajectory) -> bool:
    return not bool(np.isnan(trajectory.log_mu).any())
