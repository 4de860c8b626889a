"""The pointer network: one small transformer over goal words, history and candidates.

    words [W] + history [H] + overview [1] + candidates [N]  ->  transformer
        overview  -> kind, direction, value
        candidate -> tap, long press, swipe start, its text
        word      -> start and end of the span to type

Probabilities of all decisions of a screen are exact: the kind is chosen first, then the target,
direction and text that this kind needs. There are some hundred of them, so critics of Q(s, d), if
there are any, evaluate them all.
"""

from __future__ import annotations

from dataclasses import fields, replace

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone uses
from torch import Tensor, nn

from distrl.config.policies import PolicyConfig
from distrl.policies.pointer import decisions as d
from distrl.policies.pointer import inputs as i
from distrl.policies.pointer.batch import Batch
from distrl.policies.pointer.later_kinds import LaterHeads, LaterLogits, answer_mask
from distrl.policies.pointer.layers.attention import (
    RELATIONS,
    AttentionPlan,
    GradientPlan,
    attend,
    attend_to_learn,
    plan_attention,
    plan_gradient,
)
from distrl.policies.pointer.layers.linear import Linear, zero_linear
from distrl.policies.pointer.scores import (
    JudgedScores,
    Scores,
    listed_probs,
    masked,
    span_places,
    spread_padded,
)
from distrl.policies.pointer.text_encoder import DIMENSIONS
from distrl.types import BASIC_KINDS, Kind

_LEAST = 1e-6
"""Expected values are clamped this far from 0 and 1, where the logit is infinite."""
_WAIT = d.CHOICES.index((Kind.WAIT, None))
_PATCH = 4
"""Pixels on a side of a patch."""


def _possible_kinds(allowed: Tensor, touchable: Tensor, typing: Tensor) -> Tensor:
    """[B, kinds] mask of the kinds that are allowed and possible.

    Touching needs something touchable [B, N]; `typing` [B] is True where text can be typed.
    """
    possible = allowed.repeat(typing.shape[0], 1)
    possible[:, [d.TAP, d.LONG_PRESS]] &= touchable.any(dim=1, keepdim=True)
    possible[:, d.TYPE] &= typing
    if possible.shape[1] > d.DOUBLE_TAP:
        possible[:, d.DOUBLE_TAP] &= touchable.any(dim=1)
    # A softmax needs at least one choice, and waiting is harmless.
    possible[:, _WAIT] |= ~possible.any(dim=1)
    return possible


