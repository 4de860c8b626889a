"""Attention among the tokens of each situation, in groups of situations of similar length.

    rows [R] --gather--> queries, keys and values of each group, [G * heads, L, width] each
                         softmax(q k / sqrt(width) + bias) v
    rows [R] <--gather-- outputs of all groups

The bias of a pair of tokens is the sum of what a head has learned of the relations between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone uses
from torch import Tensor

from distrl.policies.pointer import inputs as i
from distrl.policies.pointer.batch import Batch, Group
from distrl.policies.pointer.scores import NEVER, spread

RELATIONS = 3
"""Relations of two tokens that heads have a bias for: linked by a goal word, in one row of the
screen, alike in meaning. Being masked is one more, which every head minds alike."""


class GroupPlan(NamedTuple):
    """What the tokens of one group have to do with each other."""

    related: Tensor
    """[G, RELATIONS + 1, L * L] pairs of tokens: linked by a goal word, in one row of the screen,
    alike in meaning, masked."""
    length: int

    @property
    def size(self) -> int:
        """Tokens of the group, padding included."""
        return self.related.shape[0] * self.length


class AttentionPlan(NamedTuple):
    """How the rows of a batch attend to each other: the same in every block."""

    groups: list[GroupPlan]
    gather: Tensor
    """[3 * heads * T] of all groups: queries, keys and values of its lines, heads and tokens, as
    places among those of the rows, [R, 3, heads]."""
    back: Tensor
    """[R * heads] where the output of each row and head stands among those of the groups."""


class GradientPlan(NamedTuple):
    """The way back of an `AttentionPlan`.

    A row stands at one place of one group, so the gradient of a gather is another gather. Autograd
    cannot know that: it fills a gradient of all rows with zeros for every group, and adds them up.
    """

    ungather: Tensor
    """[R * 3 * heads] where each query, key and value of the rows was gathered to."""
    rows: int
    """Rows that are tokens; those behind them are spare and have no gradient."""
    outputs: Tensor
    """[heads * T] row and head of each output."""
    seen: Tensor
    """[heads * T, 1] 0 on outputs that are no row's, else 1."""


def plan_attention(b: Batch, heads: int) -> AttentionPlan:
    """The plan of a batch."""
    # NaN where a token is no candidate: it compares as False with everything.
    first = b.overview.shape[0] * (1 + i.HISTORY)
    around = (0, 0, first, b.word_features.shape[0])
    boxes = F.pad(b.features[:, [i.MIDDLE, i.HEIGHT]], around, value=torch.nan)
    part = torch.arange(3 * heads, device=boxes.device).view(3, 1, heads, 1)
    groups, gather, back = [], [], []
    before = 0
    for group in b.groups:
        groups.append(GroupPlan(_relations(group, boxes), group.tokens.shape[1]))
        gather.append((group.tokens[:, None] * (3 * heads) + part).flatten())
        back.append(before * heads + _places(group, heads))
        before += groups[-1].size
    return AttentionPlan(
        groups, torch.cat(gather), torch.cat(back).index_select(0, b.places).flatten()
    )


def plan_gradient(b: Batch, plan: AttentionPlan, heads: int) -> GradientPlan:
    """The way back of a batch's plan."""
    head = torch.arange(heads, device=b.places.device)
    ungather, outputs, seen = [], [], []
    before = 0
    for group, planned in zip(b.groups, plan.groups, strict=True):
        # Before a group stand three times as many places as tokens; then its queries, keys, values.
        part = (3 * before + torch.arange(3, device=head.device) * planned.size) * heads
        ungather.append(_places(group, heads)[:, None] + part[:, None])
        outputs.append((group.tokens[:, None] * heads + head[:, None]).flatten())
        seen.append(group.seen[:, None].expand(-1, heads, -1).flatten())
        before += planned.size
    return GradientPlan(
        torch.cat(ungather).index_select(0, b.places).flatten(),
        b.overview.shape[0] * (1 + i.HISTORY) + b.features.shape[0] + b.word_features.shape[0],
        torch.cat(outputs),
        torch.cat(seen).float()[:, None],
    )


def attend(qkv: Tensor, kin: Tensor, plan: AttentionPlan) -> Tensor:
    """Rows [R * heads, width of a head] of what the rows [R * 3 * heads, width] attend to.

    `kin` [heads, RELATIONS] is the bias of each head for each relation.
    """
    gathered = qkv.index_select(0, plan.gather)
    bias = _with_mask(kin)
    mixed = [
        torch.bmm(_weights(q, k, bias, group), v).view(-1, qkv.shape[-1])
        for group, (q, k, v), _ in _each(plan, gathered)
    ]
    return torch.cat(mixed).index_select(0, plan.back)


