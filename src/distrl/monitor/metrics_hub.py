"""All monitors of a run, wired: who records what, and where it ends up.

collectors --collect()--> metrics/collect.jsonl   --+
evaluation --evaluate()-> metrics/evaluate.jsonl  --+--> TensorBoard, W&B, the view, alerts
learner (its own process) metrics/learn.jsonl --follow()--+
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from distrl.config.run import RunConfig
from distrl.interfaces import Clock, Monitor
from distrl.monitor.alerts import AlertMonitor
from distrl.monitor.gauges import learner_name
from distrl.monitor.jsonl import METRICS, Follower, JsonlMonitor, read_records
from distrl.monitor.safe import Fan, Safe
from distrl.monitor.tensorboard import TensorBoardMonitor
from distrl.monitor.wandb import WandbMonitor

_log = logging.getLogger(__name__)


class MetricsHub:
    """The monitors of the process that collects; the learner's numbers are read from its file."""

    def __init__(
        self,
        folder: Path,
        config: RunConfig,
        clock: Clock,
        *,
        view: Monitor | None = None,
        tell: Callable[[str], None] = _log.warning,
    ) -> None:
        """Open what `config.monitor` asks for in a run's folder, new or not.

        `view` is closed by whoever opened it. ConfigError when W&B is asked for and missing.
        """
        before = seconds_so_far(folder)
        shown = _shown(folder, config, tell)
        alerts = partial(AlertMonitor, folder, config.monitor.alerts, tell=tell)
        shown.append(Safe("alerts", alerts, tell))
        self._followers = Fan([*shown, view] if view else shown)
        self._collect, self._evaluate = (
            Safe(path.name, partial(JsonlMonitor, path, clock, before=before), tell)
            for path in (_path(folder, "collect"), _path(folder, "evaluate"))
        )
        self._closed = Fan([self._collect, self._evaluate, *shown])
        self._learner = Follower(_path(folder, "learn"))
        # What an earlier part of the run learned has been told already.
        earlier = self._learner.read()
        if view is not None and earlier:
            view.record(earlier[-1].numbers, step=earlier[-1].step)

    def collect(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Record what the collectors measured; the step is the number of episodes."""
        self._collect.record(numbers, step=step)
        self._followers.record(numbers, step=step)

    def evaluate(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Record an evaluation; the step is the number of episodes."""
        self._evaluate.record(numbers, step=step)
        self._followers.record(numbers, step=step)

    def follow(self) -> Mapping[str, float]:
        """Pass on what the learner has recorded meanwhile; its newest numbers, if any are new."""
        records = self._learner.read()
        for record in records:
            self._followers.record(record.numbers, step=record.step)
        return records[-1].numbers if records else {}

    def close(self) -> None:
        """Close all but the view."""
        self._closed.close()


class LearnerMonitor:
    """What the learner's process records with: `metrics/learn.jsonl`, under documented names."""

    def __init__(
        self, folder: Path, clock: Clock, *, tell: Callable[[str], None] = _log.warning
    ) -> None:
        """Go on in a run's folder."""
        path = _path(folder, "learn")
        build = partial(JsonlMonitor, path, clock, before=_last_seconds(path))
        self._monitor = Safe(path.name, build, tell)

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Write one line; the step is the number of updates."""
        named = {learner_name(name): value for name, value in numbers.items()}
        self._monitor.record(named, step=step)

    def close(self) -> None:
        """Give the file back."""
        self._monitor.close()


def seconds_so_far(folder: Path) -> float:
    """Seconds that the earlier parts of a run recorded; 0 for a new one."""
    return max(_last_seconds(_path(folder, part)) for part in ("collect", "evaluate"))


def _shown(folder: Path, config: RunConfig, tell: Callable[[str], None]) -> list[Monitor]:
    monitors: list[Monitor] = []
    # First, because it may refuse to begin.
    if config.monitor.wandb is not None:
        begin = partial(
            WandbMonitor,
            config.monitor.wandb,
            folder,
            name=folder.name,
            settings=config.model_dump(mode="json"),
        )
        monitors.append(Safe("W&B", begin, tell))
    if config.monitor.tensorboard:
        build = partial(TensorBoardMonitor, folder / "tensorboard")
        monitors.append(Safe("TensorBoard", build, tell))
    return monitors


def _path(folder: Path, part: str) -> Path:
    return folder / METRICS / f"{part}.jsonl"


def _last_seconds(path: Path) -> float:
    return max((record.seconds for record in read_records(path)), default=0.0)
