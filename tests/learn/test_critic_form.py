"""Critics of decisions in the algorithms: the full form against plain Python, and that it learns.

The estimators themselves are in test_returns.py, the pointer's critics of decisions in
tests/policies/pointer/test_judged.py.
"""

from __future__ import annotations

import copy
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from tests.learn.tables import (
    ARMS,
    STATES,
    JudgingTableModel,
    TableModel,
    drawn,
    episode,
    random_batch,
)
from tests.learn.test_a_ride import ByHand, assert_same_tree, stored_batch
from tests.policies.pointer.fakes import make_judging_model, make_model

from distrl.config.learn import AlgorithmConfig, Correction, CriticForm
from distrl.errors import ConfigError
from distrl.learn.algorithms import ALGORITHMS, make_algorithm
from distrl.learn.algorithms.a_ride import ARide
from distrl.policies.pointer.decisions import CHOICES
from distrl.replay.buffer import Sampled
from distrl.replay.trajectory import Trajectory
from distrl.types import Kind

V = AlgorithmConfig(learning_rate=1e-3, imitation=0.0, self_imitation=0.0, critic_warmup=0)
Q = V.changed(critic_form=CriticForm.Q)

COMPLETE, INFEASIBLE = (
    (CHOICES.index((kind, None)), 0, 0) for kind in (Kind.COMPLETE, Kind.INFEASIBLE)
)

every_seed = pytest.mark.parametrize("seed", range(8))


def losses(sampled: Sampled, settings: AlgorithmConfig, pool: tuple[Trajectory, ...] = ()) -> Any:
    metrics = ARide(JudgingTableModel(3), settings).update(sampled, pool).metrics
    return {k.removeprefix("loss/"): v for k, v in metrics.items() if k.startswith("loss/")}


class ByHandQ(ByHand):
    """The full form from its definition: sums over the rest of the episode, nothing recursive."""

    model: JudgingTableModel

    def __init__(self, sampled: Sampled, settings: AlgorithmConfig) -> None:
        self.judge = JudgingTableModel(3)
        super().__init__(sampled, settings)

    def _row(self, index: int, trajectory: Trajectory) -> list[dict[str, float]]:
        s, row = self.settings, super()._row(index, trajectory)
        arms = [arm for (arm,) in trajectory.decisions]
        for step, arm in zip(row, arms, strict=True):
            state = int(step["state"])
            step["value"], step["q"] = self.judge.expected(state), self.judge.q(state, arm)
            step["arm"] = arm
        for t, step in enumerate(row):
            after = row[t + 1]["value"] if t + 1 < len(row) else 0.0
            step["delta"] = step["reward"] + s.gamma * after - step["q"]
        for t, step in enumerate(row):
            total = step["q"]
            for k in range(t, len(row)):
                passed = math.prod(s.lam * min(1.0, row[j]["rho"]) for j in range(t + 1, k + 1))
                total += s.gamma ** (k - t) * passed * row[k]["delta"]
            step["advantage"] = total - step["value"]
            step["target"] = min(1.0, max(0.0, total))
        return row

    def critic(self) -> float:
        found = []
        for x in (x for row in self.rows for x in row):
            for logit in self.judge.arms[int(x["state"]), int(x["arm"])].tolist():
                p = 1 / (1 + math.exp(-logit))
                found.append(-x["target"] * math.log(p) - (1 - x["target"]) * math.log(1 - p))
        return self.settings.critic * sum(found) / len(found)


@every_seed
def test_every_term_of_the_loss_is_the_formula_of_the_full_form(seed: int) -> None:
    sampled = random_batch(seed)
    by_hand = ByHandQ(sampled, Q)
    found = losses(sampled, Q)
    assert found["policy"] == pytest.approx(by_hand.policy(), abs=1e-5)
    assert found["critic"] == pytest.approx(by_hand.critic(), abs=1e-5)
    terms = ARide(JudgingTableModel(3), Q).terms(sampled)
    assert terms.tolist() == [pytest.approx(row, abs=1e-5) for row in by_hand.terms()]


