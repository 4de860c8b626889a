"""The priority that an episode arrives with: that of an update by the weights that acted."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.learn.tables import ARMS, STATES, TableModel, drawn, episode

from distrl.config.learn import AlgorithmConfig
from distrl.config.replay import PrioritiesConfig
from distrl.learn.algorithms.a_ride import ARide
from distrl.learn.arrival_priority import ArrivalPriority, arrival_terms
from distrl.replay.priorities import PriorityScale, priorities
from distrl.replay.trajectory import Trajectory


def played(model: TableModel, seed: int) -> Trajectory:
    """An episode with what the model would have noted of its steps."""
    rng = np.random.default_rng(seed)
    length = int(rng.integers(1, 6))
    states = rng.integers(STATES, size=length).tolist()
    arms = rng.integers(ARMS, size=length).tolist()
    log_mu = [math.log(model.probability(*step)) for step in zip(states, arms, strict=True)]
    made = episode(states, arms, succeeded=bool(rng.random() < 0.5), log_mu=log_mu)
    return replace(made, values=np.array([model.value(state) for state in states], np.float32))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("rho_max", [0.5, 2.0])
def test_the_first_terms_are_those_of_an_update_with_the_weights_that_acted(
    seed: int, rho_max: float
) -> None:
    model = TableModel(seed + 1)
    settings = AlgorithmConfig(gamma=0.9, rho_max=rho_max)
    trajectory = played(model, seed)
    found = arrival_terms(trajectory, gamma=0.9, rho_max=rho_max)
    assert found is not None
    (wanted,) = ARide(model, settings).terms(drawn(trajectory))
    assert found.tolist() == pytest.approx(wanted.tolist(), abs=1e-6)


def make_priority(scale: PriorityScale) -> ArrivalPriority:
    return ArrivalPriority(scale=scale, weights=PrioritiesConfig(), gamma=0.9, rho_max=2.0)


def test_the_first_priority_is_that_of_the_formula_with_the_learner_s_means() -> None:
    trajectory, scale = played(TableModel(1), 0), PriorityScale()
    terms = arrival_terms(trajectory, gamma=0.9, rho_max=2.0)
    assert terms is not None
    priority_of = make_priority(scale)
    for means in ([0.1, 0.9, 2.0], [0.4, 1.1, 0.5]):
        scale.update(np.array([means]))
        wanted = priorities(terms[None], scale.current, PrioritiesConfig())[0]
        assert priority_of(trajectory) == pytest.approx(wanted)


def test_the_more_surprising_end_has_the_larger_priority() -> None:
    scale = PriorityScale()
    scale.update(np.ones((1, 3)))
    sure = np.array([0.95, 0.95], np.float32)
    won, lost = (
        make_priority(scale)(replace(episode([0, 1], [0, 0], succeeded=ended), values=sure))
        for ended in (True, False)
    )
    assert won is not None
    assert lost is not None
    assert lost > won


def test_there_is_none_where_nobody_noted_what_it_takes_or_before_the_first_update() -> None:
    known, scale = played(TableModel(1), 3), PriorityScale()
    assert len(known) > 1
    assert make_priority(scale)(known) is None
    scale.update(np.ones((1, 3)))
    assert make_priority(scale)(known) is not None
    log_mu = known.log_mu.copy()
    log_mu[0] = np.nan
    for unknown in (replace(known, values=None), replace(known, log_mu=log_mu)):
        assert make_priority(scale)(unknown) is None
