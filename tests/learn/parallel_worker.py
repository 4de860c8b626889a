"""One of several processes that learn together: `python parallel_worker.py OUT UPDATES WAY`."""

from __future__ import annotations

import sys
from pathlib import Path

import safetensors.torch
import torch
from accelerate import Accelerator
from tests.learn.test_data_parallel import WAYS, frozen_numbers, learn_alone_or_together

from distrl.learn.data_parallel import DataParallelModel
from distrl.learn.model import Model
from distrl.policies.lm.model import LmModel
from distrl.policies.lm.sharding import ShardedModel


def main(out: Path, updates: int, way: str) -> None:
    torch.set_num_threads(1)
    accelerator = Accelerator(cpu=True)
    held: list[int] = []

    def share(model: LmModel) -> Model:
        inner = ShardedModel(model, accelerator.num_processes) if "sharded" in way else model
        held.append(frozen_numbers(inner))
        return DataParallelModel(inner, accelerator)

    weights = learn_alone_or_together(share, updates, **WAYS[way])
    weights["held"] = torch.tensor(held)
    safetensors.torch.save_file(weights, out / f"{accelerator.process_index}.safetensors")
    accelerator.end_training()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
