from __future__ import annotations

import numpy as np
import pytest

from distrl.config.replay import PrioritiesConfig, ReplayConfig
from distrl.replay.priorities import PriorityScale, importance_exponent, priorities

TERMS = np.array([[0.2, 1.0, 3.0], [0.0, 0.5, 9.0], [1.0, 2.0, 0.1]])
"""Mean |delta|, mean clipped rho and mean -log pi of three episodes."""


def test_priorities_are_those_of_the_formula() -> None:
    """p = w1 * d / m1 + w2 * r / m2 + w3 * s / m3 + eps, with w = 1, 0.5, 0.25."""
    means = np.array([0.5, 2.0, 4.0])
    found = priorities(TERMS, means, PrioritiesConfig())
    for row, (error, ratio, surprise) in zip(found, TERMS, strict=True):
        assert row == pytest.approx(error / 0.5 + 0.5 * ratio / 2.0 + 0.25 * surprise / 4.0 + 0.01)


@pytest.mark.parametrize(
    ("weights", "order"),
    [
        (PrioritiesConfig(error=1, ratio=0, surprise=0), [2, 0, 1]),
        (PrioritiesConfig(error=0, ratio=1, surprise=0), [2, 0, 1]),
        (PrioritiesConfig(error=0, ratio=0, surprise=1), [1, 0, 2]),
    ],
)
def test_each_term_can_stand_alone(weights: PrioritiesConfig, order: list[int]) -> None:
    found = priorities(TERMS, np.ones(3), weights)
    assert np.argsort(-found, kind="stable").tolist() == order


def test_an_episode_without_error_can_still_be_drawn() -> None:
    nothing = priorities(np.zeros((1, 3)), np.ones(3), PrioritiesConfig(floor=0.02))
    assert nothing.tolist() == [0.02]


def test_running_means_make_the_terms_alike_so_that_none_drowns_the_others() -> None:
    rng = np.random.default_rng(0)
    sizes = np.array([0.01, 1.0, 50.0])
    scale = PriorityScale()
    for _ in range(300):
        means = scale.update(sizes * rng.random((16, 3)) * 2)
    assert means == pytest.approx(sizes, rel=0.1)
    terms = sizes * rng.random((2000, 3)) * 2
    shares = terms / means
    assert shares.mean(axis=0) == pytest.approx(np.ones(3), rel=0.1)


def test_the_first_mean_is_that_of_the_first_batch() -> None:
    scale = PriorityScale(decay=0.99)
    assert scale.current.tolist() == [1.0, 1.0, 1.0]
    assert scale.update(TERMS) == pytest.approx(TERMS.mean(axis=0))
    assert scale.current == pytest.approx(TERMS.mean(axis=0))


def test_means_follow_with_the_decay() -> None:
    scale = PriorityScale(decay=0.5)
    scale.update(np.full((4, 3), 1.0))
    # Weights 1/4 and 1/2 of what was seen.
    assert scale.update(np.full((4, 3), 4.0)) == pytest.approx(np.full(3, (1 + 2 * 4) / 3))


def test_a_term_that_is_always_zero_divides_nothing_by_zero() -> None:
    scale = PriorityScale()
    terms = TERMS * np.array([1.0, 0.0, 1.0])
    found = priorities(terms, scale.update(terms), PrioritiesConfig())
    assert np.isfinite(found).all()


@pytest.mark.parametrize(("progress", "exponent"), [(0.0, 0.2), (0.5, 0.5), (1.0, 0.8)])
def test_the_importance_exponent_goes_from_its_start_to_its_end(
    progress: float, exponent: float
) -> None:
    config = ReplayConfig(importance_start=0.2, importance_end=0.8)
    assert importance_exponent(config, progress) == pytest.approx(exponent)
