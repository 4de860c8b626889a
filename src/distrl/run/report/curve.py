"""The learning curve: read from a run's metrics, drawn over minutes and over episodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from distrl.monitor.gauges import (
    BY_NAME,
    EVALUATED,
    EVALUATED_HIGH,
    EVALUATED_LOW,
    GAUGES,
    MINUTES,
    SUCCESS,
)
from distrl.monitor.jsonl import METRICS, MetricsRecord, read_records

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Point:
    """Success at one moment."""

    minutes: float
    episodes: int
    success: float
    low: float | None = None
    """Ends of the interval of an evaluation."""
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What a run's metrics say."""

    training: Mapping[str, Sequence[Point]]
    """Running success while collecting, by suite."""
    evaluations: Mapping[str, Sequence[Point]]
    """Greedy success by suite and split."""
    gauges: Mapping[str, float]
    """Totals at the end, and what the other gauges were in the middle of the second half."""


class Axis(StrEnum):
    """What success is drawn over."""

    MINUTES = "minutes"
    EPISODES = "episodes"


def read_history(folder: Path) -> History:
    """Read the metrics of a run; whatever is missing is left out."""
    collect, learn, evaluate = (
        read_records(folder / METRICS / f"{part}.jsonl")
        for part in ("collect", "learn", "evaluate")
    )
    return History(
        training=_points(collect, SUCCESS),
        evaluations=_points(evaluate, EVALUATED),
        gauges=_levels([*collect, *learn]),
    )


def draw(history: History) -> bytes:
    """Both curves beside each other, as a PNG for light backgrounds."""
    figure = _figure(10.0, 4.0, _LIGHT)
    for place, axis in enumerate(Axis, 1):
        _panel(figure.add_subplot(1, 2, place), history, axis, _LIGHT)
    return _png(figure)


def draw_one(history: History, axis: Axis, *, dark: bool) -> bytes:
    """One of the curves, for a light or a dark page."""
    look = _DARK if dark else _LIGHT
    figure = _figure(5.6, 3.7, look)
    _panel(figure.add_subplot(), history, axis, look)
    return _png(figure)


def _points(records: Sequence[MetricsRecord], prefix: str) -> dict[str, list[Point]]:
    found: dict[str, list[Point]] = {}
    for record in records:
        for name, value in record.numbers.items():
            if name.startswith(prefix):
                key = name.removeprefix(prefix)
                low = record.numbers.get(f"{EVALUATED_LOW}{key}")
                high = record.numbers.get(f"{EVALUATED_HIGH}{key}")
                minutes = record.numbers.get(MINUTES, record.seconds / 60)
                point = Point(minutes, record.step, value, low, high)
                found.setdefault(key, []).append(point)
    return found


def _levels(records: Sequence[MetricsRecord]) -> dict[str, float]:
    series: dict[str, list[float]] = {gauge.name: [] for gauge in GAUGES}
    for record in records:
        for name in record.numbers.keys() & series.keys():
            series[name].append(record.numbers[name])
    return {
        # The median over the second half: the start says little about a run, and a single sample is
        # noise.
        name: values[-1] if BY_NAME[name].total else median(values[len(values) // 2 :])
        for name, values in series.items()
        if values
    }


@dataclass(frozen=True, slots=True)
class _Look:
    background: str
    ink: str
    faint: str
    colors: tuple[str, ...]


# Colours that the colour-blind can tell apart, in a darker and a lighter shade.
_LIGHT = _Look("#ffffff", "#1f2328", "#d8dee4", ("#0969da", "#bc4c00", "#1a7f37", "#8250df"))
_DARK = _Look("#161b22", "#e6edf3", "#30363d", ("#58a6ff", "#f0883e", "#3fb950", "#bc8cff"))


def _figure(width: float, height: float, look: _Look) -> Figure:
    # The figure alone, without pyplot: no window system and no global state.
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), dpi=150, facecolor=look.background, layout="constrained")


def _panel(axes: Axes, history: History, axis: Axis, look: _Look) -> None:
    x: Callable[[Point], float] = (
        (lambda point: point.minutes) if axis is Axis.MINUTES else (lambda point: point.episodes)
    )
    _dress(axes, axis, look)
    suites = sorted({*history.training, *(key.split("/")[0] for key in history.evaluations)})
    colors = {suite: look.colors[i % len(look.colors)] for i, suite in enumerate(suites)}
    for suite, points in sorted(history.training.items()):
        axes.plot(
            [x(point) for point in points],
            [point.success for point in points],
            color=colors[suite],
            linewidth=1.6,
            label=f"{suite}, while collecting",
        )
    for key, points in sorted(history.evaluations.items()):
        final = key.endswith("/test")
        axes.errorbar(
            [x(point) for point in points],
            [point.success for point in points],
            yerr=_reaches(points),
            color=colors[key.split("/")[0]],
            marker="o" if final else "s",
            markerfacecolor=None if final else look.background,
            markersize=6 if final else 5,
            linestyle="none",
            capsize=3,
            elinewidth=1.2,
            label=f"{key}, evaluated",
        )
    if suites:
        legend = axes.legend(loc="lower right", fontsize=8, frameon=False, labelcolor=look.ink)
        for text in legend.get_texts():
            text.set_parse_math(False)
    else:
        axes.text(
            0.5,
            0.5,
            "nothing was recorded",
            color=look.ink,
            ha="center",
            transform=axes.transAxes,
        )


def _reaches(points: Sequence[Point]) -> list[list[float]]:
    """How far each interval reaches down and up."""
    down = [max(0.0, p.success - p.low) if p.low is not None else 0.0 for p in points]
    up = [max(0.0, p.high - p.success) if p.high is not None else 0.0 for p in points]
    return [down, up]


def _dress(axes: Axes, axis: Axis, look: _Look) -> None:
    axes.set_facecolor(look.background)
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel(axis.value, color=look.ink)
    axes.set_ylabel("success", color=look.ink)
    axes.margins(x=0.03)
    axes.grid(color=look.faint, linewidth=0.8)
    axes.tick_params(colors=look.ink, labelsize=9, length=0)
    for spine in axes.spines.values():
        spine.set_color(look.faint)


def _png(figure: Figure) -> bytes:
    picture = BytesIO()
    figure.savefig(picture, format="png")
    return picture.getvalue()
