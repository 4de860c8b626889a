"""Set tasks up on the embedded phone, check success on its state, and name side effects."""

from __future__ import annotations

from random import Random

from distrl import actions
from distrl.config.devices import PhoneConfig
from distrl.devices.phone.control import Control
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.state import State, lasting_changes
from distrl.errors import TaskError
from distrl.tasks.allowed_changes import allowed_paths
from distrl.tasks.oracle_hand import Do, Hand, clear_the_way
from distrl.tasks.suites import load_suite
from distrl.tasks.template import Scene, Template
from distrl.types import Action, Kind, Outcome, Task, Verdict

_MOST_TO_OPEN = 3
"""Actions that may be spent on opening the app of a task: at most swipe, swipe and tap."""
# More than all built-in suites have tasks (fewer than 8,000), so that a run never sets a task up
# twice; a bound all the same, for suites that draw new seeds without end.
_MOST_STARTS = 8192
_starts: dict[tuple[str, str], State] = {}
"""Start states by phone settings and task, shared by all phones of a process."""


class PhoneReferee:
    """Runs the tasks of one phone, one episode after another.

    Success depends on the template's check alone. Side effects are reported in the verdict and
    never change outcome or reward.
    """

    def __init__(self, device: PhoneDevice) -> None:
        """`device` is the phone that tasks are set up on."""
        self.device = device
        self._task: Task | None = None
        self._before: State = {}
        self._config: PhoneConfig | None = None
        self._made_as = ""
        self._answer: str | None = None

    @property
    def task(self) -> Task:
        """The task that is running; TaskError before the first one."""
        if self._task is None:
            raise TaskError("no task has been started on this phone")
        return self._task

    @property
    def before(self) -> State:
        """The phone's state at the start of the running task."""
        return self._before

    @property
    def template(self) -> Template:
        """The running task's template."""
        return load_suite(self.task.suite).template(self.task.template)

    def begin(self, task: Task) -> None:
        """Reset the phone and set the task up on it.

        The start is a pure function of the task and the phone's settings, and states are never
        changed in place: a task that comes back starts from the state of the first time.
        """
        self._task, self._answer = task, None
        if self.device.config is not self._config:
            self._config = self.device.config
            self._made_as = f"{self._config!r} {self.device.offered}"
        posed = f"{task.suite} {task.template} {task.seed} {sorted(task.parameters.items())}"
        start = _starts.get((self._made_as, posed))
        if start is None:
            if len(_starts) >= _MOST_STARTS:
                _starts.clear()
            start = _starts[self._made_as, posed] = self._set_up(task)
        self._before = start
        self.device.restore(start)

    def posed(self) -> tuple[Task, State]:
        """The running task and the state that it began in."""
        return self.task, self._before

    def resume(self, posed: tuple[Task, State]) -> None:
        """Judge a task that was begun before, on this phone or another one."""
        self._task, self._before = posed

    def _set_up(self, task: Task) -> State:
        template = self.template
        self.device.reset(task.seed)
        control = Control(self.device.snapshot(), "launcher")
        # The task's own random numbers: its start must not depend on what was played before.
        rng = Random(task.seed)
        template.setup(control, task.parameters, rng)
        self.device.restore(control.state)
        self._before = control.state
        if rng.random() < load_suite(task.suite).shape.already_open:
            self._open_ahead()
        return self._before

    def _open_ahead(self) -> None:
        """Start inside the app that the goal needs, unless opening it already reaches the goal."""
        start = self.device.snapshot()
        oracle = PhoneOracle(self)
        for _ in range(_MOST_TO_OPEN):
            if self.device.snapshot()["ui"]["app"] != "launcher":
                break
            self.device.perform(oracle.action())
        reached = self.device.snapshot()
        # A task that begins solved would reward the policy for nothing.
        if reached["ui"]["app"] == "launcher" or self.holds():
            self.device.restore(start)
        else:
            self._before = reached

    def outcome(self, kind: Kind) -> Outcome:
        """The outcome if an action of this kind was the last; only a declared end can succeed."""
        self._answer = None
        if kind is Kind.INFEASIBLE:
            return Outcome.SUCCEEDED if self.template.infeasible else Outcome.FAILED
        if kind is not Kind.COMPLETE:
            return Outcome.STEP_LIMIT
        return Outcome.SUCCEEDED if self.holds() else Outcome.FALSE_COMPLETE

    def answered(self, text: str) -> Outcome:
        """The outcome if this answer was the last action; a task that asks nothing ignores it."""
        self._answer = text
        return Outcome.SUCCEEDED if self.holds(text) else Outcome.FALSE_COMPLETE

    def ended_by(self, last: Action) -> Outcome:
        """The outcome if this action was the last."""
        return self.answered(last.text) if last.kind is Kind.ANSWER else self.outcome(last.kind)

    def holds(self, answer: str | None = None) -> bool:
        """Whether the goal is reached now, if `answer` is the answer."""
        if self.template.infeasible and not self.template.question:
            return False
        phone = self.device.phone
        scene = Scene(self._before, phone.state, phone.view, answer=answer)
        return self.template.check(scene, self.task.parameters)

    def verdict(self, outcome: Outcome) -> Verdict:
        """Success as the outcome says, and every lasting change that the task did not allow.

        The reason is the outcome, and what was answered if anything was.
        """
        now, said = self.device.snapshot(), self._answer
        permissions = self.template.allowed(self.task.parameters)
        allowed = allowed_paths(permissions, self._before, now)
        effects = lasting_changes(self._before, now, allowed)
        return Verdict(
            judge="state",
            success=outcome is Outcome.SUCCEEDED,
            reason=outcome.value if said is None else f"{outcome.value}: answered {said!r}",
            side_effects=effects,
        )


class PhoneOracle:
    """The scripted expert of the embedded phone: the template's own way to the goal."""

    def __init__(self, referee: PhoneReferee) -> None:
        """Act on the task that the referee has begun."""
        self._referee = referee

    def action(self) -> Action:
        """The next action: clear a pop-up, declare the end if the goal holds, or go on."""
        referee = self._referee
        hand = Hand(referee.device.phone, referee.before)
        try:
            # First, for a pop-up covers what the template would touch.
            clear_the_way(hand)
            if referee.holds():
                hand.done()
            referee.template.oracle(hand, referee.task.parameters)
        except Do as turn:
            return turn.action
        return actions.wait()
