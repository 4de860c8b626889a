from __future__ import annotations

from dataclasses import replace

import pytest

from distrl.bench.experiments.scale import ScaleRow, measure_one, one_learner_feeds, summary
from distrl.run.virtual.cost import CostModel

MADE_BY = {"command": "c", "code": "d", "machine": "m"}
ROW = ScaleRow(
    devices=100,
    episodes_per_minute=30.0,
    steps_per_second=3.0,
    device_utilisation=0.99,
    learner_utilisation=0.04,
    updates_per_second=0.2,
    replay_ratio=4.0,
    arrival_lag=1.0,
    trained_lag=5.0,
    replay_steps=100,
    replay_mb=5.0,
    process_mb=1.0,
    wall_seconds=1.0,
)


def test_more_devices_make_more_episodes_and_more_work() -> None:
    few, many = (measure_one(count, seconds=900.0) for count in (10, 40))
    assert many.episodes_per_minute > 2 * few.episodes_per_minute
    assert many.learner_utilisation > few.learner_utilisation
    assert many.device_utilisation > 0.98
    assert many.replay_ratio == pytest.approx(4.0, rel=0.1)
    assert many.replay_mb > few.replay_mb > 0.0


def test_a_learner_of_a_large_model_is_busy_with_a_few_devices() -> None:
    cheap, dear = (measure_one(10, seconds=3600.0, cost=cost) for cost in CostModel)
    assert dear.learner_utilisation > 20 * cheap.learner_utilisation
    assert dear.steps_per_second < cheap.steps_per_second


def test_the_same_seed_scales_the_same() -> None:
    first, second = (measure_one(20, seconds=600.0) for _ in range(2))
    assert replace(first, process_mb=0.0, wall_seconds=0.0) == replace(
        second, process_mb=0.0, wall_seconds=0.0
    )


def test_how_many_devices_one_learner_feeds_follows_from_the_largest_that_it_kept_up_with() -> None:
    late = replace(ROW, devices=10_000, learner_utilisation=1.0, replay_ratio=1.6)
    assert one_learner_feeds([ROW, late], 4.0) == 2500
    assert one_learner_feeds([late], 4.0) is None


def test_the_summary_names_the_first_fleet_that_is_too_large() -> None:
    late = replace(ROW, devices=10_000, learner_utilisation=1.0)
    told = summary([ROW, late], seconds=60.0, seed=7, made_by=MADE_BY)
    assert told["first_saturated"] == 10_000
    assert [row["devices"] for row in told["rows"]] == [100, 10_000]
    assert (told["seconds"], told["seed"]) == (60.0, 7)
    assert summary([ROW], seconds=60.0, seed=7, made_by=MADE_BY)["first_saturated"] is None
