"""A-RIDE: the losses against their formulas, every switch, the signs, and repetition."""

from __future__ import annotations

import copy
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from tests.learn.tables import STATES, TableModel, drawn, episode, random_batch
from tests.policies.pointer.fakes import (
    FakeTextEncoder,
    make_model,
    make_preparer,
    random_situation,
)

from distrl.config.learn import AlgorithmConfig, Correction
from distrl.learn.algorithms.a_ride import ARide, UpdateResult, annealed
from distrl.policies.pointer.packing import unpack
from distrl.policies.pointer.policy import PointerPolicy
from distrl.replay.buffer import Sampled
from distrl.replay.trajectory import Trajectory

NAN = float("nan")
SETTINGS = AlgorithmConfig(learning_rate=1e-3, imitation=0.0, self_imitation=0.0, critic_warmup=0)
PLAIN = AlgorithmConfig(
    learning_rate=1e-3,
    imitation=0.0,
    self_imitation=0.0,
    critic_warmup=0,
    entropy=0.0,
    invalid=0.0,
    critic=0.0,
    goal=0.0,
    normalise=False,
)
"""Nothing but the policy's own term."""

every_seed = pytest.mark.parametrize("seed", range(8))


def update(
    model: TableModel,
    sampled: Sampled,
    settings: AlgorithmConfig,
    pool: tuple[Trajectory, ...] = (),
) -> UpdateResult:
    return ARide(model, settings).update(sampled, pool)


def losses(
    sampled: Sampled,
    settings: AlgorithmConfig,
    *,
    seed: int | None = 3,
    pool: tuple[Trajectory, ...] = (),
) -> dict[str, float]:
    """Every term of the loss in an update from the same weights."""
    metrics = update(TableModel(seed), sampled, settings, pool).metrics
    return {k.removeprefix("loss/"): v for k, v in metrics.items() if k.startswith("loss/")}


# The formulas, written out step by step.


class ByHand:
    """The same numbers in plain Python, from the definitions alone."""

    def __init__(self, sampled: Sampled, settings: AlgorithmConfig, seed: int | None = 3) -> None:
        self.settings = settings
        self.sampled = sampled
        self.model = TableModel(seed)
        self.rows = [self._row(i, trajectory) for i, trajectory in enumerate(sampled.trajectories)]
        self.used = [step for row in self.rows for step in row if step["used"]]

    def _row(self, index: int, trajectory: Trajectory) -> list[dict[str, float]]:
        s = self.settings
        row: list[dict[str, float]] = []
        for t, (state, (arm,)) in enumerate(
            zip(trajectory.inputs, trajectory.decisions, strict=True)
        ):
            mu = float(trajectory.log_mu[t])
            log_pi = math.log(self.model.probability(state, arm))
            known = not math.isnan(mu)
            row.append(
                {
                    "log_pi": log_pi,
                    "rho": math.exp(log_pi - mu) if known else 1.0,
                    "value": self.model.value(state),
                    "reward": float(trajectory.rewards[t]),
                    "penalty": float(trajectory.penalties[t]),
                    "weight": float(self.sampled.weights[index]),
                    "used": known and bool(self.sampled.fresh[index]),
                    "imitated": not known and trajectory.succeeded,
                    "state": state,
                }
            )
        following = 0.0
        for t in range(len(row) - 1, -1, -1):
            step = row[t]
            after = 0.0 if t == len(row) - 1 else row[t + 1]["value"]
            step["delta"] = step["reward"] + s.gamma * after - step["value"]
            step["advantage"] = step["delta"] + following
            step["target"] = step["value"] + min(1.0, step["rho"]) * step["advantage"]
            following = s.gamma * s.lam * min(1.0, step["rho"]) * step["advantage"]
        return row

    def policy(self) -> float:
        s, used = self.settings, self.used
        spread = math.sqrt(sum(x["advantage"] ** 2 for x in used) / len(used))
        scale = max(0.05, spread) if s.normalise else 1.0
        mean_penalty = sum(x["penalty"] for x in used) / len(used)
        terms = [
            x["weight"]
            * min(x["rho"], s.rho_max)
            * (x["advantage"] / scale + x["penalty"] - mean_penalty)
            * x["log_pi"]
            for x in used
        ]
        return -sum(terms) / len(used)

    def entropy(self) -> float:
        found = []
        for x in self.used:
            p = [self.model.probability(int(x["state"]), arm) for arm in (0, 1)]
            found.append(-sum(q * math.log(q) for q in p))
        return -self.settings.entropy * sum(found) / len(found)

    def invalid(self) -> float:
        found = [self.model.probability(int(x["state"]), 1) for x in self.used]
        return self.settings.invalid * sum(found) / len(found)

    def imitation(self) -> float:
        found = [x["log_pi"] for row in self.rows for x in row if x["imitated"]]
        return -self.settings.imitation * sum(found) / max(1, len(found))

    def critic(self) -> float:
        found = []
        for x in (x for row in self.rows for x in row):
            for logit in self.model.values[int(x["state"])].tolist():
                p = 1 / (1 + math.exp(-logit))
                found.append(-x["target"] * math.log(p) - (1 - x["target"]) * math.log(1 - p))
        return self.settings.critic * sum(found) / len(found)

    def goal(self) -> float:
        found = []
        for trajectory in self.sampled.trajectories:
            p = 1 / (1 + math.exp(-float(self.model.goals.detach()[trajectory.inputs[0]])))
            found.append(-math.log(p if trajectory.succeeded else 1 - p))
        return self.settings.goal * sum(found) / len(found)

    def terms(self) -> list[list[float]]:
        names = ("delta", "rho", "log_pi")
        found = []
        for row in self.rows:
            delta, rho, log_pi = ([x[name] for x in row] for name in names)
            clipped = [min(r, self.settings.rho_max) for r in rho]
            found.append(
                [
                    sum(abs(x) for x in delta) / len(row),
                    sum(clipped) / len(row),
                    -sum(log_pi) / len(row),
                ]
            )
        return found


