"""One update to which workers contribute who know nothing of it: they pass steps on request.

    learner     splits the steps of a pass and looks at one share itself; losses and weights are its
    workers     pass the other shares through the same weights, and later their gradients back

Unlike the processes of `parallel`, workers hold no replay, decide nothing, and may come and go: the
share of one that is lost is done at home. So any algorithm learns as it does alone. Backward, two
nodes of autograd stand around the learner's own pass, so that all are at work at the same time:

    _Collect    first forward, hence last backward: waits for the gradients of the weights
    own pass
    _Send       last forward, hence first backward: sends the gradients of the outputs to workers
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
    """A worker from whom no answer will come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkItem:
    """A share of the steps of one pass."""

    number: int
    """No two work_items of a learner have the same."""
    copy: int
    """Which of the learner's models it is for: the one that is trained, an average of it, ..."""
    inputs: tuple[bytes, ...]
    decisions: tuple[tuple[int, ...], ...]
    graded: bool
    """Whether gradients will be asked for."""


class GradientWorker(Protocol):
    """Somebody who passes steps elsewhere.

    Both calls return at once; what they return waits for the answer and raises
    GradientWorkerLost when none comes, or one that does not fit.
    """

    def look(self, work_item: WorkItem, weights: Mapping[str, Tensor]) -> Callable[[], Tensor]:
        """What the model with these weights says of the steps; see `columns`."""
        ...

    def differentiate(
        self,
        work_item: WorkItem,
        weights: Mapping[str, Tensor],
        by: Tensor,
        shapes: Sequence[torch.Size],
    ) -> Callable[[], Sequence[Tensor]]:
        """Gradients of the trained weights, which have these shapes, by those of `look`."""
        ...


class GradientWorkers(Protocol):
    """The workers that there are."""

    def workers(self) -> Sequence[GradientWorker]:
        """Those who can be asked now."""
        ...


COLUMNS = 5


def columns(seen: Evaluated) -> Tensor:
    """[S, 5] log-probability, entropy, invalid and two critics, of every step."""
    one_each = torch.stack((seen.log_prob, seen.entropy, seen.invalid), dim=1)
    return torch.cat((one_each, seen.value_logits), dim=1)


def evaluation(numbers: Tensor) -> Evaluation:
    """The same as an algorithm reads it."""
    return Evaluation(numbers[:, 0], numbers[:, 1], numbers[:, 2], numbers[:, 3:])


def shares(count: int, among: int) -> list[list[int]]:
    """Which steps each of several passes: every n-th, and nobody passes none."""
    return [list(range(first, count, among)) for first in range(min(count, among))]


class WorkItemRunner:
    """A worker's own work: passes steps through its copies of the model."""

    def __init__(self, model: Model, unpack: Callable[[bytes], Any]) -> None:
        """`model` has the learner's form; its weights come with the work_items."""
        self._models, self._unpack = {0: model}, unpack
        self._digests: dict[int, str] = {}
        self._graphs: dict[int, tuple[int, Tensor]] = {}
        """Passes whose gradients were not asked for yet: by work item, the copy and the outputs."""

    def has(self, number: int, digest: str) -> bool:
        """Whether a copy of the model has these weights."""
        return self._digests.get(number) == digest

    def load(self, number: int, weights: Mapping[str, Tensor], digest: str) -> None:
        """Give a copy of the model its weights."""
        if number not in self._models:
            self._models[number] = copy.deepcopy(self._models[0])
        self._models[number].load_state_dict(dict(weights))
        self._digests[number] = digest
        # Weights changed under these; whoever still asks for their gradients gets them anew.
        self._graphs = {k: kept for k, kept in self._graphs.items() if kept[0] != number}

    def look(self, work_item: WorkItem) -> Tensor:
        """What the model says of the steps."""
        with torch.set_grad_enabled(work_item.graded):
            seen = self._pass(work_item)
        if work_item.graded:
            self._graphs[work_item.number] = work_item.copy, seen
        return seen.detach()

    def differentiate(self, work_item: WorkItem, by: Tensor) -> list[Tensor]:
        """Gradients of the trained weights, in their order."""
        kept = self._graphs.pop(work_item.number, None)
        with torch.enable_grad():
            seen = self._pass(work_item) if kept is None else kept[1]
        return gradients_of(seen, self._models[work_item.copy], by.to(seen.device))

    def _pass(self, work_item: WorkItem) -> Tensor:
        inputs = [self._unpack(data) for data in work_item.inputs]
        return columns(self._models[work_item.copy].evaluate(inputs, work_item.decisions))


def gradients_of(seen: Tensor, model: Model, by: Tensor) -> list[Tensor]:
    """Gradients of a model's weights by those of its outputs; 0 where nothing depends on one."""
    weights = list(model.parameters())
    found = torch.autograd.grad(seen, weights, by, allow_unused=True)
    pairs = zip(weights, found, strict=True)
    return [torch.zeros_like(weight) if one is None else one for weight, one in pairs]


@dataclass(frozen=True, slots=True)
class _Share:
    """Some of the steps of a pass."""

    inputs: tuple[Any, ...]
    decisions: tuple[tuple[int, ...], ...]

    @classmethod
    def of(
        cls, rows: Sequence[int], inputs: Sequence[Any], decisions: Sequence[tuple[int, ...]]
    ) -> _Share:
        return cls(tuple(inputs[k] for k in rows), tuple(decisions[k] for k in rows))


