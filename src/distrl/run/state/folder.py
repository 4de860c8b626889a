"""A run is one folder, and all that its processes share.

    RUN/config.yaml          what was asked for
    RUN/start/               first weights and demonstrations
    RUN/episodes.sqlite      written by the collectors' process, read by the learner's
    RUN/weights/             published by the learner, fetched by the batcher
    RUN/checkpoints/         written by the learner
    RUN/evaluation_snapshots/  weights of now and then, if val is to be looked at
    RUN/metrics/*.jsonl      collect, learn, evaluate
    RUN/progress.json        time spent and figures so far
    RUN/acknowledged         ids of the episodes that the store has acknowledged, one per line
    RUN/judge_costs.jsonl    what asking a judge's model has cost, if there is one
    RUN/learner.log          what the learner's process says
    RUN/*.lock               held by the processes of the run while they live

Killing any process loses nothing that is in here; going on is starting again on the same folder.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from distrl.config import RunConfig, dump, load_run_config
from distrl.errors import ConfigError, StoreError
from distrl.replay.store.sqlite import StoreReader
from distrl.weights.atomic_files import write_whole

# flock cannot wait with a timeout; twenty tries a second cost nothing.
_LOCK_POLL = 0.05
_LEFT_BEHIND = frozenset({"learner.log", "code.json", ".start.partial"})
"""What may be left in a folder by a run that failed at its start: a log, the code that it was
started by, and first weights that were not finished."""
_SHOWN = 5
"""Names of foreign files in an error: enough to recognise the folder."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Where things are."""

    root: Path

    @property
    def config(self) -> Path:
        """The settings."""
        return self.root / "config.yaml"

    @property
    def start(self) -> Path:
        """First weights and demonstrations."""
        return self.root / "start"

    @property
    def episodes(self) -> Path:
        """The episode store."""
        return self.root / "episodes.sqlite"

    @property
    def weights(self) -> Path:
        """Published weights."""
        return self.root / "weights"

    @property
    def checkpoints(self) -> Path:
        """Checkpoints of the learner."""
        return self.root / "checkpoints"

    @property
    def evaluation_snapshots(self) -> Path:
        """Weights of now and then."""
        return self.root / "evaluation_snapshots"

    @property
    def acknowledged(self) -> Path:
        """Ids of acknowledged episodes."""
        return self.root / "acknowledged"

    @property
    def judge_costs(self) -> Path:
        """What asking a judge's model has cost."""
        return self.root / "judge_costs.jsonl"

    @property
    def learner_log(self) -> Path:
        """What the learner's process says."""
        return self.root / "learner.log"

    def load_config(self) -> RunConfig:
        """The settings that the run was started with."""
        return load_run_config(self.root)

    def progress(self) -> dict[str, Any]:
        """What was noted by `note`; empty before the first time, ConfigError if damaged."""
        path = self.root / "progress.json"
        try:
            noted = json.loads(path.read_bytes())
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise _damaged_progress(path, str(error)) from error
        if not isinstance(noted, dict):
            raise _damaged_progress(path, f"it holds {noted!r}")
        return noted

    def note(self, progress: Mapping[str, Any]) -> None:
        """Keep plain values; they survive a crash as a whole."""
        write_whole(self.root / "progress.json", json.dumps(dict(progress), indent=1).encode())

    def holder(self, name: str) -> int | None:
        """Process id of who has, or had, a lock; None when nobody ever had it."""
        try:
            return int((self.root / f"{name}.lock").read_text())
        except (FileNotFoundError, ValueError):
            return None

    @contextmanager
    def lock(self, name: str, *, timeout: float = 0.0) -> Iterator[None]:
        """Be the only process with this role; ConfigError when another one stays it.

        The system takes the lock away from a process that dies. The file says who has it.
        """
        handle = os.open(self.root / f"{name}.lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            deadline = time.monotonic() + timeout
            while not _try_lock(handle):
                if time.monotonic() >= deadline:
                    raise ConfigError(
                        f"another process ({os.read(handle, 20).decode() or '?'}) is the {name} "
                        f"of the run {self.root}"
                    )
                time.sleep(_LOCK_POLL)
            # Only after the lock is held: before, the file says who holds it.
            os.truncate(handle, 0)
            os.write(handle, str(os.getpid()).encode())
            yield
        finally:
            os.close(handle)


def _damaged_progress(path: Path, why: str) -> ConfigError:
    return ConfigError(
        f"{path} is damaged: {why}; without the file the run can be resumed, but the time spent "
        "so far does not count, and the start is evaluated again"
    )


def _try_lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def require_free(root: Path) -> None:
    """ConfigError unless a folder can become that of a new run: not there, or empty but for logs.

    The file system is asked too whether it would be allowed; nothing is made.
    """
    if RunFolder(root).config.exists():
        raise ConfigError(
            f"there is a run in {root} already; go on with it by --resume, or use another folder"
        )
    found = sorted({path.name for path in root.iterdir()} - _LEFT_BEHIND) if root.is_dir() else []
    if found:
        shown = ", ".join(found[:_SHOWN]) + (", ..." if len(found) > _SHOWN else "")
        raise ConfigError(
            f"{root} is not empty and holds no run (found: {shown}); name a new folder for the run"
        )
    require_writable(root)


def require_writable(folder: Path) -> None:
    """ConfigError unless a folder can be made and written; nothing is made."""
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder} is not a folder")
    above = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not above.is_dir():
        raise ConfigError(f"{folder} cannot be made: {above} is not a folder")
    if not os.access(above, os.W_OK | os.X_OK):
        raise ConfigError(f"{folder} cannot be written: there is no permission to write in {above}")


