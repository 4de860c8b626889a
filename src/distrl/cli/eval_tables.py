"""How `distrl eval` tells what it found: tables for people, one JSON object for programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from distrl.cli.output import print_table

if TYPE_CHECKING:
    from distrl.collect.evaluation.evaluate import Report
    from distrl.collect.evaluation.factors import FactorRow
    from distrl.collect.evaluation.statistics import Row
    from distrl.types import Task

_MOST_FAULTS = 5
"""Faults that are told one by one."""


def as_json(report: Report) -> dict[str, object]:
    """The report as one flat object with the overall figures, and a row per template."""
    overall = asdict(report.overall)
    del overall["template"], overall["faults"]
    return {**overall, "rows": [asdict(row) for row in report.rows]}


def solved(suite: str, report: Report) -> dict[str, object]:
    """How many kinds of tasks are solved; nothing for suites of phones."""
    from distrl.collect.evaluation.statistics import SOLVED
    from distrl.tasks.seed_suite import SeedSuite
    from distrl.tasks.suites import load_suite

    if not isinstance(load_suite(suite), SeedSuite):
        return {}
    return {"solved": sum((row.success or 0.0) >= SOLVED for row in report.rows)}


def print_report(title: str, suite: str, tasks: Sequence[Task], report: Report) -> None:
    """The table of a report, with a line on what it cannot tell."""
    from distrl.collect.evaluation.statistics import SOLVED

    columns = (
        *("template", "success", "95 % interval", "episodes"),
        *("false complete", "side effects", "steps", "oracle steps"),
    )
    rows = [_cells(row) for row in (*report.rows, report.overall)]
    print_table(columns, rows, title=title)
    for name, count in solved(suite, report).items():
        print(f"{name}: {count} of {len(report.rows)}, at {SOLVED:.2f} or more")
    _tell_repeated(suite, tasks)


def _tell_repeated(name: str, tasks: Sequence[Task]) -> None:
    """Say that tasks ask for the same thing, for then they tell less than their number."""
    from distrl.tasks.leak_check import worded_when_played
    from distrl.tasks.seed_suite import SeedSuite
    from distrl.tasks.suites import load_suite

    suite = load_suite(name)
    if not isinstance(suite, SeedSuite):  # where tasks of one goal begin on different phones
        return
    known = [task for task in tasks if not worded_when_played(suite, task.template)]
    goals = {(task.template, task.goal, *task.parameters.items()) for task in known}
    if len(goals) < len(known):
        print(
            f"{len(known)} of these tasks have {len(goals)} different goals: if the page does not "
            "depend on SEED, the others repeat them, and the interval is narrower than it should be"
        )


def _cells(row: Row) -> tuple[object, ...]:
    return (
        row.template,
        row.success,
        _interval(row),
        row.episodes,
        row.false_complete,
        row.side_effects,
        row.mean_steps,
        row.oracle_steps,
    )


def print_factors(title: str, rows: Sequence[FactorRow]) -> None:
    """The table of success by factor."""
    columns = ("factor", "success", "95 % interval", "kept", "tasks", "setting")
    cells = [
        (row.factor, row.success, _interval(row), row.kept, row.tasks, row.setting) for row in rows
    ]
    print_table(columns, cells, title=title)


def _interval(row: Row | FactorRow) -> str | None:
    return None if row.low is None else f"{row.low:.3f} - {row.high:.3f}"


def tell_faults(report: Report) -> None:
    """Say on stderr which episodes do not count."""
    if not report.faults:
        return
    print(
        f"distrl eval: {len(report.faults)} episodes ended with a fault and do not count:",
        *(f"  {fault}" for fault in report.faults[:_MOST_FAULTS]),
        sep="\n",
        file=sys.stderr,
    )
