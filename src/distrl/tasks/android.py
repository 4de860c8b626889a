"""Goals for real Android phones, from a file, and how it is checked over adb that they are reached.

    step_limit: 15
    tasks:
      - goal: Turn Bluetooth on
        start:
          settings: {global.bluetooth_on: "0"}
          stop: [com.android.settings]
        check:
          - setting: global.bluetooth_on
            is: "1"
      - goal: Open the clock
        split: val
        check:
          - app: com.google.android.deskclock

A check is one of these, and all checks of a task must hold:

    setting: SPACE.NAME   is: VALUE                    the value of a setting
    app: PACKAGE                                       the app in front
    package: PACKAGE      installed: true or false     whether it is installed
    file: PATH            contains: TEXT               whether it is there, with this text in it
    answer: TEXT                                       what the agent has to answer, in any form

A text file has one goal a line; lines that begin with # do not count. Such goals have no checks:
they can be played, but whoever declares one complete gets no verdict, and nothing is trained on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from distrl.config.load import parse_yaml
from distrl.errors import ConfigError, TaskError, unknown_name
from distrl.tasks.answers import same_answer
from distrl.tasks.pools import SPLITS
from distrl.tasks.suites import Suite, SuiteShape
from distrl.tasks.template import Template
from distrl.types import Kind, Outcome, Task, Verdict

_STEP_LIMIT = 15
"""Of goals without one of their own; the same as the general suite's."""
_FIRST_SEED = 90_000_000
"""Above the seeds of all built-in suites, so that none is shared with them."""
_CHECKS = ("setting", "app", "package", "file", "answer")
_SPACES = ("global", "secure", "system")
_UNKNOWN_KEY = re.compile(r"unknown field `(.+?)`(?: - at `(.*)`)?")


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is done to the phone before a task."""

    settings: dict[str, str] = {}
    stop: tuple[str, ...] = ()
    app: str = ""
    """Brought to the front."""


class Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that holds when the goal is reached."""

    setting: str = ""
    is_: str = msgspec.field(default="", name="is")
    app: str = ""
    package: str = ""
    installed: bool = True
    file: str = ""
    contains: str = ""
    answer: str = ""

    def kinds(self) -> list[str]:
        """Which of the five it is; exactly one in a check that can be used."""
        return [name for name in _CHECKS if getattr(self, name)]

    def __str__(self) -> str:
        (kind,) = self.kinds()
        more = {"setting": f" is {self.is_}", "app": " in front"}
        if self.package and not self.installed:
            return f"package {self.package} is not installed"
        return f"{kind} {getattr(self, kind)}{more.get(kind, '')}"


class Goal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One task as the file states it."""

    goal: str
    split: str = "train"
    step_limit: int = 0
    start: Start = Start()
    check: tuple[Check, ...] = ()


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tasks: tuple[Goal, ...]
    step_limit: int = _STEP_LIMIT


class GoalTemplate(Template):
    """One goal of a file, as a template with nothing to draw."""

    def __init__(self, name: str, goal: Goal) -> None:
        """Name it by its number in the file."""
        self.name, self.phrasings = name, (goal.goal,)
        self.unseen = goal.split == "unseen"
        self.question = any(check.answer for check in goal.check)


class AndroidSuite(Suite):
    """The goals of one file, a template each."""

    device = "android"

    def __init__(self, name: str, goals: Sequence[Goal], step_limit: int) -> None:
        """Number the goals; `name` is the file's."""
        shape = SuiteShape(
            sizes=dict.fromkeys(SPLITS, 0), step_limit=step_limit, first_seed=_FIRST_SEED
        )
        self._goals = {f"goal-{number}": goal for number, goal in enumerate(goals)}
        templates = [GoalTemplate(name, goal) for name, goal in self._goals.items()]
        super().__init__(name, templates, shape)

    def goal_of(self, task: Task) -> Goal:
        """What the file says of a task."""
        if task.template not in self._goals:
            raise unknown_name(f"goal of {self.name}", task.template, self._goals)
        return self._goals[task.template]

    def _draw(self, split: str) -> tuple[Task, ...]:
        chosen = {name: goal for name, goal in self._goals.items() if goal.split == split}
        return tuple(
            Task(
                id=f"{self.name}/{split}/{index}",
                goal=goal.goal,
                suite=self.name,
                split=split,
                template=name,
                parameters={},
                seed=_FIRST_SEED + int(name.removeprefix("goal-")),
                step_limit=goal.step_limit or self.shape.step_limit,
            )
            for index, (name, goal) in enumerate(chosen.items())
        )


def read_suite(name: str) -> AndroidSuite:
    """The suite in a file; ConfigError when it cannot be read or says what cannot be."""
    path = Path(name)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the suite {name!r}: {error}") from error
    if path.suffix == ".txt":
        lines = (line.strip() for line in text.splitlines())
        goals = tuple(Goal(line) for line in lines if line and not line.startswith("#"))
        stated = _File(goals)
    else:
        stated = _parse(name, text)
    if not stated.tasks:
        raise ConfigError(f"there are no goals in {name!r}")
    for goal in stated.tasks:
        _refuse_wrong(name, goal)
    return AndroidSuite(name, stated.tasks, stated.step_limit)


