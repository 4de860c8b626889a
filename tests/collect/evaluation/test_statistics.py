import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.collect.evaluation.statistics import Result, Row, summarise, wilson_interval
from distrl.types import Outcome


def result(
    outcome: Outcome, steps: int = 4, *, side_effects: bool = False, oracle: int | None = 3
) -> Result:
    return Result(
        template="t",
        outcome=outcome,
        steps=steps,
        side_effects=side_effects,
        oracle_steps=oracle,
    )


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # Published values: Newcombe 1998, table I, method 3 (score, without correction).
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_agrees_with_published_values(
    successes: int, trials: int, low: float, high: float
) -> None:
    assert wilson_interval(successes, trials) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_share_and_stays_a_probability(counts: tuple[int, int]) -> None:
    successes, trials = counts
    low, high = wilson_interval(successes, trials)
    assert 0.0 <= low <= successes / trials <= high <= 1.0
    assert low < high


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (3, 2), (-1, 2)])
def test_counts_that_cannot_be_are_refused(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match="make no interval"):
        wilson_interval(successes, trials)


def test_the_figures_of_a_mixed_bag() -> None:
    row = summarise(
        "t",
        [
            result(Outcome.SUCCEEDED, 3),
            result(Outcome.FALSE_COMPLETE, 5, side_effects=True),
            result(Outcome.STEP_LIMIT, 15, oracle=None),
            result(Outcome.FAILED, 1, oracle=6),
        ],
    )
    assert (row.success, row.episodes, row.faults) == (0.25, 4, 0)
    assert (row.low, row.high) == wilson_interval(1, 4)
    assert (row.false_complete, row.side_effects) == (0.25, 0.25)
    assert row.mean_steps == 6.0
    assert row.oracle_steps == 4.0


def test_faults_are_counted_and_nothing_else_of_them() -> None:
    fair = [result(Outcome.SUCCEEDED), result(Outcome.STEP_LIMIT)]
    broken = [result(Outcome.DEVICE_LOST, 99), result(Outcome.TASK_ERROR, 99, side_effects=True)]
    row, expected = summarise("t", [*fair, *broken]), summarise("t", fair)
    assert (row.faults, row.episodes) == (2, 2)
    assert (row.success, row.mean_steps) == (expected.success, expected.mean_steps)
    assert row.side_effects == 0.0


def test_without_an_episode_that_counts_nothing_is_claimed() -> None:
    assert summarise("t", [result(Outcome.TASK_ERROR)]) == Row(
        template="t",
        success=None,
        low=None,
        high=None,
        episodes=0,
        false_complete=None,
        side_effects=None,
        mean_steps=None,
        oracle_steps=None,
        faults=1,
    )
