"""A sum tree in numpy arrays: sampling by priority for many draws at a time.

    top       [0, a, a + b, ...]   running sums over the nodes below, searched by bisection
    nodes     [ , , , ]            each the running sums of its 16 children, at as many levels
    weights   w0 w1 w2 ...         as it takes for a short top

Wide nodes make few levels, and a draw is a few operations on whole arrays per level. Writing a
weight touches that weight and a mark on its node; marked nodes are summed up anew before the next
sample, all of a level at once. Adding one by one therefore costs two array writes. Every sum is a
function of the weights alone, whatever was written before: a restored tree draws the same.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

_SHIFT = 4
_WIDTH = 1 << _SHIFT
"""Children of a node: wide, so that there are few levels, each of which costs every draw."""
_LONGEST_TOP = 1024
"""Nodes that the running sum at the top covers before another level is put in between: it is made
anew after every change, so it must stay short."""


@lru_cache(maxsize=64)
def _steps(count: int) -> Floats:
    """0, 1, 2, ..."""
    steps = np.arange(count, dtype=np.float64)
    steps.setflags(write=False)
    return steps


@lru_cache(maxsize=64)
def _starts(count: int) -> Indices:
    """Where each of `count` nodes begins, one behind the other."""
    starts = np.arange(count, dtype=np.int64) << _SHIFT
    starts.setflags(write=False)
    return starts


class SumTree:
    """Non-negative weights by slot; slots of weight 0 are never drawn."""

    def __init__(self, slots: int) -> None:
        """All weights start at 0."""
        if slots < 1:
            raise ValueError(f"a sum tree needs at least one slot, got {slots}")
        self.slots = slots
        rows = [-(-slots >> _SHIFT)]
        while rows[-1] > _LONGEST_TOP:
            above = -(-rows[-1] >> _SHIFT)
            rows[-1] = above << _SHIFT
            rows.append(above)
        self._weights: Floats = np.zeros(rows[0] << _SHIFT)
        self._levels: list[Floats] = [np.zeros((count, _WIDTH)) for count in rows]
        self._totals: list[Floats] = [np.zeros(count) for count in rows]
        """The last column of each level again, in one piece."""
        self._limits: list[Floats] = [np.zeros(count) for count in rows]
        """The largest number below each total: beyond it, no child has weight."""
        self._top: Floats = np.zeros(rows[-1] + 1)
        self._marked = np.zeros(rows[0], np.bool_)
        self._first, self._last = rows[0], -1
        """All marked nodes are from here to there."""

    def set(self, slot: int, weight: float) -> None:
        """Give one slot a weight."""
        self._weights[slot] = weight
        row = slot >> _SHIFT
        self._marked[row] = True
        self._first, self._last = min(self._first, row), max(self._last, row)

    def set_many(self, slots: Indices, weights: Floats) -> None:
        """Give many slots their weights; the last one wins where a slot is named twice."""
        if not len(slots):
            return
        self._weights[slots] = weights
        rows = slots >> _SHIFT
        self._marked[rows] = True
        self._first = min(self._first, int(np.minimum.reduce(rows)))
        self._last = max(self._last, int(np.maximum.reduce(rows)))

    def get(self, slots: Indices) -> Floats:
        """Weights of slots."""
        return self._weights.take(slots)

    @property
    def total(self) -> float:
        """Sum of all weights."""
        self._refresh()
        return float(self._top[-1])

    def sample(self, count: int, rng: np.random.Generator) -> Indices:
        """Draw slots with probability weight / total: one from each of `count` equal strata."""
        total = self.total
        if total <= 0:
            raise ValueError("nothing to sample: all weights are 0")
        points = rng.random(count)
        points += _steps(count)
        points *= total / count
        return self.locate(points)

    def locate(self, points: Floats) -> Indices:
        """The slots whose running sums cover the points; beyond the last, the last with weight."""
        self._refresh()
        # Rounding may put the last point onto the total itself, which belongs to no slot.
        left = np.minimum(points, math.nextafter(float(self._top[-1]), 0.0))
        found: Indices = self._top[1:].searchsorted(left, "right")
        left -= self._top.take(found)
        for place in range(len(self._levels) - 1, -1, -1):
            sums = self._levels[place].take(found, axis=0)
            # Rounding may leave a point beyond its node, where no child has weight.
            np.minimum(left, self._limits[place].take(found), out=left)
            child = (sums > left[:, None]).argmax(axis=1)
            if place:
                before = sums.ravel().take(_starts(len(child)) + (child - 1))
                left -= np.where(child > 0, before, 0.0)
            found <<= _SHIFT
            found += child
        return found

    def _refresh(self) -> None:
        if self._last < 0:
            return
        if self._first == self._last:
            first = self._refresh_one(self._first)
        else:
            first = self._refresh_many()
        self._first, self._last = len(self._marked), -1
        changed = self._top[first:]
        changed[1:] = self._totals[-1][first:]
        changed.cumsum(out=changed)

    def _refresh_one(self, row: int) -> int:
        """Sum up one node and those above it, and return the last of them.

        It does what `_refresh_many` does, for what adding one entry leaves, without arrays of rows.
        """
        self._marked[row] = False
        below = self._weights
        for level, totals, limits in zip(self._levels, self._totals, self._limits, strict=True):
            last, sums = row, level[row]
            below[row << _SHIFT : (row + 1) << _SHIFT].cumsum(out=sums)
            totals[row] = total = float(sums[-1])
            limits[row] = math.nextafter(total, 0.0)
            below, row = totals, row >> _SHIFT
        return last

    def _refresh_many(self) -> int:
        """Sum up all marked nodes, level by level, and return the first of the last level."""
        marked = self._marked[self._first : self._last + 1]
        rows = marked.nonzero()[0] + self._first
        marked[:] = False
        below = self._weights
        levels = zip(self._levels, self._totals, self._limits, strict=True)
        for place, (level, totals, limits) in enumerate(levels):
            if place:
                rows = _parents(rows)
            nodes, first, last = below.reshape(-1, _WIDTH), int(rows[0]), int(rows[-1])
            if last - first + 1 == len(rows):  # as adding leaves them: slot after slot
                span = slice(first, last + 1)
                sums = nodes[span].cumsum(axis=1, out=level[span])
                totals[span] = sums[:, -1]
                np.nextafter(totals[span], 0.0, out=limits[span])
            else:
                sums = nodes.take(rows, axis=0).cumsum(axis=1)
                level[rows], totals[rows] = sums, sums[:, -1]
                limits[rows] = np.nextafter(sums[:, -1], 0.0)
            below = totals
        return first


def _parents(rows: Indices) -> Indices:
    """The nodes above some nodes, each once; both in their order."""
    parents = rows >> _SHIFT
    new = np.empty(len(parents), np.bool_)
    new[0] = True
    np.not_equal(parents[1:], parents[:-1], out=new[1:])
    return parents[new]
