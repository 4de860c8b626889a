"""The learner's process: `python -m distrl.run.learning RUN DESCRIPTOR`.

It reads the run's folder and its parent's word, and writes weights, checkpoints and numbers:

    begins            {"ready": version}
    now and then      {"status": {updates, version, waiting_for, ...}}
    is told           {"stop": true}: writes a checkpoint, ends
    goes wrong        {"failed": traceback}, ends with 1
"""

from __future__ import annotations

import logging
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import numpy as np
import torch

from distrl.clock import RealClock
from distrl.config import RunConfig
from distrl.learn.algorithms import make_algorithm
from distrl.learn.ingest import Ingest
from distrl.learn.learner import Learner, LearnerParts
from distrl.monitor.board import LearnerMonitor
from distrl.replay.buffer import ReplayBuffer
from distrl.replay.record import Record
from distrl.replay.store import StoreReader
from distrl.run.checkpoint import Checkpoints
from distrl.run.child import Parent
from distrl.run.cores import step_back, take_learners_core
from distrl.run.folder import RunFolder
from distrl.run.kit import build_kit
from distrl.run.parts import a_ride_settings, learner_settings, priority_weights, replay_settings
from distrl.run.pointer import choose_device
from distrl.run.start import load_start
from distrl.tasks.sampling import SuccessPool
from distrl.weights.files import FileChannel

_STATUS_SECONDS = 0.5
_TAKEOVER_SECONDS = 30.0
"""How long to wait for a learner of before, whose parent was killed, to be gone."""


def build_learner(folder: RunFolder, config: RunConfig) -> Learner:
    """The learner of a run: at its newest whole checkpoint, or at its start."""
    kit = build_kit(config)
    demonstrations = load_start(folder, kit)
    kit.place(choose_device(config.device))
    pool: SuccessPool[Record] | None = None
    if config.success_pool.enabled:
        pool = SuccessPool(
            only_failing=config.success_pool.only_failing, kind=lambda record: record.template
        )
    ingest = Ingest(
        source=StoreReader(folder.episodes),
        buffer=ReplayBuffer(replay_settings(config), np.random.default_rng(config.seed)),
        unpack=kit.unpack,
        pool=pool,
    )
    checkpoints = Checkpoints(folder.checkpoints, keep=config.learner.keep_checkpoints)
    clock = RealClock()
    parts = LearnerParts(
        algorithm=make_algorithm(config.algorithm.name, kit.model, a_ride_settings(config)),
        ingest=ingest,
        channel=FileChannel(folder.weights, keep=config.learner.keep_weights),
        clock=clock,
        pack=kit.pack,
        weights=priority_weights(config),
        monitor=LearnerMonitor(folder.root, clock),
        save=checkpoints.save,
        vary=kit.vary(config),
    )
    learner = Learner(parts, learner_settings(config))
    found = checkpoints.load_newest()
    if found.snapshot is None:
        ingest.demonstrate(demonstrations)
        checkpoints.save(learner.snapshot())
    else:
        learner.restore(found.snapshot, demonstrations)
    return learner


def status_of(learner: Learner) -> dict[str, Any]:
    """What the parent is told now and then."""
    return {"waiting_for": learner.waiting_for, **learner.gauges()}


def learn(learner: Learner, parent: Parent) -> None:
    """Train until told to stop."""
    due = 0.0
    while not parent.stopping.is_set():
        learner.step()
        if time.monotonic() >= due:
            parent.tell({"status": status_of(learner)})
            due = time.monotonic() + _STATUS_SECONDS


def find_place(config: RunConfig) -> None:
    """Among those who want the processor: slow devices must never wait for a learner."""
    if config.collect.latency:
        step_back()
    else:
        take_learners_core()


def main(argv: list[str]) -> int:
    """Be the learner of a run until its parent says stop."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    torch.set_num_threads(1)
    folder = RunFolder(Path(argv[0]))
    parent = Parent(int(argv[1]))
    try:
        with folder.lock("learner", timeout=_TAKEOVER_SECONDS):
            config = folder.load_config()
            find_place(config)
            learner = build_learner(folder, config)
            learner.begin()
            parent.tell({"ready": learner.version})
            learn(learner, parent)
            keep = Checkpoints(folder.checkpoints, keep=config.learner.keep_checkpoints)
            keep.save(learner.snapshot())
            parent.tell({"status": status_of(learner)})
    except BaseException:  # noqa: BLE001 - told to the parent, which raises it
        parent.tell({"failed": traceback.format_exc()})
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