@every_seed
@pytest.mark.parametrize("normalise", [True, False])
def test_every_term_of_the_loss_is_its_formula(seed: int, normalise: bool) -> None:
    settings = SETTINGS.changed(normalise=normalise, imitation=0.7)
    sampled = random_batch(seed)
    by_hand = ByHand(sampled, settings)
    found = losses(sampled, settings)
    assert found == pytest.approx(
        {
            "policy": by_hand.policy(),
            "entropy": by_hand.entropy(),
            "invalid": by_hand.invalid(),
            "imitation": by_hand.imitation(),
            "critic": by_hand.critic(),
            "goal": by_hand.goal(),
        },
        abs=1e-5,
    )


@every_seed
def test_terms_for_priorities_are_means_over_each_episode(seed: int) -> None:
    sampled = random_batch(seed)
    found = update(TableModel(3), sampled, SETTINGS).terms
    assert found == pytest.approx(np.array(ByHand(sampled, SETTINGS).terms()), abs=1e-5)


@every_seed
def test_terms_can_be_asked_for_without_learning(seed: int) -> None:
    sampled = random_batch(seed)
    algorithm = ARide(TableModel(3), SETTINGS)
    before = copy.deepcopy(algorithm.state_dict())
    asked = algorithm.terms(sampled)
    assert_same_tree(before, algorithm.state_dict())
    assert (asked == algorithm.update(sampled).terms).all()


def test_self_imitation_is_the_surprise_of_successes_that_were_not_expected() -> None:
    settings = SETTINGS.changed(self_imitation=0.5)
    pool = (episode([0, 4], [1, 0], succeeded=True), episode([2], [1], succeeded=True))
    model = TableModel(3)
    steps = [(0, 1), (4, 0), (2, 1)]
    wanted = 0.5 * sum(
        (1 - model.value(state)) * -math.log(model.probability(state, arm)) for state, arm in steps
    )
    found = losses(random_batch(0), settings, pool=pool)
    assert found["self_imitation"] == pytest.approx(wanted / 3, abs=1e-6)


def test_without_its_advantage_every_success_of_the_pool_is_imitated_alike() -> None:
    settings = SETTINGS.changed(self_imitation=0.5, self_imitation_advantage=False)
    pool = (episode([0, 4], [1, 0], succeeded=True), episode([2], [1], succeeded=True))
    model = TableModel(3)
    surprise = [-math.log(model.probability(*step)) for step in ((0, 1), (4, 0), (2, 1))]
    found = losses(random_batch(0), settings, pool=pool)
    assert found["self_imitation"] == pytest.approx(0.5 * sum(surprise) / 3, abs=1e-6)


# Signs.


