from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("peft")

import torch
from tests.learn.test_data_parallel import a_batch, learn_alone_or_together
from tests.policies.lm.tiny import llama_model
from torch import Tensor

from distrl.learn.remote_gradients import (
    GradientWorkerLost,
    RemoteGradientModel,
    WorkItem,
    WorkItemRunner,
    split_rows,
    stack_outputs,
)
from distrl.policies.lm.inputs import pack, unpack
from distrl.weights.serialization import digest_of

UPDATES = 3
T = TypeVar("T")


class LocalWorker:
    """A worker in this process, which may stop answering."""

    def __init__(self, log: list[str], *, passes_left: int = 10**9, gradients: int = 10**9) -> None:
        """Answer so many times."""
        self.runner = WorkItemRunner(llama_model(), unpack)
        self.log, self.passes_left, self.gradients = log, passes_left, gradients

    def forward(self, work_item: WorkItem, weights: Mapping[str, Tensor]) -> Callable[[], Tensor]:
        self.load(work_item, weights)
        self.passes_left -= 1
        self.log.append("forward")
        return self._answer(self.passes_left, lambda: self.runner.forward(work_item))

    def backward(
        self,
        work_item: WorkItem,
        weights: Mapping[str, Tensor],
        output_gradients: Tensor,
        shapes: Sequence[torch.Size],
    ) -> Callable[[], Sequence[Tensor]]:
        assert [weight.shape for weight in llama_model().parameters()] == shapes
        self.load(work_item, weights)
        self.gradients -= 1
        self.log.append("backward")
        return self._answer(
            self.gradients, lambda: self.runner.backward(work_item, output_gradients), "gradients"
        )

    def load(self, work_item: WorkItem, weights: Mapping[str, Tensor]) -> None:
        if not self.runner.has(work_item.model_number, digest_of(weights)):
            self.runner.load(work_item.model_number, weights, digest_of(weights))

    def _answer(self, left: int, work: Callable[[], T], said: str = "") -> Callable[[], T]:
        def answer() -> T:
            if left < 0:
                raise GradientWorkerLost("gone")
            self.log.append(said)
            return work()

        return answer


class LocalWorkers:
    def __init__(self, *there: LocalWorker) -> None:
        self.there = there

    def workers(self) -> Sequence[LocalWorker]:
        return self.there


def weights_with(*there: LocalWorker) -> dict[str, Tensor]:
    return learn_alone_or_together(
        lambda model: RemoteGradientModel(model, LocalWorkers(*there), pack), UPDATES
    )


@pytest.fixture(scope="module")
def alone() -> dict[str, Tensor]:
    """Weights after the same updates of a learner without workers."""
    return learn_alone_or_together(lambda model: model, UPDATES)


def assert_same(found: Mapping[str, Tensor], expected: Mapping[str, Tensor]) -> None:
    assert found.keys() == expected.keys()
    for name, weight in expected.items():
        assert float((found[name] - weight).abs().max()) < 1e-5, name


@pytest.mark.parametrize("count", [0, 1, 2, 12])
def test_any_number_of_workers_makes_the_same_updates(count: int, alone: dict[str, Tensor]) -> None:
    log: list[str] = []
    found = weights_with(*(LocalWorker(log) for _ in range(count)))
    start = llama_model().state_dict()
    assert max(float((found[name] - start[name]).abs().max()) for name in found) > 1e-3
    assert_same(found, alone)
    assert ("gradients" in log) == (count > 0)


@pytest.mark.parametrize("passes_left", [0, 1, 4])
def test_the_forward_pass_of_a_lost_worker_is_computed_locally(
    passes_left: int, alone: dict[str, Tensor]
) -> None:
    assert_same(weights_with(LocalWorker([], passes_left=passes_left), LocalWorker([])), alone)


@pytest.mark.parametrize("gradients", [0, 1, 3])
def test_the_gradients_of_a_lost_worker_are_computed_locally(
    gradients: int, alone: dict[str, Tensor]
) -> None:
    assert_same(weights_with(LocalWorker([], gradients=gradients), LocalWorker([])), alone)