def create_run(root: Path, config: RunConfig) -> RunFolder:
    """Make the folder of a new run; ConfigError where `require_free` has one."""
    require_free(root)
    folder = RunFolder(root)
    root.mkdir(parents=True, exist_ok=True)
    write_whole(folder.config, dump(config).encode())
    return folder


@contextmanager
def freed_if_unstarted(folder: RunFolder) -> Iterator[None]:
    """A new run that fails inside before its first episode is removed from its folder.

    The corrected command then finds no run in the way. Logs stay, because the error names them. An
    interruption is no failure: the run can be resumed.
    """
    try:
        yield
    except Exception:
        if not has_begun(folder):
            _clear(folder.root)
        raise


def has_begun(folder: RunFolder) -> bool:
    """Whether anything was collected or learned; also if that cannot be found out."""
    if folder.checkpoints.is_dir():
        return True
    try:
        with StoreReader(folder.episodes) as store:
            return store.count() > 0
    except StoreError:
        return folder.episodes.exists()


def _clear(root: Path) -> None:
    for path in root.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        elif path.name not in _LEFT_BEHIND:
            path.unlink(missing_ok=True)
    with suppress(OSError):  # not empty because of its logs
        root.rmdir()


def reopen_run(root: Path, config: RunConfig) -> RunFolder:
    """Go on with a run, with its own settings or changed ones."""
    folder = RunFolder(root)
    old = require_changeable(folder, config)
    if old != config:
        write_whole(folder.config, dump(config).encode())
    return folder


def require_changeable(folder: RunFolder, config: RunConfig) -> RunConfig:
    """The settings of a run; ConfigError if they cannot become `config` on the way."""
    root = folder.root
    if not folder.config.exists():
        raise ConfigError(f"there is no run in {root} to go on with")
    old = folder.load_config()
    # Checkpoints and stored episodes are of this policy, and the random numbers of all that was
    # played follow from the seed.
    for part in ("policy", "seed", "init"):
        if changed := _first_difference(part, getattr(old, part), getattr(config, part)):
            name, before, now = changed
            raise ConfigError(
                f"{name} of the run {root} is {before!r} and cannot be changed to {now!r} on the "
                f"way; fork it instead: init={root}"
            )
    return old


def _first_difference(name: str, old: Any, new: Any) -> tuple[str, Any, Any] | None:
    """The first setting in which two of the same name differ, with both values."""
    if old == new:
        return None
    if isinstance(old, BaseModel):
        for field in type(old).model_fields:
            pair = getattr(old, field), getattr(new, field)
            if found := _first_difference(f"{name}.{field}", *pair):
                return found
    return name, old, new


def new_run_folder(name: str, parent: Path = Path("runs")) -> Path:
    """The first of `name-1`, `name-2` and so on that nobody has; it is made at once."""
    parent.mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        root = parent / f"{name}-{number}"
        try:
            # mkdir is atomic, so two runs that start at the same moment never get the same folder.
            root.mkdir()
        except FileExistsError:
            number += 1
        else:
            return root
