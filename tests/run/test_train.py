from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from tests.run.conftest import small_config

from distrl.clock import RealClock
from distrl.collect.evaluation.evaluate import evaluate_policy, select_tasks
from distrl.errors import ConfigError, PipelineError
from distrl.monitor.jsonl import read_records
from distrl.monitor.progress import NO_BUDGET, StageBudget
from distrl.replay.store.sqlite import StoreReader
from distrl.run.builders.trained_policy import load_policy
from distrl.run.processes.child import OwnProcess
from distrl.run.progress_view import QuietView
from distrl.run.state.checkpoint import Checkpoints
from distrl.run.state.folder import RunFolder
from distrl.run.train import TrainResult, train
from distrl.weights.file_channel import FileChannel

Small = tuple[RunFolder, TrainResult]


def test_a_run_ends_with_its_budget_and_says_how_it_went(small_run: Small) -> None:
    folder, result = small_run
    assert result.episodes == 24
    assert result.steps >= 24
    assert result.updates > 0
    assert result.minutes > 0.0
    assert result.warm_start_success is not None
    assert result.success is not None
    assert result.success_low is not None
    assert result.success_high is not None
    assert result.success_low <= result.success <= result.success_high
    assert result.run == str(folder.root)


def test_all_that_was_acknowledged_is_stored_once(small_run: Small) -> None:
    folder, _ = small_run
    acknowledged = folder.acknowledged.read_text().split()
    with StoreReader(folder.episodes) as store:
        assert sorted(acknowledged) == sorted(store.ids())


def test_every_step_carries_what_the_learner_needs(small_run: Small) -> None:
    folder, result = small_run
    with StoreReader(folder.episodes) as store:
        stored = [episode for _, episode in store.read_after(0, 100)]
    steps = [step for episode in stored for step in episode.steps]
    assert len(steps) == result.steps
    assert all(step.inputs and step.digest and step.version >= 1 for step in steps)
    assert all(step.log_prob is not None and step.log_prob <= 0.0 for step in steps)
    assert len({step.digest for step in steps}) == len({step.version for step in steps})


def test_the_learner_used_as_much_as_the_replay_ratio_allows(small_run: Small) -> None:
    folder, result = small_run
    snapshot = Checkpoints(folder.checkpoints).load_newest().snapshot
    assert snapshot is not None
    trained = snapshot.state["learner"]["trained_steps"]
    ratio = small_config().learner.replay_ratio
    assert trained >= ratio * result.steps
    assert snapshot.state["learner"]["updates"] == result.updates


def test_collector_and_learner_agreed_on_log_probs(small_run: Small) -> None:
    numbers = read_records(small_run[0].root / "metrics" / "collect.jsonl")[-1].numbers
    assert numbers["canary/mismatches"] == 0


def test_a_report_is_left_behind(small_run: Small) -> None:
    folder, _ = small_run
    assert "<html" in (folder.root / "report.html").read_text()
    for name in ("collect", "learn", "evaluate"):
        assert read_records(folder.root / "metrics" / f"{name}.jsonl")


def test_evaluating_the_folder_repeats_the_figure(small_run: Small) -> None:
    folder, result = small_run
    tasks = select_tasks("general", "val", tasks=3)
    assert evaluate_policy(load_policy(folder.root), tasks).overall.success == result.success


def test_a_run_goes_on_where_it_was(small_run: Small, tmp_path: Path) -> None:
    root = tmp_path / "run"
    first = train(small_config("max_episodes=8", "evaluate.before=false"), run_dir=root)
    assert first.warm_start_success is None
    published = RunFolder(root).weights
    newest = published / f"v{FileChannel(published).latest()}.safetensors"
    newest.write_bytes(b"damaged")
    config = small_config("max_episodes=14", "evaluate.before=false")
    second = train(config, run_dir=root, resume=True)
    assert (first.episodes, second.episodes) == (8, 14)
    assert second.updates > first.updates
    assert second.minutes > first.minutes
    assert newest.with_suffix(".damaged").exists()
    told = RunFolder(root).learner_log.read_text()
    assert f"going on after update {first.updates} " in told


def test_a_run_whose_budget_is_spent_is_only_evaluated_again(small_run: Small) -> None:
    class Phases(QuietView):
        def __init__(self) -> None:
            self.names: list[str] = []
            self.told: list[str] = []

        def event(self, message: str) -> None:
            self.told.append(message)

        def phase(self, name: str, budget: StageBudget = NO_BUDGET) -> None:
            self.names.append(name)

    folder, result = small_run
    view = Phases()
    config = folder.load_config().model_copy(update={"minutes": result.minutes / 2})
    before = folder.config.read_bytes()
    again = train(config, run_dir=folder.root, resume=True, view=view)
    folder.config.write_bytes(before)
    assert view.names == ["encoding goals and labels", "initial weights", "evaluating"]
    assert view.told[0] == (
        "nothing is left to train: all 24 episodes are played; go on with max_episodes=48"
    )
    assert (again.episodes, again.success) == (result.episodes, result.success)


def test_two_runs_do_not_share_a_folder(small_run: Small) -> None:
    folder, _ = small_run
    with pytest.raises(ConfigError, match="there is a run in"):
        train(small_config(), run_dir=folder.root)
    with folder.lock("run"), pytest.raises(ConfigError, match="another process"):
        train(folder.load_config(), run_dir=folder.root, resume=True)


def test_overrides_are_for_recipes(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="change settings by `changed`"):
        train(small_config(), ["minutes=1"], run_dir=tmp_path / "run")


class KillsTheLearner(QuietView):
    """Kills the learner's process as soon as something was collected."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self._done = threading.Event()

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        learner = self._folder.holder("learner")
        if numbers.get("collect/episodes") and learner is not None and not self._done.is_set():
            self._done.set()
            with suppress(ProcessLookupError):
                os.kill(learner, signal.SIGKILL)


def test_a_learner_that_dies_stops_the_run_with_its_exit_report(tmp_path: Path) -> None:
    root = tmp_path / "run"
    config = small_config("max_episodes=null", "minutes=60", "monitor.every_seconds=0.1")
    with pytest.raises(PipelineError, match="the learner was killed by signal 9"):
        train(config, run_dir=root, view=KillsTheLearner(RunFolder(root)))
    with StoreReader(RunFolder(root).episodes) as store:
        stored = store.ids()
    assert set(RunFolder(root).acknowledged.read_text().split()) <= set(stored)


def test_a_run_that_is_terminated_stops_in_order_and_can_go_on(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    settings = ["max_episodes=null", "minutes=60", "evaluate.before=false", "policy.width=16"]
    line = ["-m", "distrl", "train", "--recipe", "debug", "--run-dir", str(folder.root), *settings]
    process = OwnProcess(line, log=tmp_path / "log")
    try:
        assert RealClock().wait_until(
            lambda: folder.acknowledged.exists() and bool(folder.acknowledged.read_text()),
            timeout=100,
        )
        process.terminate()
        assert process.wait(100) == 130
    finally:
        process.kill()
    told = (tmp_path / "log").read_text()
    assert f"go on with: distrl train --run-dir {folder.root} --resume" in told
    with StoreReader(folder.episodes) as store:
        stored = store.ids()
    acknowledged = folder.acknowledged.read_text().split()
    assert set(acknowledged) <= set(stored)
    snapshot = Checkpoints(folder.checkpoints).load_newest().snapshot
    assert snapshot is not None
    assert snapshot.state["ingest"]["number"] <= len(stored)
    assert json.loads((folder.root / "progress.json").read_text())["seconds"] > 0.0
