from __future__ import annotations

import pytest
from tests.bench.experiments.made import curve, experiment, point, result

from distrl.bench.experiments.figures import (
    Spread,
    difference_interval,
    final,
    final_unseen,
    over_seeds,
    ratio,
    reach,
    spread,
)
from distrl.collect.evaluation.statistics import share_interval

START = point(0.0, 0.3)


def test_the_final_figure_is_the_mean_of_the_last_three() -> None:
    found = result(experiment(), curve(0.1, 0.9, 0.6, 0.7, 0.8))
    assert final(found) == pytest.approx(0.7)
    assert final_unseen(found) == pytest.approx(0.35)


def test_what_was_not_evaluated_has_no_final_figure() -> None:
    assert final_unseen(result(experiment(), [point(0.0, 0.5)])) is None


def test_a_level_is_reached_by_the_mean_of_three_points_the_start_included() -> None:
    found = reach(START, curve(0.6, 0.9, 0.2), 0.6)
    assert (found.seconds, found.steps, found.reached) == (200.0, 200, True)


def test_a_single_lucky_checkpoint_reaches_nothing() -> None:
    found = reach(START, curve(0.3, 0.9, 0.3, 0.3), 0.6)
    assert (found.seconds, found.reached) == (400.0, False)


def test_a_run_reaches_its_own_final_figure_at_its_end_at_the_latest() -> None:
    successes = (0.31, 0.37, 0.41, 0.43, 0.47, 0.53)
    own = final(result(experiment(), curve(*successes)))
    assert reach(START, curve(*successes), own).seconds == 600.0
    assert reach(START, curve(*successes), own).reached


def test_more_seeds_are_no_more_tasks() -> None:
    one, three = over_seeds([0.5], 100), over_seeds([0.4, 0.5, 0.6], 100)
    assert three.mean == pytest.approx(0.5)
    assert (three.lowest, three.highest) == (0.4, 0.6)
    assert (three.low, three.high) == (one.low, one.high) == share_interval(0.5, 100)
    assert share_interval(0.5, 300)[0] > one.low


def test_the_interval_of_a_difference_is_newcombes() -> None:
    low, high = difference_interval(0.8, 0.6, 70)
    assert difference_interval(0.6, 0.8, 70) == pytest.approx((-high, -low))
    p, q = share_interval(0.8, 70), share_interval(0.6, 70)
    assert low == pytest.approx(0.2 - ((0.8 - p[0]) ** 2 + (q[1] - 0.6) ** 2) ** 0.5)
    assert high == pytest.approx(0.2 + ((p[1] - 0.8) ** 2 + (0.6 - q[0]) ** 2) ** 0.5)


def test_a_difference_errs_on_both_sides() -> None:
    """A row's own interval may leave the other's mean out where nobody can tell them apart."""
    share, base, tasks = 0.604, 0.698, 128
    assert share_interval(share, tasks)[1] < base
    low, high = difference_interval(share, base, tasks)
    assert low < 0 < high


def test_many_differences_need_wider_intervals() -> None:
    (low, high), (lower, higher) = (
        difference_interval(0.7, 0.6, 128, comparisons=n) for n in (1, 14)
    )
    assert lower < low
    assert high < higher


def test_a_spread_leaves_out_what_nobody_knows() -> None:
    assert spread([1.0, None, 3.0]) == Spread(mean=2.0, lowest=1.0, highest=3.0)
    assert spread([None]) is None


@pytest.mark.parametrize("success", [0.0, 1.0, 1 / 3])
def test_an_interval_holds_its_mean(success: float) -> None:
    found = over_seeds([success], 2)
    assert 0.0 <= found.low <= found.mean <= found.high <= 1.0


def test_nothing_is_divided_by_nothing() -> None:
    assert ratio(3.0, 2.0) == 1.5
    assert ratio(3.0, 0.0) is None
