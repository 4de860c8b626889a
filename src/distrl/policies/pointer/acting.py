"""From prepared situations to decisions, in a single call that leaves the interpreter.

A pass of the network has hundreds of small operations, and eager torch gives the interpreter lock
up and takes it back at each of them. Beside dozens of collecting threads a pass then waits for the
lock most of its time. Recorded once as TorchScript, the pass is one call: other threads run
meanwhile, and alone it takes about 0.6 of the time. The numbers are the same bit for bit.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import fields
from typing import NamedTuple

import torch
from torch import Tensor, nn

from distrl.policies.pointer import decisions as d
from distrl.policies.pointer import inputs as i
from distrl.policies.pointer.batch import Batch
from distrl.policies.pointer.network import PointerNetwork
from distrl.policies.pointer.scores import Scores
from distrl.policies.pointer.text_encoder import DIMENSIONS


class Decided(NamedTuple):
    """What a pass decides for each situation of a batch."""

    decisions: Tensor
    """[B, 3] in the padded numbering of the batch."""
    log_probs: Tensor
    """[B]"""
    entropies: Tensor
    """[B]"""


class Acting(nn.Module):
    """A network and the choice among what it scores."""

    def __init__(self, network: PointerNetwork, *, greedy: bool) -> None:
        """`greedy` takes the likeliest kind and its likeliest parts; otherwise they are drawn."""
        super().__init__()
        self.network, self._greedy = network, greedy

    def forward(self, draws: Tensor, *batch: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Decide by random numbers [B, 3] in [0, 1), for the tensors of a Batch."""
        scores: Scores = self.network(Batch(*batch))
        chosen = choose(scores, draws, greedy=self._greedy)
        return chosen, scores.log_prob(chosen), scores.entropy()


class RecordedActing:
    """The same, recorded at its first use; it follows the network's weights as they change."""

    def __init__(self, network: PointerNetwork, *, greedy: bool) -> None:
        """Nothing is recorded yet."""
        self._acting = Acting(network, greedy=greedy).eval()
        self._recorded: nn.Module | None = None

    def decide(self, batch: Batch, draws: Tensor) -> Decided:
        """Decide for a batch on the CPU by random numbers [B, 3] in [0, 1)."""
        if self._recorded is None:
            self._recorded = _record(self._acting)
        with torch.inference_mode():
            return Decided(*self._recorded(draws, *_tensors(batch)))


def choose(scores: Scores, draws: Tensor, *, greedy: bool) -> Tensor:
    """Decisions [B, 3] in the padded numbering, by random numbers [B, 3] in [0, 1)."""

    def pick(log_probs: Tensor, draw: int) -> Tensor:
        return log_probs.argmax(-1) if greedy else drawn(log_probs, draws[:, draw])

    kind = pick(scores.kind, 0)
    tap, hold, start = pick(scores.tap, 1), pick(scores.long_press, 1), pick(scores.start, 1)
    direction, text = pick(scores.direction, 2), pick(scores.text, 2)
    nothing = torch.zeros_like(kind)
    target = torch.where(kind == d.TAP, tap, nothing)
    target = torch.where(kind == d.LONG_PRESS, hold, target)
    target = torch.where(kind == d.SWIPE, start, target)
    extra = torch.where(kind == d.SWIPE, direction, nothing)
    extra = torch.where(kind == d.TYPE, text, extra)
    return torch.stack([kind, target, extra], 1)


def drawn(log_probs: Tensor, draw: Tensor) -> Tensor:
    """[B] places in log-probabilities [B, N] by random numbers [B] in [0, 1)."""
    sums = log_probs.double().exp().cumsum(-1)
    total = sums[:, -1:]
    # The first place whose running sum passes the point always has some probability.
    last = (sums < total).sum(-1)
    return torch.minimum((sums <= draw[:, None] * total).sum(-1), last)


def _tensors(batch: Batch) -> tuple[Tensor, ...]:
    return tuple(getattr(batch, field.name) for field in fields(Batch))


def _record(acting: Acting) -> nn.Module:
    """Run it once and keep what was done; sizes stay open as long as none of them is 1."""
    draws = torch.zeros(3, 3, dtype=torch.float64)
    with warnings.catch_warnings(), torch.inference_mode():
        # It warns that it will not be developed further, and wherever a size enters a constant;
        # that none does which matters is for the tests to show.
        warnings.simplefilter("ignore")
        trace: Callable[..., nn.Module] = torch.jit.trace
        return trace(acting, (draws, *_tensors(_blank(3))), check_trace=False)


def _blank(size: int) -> Batch:
    """A batch of situations with two words and four candidates each, all zeros."""
    words, candidates = 2, 4
    return Batch(
        words=torch.zeros(size, words, DIMENSIONS),
        word_features=torch.zeros(size, words, i.WORD_FEATURES),
        word_mask=torch.ones(size, words, dtype=torch.bool),
        labels=torch.zeros(size, candidates, DIMENSIONS),
        features=torch.zeros(size, candidates, i.CANDIDATE_FEATURES),
        crops=torch.zeros(size, candidates, i.CROP, i.CROP, 3, dtype=torch.uint8),
        mask=torch.ones(size, candidates, dtype=torch.bool),
        history=torch.zeros(size, i.HISTORY, i.HISTORY_FEATURES),
        trail=torch.zeros(size, i.HISTORY, DIMENSIONS),
        links=torch.zeros(size, i.HISTORY + candidates, words, dtype=torch.bool),
        overview=torch.zeros(size, i.GLOBAL_FEATURES),
        enabled=torch.ones(size, candidates, dtype=torch.bool),
        typing=torch.zeros(size, dtype=torch.bool),
    )