@pytest.mark.parametrize("normalise", [True, False])
def test_the_better_of_two_arms_becomes_likelier(normalise: bool) -> None:
    model = TableModel()
    algorithm = ARide(model, PLAIN.changed(normalise=normalise, critic=0.5))
    good = episode([0], [0], succeeded=True)
    bad = episode([0], [1], succeeded=False)
    before = model.probability(0, 0)
    for _ in range(30):
        algorithm.update(drawn(good, bad))
        after = model.probability(0, 0)
        assert after > before
        before = after


@pytest.mark.parametrize(
    ("arm", "succeeded", "rises"),
    [(0, True, True), (1, True, True), (0, False, False), (1, False, False)],
)
def test_a_decision_becomes_likelier_after_success_and_rarer_after_failure(
    arm: int, succeeded: bool, rises: bool
) -> None:
    model = TableModel()
    update(model, drawn(episode([2], [arm], succeeded=succeeded)), PLAIN)
    assert (model.probability(2, arm) > 0.5) == rises
    assert model.probability(2, arm) != 0.5
    others = [model.probability(state, 0) for state in range(STATES) if state != 2]
    assert others == [0.5] * (STATES - 1)


def test_a_success_that_was_certain_teaches_nothing() -> None:
    model = TableModel()
    with torch.no_grad():
        model.values.fill_(50.0)
    update(model, drawn(episode([0], [0], succeeded=True)), PLAIN)
    assert model.probability(0, 0) == 0.5


def test_a_bad_turn_on_the_way_to_success_becomes_rarer() -> None:
    """The advantage of a step is against what its situation promised."""
    model = TableModel()
    with torch.no_grad():
        model.values[0], model.values[1] = 4.0, -4.0
    update(model, drawn(episode([0, 1], [0, 0], succeeded=True)), PLAIN.changed(lam=0.0, gamma=1.0))
    assert model.probability(0, 0) < 0.5 < model.probability(1, 0)


def test_the_ratio_carries_no_gradient() -> None:
    """The gradient of log pi at an even choice is +-1/2, times ratio and advantage."""
    model = TableModel()
    algorithm = ARide(model, PLAIN)
    algorithm.update(drawn(episode([0], [0], succeeded=True, log_mu=[math.log(0.4)])))
    assert model.logits.grad is not None
    rho, advantage = 0.5 / 0.4, 0.5
    expected = torch.tensor([-0.5, 0.5]) * rho * advantage
    torch.testing.assert_close(model.logits.grad[0], expected)


# Switches: each changes what it should, and nothing else.

POOL = (episode([0], [1], succeeded=True),)
SWITCHES: list[tuple[dict[str, Any], set[str]]] = [
    ({"correction": Correction.NONE}, {"policy", "critic"}),
    ({"correction": Correction.TRUNCATED_IS}, {"policy", "critic"}),
    ({"correction": Correction.MONTE_CARLO}, {"policy", "critic"}),
    ({"critic_target": Correction.MONTE_CARLO}, {"critic"}),
    ({"critic_target": Correction.RETRACE}, set()),
    ({"lam": 0.0}, {"policy", "critic"}),
    ({"gamma": 0.5}, {"policy", "critic"}),
    ({"rho_max": 0.9}, {"policy"}),
    ({"normalise": False}, {"policy"}),
    ({"entropy": 0.0}, {"entropy"}),
    ({"invalid": 0.0}, {"invalid"}),
    ({"imitation": 0.5}, {"imitation"}),
    ({"critic": 0.0}, {"critic"}),
    ({"goal": 0.0}, {"goal"}),
    ({"self_imitation": 0.5}, {"self_imitation"}),
    ({"self_imitation_advantage": False}, set()),
    ({"target_critics": False}, set()),
    ({"ema_decay": 0.5}, set()),
    ({"gradient_clip": 0.1}, set()),
    ({"learning_rate": 0.1}, set()),
    ({"anneal": 0.5}, set()),
    ({"critic_warmup": 5}, set()),
]


@pytest.mark.parametrize(
    ("switch", "changed"),
    SWITCHES,
    ids=[f"{key} {value}" for switch, _ in SWITCHES for key, value in switch.items()],
)
def test_a_switch_changes_its_own_terms_only(switch: dict[str, Any], changed: set[str]) -> None:
    sampled = random_batch(1)
    before = losses(sampled, SETTINGS, pool=POOL)
    after = losses(sampled, SETTINGS.changed(**switch), pool=POOL)
    assert {name for name in before | after if before.get(name) != after.get(name)} == changed


