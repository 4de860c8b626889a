"""Suites of web pages: how a task is started on a page, and how its end is read from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from distrl.devices.browser.device import BrowserDevice
from distrl.devices.browser.site import Site
from distrl.tasks.pools import SPLITS, Pool
from distrl.tasks.seed_suite import SeedSuite, SeedTemplate
from distrl.types import Task, Value

KNOWN = "__distrlTask"
"""Where a page finds what its running task is about."""
Check: TypeAlias = Callable[[BrowserDevice, Task], bool]
"""Whether a task is done on a page. It may run JavaScript there, or ask the app's server."""


@dataclass(frozen=True, slots=True)
class PageGoal:
    """One way to ask for a task."""

    text: str
    values: Mapping[str, str] = field(default_factory=dict)
    """What it is about, by name; scripts and checks may use the names."""
    splits: tuple[str, ...] = SPLITS
    """Which splits may ask so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTask:
    """One kind of task on a page."""

    name: str
    site: Site
    """Its probe gives {goal, ended, success} of the running episode; `ended` says that the page
    itself ended it, and null as a goal leaves the goal as it is."""
    begin: str
    """JavaScript that starts an episode on the loaded page; SEED and SPLIT stand for the task's."""
    goals: tuple[PageGoal, ...]
    """What is asked for, in turns; or what stands for it until the page says it."""
    params: Mapping[str, Pool] = field(default_factory=dict)
    """The values of the goals, and which of them no two splits may share."""
    worded_by_page: bool = False
    """Whether the page words its goals, by the seed."""
    judged_by_page: bool
    """Whether the page ends its episodes; otherwise who acts declares the end."""
    stays: bool
    """Whether the page may stay loaded from one episode to the next without anybody noticing."""
    step_limit: int
    needs: tuple[str, ...] = ("click",)
    """What a hand must be able to do here."""
    check: Check | None = None
    """Says in Python whether the goal is reached, instead of the probe."""
    check_script: str = ""
    """JavaScript function of what is known of the task, which makes the probe of each task."""
    answer: str | None = None
    """What the agent has to answer, with names of values in braces; None for tasks that ask
    nothing."""
    where: str = ""
    """Place of the check, such as `suite.yaml, line 12`; told when it fails."""

    def goals_in(self, split: str) -> tuple[PageGoal, ...]:
        """What a split asks for."""
        return tuple(goal for goal in self.goals if split in goal.splits)

    def site_of(self, task: Task) -> Site:
        """The site with the probe of this very task.

        What is known of the task stands in the probe itself: a page that loads another document
        on the way forgets what a script has told it.
        """
        if not self.check_script:
            return self.site
        return replace(self.site, probe=f"({self.check_script})({json.dumps(known_of(task))})")

    def script(self, task: Task) -> str:
        """What starts this very task."""
        known = known_of(task)
        return f"const {{{','.join(known)}}}=window.{KNOWN}={json.dumps(known)};{self.begin}"


def known_of(task: Task) -> dict[str, Value]:
    """What a page is told of a task, by the names that scripts and checks use."""
    return {"SEED": task.seed, "SPLIT": task.split, **task.parameters}


class PageTemplate(SeedTemplate):
    """A page task among templates: what suites of all kinds have in common."""

    def __init__(self, page: PageTask) -> None:
        """Name it."""
        super().__init__(page.name, [goal.text for goal in page.goals], page.step_limit)
        self.page, self.params = page, page.params
        self.worded_when_played = page.worded_by_page
        self.question = page.answer is not None

    def posed(self, split: str, turn: int) -> tuple[str, Mapping[str, Value]]:
        """The goals of a split take turns."""
        goals = self.page.goals_in(split)
        goal = goals[turn % len(goals)]
        return goal.text, goal.values


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
