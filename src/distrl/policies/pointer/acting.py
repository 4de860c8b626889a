"""The acting pass as TorchScript: from a batch to sampled decisions in one call without the GIL.

A pass of the network has hundreds of small operations, and eager torch releases and reacquires the
GIL at each of them. Beside dozens of collector threads, a pass then spends most of its time waiting
for the GIL. Traced once, the pass is a single call: other threads run meanwhile, and alone it takes
about 0.6 of the time. The results are the same bit for bit.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from distrl.policies.pointer import decisions as d
from distrl.policies.pointer import inputs as i
from distrl.policies.pointer.batch import Batch, collate
from distrl.policies.pointer.network import PointerNetwork
from distrl.policies.pointer.scores import Scores
from distrl.policies.pointer.text_encoder import DIMENSIONS


class Decided(NamedTuple):
    """Sampled decisions of a batch, with log-probabilities, entropies and values."""

    decisions: Tensor
    """[B, 3] in the padded numbering of the batch."""
    log_probs: Tensor
    """[B]"""
    entropies: Tensor
    """[B]"""
    values: Tensor
    """[B] V(s); NaN where it is not known (`Scores.acting_value`)."""


class Acting(nn.Module):
    """A network followed by sampling (or argmax) of a decision."""

    def __init__(self, network: PointerNetwork, *, greedy: bool) -> None:
        """`greedy` takes the likeliest kind and its likeliest parts; otherwise they are sampled."""
        super().__init__()
        self.network, self._greedy = network, greedy

    def forward(self, draws: Tensor, *batch: Tensor) -> Decided:
        """The fields of `Decided`; `draws` [B, 3] are uniform in [0, 1)."""
        scores: Scores = self.network(Batch.of_tensors(batch))
        return decide(scores, draws, greedy=self._greedy)


class TracedActing:
    """`Acting`, traced at its first use. It shares the network's weights, so it follows updates."""

    def __init__(self, network: PointerNetwork, *, greedy: bool) -> None:
        """Nothing is traced before the first `decide`."""
        self._acting = Acting(network, greedy=greedy).eval()
        self._traced: nn.Module | None = None

    def decide(self, batch: Batch, draws: Tensor) -> Decided:
        """Decide for a batch on the CPU; `draws` [B, 3] are uniform in [0, 1)."""
        if self._traced is None:
            self._traced = _trace_pass(self._acting)
        with torch.inference_mode():
            return Decided(*self._traced(draws, *batch.tensors()))


def decide(scores: Scores, draws: Tensor, *, greedy: bool) -> Decided:
    """Decisions in the padded numbering, and all that is noted with them."""
    chosen = choose(scores, draws, greedy=greedy)
    return Decided(chosen, scores.log_prob(chosen), scores.entropy(), scores.acting_value())


def choose(scores: Scores, draws: Tensor, *, greedy: bool) -> Tensor:
    """Decisions [B, 3] in the padded numbering; `draws` [B, 3] are uniform in [0, 1)."""

    def pick(log_probs: Tensor, draw: int) -> Tensor:
        return log_probs.argmax(-1) if greedy else sample_index(log_probs, draws[:, draw])

    # Parts of all kinds are sampled and those of the chosen kind kept: no branch, so traceable. The
    # same random number may serve several parts, since only one kind uses it.
    kind = pick(scores.kind, 0)
    tap, hold, start = pick(scores.tap, 1), pick(scores.long_press, 1), pick(scores.start, 1)
    direction, text = pick(scores.direction, 2), pick(scores.text, 2)
    nothing = torch.zeros_like(kind)
    target = torch.where(kind == d.TAP, tap, nothing)
    target = torch.where(kind == d.LONG_PRESS, hold, target)
    target = torch.where(kind == d.SWIPE, start, target)
    extra = torch.where(kind == d.SWIPE, direction, nothing)
    extra = torch.where(kind == d.TYPE, text, extra)
    if scores.answer is not None and scores.double_tap is not None:
        target = torch.where(kind == d.DOUBLE_TAP, pick(scores.double_tap, 1), target)
        extra = torch.where(kind == d.ANSWER, pick(scores.answer, 2), extra)
    return torch.stack([kind, target, extra], 1)


def sample_index(log_probs: Tensor, draw: Tensor) -> Tensor:
    """[B] indices sampled from log-probabilities [B, N] by inverse transform of `draw` [B]."""
    sums = log_probs.double().exp().cumsum(-1)
    total = sums[:, -1:]
    # Never an index of probability 0: at most the first one at which the sum is complete.
    last = (sums < total).sum(-1)
    return torch.minimum((sums <= draw[:, None] * total).sum(-1), last)


def _trace_pass(acting: Acting) -> nn.Module:
    """Trace one pass. Sizes stay dynamic as long as none is 1, which tracing would broadcast."""
    draws = torch.zeros(3, 3, dtype=torch.float64)
    with warnings.catch_warnings(), torch.inference_mode():
        # Tracing warns of deprecation, and wherever a size might become a constant; the tests
        # compare traced and eager passes for other sizes.
        warnings.simplefilter("ignore")
        trace: Callable[..., nn.Module] = torch.jit.trace
        return trace(
            acting,
            (draws, *collate([_example(seed) for seed in range(3)]).tensors()),
            check_trace=False,
        )


def _example(seed: int) -> i.Inputs:
    """A situation for tracing: two or more of everything, none like that of another seed."""
    rng, words, candidates = np.random.default_rng(seed), 2 + seed, 4 + seed

    def some(*shape: int) -> i.Array:
        return rng.random(shape, np.float32)

    return i.Inputs(
        goal=f"{seed}",
        names=tuple(f"{seed} {place}" for place in range(candidates)),
        words=some(words, DIMENSIONS),
        word_features=some(words, i.WORD_FEATURES),
        labels=some(candidates, DIMENSIONS),
        features=some(candidates, i.CANDIDATE_FEATURES),
        crops=rng.integers(0, 256, (candidates, i.CROP, i.CROP, 3), np.uint8),
        history=some(i.HISTORY, i.HISTORY_FEATURES),
        trail=("",) * i.HISTORY,
        trail_labels=some(i.HISTORY, DIMENSIONS),
        overview=some(i.GLOBAL_FEATURES),
        links=np.zeros((i.HISTORY + candidates, words), np.bool_),
        alike=some(i.HISTORY + candidates, words),
        enabled=np.ones(candidates, np.bool_),
        typing=False,
    )
