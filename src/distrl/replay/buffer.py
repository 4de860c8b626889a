"""The replay buffer: a circle of episodes, drawn by priority, bounded in age.

Two sum trees stand over the same slots: one over the episodes young enough for the policy loss,
one over all of them for the critics. Age is the learner's version minus the version of an
episode's oldest step; the bound is enforced in `sample`, nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from distrl.replay.record import Record
from distrl.replay.sum_tree import SumTree

Indices = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sampled:
    """Episodes drawn for one update."""

    slots: Indices
    records: tuple[Record, ...]
    weights: npt.NDArray[np.float32]
    """Importance weights (N * P)^-b, divided by their maximum."""
    young: npt.NDArray[np.bool_]
    """Whether an episode may train the policy; the others train the critics only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaySettings:
    """How the buffer draws."""

    capacity: int = 10_000
    alpha: float = 0.5
    """How strongly priorities count; 0 draws uniformly."""
    max_lag: int = 200
    """Older episodes, in versions, train the critics only."""
    old_share: float = 0.125
    """Share of each batch drawn from all episodes instead of the young ones."""


class ReplayBuffer:
    """Keeps the newest `capacity` episodes."""

    def __init__(self, settings: ReplaySettings, rng: np.random.Generator) -> None:
        """Start empty."""
        self.settings = settings
        self._rng = rng
        self._records: list[Record | None] = [None] * settings.capacity
        self._versions = np.full(settings.capacity, -1, np.int64)
        self._raw = np.zeros(settings.capacity)
        self._young, self._all = SumTree(settings.capacity), SumTree(settings.capacity)
        self._next = 0
        self._size = 0
        self.added = 0

    def __len__(self) -> int:
        """Episodes held."""
        return self._size

    @property
    def steps(self) -> int:
        """Steps held."""
        return sum(len(r) for r in self._records if r is not None)

    def add(self, record: Record, *, priority: float | None = None) -> int:
        """Take an episode in place of the oldest; without a priority it gets the largest."""
        slot = self._next
        self._next = (slot + 1) % self.settings.capacity
        self._size = min(self.settings.capacity, self._size + 1)
        self.added += 1
        self._versions[slot] = -1  # what makes room is no longer among the largest
        self._raw[slot] = self._largest() if priority is None else priority
        self._records[slot] = record
        self._versions[slot] = record.oldest_version
        weight = self._weight(self._raw[slot])
        self._young.set(slot, weight)
        self._all.set(slot, weight)
        return slot

    def _largest(self) -> float:
        """The largest priority held; 1 before the first."""
        held = self._raw[self._versions >= 0]
        return max(1e-6, float(held.max())) if len(held) else 1.0

    def _weight(self, priority: Any) -> Any:  # one number or an array of them
        return np.power(np.maximum(priority, 1e-6), self.settings.alpha)

    def eligible(self, version: int) -> int:
        """How many episodes may train the policy now."""
        held = self._versions >= 0
        return int((held & (version - self._versions <= self.settings.max_lag)).sum())

    def sample(self, count: int, *, version: int, importance: float) -> Sampled:
        """Draw episodes for an update; `importance` is the exponent b of the weights."""
        self._retire(version)
        old = count if self._young.total <= 0 else int(count * self.settings.old_share)
        slots = np.concatenate(
            [
                self._young.sample(count - old, self._rng)
                if count > old
                else np.zeros(0, np.int64),
                self._all.sample(old, self._rng) if old else np.zeros(0, np.int64),
            ]
        )
        share = self._all.get(slots) / self._all.total
        weights = np.power(self._size * np.maximum(share, 1e-12), -importance)
        records = [self._records[slot] for slot in slots]
        assert all(r is not None for r in records)
        return Sampled(
            slots=slots,
            records=tuple(r for r in records if r is not None),
            weights=(weights / weights.max()).astype(np.float32),
            young=version - self._versions[slots] <= self.settings.max_lag,
        )

    def _retire(self, version: int) -> None:
        """Take episodes that have grown too old out of the policy's tree."""
        held = self._versions >= 0
        old = np.flatnonzero(held & (version - self._versions > self.settings.max_lag))
        stale = old[self._young.get(old) > 0]
        if len(stale):
            self._young.set_many(stale, np.zeros(len(stale)))

    def update(self, slots: Indices, priorities: Floats, *, version: int) -> None:
        """Give episodes their new priorities."""
        self._raw[slots] = priorities
        weights = self._weight(priorities)
        self._all.set_many(slots, weights)
        young = version - self._versions[slots] <= self.settings.max_lag
        self._young.set_many(slots, np.where(young, weights, 0.0))

    @property
    def held(self) -> Indices:
        """Slots that hold an episode, in their own order."""
        return np.flatnonzero(self._versions >= 0)

    def look(self, slots: Indices, *, version: int) -> Sampled:
        """Episodes of certain slots, as `sample` would give them with equal weights."""
        records = [self._records[slot] for slot in slots]
        return Sampled(
            slots=slots,
            records=tuple(r for r in records if r is not None),
            weights=np.ones(len(slots), np.float32),
            young=version - self._versions[slots] <= self.settings.max_lag,
        )

    def contents(self) -> Sequence[tuple[str, float]]:
        """Ids and priorities from the oldest episode to the newest, for a checkpoint."""
        order = [(self._next + i) % self.settings.capacity for i in range(self.settings.capacity)]
        return [
            (record.id, float(self._raw[slot]))
            for slot in order
            if (record := self._records[slot]) is not None
        ]

    def state(self) -> dict[str, Any]:
        """All that the next draw depends on, as plain values; episodes by their ids."""
        slots = self.held
        return {
            "capacity": self.settings.capacity,
            "slots": slots.tolist(),
            "ids": [record.id for record in self.look(slots, version=0).records],
            "priorities": self._raw[slots].tolist(),
            "weights": self._all.get(slots).tolist(),
            "young": self._young.get(slots).tolist(),
            "next": self._next,
            "added": self.added,
            "rng": self._rng.bit_generator.state,
        }

    def restore(self, state: Mapping[str, Any], records: Mapping[str, Record]) -> None:
        """Go on from a state, with the episodes that it names; KeyError if one is missing.

        Of another capacity, it keeps what fits of the newest, and draws them in another order.
        """
        self._rng.bit_generator.state = state["rng"]
        if state["capacity"] != self.settings.capacity:
            self._restore_newest(state, records)
            return
        slots = np.array(state["slots"], np.int64)
        for slot, episode_id in zip(state["slots"], state["ids"], strict=True):
            self._records[slot] = record = records[episode_id]
            self._versions[slot] = record.oldest_version
        self._raw[slots] = state["priorities"]
        self._all.set_many(slots, np.array(state["weights"]))
        self._young.set_many(slots, np.array(state["young"]))
        self._next, self._size, self.added = state["next"], len(slots), state["added"]

    def _restore_newest(self, state: Mapping[str, Any], records: Mapping[str, Record]) -> None:
        rows = zip(state["slots"], state["ids"], state["priorities"], strict=True)
        oldest_first = sorted(rows, key=lambda row: (row[0] - state["next"]) % state["capacity"])
        for _, episode_id, priority in oldest_first:
            self.add(records[episode_id], priority=priority)
        self.added = state["added"]