class _Block(nn.Module):
    """Pre-norm attention and a feed-forward layer."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = Linear(width, 3 * width), Linear(width, width)
        self.up, self.down = Linear(width, 2 * width), Linear(2 * width, width)
        # Bias of each head for each relation. Each relation starts with a head of its own, so that
        # it is used from the first update on.
        self.kin = nn.Parameter(2.0 * torch.eye(heads, RELATIONS))

    def forward(self, x: Tensor, plan: AttentionPlan, gradient: GradientPlan | None) -> Tensor:
        """Rows [R, width] of all situations."""
        rows, width = x.shape
        qkv = self.qkv(self.norm1(x)).view(rows * 3 * self.heads, -1)
        mixed = (
            attend(qkv, self.kin, plan)
            if gradient is None
            else attend_to_learn(qkv, self.kin, plan, gradient)
        )
        x = x + self.out(mixed.view(rows, width))
        out: Tensor = x + self.down(F.gelu(self.up(self.norm2(x))))
        return out


class DecisionCritics(nn.Module):
    """Q(s, d) - V(s) of every decision, in logits of two critics.

    It is a sum over the parts of a decision: kind, target and extra. All weights start at zero, so
    that Q(s, d) = V(s) at first, whatever V was trained to before.
    """

    def __init__(self, width: int, *, later: bool = False) -> None:
        """Critics of tokens of this width; `later` for a network that has the later kinds."""
        super().__init__()
        self.kind_out = zero_linear(2 * width, 2 * len(d.CHOICES))
        self.overview_out = zero_linear(width, 2 * (len(d.DIRECTIONS) + 1 + len(d.VOCABULARY)))
        self.candidate_out = zero_linear(width, 2 * 4)
        self.word_out = zero_linear(width, 2 * 2)
        self.later = LaterHeads(width, outputs=2) if later else None

    def forward(
        self, b: Batch, both: Tensor, overview: Tensor, words: Tensor, candidates: Tensor
    ) -> Tensor:
        """[B, D, 2] in the order of `JudgedScores`, without the logits of V(s)."""
        kind = self.kind_out(both).unflatten(-1, (-1, 1, 2))
        direction, middle, vocabulary = (
            self.overview_out(overview)
            .unflatten(-1, (-1, 2))
            .split([len(d.DIRECTIONS), 1, len(d.VOCABULARY)], 1)
        )
        per = spread_padded(self.candidate_out(candidates), b.candidate_of)
        tap, hold, start, text = per.view(*per.shape[:2], 4, 2).unbind(2)
        ends = spread_padded(self.word_out(words), b.word_at)
        begin, end = ends.view(*ends.shape[:2], 2, 2).unbind(2)
        swipes = torch.cat([middle, start], 1)[:, :, None] + direction[:, None]
        places, _ = span_places(begin)
        spans = begin[:, :, None] + end[:, places]
        parts = [
            kind[:, d.TAP] + tap,
            kind[:, d.LONG_PRESS] + hold,
            kind[:, d.SWIPE] + swipes.flatten(1, 2),
            kind[:, d.TYPE] + torch.cat([spans.flatten(1, 2), text, vocabulary], 1),
            kind[:, d.TYPE + 1 :, 0],
        ]
        if self.later is not None:
            said = self.later(b, both, overview, words, candidates)
            answer, double_tap, recents = said.kind.split(1, 1)
            parts += [answer + said.answer, double_tap + said.double_tap, recents]
        return torch.cat(parts, 1)


class PointerNetwork(nn.Module):
    """Maps a batch of situations to log-probabilities and values."""

    allowed: Tensor
    """[kinds] which kinds the configuration allows."""

    def __init__(self, config: PolicyConfig, *, decision_critics: bool = False) -> None:
        """Random weights; seed torch first for the same ones.

        With `decision_critics`, decisions are judged as well, Q(s, d), and not situations alone.
        """
        super().__init__()
        w = config.width
        self.action_kinds = frozenset(Kind(name) for name in config.kinds or BASIC_KINDS)
        """What it may do; where nothing of it can be done, it waits."""
        later = any(kind in self.action_kinds - BASIC_KINDS for kind, _ in d.LATER_CHOICES)
        self.choices = d.ALL_CHOICES if later else d.CHOICES
        """Classes of its first head."""
        self.constrained = config.constrained
        allowed = torch.tensor([kind in self.action_kinds for kind, _ in self.choices])
        self.register_buffer("allowed", allowed, persistent=False)
        # Goal and labels share one projection, initialised orthogonal, so that it keeps angles:
        # similar meanings are similar vectors from the first update on.
        self.text_in = Linear(DIMENSIONS, w)
        nn.init.orthogonal_(self.text_in.weight, gain=2.0)
        nn.init.zeros_(self.text_in.bias)
        self.word_in = nn.Linear(i.WORD_FEATURES, w)
        self.neighbours_in = nn.Linear(2 * w, w)
        self.feature_in = nn.Sequential(
            nn.Linear(i.CANDIDATE_FEATURES, w), nn.GELU(), nn.Linear(w, w)
        )
        # Crops in two stages, as a convolution without overlaps, at a fifth of its cost.
        self.patch_in = Linear(_PATCH * _PATCH * 3, 24)
        self.block_in = Linear(4 * 24, config.crop_width)
        self.crop_in = Linear((i.CROP // _PATCH) ** 2 // 4 * config.crop_width, w)
        self.history_in = nn.Linear(i.HISTORY_FEATURES, w)
        self.overview_in = nn.Linear(i.GLOBAL_FEATURES, w)
        self.kinds = nn.Parameter(torch.zeros(3, w))
        self.blocks = nn.ModuleList(_Block(w, config.heads) for _ in range(config.layers))
        self.heads = config.heads
        self.norm = nn.LayerNorm(w)
        self.kind_out = nn.Linear(2 * w, len(d.CHOICES))
        self.direction_out = nn.Linear(w, len(d.DIRECTIONS) + 1 + len(d.VOCABULARY))
        self.candidate_out = nn.Linear(w, 4)
        self.word_out = nn.Linear(w, 2)
        self.value_out = nn.Sequential(nn.Linear(2 * w, w), nn.GELU(), nn.Linear(w, 2))
        self.later = LaterHeads(w) if later else None
        self.decision_critics = DecisionCritics(w, later=later) if decision_critics else None

    def _goals(self, b: Batch, said: Tensor) -> tuple[Tensor, Tensor]:
        """Rows of the words of distinct goals, and the mean of each goal."""
        # The words before and after each word delimit names.
        before = F.pad(said, (0, 0, 1, 0))[:-1] * b.has_before
        after = F.pad(said, (0, 0, 0, 1))[1:] * b.has_after
        words = said + self.neighbours_in(torch.cat([before, after], -1)) + self.kinds[0]
        return words, b.goal_means @ said

    def _crops(self, crops: Tensor) -> Tensor:
        count, side = crops.shape[0], i.CROP // _PATCH
        x = crops.float().div(255.0).sub(0.5).view(count, side, _PATCH, side, _PATCH, 3)
        patches = F.relu(self.patch_in(x.transpose(2, 3).reshape(count * side * side, -1)))
        half = side // 2
        blocks = patches.view(count, half, 2, half, 2, -1).transpose(2, 3)
        hidden = F.relu(self.block_in(blocks.reshape(count * half * half, -1)))
        out: Tensor = self.crop_in(hidden.view(count, -1))
        return out

    def _rows(self, b: Batch) -> Tensor:
        """[R, width] of all tokens: overviews, history, candidates, words."""
        texts = self.text_in(b.texts)
        goal_words, goals = self._goals(b, texts[: b.has_before.shape[0]])
        labels = texts.index_select(0, b.label_of)
        touched = b.history.shape[0]
        looks = self._crops(b.crops).index_select(0, b.crop_of)
        rows = torch.cat(
            [
                self.overview_in(b.overview) + goals.index_select(0, b.goal_of) + self.kinds[2],
                self.history_in(b.history) + labels[:touched] + self.kinds[1],
                self.feature_in(b.features) + labels[touched:] + looks,
                self.word_in(b.word_features) + goal_words.index_select(0, b.word_of),
            ]
        )
        return F.pad(rows, (0, 0, 0, b.places.shape[0] - rows.shape[0]))

    def forward(self, b: Batch) -> Scores:
        """Scores of a batch of B situations."""
        x = self._rows(b)
        plan = plan_attention(b, self.heads)
        gradient = plan_gradient(b, plan, self.heads) if torch.is_grad_enabled() else None
        for block in self.blocks:
            x = block(x, plan, gradient)
        x = self.norm(x)
        size, first = b.overview.shape[0], b.overview.shape[0] * (1 + i.HISTORY)
        last = first + b.features.shape[0]
        words = x[last : last + b.word_features.shape[0]]
        return self._scores(b, x[:size], words, x[first:last])

    def _scores(self, b: Batch, overview: Tensor, words: Tensor, candidates: Tensor) -> Scores:
        # Clamped for screens without any candidate.
        count = b.mask.sum(1, keepdim=True).clamp(min=1)
        pooled = spread_padded(candidates, b.candidate_of).sum(1) / count
        both = torch.cat([overview, pooled], -1)
        constrained = self.constrained
        touchable = b.mask & b.enabled if constrained else b.mask
        can_type = b.typing if constrained else torch.ones_like(b.typing)
        later, kinds = None, self.kind_out(both)
        if self.later is not None:
            later = self.later(b, both, overview, words, candidates)
            kinds = torch.cat([kinds, later.kind[..., 0]], 1)
        kind = masked(kinds, _possible_kinds(self.allowed, touchable, can_type))
        extra = self.direction_out(overview)
        directions = len(d.DIRECTIONS)
        per = spread_padded(self.candidate_out(candidates), b.candidate_of)
        tap, long_press = masked(per[..., 0], touchable), masked(per[..., 1], touchable)
        start = torch.cat([extra[:, directions : directions + 1], per[..., 2]], 1)
        start_mask = torch.cat([torch.ones_like(b.mask[:, :1]), b.mask], 1)
        text = self._text_scores(b, words, per[..., 3], extra[:, directions + 1 :])
        disabled = ~b.enabled & b.mask
        p = kind.exp()
        invalid = (
            p[:, d.TYPE] * (~b.typing)
            + p[:, d.TAP] * (tap.exp() * disabled).sum(-1)
            + p[:, d.LONG_PRESS] * (long_press.exp() * disabled).sum(-1)
        )
        scores = Scores(
            kind=kind,
            tap=tap,
            long_press=long_press,
            start=masked(start, start_mask),
            direction=F.log_softmax(extra[:, :directions], dim=-1),
            text=text,
            values=self.value_out(both),
            invalid=invalid,
        )
        if later is not None:
            scores = _with_later(scores, later, b, touchable)
        if self.decision_critics is None:
            return scores
        judged = self.decision_critics(b, both, overview, words, candidates)
        return _judged(scores, scores.values[:, None] + judged)

    def _text_scores(self, b: Batch, words: Tensor, labels: Tensor, vocabulary: Tensor) -> Tensor:
        begin, end = spread_padded(self.word_out(words), b.word_at).unbind(-1)
        places, _ = span_places(begin)
        spans = begin[:, :, None] + end[:, places]
        scores = torch.cat([spans.flatten(1), labels, vocabulary], 1)
        mask = torch.cat(
            [_span_mask(b), b.has_text, torch.ones_like(vocabulary, dtype=torch.bool)], 1
        )
        return masked(scores, mask)


def _span_mask(b: Batch) -> Tensor:
    """[B, W * MAX_SPAN] which spans are inside the goal."""
    places, inside = span_places(b.word_mask)
    return (b.word_mask[:, :, None] & b.word_mask[:, places] & inside).flatten(1)


def _with_later(scores: Scores, later: LaterLogits, b: Batch, touchable: Tensor) -> Scores:
    double_tap = masked(later.double_tap[..., 0], touchable)
    disabled = (double_tap.exp() * (~b.enabled & b.mask)).sum(-1)
    return replace(
        scores,
        answer=masked(later.answer[..., 0], answer_mask(b, _span_mask(b))),
        double_tap=double_tap,
        invalid=scores.invalid + scores.kind[:, d.DOUBLE_TAP].exp() * disabled,
    )


def _judged(scores: Scores, judged: Tensor) -> JudgedScores:
    # Detached: the loss of the critics must not change the policy.
    probs = listed_probs(scores).detach()
    expected = (probs[..., None] * torch.sigmoid(judged)).sum(1).clamp(_LEAST, 1 - _LEAST)
    parts = {field.name: getattr(scores, field.name) for field in fields(Scores)}
    return JudgedScores(**{**parts, "values": torch.logit(expected)}, judged=judged)
