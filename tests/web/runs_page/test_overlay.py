from __future__ import annotations

from pathlib import Path

import pytest

from distrl.bench.dashboard.synthetic_run import make_synthetic_run
from distrl.web.metrics import Series
from distrl.web.runs import Run
from distrl.web.runs_page.overlay import (
    NO_CURVE,
    Axes,
    Curve,
    Over,
    Pick,
    comparable,
    mean_curve,
    overlay,
    place,
    templates_beside,
)

COLLECT = Series([1.0, 2.0, 3.0], [100, 200, 300], [0.1, 0.2, 0.3])
LEARNED = Series([0.0, 0.5, 1.5], [10, 20, 30], [100.0, 200.0, 300.0])
"""The learner had read 100 episodes at its tenth update; its own clock started later."""
AXES = Axes(COLLECT, LEARNED)


def test_what_collectors_record_lies_on_every_axis() -> None:
    for over, wanted in (
        (Over.MINUTES, [1.0, 2.0, 3.0]),
        (Over.EPISODES, [100.0, 200.0, 300.0]),
        (Over.UPDATES, [10.0, 20.0, 30.0]),
    ):
        found = place(COLLECT, over, AXES, learner=False)
        assert found is not None
        assert found.tolist() == wanted


def test_what_the_learner_records_gets_its_minutes_from_the_collectors() -> None:
    entropy = Series([0.0, 1.5], [10, 30], [1.0, 0.5])
    for over, wanted in (
        (Over.MINUTES, [1.0, 3.0]),
        (Over.EPISODES, [100.0, 300.0]),
        (Over.UPDATES, [10.0, 30.0]),
    ):
        found = place(entropy, over, AXES, learner=True)
        assert found is not None
        assert found.tolist() == wanted


def test_an_axis_that_nobody_recorded_has_no_curve() -> None:
    assert place(COLLECT, Over.UPDATES, Axes(COLLECT, None), learner=False) is None
    assert place(LEARNED, Over.EPISODES, Axes(COLLECT, None), learner=True) is None
    assert place(LEARNED, Over.MINUTES, Axes(None, LEARNED), learner=True) is None


def test_a_mean_of_seeds_has_a_band_and_lies_where_all_have_values() -> None:
    mean = mean_curve([Curve([0, 10], [0.0, 1.0]), Curve([2, 8], [0.4, 0.4])])
    assert (mean.x[0], mean.x[-1]) == (2.0, 8.0)
    assert mean.low is not None
    assert mean.high is not None
    assert (mean.y[0], mean.low[0], mean.high[0]) == pytest.approx((0.3, 0.2, 0.4))
    assert (mean.y[-1], mean.low[-1], mean.high[-1]) == pytest.approx((0.6, 0.4, 0.8))


def test_one_curve_is_itself_and_none_is_nothing() -> None:
    one = Curve([0, 1], [0.5, 0.6])
    assert mean_curve([one]) is one
    assert mean_curve([]) is NO_CURVE


def test_curves_without_a_common_stretch_have_no_mean() -> None:
    assert mean_curve([Curve([0, 1], [0, 0]), Curve([2, 3], [0, 0])]) is NO_CURVE


def test_a_seed_that_did_not_come_half_as_far_is_left_out() -> None:
    long, half, short = (Curve([0, end], [0, 1]) for end in (10, 5, 4))
    assert comparable([long, short, NO_CURVE, half]) == [long, half]
    assert comparable([NO_CURVE]) == []


@pytest.fixture
def pair(tmp_path: Path) -> list[Run]:
    return [
        Run(name, make_synthetic_run(tmp_path / name, 120, seed=seed, reaches=reaches).root)
        for seed, (name, reaches) in enumerate({"low": 0.4, "high": 0.9}.items())
    ]


def test_curves_evaluations_and_settings_of_runs_and_groups(pair: list[Run]) -> None:
    low, _ = pair
    drawn = overlay([Pick("low", "low", [low]), Pick("seeds:x", "both", pair)], Over.UPDATES)
    success = drawn["charts"][0]
    alone, both = success["curves"]
    assert alone["line"].low is None
    assert both["line"].low is not None
    assert both["line"].y[-1] > alone["line"].y[-1]
    assert both["used"] == 2
    assert [len(curve["points"]) for curve in success["curves"]] == [1, 2]
    assert alone["points"][0].x == [1.0, 11.0]
    assert drawn["settings"] == [{"name": "seed", "values": ["0", "0, 0"]}]
    for run in pair:
        run.close()


def test_a_run_without_readable_settings_is_left_out_of_those_that_differ(
    pair: list[Run], tmp_path: Path
) -> None:
    (tmp_path / "high" / "config.yaml").write_text("{")
    low, high = pair
    drawn = overlay([Pick("low", "low", [low]), Pick("high", "high", [high])], Over.UPDATES)
    assert (drawn["settings"], drawn["compared"]) == ([], ["low"])
    for run in pair:
        run.close()


def test_templates_pool_the_episodes_of_all_seeds(pair: list[Run]) -> None:
    rows = templates_beside([Pick("x", "both", pair), Pick("low", "low", pair[:1])])
    assert rows
    for row in rows:
        both, low = row["cells"]
        assert both["episodes"] >= low["episodes"]
        assert both["low"] <= both["success"] <= both["high"]
        assert row["difference"] == pytest.approx(abs(both["success"] - low["success"]))
    differences = [row["difference"] for row in rows]
    assert differences == sorted(differences, reverse=True)


def test_a_pick_without_episodes_leaves_its_cells_empty(pair: list[Run], tmp_path: Path) -> None:
    empty = Run("empty", tmp_path / "nowhere")
    rows = templates_beside([Pick("low", "low", pair[:1]), Pick("empty", "empty", [empty])])
    assert rows
    assert all(row["cells"][1] is None for row in rows)
    assert templates_beside([]) == []
