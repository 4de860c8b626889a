"""Learning curves of any number of runs over one another, and what differs between them.

What is laid over is a run, or a group of seeds as the mean with a band from the lowest to the
highest of them. The mean is drawn only where every seed has values, since it would jump where one
ends; a seed that has not come half as far as the longest is left out instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from distrl.collect.evaluation.statistics import wilson_interval
from distrl.monitor.gauges import EVALUATED, SUCCESS
from distrl.web.metrics import Series
from distrl.web.runs import Run
from distrl.web.runs_page.settings import differing, flatten
from distrl.web.tasks import templates

Floats: TypeAlias = npt.NDArray[np.float64]

_GRID = 160
"""Points at which the curves of several seeds are averaged."""
_FAR_ENOUGH = 0.5
"""How far a seed has to come, as a share of the longest, to be part of the mean."""
_COLLECTED = "collected/episodes"
"""What the learner had read of the store at each update; ties its updates to episodes."""


class Over(StrEnum):
    """What curves are drawn over."""

    MINUTES = "minutes"
    EPISODES = "episodes"
    UPDATES = "updates"


@dataclass(frozen=True, slots=True)
class Curve:
    """One line; `low` and `high` are the ends of a band, or of each point's interval."""

    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float | None] | None = None
    high: Sequence[float | None] | None = None


NO_CURVE = Curve((), ())


@dataclass(frozen=True, slots=True)
class Pick:
    """What is laid over: a run or a group, by what it is called on the page."""

    id: str
    name: str
    runs: Sequence[Run]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chart:
    id: str
    title: str
    prefix: str
    """Name of the number, or its beginning where each suite has its own."""
    learner: bool = False
    """Whether the learner records it, by updates, and not the collectors, by episodes."""
    percent: bool = False


_CHARTS = (
    _Chart(id="success", title="Success", prefix=SUCCESS, percent=True),
    _Chart(id="throughput", title="Steps per second", prefix="collect/steps_per_second"),
    _Chart(id="entropy", title="Entropy", prefix="learn/entropy", learner=True),
)


def overlay(picks: Sequence[Pick], over: Over) -> dict[str, Any]:
    """The charts, and the settings that are not the same in all picks."""
    for pick in picks:
        for run in pick.runs:
            run.metrics.refresh()
    settings = {pick.id: _settings(pick) for pick in picks}
    # Beside a run without settings every setting would differ, equal ones among them.
    compared = [pick for pick in picks if settings[pick.id]]
    return {
        "over": over.value,
        "picks": [_describe(pick) for pick in picks],
        "charts": [
            {
                "id": chart.id,
                "title": chart.title,
                "percent": chart.percent,
                "curves": [_drawn(pick, chart, over) for pick in picks],
            }
            for chart in _CHARTS
        ],
        "settings": differing([settings[pick.id] for pick in compared]),
        "compared": [pick.id for pick in compared],
    }


def _settings(pick: Pick) -> dict[str, Any]:
    """The settings of a run; of a group those of its newest run, which are all but for the seed."""
    each = [flatten(run.settings.as_tree()) for run in pick.runs]
    if len(each) == 1:
        return each[0]
    seeds = ", ".join(sorted(str(settings.get("seed")) for settings in each))
    return {**each[0], "seed": seeds}


def _describe(pick: Pick) -> dict[str, Any]:
    problems = [problem for run in pick.runs for problem in run.problems()]
    return {"id": pick.id, "name": pick.name, "runs": len(pick.runs), "problems": problems}


def _drawn(pick: Pick, chart: _Chart, over: Over) -> dict[str, Any]:
    used = comparable([_curve(run, chart, over) for run in pick.runs])
    points = [_evaluations(run, over) for run in pick.runs] if chart.prefix == SUCCESS else []
    line = mean_curve(used)
    return {"id": pick.id, "name": pick.name, "line": line, "points": points, "used": len(used)}


def _curve(run: Run, chart: _Chart, over: Over) -> Curve:
    series = _of_suite(run, chart.prefix, run.settings.find("tasks", "suite"))
    if series is None:
        return NO_CURVE
    x = place(series, over, Axes.of(run), learner=chart.learner)
    return NO_CURVE if x is None else Curve(_round(x), _round(series.values))


def _evaluations(run: Run, over: Over) -> Curve:
    """Greedy evaluations on the split of the final one, each with its interval."""
    settings = run.settings
    suite, split = settings.find("tasks", "suite"), settings.find("evaluate", "split")
    series = run.metrics.series(f"{EVALUATED}{suite}/{split}")
    if series is None:
        return NO_CURVE
    x = place(series, over, Axes.of(run), learner=False)
    return NO_CURVE if x is None else Curve(_round(x), series.values, series.low, series.high)


