from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from tests.bench.experiments.made import TINY

from distrl.errors import ConfigError
from distrl.run.virtual.engine import Mode
from distrl.run.virtual.experiment import Experiment, load_result, main, perform, progress_file

TRIED = Experiment(
    name="tried",
    suite="general",
    seed=0,
    mode=Mode.SYNC_POOLED,
    seconds=700.0,
    settings=("collect.devices=3",),
    common=TINY,
    checkpoints=4,
    tasks=2,
)


def test_an_experiment_is_run_and_evaluated(tmp_path: Path) -> None:
    plan, out = tmp_path / "plan", tmp_path / "tried.json"
    plan.write_bytes(msgspec.json.encode(TRIED))
    assert main([str(plan), str(out)]) == 0
    found = load_result(out)
    assert found.experiment == TRIED
    assert [p.seconds for p in found.points] == pytest.approx([175.0, 350.0, 525.0, 700.0])
    assert [p.unseen is not None for p in found.points] == [False, True, True, True]
    assert all(p.tasks == 2 for p in found.points)
    assert found.episodes > 1
    assert found.cpu_seconds > 0.0
    assert not progress_file(out).exists()


def test_no_time_makes_the_start_alone() -> None:
    found = perform(replace(TRIED, seconds=0.0))
    (start,) = found.points
    assert (start.seconds, start.episodes, found.updates) == (0.0, 0, 0)
    assert start.unseen is not None
    assert found.weights == found.start


def test_it_starts_from_nothing_else() -> None:
    with pytest.raises(ConfigError, match="warm_start, scratch or pretrained, got 'elsewhere'"):
        perform(replace(TRIED, common=(*TINY, "init=elsewhere")))


def test_a_damaged_result_is_named(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text("{}")
    with pytest.raises(ConfigError, match=r"r\.json cannot be read"):
        load_result(tmp_path / "r.json")
