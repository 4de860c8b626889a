"""One more process of a learner: `python -m distrl.run.multi_learner.worker RUN MEETING RANK DESCRIPTOR`.

It begins where the learner begins, and makes the updates that the learner announces. It publishes
nothing, keeps nothing and decides nothing.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import torch

from distrl.run.builders.pointer import choose_device
from distrl.run.local.learner_process import build_mate
from distrl.run.multi_learner.process_group import Company, own_device
from distrl.run.processes.child import Parent
from distrl.run.state.folder import RunFolder


def follow(folder: RunFolder, meeting: Path, rank: int) -> None:
    """Make the updates that the learner announces, until it says that it is over."""
    config = folder.load_config()
    count = config.learner.processes
    device = own_device(choose_device(config.device), rank, count)
    company = Company(meeting, rank, count, device)
    company.wait_for_everybody()
    learner = build_mate(folder, config, company, device)
    for turn in company.turns():
        learner.follow(turn)
    company.leave()


def main(argv: list[str]) -> int:
    """Be a learner's mate."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    torch.set_num_threads(1)
    folder, meeting, rank = RunFolder(Path(argv[0])), Path(argv[1]), int(argv[2])
    return Parent(int(argv[3])).run(lambda: follow(folder, meeting, rank))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
