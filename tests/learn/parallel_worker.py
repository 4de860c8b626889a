"""One of several processes that learn together: `python parallel_worker.py OUT UPDATES`."""

from __future__ import annotations

import sys
from pathlib import Path

import safetensors.torch
import torch
from accelerate import Accelerator
from tests.learn.test_parallel import learn_alone_or_together

from distrl.learn.parallel import SharedModel


def main(out: Path, updates: int) -> None:
    torch.set_num_threads(1)
    accelerator = Accelerator(cpu=True)
    weights = learn_alone_or_together(lambda model: SharedModel(model, accelerator), updates)
    safetensors.torch.save_file(weights, out / f"{accelerator.process_index}.safetensors")
    accelerator.end_training()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
