"""Several learner processes that make every update of a run together: data parallelism as in DDP.

    learner   rank 0: decides when there is an update and announces it: episodes, version, progress
    workers   ranks 1..N: read the same episodes, draw the same batch, compute their share of it

Every process holds the whole replay buffer and all weights, and gradients are averaged by an
all-reduce. The processes rendezvous by a file that only its owner can read, and communicate over
the loopback interface (gloo) or between GPUs (nccl). A worker ends with its learner. A learner
whose worker died fails; the run can be resumed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
import torch.distributed

from distrl.config import RunConfig
from distrl.errors import ConfigError
from distrl.learn.learner import SharedUpdate
from distrl.run.processes.child import Child
from distrl.run.state.folder import RunFolder

_PATIENCE = timedelta(seconds=600)
"""Timeout of every collective operation. Ranks wait for the slowest one, whose pass through the
largest model takes minutes."""
_STOP_SECONDS = 60.0
"""A worker has heard of the stop by broadcast already, and only has to leave the group."""
_LAST_WORDS_SECONDS = 2.0
"""How long to wait for the message of a worker that died: its pipe has it, or never will."""
_WAIT, _UPDATE, _STOP = 0, 1, 2
"""What rank 0 broadcasts. It broadcasts also while there is nothing to do, so that the others' wait
never reaches the timeout."""


class ProcessGroup:
    """This process's membership in the group of learner processes."""

    def __init__(self, rendezvous: Path, rank: int, count: int, device: torch.device) -> None:
        """Join the group; returns when all `count` have. The file `rendezvous` is created by it."""
        self._device = device
        _prepare_environment(rank, count)
        accelerate = require_accelerate()
        torch.distributed.init_process_group(
            "nccl" if device.type == "cuda" else "gloo",
            init_method=f"file://{rendezvous}",
            rank=rank,
            world_size=count,
            timeout=_PATIENCE,
        )
        self.accelerator: Any = accelerate.Accelerator(cpu=device.type == "cpu")
        # Processes on one machine share its cores; each computes with one thread.
        torch.set_num_threads(1)

    def wait_for_everybody(self) -> None:
        """A barrier: returns when all processes have called it."""
        self.accelerator.wait_for_everyone()

    def announce(self, turn: SharedUpdate) -> None:
        """Have all others make an update, too; rank 0 calls it."""
        self._broadcast_order(_UPDATE, turn.number, turn.version, turn.progress)

    def wait(self) -> None:
        """Tell the others that there is nothing to do now; rank 0 calls it."""
        self._broadcast_order(_WAIT)

    def stop(self) -> None:
        """Tell the others that there will be no more updates; rank 0 calls it."""
        self._broadcast_order(_STOP)

    def turns(self) -> Iterator[SharedUpdate]:
        """The updates that rank 0 announces, until it stops; all other ranks call it."""
        while True:
            what, number, version, progress = self._broadcast(torch.zeros(4, dtype=torch.float64))
            if what == _STOP:
                return
            if what == _UPDATE:
                yield SharedUpdate(number=int(number), version=int(version), progress=progress)

    def _broadcast_order(
        self, what: int, number: int = 0, version: int = 0, progress: float = 0.0
    ) -> None:
        # One tensor for all four: a 64-bit float holds every count below 2**53 exactly.
        self._broadcast(torch.tensor([what, number, version, progress], dtype=torch.float64))

    def _broadcast(self, order: torch.Tensor) -> list[float]:
        order = order.to(self._device)
        torch.distributed.broadcast(order, src=0)
        numbers: list[float] = order.tolist()
        return numbers

    def leave(self) -> None:
        """Leave the group; all processes call it."""
        torch.distributed.destroy_process_group()


@contextmanager
def process_group_of(
    folder: RunFolder, config: RunConfig, device: torch.device
) -> Iterator[ProcessGroup | None]:
    """The process group of a run's learner, with its workers started; None for a single process.

    The workers end with the block. If a worker dies of an error, that error is raised here.
    """
    count = config.learner.processes
    if count == 1:
        yield None
        return
    with TemporaryDirectory(prefix="distrl-learners-") as private:
        rendezvous = Path(private) / "rendezvous"
        workers = [
            Child(
                f"learner's worker {rank}",
                "distrl.run.multi_learner.worker",
                [str(folder.root), str(rendezvous), str(rank)],
                log=folder.learner_log,
            )
            for rank in range(1, count)
        ]
        try:
            process_group = ProcessGroup(rendezvous, 0, count, device)
            yield process_group
            process_group.stop()
            for worker in workers:
                worker.stop({"stop": True}, timeout=_STOP_SECONDS)
            process_group.leave()
        except Exception:
            # A collective operation fails with a closed connection; the cause is in a worker.
            _raise_what_killed(workers)
            raise
        finally:
            for worker in workers:
                worker.kill()


def _raise_what_killed(workers: list[Child]) -> None:
    """Raise the PipelineError of a worker that has died, if one has."""
    for worker in workers:
        while worker.receive(timeout=_LAST_WORDS_SECONDS) is not None:
            pass


def require_accelerate() -> Any:
    """The package accelerate; ConfigError when it is not installed."""
    try:
        import accelerate
    except ImportError:
        raise ConfigError(
            "learner.processes above 1 needs accelerate: pip install 'distrl[lm]'"
        ) from None
    return accelerate


def own_device(device: torch.device, rank: int, count: int) -> torch.device:
    """The device of one rank: its own GPU, or the shared CPU; ConfigError with too few GPUs."""
    if device.type == "cpu" or count == 1:
        return device
    if device.type != "cuda":
        raise ConfigError(f"learner.processes is {count}: processes cannot share {device.type}")
    if torch.cuda.device_count() < count:
        raise ConfigError(
            f"learner.processes is {count}, and this machine has {torch.cuda.device_count()} GPUs"
        )
    return torch.device("cuda", rank)


def _prepare_environment(rank: int, count: int) -> None:
    """Set what accelerate reads, and have gloo listen on the loopback interface only."""
    os.environ.update(
        RANK=str(rank),
        LOCAL_RANK=str(rank),
        WORLD_SIZE=str(count),
        LOCAL_WORLD_SIZE=str(count),
        OMP_NUM_THREADS="1",
        GLOO_SOCKET_IFNAME="lo0" if sys.platform == "darwin" else "lo",
    )
