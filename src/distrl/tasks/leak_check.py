"""The leak check: no goal, parameter value, seed or unseen template may be in two splits.

Splits that say what is new are held to it: `worded` has no wording of another split, `composed` no
composition, `unseen_app` no app. Two splits that draw from the same share of the values (test and
worded, say) have values in common on purpose, for neither of them is trained on, or both are.

Goals that a page or environment words itself are known only when they are played. They are not
compared, and the report says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from distrl.tasks.pools import normalise
from distrl.tasks.seed_suite import SeedTemplate
from distrl.tasks.splits import COMPOSED, UNSEEN_APP, WORDED, values_of
from distrl.tasks.suites import Suite
from distrl.types import Task

SHARED = (
    *("goals", "parameters", "seeds", "values", "templates"),
    *("wordings", "compositions", "apps"),
)
"""What two splits may have in common by mistake."""
_NEW_TEMPLATES = ("unseen", COMPOSED, UNSEEN_APP)
"""Splits that promise templates of their own; the others share them on purpose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairReport:
    """What two splits share, as the shared values themselves."""

    suite: str
    first: str
    second: str
    goals: tuple[str, ...]
    parameters: tuple[str, ...]
    """Same template with the same parameters, where one of them is open."""
    seeds: tuple[int, ...]
    values: tuple[str, ...]
    """Open parameter values, whatever template or parameter they stand in."""
    templates: tuple[str, ...]
    """Templates of `unseen`, `composed` or `unseen_app` that another split has too."""
    wordings: tuple[str, ...] = ()
    """Goals of `worded` without their values that another split has too."""
    compositions: tuple[str, ...] = ()
    """Pairs of operations of `composed` that another split puts together too."""
    apps: tuple[str, ...] = ()
    """Apps of `unseen_app` that another split has too."""
    unknown: tuple[str, ...] = ()
    """Templates in both splits whose goals nobody knows before they are played."""

    @property
    def leaks(self) -> int:
        """How many things are shared."""
        return sum(len(getattr(self, kind)) for kind in SHARED)


def check_leaks(suites: Iterable[Suite]) -> tuple[PairReport, ...]:
    """Compare every pair of splits of each suite."""
    reports = []
    for suite in suites:
        traces = _Traces(suite)
        for first, second in combinations(suite.splits, 2):
            reports.append(_compare(traces, first, second))
    return tuple(reports)


class _Traces:
    """What the splits of one suite have, each found once: a split is in many pairs."""

    def __init__(self, suite: Suite) -> None:
        self.suite = suite
        self._found: dict[tuple[str, _Finder], set[str]] = {}

    def of(self, split: str, finder: _Finder) -> set[str]:
        """What one finder finds in a split."""
        if (split, finder) not in self._found:
            self._found[split, finder] = finder(self.suite, self.suite.tasks(split))
        return self._found[split, finder]


def _compare(traces: _Traces, first: str, second: str) -> PairReport:
    suite, pair = traces.suite, {first, second}

    def shared(finder: _Finder, *, promised: bool = True) -> tuple[str, ...]:
        both = traces.of(first, finder) & traces.of(second, finder) if promised else ()
        return tuple(sorted(both))

    # What both draw from is nobody's secret from the other.
    apart = values_of(first) != values_of(second)
    templates = shared(_templates)
    seeds = {task.seed for task in suite.tasks(first)} & {t.seed for t in suite.tasks(second)}
    return PairReport(
        suite=suite.name,
        first=first,
        second=second,
        goals=shared(_goals),
        parameters=shared(_instances, promised=apart),
        seeds=tuple(sorted(seeds)),
        values=shared(_open_values, promised=apart),
        templates=templates if pair.intersection(_NEW_TEMPLATES) else (),
        wordings=shared(_wordings, promised=WORDED in pair),
        compositions=shared(_compositions, promised=COMPOSED in pair),
        apps=shared(_apps, promised=UNSEEN_APP in pair),
        unknown=tuple(name for name in templates if worded_when_played(suite, name)),
    )


def worded_when_played(suite: Suite, template: str) -> bool:
    """Whether the goals of a template are known only when they are played."""
    found = suite.template(template)
    return isinstance(found, SeedTemplate) and found.worded_when_played


def _templates(suite: Suite, tasks: Iterable[Task]) -> set[str]:
    del suite
    return {task.template for task in tasks}


def _goals(suite: Suite, tasks: Iterable[Task]) -> set[str]:
    return {normalise(t.goal) for t in tasks if not worded_when_played(suite, t.template)}


def _instances(suite: Suite, tasks: Iterable[Task]) -> set[str]:
    """Template and parameters in one line; those without an open parameter are exempt."""
    return {
        f"{task.template} {sorted(task.parameters.items())}"
        for task in tasks
        if not suite.template(task.template).closed_only
    }


def _open_values(suite: Suite, tasks: Iterable[Task]) -> set[str]:
    return {
        normalise(value)
        for task in tasks
        for name, value in task.parameters.items()
        if suite.template(task.template).params[name].open
    }


def _wordings(suite: Suite, tasks: Iterable[Task]) -> set[str]:
    """Goals with a blank in the place of each value."""
    del suite
    found = set()
    for task in tasks:
        words = normalise(task.goal)
        # Longest first: a short value may be part of a longer one.
        for value in sorted(map(normalise, task.parameters.values()), key=len, reverse=True):
            words = re.sub(rf"\b{re.escape(value)}\b", "_", words)
        found.add(f"{task.template}: {words}")
    return found


def _compositions(suite: Suite, tasks: Iterable[Task]) -> set[str]:
    return {pair for task in tasks for pair in suite.template(task.template).compositions}


def _apps(suite: Suite, tasks: Iterable[Task]) -> set[str]:
    return {app for task in tasks for app in suite.template(task.template).new_apps}


_Finder: TypeAlias = Callable[[Suite, Iterable[Task]], set[str]]
"""What the tasks of a split have, in words that can be compared."""
