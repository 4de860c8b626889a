from __future__ import annotations

import copy

import pytest
import torch
from tests.policies.pointer.fakes import (
    every_decision,
    make_model,
    make_preparer,
    random_situation,
    situation,
)

from distrl.policies.pointer import decisions as d
from distrl.policies.pointer.batch import pad_decision

PREPARER = make_preparer()
SITUATIONS = [situation(), situation(()), situation(None), *map(random_situation, range(4))]
INPUTS = [PREPARER.prepare(here) for here in SITUATIONS]
DECISIONS = [every_decision(here)[-12] for here in SITUATIONS]


def test_stored_steps_are_evaluated_as_they_were_scored() -> None:
    model = make_model()
    seen = model.evaluate(INPUTS, DECISIONS)
    scores, batch = model.scores(INPUTS)
    padded = [
        pad_decision(decision, len(step.words), len(step.features), batch)
        for step, decision in zip(INPUTS, DECISIONS, strict=True)
    ]
    # Steps are put side by side in another order, which moves the last bit of a sum.
    torch.testing.assert_close(seen.log_prob, scores.log_prob(torch.tensor(padded)))
    torch.testing.assert_close(seen.entropy, scores.entropy())
    torch.testing.assert_close(seen.invalid, scores.invalid)
    torch.testing.assert_close(seen.value_logits, scores.values)
    assert seen.log_prob.shape == (len(INPUTS),)
    assert seen.value_logits.shape == (len(INPUTS), 2)


@pytest.mark.parametrize("index", range(len(INPUTS)))
def test_a_step_is_evaluated_alike_alone_and_in_a_batch(index: int) -> None:
    model = make_model()
    with torch.no_grad():
        alone = model.evaluate(INPUTS[index : index + 1], DECISIONS[index : index + 1])
        among = model.evaluate(INPUTS, DECISIONS)
    for name in ("log_prob", "entropy", "invalid", "value_logits"):
        torch.testing.assert_close(
            getattr(among, name)[index], getattr(alone, name)[0], atol=1e-5, rtol=0
        )


def test_a_decision_of_another_policy_is_refused() -> None:
    with pytest.raises(ValueError, match="unpack"):
        make_model().evaluate(INPUTS[:1], [(1, 2)])


def test_the_goal_critic_reads_the_goal_alone() -> None:
    model = make_model()
    screens = [situation(), situation(()), situation(keyboard=True)]
    same = model.goal_logits([PREPARER.prepare(here) for here in screens])
    assert same.tolist() == pytest.approx([same[0].item()] * 3, abs=1e-6)
    other = model.goal_logits([PREPARER.prepare(situation(goal="Call Bob"))])
    assert other.tolist() != same[:1].tolist()


def test_learning_a_decision_makes_it_likelier() -> None:
    model = make_model()
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3)
    first = model.evaluate(INPUTS, DECISIONS).log_prob.detach().mean()
    for _ in range(10):
        optimiser.zero_grad()
        loss = -model.evaluate(INPUTS, DECISIONS).log_prob.mean()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    assert model.evaluate(INPUTS, DECISIONS).log_prob.detach().mean() > first + 0.5


def test_a_state_dict_restores_all_weights() -> None:
    first, second = make_model(0), make_model(1)
    assert not torch.equal(first.scores(INPUTS)[0].kind, second.scores(INPUTS)[0].kind)
    second.load_state_dict(copy.deepcopy(first.state_dict()))
    for name in ("kind", "tap", "text", "values"):
        mine, other = (getattr(m.scores(INPUTS)[0], name) for m in (first, second))
        assert torch.equal(mine, other)
    assert torch.equal(first.goal_logits(INPUTS), second.goal_logits(INPUTS))


def test_the_same_seed_makes_the_same_weights() -> None:
    first, second = make_model(3).state_dict(), make_model(3).state_dict()
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_every_kind_has_decisions_in_these_tests() -> None:
    kinds = {decision[0] for here in SITUATIONS for decision in every_decision(here)}
    assert kinds == set(range(len(d.CHOICES)))
