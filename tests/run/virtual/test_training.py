"""`engine: virtual` from the settings of a run to its folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.bench.experiments.made import TINY

from distrl.config import RunConfig, load_run_config
from distrl.errors import ConfigError
from distrl.run.builders.trained_policy import load_policy
from distrl.run.state.checkpoint import weights_of_run
from distrl.run.train import TrainResult, train
from distrl.run.virtual.engine import Mode
from distrl.run.virtual.experiment import Experiment, perform
from distrl.weights.serialization import digest_of

SMALL = (*TINY, "engine=virtual", "collect.devices=3", "evaluate.tasks=2")


def virtual_config(*more: str) -> RunConfig:
    return load_run_config("comparison", [*SMALL, "max_episodes=8", *more])


@pytest.fixture(scope="module")
def small_virtual_run(tmp_path_factory: pytest.TempPathFactory) -> TrainResult:
    return train(virtual_config(), run_dir=tmp_path_factory.mktemp("runs") / "virtual")


def test_it_ends_with_its_episodes_and_says_how_it_went(small_virtual_run: TrainResult) -> None:
    found = small_virtual_run
    assert found.episodes == 8
    assert found.steps >= 8
    assert found.updates > 0
    assert found.minutes > 1.0  # of virtual time: eight episodes on emulators take that long
    assert found.warm_start_success is not None
    assert found.success is not None


def test_its_folder_holds_the_policy_that_was_evaluated(small_virtual_run: TrainResult) -> None:
    root = Path(small_virtual_run.run)
    weights, _ = weights_of_run(root)
    assert digest_of(weights) == small_virtual_run.weights
    assert load_policy(root).digest == f"step-{small_virtual_run.updates}"
    assert "<html" in (root / "report.html").read_text()


def test_the_same_seed_gives_the_same_weights_whether_or_not_the_start_is_evaluated(
    small_virtual_run: TrainResult, tmp_path: Path
) -> None:
    again = train(virtual_config("evaluate.before=false"), run_dir=tmp_path / "again")
    assert again.weights == small_virtual_run.weights
    assert again.minutes == small_virtual_run.minutes


def test_a_budget_of_minutes_gives_the_weights_of_the_same_experiment(tmp_path: Path) -> None:
    budget = ("minutes=6", "max_episodes=null")
    found = train(virtual_config(*budget), run_dir=tmp_path / "run")
    experiment = Experiment(
        name="same",
        suite="general",
        seed=0,
        mode=Mode.ASYNC,
        seconds=360.0,
        common=(*SMALL, *budget),
        checkpoints=1,
        tasks=1,
    )
    assert (found.minutes, found.weights) == (6.0, perform(experiment).weights)


def test_it_is_not_resumed(small_virtual_run: TrainResult) -> None:
    with pytest.raises(ConfigError, match="is not resumed; start it again"):
        train(virtual_config(), run_dir=small_virtual_run.run, resume=True)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("policy.name=lm", "engine: virtual needs policy.name: pointer, and it is lm"),
        ("device=mps", "needs device: cpu"),
        (
            "collect.android.serials=[127.0.0.1:5555] collect.android.safety.apps=[a]",
            "needs number of collect.android phones: 0, and it is 1",
        ),
        ("collect.latency=0.1", "needs collect.latency: 0.0, and it is 0.1"),
        ("collect.cassettes=tapes", "needs collect.cassettes: None, and it is tapes"),
        ("judge.name=ocr", "needs judge.name: None, and it is ocr"),
        ("learner.processes=2", "needs learner.processes: 1, and it is 2"),
        ("evaluate.every_minutes=1", "needs evaluate.every_minutes: None"),
        ("max_episodes=null", "give the run a budget"),
    ],
)
def test_settings_that_the_virtual_engine_cannot_follow_are_refused(
    settings: str, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        virtual_config(*settings.split())


def test_suites_of_pages_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"plays suites of the embedded phone.*'miniwob'"):
        train(virtual_config("tasks.suite=miniwob"), run_dir=tmp_path / "run")
    assert not (tmp_path / "run").exists()
