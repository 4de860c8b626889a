"""Data-parallel updates (DDP): each process passes a part of the batch through the network.

    every process    samples the same batch and computes the same losses
    process k        runs every n-th step through the network, with gradients
    all-reduce       of the outputs before the losses, and of the gradients after backward

Unlike torch's DistributedDataParallel, losses are computed over the whole batch, so that any
algorithm learns exactly as in one process. It needs an `accelerate.Accelerator`, on any devices.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from distrl.learn.model import Evaluated, Evaluation, Model, WrappedModel


def without_data_parallel(model: Model) -> Model:
    """The wrapped model, for a pass that only this process makes; other models as they are."""
    return model.inner if isinstance(model, DataParallelModel) else model


class DataParallelModel(WrappedModel):
    """A model whose passes are divided among all processes of an accelerator."""

    def __init__(self, model: Model, accelerator: Any) -> None:
        """Wrap a model that has the same weights in every process."""
        super().__init__(model)
        self._accelerator = accelerator

    def evaluate(self, inputs: Sequence[Any], decisions: Sequence[tuple[int, ...]]) -> Evaluated:
        """Evaluate stored steps; only the rows that this process passes carry gradients."""
        mine = self._own_rows(len(inputs))
        rows = self._padded_rows(mine, len(inputs))
        seen = self.inner.evaluate([inputs[k] for k in rows], [decisions[k] for k in rows])
        parts = (seen.log_prob, seen.entropy, seen.invalid, seen.value_logits)
        log_prob, entropy, invalid, values = (
            self._all_reduce_rows(p, mine, len(inputs)) for p in parts
        )
        return Evaluation(log_prob, entropy, invalid, values)

    def goal_logits(self, inputs: Sequence[Any]) -> Tensor:
        """Logits of V_goal, divided and all-reduced like `evaluate`."""
        mine = self._own_rows(len(inputs))
        logits = self.inner.goal_logits([inputs[k] for k in self._padded_rows(mine, len(inputs))])
        return self._all_reduce_rows(logits, mine, len(inputs))

    def _own_rows(self, count: int) -> list[int]:
        return list(range(self._accelerator.process_index, count, self._accelerator.num_processes))

    def _padded_rows(self, mine: list[int], count: int) -> list[int]:
        """Own rows, padded with row 0 so that every process passes equally many."""
        # Sharded layers (FSDP) are gathered by all processes at every call: one that makes fewer
        # passes than the others would leave them waiting forever.
        most = -(-count // self._accelerator.num_processes)
        return mine + [0] * (most - len(mine))

    def _all_reduce_rows(self, part: Tensor, mine: Sequence[int], count: int) -> Tensor:
        """[count, ...] the rows of all processes; only those of this one carry gradients."""
        rows = torch.tensor(list(mine), dtype=torch.long, device=part.device)
        own = part[: len(mine)]
        empty = part.new_zeros(count, *part.shape[1:])
        numbers = empty.index_copy(0, rows, own.detach())
        everywhere: Tensor = self._accelerator.reduce(numbers, reduction="sum")
        # all-reduce is not differentiable here. The second term is 0 in value and adds only the
        # gradient of the own rows, so that the sum over processes is the gradient of the batch.
        return everywhere + empty.index_add(0, rows, own - own.detach())

    def all_reduce_gradients(self) -> None:
        """Sum the gradients over all processes; call it after every backward pass."""
        for weight in self.parameters():
            # A weight unused by the own rows has no gradient, yet all processes must join in.
            if weight.grad is None:
                weight.grad = torch.zeros_like(weight)
            weight.grad.copy_(self._accelerator.reduce(weight.grad, reduction="sum"))

    def __deepcopy__(self, memo: dict[int, Any]) -> DataParallelModel:
        """A copy with weights of its own in the same processes."""
        return DataParallelModel(copy.deepcopy(self.inner, memo), self._accelerator)
