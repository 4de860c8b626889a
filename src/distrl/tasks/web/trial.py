"""Ask every check of a web suite once, on a fresh page, before anybody trains on it.

A check with a mistake in it would otherwise be found out episode by episode: one that throws ends
each of them with an error, and one that always holds rewards doing nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

from distrl.devices.browser.device import BrowserDevice
from distrl.errors import ConfigError, DeviceError, TaskError
from distrl.tasks.suites import load_suite
from distrl.tasks.web.referee import PageReferee
from distrl.tasks.web.suite import PageSuite
from distrl.types import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What came of asking one check."""

    task: Task
    where: str
    """Place of the check; empty for those that ship with the package."""
    held: bool | None
    """Whether it held before anything was done; None when it could not be asked."""
    fault: str = ""
    """Why it could not be asked."""


def try_checks(suite: PageSuite) -> Iterator[Trial]:
    """Start the first task of each template on a page, and ask its check."""
    tasks: dict[str, Task] = {}
    for split in suite.splits:
        for task in suite.tasks(split):
            tasks.setdefault(task.template, task)
    first = suite.page(next(iter(suite.templates)))
    with closing(BrowserDevice("trial", first.site)) as device:
        for task in tasks.values():
            where = suite.page(task.template).where
            try:
                held = _ask(PageReferee(device), task)
            except (TaskError, DeviceError) as error:
                yield Trial(task=task, where=where, held=None, fault=str(error))
            else:
                yield Trial(task=task, where=where, held=held)


def _ask(referee: PageReferee, task: Task) -> bool:
    referee.begin(task)
    return referee.holds()


def require_working_checks(name: str) -> None:
    """ConfigError that tells every check of a suite from a file that cannot be asked.

    Suites of other kinds, and pages that ship with the package, are not looked at.
    """
    suite = load_suite(name)
    if not isinstance(suite, PageSuite) or not any(
        suite.page(template).where for template in suite.templates
    ):
        return
    faults = [trial.fault for trial in try_checks(suite) if trial.fault]
    if faults:
        raise ConfigError("\n".join(faults))
