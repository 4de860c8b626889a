"""Exact log-probabilities of all decisions of a screen, factored by the parts of a decision.

    log pi(d|s) = log pi(kind) + log pi(target | kind) + log pi(extra | kind)

Each kind has only the parts that it needs, so entropy and probabilities are exact sums.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from distrl.policies.pointer import decisions as d


@dataclass(frozen=True, slots=True)
class Scores:
    """Log-probabilities of every part of a decision, and two value estimates."""

    kind: Tensor
    """[B, kinds]"""
    tap: Tensor
    """[B, N]"""
    long_press: Tensor
    """[B, N]"""
    start: Tensor
    """[B, N + 1]: where a swipe starts; 0 is the middle of the screen."""
    direction: Tensor
    """[B, 4]"""
    text: Tensor
    """[B, W * MAX_SPAN + N + vocabulary], in the padded numbering."""
    values: Tensor
    """[B, 2] logits of V(s), the probability of success, by two critics."""
    invalid: Tensor
    """[B] probability mass on actions that cannot be carried out."""

    def acting_value(self) -> Tensor:
        """[B] V(s) by the more cautious critic, for who acts; NaN where that would cost a pass."""
        return torch.sigmoid(self.values).amin(1)

    def entropy(self) -> Tensor:
        """[B] exact joint entropy: that of the kind, plus the expected one of its parts."""
        p = self.kind.exp()
        return (
            _entropy(self.kind)
            + p[:, d.TAP] * _entropy(self.tap)
            + p[:, d.LONG_PRESS] * _entropy(self.long_press)
            + p[:, d.SWIPE] * (_entropy(self.start) + _entropy(self.direction))
            + p[:, d.TYPE] * _entropy(self.text)
        )

    def log_prob(self, decision: Tensor) -> Tensor:
        """[B] log-probability of decisions [B, 3] in the padded numbering."""
        kind, target, extra = decision.unbind(1)
        total = self.kind.gather(1, kind[:, None])[:, 0]
        for name, index, scores in (
            (d.TAP, target, self.tap),
            (d.LONG_PRESS, target, self.long_press),
            (d.SWIPE, target, self.start),
            (d.SWIPE, extra, self.direction),
            (d.TYPE, extra, self.text),
        ):
            # Indices of other kinds may be out of range here; `where` drops their value.
            part = scores.gather(1, index.clamp(max=scores.shape[1] - 1)[:, None])[:, 0]
            total = total + torch.where(kind == name, part, torch.zeros_like(part))
        return total


@dataclass(frozen=True, slots=True)
class JudgedScores(Scores):
    """Scores of a network with critics of Q(s, d).

    `values` are logits of the expected sum_d pi(d|s) Q(s, d) of each critic. Decisions are listed
    in the order taps, long presses, swipes by their start, texts, and all others.
    """

    judged: Tensor
    """[B, D, 2] logits of Q(s, d) of every decision."""

    def acting_value(self) -> Tensor:
        """[B] NaN: V(s) takes a judgement of every decision, which acting leaves out."""
        return torch.full_like(self.values[:, 0], torch.nan)

    def place(self, decision: Tensor) -> Tensor:
        """[B] index of decisions [B, 3], in the padded numbering, in the list of all decisions."""
        kind, target, extra = decision.unbind(1)
        candidates, directions = self.tap.shape[1], self.direction.shape[1]
        texts = 2 * candidates + directions * self.start.shape[1]
        others = texts + self.text.shape[1]
        place = others + kind - (d.TYPE + 1)
        for name, here in (
            (d.TAP, target),
            (d.LONG_PRESS, candidates + target),
            (d.SWIPE, 2 * candidates + directions * target + extra),
            (d.TYPE, texts + extra),
        ):
            place = torch.where(kind == name, here, place)
        return place


def listed_probs(scores: Scores) -> Tensor:
    """[B, D] probabilities of all decisions in the order of `JudgedScores`."""
    # Start and direction of a swipe are independent given the kind.
    p = scores.kind.exp()
    swipes = scores.start.exp()[:, :, None] * scores.direction.exp()[:, None, :]
    return torch.cat(
        [
            p[:, d.TAP, None] * scores.tap.exp(),
            p[:, d.LONG_PRESS, None] * scores.long_press.exp(),
            p[:, d.SWIPE, None] * swipes.flatten(1),
            p[:, d.TYPE, None] * scores.text.exp(),
            p[:, d.TYPE + 1 :],
        ],
        1,
    )


def _entropy(log_probs: Tensor) -> Tensor:
    # exp(-50) is negligible; the clamp bounds the factor of masked entries, whose log-probability
    # is about -1e9.
    return -(log_probs.exp() * log_probs.clamp(min=-50)).sum(-1)
