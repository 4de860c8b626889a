"""The leak check: no goal, parameter value, seed or unseen template may be in two splits.

Goals that a page or environment words itself are known only when they are played. They are not
compared, and the report says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from distrl.tasks.pools import normalise
from distrl.tasks.seed_suite import SeedTemplate
from distrl.tasks.suites import Suite
from distrl.types import Task


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
    """Templates of `unseen` that another split has too."""
    unknown: tuple[str, ...] = ()
    """Templates in both splits whose goals nobody knows before they are played."""

    @property
    def leaks(self) -> int:
        """How many things are shared."""
        shared = (self.goals, self.parameters, self.seeds, self.values, self.templates)
        return sum(len(kind) for kind in shared)


def check_leaks(suites: Iterable[Suite]) -> tuple[PairReport, ...]:
    """Compare every pair of splits of each suite."""
    reports = []
    for suite in suites:
        for first, second in combinations(suite.splits, 2):
            reports.append(_compare(suite, first, second))
    return tuple(reports)


def _compare(suite: Suite, first: str, second: str) -> PairReport:
    one, two = suite.tasks(first), suite.tasks(second)
    shared_templates = {t.template for t in one} & {t.template for t in two}
    return PairReport(
        suite=suite.name,
        first=first,
        second=second,
        goals=_shared(_goals(suite, one), _goals(suite, two)),
        parameters=_shared(_instances(suite, one), _instances(suite, two)),
        seeds=tuple(sorted({t.seed for t in one} & {t.seed for t in two})),
        values=_shared(_open_values(suite, one), _open_values(suite, two)),
        # Only unseen promises new templates; the other splits share them on purpose.
        templates=tuple(sorted(shared_templates)) if "unseen" in (first, second) else (),
        unknown=tuple(sorted(n for n in shared_templates if worded_when_played(suite, n))),
    )


def worded_when_played(suite: Suite, template: str) -> bool:
    """Whether the goals of a template are known only when they are played."""
    found = suite.template(template)
    return isinstance(found, SeedTemplate) and found.worded_when_played


def _shared(one: set[str], two: set[str]) -> tuple[str, ...]:
    return tuple(sorted(one & two))


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