class RemoteGradientModel(WrappedModel):
    """A model whose steps are passed by the learner and by whoever helps it at the moment."""

    def __init__(
        self,
        model: Model,
        gradient_workers: GradientWorkers,
        pack: Callable[[Any], bytes],
        *,
        numbers: Iterator[int] | None = None,
    ) -> None:
        """`pack` makes bytes of inputs; `numbers` are those of work_items and copies."""
        super().__init__(model)
        self._gradient_workers, self._pack = gradient_workers, pack
        # From 1 on: a copy with the number of the original would take its place at the workers.
        self._numbers = itertools.count(1) if numbers is None else numbers
        self._copy = 0 if numbers is None else next(numbers)

    def evaluate(self, inputs: Sequence[Any], decisions: Sequence[tuple[int, ...]]) -> Evaluated:
        """Look at stored steps again: some here, the others elsewhere."""
        workers = self._gradient_workers.workers()
        mine, *theirs = shares(len(inputs), 1 + len(workers)) or [[]]
        if not theirs:
            return self.inner.evaluate(inputs, decisions)
        graded = torch.is_grad_enabled()
        parts = [_Share.of(rows, inputs, decisions) for rows in theirs]
        sent = [
            _Sent(self.inner, worker, self._work_item(part, graded=graded), part)
            for worker, part in zip(workers, parts, strict=False)
        ]
        gate = _collect(sent, *self.inner.parameters()) if graded else None
        share = _Share.of(mine, inputs, decisions)
        own = columns(self.inner.evaluate(share.inputs, share.decisions))
        others = torch.cat([one.seen().to(own) for one in sent])
        if gate is not None:
            others = _send(sent, others, gate)
        order = torch.tensor([*mine, *itertools.chain(*theirs)], device=own.device).argsort()
        return evaluation(torch.cat((own, others))[order])

    def _work_item(self, share: _Share, *, graded: bool) -> WorkItem:
        return WorkItem(
            number=next(self._numbers),
            copy=self._copy,
            inputs=tuple(self._pack(step) for step in share.inputs),
            decisions=share.decisions,
            graded=graded,
        )

    def goal_logits(self, inputs: Sequence[Any]) -> Tensor:
        """How likely each step's goal is to be reached at all; there are few of them."""
        return self.inner.goal_logits(inputs)

    def __deepcopy__(self, memo: dict[int, Any]) -> RemoteGradientModel:
        """Weights of its own, and the same workers."""
        twin = copy.deepcopy(self.inner, memo)
        return RemoteGradientModel(twin, self._gradient_workers, self._pack, numbers=self._numbers)


class _Sent:
    """A work item under way, and what is done when its worker is lost: the same, here."""

    def __init__(
        self, model: Model, worker: GradientWorker, work_item: WorkItem, share: _Share
    ) -> None:
        self._model, self._worker, self._work_item, self._share = model, worker, work_item, share
        self._weights = model.state_dict()
        self._looking = worker.look(work_item, self._weights)

    @property
    def count(self) -> int:
        return len(self._share.inputs)

    def seen(self) -> Tensor:
        try:
            return self._looking()
        except GradientWorkerLost:
            with torch.no_grad():
                return self._at_home()

    def differentiate(self, by: Tensor) -> None:
        self._by = by
        shapes = [weight.shape for weight in self._model.parameters()]
        self._differentiating = self._worker.differentiate(
            self._work_item, self._weights, by, shapes
        )

    def gradients(self) -> Sequence[Tensor]:
        try:
            return self._differentiating()
        except GradientWorkerLost:
            with torch.enable_grad():
                return gradients_of(self._at_home(), self._model, self._by)

    def _at_home(self) -> Tensor:
        return columns(self._model.evaluate(self._share.inputs, self._share.decisions))


class _Collect(torch.autograd.Function):
    """Depends on all weights; backward it has the gradients that workers computed."""

    @staticmethod
    def forward(ctx: Any, sent: list[_Sent], *weights: Tensor) -> Tensor:
        ctx.sent, ctx.places = sent, [weight.device for weight in weights]
        return torch.zeros((), device=weights[0].device)

    @staticmethod
    def backward(ctx: Any, gate: Tensor) -> tuple[Tensor | None, ...]:
        del gate  # it says nothing; it only makes this the last one
        each = zip(*(one.gradients() for one in ctx.sent), strict=True)
        return None, *(_sum(parts, place) for place, parts in zip(ctx.places, each, strict=True))


def _sum(parts: Sequence[Tensor], place: torch.device) -> Tensor:
    return torch.stack([part.to(place) for part in parts]).sum(0)


class _Send(torch.autograd.Function):
    """What workers have seen; backward they are told what depends on it."""

    @staticmethod
    def forward(ctx: Any, sent: list[_Sent], numbers: Tensor, gate: Tensor) -> Tensor:
        ctx.sent = sent
        ctx.place = gate.device
        return numbers.clone()

    @staticmethod
    def backward(ctx: Any, by: Tensor) -> tuple[Tensor | None, ...]:
        parts = torch.split(by, [one.count for one in ctx.sent])
        for one, part in zip(ctx.sent, parts, strict=True):
            one.differentiate(part)
        return None, None, torch.zeros((), device=ctx.place)


_collect: Callable[..., Tensor] = _Collect.apply
_send: Callable[..., Tensor] = _Send.apply