def test_the_form_changes_what_comes_from_the_critics_and_nothing_else() -> None:
    sampled, pool = random_batch(1), (episode([0], [1], succeeded=True),)
    settings = V.changed(self_imitation=0.5, imitation=0.5)
    before = losses(sampled, settings, pool)
    after = losses(sampled, settings.changed(critic_form=CriticForm.Q), pool)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"policy", "critic", "self_imitation"}


@every_seed
@pytest.mark.parametrize("correction", Correction)
def test_with_q_equal_to_v_policies_and_priorities_are_those_of_the_short_form(
    seed: int, correction: Correction
) -> None:
    sampled = random_batch(seed)
    model = JudgingTableModel(3)
    with torch.no_grad():
        model.arms.copy_(model.values[:, None].expand(STATES, ARMS, 2))
    short = ARide(copy.deepcopy(model), V.changed(correction=correction)).update(sampled)
    full = ARide(model, Q.changed(correction=correction)).update(sampled)
    assert full.metrics["loss/policy"] == pytest.approx(short.metrics["loss/policy"], abs=1e-5)
    assert full.terms.tolist() == [pytest.approx(row, abs=1e-5) for row in short.terms.tolist()]


@pytest.mark.parametrize("form", CriticForm)
def test_only_the_critics_that_are_asked_are_trained(form: CriticForm) -> None:
    model = JudgingTableModel(3)
    algorithm = ARide(model, V.changed(critic_form=form))
    algorithm.update(random_batch(0))
    assert (model.values.grad is None) == (form is CriticForm.Q)
    assert (model.arms.grad is None) == (form is CriticForm.V)


def test_a_critic_s_loss_leaves_the_policy_alone() -> None:
    model = JudgingTableModel(3)
    settings = Q.changed(critic_warmup=1, goal=0.0)
    ARide(model, settings).update(random_batch(0))
    assert model.logits.grad is None or not model.logits.grad.any()
    assert model.arms.grad is not None
    assert model.arms.grad.any()


def test_the_expectation_is_of_the_newest_policy_and_of_the_averaged_critics() -> None:
    model = JudgingTableModel()
    algorithm = ARide(model, Q.changed(gamma=1.0))
    ema = algorithm.ema
    assert isinstance(ema, JudgingTableModel)
    with torch.no_grad():
        model.logits[1] = torch.tensor([math.log(3.0), 0.0])  # chances of 3/4 and 1/4
        model.arms.fill_(3.0)
        ema.logits[1] = torch.tensor([-9.0, 9.0])
        ema.arms.fill_(0.0)
        # Each critic is the smaller for one of the arms: 0.2 and 0.6 count.
        ema.arms[1] = torch.logit(torch.tensor([[0.2, 0.9], [0.8, 0.6]]))
    found = algorithm.terms(drawn(episode([0, 1], [0, 1], succeeded=False)))
    first, second = 0.75 * 0.2 + 0.25 * 0.6 - 0.5, -0.6
    assert found[0, 0] == pytest.approx((abs(first) + abs(second)) / 2, abs=1e-6)


def test_a_wider_threshold_reaches_the_full_form() -> None:
    sampled = drawn(episode([0, 1], [0, 0], succeeded=True, log_mu=[math.log(0.5), math.log(0.1)]))
    usual = losses(sampled, Q.changed(lam=1.0))
    wider = losses(sampled, Q.changed(lam=1.0, trace_clip=4.0))
    assert usual["policy"] != wider["policy"]


def test_a_model_that_does_not_list_its_decisions_is_refused() -> None:
    with pytest.raises(ConfigError, match="critic_form is q, and this policy does not judge"):
        ARide(TableModel(3), Q).update(random_batch(0))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_takes_either_form(name: str) -> None:
    found = {}
    for form in CriticForm:
        algorithm = make_algorithm(JudgingTableModel(3), V.changed(name=name, critic_form=form))
        found[form] = algorithm.update(random_batch(2))
        assert all(math.isfinite(number) for number in found[form].metrics.values())
    v, q = (found[form].metrics["loss/critic"] for form in CriticForm)
    assert v != q


# Learning.


def two_arms() -> Sampled:
    """In each of two states the first arm succeeds and the second fails, in the end."""
    return drawn(
        *(
            episode([0, 1], [first, second], succeeded=second == 0)
            for first in range(ARMS)
            for second in range(ARMS)
        )
    )


