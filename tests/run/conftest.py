"""A small run that several tests look at; nobody changes its folder."""

from __future__ import annotations

import pytest

from distrl.config import RunConfig, load_run_config
from distrl.run.state.folder import RunFolder
from distrl.run.train import TrainResult, train

SMALL = (
    "max_episodes=24",
    "policy.width=16",
    "policy.heads=2",
    "policy.layers=1",
    "collect.devices=3",
    "learner.checkpoint_every=5",
    "evaluate.tasks=3",
)
"""On top of the recipe `debug`."""


def small_config(*more: str) -> RunConfig:
    return load_run_config("debug", [*SMALL, *more])


@pytest.fixture(scope="session")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunFolder, TrainResult]:
    root = tmp_path_factory.mktemp("runs") / "small"
    result = train(small_config(), run_dir=root)
    return RunFolder(root), result
