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
from distrl.interfaces import WeightChannel
from distrl.learn.algorithms import make_algorithm
from distrl.learn.data_parallel import DataParallelModel
from distrl.learn.ingest import Ingest
from distrl.learn.learner import Learner, LearnerParts
from distrl.learn.model import Model
from distrl.learn.remote_gradients import RemoteGradientModel
from distrl.monitor.metrics_hub import LearnerMonitor
from distrl.replay.buffer import ReplayBuffer
from distrl.replay.store.sqlite import StoreReader
from distrl.replay.trajectory import Trajectory
from distrl.run.builders.initial_weights import load_start
from distrl.run.builders.learner import make_learner
from distrl.run.builders.policy_bundle import PolicyBundle, build_policy_bundle
from distrl.run.builders.torch_device import choose_device
from distrl.run.multi_learner.process_group import ProcessGroup, own_device, process_group_of
from distrl.run.processes.child import Parent, end_process
from distrl.run.processes.cpu_affinity import step_back, take_learners_core
from distrl.run.processes.garbage_collection import freeze_objects
from distrl.run.ray_cluster.inventory import access_of
from distrl.run.state.checkpoint import Checkpoints
from distrl.run.state.folder import RunFolder
from distrl.tasks.sampling import SuccessPool
from distrl.weights.background_channel import BackgroundFileChannel
from distrl.weights.file_channel import FileChannel
from distrl.weights.memory_channel import MemoryChannel

if TYPE_CHECKING:
    from distrl.run.multi_learner.gradient_workers import RayGradientWorkers

