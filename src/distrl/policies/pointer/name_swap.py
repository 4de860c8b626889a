"""Data augmentation: vectors of rare goal words are swapped for those of other rare words.

Nearly every goal contains a name that no other goal has. A network that reads these names memorises
the training goals by them and fails on new names. So each time a step is trained on, rare words
get the vectors of other rare words, drawn anew. Features of literal matches between goal and labels
stay as they are: they still tell which label is meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from distrl.policies.pointer.inputs import Inputs
from distrl.policies.pointer.text_encoder import TextEncoder, Vectors, words_of

RARE = 2
"""A rare word occurs in at most this many goals."""
COMMON_SHARE = 0.01
"""A rare word occurs in at most this share of goals: with few goals, no word is rare."""


class NameSwap:
    """Swaps rare words; rarity is counted over the training goals."""

    def __init__(self, goals: Sequence[str], encoder: TextEncoder) -> None:
        """Count words; vectors are encoded at the first use."""
        goals = sorted(set(goals))
        self._limit = min(RARE, int(COMMON_SHARE * len(goals)))
        self._count = Counter(word for goal in goals for word in set(_words(goal)))
        self._goals, self._encoder = goals, encoder
        self._masks: dict[str, npt.NDArray[np.bool_]] = {}
        self._vectors: Vectors | None = None

    def __call__(self, steps: Sequence[Inputs], rng: np.random.Generator) -> Sequence[Inputs]:
        """The steps of one episode with the vectors of rare goal words swapped, alike in each."""
        mask = self.rare(steps[0].goal)
        if not mask.any():
            return steps
        if self._vectors is None:
            self._vectors = self._all_vectors()
        words = steps[0].words.copy()
        words[mask] = self._vectors[rng.integers(len(self._vectors), size=int(mask.sum()))]
        return [replace(step, words=words) for step in steps]

    def rare(self, goal: str) -> npt.NDArray[np.bool_]:
        """[W] which words of a goal are rare."""
        mask = self._masks.get(goal)
        if mask is None:
            rare = [0 < self._count[word] <= self._limit for word in _words(goal)]
            mask = self._masks[goal] = np.array(rare, np.bool_)
        return mask

    def _all_vectors(self) -> Vectors:
        rows = [self._encoder.goal(goal).words[self.rare(goal)] for goal in self._goals]
        return np.concatenate(rows)


def _words(goal: str) -> list[str]:
    return [goal[start:end].lower() for start, end in words_of(goal)]
