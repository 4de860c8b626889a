"""The layer against torch's own."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from distrl.policies.pointer.layers.linear import Linear


@pytest.mark.parametrize("rows", [1, 7, 64])
def test_products_and_gradients_are_those_of_torch(rows: int) -> None:
    torch.manual_seed(rows)
    ours = Linear(24, 40)
    theirs = nn.Linear(24, 40)
    theirs.load_state_dict(ours.state_dict())
    inputs = [torch.randn(rows, 24).requires_grad_() for _ in range(2)]
    inputs[1].data.copy_(inputs[0].data)
    for layer, x in zip((ours, theirs), inputs, strict=True):
        layer(x).square().sum().backward()
    torch.testing.assert_close(ours(inputs[0]), theirs(inputs[1]))
    torch.testing.assert_close(inputs[0].grad, inputs[1].grad, atol=1e-4, rtol=1e-5)
    torch.testing.assert_close(ours.weight.grad, theirs.weight.grad, atol=1e-4, rtol=1e-5)
    torch.testing.assert_close(ours.bias.grad, theirs.bias.grad, atol=1e-4, rtol=1e-5)


def test_without_gradients_it_is_torch_s_own() -> None:
    layer, x = Linear(24, 40), torch.randn(5, 24)
    with torch.no_grad():
        assert torch.equal(layer(x), nn.functional.linear(x, layer.weight, layer.bias))
