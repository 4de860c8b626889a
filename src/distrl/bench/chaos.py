"""kill -9 of a run at random moments, each followed by --resume; then a count of what is there.

A run writes the id of every episode that its store has acknowledged to a file of its own. Whatever
is killed and whenever, each of these ids has to be in the store exactly once, and training has to
go on from the newest whole checkpoint.
"""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from distrl.errors import PipelineError
from distrl.replay.store.sqlite import StoreReader
from distrl.run.processes.child import OwnProcess
from distrl.run.state.checkpoint import Checkpoints
from distrl.run.state.folder import RunFolder

_PROGRESS_SECONDS = 180.0
"""Until a run that was started shows a new episode."""
_END_SECONDS = 120.0
_POLL = 0.02
_EARLY = 0.2
"""Share of the kills that come before the run has done anything."""
_LEARNER_ONLY = 0.25
"""Share of the kills that hit the learner alone: the run has to notice and end by itself."""

SETTINGS = (
    "max_episodes=null",
    "minutes=600",
    "policy.width=16",
    "policy.heads=2",
    "learner.checkpoint_every=5",
    "evaluate.before=false",
    "evaluate.tasks=1",
)
"""Small, so that much happens in little time; long, so that it never ends by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChaosFigures:
    """What was found."""

    kills: int
    acknowledged: int
    """Episodes that the run said were safe."""
    lost: int
    """Of these, how many are not in the store."""
    doubled: int
    """How many are there more than once."""
    resumed: int
    """Restarts that collected new episodes and learned on from the newest whole checkpoint."""
    stored: int
    """Episodes in the store; more than acknowledged if a kill came between the two."""
    updates: int
    seconds: float


def measure_chaos(*, kills: int = 20, seed: int = 0, recipe: str = "debug") -> ChaosFigures:
    """Start a run, kill it `kills` times, go on each time, and count."""
    with TemporaryDirectory(prefix="distrl-chaos-") as temporary:
        return _Chaos(Path(temporary), recipe, Random(seed)).play(kills)


class _Chaos:
    def __init__(self, temporary: Path, recipe: str, rng: Random) -> None:
        self._folder = RunFolder(temporary / "run")
        self._log = temporary / "run.log"
        self._recipe, self._rng = recipe, rng
        self._process: OwnProcess | None = None

    def play(self, kills: int) -> ChaosFigures:
        began = time.monotonic()
        resumed = 0
        try:
            self._start(["--recipe", self._recipe, *SETTINGS])
            for _ in range(kills):
                self._kill_somewhere()
                resumed += self._resume()
            self._end_in_order()
        finally:
            if self._process is not None:
                self._process.kill()
        return self._count(kills, resumed, time.monotonic() - began)

    def _start(self, arguments: Sequence[str]) -> None:
        line = ["-m", "distrl", "train", "--run-dir", str(self._folder.root), *arguments]
        self._process = OwnProcess(line, log=self._log)

    def _kill_somewhere(self) -> None:
        """Kill the run, or its learner alone, at a moment that nobody expects."""
        assert self._process is not None
        rng = self._rng
        if rng.random() >= _EARLY:
            self._wait_for_more(self._acknowledged() + rng.randrange(1, 12))
        time.sleep(rng.uniform(0.0, 1.5))
        learner = self._folder.holder("learner")
        if learner is not None and rng.random() < _LEARNER_ONLY and self._is_ours(learner):
            os.kill(learner, signal.SIGKILL)
            if self._process.wait(_END_SECONDS) is None:
                raise PipelineError("the run did not notice that its learner was killed")
        self._process.kill()

    def _resume(self) -> bool:
        """Go on; whether new episodes came and the learner went on from where it was."""
        if not self._folder.config.exists():  # killed before there was a run at all
            self._start(["--recipe", self._recipe, *SETTINGS])
            self._wait_for_more(1)
            return True
        newest = self._newest_checkpoint()
        self._start(["--resume"])
        self._wait_for_more(self._acknowledged() + 1)
        said = self._folder.learner_log.read_text("utf-8", errors="replace")
        return newest is None or f"going on after update {newest} " in said

    def _wait_for_more(self, episodes: int) -> None:
        self._wait(lambda: self._acknowledged() >= episodes, f"{episodes} episodes")

    def _wait(self, condition: Callable[[], bool], what: str) -> None:
        assert self._process is not None
        deadline = time.monotonic() + _PROGRESS_SECONDS
        while not condition():
            if not self._process.running:
                raise PipelineError(f"the run {self._process.exit_report()}")
            if time.monotonic() > deadline:
                raise PipelineError(f"no {what} within {_PROGRESS_SECONDS:g} s")
            time.sleep(_POLL)

    def _end_in_order(self) -> None:
        assert self._process is not None
        self._process.terminate()
        if self._process.wait(_END_SECONDS) is None:
            raise PipelineError(f"the run did not stop within {_END_SECONDS:g} s")

    def _acknowledged(self) -> int:
        return len(acknowledged_ids(self._folder))

    def _newest_checkpoint(self) -> int | None:
        snapshot = Checkpoints(self._folder.checkpoints).load_newest().snapshot
        return None if snapshot is None else snapshot.step

    def _is_ours(self, pid: int) -> bool:
        """Whether a process is the learner of our run, and not one that got its number later."""
        try:
            line = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            return False
        return (
            b"distrl.run.local.learner_process" in line and str(self._folder.root).encode() in line
        )

    def _count(self, kills: int, resumed: int, seconds: float) -> ChaosFigures:
        acknowledged = acknowledged_ids(self._folder)
        with StoreReader(self._folder.episodes) as store:
            stored = Counter(store.ids())
        return ChaosFigures(
            kills=kills,
            acknowledged=len(acknowledged),
            lost=sum(stored[name] == 0 for name in acknowledged),
            doubled=sum(count > 1 for count in stored.values()),
            resumed=resumed,
            stored=stored.total(),
            updates=self._newest_checkpoint() or 0,
            seconds=seconds,
        )


def acknowledged_ids(folder: RunFolder) -> list[str]:
    """What the run has written down; a line that a kill cut in two does not count."""
    try:
        text = folder.acknowledged.read_text()
    except FileNotFoundError:
        return []
    return text.split("\n")[:-1]
