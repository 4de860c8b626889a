"""Folders that look like those of finished runs, made without training."""

from __future__ import annotations

from pathlib import Path

from tests.contracts.store import make_episode
from torch import Tensor

from distrl.config import RunConfig
from distrl.learn.learner_state import Snapshot, flatten
from distrl.replay.store.sqlite import SqliteStore
from distrl.run.builders.pointer import build_pointer
from distrl.run.state.checkpoint import Checkpoints
from distrl.run.state.folder import RunFolder, create_run

UPDATES = 7


def fake_run(root: Path, config: RunConfig) -> RunFolder:
    """A run that has two episodes and a checkpoint with random weights, and has ended."""
    folder = create_run(root, config)
    model = build_pointer(config).model
    ema = {name: tensor + 0.01 for name, tensor in model.state_dict().items()}
    tensors: dict[str, Tensor] = {}
    algorithm = {"model": model.state_dict(), "ema": ema}
    state = {"algorithm": flatten(algorithm, "algorithm", tensors)}
    Checkpoints(folder.checkpoints).save(Snapshot(UPDATES, tensors, state))
    with SqliteStore(folder.episodes) as store:
        for number in range(2):
            store.add(make_episode(f"episode-{number}", steps=3))
    folder.note(
        {"seconds": 90.0, "phases": {"initial weights": 30.0, "training": 90.0}, "after": {}}
    )
    return folder
