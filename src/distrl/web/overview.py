"""The first page of a run: where it is, how well it does, and whether it is healthy."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from distrl.monitor.alerts import raised
from distrl.monitor.gauges import BY_NAME, EVALUATED, GAUGES, SUCCESS, is_healthy, show
from distrl.web.episode_index import Table
from distrl.web.metrics import Series
from distrl.web.runs import Run, State

_log = logging.getLogger(__name__)

_STATUS = (
    *("run", "state", "problems", "minutes", "budget_minutes", "episodes", "steps"),
    *("success", "version", "updates", "suite", "algorithm"),
)
_RECENT = 200
"""Episodes that the success of now is of."""
_SMOOTHED = 5
"""Newest values that a gauge's health is judged by: one odd second is no illness."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """One chart of the overview."""

    id: str
    title: str
    healthy: str
    """One line: what it looks like when all is well."""
    names: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    """Names, and beginnings of names, of the numbers that are drawn."""
    over: str = "minutes"
    """minutes or steps."""
    percent: bool = False


CHARTS = (
    Chart(
        id="success-time",
        title="Success over time",
        healthy="Rising, or level near 1. Points with whiskers are greedy evaluations with their "
        "95 % intervals; the line is what collectors reach while they explore.",
        prefixes=(SUCCESS, EVALUATED),
        percent=True,
    ),
    Chart(
        id="success-episodes",
        title="Success over interactions",
        healthy="Rising. Steeper here than in another run means that fewer episodes were needed.",
        prefixes=(SUCCESS, EVALUATED),
        over="steps",
        percent=True,
    ),
    Chart(
        id="throughput",
        title="Throughput",
        healthy="Level. A slow fall means that something fills up; at 0, something hangs.",
        names=("collect/steps_per_second",),
    ),
    Chart(
        id="utilisation",
        title="Utilisation",
        healthy="Devices at 95 % or more with real phones and browsers; the embedded phone answers "
        "faster than the policy decides. The learner may be anywhere.",
        names=("collect/utilisation", "learn/busy"),
        percent=True,
    ),
    Chart(
        id="lag",
        title="Policy lag when trained on",
        healthy=BY_NAME["learn/lag_mean"].healthy,
        names=("learn/lag_mean", "learn/lag_max"),
    ),
    Chart(
        id="entropy",
        title="Entropy",
        healthy=BY_NAME["learn/entropy"].healthy,
        names=("learn/entropy",),
    ),
    Chart(
        id="effective",
        title="Effective sample size",
        healthy=BY_NAME["learn/effective"].healthy,
        names=("learn/effective",),
        percent=True,
    ),
    Chart(
        id="clipped",
        title="Clipped share",
        healthy=BY_NAME["learn/ratio/clipped"].healthy,
        names=("learn/ratio/clipped",),
        percent=True,
    ),
)


def overview(run: Run) -> dict[str, Any]:
    """All that the page shows."""
    run.metrics.refresh()
    return {
        **status(run),
        "alerts": [{"title": alert.title, "text": alert.text} for alert in raised(run.folder.root)],
        "gauges": _gauges(run),
        "charts": charts(run),
        "evaluations": _evaluations(run.progress()),
        "checkpoints": [{"name": c.name, "step": c.step} for c in run.checkpoints()],
        "settings": run.settings.as_tree(),
        "unknown_settings": [
            {"name": name, "value": str(value)} for name, value in run.settings.unknown.items()
        ],
    }


def status(run: Run) -> dict[str, Any]:
    """The few numbers that stand above every page, and what is wrong with the run's files.

    Never raises: all runs are listed together, and no folder may take the others with it.
    """
    try:
        return _status(run)
    except Exception as error:  # noqa: BLE001 - the list of runs outlives any folder
        # A folder can be damaged in ways that nobody thought of. The log has the traceback.
        _log.exception("the run %s cannot be read", run.name)
        return {
            **dict.fromkeys(_STATUS),
            "run": run.name,
            "state": State.BROKEN.value,
            "problems": [f"{run.folder.root} cannot be read: {type(error).__name__}: {error}"],
        }


def _status(run: Run) -> dict[str, Any]:
    metrics, settings = run.metrics, run.settings
    metrics.refresh()
    table, problems, state = run.table(), run.problems(), run.state()
    return {
        "run": run.name,
        "state": (State.BROKEN if problems and state is not State.RUNNING else state).value,
        "problems": problems,
        "minutes": metrics.last("run/minutes") or _number(run.progress().get("seconds")) / 60,
        "budget_minutes": settings.config.minutes if settings.config else None,
        "episodes": len(table),
        "steps": int(table.columns["steps"].sum()),
        "success": _recent_success(table),
        "version": int(table.columns["max_version"].max()) if len(table) else None,
        "updates": metrics.last("learn/updates"),
        "suite": settings.find("tasks", "suite"),
        "algorithm": settings.find("algorithm", "name"),
    }


def _number(value: object) -> float:
    """A number that a file holds; 0 for anything else."""
    return float(value) if isinstance(value, int | float) else 0.0


def _recent_success(table: Table) -> float | None:
    won = table.succeeded[table.counted][-_RECENT:]
    return float(won.mean()) if len(won) else None


def charts(run: Run) -> list[dict[str, Any]]:
    """The charts that have something to show, and those that have not, empty."""
    made = []
    for chart in CHARTS:
        names = list(chart.names)
        for prefix in chart.prefixes:
            names += run.metrics.names(prefix)
        drawn = [(name, run.metrics.series(name)) for name in names]
        made.append(
            {
                "id": chart.id,
                "title": chart.title,
                "healthy": chart.healthy,
                "over": chart.over,
                "percent": chart.percent,
                "series": [_series(n, s, chart.over) for n, s in drawn if s is not None],
            }
        )
    return made


def _series(name: str, series: Series, over: str) -> dict[str, Any]:
    evaluated = name.startswith(EVALUATED)
    return {
        "name": _words(name),
        "x": [round(m, 4) for m in series.minutes] if over == "minutes" else series.steps,
        "y": [round(value, 5) for value in series.values],
        "low": series.low if evaluated else None,
        "high": series.high if evaluated else None,
    }


def _words(name: str) -> str:
    for prefix, suffix in ((SUCCESS, "while collecting"), (EVALUATED, "evaluated")):
        if name.startswith(prefix):
            return f"{name.removeprefix(prefix)}, {suffix}"
    if name == "learn/lag_mean":
        return "mean of the batch"
    if name == "learn/lag_max":
        return "largest of the batch"
    return BY_NAME[name].words if name in BY_NAME else name


def _gauges(run: Run) -> list[dict[str, Any]]:
    rows = []
    for gauge in GAUGES:
        recent = run.metrics.tail(gauge.name, 1 if gauge.total else _SMOOTHED)
        if not recent:
            continue
        level = sum(recent) / len(recent)
        rows.append(
            {
                "name": gauge.name,
                "words": gauge.words,
                "value": show(gauge.name, level),
                "healthy": gauge.healthy,
                "ok": is_healthy(gauge.name, level, run.settings.config),
            }
        )
    return rows


def _evaluations(progress: dict[str, Any]) -> dict[str, Any]:
    """The figures before and after, by template."""
    found = {}
    for stage in ("before", "after"):
        report = progress.get(stage)
        if not isinstance(report, dict):
            continue
        overall = report.get("overall")
        if isinstance(overall, dict) and {"success", "low", "high"} <= overall.keys():
            found[stage] = {"overall": overall, "rows": report.get("rows", [])}
    return found
