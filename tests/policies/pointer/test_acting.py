"""The recorded pass against the same network step by step: equal bit for bit, for all sizes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from tests.policies.pointer.fakes import (
    DISABLED,
    make_model,
    make_preparer,
    random_situation,
    situation,
)

from distrl.policies.pointer.acting import Acting, Decided, TracedActing
from distrl.policies.pointer.batch import collate
from distrl.policies.pointer.model import PointerModel
from distrl.types import Situation

PREPARER = make_preparer()
BATCHES: dict[str, Sequence[Situation]] = {
    "one": [situation()],
    "one without candidates": [situation(())],
    "one with one candidate": [situation((DISABLED,))],
    "one word": [situation(goal="?!")],
    "a grid": [situation(None, goal="tap")],
    "all of them": [situation(), situation(()), situation(None), situation(goal="?!")],
    "equal ones": [situation()] * 5,
    **{f"random {n}": [random_situation(seed) for seed in range(n)] for n in (2, 3, 17)},
}


def both(model: PointerModel, here: Sequence[Situation], *, greedy: bool) -> tuple[Decided, ...]:
    batch = collate([PREPARER.prepare(one) for one in here])
    generator = torch.Generator().manual_seed(len(here))
    draws = torch.rand(len(here), 3, dtype=torch.float64, generator=generator)
    recorded = TracedActing(model.network, greedy=greedy)
    tensors = batch.tensors()
    with torch.inference_mode():
        plain = Decided(*Acting(model.network, greedy=greedy)(draws, *tensors))
    return recorded.decide(batch, draws), plain


@pytest.mark.parametrize("greedy", [True, False])
@pytest.mark.parametrize("here", BATCHES.values(), ids=BATCHES)
def test_recorded_and_plain_are_equal(here: Sequence[Situation], greedy: bool) -> None:
    recorded, plain = both(make_model(), here, greedy=greedy)
    assert torch.equal(recorded.decisions, plain.decisions)
    assert torch.equal(recorded.log_probs, plain.log_probs)
    assert torch.equal(recorded.entropies, plain.entropies)
    assert torch.equal(recorded.values, plain.values)


def test_sizes_may_change_from_pass_to_pass() -> None:
    model = make_model()
    recorded = TracedActing(model.network, greedy=False)
    for _ in range(3):  # it is optimised behind the scenes after its first passes
        for here in BATCHES.values():
            batch = collate([PREPARER.prepare(one) for one in here])
            draws = torch.full((len(here), 3), 0.5, dtype=torch.float64)
            tensors = batch.tensors()
            with torch.inference_mode():
                plain = Decided(*Acting(model.network, greedy=False)(draws, *tensors))
            for ours, theirs in zip(recorded.decide(batch, draws), plain, strict=True):
                assert torch.equal(ours, theirs)


def test_it_follows_the_weights() -> None:
    model, other = make_model(0), make_model(1)
    batch = collate([PREPARER.prepare(situation())])
    draws = torch.zeros(1, 3, dtype=torch.float64)
    recorded = TracedActing(model.network, greedy=True)
    before = recorded.decide(batch, draws)
    model.load_state_dict(other.state_dict())
    after = recorded.decide(batch, draws)
    assert not torch.equal(before.log_probs, after.log_probs)
    assert torch.equal(
        after.log_probs, TracedActing(other.network, greedy=True).decide(batch, draws).log_probs
    )


def test_nothing_that_is_decided_needs_gradients() -> None:
    recorded, _ = both(make_model(), [situation()], greedy=False)
    assert not any(column.requires_grad for column in recorded)
