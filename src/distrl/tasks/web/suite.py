"""Suites of web pages: how a task is started on a page, and how its end is read from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from distrl.devices.browser.device import BrowserDevice
from distrl.devices.browser.site import Site
from distrl.tasks.seed_suite import FIRST_SEEDS, SeedSuite, SeedTemplate
from distrl.types import Task

KNOWN = "__distrlTask"
"""Where a page finds what its running task is about."""
Check: TypeAlias = Callable[[BrowserDevice, Task], bool]
"""Whether a task is done on a page. It may run JavaScript there, or ask the app's server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTask:
    """One kind of task on a page."""

    name: str
    site: Site
    """Its probe gives {goal, ended, success} of the running episode; `ended` says that the page
    itself ended it, and null as a goal leaves the goal as it is."""
    begin: str
    """JavaScript that starts an episode on the loaded page; SEED and SPLIT stand for the task's."""
    goals: tuple[str, ...]
    """What is asked for, in turns; or what stands for it until the page says it."""
    values: tuple[Mapping[str, str], ...] = ()
    """What each of the goals is about, by name; scripts and checks may use the names."""
    judged_by_page: bool
    """Whether the page ends its episodes; otherwise who acts declares the end."""
    stays: bool
    """Whether the page may stay loaded from one episode to the next without anybody noticing."""
    step_limit: int
    needs: tuple[str, ...] = ("click",)
    """What a hand must be able to do here."""
    check: Check | None = None
    """Says in Python whether the goal is reached, instead of the probe."""

    def script(self, task: Task) -> str:
        """What starts this very task."""
        turn = task.seed - FIRST_SEEDS[task.split]
        drawn = self.values[turn % len(self.values)] if self.values else {}
        known = json.dumps({"SEED": task.seed, "SPLIT": task.split, **drawn})
        names = ",".join(("SEED", "SPLIT", *drawn))
        return f"const {{{names}}}=window.{KNOWN}={known};{self.begin}"


class PageTemplate(SeedTemplate):
    """A page task among templates: what suites of all kinds have in common."""

    def __init__(self, page: PageTask) -> None:
        """Name it."""
        super().__init__(page.name, page.goals, page.step_limit)
        self.page = page


class PageSuite(SeedSuite):
    """Page tasks."""

    def __init__(
        self,
        name: str,
        pages: Sequence[PageTask],
        per_task: Mapping[str, int],
        *,
        where: str = "",
    ) -> None:
        """`per_task` are the seeds of each split; `where` is what the suite is loaded by."""
        templates = [PageTemplate(page) for page in pages]
        super().__init__(name, templates, per_task, where=where, device="page")

    def page(self, name: str) -> PageTask:
        """A page task by name."""
        template = self.template(name)
        assert isinstance(template, PageTemplate)
        return template.page
