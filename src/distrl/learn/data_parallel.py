"""One update shared by several processes, each of which looks at some of the steps.

    every process    the same batch, the same losses
    process k        passes every n-th step through the network, with gradients
    all together     outputs are put together before the losses, gradients after them

So any algorithm learns exactly as in one process: it sees the whole batch, and its gradient is the
sum of what each process contributes. It needs an `accelerate.Accelerator`, on any devices.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from distrl.learn.model import Evaluated, Evaluation, Model, WrappedModel


def without_data_parallel(model: Model) -> Model:
    """The same weights, for a pass that this process makes alone."""
    return model.inner if isinstance(model, DataParallelModel) else model


class DataParallelModel(WrappedModel):
    """A model whose steps are looked at by all processes of an accelerator together."""

    def __init__(self, model: Model, accelerator: Any) -> None:
        """Every process gives the same model with the same weights."""
        super().__init__(model)
        self._accelerator = accelerator

    def evaluate(self, inputs: Sequence[Any], decisions: Sequence[tuple[int, ...]]) -> Evaluated:
        """Look at stored steps again: some here, the others elsewhere."""
        mine = self._mine(len(inputs))
        rows = self._passed(mine, len(inputs))
        seen = self.inner.evaluate([inputs[k] for k in rows], [decisions[k] for k in rows])
        parts = (seen.log_prob, seen.entropy, seen.invalid, seen.value_logits)
        log_prob, entropy, invalid, values = (self._whole(p, mine, len(inputs)) for p in parts)
        return Evaluation(log_prob, entropy, invalid, values)

    def goal_logits(self, inputs: Sequence[Any]) -> Tensor:
        """How likely each step's goal is to be reached at all."""
        mine = self._mine(len(inputs))
        logits = self.inner.goal_logits([inputs[k] for k in self._passed(mine, len(inputs))])
        return self._whole(logits, mine, len(inputs))

    def _mine(self, count: int) -> list[int]:
        return list(range(self._accelerator.process_index, count, self._accelerator.num_processes))

    def _passed(self, mine: list[int], count: int) -> list[int]:
        """As many steps as everybody passes: nobody waits for one that has fewer."""
        most = -(-count // self._accelerator.num_processes)
        return mine + [0] * (most - len(mine))

    def _whole(self, part: Tensor, mine: Sequence[int], count: int) -> Tensor:
        """All rows of all processes; those of this one have gradients."""
        rows = torch.tensor(list(mine), dtype=torch.long, device=part.device)
        own = part[: len(mine)]
        empty = part.new_zeros(count, *part.shape[1:])
        numbers = empty.index_copy(0, rows, own.detach())
        everywhere: Tensor = self._accelerator.reduce(numbers, reduction="sum")
        # Adds nothing but the gradient of the rows that were looked at here.
        return everywhere + empty.index_add(0, rows, own - own.detach())

    def gather_gradients(self) -> None:
        """Add up what all processes contribute, after a backward pass."""
        for weight in self.parameters():
            if weight.grad is None:
                weight.grad = torch.zeros_like(weight)
            weight.grad.copy_(self._accelerator.reduce(weight.grad, reduction="sum"))

    def __deepcopy__(self, memo: dict[int, Any]) -> DataParallelModel:
        """Weights of its own, and the same processes."""
        return DataParallelModel(copy.deepcopy(self.inner, memo), self._accelerator)
