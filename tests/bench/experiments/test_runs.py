from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import msgspec
import pytest
from tests.bench.experiments.made import TINY, curve, experiment, point, result

from distrl.bench.experiments import runs
from distrl.bench.experiments.runs import read_all, run_all, start_of
from distrl.errors import ConfigError, PipelineError
from distrl.run.state.provenance import this_code
from distrl.run.virtual.experiment import Experiment
from distrl.weights.file_channel import write_whole


class FakeProcess:
    """Ends at once, with a result unless it is told to fail."""

    begun: ClassVar[list[str]] = []
    killed: ClassVar[list[str]] = []
    failing: ClassVar[set[str]] = set()

    def __init__(self, words: Sequence[str], *, log: Path) -> None:
        plan, out = Path(words[2]), Path(words[3])
        self.experiment = msgspec.json.decode(plan.read_bytes(), type=Experiment)
        self.begun.append(self.experiment.name)
        self.running = False
        if self.experiment.name not in self.failing:
            points = curve(0.4, 0.5, 0.6) if self.experiment.seconds else [point(0.0, 0.3)]
            made = result(self.experiment, points, code=this_code())
            write_whole(out, msgspec.json.encode(made))

    def wait(self, timeout: float) -> int:
        return int(self.experiment.name in self.failing)

    def kill(self) -> None:
        self.killed.append(self.experiment.name)

    def exit_report(self) -> str:
        return "ended with code 1"


@pytest.fixture(autouse=True)
def processes(monkeypatch: pytest.MonkeyPatch) -> type[FakeProcess]:
    FakeProcess.begun, FakeProcess.killed, FakeProcess.failing = [], [], set()
    monkeypatch.setattr(runs, "OwnProcess", FakeProcess)
    monkeypatch.setattr(runs, "_POLL_SECONDS", 0.0)
    return FakeProcess


def test_starts_are_made_before_what_needs_them(tmp_path: Path) -> None:
    wanted = [experiment("a"), experiment("b"), experiment("c", seed=1)]
    found = run_all(wanted, tmp_path)
    assert FakeProcess.begun[:2] == ["start-general-seed0", "start-general-seed1"]
    assert sorted(FakeProcess.begun[2:]) == ["a", "b", "c"]
    assert set(found) == {"a", "b", "c", "start-general-seed0", "start-general-seed1"}
    assert found["a"].experiment == wanted[0]


def test_what_is_there_is_not_made_again(tmp_path: Path) -> None:
    run_all([experiment("a")], tmp_path)
    FakeProcess.begun.clear()
    shares = list[float]()
    run_all([experiment("a"), experiment("b")], tmp_path, watch=lambda s: shares.append(s["a"]))
    assert FakeProcess.begun == ["b"]
    assert set(shares) == {1.0}


def test_results_of_other_settings_or_other_code_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_all([experiment("a")], tmp_path)
    with pytest.raises(ConfigError, match="of other settings; choose another --out"):
        run_all([replace(experiment("a"), seconds=1.0)], tmp_path)
    other = replace(this_code(), digest="another")
    monkeypatch.setattr(runs, "this_code", lambda: other)
    with pytest.raises(ConfigError, match="made by other code"):
        run_all([experiment("a")], tmp_path)


def test_results_of_other_code_can_be_read_but_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = run_all([experiment("a")], tmp_path)
    other = replace(this_code(), digest="another")
    monkeypatch.setattr(runs, "this_code", lambda: other)
    FakeProcess.begun.clear()
    assert read_all([experiment("a")], tmp_path) == made
    with pytest.raises(ConfigError, match=r"has no result of b$"):
        read_all([experiment("a"), experiment("b")], tmp_path)
    with pytest.raises(ConfigError, match="of other settings"):
        read_all([replace(experiment("a"), seconds=1.0)], tmp_path)
    assert FakeProcess.begun == []


def test_a_run_that_fails_stops_the_others_and_is_named(tmp_path: Path) -> None:
    FakeProcess.failing.add("b")
    with pytest.raises(PipelineError, match="the run b ended with code 1"):
        run_all([experiment("a"), experiment("b")], tmp_path)
    assert "b" in FakeProcess.killed


def test_two_runs_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="different names"):
        run_all([experiment("a"), experiment("a", seed=1)], tmp_path)


def test_the_start_of_a_run_keeps_what_all_share() -> None:
    one = replace(experiment("a"), common=TINY, settings=("algorithm.lam=1.0",))
    start = start_of(one)
    assert (start.common, start.settings, start.seconds) == (TINY, (), 0.0)
