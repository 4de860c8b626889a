"""Data-parallel updates with remote gradient workers that are stateless and may come and go.

    learner   splits the rows (steps) of a pass, computes one part itself, owns losses and weights
    workers   run the forward pass of the other parts, later the backward pass, on the same weights

Unlike the processes of `data_parallel`, workers hold no replay buffer and no optimiser. If one is
lost, the learner computes its part itself, so any algorithm learns exactly as without workers. Two
autograd nodes around the learner's own pass overlap its work with that of the workers:

    _GatherGradients        first in forward, so last in backward: waits for the workers' gradients
    own pass
    _SendOutputGradients    last in forward, so first in backward: starts the workers' backward pass
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor

from distrl.errors import DistrlError
from distrl.learn.model import Evaluated, Evaluation, Model, WrappedModel


class GradientWorkerLost(DistrlError):  # noqa: N818 - the name says what happened
    """No answer will come from this worker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkItem:
    """The part of one pass that a worker computes."""

    number: int
    """Unique among the work items of a learner."""
    model_number: int
    """Which of the learner's models to use: 0 is the policy, others its copies, such as the EMA."""
    inputs: tuple[bytes, ...]
    decisions: tuple[tuple[int, ...], ...]
    needs_grad: bool
    """Whether a backward pass will follow."""


class GradientWorker(Protocol):
    """Runs forward and backward passes elsewhere.

    Both calls return at once. What they return blocks until the answer is there, and raises
    GradientWorkerLost if none comes or if it has the wrong shape.
    """

    def forward(self, work_item: WorkItem, weights: Mapping[str, Tensor]) -> Callable[[], Tensor]:
        """Start a forward pass with these weights; its result is that of `stack_outputs`."""
        ...

    def backward(
        self,
        work_item: WorkItem,
        weights: Mapping[str, Tensor],
        output_gradients: Tensor,
        shapes: Sequence[torch.Size],
    ) -> Callable[[], Sequence[Tensor]]:
        """Start a backward pass; its result is the gradients of the trained weights.

        `output_gradients` are those of the result of `forward`, `shapes` those of the weights.
        """
        ...


class GradientWorkers(Protocol):
    """The pool of gradient workers."""

    def workers(self) -> Sequence[GradientWorker]:
        """Workers that accept work items now."""
        ...


OUTPUTS = 5
"""Columns of `stack_outputs`."""


def stack_outputs(seen: Evaluated) -> Tensor:
    """[S, 5] log-probability, entropy, invalid mass and two value logits of every step."""
    one_each = torch.stack((seen.log_prob, seen.entropy, seen.invalid), dim=1)
    return torch.cat((one_each, seen.value_logits), dim=1)


def unstack_outputs(outputs: Tensor) -> Evaluation:
    """The inverse of `stack_outputs`."""
    return Evaluation(outputs[:, 0], outputs[:, 1], outputs[:, 2], outputs[:, 3:])


def split_rows(count: int, among: int) -> list[list[int]]:
    """Row numbers for each of `among` workers: every n-th row, and no empty part."""
    return [list(range(first, count, among)) for first in range(min(count, among))]


