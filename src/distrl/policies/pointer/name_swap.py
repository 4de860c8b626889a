"""Rare words stand for one another while learning.

Nearly every goal has a name in it that no other goal has. A network that may read those names
learns the training goals by them, and not what is asked; shown another name, it is lost. So
whenever a step is learned from, the vectors of such words are those of other rare words, drawn
anew. Which labels have the same letters is told by features of their own, and stays as it was.
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
"""Goals that a rare word stands in, at the most."""
COMMON_SHARE = 0.01
"""Share of all goals from which on no word is rare: of few goals, every word matters."""


class NameSwap:
    """Exchanges rare words of goals; the goals that are trained on say which are rare."""

    def __init__(self, goals: Sequence[str], encoder: TextEncoder) -> None:
        """Vectors are asked for when they are first needed."""
        goals = sorted(set(goals))
        self._limit = min(RARE, int(COMMON_SHARE * len(goals)))
        self._count = Counter(word for goal in goals for word in set(_words(goal)))
        self._goals, self._encoder = goals, encoder
        self._masks: dict[str, npt.NDArray[np.bool_]] = {}
        self._vectors: Vectors | None = None

    def __call__(self, steps: Sequence[Inputs], rng: np.random.Generator) -> Sequence[Inputs]:
        """The steps of one episode with other rare words in their goal."""
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