class Phone(Protocol):
    """What a check may ask of a phone, and a start may do to it."""

    def setting(self, space: str, name: str) -> str:
        """A setting's value; `null` when it is not set."""
        ...

    def current_app(self) -> str:
        """The package in front."""
        ...

    def packages(self) -> frozenset[str]:
        """All installed packages."""
        ...

    def read_file(self, path: str) -> bytes | None:
        """What a file holds; None when there is none."""
        ...

    def put_setting(self, space: str, name: str, value: str) -> None:
        """Change a setting."""
        ...

    def start_app(self, package: str) -> None:
        """Bring an app to the front."""
        ...

    def stop_app(self, package: str) -> None:
        """End an app."""
        ...


class AndroidReferee:
    """Sets the goals of a file up on a phone and checks over adb whether they are reached."""

    def __init__(
        self, phone: Phone, reset: Callable[[int], None], find_suite: Callable[[str], Suite]
    ) -> None:
        """Watch over a phone that `reset` returns to its start."""
        self._phone, self._reset, self._find_suite = phone, reset, find_suite
        self._goal: Goal | None = None
        self._failed: tuple[str, ...] = ()

    def begin(self, task: Task) -> None:
        """Reset the phone and do what the task's start says."""
        suite = self._find_suite(task.suite)
        if not isinstance(suite, AndroidSuite):
            raise TaskError(f"the suite {task.suite!r} is not a file of goals for real phones")
        self._goal = suite.goal_of(task)
        self._reset(task.seed)
        start = self._goal.start
        for name, value in start.settings.items():
            space, _, key = name.partition(".")
            self._phone.put_setting(space, key, value)
        for package in start.stop:
            self._phone.stop_app(package)
        if start.app:
            self._phone.start_app(start.app)

    def outcome(self, kind: Kind) -> Outcome:
        """How the episode ends; TaskError where a goal that has no checks is declared complete."""
        if self._goal is None:
            raise TaskError("no task has been started on this phone")
        self._failed = ()
        if kind is Kind.INFEASIBLE:
            return Outcome.FAILED
        if kind is not Kind.COMPLETE:
            return Outcome.STEP_LIMIT
        return self.answered("")

    def answered(self, text: str) -> Outcome:
        """How the episode ends with this answer; a goal that asks nothing ignores it."""
        if self._goal is None:
            raise TaskError("no task has been started on this phone")
        if not self._goal.check:
            raise TaskError(f"nobody can say whether {self._goal.goal!r} is done: it has no check")
        self._failed = tuple(
            str(check) for check in self._goal.check if not holds(check, self._phone, text)
        )
        return Outcome.FALSE_COMPLETE if self._failed else Outcome.SUCCEEDED

    def verdict(self, outcome: Outcome) -> Verdict:
        """Which checks do not hold."""
        reason = "; ".join((outcome.value, *(f"not so: {check}" for check in self._failed)))
        return Verdict(judge="adb", success=outcome is Outcome.SUCCEEDED, reason=reason)


def holds(check: Check, phone: Phone, answer: str = "") -> bool:
    """Whether a check holds on a phone now, after this answer."""
    if check.answer:
        return same_answer(answer, check.answer)
    if check.setting:
        space, _, name = check.setting.partition(".")
        return phone.setting(space, name) == check.is_
    if check.app:
        return phone.current_app() == check.app
    if check.package:
        return (check.package in phone.packages()) is check.installed
    content = phone.read_file(check.file)
    return content is not None and check.contains.encode() in content


def unjudged(suite: Suite, split: str) -> tuple[str, ...]:
    """Goals of a split that nobody can judge."""
    if not isinstance(suite, AndroidSuite):
        return ()
    return tuple(task.goal for task in suite.tasks(split) if not suite.goal_of(task).check)


def _parse(name: str, text: str) -> _File:
    tree = parse_yaml(text, name)
    if not isinstance(tree, dict):
        raise ConfigError(
            f"{name} must hold keys and values: `tasks`, a list of goals for phones over adb, or "
            "name, url and tasks of a web app"
        )
    try:
        return msgspec.convert(tree, _File)
    except msgspec.ValidationError as error:
        raise _unfit(name, str(error)) from error


def _unfit(name: str, problem: str) -> ConfigError:
    """What msgspec has against a file, with the nearest right name if it is about a key."""
    found = _UNKNOWN_KEY.search(problem)
    if found is None:
        return ConfigError(f"the suite {name!r} does not fit: {problem}")
    key, where = found[1], found[2] or ""
    kind: type[msgspec.Struct] = _File
    for part, struct in (("tasks", Goal), ("start", Start), ("check", Check)):
        kind = struct if part in where else kind
    names = [field.encode_name for field in msgspec.structs.fields(kind)]
    return unknown_name(f"key in {name}{where.removeprefix('$')}", key, names)


def _refuse_wrong(name: str, goal: Goal) -> None:
    if not goal.goal.strip():
        raise ConfigError(f"a goal in {name!r} is empty")
    if goal.split not in SPLITS:
        raise unknown_name(f"split of {goal.goal!r} in {name!r}", goal.split, SPLITS)
    for check in goal.check:
        if len(check.kinds()) != 1:
            raise ConfigError(
                f"a check of {goal.goal!r} in {name!r} must be one of {', '.join(_CHECKS)}, "
                f"got {check.kinds() or 'none'}"
            )
    settings = [*goal.start.settings, *(c.setting for c in goal.check if c.setting)]
    for setting in settings:
        if not re.fullmatch(rf"({'|'.join(_SPACES)})\.\w+", setting):
            raise ConfigError(
                f"a setting is named {' or '.join(_SPACES)}, a dot and its name, got {setting!r} "
                f"in {name!r}"
            )
