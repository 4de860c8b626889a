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

from collections.abc import Callable
from dataclasses import fields

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone uses
from torch import Tensor, nn

from distrl.config.policies import PolicyConfig
from distrl.policies.pointer import decisions as d
from distrl.policies.pointer import inputs as i
from distrl.policies.pointer.batch import Batch
from distrl.policies.pointer.scores import JudgedScores, Scores, listed_probs
from distrl.policies.pointer.text_encoder import DIMENSIONS
from distrl.types import Kind

_NEVER = -1e9
"""Logit of what is masked. Not -inf: a row without any choice would become NaN."""
_LEAST = 1e-6
"""Expected values are clamped this far from 0 and 1, where the logit is infinite."""
_WAIT = d.CHOICES.index((Kind.WAIT, None))
_PATCH = 4
"""Pixels on a side of a patch."""


def _masked(scores: Tensor, mask: Tensor) -> Tensor:
    return F.log_softmax(scores.masked_fill(~mask, _NEVER), dim=-1)


def _possible_kinds(allowed: Tensor, touchable: Tensor, typing: Tensor) -> Tensor:
    """[B, kinds] mask of the kinds that are allowed and possible.

    Touching needs something touchable [B, N]; `typing` [B] is True where text can be typed.
    """
    possible = allowed.repeat(typing.shape[0], 1)
    possible[:, [d.TAP, d.LONG_PRESS]] &= touchable.any(dim=1, keepdim=True)
    possible[:, d.TYPE] &= typing
    # A softmax needs at least one choice, and waiting is harmless.
    possible[:, _WAIT] |= ~possible.any(dim=1)
    return possible


def _relations(b: Batch, length: int) -> Tensor:
    """[B, 2, L, L] pairs of related tokens: by a shared goal word, and by a shared screen row."""
    first = 1 + b.history.shape[1]
    last = first + b.words.shape[1]
    related = torch.zeros(b.mask.shape[0], 2, length, length, device=b.mask.device)
    touched, labels = b.links[:, : first - 1].float(), b.links[:, first - 1 :].float()
    related[:, 0, 1:first, first:last], related[:, 0, first:last, 1:first] = touched, touched.mT
    related[:, 0, last:, first:last], related[:, 0, first:last, last:] = labels, labels.mT
    middle, height = b.features[..., i.MIDDLE], b.features[..., i.HEIGHT]
    away = (middle[:, :, None] - middle[:, None, :]).abs()
    related[:, 1, last:, last:] = (away <= height[:, None, :] / 2) & (height < i.TALLEST_ROW)[
        :, None
    ]
    return related


def attend(q: Tensor, k: Tensor, v: Tensor, bias: Tensor) -> Tensor:
    """Scaled dot-product attention [B, heads, L, width] with an additive bias."""
    return F.scaled_dot_product_attention(q, k, v, attn_mask=bias)


