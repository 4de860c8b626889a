from __future__ import annotations

import pytest
from tests.bench.experiments.made import curve, experiment, point, result

from distrl.bench.experiments.figures import final, final_unseen, over_seeds, ratio, reach

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


def test_seeds_are_put_together_with_an_interval_over_all_tasks() -> None:
    one, three = over_seeds([0.5], 100), over_seeds([0.4, 0.5, 0.6], 100)
    assert three.mean == pytest.approx(0.5)
    assert (three.lowest, three.highest) == (0.4, 0.6)
    assert one.low < three.low < 0.5 < three.high < one.high


@pytest.mark.parametrize("success", [0.0, 1.0, 1 / 3])
def test_an_interval_holds_its_mean(success: float) -> None:
    found = over_seeds([success], 2)
    assert 0.0 <= found.low <= found.mean <= found.high <= 1.0


def test_nothing_is_divided_by_nothing() -> None:
    assert ratio(3.0, 2.0) == 1.5
    assert ratio(3.0, 0.0) is None
