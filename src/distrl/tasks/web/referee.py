"""Start page tasks in a browser, and read from the page how they ended."""

from __future__ import annotations

from typing import Any

from distrl.devices.browser.device import BrowserDevice
from distrl.errors import DistrlError, TaskError
from distrl.tasks.answers import same_answer
from distrl.tasks.suites import load_suite
from distrl.tasks.web.suite import PageSuite, PageTask
from distrl.types import Outcome, Task, Verdict


class PageReferee:
    """Runs the tasks of one browser, one episode after another."""

    def __init__(self, device: BrowserDevice) -> None:
        """`device` is the browser that tasks are started in."""
        self._device = device
        self._task: Task | None = None
        self._page: PageTask | None = None

    @property
    def page(self) -> PageTask:
        """The kind of task that is running; TaskError before the first one."""
        if self._page is None:
            raise TaskError("no task has been started on this page")
        return self._page

    @property
    def judged_by_page(self) -> bool:
        """Whether the page ends its episodes."""
        return self.page.judged_by_page

    def begin(self, task: Task) -> None:
        """Load the page, unless it may stay as it is, and start the task on it."""
        suite = load_suite(task.suite)
        if not isinstance(suite, PageSuite):
            raise TaskError(f"{task.suite} is no suite of web pages")
        self._task, self._page = task, suite.page(task.template)
        self._device.visit(self._page.site_of(task), seed=task.seed, stays=self._page.stays)
        try:
            self._device.run(self._page.script(task))
        except TaskError as error:  # its reset, or a check that is no JavaScript at all
            raise self._failed(error) from None

    @property
    def goal(self) -> str:
        """What the page asks for, or else the task."""
        assert self._task is not None
        said = self._told().get("goal")
        return str(said) if said else self._task.goal

    def ended(self) -> Outcome | None:
        """How the page ended the episode, if it did."""
        if not self.page.judged_by_page:
            return None
        if self.page.check is not None:
            return Outcome.SUCCEEDED if self.holds() else None
        told = self._told()
        if not told["ended"]:
            return None
        return Outcome.SUCCEEDED if told["success"] else Outcome.FAILED

    def answered(self, text: str) -> Outcome:
        """How the episode ends with this answer; a task that asks nothing ignores it."""
        assert self._task is not None
        right = self.page.answer
        said = right is None or same_answer(text, right.format(**self._task.parameters))
        return Outcome.SUCCEEDED if said and self._checked() else Outcome.FALSE_COMPLETE

    def holds(self) -> bool:
        """Whether the goal is reached now; one that asks for an answer is not without it."""
        return self.page.answer is None and self._checked()

    def _checked(self) -> bool:
        if self.page.check is not None:
            assert self._task is not None
            try:
                return bool(self.page.check(self._device, self._task))
            except DistrlError:
                raise
            except Exception as error:
                raise self._failed(repr(error)) from error
        return bool(self._told()["success"])

    def verdict(self, outcome: Outcome) -> Verdict:
        """The page's own opinion."""
        return Verdict(
            judge="page", success=outcome is Outcome.SUCCEEDED, reason=str(outcome.value)
        )

    def _told(self) -> dict[str, Any]:
        told = self._device.probe
        if not isinstance(told, dict) or not {"ended", "success"} <= told.keys():
            raise TaskError(f"the check of {self.page.name} gave {told!r}")
        if told.get("error"):
            raise self._failed(told["error"])
        return told

    def _failed(self, error: object) -> TaskError:
        """The error for a script or check of the task that threw: where it stands, and on what."""
        place = f" ({self.page.where})" if self.page.where else ""
        return TaskError(f"{self.page.name}{place} fails on {self.page.site.start}: {error}")
