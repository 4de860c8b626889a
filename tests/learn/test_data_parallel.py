from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("accelerate")
pytest.importorskip("peft")

import safetensors.torch
from tests.policies.lm.tiny import llama_model, prefix_cache, prompt_encoder, situation
from torch import Tensor
from torch.distributed.tensor import DTensor

from distrl.config.learn import AlgorithmConfig
from distrl.learn.algorithms.a_ride import ARide
from distrl.learn.model import Model
from distrl.policies.lm.inputs import unpack
from distrl.policies.lm.model import LmModel
from distrl.policies.lm.network import decoder_of
from distrl.policies.lm.policy import LmPolicy
from distrl.replay.buffer import Sampled
from distrl.replay.trajectory import Trajectory

UPDATES = 3
WAYS: dict[str, dict[str, Any]] = {
    "whole": {},
    # Nine steps of which each process has four or five, at most two in a pass.
    "sharded": {"top": 4, "micro_batch": 2},
    "sharded, computed again for gradients": {
        "top": 4,
        "micro_batch": 2,
        "gradient_checkpointing": True,
    },
}
"""How weights are held, with the settings of the model."""


def a_batch() -> Sampled:
    """Three episodes of two to four steps, one of which succeeded."""
    policy = LmPolicy(llama_model(), prompt_encoder(), prefix_cache())
    trajectories = []
    for number, length in enumerate((2, 3, 4)):
        choices = policy.act([situation(seed=10 * number + k) for k in range(length)])
        rewards = np.zeros(length, np.float32)
        rewards[-1] = float(number == 1)
        trajectories.append(
            Trajectory(
                id=str(number),
                inputs=tuple(unpack(choice.inputs) for choice in choices),
                decisions=tuple(choice.decision or () for choice in choices),
                log_mu=np.array([choice.log_prob for choice in choices], np.float32),
                rewards=rewards,
                penalties=np.zeros(length, np.float32),
                terminated=True,
                oldest_version=1,
                succeeded=number == 1,
                goal="Open the chat with Ann Lee",
            )
        )
    return Sampled(
        slots=np.arange(3),
        trajectories=tuple(trajectories),
        weights=np.ones(3, np.float32),
        fresh=np.ones(3, np.bool_),
    )


def learn_alone_or_together(
    wrap: Callable[[LmModel], Model], updates: int, **settings: Any
) -> dict[str, Tensor]:
    """Weights after some updates of the same model on the same batch."""
    model = wrap(llama_model(**settings))
    learner = ARide(model, AlgorithmConfig(critic_warmup=1, learning_rate=1e-2, imitation=0.0))
    batch = a_batch()
    for _ in range(updates):
        learner.update(batch, pool=batch.trajectories[1:2])
    return {name: weight.detach().clone() for name, weight in model.state_dict().items()}


def frozen_numbers(model: LmModel) -> int:
    """How many numbers of the layers, all of which have an adapter, are held here."""
    layers = decoder_of(model.network.whole).layers
    frozen = [weight for weight in layers.parameters() if not weight.requires_grad]
    return sum((w.to_local() if isinstance(w, DTensor) else w).numel() for w in frozen)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_two_processes_make_the_same_update_as_one(way: str, tmp_path: Path) -> None:
    port = str(free_port())
    worker = Path(__file__).with_name("parallel_worker.py")
    processes = []
    for rank in ("0", "1"):
        surroundings = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            "ACCELERATE_USE_CPU": "true",
            "RANK": rank,
            "LOCAL_RANK": rank,
            "WORLD_SIZE": "2",
            "MASTER_ADDR": "127.0.0.1",
            "MASTER_PORT": port,
        }
        words = [sys.executable, str(worker), str(tmp_path), str(UPDATES), way]
        processes.append(subprocess.Popen(words, env=surroundings))
    try:
        assert [process.wait(timeout=100) for process in processes] == [0, 0]
    finally:
        for process in processes:
            process.kill()
    alone = learn_alone_or_together(lambda model: model, UPDATES, **WAYS[way])
    before = llama_model(**WAYS[way]).state_dict()
    moved = max(float((alone[name] - before[name]).abs().max()) for name in alone)
    assert moved > 1e-3
    for number in (0, 1):
        together = safetensors.torch.load_file(tmp_path / f"{number}.safetensors")
        share = 2 if "sharded" in way else 1
        assert int(together.pop("held")) == frozen_numbers(llama_model(**WAYS[way])) / share
        assert together.keys() == alone.keys()
        for name, weight in alone.items():
            assert float((together[name] - weight).abs().max()) < 1e-5, name
