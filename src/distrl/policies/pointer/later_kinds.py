"""Outputs of the pointer for the kinds beyond the basic ones: answer, double tap, recents.

A network has them only if its settings name one of these kinds. Weights that were trained without
stay as they are: what they lack starts at zero, and no random number is drawn for it.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from distrl.actions import ANSWER_WORDS
from distrl.policies.pointer import decisions as d
from distrl.policies.pointer.batch import Batch
from distrl.policies.pointer.inputs import HAS_DESCRIPTION
from distrl.policies.pointer.layers.linear import zero_linear
from distrl.policies.pointer.scores import span_places, spread_padded

_PER_CANDIDATE = 3
"""Double tap, answering its text, answering its description."""


class LaterLogits(NamedTuple):
    """For O outputs each."""

    kind: Tensor
    """[B, later kinds, O]"""
    answer: Tensor
    """[B, texts, O] in the padded numbering of answers."""
    double_tap: Tensor
    """[B, N, O]"""


class LaterHeads(nn.Module):
    """Heads of the policy, or of its critics of Q(s, d), for the later kinds."""

    def __init__(self, width: int, *, outputs: int = 1) -> None:
        """Heads of tokens of this width; all weights are zero."""
        super().__init__()
        self.outputs = outputs
        self.kind_out = zero_linear(2 * width, outputs * len(d.LATER_CHOICES))
        self.overview_out = zero_linear(width, outputs * len(ANSWER_WORDS))
        self.candidate_out = zero_linear(width, outputs * _PER_CANDIDATE)
        self.word_out = zero_linear(width, outputs * 2)

    def forward(
        self, b: Batch, both: Tensor, overview: Tensor, words: Tensor, candidates: Tensor
    ) -> LaterLogits:
        """Logits of a batch, from the tokens of its parts."""
        per = spread_padded(self.candidate_out(candidates), b.candidate_of)
        double_tap, text, said = self._apart(per).unbind(2)
        ends = spread_padded(self.word_out(words), b.word_at)
        begin, end = self._apart(ends).unbind(2)
        places, _ = span_places(begin)
        spans = (begin[:, :, None] + end[:, places]).flatten(1, 2)
        return LaterLogits(
            kind=self._apart(self.kind_out(both)),
            answer=torch.cat([spans, text, said, self._apart(self.overview_out(overview))], 1),
            double_tap=double_tap,
        )

    def _apart(self, logits: Tensor) -> Tensor:
        """[..., n, O] of [..., n * O]."""
        return logits.view(*logits.shape[:-1], -1, self.outputs)


def answer_mask(b: Batch, spans: Tensor) -> Tensor:
    """[B, texts] which answers there are; `spans` [B, spans] are those of the goal."""
    described = spread_padded(b.features[:, [HAS_DESCRIPTION]], b.candidate_of)[..., 0] > 0
    known = torch.ones(len(ANSWER_WORDS), dtype=torch.bool, device=spans.device)
    return torch.cat(
        # A description is an answer where a text stands beside it: what an icon is taken for by
        # its looks is no word that anybody can read.
        [spans, b.has_text, described & b.has_text, known.expand(spans.shape[0], -1)],
        1,
    )