class WorkItemRunner:
    """The worker's side: runs work items on its own copies of the learner's models."""

    def __init__(self, model: Model, unpack: Callable[[bytes], Any]) -> None:
        """`model` has the learner's architecture; its weights arrive with the work items."""
        self._models, self._unpack = {0: model}, unpack
        self._digests: dict[int, str] = {}
        self._graphs: dict[int, tuple[int, Tensor]] = {}
        """Outputs whose backward pass is still to come, with their model: by work item."""

    def has(self, number: int, digest: str) -> bool:
        """Whether the copy of a model already has the weights with this digest."""
        return self._digests.get(number) == digest

    def load(self, number: int, weights: Mapping[str, Tensor], digest: str) -> None:
        """Load weights into the copy of a model, which is created at its first use."""
        if number not in self._models:
            self._models[number] = copy.deepcopy(self._models[0])
        self._models[number].load_state_dict(dict(weights))
        self._digests[number] = digest
        # The weights changed in place under these graphs, so autograd would refuse them; `backward`
        # repeats the forward pass where a graph is missing.
        self._graphs = {k: kept for k, kept in self._graphs.items() if kept[0] != number}

    def forward(self, work_item: WorkItem) -> Tensor:
        """Outputs of the steps, without their graph, which stays here for `backward`."""
        with torch.set_grad_enabled(work_item.needs_grad):
            outputs = self._pass(work_item)
        if work_item.needs_grad:
            self._graphs[work_item.number] = work_item.model_number, outputs
        return outputs.detach()

    def backward(self, work_item: WorkItem, output_gradients: Tensor) -> list[Tensor]:
        """Gradients of the trained weights, in the order of `parameters`."""
        kept = self._graphs.pop(work_item.number, None)
        with torch.enable_grad():
            outputs = self._pass(work_item) if kept is None else kept[1]
        model = self._models[work_item.model_number]
        return weight_gradients(outputs, model, output_gradients.to(outputs.device))

    def _pass(self, work_item: WorkItem) -> Tensor:
        inputs = [self._unpack(data) for data in work_item.inputs]
        return stack_outputs(
            self._models[work_item.model_number].evaluate(inputs, work_item.decisions)
        )


def weight_gradients(outputs: Tensor, model: Model, output_gradients: Tensor) -> list[Tensor]:
    """Backpropagate the gradients of outputs to a model's weights; 0 for unused weights."""
    weights = list(model.parameters())
    found = torch.autograd.grad(outputs, weights, output_gradients, allow_unused=True)
    pairs = zip(weights, found, strict=True)
    return [torch.zeros_like(weight) if one is None else one for weight, one in pairs]


@dataclass(frozen=True, slots=True)
class _Rows:
    """Some of the steps of a pass."""

    inputs: tuple[Any, ...]
    decisions: tuple[tuple[int, ...], ...]

    @classmethod
    def of(
        cls, rows: Sequence[int], inputs: Sequence[Any], decisions: Sequence[tuple[int, ...]]
    ) -> _Rows:
        return cls(tuple(inputs[k] for k in rows), tuple(decisions[k] for k in rows))


class RemoteGradientModel(WrappedModel):
    """A model whose passes are shared by the learner and the workers there are at the moment."""

    def __init__(
        self,
        model: Model,
        gradient_workers: GradientWorkers,
        pack: Callable[[Any], bytes],
        *,
        numbers: Iterator[int] | None = None,
    ) -> None:
        """`pack` encodes inputs as bytes; `numbers` yields the ids of work items and copies."""
        super().__init__(model)
        self._gradient_workers, self._pack = gradient_workers, pack
        # From 1 on: 0 is the original, and a copy with its number would overwrite its weights at
        # the workers with every pass.
        self._numbers = itertools.count(1) if numbers is None else numbers
        self._model_number = 0 if numbers is None else next(numbers)

    def evaluate(self, inputs: Sequence[Any], decisions: Sequence[tuple[int, ...]]) -> Evaluated:
        """Evaluate stored steps: some rows here, the others at the workers."""
        workers = self._gradient_workers.workers()
        own_rows, *remote_rows = split_rows(len(inputs), 1 + len(workers)) or [[]]
        if not remote_rows:
            return self.inner.evaluate(inputs, decisions)
        needs_grad = torch.is_grad_enabled()
        parts = [_Rows.of(rows, inputs, decisions) for rows in remote_rows]
        # All work items are sent before the own pass starts, so that everybody computes at once.
        pending = [
            _Pending(self.inner, worker, self._work_item(part, needs_grad=needs_grad), part)
            for worker, part in zip(workers, parts, strict=False)
        ]
        gate = _gather_gradients(pending, *self.inner.parameters()) if needs_grad else None
        mine = _Rows.of(own_rows, inputs, decisions)
        own = stack_outputs(self.inner.evaluate(mine.inputs, mine.decisions))
        remote = torch.cat([one.outputs().to(own) for one in pending])
        if gate is not None:
            remote = _send_output_gradients(pending, remote, gate)
        # Outputs are grouped by worker here; the caller gets them in the order of its inputs.
        order = torch.tensor([*own_rows, *itertools.chain(*remote_rows)], device=own.device)
        return unstack_outputs(torch.cat((own, remote))[order.argsort()])

    def _work_item(self, rows: _Rows, *, needs_grad: bool) -> WorkItem:
        return WorkItem(
            number=next(self._numbers),
            model_number=self._model_number,
            inputs=tuple(self._pack(step) for step in rows.inputs),
            decisions=rows.decisions,
            needs_grad=needs_grad,
        )

    def goal_logits(self, inputs: Sequence[Any]) -> Tensor:
        """Logits of V_goal, computed here: one row per episode is not worth sending."""
        return self.inner.goal_logits(inputs)

    def __deepcopy__(self, memo: dict[int, Any]) -> RemoteGradientModel:
        """A copy with weights of its own that uses the same workers."""
        twin = copy.deepcopy(self.inner, memo)
        return RemoteGradientModel(twin, self._gradient_workers, self._pack, numbers=self._numbers)


