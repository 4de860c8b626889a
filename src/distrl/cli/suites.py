"""`distrl suites`: what there is to do, what two splits share, and whether the checks work."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import tyro

from distrl.cli.arguments import parse
from distrl.cli.output import print_json, print_table
from distrl.errors import ConfigError

if TYPE_CHECKING:
    from distrl.tasks.leak_check import PairReport
    from distrl.tasks.suites import Suite
    from distrl.tasks.web.suite import PageSuite
    from distrl.tasks.web.trial import Trial


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """List the task suites, the templates of one, or its tasks; or check for leaks."""

    name: Annotated[str | None, tyro.conf.Positional] = None
    """Name or file of a suite, to list its templates; all suites are listed by default."""
    split: str | None = None
    """Only this split; all splits by default."""
    tasks: bool = False
    """List the tasks with their goals."""
    check_leaks: bool = False
    """Compare every pair of splits; the exit code is 1 if two of them share a goal, a parameter, a
    seed, a value or a template, or if what a split promises to be new (a wording, a composition,
    an app) is in another. Goals that pages or environments word themselves cannot be compared,
    which is told."""
    try_: Annotated[bool, tyro.conf.arg(name="try")] = False
    """Ask the check of each task of a web suite once, on a fresh page; the exit code is 1 if one
    throws, or holds before anything was done."""
    json: bool = False
    """Print one JSON object instead of a table."""


def main(argv: Sequence[str]) -> int:
    """Print one of the lists; 1 if the check found a leak."""
    arguments = parse(Arguments, argv, prog="distrl suites")
    from distrl.errors import unknown_name
    from distrl.tasks.suites import load_suite, page_suites

    suites = [load_suite(arguments.name)] if arguments.name else _all_suites()
    # Not every suite has every split: what one of them has can be asked for.
    splits = tuple(dict.fromkeys(split for suite in suites for split in suite.splits))
    if arguments.split is not None:
        if arguments.split not in splits:
            raise unknown_name("split", arguments.split, splits)
        splits = (arguments.split,)
    if arguments.check_leaks and arguments.try_:
        raise ConfigError("--check-leaks and --try are two questions: ask one at a time")
    if arguments.check_leaks:
        return _check_leaks(suites, arguments)
    if arguments.try_:
        return _try(suites[0], arguments)
    if arguments.tasks:
        title, rows = "tasks", task_rows(suites, splits)
    elif arguments.name:
        title, rows = f"templates of {arguments.name}", named_rows(suites[0], splits)
    else:
        title, rows = "suites", split_rows(suites, splits)
    _print(rows, title, as_json=arguments.json)
    if not (arguments.name or arguments.tasks or arguments.json):
        print(f"on web pages, in a browser: {', '.join(page_suites())}")
    return 0


def _all_suites() -> list[Suite]:
    """Every suite that can be loaded; a plug-in that is broken is told of."""
    from distrl.tasks.suites import load_suite, suite_names

    suites = []
    for name in suite_names():
        try:
            suites.append(load_suite(name))
        except ConfigError as error:
            print(f"distrl suites: {error}", file=sys.stderr)
    return suites


def split_rows(suites: Iterable[Suite], splits: Sequence[str]) -> list[dict[str, object]]:
    """A row per split: how many tasks, from how many templates, of which kinds."""
    rows: list[dict[str, object]] = []
    for suite in suites:
        for split in _own_splits(suite, splits):
            tasks = suite.tasks(split)
            templates = [suite.template(task.template) for task in tasks]
            rows.append(
                {
                    "suite": suite.name,
                    "split": split,
                    "tasks": len(tasks),
                    "templates": len(set(templates)),
                    "visual": sum(template.visual for template in templates),
                    "infeasible": sum(template.infeasible for template in templates),
                    "closed_only": sum(template.closed_only for template in templates),
                    "step_limit": suite.shape.step_limit,
                    "example": tasks[0].goal if tasks else None,
                }
            )
    return rows


def named_rows(suite: Suite, splits: Sequence[str]) -> list[dict[str, object]]:
    """A row per template, with what matters on the suite's devices."""
    from distrl.tasks.web.suite import PageSuite

    return (
        page_rows(suite, splits) if isinstance(suite, PageSuite) else template_rows(suite, splits)
    )


def page_rows(suite: PageSuite, splits: Sequence[str]) -> list[dict[str, object]]:
    """A row per page task: how many seeds, what a hand must be able to do, how many steps.

    The example is a goal, unless the page words its goals itself.
    """
    goals: dict[str, list[str]] = {name: [] for name in suite.templates}
    for split in splits:
        for task in suite.tasks(split):
            goals[task.template].append(task.goal)
    pages = [suite.page(name) for name in sorted(suite.templates)]
    return [
        {
            "template": page.name,
            "tasks": len(goals[page.name]),
            "needs": ", ".join(page.needs),
            "step_limit": page.step_limit,
            "example": None if page.worded_by_page else next(iter(goals[page.name]), None),
        }
        for page in pages
    ]


