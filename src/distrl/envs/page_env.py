"""One page, one referee: the environment of tasks whose page may end them itself."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from distrl.envs.device_env import HearsAnswers, perform
from distrl.errors import DeviceError, TaskError, boundary
from distrl.interfaces import Device, Transition
from distrl.types import Action, Kind, Observation, Outcome, Task, Verdict


class PageRules(Protocol):
    """Poses tasks on a page and reads from it how they ended."""

    def begin(self, task: Task) -> None:
        """Load the page and set the task up on it."""
        ...

    @property
    def goal(self) -> str:
        """What the page asks for."""
        ...

    @property
    def judged_by_page(self) -> bool:
        """Whether the page ends its episodes; otherwise who acts declares the end."""
        ...

    def ended(self) -> Outcome | None:
        """How the page has ended the episode, if it did."""
        ...

    def holds(self) -> bool:
        """Whether the goal is reached now."""
        ...

    def verdict(self, outcome: Outcome) -> Verdict:
        """The opinion of an episode that ended so."""
        ...


@runtime_checkable
class HearsInfeasible(Protocol):
    """Rules by which a task may be right to declare infeasible."""

    def declared_infeasible(self) -> Outcome:
        """How the episode ends with that declaration."""
        ...


class PageEnv:
    """Plays tasks on pages.

    the page ends      succeeded or failed, as the page says               terminated
    the step limit     step_limit: the horizon is part of the task         terminated
    a fault            device_lost, or task_error for the task's own bug   truncated
    complete           where the page does not end episodes: succeeded if the check holds, else
                       false_complete; where it does, nobody asked: a step in which nothing is done
    answer             the same; a task that asks compares the answer

    `infeasible` is never right on a page that asks for something it has, and ends as `failed`
    where declarations count, unless the rules hear it. The reward is 1 on the last step of a
    success and 0 everywhere else.
    """

    def __init__(self, device: Device, rules: PageRules) -> None:
        """Play on `device`, by the rules of `rules`, who watches the same page."""
        self._device, self._rules = device, rules
        self._steps_left = 0
        self._seen: Observation | None = None
        self._verdicts: tuple[Verdict, ...] = ()
        self._goal = ""

    @property
    def device_id(self) -> str:
        """The page's name."""
        return self._device.id

    @property
    def goal(self) -> str:
        """What the running episode is about, as the page said it."""
        return self._goal

    def reset(self, task: Task) -> Observation:
        """Set a task up; raises DeviceError or TaskError when that fails."""
        self._steps_left, self._verdicts = 0, ()
        with boundary(TaskError, f"setting {task.id} up"):
            self._rules.begin(task)
            self._goal = self._rules.goal
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
        except (DeviceError, TaskError) as error:
            self._steps_left, self._verdicts = 0, ()
            lost = isinstance(error, DeviceError)
            return Transition(
                self._seen,
                0.0,
                terminated=False,
                truncated=True,
                outcome=Outcome.DEVICE_LOST if lost else Outcome.TASK_ERROR,
                fault=str(error),
            )

    def verdicts(self) -> tuple[Verdict, ...]:
        """The page's opinion of the episode that has ended; none after a fault."""
        return self._verdicts

    def close(self) -> None:
        """Release the page."""
        self._device.close()

    def _advance(self, action: Action) -> Transition:
        refused = "" if action.kind.ends_episode else perform(self._device, action)
        self._seen = self._device.observe()
        with boundary(TaskError, "judging the episode"):
            outcome = self._outcome(action)
            if outcome is None:
                return Transition(
                    self._seen,
                    0.0,
                    terminated=False,
                    truncated=False,
                    outcome=None,
                    refused=refused,
                )
            self._steps_left = 0
            self._verdicts = (self._rules.verdict(outcome),)
        reward = 1.0 if outcome is Outcome.SUCCEEDED else 0.0
        return Transition(
            self._seen, reward, terminated=True, truncated=False, outcome=outcome, refused=refused
        )

    def _outcome(self, last: Action) -> Outcome | None:
        # The page first: where it ends the episode itself, its word counts even on the last step.
        ended = self._rules.ended()
        if ended is not None:
            return ended
        if not self._rules.judged_by_page:
            if last.kind is Kind.ANSWER and isinstance(self._rules, HearsAnswers):
                return self._rules.answered(last.text)
            if last.kind in (Kind.COMPLETE, Kind.ANSWER):
                return Outcome.SUCCEEDED if self._rules.holds() else Outcome.FALSE_COMPLETE
            if last.kind is Kind.INFEASIBLE:
                if isinstance(self._rules, HearsInfeasible):
                    return self._rules.declared_infeasible()
                return Outcome.FAILED
        return None if self._steps_left else Outcome.STEP_LIMIT