class _Block(nn.Module):
    """Pre-norm attention and a feed-forward layer."""

    attend: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor] = staticmethod(attend)
    """Replaced for ONNX export, which cannot express the fused operation."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        # Bias of each head for each relation. Each relation starts with a head of its own, so that
        # it is used from the first update on.
        self.kin = nn.Parameter(2.0 * torch.eye(heads, 2))

    def forward(self, x: Tensor, related: Tensor, mask: Tensor) -> Tensor:
        """`related` [B, 2, L, L] as of `_relations`; `mask` [B, 1, 1, L] is added to scores."""
        batch, length, width = x.shape
        bias = torch.einsum("hk,bkij->bhij", self.kin, related) + mask
        qkv = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        mixed = self.attend(q, k, v, bias)
        x = x + self.out(mixed.transpose(1, 2).flatten(2))
        out: Tensor = x + self.down(F.gelu(self.up(self.norm2(x))))
        return out


class DecisionCritics(nn.Module):
    """Q(s, d) - V(s) of every decision, in logits of two critics.

    It is a sum over the parts of a decision: kind, target and extra. All weights start at zero, so
    that Q(s, d) = V(s) at first, whatever V was trained to before.
    """

    def __init__(self, width: int) -> None:
        """Critics of tokens of this width."""
        super().__init__()
        self.kind_out = _zeros(2 * width, 2 * len(d.CHOICES))
        self.overview_out = _zeros(width, 2 * (len(d.DIRECTIONS) + 1 + len(d.VOCABULARY)))
        self.candidate_out = _zeros(width, 2 * 4)
        self.word_out = _zeros(width, 2 * 2)

    def forward(self, both: Tensor, overview: Tensor, words: Tensor, candidates: Tensor) -> Tensor:
        """[B, D, 2] in the order of `JudgedScores`, without the logits of V(s)."""
        kind = self.kind_out(both).unflatten(-1, (-1, 1, 2))
        direction, middle, vocabulary = (
            self.overview_out(overview)
            .unflatten(-1, (-1, 2))
            .split([len(d.DIRECTIONS), 1, len(d.VOCABULARY)], 1)
        )
        tap, hold, start, text = self.candidate_out(candidates).unflatten(-1, (4, 2)).unbind(2)
        begin, end = self.word_out(words).unflatten(-1, (2, 2)).unbind(2)
        swipes = torch.cat([middle, start], 1)[:, :, None] + direction[:, None]
        places, _ = _span_places(begin)
        spans = begin[:, :, None] + end[:, places]
        return torch.cat(
            [
                kind[:, d.TAP] + tap,
                kind[:, d.LONG_PRESS] + hold,
                kind[:, d.SWIPE] + swipes.flatten(1, 2),
                kind[:, d.TYPE] + torch.cat([spans.flatten(1, 2), text, vocabulary], 1),
                kind[:, d.TYPE + 1 :, 0],
            ],
            1,
        )


def _zeros(inputs: int, outputs: int) -> nn.Linear:
    """A linear layer of zeros."""
    # On the meta device no random numbers are drawn, so that a network with these critics has
    # otherwise the same initial weights as one without.
    linear = nn.Linear(inputs, outputs, device="meta").to_empty(device="cpu")
    nn.init.zeros_(linear.weight)
    nn.init.zeros_(linear.bias)
    return linear


def _span_places(begin: Tensor) -> tuple[Tensor, Tensor]:
    """[W, MAX_SPAN] index of the last word of each span, and whether it is inside the goal."""
    long = begin.shape[1]
    spots = torch.arange(long + d.MAX_SPAN, device=begin.device)
    places = spots[:long, None] + spots[None, : d.MAX_SPAN]
    return places.clamp(max=long - 1), places < long


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
        self.action_kinds = frozenset(Kind(name) for name in config.kinds or Kind)
        """What it may do; where nothing of it can be done, it waits."""
        self.constrained = config.constrained
        allowed = torch.tensor([kind in self.action_kinds for kind, _ in d.CHOICES])
        self.register_buffer("allowed", allowed, persistent=False)
        # Goal and labels share one projection, initialised orthogonal, so that it keeps angles:
        # similar meanings are similar vectors from the first update on.
        self.text_in = nn.Linear(DIMENSIONS, w)
        nn.init.orthogonal_(self.text_in.weight, gain=2.0)
        nn.init.zeros_(self.text_in.bias)
        self.word_in = nn.Linear(i.WORD_FEATURES, w)
        self.neighbours_in = nn.Linear(2 * w, w)
        self.feature_in = nn.Sequential(
            nn.Linear(i.CANDIDATE_FEATURES, w), nn.GELU(), nn.Linear(w, w)
        )
        # Crops in two stages, as a convolution without overlaps, at a fifth of its cost.
        self.patch_in = nn.Linear(_PATCH * _PATCH * 3, 24)
        self.block_in = nn.Linear(4 * 24, config.crop_width)
        self.crop_in = nn.Linear((i.CROP // _PATCH) ** 2 // 4 * config.crop_width, w)
        self.history_in = nn.Linear(i.HISTORY_FEATURES, w)
        self.overview_in = nn.Linear(i.GLOBAL_FEATURES, w)
        self.kinds = nn.Parameter(torch.zeros(3, w))
        self.blocks = nn.ModuleList(_Block(w, config.heads) for _ in range(config.layers))
        self.norm = nn.LayerNorm(w)
        self.kind_out = nn.Linear(2 * w, len(d.CHOICES))
        self.direction_out = nn.Linear(w, len(d.DIRECTIONS) + 1 + len(d.VOCABULARY))
        self.candidate_out = nn.Linear(w, 4)
        self.word_out = nn.Linear(w, 2)
        self.value_out = nn.Sequential(nn.Linear(2 * w, w), nn.GELU(), nn.Linear(w, 2))
        self.decision_critics = DecisionCritics(w) if decision_critics else None

    def _neighbours(self, said: Tensor) -> Tensor:
        """Projection of the words before and after each word, which delimit names."""
        before, after = F.pad(said, (0, 0, 1, 0))[:, :-1], F.pad(said, (0, 0, 0, 1))[:, 1:]
        out: Tensor = self.neighbours_in(torch.cat([before, after], -1))
        return out

    def _crops(self, crops: Tensor) -> Tensor:
        count, side = crops.shape[0] * crops.shape[1], i.CROP // _PATCH
        x = crops.float().div(255.0).sub(0.5).view(count, side, _PATCH, side, _PATCH, 3)
        patches = F.relu(self.patch_in(x.transpose(2, 3).flatten(3)))
        half = side // 2
        blocks = patches.view(count, half, 2, half, 2, -1).transpose(2, 3).flatten(3)
        out: Tensor = self.crop_in(F.relu(self.block_in(blocks)).flatten(1))
        return out.view(*crops.shape[:2], -1)

    def forward(self, b: Batch) -> Scores:
        """Scores of a batch of B situations."""
        said = self.text_in(b.words)
        words = self.word_in(b.word_features) + said + self._neighbours(said) + self.kinds[0]
        history = self.history_in(b.history) + self.text_in(b.trail) + self.kinds[1]
        # A masked mean: padded words are not zero, since the projection has a bias.
        goal = (said * b.word_mask[..., None]).sum(1) / b.word_mask.sum(1, keepdim=True)
        overview = (self.overview_in(b.overview) + goal)[:, None] + self.kinds[2]
        candidates = self.text_in(b.labels) + self.feature_in(b.features) + self._crops(b.crops)
        x = torch.cat([overview, history, words, candidates], 1)
        seen = torch.ones(x.shape[0], 1 + b.history.shape[1], dtype=torch.bool, device=x.device)
        mask = torch.cat([seen, b.word_mask, b.mask], 1)[:, None, None, :]
        mask = torch.zeros_like(mask, dtype=x.dtype).masked_fill(~mask, _NEVER)
        related = _relations(b, x.shape[1])
        for block in self.blocks:
            x = block(x, related, mask)
        x = self.norm(x)
        first = 1 + b.history.shape[1]
        last = first + b.words.shape[1]
        return self._scores(b, x[:, 0], x[:, first:last], x[:, last:])

    def _scores(self, b: Batch, overview: Tensor, words: Tensor, candidates: Tensor) -> Scores:
        # Clamped for screens without any candidate.
        filled = b.mask[..., None].float()
        pooled = (candidates * filled).sum(1) / filled.sum(1).clamp(min=1.0)
        both = torch.cat([overview, pooled], -1)
        constrained = self.constrained
        touchable = b.mask & b.enabled if constrained else b.mask
        can_type = b.typing if constrained else torch.ones_like(b.typing)
        kind = _masked(self.kind_out(both), _possible_kinds(self.allowed, touchable, can_type))
        extra = self.direction_out(overview)
        directions = len(d.DIRECTIONS)
        per = self.candidate_out(candidates)
        tap, long_press = _masked(per[..., 0], touchable), _masked(per[..., 1], touchable)
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
            start=_masked(start, start_mask),
            direction=F.log_softmax(extra[:, :directions], dim=-1),
            text=text,
            values=self.value_out(both),
            invalid=invalid,
        )
        if self.decision_critics is None:
            return scores
        judged = self.decision_critics(both, overview, words, candidates)
        return _judged(scores, scores.values[:, None] + judged)

    def _text_scores(self, b: Batch, words: Tensor, labels: Tensor, vocabulary: Tensor) -> Tensor:
        ends = self.word_out(words)
        begin, end = ends[..., 0], ends[..., 1]
        places, inside = _span_places(begin)
        spans = begin[:, :, None] + end[:, places]
        span_mask = b.word_mask[:, :, None] & b.word_mask[:, places] & inside
        # Only texts that exist can be typed: "has text" is the last of the features of state, which
        # follow the role.
        has_text = b.mask & (b.features[..., len(i.ROLES) + 5] > 0)
        scores = torch.cat([spans.flatten(1), labels, vocabulary], 1)
        mask = torch.cat(
            [span_mask.flatten(1), has_text, torch.ones_like(vocabulary, dtype=torch.bool)], 1
        )
        return _masked(scores, mask)


def _judged(scores: Scores, judged: Tensor) -> JudgedScores:
    # Detached: the loss of the critics must not change the policy.
    probs = listed_probs(scores).detach()
    expected = (probs[..., None] * torch.sigmoid(judged)).sum(1).clamp(_LEAST, 1 - _LEAST)
    parts = {field.name: getattr(scores, field.name) for field in fields(Scores)}
    return JudgedScores(**{**parts, "values": torch.logit(expected)}, judged=judged)
