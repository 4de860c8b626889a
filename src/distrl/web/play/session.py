"""A session: one device, one thread that plays episodes on it, a person and policies by turns.

    start(task) --> set up --> whose turn? --the person's action, or the policy's--> device
                                   ^                                                    |
                                   +-------------------- goes on -----------------------+--> ended

Requests come from any thread and return at once; the session's thread alone touches the device.
What it shows are Snapshots. Takeover decides between the person and the policy, as in a run.
"""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from distrl.clock import RealClock
from distrl.collect.driver import drive
from distrl.collect.episode import Decide, Wait, play
from distrl.collect.evaluation.evaluate import PolicyFactory
from distrl.collect.takeover import Takeover
from distrl.envs.device_kinds import NoOracle, env_on
from distrl.errors import ConfigError, ServiceError, unknown_name
from distrl.interfaces import Device, Policy, SaysGoal, SaysValue, Transition
from distrl.run.state.demonstrations import (
    has_demonstrations,
    open_demonstrations,
    read_demonstrations,
)
from distrl.types import Action, Choice, Episode, Observation, Outcome, Situation, Task
from distrl.web.play.screens import Screens, backspace_of, screen_of
from distrl.web.play.snapshot import (
    YOU,
    Deed,
    Kept,
    Phase,
    Snapshot,
    begun,
    describe,
    ending_of,
)

MOST_PENDING = 8
"""Actions that may wait for a slow device: more would go to screens that nobody has seen."""
LONGEST_PACE = 10.0
_MOST_LISTED = 30
_STOP_SECONDS = 10.0
_log = logging.getLogger(__name__)