@pytest.mark.parametrize("name", ["entropy", "invalid", "critic", "goal", "imitation"])
def test_a_term_of_weight_zero_is_zero(name: str) -> None:
    switch: dict[str, Any] = {name: 0.0}
    assert losses(random_batch(1), SETTINGS.changed(**switch))[name] == 0.0


def test_without_correction_every_ratio_is_one() -> None:
    metrics = update(
        TableModel(3), random_batch(1), SETTINGS.changed(correction=Correction.NONE)
    ).metrics
    assert metrics["ratio/mean"] == metrics["ratio/effective"] == 1.0
    assert metrics["ratio/clipped"] == 0.0
    corrected = update(TableModel(3), random_batch(1), SETTINGS).metrics
    assert corrected["ratio/mean"] != 1.0
    assert corrected["ratio/effective"] < 1.0


@pytest.mark.parametrize("correction", [Correction.NONE, Correction.TRUNCATED_IS])
def test_corrections_agree_on_data_of_the_newest_policy(correction: Correction) -> None:
    model = TableModel(3)
    states, arms = [0, 1, 2], [1, 0, 1]
    mu = [math.log(model.probability(s, a)) for s, a in zip(states, arms, strict=True)]
    sampled = drawn(episode(states, arms, succeeded=True, log_mu=mu))
    plain = losses(sampled, SETTINGS.changed(correction=correction))
    assert plain == pytest.approx(losses(sampled, SETTINGS), abs=1e-6)


def test_truncated_ratios_weigh_steps_but_do_not_cut_the_trace() -> None:
    """The later step is unlikely now: Retrace cuts what it says about the earlier one."""
    model = TableModel()
    with torch.no_grad():
        model.logits[1] = torch.tensor([-9.0, 9.0])
    sampled = drawn(episode([0, 1], [0, 0], succeeded=True))
    advantage = {}
    for correction in (Correction.RETRACE, Correction.TRUNCATED_IS, Correction.NONE):
        algorithm = ARide(copy.deepcopy(model), PLAIN.changed(correction=correction))
        algorithm.update(sampled)
        grad = algorithm.model.logits.grad  # type: ignore[attr-defined]
        advantage[correction] = float(-2 * 2 * grad[0, 0])
    assert advantage[Correction.RETRACE] == pytest.approx(0.97 * 0.5 - 0.5, abs=1e-5)
    through = 0.97 * 0.5 - 0.5 + 0.97 * 0.95 * 0.5
    assert advantage[Correction.TRUNCATED_IS] == pytest.approx(through, abs=1e-5)
    assert advantage[Correction.NONE] == pytest.approx(through, abs=1e-5)


def test_entropy_makes_an_uneven_choice_more_even_and_zero_leaves_it() -> None:
    certain = episode([0], [0], succeeded=False)
    for size, moved in ((0.1, True), (0.0, False)):
        model = TableModel()
        with torch.no_grad():
            model.logits[0] = torch.tensor([1.0, -1.0])
            model.values.fill_(-50.0)  # failure was certain: no advantage
        update(model, drawn(certain), PLAIN.changed(entropy=size))
        spread = float(model.logits.detach()[0, 0] - model.logits.detach()[0, 1])
        assert (spread < 2.0 - 1e-4) == moved


def test_the_invalid_term_takes_probability_from_what_cannot_be_done_and_zero_leaves_it() -> None:
    certain = episode([0], [0], succeeded=False)
    for size, moved in ((0.1, True), (0.0, False)):
        model = TableModel()
        with torch.no_grad():
            model.values.fill_(-50.0)
        update(model, drawn(certain), PLAIN.changed(invalid=size))
        assert (model.probability(0, 1) < 0.5) == moved


def test_imitation_makes_shown_decisions_likelier_if_they_led_to_success() -> None:
    shown = drawn(
        episode([0], [1], succeeded=True, log_mu=[NAN]),
        episode([1], [1], succeeded=False, log_mu=[NAN]),
    )
    model = TableModel()
    update(model, shown, PLAIN.changed(imitation=1.0))
    assert model.probability(0, 1) > 0.5
    assert model.probability(1, 1) == 0.5
    still = TableModel()
    update(still, shown, PLAIN)
    assert still.probability(0, 1) == 0.5