_STATUS_SECONDS = 0.5
"""Between two status messages: often enough that the parent sees the end of learning at once."""
_TAKEOVER_SECONDS = 30.0
"""How long to wait for the lock of an earlier learner: when its parent was killed, it notices only
after its current update."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerPeers:
    """Who makes updates together with a learner."""

    process_group: ProcessGroup | None = None
    """Processes beside it that do all that it does."""
    gradient_workers: RayGradientWorkers | None = None
    """Gradient workers on a cluster."""

    def share(self, model: Model, bundle: PolicyBundle) -> Model:
        """The model as it is passed by all of them."""
        if self.process_group is not None:
            model = DataParallelModel(model, self.process_group.accelerator)
        return (
            model
            if self.gradient_workers is None
            else RemoteGradientModel(model, self.gradient_workers, bundle.pack)
        )


ALONE = LearnerPeers()


@contextmanager
def learner_peers_of(
    folder: RunFolder, config: RunConfig, device: torch.device
) -> Iterator[LearnerPeers]:
    """Those that a run asks for; they end afterwards."""
    with process_group_of(folder, config, device) as process_group:
        if config.engine != "ray" or not config.cluster.learners:
            yield LearnerPeers(process_group=process_group)
            return
        access_of(config).enter()
        from distrl.run.multi_learner.gradient_workers import gradient_workers_of

        with gradient_workers_of(config) as gradient_workers:
            yield LearnerPeers(process_group=process_group, gradient_workers=gradient_workers)


def build_learner(
    folder: RunFolder,
    config: RunConfig,
    device: torch.device,
    others: LearnerPeers = ALONE,
    channel: WeightChannel | None = None,
) -> Learner:
    """The learner of a run: at its newest whole checkpoint, or at its start.

    It publishes to `channel`, by default to the run's folder.
    """
    checkpoints = Checkpoints(folder.checkpoints, keep=config.learner.keep_checkpoints)
    parts, demonstrations = _build_parts(folder, config, device, others)
    process_group, gradient_workers = others.process_group, others.gradient_workers
    parts = replace(
        parts,
        channel=channel or FileChannel(folder.weights, keep=config.learner.keep_weights),
        monitor=LearnerMonitor(folder.root, parts.clock),
        save=checkpoints.save,
        announce=parts.announce if process_group is None else process_group.announce,
        gauges=parts.gauges if gradient_workers is None else gradient_workers.gauges,
    )
    learner = make_learner(parts, config)
    found = checkpoints.load_newest()
    if found.snapshot is None:
        parts.ingest.add_demonstrations(demonstrations)
        checkpoints.save(learner.snapshot())
    else:
        learner.restore(found.snapshot, demonstrations)
    return learner


def build_worker_learner(
    folder: RunFolder, config: RunConfig, process_group: ProcessGroup, device: torch.device
) -> Learner:
    """A learner that follows another, which stands at its newest checkpoint."""
    parts, demonstrations = _build_parts(
        folder, config, device, LearnerPeers(process_group=process_group)
    )
    learner = make_learner(parts, config)
    found = Checkpoints(folder.checkpoints).load_newest().snapshot
    if found is None:
        raise PipelineError(f"{folder.checkpoints} has no checkpoint that a worker could begin at")
    learner.restore(found, demonstrations)
    return learner


def _build_parts(
    folder: RunFolder, config: RunConfig, device: torch.device, others: LearnerPeers
) -> tuple[LearnerParts, list[Trajectory]]:
    """What a learner works with, published to nobody, and the demonstrations of its start."""
    bundle = build_policy_bundle(config)
    demonstrations = load_start(folder, bundle)
    bundle.place(device)
    model = _shard(bundle.model, config.learner.processes) if config.learner.shard else bundle.model
    pool: SuccessPool[Trajectory] | None = None
    if config.success_pool.enabled:
        pool = SuccessPool(config.success_pool, kind=lambda trajectory: trajectory.template)
    shared = others.share(model, bundle)
    parts = LearnerParts(
        algorithm=make_algorithm(shared, config.algorithm),
        ingest=Ingest(
            source=StoreReader(folder.episodes),
            buffer=ReplayBuffer(config.replay, np.random.default_rng(config.seed)),
            unpack=bundle.unpack,
            pool=pool,
        ),
        # A worker of a process group publishes to nobody; the learner puts its own channel here.
        channel=MemoryChannel(keep=1),
        clock=RealClock(),
        pack=bundle.pack,
        vary=bundle.vary(config),
    )
    return parts, list(demonstrations)


def _shard(model: Model, processes: int) -> Model:
    """A language model of which every process keeps a share."""
    from distrl.policies.lm.model import LmModel
    from distrl.policies.lm.sharding import ShardedModel

    if not isinstance(model, LmModel):
        raise ConfigError(f"learner.shard is for language models, and this is {type(model)}")
    return ShardedModel(model, processes)


def status_of(learner: Learner) -> dict[str, Any]:
    """What the parent is told now and then."""
    return {"waiting_for": learner.waiting_for, **learner.gauges()}


def learn(learner: Learner, parent: Parent, process_group: ProcessGroup | None) -> None:
    """Train until told to stop."""
    due = 0.0
    while not parent.stopping.is_set():
        if learner.step() is None and process_group is not None:
            process_group.wait()
        if time.monotonic() >= due:
            parent.tell({"status": status_of(learner)})
            due = time.monotonic() + _STATUS_SECONDS


def find_place(config: RunConfig) -> None:
    """Choose the learner's place on the processor: slow devices must never wait for a learner."""
    # With slow devices the collectors need little time but at once: the learner lowers its own
    # priority. Otherwise both sides compute all the time, and each gets a core of its own.
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
        with (
            learner_peers_of(folder, config, device) as others,
            BackgroundFileChannel(folder.weights, keep=config.learner.keep_weights) as channel,
        ):
            learner = build_learner(folder, config, device, others, channel)
            if others.process_group is not None:
                others.process_group.wait_for_everybody()
            learner.begin()
            freeze_objects()
            parent.tell({"ready": learner.version})
            learn(learner, parent, others.process_group)
        keep = Checkpoints(folder.checkpoints, keep=config.learner.keep_checkpoints)
        keep.save(learner.snapshot())
        parent.tell({"status": status_of(learner)})


def main(argv: list[str]) -> int:
    """Be the learner's process."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    # One thread: the collectors' process needs the other cores, and results do not depend on how
    # many there are.
    torch.set_num_threads(1)
    parent = Parent(int(argv[1]))
    return parent.run(lambda: train(RunFolder(Path(argv[0])), parent))


if __name__ == "__main__":
    end_process(main(sys.argv[1:]))