def template_rows(suite: Suite, splits: Sequence[str]) -> list[dict[str, object]]:
    """A row per template: its tasks in these splits, what kind it is, an example.

    For a single split, those that it does not use are left out.
    """
    heard: dict[str, list[str]] = {}
    for split in splits:
        for task in suite.tasks(split):
            heard.setdefault(task.template, []).append(task.goal)
    rows: list[dict[str, object]] = []
    for name, template in sorted(suite.all_templates().items()):
        goals = heard.get(name, [])
        if not goals and len(splits) == 1:
            continue
        rows.append(
            {
                "template": name,
                "tasks": len(goals),
                "visual": template.visual,
                "unseen": template.unseen,
                "infeasible": template.infeasible,
                "closed_only": template.closed_only,
                "example": goals[0] if goals else None,
            }
        )
    return rows


def task_rows(suites: Iterable[Suite], splits: Sequence[str]) -> list[dict[str, object]]:
    """A row per task."""
    return [
        {"id": task.id, "template": task.template, "goal": task.goal}
        for suite in suites
        for split in _own_splits(suite, splits)
        for task in suite.tasks(split)
    ]


def _own_splits(suite: Suite, splits: Sequence[str]) -> tuple[str, ...]:
    return tuple(split for split in splits if split in suite.splits)


def _print(rows: Sequence[dict[str, object]], title: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"count": len(rows), "rows": rows})
    else:
        columns = list(rows[0]) if rows else ["nothing"]
        names = [column.replace("_", " ") for column in columns]
        print_table(names, [tuple(row.values()) for row in rows], title=title)


def _check_leaks(suites: Sequence[Suite], arguments: Arguments) -> int:
    from distrl.tasks.leak_check import check_leaks

    reports = [
        report
        for report in check_leaks(suites)
        if arguments.split in (None, report.first, report.second)
    ]
    rows = [_leak_row(report) for report in reports]
    leaks = sum(report.leaks for report in reports)
    if arguments.json:
        print_json({"leaks": leaks, "rows": rows})
    else:
        print_table(list(rows[0]), [tuple(row.values()) for row in rows], title="shared by splits")
        for report in reports:
            _tell_leaks(report)
        print(f"{leaks} leaks" if leaks else "no leaks")
        _tell_unknown(reports)
    return 1 if leaks else 0


def _tell_unknown(reports: Sequence[PairReport]) -> None:
    unknown: dict[str, set[str]] = {}
    for report in reports:
        unknown.setdefault(report.suite, set()).update(report.unknown)
    for suite, templates in unknown.items():
        if templates:
            print(
                f"{suite}: the goals of {len(templates)} templates are worded when they are "
                "played, by the seed; of those, only the seeds were compared"
            )


def _try(suite: Suite, arguments: Arguments) -> int:
    from distrl.tasks.web.suite import PageSuite
    from distrl.tasks.web.trial import try_checks

    if arguments.name is None or not isinstance(suite, PageSuite):
        raise ConfigError(
            "--try opens the pages of a web suite, and needs its name or file: distrl suites "
            "FILE.yaml --try"
        )
    trials = list(try_checks(suite))
    rows: list[dict[str, object]] = [
        {"template": trial.task.template, "check": trial.where, "result": result_of(trial)}
        for trial in trials
    ]
    failed = sum(trial.held is not False for trial in trials)
    if arguments.json:
        print_json({"failed": failed, "rows": rows})
    else:
        _print(rows, f"checks of {arguments.name}, on fresh pages", as_json=False)
        for trial in trials:
            if trial.held is not False:
                print(f"{trial.task.id}: {result_of(trial)}", file=sys.stderr)
        print(f"{failed} of {len(trials)} checks are wrong" if failed else "all checks can be used")
    return 1 if failed else 0


def result_of(trial: Trial) -> str:
    """What came of a trial, in words."""
    if trial.held:
        return "holds before anything was done"
    return trial.fault or "does not hold yet"


def _leak_row(report: PairReport) -> dict[str, object]:
    """Counts, so that the object stays flat."""
    from distrl.tasks.leak_check import SHARED

    return {
        "suite": report.suite,
        "first": report.first,
        "second": report.second,
        "leaks": report.leaks,
        **{kind: len(getattr(report, kind)) for kind in SHARED},
        "unknown": len(report.unknown),
    }


def _tell_leaks(report: PairReport) -> None:
    from distrl.tasks.leak_check import SHARED

    for kind in SHARED:
        for value in getattr(report, kind):
            print(f"{report.suite}: {report.first} and {report.second} share {kind}: {value}")