@pytest.mark.parametrize(("value", "size"), [(0.5, 1.0), (0.1, 1.0), (0.01, 0.2)])
def test_normalised_advantages_do_not_depend_on_their_size_unless_they_are_tiny(
    value: float, size: float
) -> None:
    """Both episodes fail, so that both advantages are minus the value."""
    model = TableModel()
    with torch.no_grad():
        model.values.fill_(math.log(value / (1 - value)))
    failed = drawn(episode([0], [0], succeeded=False), episode([1], [1], succeeded=False))
    plain = update(copy.deepcopy(model), failed, PLAIN).metrics["loss/policy"]
    assert plain == pytest.approx(value * math.log(0.5), abs=1e-5)
    scaled = update(model, failed, PLAIN.changed(normalise=True)).metrics["loss/policy"]
    assert scaled == pytest.approx(size * math.log(0.5), abs=1e-5)


def test_a_penalised_step_becomes_rarer_and_the_others_likelier() -> None:
    model = TableModel()
    with torch.no_grad():
        model.values.fill_(-50.0)  # failure was certain: no advantage
    update(model, drawn(episode([0, 1], [0, 0], succeeded=False, penalties=[-0.5, 0.0])), PLAIN)
    assert model.probability(0, 0) < 0.5 < model.probability(1, 0)


def test_the_same_penalty_for_all_steps_changes_nothing() -> None:
    plain = episode([0, 1, 2], [0, 1, 0], succeeded=True)
    even = replace(plain, penalties=np.full(3, -0.25, np.float32))
    assert losses(drawn(even), SETTINGS) == pytest.approx(losses(drawn(plain), SETTINGS), abs=1e-6)


def test_penalties_do_not_reach_the_critics() -> None:
    plain = episode([0, 1, 2], [0, 1, 0], succeeded=True)
    punished = replace(plain, penalties=np.array([-0.5, 0.0, 0.0], np.float32))
    before, after = losses(drawn(plain), SETTINGS), losses(drawn(punished), SETTINGS)
    assert {name for name in before if before[name] != after[name]} == {"policy"}


def test_without_a_policy_loss_the_pool_still_teaches() -> None:
    model = TableModel()
    settings = PLAIN.changed(policy=0.0, self_imitation=1.0)
    won, pooled = episode([0], [0], succeeded=True), episode([1], [1], succeeded=True)
    update(model, drawn(won), settings, (pooled,))
    assert model.probability(0, 0) == pytest.approx(0.5)
    assert model.probability(1, 1) > 0.5


def test_importance_weights_scale_an_episode_s_share_of_the_policy_loss_only() -> None:
    one, two = episode([0], [0], succeeded=True), episode([1], [1], succeeded=False)
    settings = SETTINGS.changed(normalise=False)
    full = losses(drawn(one, two), settings)
    less = losses(drawn(one, two, weights=[0.5, 1.0]), settings)
    none = losses(drawn(one, two, weights=[0.0, 1.0]), settings)
    assert full["policy"] - less["policy"] == pytest.approx((full["policy"] - none["policy"]) / 2)
    assert {name for name in full if full[name] != less[name]} == {"policy"}


def test_large_ratios_are_cut_at_their_bound() -> None:
    rare = drawn(episode([0], [0], succeeded=True, log_mu=[math.log(0.01)]))
    for rho_max in (1.0, 2.0, 5.0):
        model = TableModel()
        result = update(model, rare, PLAIN.changed(rho_max=rho_max))
        assert result.metrics["loss/policy"] == pytest.approx(-rho_max * 0.5 * math.log(0.5))
        assert result.metrics["ratio/clipped"] == 1.0
        assert result.terms[0, 1] == pytest.approx(rho_max)


def test_a_ratio_beyond_any_number_stays_a_number() -> None:
    impossible = drawn(
        episode([0, 1], [0, 0], succeeded=True, log_mu=[-1e4, -1e4]),
        episode([0, 1], [1, 1], succeeded=True, log_mu=[0.0, 0.0]),
    )
    model = TableModel()
    with torch.no_grad():
        model.logits[:, 0] = 200.0
    result = update(model, impossible, SETTINGS)
    assert all(math.isfinite(number) for number in result.metrics.values())
    assert np.isfinite(result.terms).all()
    assert all(bool(p.isfinite().all()) for p in model.parameters())


@pytest.mark.parametrize("ema_decay", [0.0, 0.9, 1.0])
def test_averaged_critics_follow_at_their_pace(ema_decay: float) -> None:
    model = TableModel(3)
    # The limits of the formula, which settings do not reach.
    algorithm = ARide(model, SETTINGS.model_copy(update={"ema_decay": ema_decay}))
    slow = copy.deepcopy(model.state_dict())
    for seed in range(3):
        algorithm.update(random_batch(seed))
        new = model.state_dict()
        slow = {name: ema_decay * slow[name] + (1 - ema_decay) * new[name] for name in slow}
    for name, tensor in algorithm.ema.state_dict().items():
        torch.testing.assert_close(tensor, slow[name])


