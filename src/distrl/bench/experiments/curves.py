"""Success by time and by interactions, beside each other, as a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from statistics import fmean
from typing import TYPE_CHECKING

from distrl.run.virtual.experiment import ExperimentResult, Point

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLORS = ("#0969da", "#1a7f37", "#8250df", "#bc4c00", "#cf222e", "#57606a", "#9a6700", "#116329")
_INK, _FAINT = "#1f2328", "#d8dee4"


@dataclass(frozen=True, slots=True)
class Curve:
    """The runs of one line, seed by seed; the start of each comes first."""

    name: str
    runs: Sequence[Sequence[Point]]


def curve_of(
    name: str, starts: Sequence[ExperimentResult], results: Sequence[ExperimentResult]
) -> Curve:
    """The line of some runs with their starts."""
    pairs = zip(starts, results, strict=True)
    return Curve(name, [[*start.points, *result.points] for start, result in pairs])


def draw_curves(title: str, curves: Sequence[Curve]) -> bytes:
    """A PNG: mean over seeds as a line, the span from the worst to the best seed around it."""
    # The figure alone, without pyplot: no window system and no global state.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11.0, 4.2), dpi=130, facecolor="#ffffff", layout="constrained")
    figure.suptitle(title, color=_INK, fontsize=11)
    hours: Callable[[Point], float] = lambda point: point.seconds / 3600  # noqa: E731
    steps: Callable[[Point], float] = lambda point: point.steps / 1000  # noqa: E731
    for place, (label, x) in enumerate((("virtual hours", hours), ("thousand steps", steps)), 1):
        axes = figure.add_subplot(1, 2, place)
        _dress(axes, label)
        for color, curve in zip(_COLORS * 3, curves, strict=False):
            _line(axes, curve, x, color)
        axes.legend(loc="lower right", fontsize=8, frameon=False, labelcolor=_INK)
    picture = BytesIO()
    figure.savefig(picture, format="png", metadata={"Software": None})
    return picture.getvalue()


def _line(axes: Axes, curve: Curve, x: Callable[[Point], float], color: str) -> None:
    columns = list(zip(*curve.runs, strict=True))
    places = [fmean(x(point) for point in column) for column in columns]
    success = [[point.success for point in column] for column in columns]
    axes.plot(
        places,
        [fmean(s) for s in success],
        color=color,
        linewidth=1.8,
        marker="o",
        markersize=3,
        label=curve.name,
    )
    if len(curve.runs) > 1:
        low, high = [min(s) for s in success], [max(s) for s in success]
        axes.fill_between(places, low, high, color=color, alpha=0.12, linewidth=0)


def _dress(axes: Axes, label: str) -> None:
    axes.set_ylim(0.0, 1.0)
    axes.set_xlabel(label, color=_INK)
    axes.set_ylabel("success on test", color=_INK)
    axes.margins(x=0.03)
    axes.grid(color=_FAINT, linewidth=0.8)
    axes.tick_params(colors=_INK, labelsize=9, length=0)
    for spine in axes.spines.values():
        spine.set_color(_FAINT)
