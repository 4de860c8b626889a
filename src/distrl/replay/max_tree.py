"""The largest of many numbers that change one by one or many at a time.

It is known at once as long as a number that is known to be the largest is still there. When the
last such number has gone, maxima of blocks are brought up to date where something was written,
and the largest of them is taken.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

_SHIFT = 8
_NOTHING = -np.inf


class MaxTree:
    """Numbers by slot, and the largest of those that are held."""

    def __init__(self, slots: int) -> None:
        """Nothing is held."""
        blocks = -(-slots >> _SHIFT)
        self._numbers: Floats = np.full(blocks << _SHIFT, _NOTHING)
        self._maxima: Floats = np.full(blocks, _NOTHING)
        self._marked = np.zeros(blocks, np.bool_)
        self._largest = _NOTHING
        self._known = 0
        """How many numbers are known to be the largest, at least."""

    def get(self, slots: Indices) -> Floats:
        """The numbers of slots; -inf where nothing is held."""
        numbers: Floats = self._numbers[slots]
        return numbers

    def forget(self, slot: int) -> None:
        """Hold nothing in a slot any more."""
        self.put(slot, _NOTHING)

    def put(self, slot: int, number: float) -> None:
        """Hold a number in a slot, in place of what it held."""
        if self._numbers[slot] == self._largest:
            self._known -= 1
        self._numbers[slot] = number
        self._marked[slot >> _SHIFT] = True
        self._rise(number)

    def put_many(self, slots: Indices, numbers: Floats) -> None:
        """Hold many numbers; the last one wins where a slot is named twice."""
        if not len(slots):
            return
        # A slot may be named twice, so they cannot be counted down one by one; not known is always
        # safe.
        if (self._numbers.take(slots) == self._largest).any():
            self._known = 0
        self._numbers[slots] = numbers
        self._marked[slots >> _SHIFT] = True
        if np.maximum.reduce(numbers) >= self._largest:
            # What is held now, and not what was given: a slot may be named twice.
            self._rise(float(self._numbers[slots].max()))

    def _rise(self, number: float) -> None:
        """Take note that a number is held now."""
        if number > self._largest:
            self._largest, self._known = number, 1
        elif number == self._largest:
            self._known = max(0, self._known) + 1

    @property
    def largest(self) -> float:
        """The largest number held; -inf when nothing is."""
        if self._known < 1:
            blocks = np.flatnonzero(self._marked)
            self._marked[blocks] = False
            self._maxima[blocks] = self._numbers.reshape(-1, 1 << _SHIFT)[blocks].max(axis=1)
            self._largest, self._known = float(self._maxima.max()), 1
        return self._largest
