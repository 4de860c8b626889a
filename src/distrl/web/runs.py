"""The runs that are watched: found once at the start, and asked for by name ever after.

A request names a run; it never names a file. Names are looked up here, and only what was found at
the start, or is inside a folder that was given for its runs, is ever opened.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from distrl.config import RunConfig
from distrl.errors import ConfigError
from distrl.run.state.folder import RunFolder
from distrl.web.episode_index import EpisodeIndex
from distrl.web.metrics import Metrics

_CONFIG = "config.yaml"
_LOCKS = Path("/proc/locks")


class State(StrEnum):
    """Where a run is."""

    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    """Neither: it was ended, or killed, and can go on."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint that is there now."""

    name: str
    step: int
    bytes: int


class Run:
    """One run, as somebody sees it who reads its folder. Any thread may ask."""

    def __init__(self, name: str, root: Path) -> None:
        """Look at a folder; nothing is read before it is asked for."""
        self.name = name
        self.folder = RunFolder(root)
        self.index = EpisodeIndex(self.folder.episodes)
        self.metrics = Metrics(root)
        self._lock = threading.Lock()
        self._config: tuple[float, RunConfig] | None = None
        self._priorities: tuple[Path, dict[str, float]] | None = None

    @property
    def config(self) -> RunConfig:
        """Its settings, as they are now."""
        changed = self.folder.config.stat().st_mtime
        with self._lock:
            if self._config is None or self._config[0] != changed:
                self._config = changed, self.folder.load_config()
            return self._config[1]

    def progress(self) -> dict[str, Any]:
        """What the run has noted; empty when it cannot be read."""
        try:
            return self.folder.progress()
        except ValueError:
            return {}

    def state(self) -> State:
        """Where it is."""
        if is_held(self.folder.root / "run.lock"):
            return State.RUNNING
        return State.FINISHED if "after" in self.progress() else State.STOPPED

    def checkpoints(self) -> list[Checkpoint]:
        """The checkpoints that are there, oldest first."""
        found = []
        for path in _checkpoint_paths(self.folder.checkpoints):
            size = sum(part.stat().st_size for part in path.iterdir() if part.is_file())
            found.append(Checkpoint(path.name, int(path.name.removeprefix("step-")), size))
        return found

    def priorities(self) -> dict[str, float]:
        """Priorities of replay by episode, when the newest checkpoint was written."""
        paths = _checkpoint_paths(self.folder.checkpoints)
        if not paths:
            return {}
        with self._lock:
            if self._priorities is None or self._priorities[0] != paths[-1]:
                self._priorities = paths[-1], _read_priorities(paths[-1])
            return self._priorities[1]

    def close(self) -> None:
        """Let go of its files."""
        self.index.close()


class Runs:
    """All runs that are watched, by name."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """Take folders of runs, or folders that hold such; ConfigError when there is no run."""
        self._lock = threading.Lock()
        self._parents = [path for path in paths if not (path / _CONFIG).is_file()]
        self._runs: dict[str, Run] = {}
        for path in paths:
            if not path.is_dir():
                raise ConfigError(f"there is no run at {path}: it is not a folder")
            if path not in self._parents:
                self._add(path)
        self.look()
        if not self._runs:
            listed = ", ".join(str(path) for path in paths)
            raise ConfigError(f"there is no run in {listed}: no folder with a {_CONFIG}")

    def look(self) -> None:
        """Find runs that have begun in the folders that were given for their runs."""
        with self._lock:
            known = {run.folder.root for run in self._runs.values()}
        for parent in self._parents:
            for path in sorted(parent.iterdir()):
                if path not in known and (path / _CONFIG).is_file():
                    self._add(path)

    def _add(self, path: Path) -> None:
        name = path.resolve().name
        with self._lock:
            if any(run.folder.root == path for run in self._runs.values()):
                return
            unique, number = name, 2
            while unique in self._runs:
                unique, number = f"{name} ({number})", number + 1
            self._runs[unique] = Run(unique, path)

    def __iter__(self) -> Iterator[Run]:
        """The runs, in the order in which they were found."""
        with self._lock:
            return iter(list(self._runs.values()))

    def __getitem__(self, name: str) -> Run:
        """A run by its name; KeyError when none is called so."""
        with self._lock:
            return self._runs[name]

    def close(self) -> None:
        """Let go of all files."""
        for run in self:
            run.close()


def is_held(lock: Path) -> bool:
    """Whether a living process holds a lock file. Does not touch the lock itself."""
    try:
        inode = lock.stat().st_ino
    except FileNotFoundError:
        return False
    try:
        held = _LOCKS.read_text()
    except OSError:  # not Linux: the process that is named in it has to do
        return _is_alive(lock)
    return any("FLOCK" in line and f":{inode} " in line for line in held.splitlines())


def _is_alive(lock: Path) -> bool:
    try:
        os.kill(int(lock.read_text()), 0)
    except (OSError, ValueError):
        return False
    return True


def _checkpoint_paths(folder: Path) -> list[Path]:
    """Whole checkpoints, oldest first, without reading any."""
    if not folder.is_dir():
        return []
    named = (
        path
        for path in folder.iterdir()
        if path.name.startswith("step-") and path.name.removeprefix("step-").isdecimal()
    )
    return sorted(named, key=lambda path: int(path.name.removeprefix("step-")))


def _read_priorities(checkpoint: Path) -> dict[str, float]:
    try:
        state = json.loads((checkpoint / "state.json").read_bytes())
        buffer = state["ingest"]["buffer"]
        return dict(zip(buffer["ids"], map(float, buffer["priorities"]), strict=True))
    except (OSError, ValueError, KeyError, TypeError):
        # Replaced by a newer one meanwhile, or of a learner that keeps no such buffer.
        return {}