class _Attend(torch.autograd.Function):
    """`attend` with its gradient by a `GradientPlan`."""

    @staticmethod
    def forward(
        ctx: Any, qkv: Tensor, kin: Tensor, plan: AttentionPlan, gradient: GradientPlan
    ) -> Tensor:
        gathered = qkv.index_select(0, plan.gather)
        out = gathered.new_empty(gathered.shape[0] // 3, gathered.shape[1])
        bias, weights = _with_mask(kin), []
        for group, (q, k, v), part in _each(plan, gathered):
            weights.append(_weights(q, k, bias, group))
            torch.bmm(weights[-1], v, out=out[part].view_as(q))
        ctx.save_for_backward(gathered, *weights)
        ctx.plan, ctx.gradient, ctx.heads = plan, gradient, kin.shape[0]
        return out.index_select(0, plan.back)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, None, None]:
        gathered, *weights = ctx.saved_tensors
        gradient: GradientPlan = ctx.gradient
        d_out = grad.index_select(0, gradient.outputs).mul_(gradient.seen)
        d_gathered = torch.empty_like(gathered)
        d_kin = grad.new_zeros(ctx.heads, RELATIONS)
        ours, theirs = _each(ctx.plan, gathered), _each(ctx.plan, d_gathered)
        for weight, (group, (q, k, v), part), (_, (d_q, d_k, d_v), _) in zip(
            weights, ours, theirs, strict=True
        ):
            d_o = d_out[part].view_as(q)
            torch.bmm(weight.mT, d_o, out=d_v)
            d_scores = torch.ops.aten._softmax_backward_data(
                torch.bmm(d_o, v.mT), weight, -1, weight.dtype
            )
            scale = q.shape[-1] ** -0.5
            torch.baddbmm(d_q, d_scores, k, beta=0.0, alpha=scale, out=d_q)
            torch.baddbmm(d_k, d_scores.mT, q, beta=0.0, alpha=scale, out=d_k)
            pairs = d_scores.view(group.related.shape[0], ctx.heads, -1)
            d_kin += torch.bmm(pairs, group.related[:, :RELATIONS].mT).sum(0)
        d_qkv = d_gathered.index_select(0, gradient.ungather)
        d_qkv[gradient.rows * 3 * ctx.heads :] = 0.0
        return d_qkv, d_kin, None, None


attend_to_learn: Callable[[Tensor, Tensor, AttentionPlan, GradientPlan], Tensor] = _Attend.apply
"""`attend` for learning: the same numbers, and gradients without sums over all rows."""


def _each(
    plan: AttentionPlan, gathered: Tensor
) -> Iterator[tuple[GroupPlan, tuple[Tensor, Tensor, Tensor], slice]]:
    """Each group with its queries, keys and values, and where its outputs stand."""
    width, heads = gathered.shape[-1], gathered.shape[0] // 3
    heads //= sum(group.size for group in plan.groups)
    start = 0
    for group in plan.groups:
        end = start + group.size * heads
        q, k, v = gathered[3 * start : 3 * end].view(3, -1, group.length, width).unbind(0)
        yield group, (q, k, v), slice(start, end)
        start = end


def _weights(q: Tensor, k: Tensor, bias: Tensor, group: GroupPlan) -> Tensor:
    """Attention weights [G * heads, L, L]."""
    # In elementary operations: the fused one has no gradient of its bias.
    biases = torch.bmm(bias.expand(group.related.shape[0], -1, -1), group.related)
    biases = biases.view(-1, group.length, group.length)
    return torch.baddbmm(biases, q, k.mT, alpha=q.shape[-1] ** -0.5).softmax(-1)


def _with_mask(kin: Tensor) -> Tensor:
    """[heads, RELATIONS + 1]: the mask is a relation that every head minds alike."""
    return torch.cat([kin, torch.ones_like(kin[:, :1])], 1)


def _places(group: Group, heads: int) -> Tensor:
    """[G * L, heads] where each token and head of a group stands among its lines and heads."""
    size, length = group.tokens.shape
    device = group.tokens.device
    lines = torch.arange(size, device=device).view(-1, 1, 1) * (heads * length)
    places = torch.arange(length, device=device).view(1, -1, 1)
    head = torch.arange(heads, device=device)
    return (lines + places + head * length).view(-1, heads)


def _relations(group: Group, boxes: Tensor) -> Tensor:
    """[G, RELATIONS + 1, L * L] as of a `GroupPlan`; `boxes` are middle and height of all rows."""
    middle, height = spread(boxes, group.tokens).unbind(-1)
    away = (middle[:, :, None] - middle[:, None, :]).abs()
    beside = (away <= height[:, None, :] / 2) & (height < i.TALLEST_ROW)[:, None]
    masked = torch.zeros_like(middle).masked_fill(~group.seen, NEVER)
    pairs = [
        group.linked.float(),
        beside.float(),
        group.alike,
        masked[:, None].expand_as(away),
    ]
    return torch.stack(pairs, 1).flatten(2)
