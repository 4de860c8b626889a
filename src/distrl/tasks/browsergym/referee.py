"""Sets BrowserGym's tasks up on a page, and asks them after every step how it went."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, TypeVar

from distrl.devices.playwright.browser import TIMEOUT_MS, PageSettings
from distrl.devices.playwright.device import PlaywrightDevice
from distrl.errors import DistrlError, TaskError
from distrl.tasks.browsergym.suite import task_maker
from distrl.types import Outcome, Task, Verdict

T = TypeVar("T")

SUCCESS = 0.5
"""An episode succeeded if its rewards sum up to this."""
# Setting up may log in somewhere, or create what the task is about.
_SETUP_SECONDS = 300.0
_VALIDATE_SECONDS = 120.0

make_task = cache(task_maker)


class BrowserGymReferee:
    """Runs the tasks of one page, one after another.

    The task is asked after every step; it ends the episode when it says that it is done. `answer`
    tells it the text as a message of the assistant, `complete` an empty one, and `infeasible` is a
    message of that role, as BrowserGym's agents send them.
    """

    judged_by_page = False

    def __init__(self, device: PlaywrightDevice) -> None:
        """`device` shows the page that tasks are set up on."""
        self._device = device
        device.before_close = self.end
        self._running: Any = None
        self._id = ""
        self._chat: list[dict[str, Any]] = []
        self._reward = 0.0
        self._goal = ""

    @property
    def goal(self) -> str:
        """What the task asks for."""
        return self._goal

    def begin(self, task: Task) -> None:
        """End what was running, and set a task up on a page of its own."""
        self.end()
        self._reward, self._chat, self._id = 0.0, [], task.template
        with _own_faults(f"making {task.template}"):
            running = make_task(task.template)(seed=task.seed)
        self._device.open(_settings_of(running), task.seed)
        self._running = running
        told, _ = self._ask(running.setup, "setting up", _SETUP_SECONDS)
        self._device.settle()
        self._goal = _words_of(told) or task.goal
        self._say("assistant", "Hi! What can I help you with?")
        self._say("user", self._goal)

    def ended(self) -> Outcome | None:
        """How the task ended the episode, if it did."""
        return self._validated()

    def holds(self) -> bool:
        """Whether the task takes this for its end, when the assistant says nothing more."""
        return self.answered("") is Outcome.SUCCEEDED

    def answered(self, text: str) -> Outcome:
        """How the episode ends with this message."""
        self._say("assistant", text)
        self._validated()
        return Outcome.SUCCEEDED if self._reward >= SUCCESS else Outcome.FALSE_COMPLETE

    def declared_infeasible(self) -> Outcome:
        """How the episode ends when the assistant says that it cannot be done."""
        self._say("infeasible", "")
        self._validated()
        return Outcome.SUCCEEDED if self._reward >= SUCCESS else Outcome.FAILED

    def verdict(self, outcome: Outcome) -> Verdict:
        """The task's own opinion."""
        success = outcome is Outcome.SUCCEEDED
        return Verdict(judge="task", success=success, reason=str(outcome.value))

    def end(self) -> None:
        """Have the running task clean up after itself; what goes wrong there costs nobody."""
        running, self._running = self._running, None
        if running is not None:
            with suppress(DistrlError):
                self._device.ask(
                    lambda _: running.teardown(), doing="tearing down", timeout=_SETUP_SECONDS
                )

    def _validated(self) -> Outcome | None:
        chat, running = self._chat, self._running
        told = self._ask(lambda page: running.validate(page, chat), "validating", _VALIDATE_SECONDS)
        reward, done, message, _ = told
        self._reward += float(reward)
        if message:
            self._say("user", str(message))
        if not done:
            return None
        return Outcome.SUCCEEDED if self._reward >= SUCCESS else Outcome.FAILED

    def _ask(self, work: Callable[[Any], T], doing: str, timeout: float) -> T:
        def attributed(page: Any) -> T:
            with _own_faults(f"{doing} {self._id}"):
                return work(page)

        return self._device.ask(attributed, doing=f"{doing} {self._id}", timeout=timeout)

    def _say(self, role: str, message: str) -> None:
        self._chat.append({"role": role, "message": message, "timestamp": 0.0})


@contextmanager
def _own_faults(doing: str) -> Iterator[None]:
    """Errors of a task's code are TaskErrors; those of Playwright stay the device's."""
    from playwright.sync_api import Error as PlaywrightError

    try:
        yield
    except (DistrlError, PlaywrightError):
        raise
    except Exception as error:
        raise TaskError(f"{doing}: {error!r}") from error


def _settings_of(running: Any) -> PageSettings:
    return PageSettings(
        width=int(running.viewport["width"]),
        height=int(running.viewport["height"]),
        timeout_ms=int(running.timeout or TIMEOUT_MS),
        locale=running.locale,
        timezone=running.timezone_id,
    )


def _words_of(goal: Any) -> str:
    """The text of a goal, which may be a list of texts and pictures."""
    if isinstance(goal, list):
        parts = [part.get("text", "") for part in goal if part.get("type") == "text"]
        return "\n".join(parts)
    return str(goal or "")