def test_values_in_the_trace_are_the_averaged_ones_and_the_smaller_of_two() -> None:
    model = TableModel()
    algorithm = ARide(model, SETTINGS)
    with torch.no_grad():
        model.values.fill_(3.0)
        algorithm.ema.values[:, 0] = 0.0  # type: ignore[attr-defined]
        algorithm.ema.values[:, 1] = -math.log(3)  # type: ignore[attr-defined]
    failed = drawn(episode([0], [0], succeeded=False))
    assert algorithm.update(failed).terms[0, 0] == pytest.approx(0.25)


def test_values_in_the_trace_are_the_newest_ones_if_the_averaged_are_not_asked() -> None:
    model = TableModel()
    algorithm = ARide(model, SETTINGS.changed(target_critics=False))
    with torch.no_grad():
        model.values[:, 0] = 0.0
        model.values[:, 1] = -math.log(3)
        algorithm.ema.values.fill_(3.0)  # type: ignore[attr-defined]
    failed = drawn(episode([0], [0], succeeded=False))
    assert algorithm.update(failed).terms[0, 0] == pytest.approx(0.25)


def test_critics_learn_before_the_policy_does() -> None:
    model = TableModel()
    algorithm = ARide(model, SETTINGS.changed(critic_warmup=2))
    sampled = drawn(episode([0], [0], succeeded=True))
    for turn in range(4):
        policy, critic = model.logits.detach().clone(), model.values.detach().clone()
        algorithm.update(sampled)
        assert torch.equal(model.logits.detach(), policy) == (turn < 2)
        assert not torch.equal(model.values.detach(), critic)


@pytest.mark.parametrize("term", ["entropy", "invalid"])
def test_no_regulariser_moves_the_policy_before_the_critics_are_trained(term: str) -> None:
    weight: dict[str, Any] = {term: 0.5}
    model = TableModel(3)  # the entropy of an even choice has no gradient
    with torch.no_grad():
        model.values.fill_(-50.0)  # failure was certain: no advantage
    algorithm = ARide(model, PLAIN.changed(critic_warmup=1, **weight))
    for learns in (False, True):
        algorithm.update(drawn(episode([0], [0], succeeded=False)))
        # Not the weights: the optimiser's decay moves them whatever is learned.
        grad = model.logits.grad
        assert (grad is not None and bool(grad.any())) == learns


def test_what_is_shown_or_pooled_is_imitated_before_the_critics_are_trained() -> None:
    model = TableModel()
    settings = PLAIN.changed(critic_warmup=1, imitation=1.0, self_imitation=1.0)
    shown = drawn(episode([0], [1], succeeded=True, log_mu=[NAN]))
    update(model, shown, settings, (episode([1], [1], succeeded=True),))
    assert model.probability(0, 1) > 0.5
    assert model.probability(1, 1) > 0.5


@pytest.mark.parametrize(("succeeded", "target"), [(True, 1.0), (False, 0.0)])
def test_a_wide_trace_clip_never_asks_critics_for_more_than_certainty(
    succeeded: bool, target: float
) -> None:
    """V is 1/2 and the ratio 5: unclamped, the targets would be 2.5 and -1.5."""
    model = TableModel()
    rare = drawn(episode([0], [0], succeeded=succeeded, log_mu=[math.log(0.1)]))
    update(model, rare, PLAIN.changed(critic=1.0, trace_clip=4.0))
    assert model.values.grad is not None
    # The gradient of the cross-entropy by a logit is V - target, here a mean over two critics.
    assert model.values.grad[0].tolist() == pytest.approx([(0.5 - target) / 2] * 2)


def test_critics_move_towards_the_outcome() -> None:
    model = TableModel()
    settings = SETTINGS.changed(critic_target=Correction.MONTE_CARLO, gamma=0.9)
    algorithm = ARide(model, settings.changed(learning_rate=0.05))
    sampled = drawn(
        episode([0, 1], [0, 0], succeeded=True), episode([2, 3], [0, 0], succeeded=False)
    )
    for _ in range(300):
        algorithm.update(sampled)
    assert [model.value(state) for state in (0, 1, 2, 3)] == pytest.approx(
        [0.9, 1.0, 0.0, 0.0], abs=0.05
    )
    goals = torch.sigmoid(model.goals.detach())
    assert float(goals[0]) > 0.9
    assert float(goals[2]) < 0.1


