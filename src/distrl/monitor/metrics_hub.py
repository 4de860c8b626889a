"""The monitors of a run, and which numbers each of them gets.

collectors --collect()--> metrics/collect.jsonl   --+
evaluation --evaluate()-> metrics/evaluate.jsonl  --+--> trackers, the view, alerts
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
from distrl.monitor.safe_monitor import MonitorGroup, SafeMonitor
from distrl.monitor.trackers import open_trackers

_log = logging.getLogger(__name__)


class MetricsHub:
    """All monitors of a run, in the process that collects; it follows the learner's own file."""

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

        `view` is closed by whoever opened it. ConfigError for a tracker that is missing.
        """
        # A resumed run goes on where its curves ended, instead of drawing over their beginning.
        before = seconds_so_far(folder)
        shown = open_trackers(folder, config, tell)
        alerts = partial(AlertMonitor, folder, config.monitor.alerts, tell=tell)
        shown.append(SafeMonitor("alerts", alerts, tell))
        self._followers = MonitorGroup([*shown, view] if view else shown)
        self._collect, self._evaluate = (
            SafeMonitor(path.name, partial(JsonlMonitor, path, clock, before=before), tell)
            for path in (_path(folder, "collect"), _path(folder, "evaluate"))
        )
        # The files before the trackers: a tracker that uploads may take a minute.
        self._closed = MonitorGroup([self._collect, self._evaluate, *shown])
        self._learner = Follower(_path(folder, "learn"))
        # What was recorded before a resume has been passed on then; only the view starts empty.
        earlier = self._learner.read()
        if view is not None and earlier:
            view.record(earlier[-1].numbers, step=earlier[-1].step)

    def collect(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Record the gauges of the collecting parts; `step` is the number of episodes."""
        self._collect.record(numbers, step=step)
        self._followers.record(numbers, step=step)

    def evaluate(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Record an evaluation; `step` is the number of episodes."""
        self._evaluate.record(numbers, step=step)
        self._followers.record(numbers, step=step)

    def follow(self) -> Mapping[str, float]:
        """Pass on what the learner has recorded since the last call; returns its newest numbers."""
        records = self._learner.read()
        for record in records:
            self._followers.record(record.numbers, step=record.step)
        return records[-1].numbers if records else {}

    def close(self) -> None:
        """Close all but the view."""
        self._closed.close()


class LearnerMonitor:
    """The learner's monitor: writes `metrics/learn.jsonl`, under the names of `gauges`."""

    def __init__(
        self, folder: Path, clock: Clock, *, tell: Callable[[str], None] = _log.warning
    ) -> None:
        """Append to the file of a run's folder, new or resumed."""
        path = _path(folder, "learn")
        build = partial(JsonlMonitor, path, clock, before=_last_seconds(path))
        self._monitor = SafeMonitor(path.name, build, tell)

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Write one line; `step` is the number of updates."""
        named = {learner_name(name): value for name, value in numbers.items()}
        self._monitor.record(named, step=step)

    def close(self) -> None:
        """Close the file."""
        self._monitor.close()


def seconds_so_far(folder: Path) -> float:
    """Seconds that the earlier parts of a run recorded; 0 for a new one."""
    return max(_last_seconds(_path(folder, part)) for part in ("collect", "evaluate"))


def _path(folder: Path, part: str) -> Path:
    return folder / METRICS / f"{part}.jsonl"


def _last_seconds(path: Path) -> float:
    return max((record.seconds for record in read_records(path)), default=0.0)
