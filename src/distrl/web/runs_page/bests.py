"""The best runs of each suite and split, and which of them nobody can tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from distrl.web.runs import State
from distrl.web.runs_page.grouping import RunGroup, Spread
from distrl.web.runs_page.summary import RunSummary

_SHOWN = 5
"""Rows per suite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """A run, or a group of seeds, among the best of its suite."""

    id: str
    name: str
    success: Spread
    evaluated: int | None
    """Episodes of one evaluation, one per task."""
    run: str
    """Whose weights these are: of a group, its best seed."""
    checkpoint: str | None
    weights: str | None
    tied: bool
    """Whether it cannot be told from the first: intervals, or the spreads of seeds, overlap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteBests:
    """The best of what was evaluated on the same split of one suite."""

    suite: str
    split: str
    rows: tuple[Best, ...]
    """The best first. Where the second is tied, nothing is said to be best."""
    more: int
    """How many others were evaluated on it."""
    tied: int
    """How many cannot be told from the first, those that are not shown included."""


def best_per_suite(groups: Sequence[RunGroup], lines: Mapping[str, RunSummary]) -> list[SuiteBests]:
    """The table of bests, suites by name. `lines` are the runs of the groups, by name.

    A broken run is in none: a part of what it says cannot be read, so nobody knows what its figure
    is worth.
    """
    by_suite: dict[tuple[str, str], list[tuple[RunGroup, Spread]]] = {}
    for group in groups:
        line = lines[group.runs[0]]
        if line.state is State.BROKEN:
            continue
        if group.after is not None and line.suite is not None and line.split is not None:
            by_suite.setdefault((line.suite, line.split), []).append((group, group.after))
    return [_rank(*key, by_suite[key], lines) for key in sorted(by_suite)]


def _rank(
    suite: str,
    split: str,
    entries: Sequence[tuple[RunGroup, Spread]],
    lines: Mapping[str, RunSummary],
) -> SuiteBests:
    # Of equals the surer one first: its interval reaches less far down.
    ordered = sorted(entries, key=lambda entry: (-entry[1].mean, -entry[1].low, entry[0].name))
    first = ordered[0][1]
    rows = [
        _best(group, success, lines, tied=place > 0 and overlaps(first, success))
        for place, (group, success) in enumerate(ordered)
    ]
    return SuiteBests(
        suite=suite,
        split=split,
        rows=tuple(rows[:_SHOWN]),
        more=max(0, len(rows) - _SHOWN),
        tied=sum(row.tied for row in rows),
    )


def overlaps(one: Spread, other: Spread) -> bool:
    """Whether two successes may be the same: their intervals, or what their seeds got, meet."""
    return max(min(one.low, one.lowest), min(other.low, other.lowest)) <= min(
        max(one.high, one.highest), max(other.high, other.highest)
    )


def _best(group: RunGroup, success: Spread, lines: Mapping[str, RunSummary], *, tied: bool) -> Best:
    run = lines[group.best or group.runs[0]]
    return Best(
        id=group.id,
        name=group.name,
        success=success,
        evaluated=group.evaluated,
        run=run.run,
        checkpoint=run.checkpoint,
        weights=run.weights,
        tied=tied,
    )
