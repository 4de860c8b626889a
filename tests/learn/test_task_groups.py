from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.learn.tables import episode

from distrl.config.replay import ReplayConfig
from distrl.learn.task_groups import with_group_members
from distrl.replay.buffer import ReplayBuffer, Sampled
from distrl.replay.trajectory import Trajectory


def attempt(number: int, goal: str, version: int, *, demonstration: bool = False) -> Trajectory:
    made = replace(
        episode([0], [0], succeeded=True, log_mu=[-1.0]),
        goal=goal,
        oldest_version=version,
        id=f"e{number}",
    )
    return replace(made, log_mu=np.full_like(made.log_mu, np.nan)) if demonstration else made


def buffer_of(*trajectories: Trajectory) -> ReplayBuffer:
    buffer = ReplayBuffer(ReplayConfig(capacity=16, max_lag=5), np.random.default_rng(0))
    for trajectory in trajectories:
        buffer.add(trajectory)
    return buffer


def drawn(buffer: ReplayBuffer, *slots: int) -> Sampled:
    looked = buffer.look(np.array(slots, np.int64), version=9)
    return replace(looked, weights=np.linspace(0.5, 1.0, len(slots)).astype(np.float32))


def test_each_episode_brings_the_mates_that_are_nearest_to_it() -> None:
    buffer = buffer_of(
        attempt(0, "a", 1), attempt(1, "a", 9), attempt(2, "b", 9), attempt(3, "a", 8)
    )
    found = with_group_members(buffer, drawn(buffer, 1, 2), 2, version=9)
    assert found.slots.tolist() == [1, 3, 2]
    assert [trajectory.goal for trajectory in found.trajectories] == ["a", "a", "b"]
    assert found.weights.tolist() == [0.5, 0.5, 1.0]


def test_mates_that_are_too_old_are_known_to_be() -> None:
    buffer = buffer_of(attempt(0, "a", 1), attempt(1, "a", 9))
    found = with_group_members(buffer, drawn(buffer, 1), 4, version=9)
    assert found.slots.tolist() == [1, 0]
    assert found.fresh.tolist() == [True, False]


def test_demonstrations_stay_alone() -> None:
    buffer = buffer_of(attempt(0, "a", 9, demonstration=True), attempt(1, "a", 9))
    found = with_group_members(buffer, drawn(buffer, 0, 1), 2, version=9)
    assert found.slots.tolist() == [0, 1]