@pytest.mark.parametrize("target", [None, Correction.MONTE_CARLO])
def test_critics_of_decisions_learn_what_a_situation_cannot_tell(
    target: Correction | None,
) -> None:
    """The policy stays even, so that the first decision is worth half of what comes after it."""
    model = JudgingTableModel()
    settings = Q.changed(critic_warmup=10_000, learning_rate=0.05, gamma=0.8, ema_decay=0.9)
    algorithm = ARide(model, settings.changed(critic_target=target))
    for _ in range(150):
        algorithm.update(two_arms())
    assert [model.q(1, arm) for arm in range(ARMS)] == pytest.approx([1.0, 0.0], abs=0.05)
    assert [model.q(0, arm) for arm in range(ARMS)] == pytest.approx([0.4, 0.4], abs=0.05)
    assert model.expected(1) == pytest.approx(0.5, abs=0.05)


def test_the_better_arm_becomes_likelier_by_critics_of_decisions() -> None:
    model = JudgingTableModel()
    algorithm = ARide(model, Q.changed(learning_rate=0.05))
    for _ in range(40):
        algorithm.update(two_arms())
    assert model.probability(1, 0) > 0.8


def test_the_pointer_learns_which_of_two_decisions_on_a_screen_is_the_good_one() -> None:
    """The same screens, once decided well and once badly: only decisions tell them apart."""
    trajectories = stored_batch().trajectories
    good = [decided(trajectory, COMPLETE, reward=1.0) for trajectory in trajectories]
    bad = [decided(trajectory, INFEASIBLE, reward=0.0) for trajectory in trajectories]
    model = make_judging_model(1)
    settings = Q.changed(critic_warmup=10_000, critic_target=Correction.MONTE_CARLO, gamma=1.0)
    algorithm = ARide(model, settings.changed(learning_rate=1e-2))
    for _ in range(40):
        algorithm.update(drawn(*good, *bad))
    inputs = [step for trajectory in trajectories for step in trajectory.inputs]
    with torch.no_grad():
        of_good, of_bad = (
            model.evaluate(inputs, [decision] * len(inputs)) for decision in (COMPLETE, INFEASIBLE)
        )
    assert of_good.choices is not None
    assert of_bad.choices is not None
    assert float(of_good.choices.taken.min()) > 2.0
    assert float(of_bad.choices.taken.max()) < -2.0
    assert torch.equal(of_good.value_logits, of_bad.value_logits)


def decided(trajectory: Trajectory, decision: tuple[int, ...], *, reward: float) -> Trajectory:
    """The same situations with one decision at each of them, rewarded at the end."""
    rewards = np.zeros(len(trajectory), np.float32)
    rewards[-1] = reward
    return replace(
        trajectory, decisions=(decision,) * len(trajectory), rewards=rewards, succeeded=reward > 0
    )


# Repetition, and the short form beside it.


def test_going_on_from_a_state_is_the_same_to_the_bit_with_critics_of_decisions() -> None:
    sampled = stored_batch()
    straight = ARide(make_judging_model(1), Q)
    straight.update(sampled)
    resumed = ARide(make_judging_model(2), Q)
    resumed.load_state_dict(copy.deepcopy(straight.state_dict()))
    for _ in range(2):
        assert straight.update(sampled).metrics == resumed.update(sampled).metrics
    assert_same_tree(straight.state_dict(), resumed.state_dict())


def test_the_pointer_s_first_update_is_nearly_that_of_the_short_form() -> None:
    """New critics of decisions say what the critics of situations say: Q(s, d) = V(s)."""
    plain, sampled = make_model(1), stored_batch()
    judging = make_judging_model(1)
    judging.load_state_dict(judging.adapt(plain.state_dict()))
    short, full = ARide(plain, V).update(sampled), ARide(judging, Q).update(sampled)
    for name in ("policy", "entropy", "invalid", "goal"):
        key = f"loss/{name}"
        assert full.metrics[key] == pytest.approx(short.metrics[key], abs=1e-5)
    assert full.terms.tolist() == [pytest.approx(row, abs=1e-5) for row in short.terms.tolist()]
