"""The run folders that are watched, by name. Each run stands or falls alone.

A request names a run and never a file. Names are looked up among the folders that were given at the
start and the runs inside them; nothing else is ever opened.

A folder may hold anything: files of another version, files cut off by a full disk, files edited by
hand. What cannot be read is told by `Run.problems`; the rest of the run, and every other run, is
shown as usual.
"""

from __future__ import annotations

import difflib
import json
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from distrl.config import RunConfig
from distrl.config.saved import SavedSettings, read_saved
from distrl.errors import ConfigError, StoreError
from distrl.run.state.folder import RunFolder
from distrl.web.episode_index import EMPTY, EpisodeIndex, Table
from distrl.web.metrics import Metrics

_CONFIG = "config.yaml"
_LOCKS = Path("/proc/locks")


class State(StrEnum):
    """Where a run is."""

    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    """Neither: it was ended, or killed, and can go on."""
    BROKEN = "broken"
    """Nobody runs it, and some of its files cannot be read."""


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
        self._settings: tuple[float, SavedSettings] | None = None
        self._priorities: tuple[Path, dict[str, float]] | None = None

    @property
    def settings(self) -> SavedSettings:
        """Its settings as the file says them now; never raises."""
        try:
            changed = self.folder.config.stat().st_mtime
        except OSError as error:
            return SavedSettings(problem=f"{self.folder.config} cannot be read: {error.strerror}")
        with self._lock:
            if self._settings is None or self._settings[0] != changed:
                self._settings = changed, read_saved(self.folder.config)
            return self._settings[1]

    @property
    def config(self) -> RunConfig:
        """Its settings, for what cannot be done without; ConfigError when they cannot be used."""
        settings = self.settings
        if settings.config is None:
            raise ConfigError(settings.problem)
        return settings.config

    def progress(self) -> dict[str, Any]:
        """What the run has noted; empty when it cannot be read."""
        return self.read_progress()[0]

    def table(self) -> Table:
        """Its episodes; empty when the store cannot be read."""
        return self._read_table()[0]

    def problems(self) -> list[str]:
        """What is wrong with its files, a sentence each; empty when all can be read."""
        if gone := self.gone():
            return [gone]
        said = (self.settings.problem, self.read_progress()[1], self._read_table()[1])
        return [problem for problem in said if problem]

    def gone(self) -> str:
        """What to say of a folder that is no longer there; empty when it is."""
        root = self.folder.root
        try:
            root.stat()
        except FileNotFoundError:
            return f"{root} is no longer there: it was moved or removed while it was watched"
        except OSError as error:
            return f"{root} cannot be read: {error.strerror}"
        return ""

    def read_progress(self) -> tuple[dict[str, Any], str]:
        """What the run has noted, and why that cannot be read; one of them is empty."""
        path = self.folder.root / "progress.json"
        try:
            noted: object = self.folder.progress()
        except (OSError, ValueError, RecursionError) as error:
            why = str(error).removeprefix(f"{path} is damaged: ")
            return {}, f"{path} cannot be read, so that its figures are missing: {why}"
        if not isinstance(noted, dict):
            return {}, f"{path} must hold names and values, got {type(noted).__name__}"
        return noted, ""

    def _read_table(self) -> tuple[Table, str]:
        try:
            return self.index.table(), ""
        except (StoreError, OSError) as error:
            return EMPTY, str(error)

    def state(self) -> State:
        """Where it is."""
        if is_held(self.folder.root / "run.lock"):
            return State.RUNNING
        return State.FINISHED if "after" in self.progress() else State.STOPPED

    def checkpoints(self) -> list[Checkpoint]:
        """The checkpoints that are there, oldest first."""
        found = []
        for path in _checkpoint_paths(self.folder.checkpoints):
            try:
                size = sum(part.stat().st_size for part in path.iterdir() if part.is_file())
            except OSError:  # the learner removes old checkpoints while they are looked at
                continue
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
        self._parents = [path for path in paths if not _is_run(path)]
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
            for path in _inside(parent):
                if path not in known and _is_run(path):
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

    def missing(self, name: str) -> str:
        """What to say of a name that no run has, with the nearest one; empty when there is one."""
        with self._lock:
            names = list(self._runs)
        if name in names:
            return ""
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.3)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        return f"there is no run named {name!r}{hint}"

    def close(self) -> None:
        """Let go of all files."""
        for run in self:
            run.close()


def _inside(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:  # not there, moved or unmounted; the runs that are known stay listed
        return []


def _is_run(path: Path) -> bool:
    try:
        return (path / _CONFIG).is_file()
    except PermissionError:
        # Nobody can tell what is in a folder that we may not look into. Shown as a run it says why
        # it cannot be read; left out, it would be missed without a word.
        return True
    except OSError:
        return False


def is_held(lock: Path) -> bool:
    """Whether a living process holds a lock file. Does not touch the lock itself."""
    try:
        inode = lock.stat().st_ino
    except OSError:
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
    named = (
        path
        for path in _inside(folder)
        if path.name.startswith("step-")
        and path.name.removeprefix("step-").isdecimal()
        and path.is_dir()
    )
    return sorted(named, key=lambda path: int(path.name.removeprefix("step-")))


def _read_priorities(checkpoint: Path) -> dict[str, float]:
    try:
        state = json.loads((checkpoint / "state.json").read_bytes())
        buffer = state["ingest"]["buffer"]
        return dict(zip(buffer["ids"], map(float, buffer["priorities"]), strict=True))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        # Replaced by a newer one meanwhile, damaged, or of a learner that keeps no such buffer.
        return {}
