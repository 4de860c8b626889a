"""One line about each run, read from few and small files, and only when these have changed.

A list of hundreds of runs must not read their episodes and metrics. What a line needs is in
`config.yaml`, in `progress.json`, in the newest record of two metrics files, in the number of
stored episodes and in the names of the checkpoints.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from distrl.config import load_run_config, recipe_names
from distrl.errors import ConfigError, StoreError
from distrl.monitor.gauges import MINUTES, SUCCESS
from distrl.monitor.jsonl import METRICS, MetricsRecord, last_record
from distrl.replay.store.reader import StoreReader
from distrl.web.runs import Run, Runs, State, is_held
from distrl.web.runs_page.settings import closest_recipe, flatten, group_key

_log = logging.getLogger(__name__)

_STORE_SECONDS = 1.0
"""How long to wait for a store that somebody locks. Readers of a write-ahead log never wait, so
that only a damaged or foreign file can make us."""

Signature: TypeAlias = tuple[tuple[int, int, int] | str, ...]
"""Inode, size and time of each file that a line is made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """One run in the list of all. What is not known is None."""

    run: str
    folder: str
    state: State
    problems: tuple[str, ...] = ()
    """Why it is broken, a sentence each; of a running one, what cannot be read."""
    started: float | None = None
    """When its settings were written, in seconds since 1970: at its start, or when it was resumed
    with others."""
    suite: str | None = None
    split: str | None = None
    """Of the evaluations."""
    recipe: str | None = None
    """The recipe that its settings are nearest to, with the number of settings that differ."""
    engine: str | None = None
    policy: str | None = None
    algorithm: str | None = None
    seed: int | None = None
    minutes: float | None = None
    """Of training."""
    budget_minutes: float | None = None
    episodes: int | None = None
    updates: int | None = None
    collecting: float | None = None
    """Running success while collecting, as last recorded: exploring, on training tasks."""
    before: float | None = None
    """Greedy success of the first weights, with its 95 % Wilson interval."""
    before_low: float | None = None
    before_high: float | None = None
    after: float | None = None
    """The same of the last weights."""
    after_low: float | None = None
    after_high: float | None = None
    evaluated: int | None = None
    """Episodes of the last evaluation that count; each task is played once."""
    side_effects: float | None = None
    """Share of them with a lasting change that the task did not allow."""
    false_complete: float | None = None
    """Share of them that were declared complete and were not."""
    checkpoint: str | None = None
    """The newest one, which the last evaluation played with."""
    weights: str | None = None
    """Digest of these weights."""
    key: str | None = None
    """The same for runs that differ by seed alone; None when the settings cannot be used."""


class Summaries:
    """The lines of all runs. Files that did not change are not read again. Any thread may ask."""

    def __init__(self) -> None:
        """Nothing is read before it is asked for."""
        self._lock = threading.Lock()
        self._known: dict[Path, tuple[Signature, RunSummary]] = {}

    def of_all(self, runs: Runs) -> list[RunSummary]:
        """A line per run, the newest first; runs whose start nobody knows come last."""
        lines = [self.of(run) for run in runs]
        return sorted(lines, key=lambda line: (-(line.started or 0.0), line.run))

    def of(self, run: Run) -> RunSummary:
        """The line of one run; never raises, whatever its folder holds."""
        root = run.folder.root
        # Signed before it is read: what changes meanwhile is read again next time.
        signature = _sign(root)
        with self._lock:
            known = self._known.get(root)
        if known is None or known[0] != signature:
            known = signature, read_summary(run)
            with self._lock:
                self._known[root] = known
        running = is_held(root / "run.lock")
        return replace(known[1], state=State.RUNNING) if running else known[1]


def _sign(root: Path) -> Signature:
    return tuple(_sign_file(root / name) for name in _FILES)


_FILES = (
    "config.yaml",
    "progress.json",
    "episodes.sqlite",
    "episodes.sqlite-wal",
    f"{METRICS}/collect.jsonl",
    f"{METRICS}/learn.jsonl",
    "checkpoints",
)
"""All that a line is made of. New episodes stand in the write-ahead log at first."""


def _sign_file(path: Path) -> tuple[int, int, int] | str:
    try:
        found = path.stat()
    except FileNotFoundError:
        return ""
    except OSError as error:
        return error.strerror or "unreadable"
    # SQLite makes an empty log when somebody reads, which is the same as none.
    if found.st_size == 0:
        return ""
    return found.st_ino, found.st_size, found.st_mtime_ns


def read_summary(run: Run) -> RunSummary:
    """Read the line of a run that is not running; never raises."""
    try:
        return _read(run)
    except Exception as error:  # noqa: BLE001 - the list of runs outlives any folder
        # A folder can be damaged in ways that nobody thought of. The log has the traceback.
        _log.exception("the run %s cannot be read", run.name)
        problem = f"{run.folder.root} cannot be read: {type(error).__name__}: {error}"
        return _line(run, State.BROKEN, (problem,))


def _line(run: Run, state: State, problems: tuple[str, ...], **known: Any) -> RunSummary:
    return RunSummary(
        run=run.name, folder=str(run.folder.root), state=state, problems=problems, **known
    )


