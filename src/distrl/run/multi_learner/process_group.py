"""Several learner processes that make every update of a run together: data parallelism as in DDP.

    learner   rank 0: decides when there is an update and announces it: episodes, version, progress
    workers   ranks 1..N: read the same episodes, draw the same batch, pass a share of its steps

Every process holds the whole replay buffer and all weights; no step passes the network twice. The
processes rendezvous by a file that only its owner can read, and communicate over the loopback
interface (gloo) or between GPUs (nccl). A worker ends with its learner. A learner whose worker died
fails, and goes on when the run is resumed.
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
"""How long one waits for the others; a pass of the largest model takes less."""
_STOP_SECONDS = 60.0
_LAST_WORDS_SECONDS = 2.0
_WAIT, _UPDATE, _STOP = 0, 1, 2


class ProcessGroup:
    """One of several processes, in the eyes of that one."""

    def __init__(self, meeting: Path, rank: int, count: int, device: torch.device) -> None:
        """Wait until all are there; `meeting` is a file that nobody has made yet."""
        self._device = device
        _prepare_environment(rank, count)
        accelerate = require_accelerate()
        torch.distributed.init_process_group(
            "nccl" if device.type == "cuda" else "gloo",
            init_method=f"file://{meeting}",
            rank=rank,
            world_size=count,
            timeout=_PATIENCE,
        )
        self.accelerator: Any = accelerate.Accelerator(cpu=device.type == "cpu")
        torch.set_num_threads(1)

    def wait_for_everybody(self) -> None:
        """Return when all have come to the same point."""
        self.accelerator.wait_for_everyone()

    def announce(self, turn: SharedUpdate) -> None:
        """Let all others make an update too; the first process says so."""
        self._say(_UPDATE, turn.number, turn.version, turn.progress)

    def wait(self) -> None:
        """Tell the others that there is nothing to do now."""
        self._say(_WAIT)

    def stop(self) -> None:
        """Tell the others that it is over."""
        self._say(_STOP)

    def turns(self) -> Iterator[SharedUpdate]:
        """What the first process announces, until it is over."""
        while True:
            what, number, version, progress = self._spread(torch.zeros(4, dtype=torch.float64))
            if what == _STOP:
                return
            if what == _UPDATE:
                yield SharedUpdate(number=int(number), version=int(version), progress=progress)

    def _say(self, what: int, number: int = 0, version: int = 0, progress: float = 0.0) -> None:
        # A float of 64 bits holds every number of an episode exactly.
        self._spread(torch.tensor([what, number, version, progress], dtype=torch.float64))

    def _spread(self, word: torch.Tensor) -> list[float]:
        word = word.to(self._device)
        torch.distributed.broadcast(word, src=0)
        numbers: list[float] = word.tolist()
        return numbers

    def leave(self) -> None:
        """Be alone again."""
        torch.distributed.destroy_process_group()


@contextmanager
def process_group_of(
    folder: RunFolder, config: RunConfig, device: torch.device
) -> Iterator[ProcessGroup | None]:
    """The process group of a run's learner with the workers started for it; None for one process.

    When it is over they end too. What a worker died of is raised here.
    """
    count = config.learner.processes
    if count == 1:
        yield None
        return
    with TemporaryDirectory(prefix="distrl-learners-") as place:
        meeting = Path(place) / "meeting"
        workers = [
            Child(
                f"learner's worker {rank}",
                "distrl.run.multi_learner.worker",
                [str(folder.root), str(meeting), str(rank)],
                log=folder.learner_log,
            )
            for rank in range(1, count)
        ]
        try:
            process_group = ProcessGroup(meeting, 0, count, device)
            yield process_group
            process_group.stop()
            for worker in workers:
                worker.stop({"stop": True}, timeout=_STOP_SECONDS)
            process_group.leave()
        except Exception:
            _raise_what_killed(workers)
            raise
        finally:
            for worker in workers:
                worker.kill()


def _raise_what_killed(workers: list[Child]) -> None:
    """PipelineError if one of them has failed by itself: that is why the others cannot go on."""
    for worker in workers:
        while worker.receive(timeout=_LAST_WORDS_SECONDS) is not None:
            pass


def require_accelerate() -> Any:
    """The package; ConfigError when it is not installed."""
    try:
        import accelerate
    except ImportError:
        raise ConfigError(
            "learner.processes above 1 needs accelerate: pip install 'distrl[lm]'"
        ) from None
    return accelerate


def own_device(device: torch.device, rank: int, count: int) -> torch.device:
    """Where one of several processes computes; ConfigError when there are too few GPUs."""
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
    """What accelerate reads, and that nobody beyond this machine is listened to."""
    os.environ.update(
        RANK=str(rank),
        LOCAL_RANK=str(rank),
        WORLD_SIZE=str(count),
        LOCAL_WORLD_SIZE=str(count),
        OMP_NUM_THREADS="1",
        GLOO_SOCKET_IFNAME="lo0" if sys.platform == "darwin" else "lo",
    )
