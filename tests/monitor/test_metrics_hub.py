import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from distrl.clock import VirtualClock
from distrl.config import RunConfig
from distrl.config.load import check
from distrl.errors import ConfigError
from distrl.monitor.jsonl import read_records
from distrl.monitor.metrics_hub import LearnerMonitor, MetricsHub, seconds_so_far

QUIET = check({"monitor": {"tensorboard": False}})


class Seen:
    def __init__(self) -> None:
        self.numbers: list[tuple[int, dict[str, float]]] = []
        self.closed = False

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        self.numbers.append((step, dict(numbers)))

    def close(self) -> None:
        self.closed = True


def test_each_part_has_its_file_and_all_is_shown(tmp_path: Path) -> None:
    view, clock = Seen(), VirtualClock()
    hub = MetricsHub(tmp_path, QUIET, clock, view=view, tell=pytest.fail)
    learner = LearnerMonitor(tmp_path, VirtualClock(), tell=pytest.fail)
    hub.collect({"collect/episodes": 2}, step=2)
    hub.evaluate({"evaluate/success/general/val": 0.5}, step=2)
    assert hub.follow() == {}
    learner.record({"learner/updates": 1, "entropy": 0.5}, step=1)
    learner.record({"learner/updates": 2, "entropy": 0.25}, step=2)
    assert hub.follow() == {"learn/updates": 2, "learn/entropy": 0.25}
    assert hub.follow() == {}
    assert view.numbers == [
        (2, {"collect/episodes": 2}),
        (2, {"evaluate/success/general/val": 0.5}),
        (1, {"learn/updates": 1, "learn/entropy": 0.5}),
        (2, {"learn/updates": 2, "learn/entropy": 0.25}),
    ]
    hub.close()
    learner.close()
    steps = {
        path.stem: [record.step for record in read_records(path)]
        for path in (tmp_path / "metrics").iterdir()
    }
    assert steps == {"collect": [2], "evaluate": [2], "learn": [1, 2]}
    assert not view.closed


def test_a_resumed_run_counts_on_and_does_not_repeat_what_was_learned(tmp_path: Path) -> None:
    clock = VirtualClock()
    first = MetricsHub(tmp_path, QUIET, clock, tell=pytest.fail)
    learner = LearnerMonitor(tmp_path, clock, tell=pytest.fail)
    clock.sleep(100)
    first.collect({"collect/episodes": 2}, step=2)
    for update in (1, 2):
        learner.record({"learner/updates": update}, step=update)
    first.close()
    learner.close()
    view, later = Seen(), VirtualClock()
    assert seconds_so_far(tmp_path) == 100
    again = MetricsHub(tmp_path, QUIET, later, view=view, tell=pytest.fail)
    assert view.numbers == [(2, {"learn/updates": 2})]
    assert again.follow() == {}
    later.sleep(5)
    again.collect({"collect/episodes": 3}, step=3)
    learner = LearnerMonitor(tmp_path, later, tell=pytest.fail)
    learner.record({"learner/updates": 3}, step=3)
    assert again.follow() == {"learn/updates": 3}
    again.close()
    learner.close()
    for part in ("collect", "learn"):
        assert read_records(tmp_path / "metrics" / f"{part}.jsonl")[-1].seconds == 105


def test_tensorboard_files_are_written_unless_switched_off(tmp_path: Path) -> None:
    for name, config in (("on", RunConfig()), ("off", QUIET)):
        hub = MetricsHub(tmp_path / name, config, VirtualClock(), tell=pytest.fail)
        hub.collect({"collect/episodes": 1}, step=1)
        hub.close()
    (written,) = (tmp_path / "on" / "tensorboard").iterdir()
    assert b"collect/episodes" in written.read_bytes()
    assert not (tmp_path / "off" / "tensorboard").exists()


def test_a_folder_that_cannot_be_written_costs_the_monitor_and_not_the_run(tmp_path: Path) -> None:
    told: list[str] = []
    (tmp_path / "tensorboard").write_text("a file where a folder should be")
    hub = MetricsHub(tmp_path, RunConfig(), VirtualClock(), tell=told.append)
    hub.collect({"collect/episodes": 1}, step=1)
    hub.close()
    (message,) = told
    assert message.startswith("TensorBoard is switched off")
    assert len(read_records(tmp_path / "metrics" / "collect.jsonl")) == 1


def test_wandb_that_is_asked_for_and_missing_stops_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "wandb", None)
    config = check({"monitor": {"wandb": "phones"}})
    with pytest.raises(ConfigError, match=r"monitor\.wandb"):
        MetricsHub(tmp_path, config, VirtualClock(), tell=pytest.fail)