def test_a_worker_without_the_graph_repeats_the_forward_pass(
    alone: dict[str, Tensor],
) -> None:
    class Forgetful(LocalWorker):
        def backward(
            self,
            work_item: WorkItem,
            weights: Mapping[str, Tensor],
            output_gradients: Tensor,
            shapes: Sequence[torch.Size],
        ) -> Callable[[], Sequence[Tensor]]:
            self.runner = WorkItemRunner(llama_model(), unpack)
            return super().backward(work_item, weights, output_gradients, shapes)

    assert_same(weights_with(Forgetful([])), alone)


def test_a_worker_runs_every_work_item_once(monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []
    passes: list[WorkItem] = []
    original = WorkItemRunner._pass

    def noted(self: WorkItemRunner, work_item: WorkItem) -> Tensor:
        passes.append(work_item)
        return original(self, work_item)

    monkeypatch.setattr(WorkItemRunner, "_pass", noted)
    weights_with(LocalWorker(log))
    assert "gradients" in log
    assert (
        len({work_item.model_number for work_item in passes}) == 2
    )  # the policy, and an average of it
    assert len(passes) == log.count("forward")


def test_all_workers_are_started_before_the_learner_waits_for_any() -> None:
    log: list[str] = []
    model = llama_model()
    evaluate = model.evaluate
    shared = RemoteGradientModel(model, LocalWorkers(LocalWorker(log), LocalWorker(log)), pack)

    def note_own_pass(*steps: object) -> object:
        log.append("own pass")
        seen = evaluate(*steps)  # type: ignore[arg-type]
        seen.log_prob.register_hook(lambda _: log.append("own gradients"))  # type: ignore[no-untyped-call]
        return seen

    model.evaluate = note_own_pass  # type: ignore[method-assign, assignment]
    batch = a_batch()
    steps = [step for trajectory in batch.trajectories for step in trajectory.inputs]
    decisions = [decision for trajectory in batch.trajectories for decision in trajectory.decisions]
    seen = shared.evaluate(steps, decisions)
    assert log == ["forward", "forward", "own pass", "", ""]
    log.clear()
    stack_outputs(seen).sum().backward()  # type: ignore[no-untyped-call]
    assert log == ["backward", "backward", "own gradients", "gradients", "gradients"]


def test_no_graph_is_kept_of_a_pass_without_gradients() -> None:
    log: list[str] = []
    shared = RemoteGradientModel(llama_model(), LocalWorkers(LocalWorker(log)), pack)
    trajectory = a_batch().trajectories[2]
    with torch.no_grad():
        seen = shared.evaluate(trajectory.inputs, trajectory.decisions)
        expected = llama_model().evaluate(trajectory.inputs, trajectory.decisions)
    assert torch.allclose(stack_outputs(seen), stack_outputs(expected), atol=1e-6)
    assert not seen.log_prob.requires_grad
    assert log == ["forward", ""]


def test_new_weights_of_one_copy_leave_the_passes_of_another_alone() -> None:
    runner = WorkItemRunner(llama_model(), unpack)
    trajectory = a_batch().trajectories[0]
    work_item = WorkItem(
        number=1,
        model_number=0,
        inputs=tuple(pack(step) for step in trajectory.inputs),
        decisions=trajectory.decisions,
        needs_grad=True,
    )
    before = llama_model().state_dict()
    after = {name: weight + 0.01 for name, weight in before.items()}
    output_gradients = torch.ones(len(trajectory.inputs), 5)
    runner.load(0, before, "before")
    runner.forward(work_item)
    runner.load(7, after, "after")
    kept = runner.backward(work_item, output_gradients)
    anew = runner.backward(work_item, output_gradients)
    other = runner.backward(replace(work_item, model_number=7), output_gradients)
    for one, two in zip(kept, anew, strict=True):
        assert torch.allclose(one, two, atol=1e-6)
    assert any(
        not torch.allclose(one, two, atol=1e-6) for one, two in zip(kept, other, strict=True)
    )
    runner.forward(work_item)
    runner.load(0, after, "after")
    changed = runner.backward(work_item, output_gradients)
    for one, two in zip(changed, other, strict=True):
        assert torch.allclose(one, two, atol=1e-6)


@given(count=st.integers(0, 50), among=st.integers(1, 60))
def test_every_row_is_in_one_part_and_parts_differ_by_at_most_one(count: int, among: int) -> None:
    found = split_rows(count, among)
    assert sorted(step for share in found for step in share) == list(range(count))
    sizes = {len(share) for share in found}
    assert 0 not in sizes
    assert not sizes or max(sizes) - min(sizes) <= 1
    assert len(found) <= among
