"""Tasks on a phone that is served over adb: posed there, and judged there.

    here                                          on the served phone
    ServedReferee.begin    -- distrl begin ID --> PhoneReferee.begin
    ServedOracle.action    -- distrl oracle ----> PhoneOracle.action
    ServedReferee.outcome  -- distrl outcome ---> PhoneReferee.outcome and verdict
    ServedReferee.answered -- distrl answered --> PhoneReferee.answered and verdict

`distrl` is a command that only served phones have. The phone's own state is judged where it is,
so an episode over adb ends as it would in one process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

import msgspec

from distrl.devices.phone.device import PhoneDevice
from distrl.errors import ConfigError, TaskError, unknown_name
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.suites import find_task
from distrl.types import Action, Kind, Outcome, Task, Verdict

Ask: TypeAlias = Callable[[Sequence[str]], str]
"""Runs the phone's command `distrl` with these arguments and returns what it printed."""

T = TypeVar("T")

COMMANDS = ("answered", "begin", "oracle", "outcome", "reset")


class _Begun(msgspec.Struct, frozen=True):
    goal: str
    seed: int


class _Judged(msgspec.Struct, frozen=True):
    outcome: Outcome
    verdict: Verdict


class TaskConsole:
    """What the command `distrl` on a served phone does."""

    def __init__(self, device: PhoneDevice, *, find: Callable[[str], Task] = find_task) -> None:
        """Pose tasks on a phone; `find` knows them by their ids, by default those of suites."""
        self._find = find
        self._referee = PhoneReferee(device)
        self._oracle = PhoneOracle(self._referee)

    def __call__(self, arguments: Sequence[str]) -> str:
        """Run one command; ConfigError when there is none of its name."""
        name, *rest = arguments or ("",)
        match name, rest:
            case "begin", [task_id]:
                return self.begin(task_id)
            case "reset", [seed] if seed.removeprefix("-").isdecimal():
                self._referee.device.reset(int(seed))
                return ""
            case "oracle", []:
                return _written(self._oracle.action())
            case "outcome", [kind] if kind in tuple(Kind):
                return self._judged(self._referee.outcome(Kind(kind)))
            case "answered", [text]:
                return self._judged(self._referee.answered(_read(text, str)))
        if name not in COMMANDS:
            raise unknown_name("command", name, COMMANDS)
        raise ConfigError(f"{name} cannot be used with {rest}")

    def _judged(self, outcome: Outcome) -> str:
        return _written(_Judged(outcome, self._referee.verdict(outcome)))

    def begin(self, task_id: str) -> str:
        """Set a task up by its id."""
        task = self._find(task_id)
        self._referee.begin(task)
        return _written(_Begun(task.goal, task.seed))


class ServedReferee:
    """Poses tasks on a served phone and asks it how they ended."""

    def __init__(self, ask: Ask, prepare: Callable[[], None] = lambda: None) -> None:
        """`ask` runs a command on the phone; `prepare` checks before every task that it answers."""
        self._ask, self._prepare = ask, prepare
        self._verdict: Verdict | None = None

    def begin(self, task: Task) -> None:
        """Set a task up; TaskError when the phone knows another task by its id."""
        self._verdict = None
        self._prepare()
        begun = _read(self._ask(["begin", task.id]), _Begun)
        if (begun.goal, begun.seed) != (task.goal, task.seed):
            raise TaskError(
                f"the phone knows {task.id} as {begun.goal!r}, not as {task.goal!r}: "
                "serve it with the same version of this package"
            )

    def outcome(self, kind: Kind) -> Outcome:
        """How the episode ends if an action of this kind was its last."""
        return self._heard("outcome", kind)

    def answered(self, text: str) -> Outcome:
        """How the episode ends if this answer was its last action."""
        # As ASCII: any letters, line ends too, pass through a shell unharmed.
        return self._heard("answered", json.dumps(text))

    def _heard(self, command: str, argument: str) -> Outcome:
        judged = _read(self._ask([command, argument]), _Judged)
        self._verdict = judged.verdict
        return judged.outcome

    def verdict(self, outcome: Outcome) -> Verdict:
        """The phone's opinion of the episode, as it was when it ended."""
        if self._verdict is None or _outcome_of(self._verdict) != outcome.value:
            raise TaskError(f"the phone has not judged an episode that ended as {outcome}")
        return self._verdict


class ServedOracle:
    """Knows the way on a served phone, by asking it."""

    def __init__(self, ask: Ask) -> None:
        """Speak to a phone."""
        self._ask = ask

    def action(self) -> Action:
        """The next action towards the goal of the task that was begun last."""
        return _read(self._ask(["oracle"]), Action)


def _outcome_of(verdict: Verdict) -> str:
    """The outcome that a verdict names first."""
    return verdict.reason.partition(":")[0]


def _written(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _read(text: str, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.MsgspecError as error:
        raise TaskError(f"the phone answered {text[:80]!r} ({error})") from error
