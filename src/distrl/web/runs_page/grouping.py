"""Runs that differ by their seed alone become one row: pure functions of summaries.

The interval of a group is that of its mean over the tasks of one evaluation: seeds play the same
tasks again, which makes no further trials of them. Beside it stand the worst and the best seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from statistics import fmean

from distrl.collect.evaluation.statistics import share_interval
from distrl.web.runs import State
from distrl.web.runs_page.summary import RunSummary

_PREFIX = "seeds:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """A success over the seeds of a group."""

    mean: float
    low: float
    """Ends of the 95 % Wilson interval."""
    high: float
    lowest: float
    """The worst seed; of one run the same as the mean."""
    highest: float
    runs: int
    """Of how many runs it is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunGroup:
    """One run, or several that differ by seed alone."""

    id: str
    """The name of the run where there is one, else a text that is the same as long as the settings
    are."""
    name: str
    runs: tuple[str, ...]
    """The newest first."""
    seeds: tuple[int, ...]
    states: Mapping[str, int]
    """How many of its runs are in each state."""
    started: float | None
    """Of the newest."""
    minutes: float | None
    """Means over the runs."""
    episodes: float | None
    updates: float | None
    collecting: float | None
    before: Spread | None
    after: Spread | None
    evaluated: int | None
    """Episodes of one evaluation; the fewest of any run."""
    side_effects: float | None
    false_complete: float | None
    best: str | None
    """The run with the highest success after."""


def group_runs(lines: Sequence[RunSummary]) -> list[RunGroup]:
    """A group per setting, in the order of their newest runs. `lines` come newest first.

    A broken run stands alone, so that it says why, and so does one whose settings cannot be used.
    """
    together: dict[str, list[RunSummary]] = {}
    for line in lines:
        alone = line.key is None or line.state is State.BROKEN
        together.setdefault(line.run if alone else f"{_PREFIX}{line.key}", []).append(line)
    return [_group(key, members) for key, members in together.items()]


def _group(key: str, members: Sequence[RunSummary]) -> RunGroup:
    names = tuple(line.run for line in members)
    measured = [line for line in members if line.after is not None]
    best = max(measured, key=lambda line: line.after or 0.0, default=None)
    counts = [line.evaluated for line in measured if line.evaluated is not None]
    return RunGroup(
        id=names[0] if len(names) == 1 else key,
        name=names[0] if len(names) == 1 else common_name(names),
        runs=names,
        seeds=tuple(sorted(line.seed for line in members if line.seed is not None)),
        states=Counter(line.state.value for line in members),
        started=members[0].started,
        minutes=_mean(members, lambda line: line.minutes),
        episodes=_mean(members, lambda line: line.episodes),
        updates=_mean(members, lambda line: line.updates),
        collecting=_mean(members, lambda line: line.collecting),
        before=_spread([(x.before, x.before_low, x.before_high, None) for x in members]),
        after=_spread([(x.after, x.after_low, x.after_high, x.evaluated) for x in members]),
        evaluated=min(counts, default=None),
        side_effects=_mean(members, lambda line: line.side_effects),
        false_complete=_mean(members, lambda line: line.false_complete),
        best=None if best is None else best.run,
    )


def common_name(names: Sequence[str]) -> str:
    """What the names of several runs begin with, or the first of them and how many there are."""
    # In the order of the alphabet, all names begin with what the first and the last begin with.
    first, last = min(names), max(names)
    same = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    start = "".join(letter for letter, _ in same)
    # Never inside a number: `run-1` and `run-12` share `run`, and not `run-1`.
    start = start.rstrip("0123456789").rstrip(" -_.=(")
    for ending in ("seed", "s"):
        if start.endswith(tuple(f"{mark}{ending}" for mark in "-_. ")):
            start = start[: -len(ending) - 1]
    return start or f"{names[0]} and {len(names) - 1} more"


def _mean(
    members: Iterable[RunSummary], figure: Callable[[RunSummary], float | None]
) -> float | None:
    known = [value for value in map(figure, members) if value is not None]
    return fmean(known) if known else None


def _spread(
    figures: Sequence[tuple[float | None, float | None, float | None, int | None]],
) -> Spread | None:
    """Of one run its own interval; of several that of their mean, over the tasks of the fewest."""
    known = [
        (value, low, high, tasks)
        for value, low, high, tasks in figures
        if value is not None and low is not None and high is not None
    ]
    if not known:
        return None
    values = [value for value, *_ in known]
    mean = fmean(values)
    counts = [tasks for *_, tasks in known if tasks]
    if len(known) > 1 and len(counts) == len(known):
        low, high = share_interval(mean, min(counts))
    else:
        # Without the number of tasks the ends are averaged, as wide as a single run's.
        low, high = fmean(low for _, low, *_ in known), fmean(high for *_, high, _ in known)
    return Spread(
        mean=mean, low=low, high=high, lowest=min(values), highest=max(values), runs=len(known)
    )