def _of_suite(run: Run, prefix: str, suite: str | None) -> Series | None:
    if not prefix.endswith("/"):
        return run.metrics.series(prefix)
    names = run.metrics.names(prefix)
    wanted = f"{prefix}{suite}"
    return run.metrics.series(wanted if wanted in names else names[0]) if names else None


@dataclass(frozen=True, slots=True)
class Axes:
    """How the clocks of a run's two processes belong together: through the episodes so far."""

    collected: Series | None
    """Minutes by episodes, as collectors record them."""
    learned: Series | None
    """Episodes by updates, as the learner records them."""

    @classmethod
    def of(cls, run: Run) -> Axes:
        """The axes of a run, whose metrics have been read."""
        return cls(run.metrics.series("collect/steps_per_second"), run.metrics.series(_COLLECTED))


def place(series: Series, over: Over, axes: Axes, *, learner: bool) -> Floats | None:
    """Where the points of a series lie on an axis; None when nobody recorded what that takes."""
    steps = np.array(series.steps, np.float64)
    if learner:
        if over is Over.UPDATES:
            return steps
        if axes.learned is None:
            return None
        episodes = np.interp(steps, axes.learned.steps, axes.learned.values)
        if over is Over.EPISODES:
            return episodes
        if axes.collected is None:
            return None
        # The learner's own clock starts later, so that minutes are those of the collectors.
        return np.interp(episodes, axes.collected.steps, axes.collected.minutes)
    if over is Over.MINUTES:
        return np.array(series.minutes, np.float64)
    if over is Over.EPISODES:
        return steps
    if axes.learned is None:
        return None
    return np.interp(steps, axes.learned.values, axes.learned.steps)


def comparable(curves: Sequence[Curve]) -> list[Curve]:
    """The curves that come at least half as far as the longest; those without points do not."""
    drawn = [curve for curve in curves if len(curve.x)]
    longest = max((curve.x[-1] for curve in drawn), default=0.0)
    return [curve for curve in drawn if curve.x[-1] >= _FAR_ENOUGH * longest]


def mean_curve(curves: Sequence[Curve]) -> Curve:
    """The mean of several curves with the lowest and highest of them, where all have values.

    Each has points. One curve is itself.
    """
    if len(curves) < 2:
        return curves[0] if curves else NO_CURVE
    first = max(curve.x[0] for curve in curves)
    last = min(curve.x[-1] for curve in curves)
    if first > last:
        return NO_CURVE
    grid = np.linspace(first, last, _GRID) if last > first else np.array([first])
    values = np.stack([np.interp(grid, curve.x, curve.y) for curve in curves])
    return Curve(_round(grid), _round(values.mean(0)), _round(values.min(0)), _round(values.max(0)))


def _round(values: Sequence[float] | Floats) -> list[float]:
    return [round(float(value), 5) for value in values]


def templates_beside(picks: Sequence[Pick]) -> list[dict[str, Any]]:
    """Success per template of each pick, episodes of all seeds together.

    Only templates that all have tried, but for picks without any episode, whose cells are None.
    Those that differ most come first. `apart` says that the intervals of the lowest and the highest
    do not meet.
    """
    columns = [_pooled(pick) for pick in picks]
    tried = [set(column) for column in columns if column]
    rows = []
    for name in set.intersection(*tried) if tried else ():
        cells = [_cell(*column[name]) if column else None for column in columns]
        known = [cell for cell in cells if cell is not None]
        lowest, highest = min(known, key=_success), max(known, key=_success)
        rows.append(
            {
                "template": name,
                "cells": cells,
                "difference": highest["success"] - lowest["success"],
                "apart": lowest["high"] < highest["low"],
            }
        )
    return sorted(rows, key=lambda row: (-row["difference"], row["template"]))


def _success(cell: Mapping[str, float]) -> float:
    return cell["success"]


def _pooled(pick: Pick) -> dict[str, tuple[int, int]]:
    """Successes and attempts by template."""
    found: dict[str, tuple[int, int]] = {}
    for run in pick.runs:
        for row in templates(run.table()):
            if row["success"] is not None:
                won, tried = found.get(row["template"], (0, 0))
                won += round(row["success"] * row["episodes"])
                found[row["template"]] = won, tried + row["episodes"]
    return found


def _cell(won: int, tried: int) -> dict[str, float]:
    low, high = wilson_interval(won, tried)
    return {"success": won / tried, "low": low, "high": high, "episodes": tried}
