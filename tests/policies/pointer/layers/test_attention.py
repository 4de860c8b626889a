"""Gradients that are written out, against those of autograd."""

from __future__ import annotations

import pytest
import torch
from tests.policies.pointer.fakes import make_preparer, random_situation

from distrl.policies.pointer.batch import Batch, collate
from distrl.policies.pointer.layers.attention import (
    RELATIONS,
    attend,
    attend_to_learn,
    plan_attention,
    plan_gradient,
)

HEADS, WIDTH = 3, 8


def batch_of(count: int) -> Batch:
    preparer = make_preparer()
    inputs = [preparer.prepare(random_situation(seed)) for seed in range(count)]
    return collate(inputs, to_learn=True)


def some(batch: Batch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Queries, keys and values of all rows; biases; a gradient that spare rows have none of."""
    torch.manual_seed(0)
    rows = batch.places.shape[0]
    upstream = torch.randn(rows * HEADS, WIDTH)
    upstream[sum(int(group.seen.sum()) for group in batch.groups) * HEADS :] = 0.0
    return torch.randn(rows * 3 * HEADS, WIDTH), torch.randn(HEADS, RELATIONS), upstream


@pytest.mark.parametrize("count", [1, 2, 5, 9])
def test_learning_gives_the_outputs_and_gradients_of_autograd(count: int) -> None:
    batch = batch_of(count)
    plan = plan_attention(batch, HEADS)
    gradient = plan_gradient(batch, plan, HEADS)
    qkv, kin, upstream = some(batch)
    results = []
    for learn in (False, True):
        x, bias = qkv.clone().requires_grad_(), kin.clone().requires_grad_()
        out = attend_to_learn(x, bias, plan, gradient) if learn else attend(x, bias, plan)
        results.append((out, *torch.autograd.grad(out, [x, bias], upstream)))
    assert torch.equal(results[0][0], results[1][0])
    for theirs, ours in zip(results[0][1:], results[1][1:], strict=True):
        assert theirs.abs().max() > 0.1
        torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-5)


def test_a_batch_of_several_groups_has_padding_and_spare_rows() -> None:
    batch = batch_of(9)
    gradient = plan_gradient(batch, plan_attention(batch, HEADS), HEADS)
    assert len(batch.groups) > 1
    assert not gradient.seen.all()
    assert gradient.rows < batch.places.shape[0]
