from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
from tests.run.conftest import small_config

from distrl.learn.learner import Learner
from distrl.policies.pointer.name_swap import NameSwap
from distrl.replay.store.sqlite import SqliteStore
from distrl.run.builders.initial_weights import prepare_start
from distrl.run.builders.pointer import build_pointer
from distrl.run.local.learner_process import build_learner, status_of
from distrl.run.state.checkpoint import Checkpoints
from distrl.run.state.folder import create_run


@contextmanager
def learner_of(root: Path, *settings: str) -> Iterator[Learner]:
    """The learner of a run that nothing was collected for yet."""
    config = small_config("init=scratch", *settings)
    folder = create_run(root, config)
    SqliteStore(folder.episodes).close()
    prepare_start(folder, config, build_pointer(config), lambda _: None)
    learner = build_learner(folder, config, torch.device("cpu"))
    monitor = learner._parts.monitor
    assert monitor is not None
    try:
        yield learner
    finally:
        monitor.close()


@pytest.mark.parametrize("wanted", [True, False])
def test_names_are_swapped_while_learning_if_the_run_wants_it(wanted: bool, tmp_path: Path) -> None:
    with learner_of(tmp_path, f"learner.swap_names={str(wanted).lower()}") as learner:
        assert isinstance(learner._parts.vary, NameSwap) is wanted


def test_a_new_learner_leaves_a_checkpoint_that_the_next_one_goes_on_from(tmp_path: Path) -> None:
    with learner_of(tmp_path) as first:
        found = Checkpoints(tmp_path / "checkpoints").load_newest().snapshot
        assert found is not None
        assert found.step == 0
        assert status_of(first)["waiting_for"]
