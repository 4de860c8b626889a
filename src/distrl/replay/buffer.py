"""The replay buffer: a ring of trajectories, drawn by priority, with bounded staleness.

`ReplayIndex` decides which slots are drawn and enforces the bound; a trajectory is as stale as its
oldest step. The two are apart because the index is all numbers and knows no trajectories.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from distrl.config.replay import ReplayConfig
from distrl.replay.index import Floats, Indices, ReplayIndex
from distrl.replay.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class Sampled:
    """Trajectories drawn for one update."""

    slots: Indices
    trajectories: tuple[Trajectory, ...]
    weights: npt.NDArray[np.float32]
    """Importance weights (N * P)^-b, divided by their maximum."""
    fresh: npt.NDArray[np.bool_]
    """Whether an episode may train the policy; the others train the critics only."""


class ReplayBuffer:
    """Keeps the newest `capacity` episodes."""

    def __init__(self, config: ReplayConfig, rng: np.random.Generator) -> None:
        """Start empty."""
        self.config = config
        self._index = ReplayIndex(config, rng)
        self._trajectories: list[Trajectory | None] = [None] * config.capacity

    def __len__(self) -> int:
        """Episodes held."""
        return len(self._index)

    @property
    def added(self) -> int:
        """Episodes that have ever been added."""
        return self._index.added

    @property
    def steps(self) -> int:
        """Steps held."""
        return sum(len(r) for r in self._trajectories if r is not None)

    def add(self, trajectory: Trajectory, *, priority: float | None = None) -> int:
        """Take an episode in place of the oldest; without a priority it gets the largest."""
        slot = self._index.add(trajectory.oldest_version, priority=priority)
        self._trajectories[slot] = trajectory
        return slot

    def eligible(self, version: int) -> int:
        """How many episodes may train the policy now."""
        return self._index.eligible(version)

    def sample(self, count: int, *, version: int, importance: float) -> Sampled:
        """Draw episodes for an update; `importance` is the exponent b of the weights."""
        drawn = self._index.sample(count, version=version, importance=importance)
        return Sampled(drawn.slots, self._trajectories_of(drawn.slots), drawn.weights, drawn.fresh)

    def update(self, slots: Indices, priorities: Floats, *, version: int) -> None:
        """Give episodes their new priorities."""
        self._index.update(slots, priorities, version=version)

    @property
    def held(self) -> Indices:
        """Slots that hold an episode, in their own order."""
        return self._index.held

    def look(self, slots: Indices, *, version: int) -> Sampled:
        """Episodes of certain slots, as `sample` would give them with equal weights."""
        ones, fresh = np.ones(len(slots), np.float32), self._index.fresh(slots, version=version)
        return Sampled(slots, self._trajectories_of(slots), ones, fresh)

    def _trajectories_of(self, slots: Indices) -> tuple[Trajectory, ...]:
        # Every slot that can be drawn or is held has a trajectory. `map` over a list, not a
        # comprehension with a check: this runs for every draw, and is measured in microseconds.
        return tuple(map(cast(list[Trajectory], self._trajectories).__getitem__, slots.tolist()))

    def contents(self) -> Sequence[tuple[str, float]]:
        """Ids and priorities from the oldest episode to the newest, for a checkpoint."""
        slots = self._index.oldest_first
        ids = [trajectory.id for trajectory in self._trajectories_of(slots)]
        return list(zip(ids, self._index.priorities(slots), strict=True))

    def state(self) -> dict[str, Any]:
        """All that the next draw depends on, as plain values; episodes by their ids."""
        ids = [trajectory.id for trajectory in self._trajectories_of(self.held)]
        return {**self._index.state(), "ids": ids}

    def restore(self, state: Mapping[str, Any], trajectories: Mapping[str, Trajectory]) -> None:
        """Go on from a state, with the episodes that it names; KeyError if one is missing.

        Of another capacity, it keeps what fits of the newest, and draws them in another order.
        """
        named = [trajectories[episode_id] for episode_id in state["ids"]]
        if state["capacity"] == self.config.capacity:
            for slot, trajectory in zip(state["slots"], named, strict=True):
                self._trajectories[slot] = trajectory
            self._index.restore(state, [trajectory.oldest_version for trajectory in named])
            return
        self._index.restart(state)
        rows = zip(state["slots"], named, state["priorities"], strict=True)
        for _, trajectory, priority in sorted(
            rows, key=lambda row: (row[0] - state["next"]) % state["capacity"]
        ):
            self.add(trajectory, priority=priority)
