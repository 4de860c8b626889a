"""A sum tree in one numpy array: sampling by priority for many draws at a time.

Writing a priority touches one leaf; sums above it are brought up to date before the next sample,
all dirty paths of a level at once. Adding one by one therefore costs an array write.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]


class SumTree:
    """Non-negative weights by slot; slots of weight 0 are never drawn."""

    def __init__(self, slots: int) -> None:
        """All weights start at 0."""
        if slots < 1:
            raise ValueError(f"a sum tree needs at least one slot, got {slots}")
        self.slots = slots
        self._leaves = 1 << (slots - 1).bit_length()
        self._nodes: Floats = np.zeros(2 * self._leaves, np.float64)
        self._dirty: list[int | Indices] = []

    def set(self, slot: int, weight: float) -> None:
        """Give one slot a weight."""
        self._nodes[self._leaves + slot] = weight
        self._dirty.append(int(slot))

    def set_many(self, slots: Indices, weights: Floats) -> None:
        """Give many slots their weights; the last one wins where a slot is named twice."""
        self._nodes[self._leaves + slots] = weights
        self._dirty.append(np.asarray(slots, np.int64))

    def get(self, slots: Indices) -> Floats:
        """Weights of slots."""
        weights: Floats = self._nodes[self._leaves + slots]
        return weights

    @property
    def total(self) -> float:
        """Sum of all weights."""
        self._refresh()
        return float(self._nodes[1])

    @property
    def largest(self) -> float:
        """The largest weight."""
        return float(self._nodes[self._leaves : self._leaves + self.slots].max())

    def sample(self, count: int, rng: np.random.Generator) -> Indices:
        """Draw slots with probability weight / total: one from each of `count` equal strata."""
        total = self.total
        if total <= 0:
            raise ValueError("nothing to sample: all weights are 0")
        points = (np.arange(count) + rng.random(count)) * (total / count)
        return self.locate(points)

    def locate(self, points: Floats) -> Indices:
        """The slots whose running sums cover the points."""
        self._refresh()
        nodes = np.ones(len(points), np.int64)
        left = points.astype(np.float64).copy()
        while nodes[0] < self._leaves:
            nodes <<= 1
            weight = self._nodes[nodes]
            # A right child of weight 0 must not be entered through rounding at the upper end.
            right = (left >= weight) & (self._nodes[nodes + 1] > 0)
            left -= np.where(right, weight, 0.0)
            nodes += right
        return nodes - self._leaves

    def _refresh(self) -> None:
        if not self._dirty:
            return
        single = [d for d in self._dirty if isinstance(d, int)]
        many = [d for d in self._dirty if not isinstance(d, int)]
        touched = np.concatenate([np.array(single, np.int64), *many])
        self._dirty.clear()
        nodes = np.unique((touched + self._leaves) >> 1)
        while nodes[0] >= 1:
            self._nodes[nodes] = self._nodes[2 * nodes] + self._nodes[2 * nodes + 1]
            if nodes[0] == 1:
                break
            nodes = np.unique(nodes >> 1)
