"""Exact log-probabilities of all decisions of a screen, factored by the parts of a decision.

    log pi(d|s) = log pi(kind) + log pi(target | kind) + log pi(extra | kind)

Each kind has only the parts that it needs, so entropy and probabilities are exact sums.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone uses
from torch import Tensor

from distrl.policies.pointer import decisions as d

NEVER = -1e9
"""Logit of what is masked. Not -inf: a row without any choice would become NaN."""


@dataclass(frozen=True, slots=True, kw_only=True)
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
    answer: Tensor | None = None
    """[B, W * MAX_SPAN + 2 N + known answers]; None for a network of the basic kinds alone."""
    double_tap: Tensor | None = None
    """[B, N]; the same."""

    def acting_value(self) -> Tensor:
        """[B] V(s) by the more cautious critic, for who acts; NaN where that would cost a pass."""
        return torch.sigmoid(self.values).amin(1)

    def entropy(self) -> Tensor:
        """[B] exact joint entropy: that of the kind, plus the expected one of its parts."""
        p = self.kind.exp()
        total = (
            _entropy(self.kind)
            + p[:, d.TAP] * _entropy(self.tap)
            + p[:, d.LONG_PRESS] * _entropy(self.long_press)
            + p[:, d.SWIPE] * (_entropy(self.start) + _entropy(self.direction))
            + p[:, d.TYPE] * _entropy(self.text)
        )
        if self.answer is not None and self.double_tap is not None:
            total = total + p[:, d.ANSWER] * _entropy(self.answer)
            total = total + p[:, d.DOUBLE_TAP] * _entropy(self.double_tap)
        return total

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
            (d.ANSWER, extra, self.answer),
            (d.DOUBLE_TAP, target, self.double_tap),
        ):
            if scores is None:
                continue
            # Indices of other kinds may be out of range here; `where` drops their value.
            part = scores.gather(1, index.clamp(max=scores.shape[1] - 1)[:, None])[:, 0]
            total = total + torch.where(kind == name, part, torch.zeros_like(part))
        return total


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedScores(Scores):
    """Scores of a network with critics of Q(s, d).

    `values` are logits of the expected sum_d pi(d|s) Q(s, d) of each critic. Decisions are listed
    in the order taps, long presses, swipes by their start, texts, all others that are basic,
    answers, double taps, recents.
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
        if self.answer is None:
            return place
        later = others + len(d.CHOICES) - (d.TYPE + 1)
        taps = later + self.answer.shape[1]
        place = torch.where(kind == d.ANSWER, later + extra, place)
        place = torch.where(kind == d.DOUBLE_TAP, taps + target, place)
        return torch.where(kind == d.RECENTS, taps + candidates, place)


def listed_probs(scores: Scores) -> Tensor:
    """[B, D] probabilities of all decisions in the order of `JudgedScores`."""
    # Start and direction of a swipe are independent given the kind.
    p = scores.kind.exp()
    swipes = scores.start.exp()[:, :, None] * scores.direction.exp()[:, None, :]
    parts = [
        p[:, d.TAP, None] * scores.tap.exp(),
        p[:, d.LONG_PRESS, None] * scores.long_press.exp(),
        p[:, d.SWIPE, None] * swipes.flatten(1),
        p[:, d.TYPE, None] * scores.text.exp(),
        p[:, d.TYPE + 1 : len(d.CHOICES)],
    ]
    if scores.answer is not None and scores.double_tap is not None:
        parts += [
            p[:, d.ANSWER, None] * scores.answer.exp(),
            p[:, d.DOUBLE_TAP, None] * scores.double_tap.exp(),
            p[:, d.RECENTS, None],
        ]
    return torch.cat(parts, 1)


def masked(scores: Tensor, mask: Tensor) -> Tensor:
    """Log-probabilities of a choice among what the mask allows."""
    return F.log_softmax(scores.masked_fill(~mask, NEVER), dim=-1)


def spread(rows: Tensor, places: Tensor) -> Tensor:
    """[B, M, width] of packed rows [R, width], by the row at each place [B, M]."""
    return rows.index_select(0, places.flatten()).view(*places.shape, rows.shape[-1])


def spread_padded(rows: Tensor, places: Tensor) -> Tensor:
    """The same where places of the padding name the row behind the last; it is of zeros."""
    return spread(F.pad(rows, (0, 0, 0, 1)), places)


def span_places(begin: Tensor) -> tuple[Tensor, Tensor]:
    """[W, MAX_SPAN] index of the last word of each span, and whether it is inside the goal."""
    long = begin.shape[1]
    spots = torch.arange(long + d.MAX_SPAN, device=begin.device)
    places = spots[:long, None] + spots[None, : d.MAX_SPAN]
    return places.clamp(max=long - 1), places < long


def _entropy(log_probs: Tensor) -> Tensor:
    # exp(-50) is negligible; the clamp bounds the factor of masked entries, whose log-probability
    # is about -1e9.
    return -(log_probs.exp() * log_probs.clamp(min=-50)).sum(-1)
