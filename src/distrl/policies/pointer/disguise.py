"""Data augmentation: some words, labels and crops are disguised as others.

A network that knows every training goal and label by heart finds its way by them, and is lost among
new ones. So each time an episode is trained on, a share of its goal words and of its labels get the
vectors of others, drawn anew, and a share of its crops turn black. How a word and a label match, by
letters and by meaning, stays as it was: that is what is left to go by.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from distrl.policies.pointer.inputs import Inputs
from distrl.policies.pointer.text_encoder import TextEncoder, Vectors

_GOALS = 2000
"""Goals that other words come from at most: a word's vector takes 1.5 kB, a goal has a dozen."""


class Disguise:
    """Disguises a share of what an episode's steps are told by."""

    def __init__(
        self,
        share: float,
        *,
        goals: Sequence[str],
        labels: Callable[[], Sequence[str]],
        encoder: TextEncoder,
    ) -> None:
        """`share` of words, labels and crops; other words come from `goals`.

        Vectors are encoded at the first use.
        """
        self._share, self._encoder = share, encoder
        known = sorted(set(goals))
        self._goals, self._labels = known[:: 1 + len(known) // _GOALS], labels
        self._vectors: tuple[Vectors, Vectors] | None = None

    def __call__(self, steps: Sequence[Inputs], rng: np.random.Generator) -> Sequence[Inputs]:
        """The steps of one episode; the same word and the same label are disguised alike."""
        if self._vectors is None:
            self._vectors = self._all_vectors()
        words, names = self._vectors
        spoken = steps[0].words
        said = _swapped(spoken, rng.random(len(spoken)) < self._share, words, rng)
        shown = sorted({name for step in steps for name in step.names})
        chosen = rng.random(len(shown)) < self._share
        hidden = {
            name: names[rng.integers(len(names))]
            for name, is_chosen in zip(shown, chosen, strict=True)
            if is_chosen
        }
        # A batch knows labels by their names: under the same name, the first vector would count.
        alias = int(rng.integers(1 << 30))
        return [self._step(step, said, hidden, alias, rng) for step in steps]

    def _step(
        self,
        step: Inputs,
        words: Vectors,
        hidden: dict[str, Vectors],
        alias: int,
        rng: np.random.Generator,
    ) -> Inputs:
        places = [place for place, name in enumerate(step.names) if name in hidden]
        labels, names = step.labels, step.names
        if places:
            labels = labels.copy()
            labels[places] = [hidden[step.names[place]] for place in places]
            names = tuple(f"{name}\0{alias}" if name in hidden else name for name in names)
        crops = step.crops
        black = rng.random(len(crops)) < self._share
        if black.any():
            crops = crops.copy()
            crops[black] = 0
        return replace(step, words=words, labels=labels, names=names, crops=crops)

    def _all_vectors(self) -> tuple[Vectors, Vectors]:
        words = np.concatenate([self._encoder.goal(goal).words for goal in self._goals])
        return words, self._encoder.labels(self._labels())


def _swapped(
    vectors: Vectors, mask: npt.NDArray[np.bool_], others: Vectors, rng: np.random.Generator
) -> Vectors:
    if not mask.any():
        return vectors
    swapped = vectors.copy()
    swapped[mask] = others[rng.integers(len(others), size=int(mask.sum()))]
    return swapped