def _read(run: Run) -> RunSummary:
    if gone := run.gone():
        return _line(run, State.BROKEN, (gone,))
    noted, unnoted = run.read_progress()
    episodes, uncounted = _count(run)
    records = {part: _newest(run.folder.root, part) for part in ("collect", "learn")}
    said = (run.settings.problem, unnoted, uncounted, *(problem for _, problem in records.values()))
    problems = tuple(problem for problem in said if problem)
    collect, learn = (records[part][0] for part in ("collect", "learn"))
    checkpoints = run.checkpoints()
    updates = _number(learn, "learn/updates")
    if updates is None and checkpoints:
        updates = checkpoints[-1].step
    known = {
        **_of_settings(run),
        **_of_evaluations(noted),
        "started": _time_of(run.folder.config),
        "minutes": _minutes(noted, collect),
        "episodes": _whole(noted.get("episodes")) if episodes is None else episodes,
        "updates": None if updates is None else int(updates),
        "collecting": _success(collect),
        "checkpoint": checkpoints[-1].name if checkpoints else None,
        "weights": noted.get("weights") if isinstance(noted.get("weights"), str) else None,
    }
    ended = State.FINISHED if "after" in noted else State.STOPPED
    return _line(run, State.BROKEN if problems else ended, problems, **known)


def _of_settings(run: Run) -> dict[str, Any]:
    settings = run.settings
    known: dict[str, Any] = {
        "suite": settings.find("tasks", "suite"),
        "split": settings.find("evaluate", "split"),
        "policy": settings.find("policy", "name"),
        "algorithm": settings.find("algorithm", "name"),
    }
    config = settings.config
    if config is None:
        return known
    tree = settings.as_tree()
    return {
        **known,
        "engine": config.engine,
        "seed": config.seed,
        "budget_minutes": config.minutes,
        "recipe": closest_recipe(flatten(tree), _recipes()),
        "key": group_key(tree, str(run.folder.root)),
    }


@cache
def _recipes() -> Mapping[str, Mapping[str, Any]]:
    """The settings of all recipes that ship with the package, flat."""
    found = {}
    for name in recipe_names():
        try:
            found[name] = flatten(load_run_config(name).model_dump(mode="json"))
        except ConfigError:  # a file that somebody has changed in the package's folder
            continue
    return found


def _of_evaluations(noted: Mapping[str, Any]) -> dict[str, Any]:
    """Figures before and after; those of another shape are left out."""
    known: dict[str, Any] = {}
    for stage in ("before", "after"):
        report = noted.get(stage)
        overall = report.get("overall") if isinstance(report, Mapping) else None
        if not isinstance(overall, Mapping):
            continue
        success, low, high = (_share(overall.get(name)) for name in ("success", "low", "high"))
        if success is None or low is None or high is None:
            continue
        known |= {stage: success, f"{stage}_low": low, f"{stage}_high": high}
        if stage == "after":
            known["evaluated"] = _whole(overall.get("episodes"))
            known["side_effects"] = _share(overall.get("side_effects"))
            known["false_complete"] = _share(overall.get("false_complete"))
    return known


def _count(run: Run) -> tuple[int | None, str]:
    """How many episodes are stored, None without a store, and why that is not known."""
    path = run.folder.episodes
    try:
        if not path.is_file():
            return None, ""
        with StoreReader(path, deadline=_STORE_SECONDS) as store:
            return store.count(), ""
    except OSError as error:
        return None, f"{path} cannot be read: {error.strerror}"
    except StoreError as error:
        return None, str(error)


def _newest(root: Path, part: str) -> tuple[MetricsRecord | None, str]:
    path = root / METRICS / f"{part}.jsonl"
    try:
        return last_record(path), ""
    except OSError as error:
        return None, f"{path} cannot be read: {error.strerror}"


def _number(record: MetricsRecord | None, name: str) -> float | None:
    return None if record is None else record.numbers.get(name)


def _success(record: MetricsRecord | None) -> float | None:
    """The running success, where there is one suite; None of several."""
    numbers = {} if record is None else record.numbers
    found = [value for name, value in numbers.items() if name.startswith(SUCCESS)]
    return found[0] if len(found) == 1 else None


def _minutes(noted: Mapping[str, Any], collect: MetricsRecord | None) -> float | None:
    """The later of two clocks: metrics are written more often, notes also after the end."""
    seconds = _finite(noted.get("seconds"))
    recorded = _number(collect, MINUTES)
    known = [value for value in (recorded, seconds and seconds / 60) if value is not None]
    return max(known, default=None)


def _time_of(path: Path) -> float | None:
    try:
        return path.stat().st_mtime
    except OSError:
        return None


def _finite(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and abs(value) < 1e15 else None  # type: ignore[arg-type]


def _share(value: object) -> float | None:
    found = _finite(value)
    return found if found is not None and 0.0 <= found <= 1.0 else None


def _whole(value: object) -> int | None:
    found = _finite(value)
    return None if found is None else int(found)
