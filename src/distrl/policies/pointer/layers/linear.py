"""A linear layer that learns with oneDNN on processors.

torch multiplies single precision with MKL, which does without the widest instructions of processors
of other makers: oneDNN takes half of its time there. It is in every wheel of torch for x86, but
torch itself uses it for lower precisions only. oneDNN compiles a program for every size that it
meets, so it pays where sizes return: in batches to learn from, whose rows are rounded up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone uses
from torch import Tensor, nn

_HAS_ONEDNN = torch._C._has_mkldnn and hasattr(torch.ops.mkldnn, "_linear_pointwise")


def _multiply(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """X @ weight.T + bias; all may be strided."""
    product: Tensor = torch.ops.mkldnn._linear_pointwise(x, weight, bias, "none", [], "")
    return product


class _OnednnLinear(torch.autograd.Function):
    """`F.linear` of rows, and its gradients, by oneDNN."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        ctx.save_for_backward(x, weight)
        return _multiply(x, weight, bias)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        x, weight = ctx.saved_tensors
        return _multiply(grad, weight.t()), _gradient_of_weight(grad, x), grad.sum(0)


def _gradient_of_weight(grad: Tensor, x: Tensor) -> Tensor:
    """`grad.T @ x`."""
    # The first factor is copied to be contiguous, so the narrower one comes first.
    if grad.shape[1] <= x.shape[1]:
        return _multiply(grad.t(), x.t())
    return _multiply(x.t(), grad.t()).t()


_apply: Callable[[Tensor, Tensor, Tensor], Tensor] = _OnednnLinear.apply


def zero_linear(inputs: int, outputs: int) -> nn.Linear:
    """A linear layer of zeros."""
    # On the meta device no random numbers are drawn, so that a network with such layers has
    # otherwise the same initial weights as one without.
    linear = nn.Linear(inputs, outputs, device="meta").to_empty(device="cpu")
    nn.init.zeros_(linear.weight)
    nn.init.zeros_(linear.bias)
    return linear


class Linear(nn.Linear):
    """`nn.Linear` of rows [R, inputs]."""

    def forward(self, x: Tensor) -> Tensor:
        """Rows [R, outputs]."""
        if _HAS_ONEDNN and torch.is_grad_enabled() and x.device.type == "cpu":
            return _apply(x, self.weight, self.bias)
        return F.linear(x, self.weight, self.bias)