class _Left(Exception):  # noqa: N818 - control flow, not an error
    """Somebody asked for another episode, or for the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionParts:
    """What a session works with."""

    make_device: Callable[[], Device]
    policies: Mapping[str, Callable[[], PolicyFactory]]
    """What may act, by name; called when it is first chosen, for loading takes time."""
    demonstrations: Path
    """Folder that episodes are kept in; made when the first is."""


class Session:
    """Plays on one device. Any thread may ask and look."""

    def __init__(self, parts: SessionParts, task: Task, *, policy: str = "") -> None:
        """Make the device and start with `task`; ConfigError when there is no such device."""
        self._parts = parts
        self._clock = RealClock()
        self._changed = threading.Condition()
        self._takeover = Takeover(
            _not_expressed, lambda: 0, patience=None, most_pending=MOST_PENDING
        )
        self.id = uuid4().hex
        """Of this session: the next one on the same port numbers its screens from 1 again."""
        self.screens = Screens()
        self._snapshot = replace(Snapshot(), policy=self._known(policy))
        self._listeners: list[Callable[[], None]] = []
        self._next: Task | None = task
        self._task = task
        self._step_asked = self._closing = False
        self._episode: Episode | None = None
        self._factories: dict[str, PolicyFactory] = {}
        self._acting: dict[str, Policy] = {}
        """Policies that have begun the running episode."""
        self._doing: Deed | None = None
        self._list_kept()
        self._open()
        self._thread = threading.Thread(target=self._run, name="play-session", daemon=True)
        self._thread.start()

    # What any thread may ask.

    @property
    def snapshot(self) -> Snapshot:
        """The newest state."""
        return self._snapshot

    @property
    def task(self) -> Task:
        """The task that is played, or was last."""
        return self._task

    def listen(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Call `changed` after every change, briefly, from any thread; returns what ends that."""
        with self._changed:
            self._listeners.append(changed)
        return lambda: self._unlisten(changed)

    def start(self, task: Task) -> None:
        """Begin an episode of a task; the one that is running is given up."""
        with self._changed:
            # Here and not when it begins: what is asked for after this is meant for the new one.
            self._next, self._step_asked = task, False
            self._wake()
            self._publish(taken=False)

    def restart(self) -> None:
        """Begin the task once more; on a new device if the last one failed."""
        self.start(self._task)

    def act(self, action: Action) -> bool:
        """Carry a person's action out, who takes over with it.

        False when too many wait, and when no episode is running.
        """
        with self._changed:
            now = self._snapshot
            if now.is_over or now.phase is Phase.OPENING or self._next is not None:
                return False
            self._takeover.take(self._device.id)
            accepted = self._takeover.act(self._device.id, action)
            self._publish(pending=self._pending(), taken=bool(now.policy))
            self._changed.notify_all()
            return accepted

    def take(self) -> None:
        """The person takes over from the policy, which waits from its next decision on."""
        with self._changed:
            if self._snapshot.policy:
                self._takeover.take(self._device.id)
                self._publish(taken=True)
                self._changed.notify_all()

    def give(self) -> None:
        """The policy goes on; what the person still wanted to do is dropped."""
        with self._changed:
            self._wake()
            self._publish(taken=False)

    def choose_policy(self, name: str) -> None:
        """Let a policy act from now on, or the person alone; ConfigError for an unknown one."""
        with self._changed:
            self._publish(policy=self._known(name), taken=False, proposal=None, notice="")
            self._wake()

    def run(self, *, running: bool) -> None:
        """Let the policy act by itself, or wait."""
        with self._changed:
            self._step_asked = False
            self._publish(running=running)
            self._changed.notify_all()

    def step(self) -> None:
        """Let the policy act once, and wait then."""
        with self._changed:
            self._step_asked = True
            self._wake()
            self._publish(running=False, taken=False)

    def set_pace(self, seconds: float) -> None:
        """How long a decision is shown before it is carried out."""
        if not 0.0 <= seconds <= LONGEST_PACE:
            raise ConfigError(f"a pace is 0 to {LONGEST_PACE:g} seconds, got {seconds:g}")
        with self._changed:
            self._publish(pace=seconds)
            self._changed.notify_all()

    def keep(self) -> None:
        """Store the episode that has ended as a demonstration; twice stores it once."""
        with self._changed:
            episode, ending = self._episode, self._snapshot.ending
        if episode is None or ending is None or not ending.can_be_kept:
            raise ConfigError("there is no finished episode that could be kept")
        # Not under the lock: the disk may be slow. An id that is there already is not added again.
        with open_demonstrations(self._parts.demonstrations) as store:
            store.add(episode)
        self._list_kept()
        with self._changed:
            if self._snapshot.ending is ending:
                self._publish(ending=replace(ending, kept=True))

    def close(self) -> None:
        """End the thread and release the device; a second call does nothing."""
        with self._changed:
            self._closing = True
            self._takeover.close()
            self._changed.notify_all()
        self._thread.join(_STOP_SECONDS)

    # Helpers of both sides; the lock is reentrant.

    def _publish(self, **changes: Any) -> None:
        with self._changed:
            number = self._snapshot.number + 1
            self._snapshot = replace(self._snapshot, number=number, **changes)
            for changed in self._listeners:
                changed()

    def _unlisten(self, changed: Callable[[], None]) -> None:
        with self._changed, suppress(ValueError):
            self._listeners.remove(changed)

    def _wake(self) -> None:
        """Whoever waits for the person's or the policy's turn looks again."""
        # Both conditions: the thread may wait in the takeover, or for its pace in here. It takes
        # the device again under our lock, so that no request falls between its look and its wait.
        self._takeover.give(self._device.id)
        self._changed.notify_all()

    def _known(self, policy: str) -> str:
        if policy and policy not in self._parts.policies:
            raise unknown_name("policy", policy, self._parts.policies)
        return policy

    def _pending(self) -> int:
        return self._takeover.pending(self._device.id)

    def _list_kept(self) -> None:
        folder = self._parts.demonstrations
        if not has_demonstrations(folder):
            return
        with read_demonstrations(folder) as store:
            count, rows = store.count(), store.summaries(limit=-1)[-_MOST_LISTED:]
        kept = tuple(
            Kept(id=row.id, task=row.task_id, outcome=row.outcome, steps=row.steps)
            for row in reversed(rows)
        )
        self._publish(kept=kept, kept_count=count)

    # What only the session's thread does.

    def _run(self) -> None:
        while self._next_episode():
            try:
                self._play()
            except _Left:
                pass
            except Exception as error:  # noqa: BLE001 - devices and envs of plug-ins raise anything
                _log.warning("the episode broke off", exc_info=error)
                self._break(f"{type(error).__name__}: {error}")
        with suppress(Exception):  # whatever it says now, nobody needs it any more
            self._env.close()

    def _next_episode(self) -> bool:
        """Wait for a task; False when it is time to end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing or self._next is not None)
            if self._closing or self._next is None:
                return False
            self._task, self._next = self._next, None
            self._episode, self._acting = None, {}
            lost = self._snapshot.phase is Phase.BROKEN
            self._snapshot = begun(self._snapshot, self._task)
            self._publish()
        if lost:
            with suppress(Exception):  # it has failed already
                self._env.close()
            try:
                self._open()
            except Exception as error:  # noqa: BLE001 - as above
                self._break(f"no new device: {error}")
                return self._next_episode()
        return True

    def _open(self) -> None:
        self._device = self._parts.make_device()
        self._env, self._oracle = env_on(self._device)

    def _break(self, why: str) -> None:
        self._publish(phase=Phase.BROKEN, notice=why, proposal=None, pending=0)

    def _play(self) -> None:
        task = self._task
        name = f"{task.id}/played/{uuid4().hex[:12]}"
        machine = play(self._env, task, clock=self._clock, episode_id=name, seed=task.seed)
        episode = drive(machine, self._answer)
        broken = episode.outcome is Outcome.DEVICE_LOST
        with self._changed:
            self._episode = episode
            self._publish(
                phase=Phase.BROKEN if broken else Phase.ENDED,
                ending=ending_of(episode),
                proposal=None,
                pending=0,
                notice="",
            )

    def _answer(self, wait: Wait) -> object:
        """Carry out one wait of the episode's machine."""
        if isinstance(wait, Decide):
            return self._choose(wait.situation)
        came = wait.run()
        if isinstance(came, Observation):
            goal = self._env.goal if isinstance(self._env, SaysGoal) else self._task.goal
            self._show(came, goal=goal)
        elif isinstance(came, Transition):
            assert self._doing is not None, "somebody has decided on it"
            deed = replace(self._doing, refused=came.refused)
            history = (*self._snapshot.history, deed)
            if came.outcome is Outcome.DEVICE_LOST:
                self._publish(history=history, proposal=None)
            else:
                self._show(came.observation, history=history, proposal=None)
        return came

    def _show(self, seen: Observation, **changes: Any) -> None:
        screen = screen_of(self._device, seen)
        focused = any(e.focused and e.editable for e in seen.elements or ())
        self._publish(
            screen=self.screens.add(screen),
            width=screen.width,
            height=screen.height,
            app=seen.app,
            keyboard=seen.keyboard or focused,
            backspace=backspace_of(self._device, seen),
            pending=self._pending(),
            **changes,
        )

    def _choose(self, situation: Situation) -> Choice:
        """The next choice, of the person or of the policy; _Left when it is asked for no more."""
        proposed: tuple[str, Choice, Deed] | None = None
        while True:
            name = self._give_turn()
            by_hand = self._takeover.choose(self._device.id, situation)
            if by_hand is not None:
                self._begin_action(_deed(YOU, by_hand, situation))
                return by_hand
            if not name:
                continue
            if proposed is None or proposed[0] != name:
                asked = self._ask(name, situation)
                if asked is None:
                    continue
                proposed = (name, *asked)
            if self._await_pace(*proposed):
                self._begin_action(proposed[2])
                return proposed[1]

    def _give_turn(self) -> str:
        """The policy whose turn it is; without one, or once taken, the person gets it."""
        with self._changed:
            if self._closing or self._next is not None:
                raise _Left
            name = self._snapshot.policy
            if not name:
                self._takeover.take(self._device.id)
            if self._device.id in self._takeover.states():
                self._publish(phase=Phase.PERSON, proposal=None)
            return name

    def _begin_action(self, deed: Deed) -> None:
        self._doing = deed
        self._publish(phase=Phase.ACTING, proposal=deed, pending=self._pending(), notice="")

    def _ask(self, name: str, situation: Situation) -> tuple[Choice, Deed] | None:
        """What a policy would do; None if it failed, and then the person goes on alone."""
        self._publish(phase=Phase.LOADING)
        try:
            policy = self._policy(name)
            (choice,) = policy.act((situation,))
            value = policy.value(situation) if isinstance(policy, SaysValue) else None
        except Exception as error:  # noqa: BLE001 - policies of plug-ins raise anything
            if not isinstance(error, ServiceError | ConfigError):
                _log.warning("the policy %s failed", name, exc_info=error)
            with self._changed:
                if self._snapshot.policy == name:
                    self._publish(policy="", notice=f"{name} cannot go on: {error}")
            return None
        return choice, _deed(name, choice, situation, value)

    def _policy(self, name: str) -> Policy:
        """A policy that has begun the running episode."""
        if name not in self._acting:
            if name not in self._factories:
                self._factories[name] = self._parts.policies[name]()
            policy = self._factories[name](self._oracle or NoOracle(self._task.suite))
            policy.begin(self._task.seed)
            self._acting[name] = policy
        return self._acting[name]

    def _await_pace(self, name: str, _: Choice, deed: Deed) -> bool:
        """Show what the policy is about to do; whether it may, once its time has come."""
        shown = self._clock.now()
        with self._changed:
            if self._snapshot.proposal is not deed and not self._interrupts(name):
                self._publish(phase=Phase.POLICY, proposal=deed)
            while not self._interrupts(name):
                if self._step_asked:
                    self._step_asked = False
                    return True
                left = shown + self._snapshot.pace - self._clock.now()
                if self._snapshot.running and left <= 0:
                    return True
                self._changed.wait(left if self._snapshot.running else None)
        return False

    def _interrupts(self, name: str) -> bool:
        taken = self._device.id in self._takeover.states()
        return self._closing or self._next is not None or taken or self._snapshot.policy != name


def _not_expressed(_: Situation, __: Action) -> tuple[None, bytes]:
    """Demonstrations are expressed by the policy that is trained on them."""
    return None, b""


def _deed(who: str, choice: Choice, situation: Situation, value: float | None = None) -> Deed:
    action = choice.action
    return Deed(
        who=who,
        words=describe(action, situation.observation),
        action=action,
        probability=None if choice.log_prob is None else math.exp(choice.log_prob),
        value=value,
    )
