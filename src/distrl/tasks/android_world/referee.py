"""AndroidWorld's own set-up and checks around an episode of ours."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from distrl.devices.android.device import AndroidDevice
from distrl.devices.android.emulator import tell_console
from distrl.errors import DeviceError, DistrlError, TaskError
from distrl.tasks.android_world.adb_calls import AdbCalls
from distrl.tasks.android_world.checkout import AndroidWorldCheckout
from distrl.tasks.android_world.suite import AndroidWorldSuite, seed_of
from distrl.tasks.suites import Suite
from distrl.types import Kind, Outcome, Task, Verdict

_log = logging.getLogger(__name__)
_SUCCESS = 0.5
"""A task has succeeded above this, as in its own runner: compound tasks count their parts."""
_ROOT_SECONDS = 60.0
_HOME = "KEYCODE_HOME"


class AndroidWorldReferee:
    """Sets its tasks up on a phone, asks whether they succeeded, and tears them down.

    The phone is reset first, as before any task: to the snapshot of an emulator, or by ending apps.
    An episode that is cut off is torn down before the next one.
    """

    def __init__(self, device: AndroidDevice, find_suite: Callable[[str], Suite]) -> None:
        """Watch over a phone that adb can be root on."""
        self._device, self._find_suite = device, find_suite
        self._calls: AdbCalls | None = None
        self._env: Any = None
        self._task: Any = None
        self._score: float | None = None

    def begin(self, task: Task) -> None:
        """Reset the phone, and let the task initialise it."""
        suite = self._find_suite(task.suite)
        if not isinstance(suite, AndroidWorldSuite):
            raise TaskError(f"the suite {task.suite!r} is none of AndroidWorld")
        self._tear_down()
        self._score = None
        self._device.reset(task.seed)
        self._device.become_root(_ROOT_SECONDS)
        if self._env is None:
            self._calls = self._open(suite.checkout)
        made = suite.checkout.instance(task.template, seed_of(task))
        if made.goal != task.goal:
            raise TaskError(
                f"AndroidWorld words {task.id} as {made.goal!r} here, not as {task.goal!r}: use "
                "the same checkout everywhere"
            )
        self._task = made
        with self._asking(f"{task.template}.initialize_task"):
            made.initialize_task(self._env)
        if made.start_on_home_screen:
            self._device.phone.key(_HOME, deadline=self._device.config.deadline)
        self._env.interaction_cache = ""

    def outcome(self, kind: Kind) -> Outcome:
        """How the episode ends; without the agent's word that it is done, no task succeeds."""
        if kind is Kind.COMPLETE:
            return self.answered("")
        self._require_task()
        self._tear_down()
        return Outcome.FAILED if kind is Kind.INFEASIBLE else Outcome.STEP_LIMIT

    def answered(self, text: str) -> Outcome:
        """How the episode ends with this answer, which tasks that ask nothing do not look at."""
        running = self._require_task()
        self._env.interaction_cache = text
        with self._asking(f"{running.name}.is_successful"):
            self._score = float(running.is_successful(self._env))
        self._tear_down()
        return Outcome.SUCCEEDED if self._score > _SUCCESS else Outcome.FALSE_COMPLETE

    def verdict(self, outcome: Outcome) -> Verdict:
        """What its own check said."""
        said = "" if self._score is None else f": is_successful is {self._score:g}"
        won = outcome is Outcome.SUCCEEDED
        return Verdict(judge="android_world", success=won, reason=outcome.value + said)

    def _require_task(self) -> Any:
        if self._task is None:
            raise TaskError("no task of AndroidWorld has been started on this phone")
        return self._task

    def _open(self, checkout: AndroidWorldCheckout) -> AdbCalls:
        """Its environment and its controller, over ours; elements come from uiautomator."""
        calls = AdbCalls(
            self._device.phone, become_root=self._device.become_root, tell_console=tell_console
        )
        controllers = checkout.module("env.android_world_controller")
        controller = controllers.AndroidWorldController(
            calls, a11y_method=controllers.A11yMethod.UIAUTOMATOR, install_a11y_forwarding_app=False
        )
        self._env = checkout.module("env.interface").AsyncAndroidEnv(controller)
        return calls

    def _tear_down(self) -> None:
        """Undo what the running task made; what cannot be undone is left to the next reset."""
        running, self._task = self._task, None
        if running is None:
            return
        try:
            with self._asking(f"{running.name}.tear_down"):
                running.tear_down(self._env)
        except (DeviceError, TaskError) as error:
            _log.warning("%s: %s", self._device.id, error)

    @contextmanager
    def _asking(self, doing: str) -> Iterator[None]:
        """Its code runs; a fault of the phone comes out of it, even one that it has caught."""
        assert self._calls is not None
        self._calls.take_fault()
        try:
            yield
        except DistrlError:
            raise
        # Whatever the code of a task raises: it must not end a collector.
        except Exception as error:
            raise self._calls.take_fault() or TaskError(f"{doing}: {error!r}") from error
        if fault := self._calls.take_fault():
            raise fault
