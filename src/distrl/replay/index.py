"""Prioritised sampling over the slots of a ring, with bounded staleness.

Staleness is the learner's version minus the version of an entry. Two sum trees stand over the same
slots: one over the entries that are fresh enough for the policy loss, one over all of them for the
critics. One tree serves for both until something is too stale. The bound is enforced in `sample`:
what has become too stale since the last version leaves the policy's tree before anything is drawn,
and what arrives too stale never enters it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from distrl.config.replay import ReplayConfig
from distrl.replay.max_tree import MaxTree
from distrl.replay.staleness import is_fresh, oldest_fresh
from distrl.replay.sum_tree import SumTree

Indices = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_FLOOR = 1e-6
"""Lower priorities count as this one: with priority 0 an entry would never be drawn again, and so
never get another priority."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Slots drawn for one update."""

    slots: Indices
    weights: npt.NDArray[np.float32]
    """Importance weights (N * P)^-b, divided by their maximum."""
    fresh: npt.NDArray[np.bool_]
    """Whether an entry may train the policy; the others train the critics only."""


class ReplayIndex:
    """Slots in a circle, with priorities and versions; the newest `capacity` entries."""

    def __init__(self, config: ReplayConfig, rng: np.random.Generator) -> None:
        """Start empty."""
        self.config = config
        self._rng = rng
        self._versions = np.full(config.capacity, -1, np.int64)
        self._priorities = MaxTree(config.capacity)
        self._all = SumTree(config.capacity)
        self._fresh: SumTree | None = None
        """None as long as nothing has been too old."""
        # Below every version, and still an int64 after something is subtracted from it.
        self._oldest_allowed = -(2**62)
        """The bound as `sample` enforced it last; it only grows."""
        self._next = 0
        self._size = 0
        self.added = 0

    def __len__(self) -> int:
        """Entries held."""
        return self._size

    def add(self, version: int, *, priority: float | None = None) -> int:
        """Take the slot of the oldest entry; without a priority it gets the largest."""
        slot = self._next
        self._next = (slot + 1) % self.config.capacity
        self._size = min(self.config.capacity, self._size + 1)
        self.added += 1
        self._priorities.forget(slot)  # what makes room is no longer among the largest
        # The largest by default: every new episode is likely to be learned from at least once, and
        # only an update knows how surprising it really is.
        if priority is None:
            priority = self._largest()
        self._priorities.put(slot, priority)
        self._versions[slot] = version
        weight = max(priority, _FLOOR) ** self.config.alpha
        self._all.set(slot, weight)
        if version < self._oldest_allowed:
            self._apart().set(slot, 0.0)
        elif self._fresh is not None:
            self._fresh.set(slot, weight)
        return slot

    def _apart(self) -> SumTree:
        """The policy's own tree, from now on."""
        if self._fresh is None:
            self._fresh, held = SumTree(self.config.capacity), self.held
            self._fresh.set_many(held, self._all.get(held))
        return self._fresh

    def _largest(self) -> float:
        """The largest priority held; 1 before the first."""
        largest = self._priorities.largest
        return max(_FLOOR, largest) if largest > -np.inf else 1.0

    def eligible(self, version: int) -> int:
        """How many entries may train the policy now."""
        held = self._versions >= 0
        return int((held & self._is_fresh(self._versions, version)).sum())

    def sample(self, count: int, *, version: int, importance: float) -> Drawn:
        """Draw for an update; `importance` is the exponent b of the weights."""
        self._retire(version)
        fresh = self._fresh or self._all
        # With nothing fresh left the critics go on learning from what there is; the policy waits.
        old = count if fresh.total <= 0 else int(count * self.config.old_share)
        wanted = ((fresh, count - old), (self._all, old))
        drawn = [tree.sample(n, self._rng) for tree, n in wanted if n]
        slots = drawn[0] if len(drawn) == 1 else np.concatenate(drawn)
        return Drawn(slots, self._weights(slots, importance), self._fresh_of(slots, version))

    def _weights(self, slots: Indices, importance: float) -> npt.NDArray[np.float32]:
        weights = self._all.get(slots)
        weights /= self._all.total
        # Keeps the power finite where one weight is tiny beside the total.
        np.maximum(weights, 1e-12, out=weights)
        weights *= self._size
        np.power(weights, -importance, out=weights)
        # By the maximum, as in prioritised replay: weights only ever scale updates down.
        weights /= weights.max()
        return weights.astype(np.float32)

    def fresh(self, slots: Indices, *, version: int) -> npt.NDArray[np.bool_]:
        """Whether the entries of these slots may train the policy now."""
        return self._is_fresh(self._versions[slots], version)

    def _is_fresh(self, versions: Indices, version: int) -> npt.NDArray[np.bool_]:
        return is_fresh(versions, version=version, max_lag=self.config.max_lag)

    def _fresh_of(self, slots: Indices, version: int) -> npt.NDArray[np.bool_]:
        """The same, after `_retire`: as long as nothing has been too old, all are."""
        if self._fresh is None:
            return np.ones(len(slots), np.bool_)
        return self.fresh(slots, version=version)

    def _moves_bound(self, version: int) -> bool:
        """Whether this version allows less than the last that was drawn for."""
        return oldest_fresh(version, self.config.max_lag) > self._oldest_allowed

    def _retire(self, version: int) -> None:
        """Take entries that have grown too old out of the policy's tree."""
        if not self._moves_bound(version):
            return
        self._oldest_allowed = oldest = oldest_fresh(version, self.config.max_lag)
        # A scan over all slots, but only when the bound has moved: once per published version.
        old = np.flatnonzero((self._versions >= 0) & (self._versions < oldest))
        stale = old[(self._fresh or self._all).get(old) > 0]
        if len(stale):
            self._apart().set_many(stale, np.zeros(len(stale)))

    def update(self, slots: Indices, priorities: Floats, *, version: int) -> None:
        """Give entries their new priorities."""
        self._priorities.put_many(slots, priorities)
        weights = np.power(np.maximum(priorities, _FLOOR), self.config.alpha)
        self._all.set_many(slots, weights)
        if self._fresh is None and not self._moves_bound(version):
            return  # as long as nothing has been too old, all are fresh
        fresh = self.fresh(slots, version=version)
        if self._fresh is not None or not fresh.all():
            self._apart().set_many(slots, np.where(fresh, weights, 0.0))

    @property
    def held(self) -> Indices:
        """Slots that hold an entry, in their own order."""
        return np.flatnonzero(self._versions >= 0)

    @property
    def oldest_first(self) -> Indices:
        """Slots that hold an entry, in the order in which they were filled."""
        held = self.held
        return np.concatenate([held[held >= self._next], held[held < self._next]])

    def priorities(self, slots: Indices) -> list[float]:
        """The priorities of slots, as plain numbers."""
        numbers: list[float] = self._priorities.get(slots).tolist()
        return numbers

    def state(self) -> dict[str, Any]:
        """All that the next draw depends on but the versions, as plain values."""
        slots = self.held
        return {
            "capacity": self.config.capacity,
            "slots": slots.tolist(),
            "priorities": self.priorities(slots),
            "weights": self._all.get(slots).tolist(),
            "fresh": (self._fresh or self._all).get(slots).tolist(),
            "next": self._next,
            "added": self.added,
            "rng": self._rng.bit_generator.state,
        }

    def restore(self, state: Mapping[str, Any], versions: Sequence[int]) -> None:
        """Go on from a state of the same capacity, with the versions of its slots."""
        slots = np.array(state["slots"], np.int64)
        self._rng.bit_generator.state = state["rng"]
        self._versions[slots] = versions
        self._priorities.put_many(slots, np.array(state["priorities"]))
        self._all.set_many(slots, np.array(state["weights"]))
        if state["fresh"] != state["weights"]:
            self._apart().set_many(slots, np.array(state["fresh"]))
        self._next, self._size, self.added = state["next"], len(slots), state["added"]

    def restart(self, state: Mapping[str, Any]) -> None:
        """Go on from the random state and the count of a state; the entries are added anew."""
        self._rng.bit_generator.state = state["rng"]
        self.added = state["added"] - len(state["slots"])
