from __future__ import annotations

from pathlib import Path

from distrl.clock import VirtualClock
from distrl.monitor.jsonl import METRICS, JsonlMonitor
from distrl.web.metrics import Metrics, Series


def record(folder: Path, part: str, step: int, **numbers: float) -> None:
    clock = VirtualClock()
    clock.sleep(60.0 * step)
    monitor = JsonlMonitor(folder / METRICS / f"{part}.jsonl", clock)
    monitor.record({name.replace("__", "/"): value for name, value in numbers.items()}, step=step)
    monitor.close()


def test_series_grow_with_the_files(tmp_path: Path) -> None:
    metrics = Metrics(tmp_path)
    assert metrics.refresh() == 0
    assert metrics.series("learn/entropy") is None
    record(tmp_path, "learn", 1, learn__entropy=1.5)
    assert metrics.refresh() == 1
    record(tmp_path, "learn", 2, learn__entropy=1.0)
    assert metrics.refresh() == 2
    series = metrics.series("learn/entropy")
    assert series is not None
    assert (series.minutes, series.steps, series.values) == ([1.0, 2.0], [1, 2], [1.5, 1.0])
    assert metrics.last("learn/entropy") == 1.0
    assert metrics.tail("learn/entropy", 5) == [1.5, 1.0]


def test_minutes_of_training_count_more_than_the_time_of_writing(tmp_path: Path) -> None:
    record(tmp_path, "collect", 3, collect__episodes=3, run__minutes=0.5)
    metrics = Metrics(tmp_path)
    metrics.refresh()
    series = metrics.series("collect/episodes")
    assert series is not None
    assert series.minutes == [0.5]


def test_evaluations_carry_their_intervals(tmp_path: Path) -> None:
    numbers = {f"evaluate__{n}__general__val": v for n, v in
               (("success", 0.5), ("low", 0.3), ("high", 0.7))}  # fmt: skip
    record(tmp_path, "evaluate", 1, **numbers)
    metrics = Metrics(tmp_path)
    metrics.refresh()
    series = metrics.series("evaluate/success/general/val")
    assert series is not None
    assert (series.low, series.high) == ([0.3], [0.7])


def test_long_series_are_thinned_to_the_last_point() -> None:
    long = Series(*([list(range(1000))] * 5))  # type: ignore[arg-type]
    thin = long.thinned(10)
    assert len(thin.values) == 10
    assert (thin.values[0], thin.values[-1]) == (0, 999)
    assert long.thinned(1000) is long