class _Pending:
    """A work item that was sent; if its worker is lost, it is computed locally."""

    def __init__(
        self, model: Model, worker: GradientWorker, work_item: WorkItem, rows: _Rows
    ) -> None:
        self._model, self._worker, self._work_item, self._rows = model, worker, work_item, rows
        self._weights = model.state_dict()
        self._wait_for_outputs = worker.forward(work_item, self._weights)

    @property
    def count(self) -> int:
        return len(self._rows.inputs)

    def outputs(self) -> Tensor:
        try:
            return self._wait_for_outputs()
        except GradientWorkerLost:
            # No graph: the gradients of these rows come from `gradients`, never through autograd.
            with torch.no_grad():
                return self._compute_locally()

    def start_backward(self, output_gradients: Tensor) -> None:
        self._output_gradients = output_gradients
        shapes = [weight.shape for weight in self._model.parameters()]
        self._wait_for_gradients = self._worker.backward(
            self._work_item, self._weights, output_gradients, shapes
        )

    def gradients(self) -> Sequence[Tensor]:
        try:
            return self._wait_for_gradients()
        except GradientWorkerLost:
            # Autograd runs `backward` of a Function without gradients; this pass needs its own.
            with torch.enable_grad():
                outputs = self._compute_locally()
                return weight_gradients(outputs, self._model, self._output_gradients)

    def _compute_locally(self) -> Tensor:
        return stack_outputs(self._model.evaluate(self._rows.inputs, self._rows.decisions))


class _GatherGradients(torch.autograd.Function):
    """Depends on all weights; its backward returns the gradients that workers computed."""

    @staticmethod
    def forward(ctx: Any, pending: list[_Pending], *weights: Tensor) -> Tensor:
        ctx.pending, ctx.devices = pending, [weight.device for weight in weights]
        return torch.zeros((), device=weights[0].device)

    @staticmethod
    def backward(ctx: Any, gate: Tensor) -> tuple[Tensor | None, ...]:
        del gate  # carries no value: the edge only makes autograd run this node last
        each = zip(*(one.gradients() for one in ctx.pending), strict=True)
        return None, *(_sum(parts, device) for device, parts in zip(ctx.devices, each, strict=True))


def _sum(parts: Sequence[Tensor], device: torch.device) -> Tensor:
    return torch.stack([part.to(device) for part in parts]).sum(0)


class _SendOutputGradients(torch.autograd.Function):
    """Returns the workers' outputs; its backward starts their backward passes."""

    @staticmethod
    def forward(ctx: Any, pending: list[_Pending], outputs: Tensor, gate: Tensor) -> Tensor:
        ctx.pending = pending
        ctx.device = gate.device
        return outputs.clone()

    @staticmethod
    def backward(ctx: Any, output_gradients: Tensor) -> tuple[Tensor | None, ...]:
        parts = torch.split(output_gradients, [one.count for one in ctx.pending])
        for one, part in zip(ctx.pending, parts, strict=True):
            one.start_backward(part)
        return None, None, torch.zeros((), device=ctx.device)


_gather_gradients: Callable[..., Tensor] = _GatherGradients.apply
_send_output_gradients: Callable[..., Tensor] = _SendOutputGradients.apply