def test_gradients_are_clipped_together() -> None:
    model = TableModel(3)
    ARide(model, SETTINGS.changed(gradient_clip=1e-3, critic=100.0)).update(random_batch(0))
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    norm = torch.stack([g.norm() for g in grads]).norm()
    assert float(norm) == pytest.approx(1e-3, rel=1e-3)


# What must not train the policy.


@every_seed
def test_episodes_beyond_the_age_bound_train_critics_only(seed: int) -> None:
    sampled = random_batch(seed)
    old = replace(sampled, fresh=np.zeros(len(sampled.trajectories), np.bool_))
    found = losses(old, SETTINGS)
    assert found["policy"] == found["entropy"] == found["invalid"] == 0.0
    assert found["critic"] == losses(sampled, SETTINGS)["critic"] > 0
    model = TableModel()
    update(model, old, SETTINGS)
    assert not model.logits.any()
    assert model.values.any()


def test_an_old_episode_beside_a_young_one_does_not_touch_its_share() -> None:
    fresh, old = episode([0, 1], [0, 1], succeeded=True), episode([2, 3], [0, 1], succeeded=False)
    alone = losses(drawn(fresh), SETTINGS)
    beside = losses(drawn(fresh, old, fresh=[True, False]), SETTINGS)
    for name in ("policy", "entropy", "invalid"):
        assert beside[name] == pytest.approx(alone[name], abs=1e-7)
    assert beside["critic"] != alone["critic"]


def test_steps_of_unknown_probability_never_enter_the_policy_loss() -> None:
    """Whatever was decided there, and whatever the policy thinks of it."""
    mu = [math.log(0.5), NAN, math.log(0.5)]
    found, grads = [], []
    for arm in (0, 1):
        model = TableModel(3)
        sampled = drawn(episode([0, 1, 2], [0, arm, 1], succeeded=True, log_mu=mu))
        found.append(update(model, sampled, SETTINGS).metrics)
        assert model.logits.grad is not None
        grads.append(model.logits.grad)
    for name in ("loss/policy", "loss/entropy", "loss/invalid", "loss/critic"):
        assert found[0][name] == found[1][name]
    assert torch.equal(grads[0], grads[1])
    assert not grads[0][1].any()
    assert grads[0][0].any()
    assert grads[0][2].any()


def test_a_batch_of_demonstrations_alone_trains_the_critics() -> None:
    model = TableModel()
    shown = drawn(episode([0, 1], [0, 0], succeeded=True, log_mu=[NAN, NAN]))
    metrics = update(model, shown, SETTINGS).metrics
    assert all(math.isfinite(number) for number in metrics.values())
    assert not model.logits.any()
    assert model.values.any()


# Repetition.


def assert_same_tree(first: Any, second: Any) -> None:
    """Equal to the last bit."""
    if isinstance(first, torch.Tensor):
        assert torch.equal(first, second)
    elif isinstance(first, dict):
        assert first.keys() == second.keys()
        for key in first:
            assert_same_tree(first[key], second[key])
    elif isinstance(first, list):
        assert len(first) == len(second)
        for one, other in zip(first, second, strict=True):
            assert_same_tree(one, other)
    else:
        assert first == second


@every_seed
def test_an_update_is_the_same_to_the_bit_when_it_is_repeated(seed: int) -> None:
    results, states = [], []
    for _ in range(2):
        algorithm = ARide(TableModel(seed), SETTINGS)
        results.append([algorithm.update(random_batch(seed + k)) for k in range(3)])
        states.append(algorithm.state_dict())
    assert_same_tree(*states)
    for first, second in zip(*results, strict=True):
        assert first.metrics == second.metrics
        assert (first.terms == second.terms).all()


@pytest.mark.parametrize("at", [0, 1, 4])
def test_going_on_from_a_state_is_the_same_to_the_bit(at: int) -> None:
    settings = SETTINGS.changed(critic_warmup=3)
    straight = ARide(TableModel(0), settings)
    for k in range(at):
        straight.update(random_batch(k))
    saved = copy.deepcopy(straight.state_dict())
    resumed = ARide(TableModel(9), settings)
    resumed.load_state_dict(saved)
    for k in range(at, at + 4):
        first, second = straight.update(random_batch(k)), resumed.update(random_batch(k))
        assert first.metrics == second.metrics
    assert_same_tree(straight.state_dict(), resumed.state_dict())


