"""An environment that somebody else serves, as one of ours."""

from __future__ import annotations

from typing import Any

from distrl import actions
from distrl.envs.openenv.connection import Connection
from distrl.envs.openenv.form import Form, read_form
from distrl.envs.openenv.view import button_number, goal_in, observation_of
from distrl.errors import DeviceError, TaskError, boundary
from distrl.interfaces import Transition
from distrl.types import Action, Kind, Observation, Outcome, Task, Verdict

SUCCESS = 0.5
"""The last reward of an episode that succeeded is at least this."""


class OpenEnvEnv:
    """Plays the episodes of a server.

    the server ends it    succeeded if its last reward is at least a half, else failed    terminated
    complete              the same with the last reward that it gave; `infeasible` fails  terminated
    the step limit        step_limit                                                      terminated
    a fault               device_lost, or task_error for a step that the server refuses    truncated

    The reward is 1 on the last step of a success and 0 everywhere else, as for every suite. A
    server of ours is told all actions, and decides itself what a declared end means. An action that
    the server has no use for is not sent: it costs a step and has no effect.
    """

    def __init__(self, device_id: str, connection: Connection) -> None:
        """Play over `connection`, in a session of its own."""
        self.device_id, self._connection = device_id, connection
        self._form: Form | None = None
        self._goal = ""
        self._steps_left = 0
        self._last_reward = 0.0
        self._seen: Observation | None = None
        self._verdicts: tuple[Verdict, ...] = ()

    @property
    def goal(self) -> str:
        """What the running episode is about, as the server words it."""
        return self._goal

    def reset(self, task: Task) -> Observation:
        """Begin the episode of a seed; raises DeviceError or TaskError when that fails."""
        self._steps_left, self._verdicts, self._last_reward = 0, (), 0.0
        with boundary(TaskError, f"setting {task.id} up"):
            if self._form is None:
                self._form = read_form(self._connection.fetch("/schema")["action"])
            shown = self._take(self._connection.ask("reset", {"seed": task.seed}))
            self._goal = goal_in(shown) or task.goal
        self._steps_left = task.step_limit
        assert self._seen is not None
        return self._seen

    def step(self, action: Action) -> Transition:
        """Carry out one action; TaskError when no episode is running."""
        if self._steps_left == 0 or self._seen is None:
            raise TaskError("no episode is running; reset the environment first")
        self._steps_left -= 1
        try:
            with boundary(TaskError, "a step of the server"):
                return self._advance(action)
        except (DeviceError, TaskError) as error:
            self._steps_left, self._verdicts = 0, ()
            lost = isinstance(error, DeviceError)
            outcome = Outcome.DEVICE_LOST if lost else Outcome.TASK_ERROR
            return Transition(self._seen, 0.0, False, True, outcome, fault=str(error))

    def verdicts(self) -> tuple[Verdict, ...]:
        """The server's opinion of the episode that has ended; none after a fault."""
        return self._verdicts

    def close(self) -> None:
        """End the session."""
        self._connection.close()

    def _advance(self, action: Action) -> Transition:
        message, refused = self._message(action)
        done = False
        if message is not None:
            answer = self._connection.ask("step", message)
            self._take(answer)
            self._last_reward, done = float(answer.get("reward") or 0.0), bool(answer.get("done"))
        assert self._seen is not None
        outcome = self._outcome(action.kind, done=done)
        if outcome is None:
            return Transition(self._seen, 0.0, False, False, None, refused=refused)
        self._steps_left = 0
        won = outcome is Outcome.SUCCEEDED
        self._verdicts = (Verdict(judge="server", success=won, reason=outcome.value),)
        return Transition(self._seen, float(won), True, False, outcome, refused=refused)

    def _message(self, action: Action) -> tuple[dict[str, Any] | None, str]:
        """What to send for an action; nothing, and why, where the server has no use for it."""
        assert self._form is not None and self._seen is not None
        form = self._form
        if form.actions:
            return {"action": actions.to_text(action), "screen": True}, ""
        if action.kind.ends_episode:
            return None, ""
        if action.kind is Kind.TYPE and form.text is not None:
            return {form.text: action.text}, ""
        if action.kind is Kind.TAP and form.choice is not None:
            number = button_number(actions.element_at(self._seen, action.x, action.y))
            if number is not None:
                return {form.choice: form.values[number]}, ""
        return None, "this server takes " + ("a text" if form.text else "a tap on its buttons")

    def _outcome(self, kind: Kind, *, done: bool) -> Outcome | None:
        if done or kind is Kind.COMPLETE:
            if self._last_reward >= SUCCESS:
                return Outcome.SUCCEEDED
            return Outcome.FALSE_COMPLETE if kind is Kind.COMPLETE else Outcome.FAILED
        if kind is Kind.INFEASIBLE:
            return Outcome.FAILED
        return None if self._steps_left else Outcome.STEP_LIMIT

    def _take(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Look at what an answer shows."""
        assert self._form is not None
        shown = answer.get("observation")
        if not isinstance(shown, dict):
            raise TaskError(f"the server shows {str(shown)[:200]}, which is no JSON object")
        self._seen = observation_of(shown, self._form)
        return shown
