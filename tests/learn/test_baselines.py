"""What A-RIDE is compared with: each policy loss against its formula, step by step."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import torch
from tests.learn.tables import TableModel, drawn, episode, random_batch

from distrl.config.learn import AlgorithmConfig, DigirlConfig, DigirlForm
from distrl.errors import ConfigError
from distrl.learn.algorithms import ALGORITHMS, make_algorithm, require_algorithm
from distrl.learn.algorithms.grpo import group_advantages
from distrl.learn.learner import Algorithm
from distrl.replay.buffer import Sampled
from distrl.replay.trajectory import Trajectory

SETTINGS = AlgorithmConfig(
    learning_rate=1e-3,
    imitation=0.0,
    self_imitation=0.0,
    critic_warmup=0,
    normalise=False,
    gamma=0.9,
    lam=0.8,
)
BASELINES = tuple(name for name in ALGORITHMS if name != "a_ride")

every_seed = pytest.mark.parametrize("seed", range(8))
every_algorithm = pytest.mark.parametrize("name", ALGORITHMS)


def policy_loss(name: str, sampled: Sampled, settings: AlgorithmConfig, seed: int = 3) -> float:
    algorithm = make_algorithm(TableModel(seed), settings.changed(name=name))
    return algorithm.update(sampled).metrics["loss/policy"]


def steps_of(sampled: Sampled, model: TableModel) -> Iterator[dict[str, Any]]:
    """Every step with what the formulas need."""
    for index, trajectory in enumerate(sampled.trajectories):
        values = [model.value(state) for state in trajectory.inputs] + [0.0]
        for t, (state, (arm,)) in enumerate(
            zip(trajectory.inputs, trajectory.decisions, strict=True)
        ):
            mu = float(trajectory.log_mu[t])
            log_pi = math.log(model.probability(state, arm))
            yield {
                "trajectory": trajectory,
                "t": t,
                "to_go": len(trajectory) - 1 - t,
                "log_pi": log_pi,
                "rho": math.exp(log_pi - mu),
                "used": not math.isnan(mu) and bool(sampled.fresh[index]),
                "values": values,
                "difference": values[t + 1] + float(trajectory.rewards[t]) - values[t],
            }


def mean_surprise(steps: list[dict[str, Any]]) -> float:
    surprise: float = -sum(step["log_pi"] for step in steps)
    return surprise / max(1, len(steps))


@every_seed
def test_filtered_bc_is_the_surprise_at_what_succeeded(seed: int) -> None:
    sampled = random_batch(seed)
    steps = [s for s in steps_of(sampled, TableModel(3)) if s["used"] and s["trajectory"].succeeded]
    assert policy_loss("filtered_bc", sampled, SETTINGS) == pytest.approx(
        mean_surprise(steps), abs=1e-6
    )


@every_seed
@pytest.mark.parametrize("clip", [0.05, 0.2, 3.0])
def test_ppo_is_the_smaller_of_two_gains(seed: int, clip: float) -> None:
    sampled, gains = random_batch(seed), []
    for step in steps_of(sampled, TableModel(3)):
        if not step["used"]:
            continue
        trajectory: Trajectory = step["trajectory"]
        values, t = step["values"], step["t"]
        advantage = sum(
            (SETTINGS.gamma * SETTINGS.lam) ** (k - t)
            * (float(trajectory.rewards[k]) + SETTINGS.gamma * values[k + 1] - values[k])
            for k in range(t, len(trajectory))
        )
        clipped = min(max(step["rho"], 1 - clip), 1 + clip)
        gains.append(min(step["rho"] * advantage, clipped * advantage))
    found = policy_loss("ppo", sampled, SETTINGS.changed(clip=clip))
    assert found == pytest.approx(-sum(gains) / max(1, len(gains)), abs=1e-5)


@every_seed
@pytest.mark.parametrize("keep", [0.34, 0.5, 1.0])
def test_digirl_imitates_the_better_steps_of_the_better_episodes(seed: int, keep: float) -> None:
    own = DigirlConfig(keep=keep, threshold=0.1, decay=0.5)
    sampled, model = random_batch(seed), TableModel(3)
    # Each begins somewhere else, so that no two are equally good.
    trajectories = [
        replace(trajectory, id=str(place), inputs=(place, *trajectory.inputs[1:]))
        for place, trajectory in enumerate(sampled.trajectories)
    ]
    sampled = replace(sampled, trajectories=tuple(trajectories))
    better = {
        trajectory.id: float(trajectory.succeeded)
        - float(torch.sigmoid(model.goals.detach()[trajectory.inputs[0]]))
        for trajectory in sampled.trajectories
    }
    may_train = {step["trajectory"].id for step in steps_of(sampled, model) if step["used"]}
    count = max(1, round(keep * len(may_train)))
    kept = sorted(may_train, key=lambda name: -better[name])[:count]
    chosen = [
        step
        for step in steps_of(sampled, model)
        if step["used"]
        and step["trajectory"].id in kept
        and 0.5 ** step["to_go"] * step["trajectory"].succeeded
        + (1 - 0.5 ** step["to_go"]) * step["difference"]
        > own.threshold
    ]
    found = policy_loss("digirl", sampled, SETTINGS.changed(digirl=own))
    assert found == pytest.approx(mean_surprise(chosen), abs=1e-6)


@pytest.mark.parametrize("why", ["too old", "without a probability"])
def test_the_filters_choose_among_the_episodes_that_may_train(why: str) -> None:
    """Six of eight may not; half of the other two is one, and the policy learns from it."""
    log_mu = [math.nan] * 2 if why == "without a probability" else None
    others = [episode([2, 3], [0, 0], succeeded=True, log_mu=log_mu) for _ in range(6)]
    won, lost = (episode([0, 1], [0, arm], succeeded=not arm) for arm in (0, 1))
    sampled = drawn(*others, lost, won, fresh=[why != "too old"] * 6 + [True] * 2)
    for name, settings in (
        ("digirl", SETTINGS.changed(digirl=DigirlConfig(keep=0.5, threshold=0.0))),
        ("a_ride", SETTINGS.changed(goal_filter=0.5)),
    ):
        # From zeros the goal critic thinks the same of all, so that the success is kept.
        alone = make_algorithm(TableModel(), settings.changed(name=name)).update(drawn(won))
        among = make_algorithm(TableModel(), settings.changed(name=name)).update(sampled)
        assert alone.metrics["loss/policy"] != 0.0
        assert among.metrics["loss/policy"] == pytest.approx(alone.metrics["loss/policy"])


def test_a_batch_of_which_nothing_may_train_passes_no_filter() -> None:
    won = drawn(episode([0, 1], [0, 0], succeeded=True), fresh=[False])
    assert policy_loss("digirl", won, SETTINGS) == 0.0
    assert policy_loss("a_ride", won, SETTINGS.changed(goal_filter=0.5)) == 0.0


@every_seed
def test_digirl_as_published_in_code_chooses_by_another_rule(seed: int) -> None:
    sampled = random_batch(seed)
    chosen = [
        step
        for step in steps_of(sampled, TableModel(3))
        if step["used"]
        and step["difference"]
        - 0.05
        + SETTINGS.gamma ** step["to_go"] * step["trajectory"].succeeded
        > 0
    ]
    settings = SETTINGS.changed(digirl=DigirlConfig(form=DigirlForm.CODE))
    found = policy_loss("digirl", sampled, settings)
    assert found == pytest.approx(mean_surprise(chosen), abs=1e-6)


def attempt(goal: str, *, succeeded: bool) -> Trajectory:
    return replace(episode([0, 1], [0, 1], succeeded=succeeded), goal=goal)


def test_attempts_at_one_task_are_compared_with_each_other_alone() -> None:
    trajectories = [
        *(attempt("hard", succeeded=won) for won in (True, False, False, False)),
        *(attempt("half", succeeded=won) for won in (True, False)),
        *(attempt("easy", succeeded=True) for _ in range(3)),
        attempt("alone", succeeded=True),
    ]
    spread = math.sqrt(0.25 * 0.75)
    lost = -0.25 / spread
    wanted = [0.75 / spread, lost, lost, lost, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0]
    assert group_advantages(trajectories).tolist() == pytest.approx(wanted, abs=1e-5)


def test_grpo_gives_every_step_the_advantage_of_its_episode() -> None:
    sampled = drawn(attempt("a", succeeded=True), attempt("a", succeeded=False))
    model = TableModel(3)
    gains = []
    for step in steps_of(sampled, model):
        advantage = 1.0 if step["trajectory"].succeeded else -1.0
        clipped = min(max(step["rho"], 0.8), 1.2)
        gains.append(min(step["rho"] * advantage, clipped * advantage))
    assert policy_loss("grpo", sampled, SETTINGS) == pytest.approx(-sum(gains) / 4, abs=1e-6)


def test_grpo_learns_nothing_where_all_ended_alike() -> None:
    model = TableModel(3)
    before = model.logits.detach().clone()
    settings = SETTINGS.changed(entropy=0.0, invalid=0.0)
    won = [attempt("a", succeeded=True) for _ in range(3)]
    algorithm = make_algorithm(model, settings.changed(name="grpo"))
    algorithm.update(drawn(*won))
    weight_decay = 1 - settings.learning_rate * 1e-2
    torch.testing.assert_close(model.logits.detach(), before * weight_decay)


@every_algorithm
def test_the_weight_of_the_policy_loss_scales_it_and_nothing_else(name: str) -> None:
    def all_losses(weight: float) -> dict[str, float]:
        algorithm = make_algorithm(TableModel(3), SETTINGS.changed(name=name, policy=weight))
        return algorithm.update(random_batch(1)).metrics

    whole, half, none = (all_losses(weight) for weight in (1.0, 0.5, 0.0))
    assert whole["loss/policy"] != 0.0
    assert half["loss/policy"] == pytest.approx(whole["loss/policy"] / 2)
    assert none["loss/policy"] == 0.0
    assert {key for key in whole if whole[key] != none[key]} <= {"loss/policy"}


@every_algorithm
def test_every_algorithm_keeps_the_contract(name: str) -> None:
    algorithm = make_algorithm(TableModel(1), SETTINGS.changed(name=name))
    assert isinstance(algorithm, Algorithm)
    sampled = random_batch(0)
    terms = algorithm.terms(sampled)
    result = algorithm.update(sampled)
    assert (result.terms == terms).all()
    assert all(math.isfinite(number) for number in result.metrics.values())


@every_algorithm
def test_every_algorithm_repeats_itself_bit_by_bit_and_resumes(name: str) -> None:
    first, second = (make_algorithm(TableModel(1), SETTINGS.changed(name=name)) for _ in range(2))
    for seed in range(3):
        first.update(random_batch(seed))
    second.load_state_dict(first.state_dict())
    results = [algorithm.update(random_batch(9)).metrics for algorithm in (first, second)]
    assert results[0] == results[1]


@pytest.mark.parametrize("name", BASELINES)
def test_every_baseline_makes_the_arm_that_wins_likelier(name: str) -> None:
    model = TableModel()
    settings = SETTINGS.changed(learning_rate=0.05, entropy=0.0, invalid=0.0)
    algorithm = make_algorithm(model, settings.changed(name=name))
    for _ in range(60):
        log_mu = [math.log(model.probability(0, arm)) for arm in (0, 1)]
        won = episode([0], [0], succeeded=True, log_mu=log_mu[:1])
        lost = episode([0], [1], succeeded=False, log_mu=log_mu[1:])
        algorithm.update(drawn(won, lost))
    assert model.probability(0, 0) > 0.8


def test_digirl_s_form_is_one_of_two() -> None:
    assert {form.value for form in DigirlForm} == {"paper", "code"}


def test_an_algorithm_that_nobody_knows_is_refused_with_the_nearest_name() -> None:
    wanted = r"unknown algorithm\.name 'a_rid'; did you mean 'a_ride'\?"
    with pytest.raises(ConfigError, match=wanted):
        require_algorithm("a_rid")
    with pytest.raises(ConfigError, match=wanted):
        make_algorithm(TableModel(), SETTINGS.changed(name="a_rid"))
    for name in ALGORITHMS:
        require_algorithm(name)
