"""The learner's process: `python -m distrl.run.local.learner_process RUN DESCRIPTOR`.

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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from distrl.clock import RealClock
from distrl.config import RunConfig
from distrl.errors import ConfigError, PipelineError
from distrl.learn.algorithms import make_algorithm
from distrl.learn.data_parallel import SharedModel
from distrl.learn.ingest import Ingest
from distrl.learn.learner import Learner, LearnerParts
from distrl.learn.model import Model
from distrl.learn.remote_gradients import DelegatedModel
from distrl.monitor.metrics_hub import LearnerMonitor
from distrl.replay.buffer import ReplayBuffer
from distrl.replay.store.sqlite import StoreReader
from distrl.replay.trajectory import Record
from distrl.run.builders.initial_weights import load_start
from distrl.run.builders.pointer import choose_device
from distrl.run.builders.policy_bundle import Kit, build_kit
from distrl.run.builders.settings import (
    a_ride_settings,
    learner_settings,
    priority_weights,
    replay_settings,
)
from distrl.run.multi_learner.process_group import Company, company_of, own_device
from distrl.run.processes.child import Parent
from distrl.run.processes.cpu_affinity import step_back, take_learners_core
from distrl.run.ray_cluster.inventory import access_of
from distrl.run.state.checkpoint import Checkpoints
from distrl.run.state.folder import RunFolder
from distrl.tasks.sampling import SuccessPool
from distrl.weights.files import FileChannel
from distrl.weights.memory import MemoryChannel

if TYPE_CHECKING:
    from distrl.run.multi_learner.gradient_workers import RayCrew

_STATUS_SECONDS = 0.5
_TAKEOVER_SECONDS = 30.0
"""How long to wait for a learner of before, whose parent was killed, to be gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Others:
    """Who makes updates together with a learner."""

    company: Company | None = None
    """Processes beside it that do all that it does."""
    crew: RayCrew | None = None
    """Helpers on a cluster."""

    def share(self, model: Model, kit: Kit) -> Model:
        """The model as it is passed by all of them."""
        if self.company is not None:
            model = SharedModel(model, self.company.accelerator)
        return model if self.crew is None else DelegatedModel(model, self.crew, kit.pack)


ALONE = Others()


@contextmanager
def others_of(folder: RunFolder, config: RunConfig, device: torch.device) -> Iterator[Others]:
    """Those that a run asks for; they end afterwards."""
    with company_of(folder, config, device) as company:
        if config.engine != "ray" or not config.cluster.learners:
            yield Others(company=company)
            return
        access_of(config).enter()
        from distrl.run.multi_learner.gradient_workers import crew_of

        with crew_of(config) as crew:
            yield Others(company=company, crew=crew)


def build_learner(
    folder: RunFolder, config: RunConfig, device: torch.device, others: Others = ALONE
) -> Learner:
    """The learner of a run: at its newest whole checkpoint, or at its start."""
    checkpoints = Checkpoints(folder.checkpoints, keep=config.learner.keep_checkpoints)
    parts, demonstrations = _build_parts(folder, config, device, others)
    company, crew = others.company, others.crew
    parts = replace(
        parts,
        channel=FileChannel(folder.weights, keep=config.learner.keep_weights),
        monitor=LearnerMonitor(folder.root, parts.clock),
        save=checkpoints.save,
        announce=parts.announce if company is None else company.announce,
        gauges=parts.gauges if crew is None else crew.gauges,
    )
    learner = Learner(parts, learner_settings(config))
    found = checkpoints.load_newest()
    if found.snapshot is None:
        parts.ingest.demonstrate(demonstrations)
        checkpoints.save(learner.snapshot())
    else:
        learner.restore(found.snapshot, demonstrations)
    return learner


def build_mate(
    folder: RunFolder, config: RunConfig, company: Company, device: torch.device
) -> Learner:
    """A learner that follows another, which stands at its newest checkpoint."""
    parts, demonstrations = _build_parts(folder, config, device, Others(company=company))
    learner = Learner(parts, learner_settings(config))
    found = Checkpoints(folder.checkpoints).load_newest().snapshot
    if found is None:
        raise PipelineError(f"{folder.checkpoints} has no checkpoint that a mate could begin at")
    learner.restore(found, demonstrations)
    return learner


def _build_parts(
    folder: RunFolder, config: RunConfig, device: torch.device, others: Others
) -> tuple[LearnerParts, list[Record]]:
    """What a learner works with, published to nobody, and the demonstrations of its start."""
    kit = build_kit(config)
    demonstrations = load_start(folder, kit)
    kit.place(device)
    model = _spread(kit.model, config.learner.processes) if config.learner.spread else kit.model
    pool: SuccessPool[Record] | None = None
    if config.success_pool.enabled:
        pool = SuccessPool(
            only_failing=config.success_pool.only_failing, kind=lambda record: record.template
        )
    shared = others.share(model, kit)
    parts = LearnerParts(
        algorithm=make_algorithm(config.algorithm.name, shared, a_ride_settings(config)),
        ingest=Ingest(
            source=StoreReader(folder.episodes),
            buffer=ReplayBuffer(replay_settings(config), np.random.default_rng(config.seed)),
            unpack=kit.unpack,
            pool=pool,
        ),
        channel=MemoryChannel(keep=1),
        clock=RealClock(),
        pack=kit.pack,
        weights=priority_weights(config),
        vary=kit.vary(config),
    )
    return parts, list(demonstrations)


def _spread(model: Model, processes: int) -> Model:
    """A language model of which every process keeps a share."""
    from distrl.policies.lm.model import LmModel
    from distrl.policies.lm.sharding import SpreadModel

    if not isinstance(model, LmModel):
        raise ConfigError(f"learner.spread is for language models, and this is {type(model)}")
    return SpreadModel(model, processes)


def status_of(learner: Learner) -> dict[str, Any]:
    """What the parent is told now and then."""
    return {"waiting_for": learner.waiting_for, **learner.gauges()}


def learn(learner: Learner, parent: Parent, company: Company | None) -> None:
    """Train until told to stop."""
    due = 0.0
    while not parent.stopping.is_set():
        if learner.step() is None and company is not None:
            company.wait()
        if time.monotonic() >= due:
            parent.tell({"status": status_of(learner)})
            due = time.monotonic() + _STATUS_SECONDS


def find_place(config: RunConfig) -> None:
    """Among those who want the processor: slow devices must never wait for a learner."""
    if config.collect.latency or config.learner.processes > 1:
        step_back()
    else:
        take_learners_core()


def train(folder: RunFolder, parent: Parent) -> None:
    """Be the only learner of a run until its parent says stop, and leave a checkpoint."""
    with folder.lock("learner", timeout=_TAKEOVER_SECONDS):
        config = folder.load_config()
        find_place(config)
        device = own_device(choose_device(config.device), 0, config.learner.processes)
        with others_of(folder, config, device) as others:
            learner = build_learner(folder, config, device, others)
            if others.company is not None:
                others.company.wait_for_everybody()
            learner.begin()
            parent.tell({"ready": learner.version})
            learn(learner, parent, others.company)
        keep = Checkpoints(folder.checkpoints, keep=config.learner.keep_checkpoints)
        keep.save(learner.snapshot())
        parent.tell({"status": status_of(learner)})


def main(argv: list[str]) -> int:
    """Be the learner's process."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    torch.set_num_threads(1)
    parent = Parent(int(argv[1]))
    return parent.run(lambda: train(RunFolder(Path(argv[0])), parent))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
