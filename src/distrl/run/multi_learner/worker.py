"""One DDP worker of a learner: `python -m distrl.run.multi_learner.worker`.

Arguments: the run's folder, the rendezvous file, the rank and the parent's descriptor. It begins at
the learner's newest checkpoint and makes the updates that the learner announces. It publishes
nothing, keeps nothing and decides nothing.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import torch

from distrl.run.builders.torch_device import choose_device
from distrl.run.local.learner_process import build_worker_learner
from distrl.run.multi_learner.process_group import ProcessGroup, own_device
from distrl.run.processes.child import Parent, end_process
from distrl.run.state.folder import RunFolder


def follow(folder: RunFolder, rendezvous: Path, rank: int) -> None:
    """Make the updates that the learner announces, until it stops."""
    config = folder.load_config()
    count = config.learner.processes
    device = own_device(choose_device(config.device), rank, count)
    process_group = ProcessGroup(rendezvous, rank, count, device)
    # When the learner has passed this barrier, the checkpoint that is read next is there.
    process_group.wait_for_everybody()
    learner = build_worker_learner(folder, config, process_group, device)
    for turn in process_group.turns():
        learner.follow(turn)
    process_group.leave()


def main(argv: list[str]) -> int:
    """Run a DDP worker; returns the exit code."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    torch.set_num_threads(1)
    folder, rendezvous, rank = RunFolder(Path(argv[0])), Path(argv[1]), int(argv[2])
    return Parent(int(argv[3])).run(lambda: follow(folder, rendezvous, rank))


if __name__ == "__main__":
    end_process(main(sys.argv[1:]))
