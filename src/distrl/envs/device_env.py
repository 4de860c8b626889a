"""One device, one referee: the environment that a policy plays in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from distrl.errors import ActionError, DeviceError, TaskError, boundary
from distrl.interfaces import Device, StatefulDevice, Transition, innermost
from distrl.types import Action, Kind, Observation, Outcome, Task, Verdict


class Referee(Protocol):
    """Poses tasks on one kind of device and decides how they ended."""

    def begin(self, task: Task) -> None:
        """Reset the device and set the task up on it."""
        ...

    def outcome(self, kind: Kind) -> Outcome:
        """How the episode ends if an action of this kind was its last."""
        ...

    def verdict(self, outcome: Outcome) -> Verdict:
        """The opinion of an episode that ended so."""
        ...


@runtime_checkable
class HearsAnswers(Protocol):
    """A referee whose tasks may ask for an answer in words."""

    def answered(self, text: str) -> Outcome:
        """How the episode ends if this answer was its last action."""
        ...


@runtime_checkable
class ResumableReferee(Protocol):
    """A referee who can go on with an episode that was left, on this device or on another one."""

    def posed(self) -> Any:
        """What the running task was posed with; nobody changes it in place."""
        ...

    def resume(self, posed: Any) -> None:
        """Judge that task from now on. The device is not touched."""
        ...


@dataclass(frozen=True, slots=True)
class SavedEpisode:
    """A running episode that can be gone on with, as often as wanted."""

    device: dict[str, Any]
    """State of the device."""
    posed: Any
    """What the referee knows of the task."""
    steps_left: int
    verdicts: tuple[Verdict, ...]


def perform(device: Device, action: Action) -> str:
    """Carry out one action; returns why the device cannot, and "" if it could.

    An action that a device does not have is the policy's mistake and not a fault of the device: it
    costs a step, as tapping on nothing does.
    """
    try:
        device.perform(action)
    except ActionError as error:
        return str(error)
    return ""


class DeviceEnv:
    """Plays tasks on a device, with the endings that the learning method is defined on.

    complete           succeeded if the check holds, else false_complete    terminated
    answer             the same for a task that asks: its check compares    terminated
                       the answer; for any other it is complete
    infeasible         succeeded if the task is, else failed                terminated
    the step limit     step_limit: the horizon is part of the task          terminated
    a fault            device_lost, or task_error for the task's own bug    truncated

    The reward is 1 on the last step of a success and 0 everywhere else. The state is judged as
    the policy saw it: what ends an episode is not carried out on the device.
    """

    def __init__(self, device: Device, referee: Referee) -> None:
        """Play on `device`, by the rules of `referee`, who watches the same device."""
        self._device = device
        self._referee = referee
        self._steps_left = 0
        self._seen: Observation | None = None
        self._verdicts: tuple[Verdict, ...] = ()

    @property
    def device_id(self) -> str:
        """The device's name."""
        return self._device.id

    def reset(self, task: Task) -> Observation:
        """Set a task up; raises DeviceError or TaskError when that fails."""
        self._steps_left, self._verdicts = 0, ()
        with boundary(TaskError, f"setting {task.id} up"):
            self._referee.begin(task)
        self._seen = self._device.observe()
        self._steps_left = task.step_limit
        return self._seen

    def step(self, action: Action) -> Transition:
        """Carry out one action; TaskError when no episode is running."""
        if self._steps_left == 0 or self._seen is None:
            raise TaskError("no episode is running; reset the environment first")
        self._steps_left -= 1
        try:
            return self._advance(action)
        # A fault is a value, not an exception: whoever collects stores the episode with its cause
        # and goes on with another device.
        except DeviceError as error:
            return self._cut_off(Outcome.DEVICE_LOST, error, self._seen)
        except TaskError as error:
            return self._cut_off(Outcome.TASK_ERROR, error, self._seen)

    def verdicts(self) -> tuple[Verdict, ...]:
        """The referee's opinion of the episode that has ended; none after a fault."""
        return self._verdicts

    def save(self) -> SavedEpisode:
        """The episode as it stands; TaskError where device or referee cannot be taken back."""
        device, referee = self._resumable()
        return SavedEpisode(device.snapshot(), referee.posed(), self._steps_left, self._verdicts)

    def resume(self, saved: SavedEpisode) -> Observation:
        """Go on with an episode, of this environment or of another one on the same kind of device.

        TaskError where that cannot be.
        """
        device, referee = self._resumable()
        referee.resume(saved.posed)
        device.restore(saved.device)
        self._steps_left, self._verdicts = saved.steps_left, saved.verdicts
        self._seen = self._device.observe()
        return self._seen

    def close(self) -> None:
        """Release the device."""
        self._device.close()

    def _resumable(self) -> tuple[StatefulDevice, ResumableReferee]:
        device, referee = innermost(self._device), self._referee
        if not isinstance(device, StatefulDevice) or not isinstance(referee, ResumableReferee):
            raise TaskError(f"the state of {self.device_id} cannot be taken out and put back")
        return device, referee

    def _advance(self, action: Action) -> Transition:
        declared = action.kind.ends_episode
        refused = "" if declared else perform(self._device, action)
        # Also after a declared end: the last screen is stored, and judges look at it.
        self._seen = self._device.observe()
        if not declared and self._steps_left:
            return Transition(
                self._seen, 0.0, terminated=False, truncated=False, outcome=None, refused=refused
            )
        self._steps_left = 0
        # Whatever a check of a suite raises is the task's own bug, and must not stop a collector.
        with boundary(TaskError, "judging the episode"):
            outcome = self._outcome(action)
            self._verdicts = (self._referee.verdict(outcome),)
        reward = 1.0 if outcome is Outcome.SUCCEEDED else 0.0
        return Transition(
            self._seen, reward, terminated=True, truncated=False, outcome=outcome, refused=refused
        )

    def _outcome(self, last: Action) -> Outcome:
        if last.kind is not Kind.ANSWER:
            return self._referee.outcome(last.kind)
        if isinstance(self._referee, HearsAnswers):
            return self._referee.answered(last.text)
        return self._referee.outcome(Kind.COMPLETE)

    def _cut_off(self, outcome: Outcome, error: Exception, seen: Observation) -> Transition:
        self._steps_left, self._verdicts = 0, ()
        return Transition(
            seen, 0.0, terminated=False, truncated=True, outcome=outcome, fault=str(error)
        )
