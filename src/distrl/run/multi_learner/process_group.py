"""Several processes that make every update of a run together: a learner and its mates.

    learner   decides when there is an update, and announces which: episodes, version, progress
    mates     follow: they read the same episodes and draw the same, and pass a share of the steps

Each holds all of replay and all weights, and no step is passed through the network twice. They
find one another by a file that only its owner can reach, and talk over the loopback, or as GPUs
do. A mate dies with its learner; a learner whose mate died fails, and goes on when the run does.
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
from distrl.learn.learner import Turn
from distrl.run.processes.child import Child
from distrl.run.state.folder import RunFolder

_PATIENCE = timedelta(seconds=600)
"""How long one waits for the others; a pass of the largest model takes less."""
_STOP_SECONDS = 60.0
_LAST_WORDS_SECONDS = 2.0
_WAIT, _UPDATE, _STOP = 0, 1, 2


class Company:
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

    def announce(self, turn: Turn) -> None:
        """Let all others make an update too; the first process says so."""
        self._say(_UPDATE, turn.number, turn.version, turn.progress)

    def wait(self) -> None:
        """Tell the others that there is nothing to do now."""
        self._say(_WAIT)

    def stop(self) -> None:
        """Tell the others that it is over."""
        self._say(_STOP)

    def turns(self) -> Iterator[Turn]:
        """What the first process announces, until it is over."""
        while True:
            what, number, version, progress = self._spread(torch.zeros(4, dtype=torch.float64))
            if what == _STOP:
                return
            if what == _UPDATE:
                yield Turn(number=int(number), version=int(version), progress=progress)

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
def company_of(
    folder: RunFolder, config: RunConfig, device: torch.device
) -> Iterator[Company | None]:
    """The company of a run's learner, with mates that were started for it; None if it needs none.

    When it is over they end too. What a mate died of is raised here.
    """
    count = config.learner.processes
    if count == 1:
        yield None
        return
    with TemporaryDirectory(prefix="distrl-learners-") as place:
        meeting = Path(place) / "meeting"
        mates = [
            Child(
                f"learner's mate {rank}",
                "distrl.run.multi_learner.worker",
                [str(folder.root), str(meeting), str(rank)],
                log=folder.learner_log,
            )
            for rank in range(1, count)
        ]
        try:
            company = Company(meeting, 0, count, device)
            yield company
            company.stop()
            for mate in mates:
                mate.stop({"stop": True}, timeout=_STOP_SECONDS)
            company.leave()
        except Exception:
            _raise_what_killed(mates)
            raise
        finally:
            for mate in mates:
                mate.kill()


def _raise_what_killed(mates: list[Child]) -> None:
    """PipelineError if one of them has failed by itself: that is why the others cannot go on."""
    for mate in mates:
        while mate.receive(timeout=_LAST_WORDS_SECONDS) is not None:
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
