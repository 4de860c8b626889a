from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.run.conftest import small_config
from torch import Tensor

from distrl.bench.cluster.chaos import command_line
from distrl.errors import ConfigError, PipelineError
from distrl.run.builders.initial_weights import prepare_start
from distrl.run.builders.pointer import build_pointer
from distrl.run.multi_learner.process_group import own_device
from distrl.run.processes.child import Child
from distrl.run.ray_cluster.watchdog import descendants
from distrl.run.state.checkpoint import Checkpoints
from distrl.run.state.folder import RunFolder, create_run
from distrl.run.train import TrainResult, train

SECONDS = 120.0

needs_accelerate = pytest.mark.usefixtures("accelerate")


@pytest.fixture
def accelerate() -> None:
    pytest.importorskip("accelerate")


@contextmanager
def learning(root: Path, episodes: Path, processes: int) -> Iterator[Child]:
    """The learner of a run for which everything was collected before."""
    config = small_config(
        "init=scratch", "minutes=null", "max_episodes=1000", f"learner.processes={processes}"
    )
    folder = create_run(root, config)
    prepare_start(folder, config, build_pointer(config), lambda _: None)
    for file in episodes.parent.glob(f"{episodes.name}*"):  # what is written is in its log
        shutil.copy(file, folder.root)
    learner = Child(
        "learner", "distrl.run.local.learner_process", [str(root)], log=root / "learner.log"
    )
    try:
        yield learner
    finally:
        learner.kill()


def status_when_done(learner: Child) -> dict[str, Any]:
    """What it says of itself once there is nothing left to learn from."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        heard = (learner.receive(timeout=1.0) or {}).get("status", {})
        if heard.get("waiting_for") == "replay_ratio":
            return dict(heard)
    raise AssertionError(f"it was not done within {SECONDS:g} s")


def learned_weights(root: Path, episodes: Path, processes: int) -> tuple[float, dict[str, Tensor]]:
    """How many updates were made of the same episodes, and what came of them."""
    with learning(root, episodes, processes) as learner:
        updates = status_when_done(learner)["learner/updates"]
        learner.stop({"stop": True}, timeout=SECONDS)
    found = Checkpoints(root / "checkpoints").load_newest().snapshot
    assert found is not None
    assert found.step == updates
    return updates, dict(found.tensors)


@pytest.mark.slow
@needs_accelerate
def test_a_learner_and_its_worker_learn_what_one_learner_learns(
    tmp_path: Path, small_run: tuple[RunFolder, TrainResult]
) -> None:
    episodes = small_run[0].episodes
    updates, alone = learned_weights(tmp_path / "alone", episodes, 1)
    again, together = learned_weights(tmp_path / "together", episodes, 2)
    assert updates == again > 3
    assert alone.keys() == together.keys()
    trained = [name for name in alone if name.startswith("algorithm/model")]
    assert trained
    for name in trained:
        assert torch.allclose(seen(name, alone), seen(name, together), atol=1e-4), name


def seen(name: str, tensors: dict[str, Tensor]) -> Tensor:
    """What the loss depends on of a tensor of weights.

    A softmax does not see the bias of the keys: its gradient is nothing but rounding, which AdamW
    makes as large as any other.
    """
    if not name.endswith("qkv.bias"):
        return tensors[name]
    queries, _, values = tensors[name].chunk(3)
    return torch.cat([queries, values])


@pytest.mark.slow
@needs_accelerate
def test_a_learner_whose_worker_dies_fails_and_says_so(
    tmp_path: Path, small_run: tuple[RunFolder, TrainResult]
) -> None:
    with learning(tmp_path / "run", small_run[0].episodes, 2) as learner:
        status_when_done(learner)
        workers = [
            pid
            for pid in descendants(learner.pid)
            if b"distrl.run.multi_learner.worker" in command_line(pid)
        ]
        assert len(workers) == 1
        os.kill(workers[0], signal.SIGKILL)
        with pytest.raises(PipelineError, match="worker 1 was killed by signal 9"):
            _listen(learner)


@pytest.mark.slow
@needs_accelerate
def test_a_whole_run_is_trained_by_two_processes(tmp_path: Path) -> None:
    result = train(small_config("learner.processes=2"), run_dir=tmp_path / "run")
    assert result.episodes >= 24
    assert result.updates > 0


def _listen(learner: Child) -> None:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        learner.receive(timeout=1.0)


def test_processes_share_a_cpu_and_nothing_but_gpus_besides() -> None:
    assert own_device(torch.device("cpu"), 3, 4) == torch.device("cpu")
    assert own_device(torch.device("mps"), 0, 1) == torch.device("mps")
    with pytest.raises(ConfigError, match="cannot share mps"):
        own_device(torch.device("mps"), 0, 2)


def test_more_processes_than_gpus_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert own_device(torch.device("cuda"), 1, 2) == torch.device("cuda", 1)
    with pytest.raises(ConfigError, match="is 3, and this machine has 2 GPUs"):
        own_device(torch.device("cuda"), 0, 3)
