"""Sets MobileGym's tasks up on a phone, and asks its judge how they ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from distrl.devices.mobilegym.device import MobileGymDevice, Shown
from distrl.devices.worker_thread import WorkerThread
from distrl.errors import TaskError, boundary
from distrl.tasks.mobilegym.checkout import Judged, MobileGymCheckout
from distrl.tasks.mobilegym.phone import SimulatedPhone
from distrl.tasks.mobilegym.suite import MobileGymSuite
from distrl.tasks.suites import load_suite
from distrl.types import Outcome, Task, Verdict

T = TypeVar("T")

_SETUP_SECONDS = 120.0
_JUDGE_SECONDS = 60.0


class MobileGymReferee:
    """Runs the tasks of one phone, one after another.

    Who acts declares the end. The task is done if its judge finds the goal reached and nothing
    else changed; what else was changed is told as side effects.
    """

    judged_by_page = False

    def __init__(self, device: MobileGymDevice) -> None:
        """`device` is the phone that tasks are set up on."""
        self._device = device
        self._checkout: MobileGymCheckout | None = None
        self.running: Any = None
        """The checkout's own task."""
        self._before: Shown | None = None
        self.judged: Judged | None = None
        """What the judge said last."""

    @property
    def goal(self) -> str:
        """What the task asks for, now that its parameters are known."""
        return str(self.running.description)

    def begin(self, task: Task) -> None:
        """Set a task up on a new phone."""
        suite = load_suite(task.suite)
        if not isinstance(suite, MobileGymSuite):
            raise TaskError(f"{task.suite} is no suite of MobileGym")
        checkout = self._checkout = suite.checkout
        self.judged = None
        running = self.running = self._within(
            _SETUP_SECONDS,
            f"making {task.template}",
            lambda: checkout.make(task.template, task.seed),
        )
        phone = SimulatedPhone(self._device, task.seed)
        doing = f"setting up {task.template}"
        self._before = self._within(_SETUP_SECONDS, doing, lambda: checkout.set_up(running, phone))

    def ended(self) -> Outcome | None:
        """Its phone ends no episode."""
        return None

    def holds(self) -> bool:
        """Whether the task is done now, without an answer."""
        return self._judge(None).passed

    def answered(self, text: str) -> Outcome:
        """How the episode ends with this answer; tasks with an answer sheet want it there."""
        return Outcome.SUCCEEDED if self._judge(text).passed else Outcome.FALSE_COMPLETE

    def verdict(self, outcome: Outcome) -> Verdict:
        """Its judge's opinion, of episodes that nobody declared to be over as well."""
        judged = self.judged or self._judge(None)
        success = outcome is Outcome.SUCCEEDED
        return Verdict(
            judge="mobilegym",
            success=success,
            reason=str(outcome.value),
            side_effects=judged.unexpected,
        )

    def _judge(self, answer: str | None) -> Judged:
        checkout, running, before = self._checkout, self.running, self._before
        assert checkout is not None
        assert before is not None
        after = self._device.shown()
        self.judged = judged = self._within(
            _JUDGE_SECONDS, "judging", lambda: checkout.judged(running, before, after, answer)
        )
        if judged.error:
            raise TaskError(f"the judge of {running.id} failed: {judged.error}")
        return judged

    def _within(self, seconds: float, doing: str, work: Callable[[], T]) -> T:
        """What the checkout's code gives, in a thread of its own: it runs an event loop."""

        def attributed() -> T:
            try:
                with boundary(TaskError, "its own code"):
                    return work()
            except TaskError as error:
                raise TaskError(f"{doing}: {error}") from error

        worker = WorkerThread("mobilegym")
        try:
            return worker.call(attributed, doing=f"{self._device.id}: {doing}", timeout=seconds)
        finally:
            worker.end(0)
