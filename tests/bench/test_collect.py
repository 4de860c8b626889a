from __future__ import annotations

import pytest

from distrl.bench.collect import Probe, bench_settings, measure_collecting
from distrl.errors import PipelineError


def sample(second: float, *, busy: float, updates: float) -> tuple[dict[str, float], ...]:
    collected = {
        "collect/clock": second,
        "collect/device_seconds": busy,
        "collect/wall_seconds": 4 * second,
        "collect/episodes": 2 * second,
        "collect/steps": 10 * second,
        "collect/decide_ms": 5.0,
        "batcher/batch": 2.0,
    }
    return collected, {"learn/updates": updates}


def test_figures_are_of_the_time_while_the_learner_trains() -> None:
    probe = Probe()
    for second in range(20):
        trains = second >= 5
        busy = 4.0 * second if trains else 0.0
        for numbers in sample(second, busy=0.9 * busy, updates=float(3 * second * trains)):
            probe.record(numbers, step=second)
    figures = probe.figures(4, 0.1)
    assert figures.utilisation == pytest.approx(0.9)
    assert figures.episodes_per_second == pytest.approx(2.0)
    assert figures.steps_per_second == pytest.approx(10.0)
    assert figures.updates_per_second == pytest.approx(3.0)
    assert (figures.devices, figures.step_ms) == (4, 100.0)
    assert figures.seconds < 15.0


def test_a_learner_that_never_trained_is_told() -> None:
    probe = Probe()
    for second in range(20):
        for numbers in sample(second, busy=1.0, updates=0.0):
            probe.record(numbers, step=second)
    with pytest.raises(PipelineError, match="never trained"):
        probe.figures(4, 0.1)


def test_the_run_is_the_default_recipe_with_slow_devices() -> None:
    config = bench_settings(32, 0.1, 60.0)
    assert (config.collect.devices, config.collect.latency) == (32, 0.1)
    assert config.minutes == pytest.approx(1.5)


@pytest.mark.slow
@pytest.mark.alone
def test_slow_devices_are_kept_busy() -> None:
    figures = measure_collecting(devices=4, step_seconds=0.2, seconds=5.0)
    assert figures.utilisation > 0.5
    assert figures.updates_per_second > 0.0
