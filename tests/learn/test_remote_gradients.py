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
    columns,
    shares,
)
from distrl.policies.lm.inputs import pack, unpack
from distrl.weights.serialization import digest_of

UPDATES = 3
T = TypeVar("T")


class HelperHere:
    """A worker in this process, which may stop answering."""

    def __init__(self, log: list[str], *, looks: int = 10**9, gradients: int = 10**9) -> None:
        """Answer so many times."""
        self.assistant = WorkItemRunner(llama_model(), unpack)
        self.log, self.looks, self.gradients = log, looks, gradients

    def look(self, work_item: WorkItem, weights: Mapping[str, Tensor]) -> Callable[[], Tensor]:
        self.load(work_item, weights)
        self.looks -= 1
        self.log.append("look")
        return self._answer(self.looks, lambda: self.assistant.look(work_item))

    def differentiate(
        self,
        work_item: WorkItem,
        weights: Mapping[str, Tensor],
        by: Tensor,
        shapes: Sequence[torch.Size],
    ) -> Callable[[], Sequence[Tensor]]:
        assert [weight.shape for weight in llama_model().parameters()] == shapes
        self.load(work_item, weights)
        self.gradients -= 1
        self.log.append("differentiate")
        return self._answer(
            self.gradients, lambda: self.assistant.differentiate(work_item, by), "gradients"
        )

    def load(self, work_item: WorkItem, weights: Mapping[str, Tensor]) -> None:
        if not self.assistant.has(work_item.copy, digest_of(weights)):
            self.assistant.load(work_item.copy, weights, digest_of(weights))

    def _answer(self, left: int, work: Callable[[], T], said: str = "") -> Callable[[], T]:
        def answer() -> T:
            if left < 0:
                raise GradientWorkerLost("gone")
            self.log.append(said)
            return work()

        return answer


class CrewHere:
    def __init__(self, *there: HelperHere) -> None:
        self.there = there

    def workers(self) -> Sequence[HelperHere]:
        return self.there


def weights_with(*there: HelperHere) -> dict[str, Tensor]:
    return learn_alone_or_together(
        lambda model: RemoteGradientModel(model, CrewHere(*there), pack), UPDATES
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
def test_any_number_of_helpers_makes_the_same_updates(count: int, alone: dict[str, Tensor]) -> None:
    log: list[str] = []
    found = weights_with(*(HelperHere(log) for _ in range(count)))
    start = llama_model().state_dict()
    assert max(float((found[name] - start[name]).abs().max()) for name in found) > 1e-3
    assert_same(found, alone)
    assert ("gradients" in log) == (count > 0)


@pytest.mark.parametrize("looks", [0, 1, 4])
def test_what_a_lost_helper_did_not_look_at_is_looked_at_here(
    looks: int, alone: dict[str, Tensor]
) -> None:
    assert_same(weights_with(HelperHere([], looks=looks), HelperHere([])), alone)


@pytest.mark.parametrize("gradients", [0, 1, 3])
def test_gradients_that_a_lost_helper_does_not_send_are_computed_here(
    gradients: int, alone: dict[str, Tensor]
) -> None:
    assert_same(weights_with(HelperHere([], gradients=gradients), HelperHere([])), alone)


def test_a_helper_who_lost_its_pass_makes_it_again_for_the_gradients(
    alone: dict[str, Tensor],
) -> None:
    class Forgetful(HelperHere):
        def differentiate(
            self,
            work_item: WorkItem,
            weights: Mapping[str, Tensor],
            by: Tensor,
            shapes: Sequence[torch.Size],
        ) -> Callable[[], Sequence[Tensor]]:
            self.assistant = WorkItemRunner(llama_model(), unpack)
            return super().differentiate(work_item, weights, by, shapes)

    assert_same(weights_with(Forgetful([])), alone)


def test_a_helper_passes_every_share_once(monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []
    passes: list[WorkItem] = []
    original = WorkItemRunner._pass

    def noted(self: WorkItemRunner, work_item: WorkItem) -> Tensor:
        passes.append(work_item)
        return original(self, work_item)

    monkeypatch.setattr(WorkItemRunner, "_pass", noted)
    weights_with(HelperHere(log))
    assert "gradients" in log
    assert len({work_item.copy for work_item in passes}) == 2  # the policy, and an average of it
    assert len(passes) == log.count("look")


def test_all_are_at_work_before_anybody_is_waited_for() -> None:
    log: list[str] = []
    model = llama_model()
    evaluate = model.evaluate
    shared = RemoteGradientModel(model, CrewHere(HelperHere(log), HelperHere(log)), pack)

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
    assert log == ["look", "look", "own pass", "", ""]
    log.clear()
    columns(seen).sum().backward()  # type: ignore[no-untyped-call]
    assert log == ["differentiate", "differentiate", "own gradients", "gradients", "gradients"]


def test_nothing_is_kept_of_a_pass_that_needs_no_gradients() -> None:
    log: list[str] = []
    shared = RemoteGradientModel(llama_model(), CrewHere(HelperHere(log)), pack)
    trajectory = a_batch().trajectories[2]
    with torch.no_grad():
        seen = shared.evaluate(trajectory.inputs, trajectory.decisions)
        expected = llama_model().evaluate(trajectory.inputs, trajectory.decisions)
    assert torch.allclose(columns(seen), columns(expected), atol=1e-6)
    assert not seen.log_prob.requires_grad
    assert log == ["look", ""]


def test_new_weights_of_one_copy_leave_the_passes_of_another_alone() -> None:
    assistant = WorkItemRunner(llama_model(), unpack)
    trajectory = a_batch().trajectories[0]
    work_item = WorkItem(
        number=1,
        copy=0,
        inputs=tuple(pack(step) for step in trajectory.inputs),
        decisions=trajectory.decisions,
        graded=True,
    )
    before = llama_model().state_dict()
    after = {name: weight + 0.01 for name, weight in before.items()}
    by = torch.ones(len(trajectory.inputs), 5)
    assistant.load(0, before, "before")
    assistant.look(work_item)
    assistant.load(7, after, "after")
    kept = assistant.differentiate(work_item, by)
    anew = assistant.differentiate(work_item, by)
    other = assistant.differentiate(replace(work_item, copy=7), by)
    for one, two in zip(kept, anew, strict=True):
        assert torch.allclose(one, two, atol=1e-6)
    assert any(
        not torch.allclose(one, two, atol=1e-6) for one, two in zip(kept, other, strict=True)
    )
    assistant.look(work_item)
    assistant.load(0, after, "after")
    changed = assistant.differentiate(work_item, by)
    for one, two in zip(changed, other, strict=True):
        assert torch.allclose(one, two, atol=1e-6)


@given(count=st.integers(0, 50), among=st.integers(1, 60))
def test_every_step_is_in_one_share_and_shares_are_alike(count: int, among: int) -> None:
    found = shares(count, among)
    assert sorted(step for share in found for step in share) == list(range(count))
    sizes = {len(share) for share in found}
    assert 0 not in sizes
    assert not sizes or max(sizes) - min(sizes) <= 1
    assert len(found) <= among