def stored_batch() -> Sampled:
    """Three episodes of the pointer, as a learner reads them from what was stored."""
    policy = PointerPolicy(make_model(), make_preparer())
    encoder = FakeTextEncoder()
    trajectories = []
    for number in range(3):
        choices = policy.act([random_situation(10 * number + k) for k in range(number + 2)])
        length = len(choices)
        trajectories.append(
            Trajectory(
                id=f"e{number}",
                inputs=tuple(unpack(choice.inputs, encoder) for choice in choices),
                decisions=tuple(choice.decision or () for choice in choices),
                log_mu=np.array([choice.log_prob for choice in choices], np.float32),
                rewards=np.array([0.0] * (length - 1) + [float(number > 0)], np.float32),
                penalties=np.array([-0.1] + [0.0] * (length - 1), np.float32),
                terminated=True,
                oldest_version=0,
                succeeded=number > 0,
                goal="Save Ada",
            )
        )
    return drawn(*trajectories, weights=[1.0, 0.5, 0.7])


def test_an_update_of_the_pointer_on_a_stored_batch_is_the_same_to_the_bit() -> None:
    states, results = [], []
    for _ in range(2):
        algorithm = ARide(make_model(1), SETTINGS.changed(critic_warmup=1))
        sampled = stored_batch()
        results.append([algorithm.update(sampled) for _ in range(3)])
        states.append(algorithm.state_dict())
    assert_same_tree(*states)
    assert [r.metrics for r in results[0]] == [r.metrics for r in results[1]]
    before = make_model(1).state_dict()
    moved = [name for name, tensor in states[0]["model"].items() if (tensor != before[name]).any()]
    assert len(moved) == len(before)


def test_the_pointer_s_ratios_are_one_for_the_weights_that_acted() -> None:
    metrics = ARide(make_model(), SETTINGS).update(stored_batch()).metrics
    assert metrics["ratio/mean"] == pytest.approx(1.0, abs=1e-4)
    assert metrics["ratio/effective"] == pytest.approx(1.0, abs=1e-4)


def test_the_learning_rate_falls_in_a_straight_line_with_the_budget() -> None:
    settings = AlgorithmConfig(learning_rate=0.1, anneal=0.2)
    assert [annealed(settings, spent) for spent in (0.0, 0.5, 1.0)] == pytest.approx(
        [0.1, 0.06, 0.02]
    )


def test_without_annealing_progress_changes_nothing_and_with_it_late_steps_are_smaller() -> None:
    def moved(anneal: float, progress: float) -> float:
        model = TableModel(seed=1)
        before = torch.cat([p.detach().flatten().clone() for p in model.parameters()])
        algorithm = ARide(model, SETTINGS.changed(anneal=anneal))
        algorithm.update(random_batch(0), progress=progress)
        after = torch.cat([p.detach().flatten() for p in model.parameters()])
        return float((after - before).norm())

    assert moved(1.0, 0.9) == moved(1.0, 0.0) == moved(0.1, 0.0)
    assert moved(0.1, 1.0) == pytest.approx(0.1 * moved(0.1, 0.0), rel=1e-3)


def test_the_goal_filter_learns_from_what_ended_better_than_was_thought() -> None:
    won = episode([0, 1], [0, 0], succeeded=True)
    lost = episode([2, 3], [0, 1], succeeded=False)
    settings = PLAIN.changed(goal_filter=0.5)
    # From zeros the goal critic thinks the same of both, so that the success is kept.
    assert losses(drawn(won, lost), settings, seed=None)["policy"] == pytest.approx(
        losses(drawn(won), PLAIN, seed=None)["policy"], abs=1e-6
    )
    assert losses(drawn(won, lost), settings, seed=None) != losses(
        drawn(won, lost), PLAIN, seed=None
    )


def test_wider_thresholds_let_larger_ratios_into_the_trace() -> None:
    likely = episode([0, 1, 2], [0, 0, 0], succeeded=True, log_mu=[math.log(0.1)] * 3)
    narrow, wide = (losses(drawn(likely), PLAIN.changed(trace_clip=c)) for c in (1.0, 4.0))
    assert narrow["policy"] != wide["policy"]
    even = episode([0, 1, 2], [0, 0, 0], succeeded=True)
    same = [losses(drawn(even), PLAIN.changed(trace_clip=c), seed=None) for c in (1.0, 4.0)]
    assert same[0] == same[1]
