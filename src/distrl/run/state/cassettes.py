"""Cassettes of a run: every episode in a file of its own, and episodes that are played on them.

    collect.cassettes=DIR      Recorder around the device, TapedEnv around its environment
    distrl devices replay      CassetteDevice and CassetteReferee: the same screens, the same end

On a cassette a policy meets what was recorded for as long as it does what was done then. As soon
as it does something else the episode is lost, with the place where it departed.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from distrl import actions
from distrl.clock import RealClock
from distrl.collect.episode import run_episode
from distrl.devices.cassette import Cassette, CassetteDevice, Recorder, Take
from distrl.envs.device_env import DeviceEnv
from distrl.errors import ConfigError, DeviceError, TaskError
from distrl.interfaces import Device, Env, Policy, Transition, WrappedEnv
from distrl.types import (
    Action,
    Choice,
    Episode,
    Kind,
    Observation,
    Outcome,
    Situation,
    Task,
    Verdict,
)

SUFFIX = ".cassette"
_log = logging.getLogger(__name__)


class CassetteFolder:
    """A folder of cassettes. Any thread may add some."""

    def __init__(self, folder: Path) -> None:
        """Make the folder; ConfigError when that is impossible."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"cassettes cannot be kept in {folder}: {error}") from error
        self._folder, self._lock = folder, threading.Lock()
        self._next = len(list(folder.glob(f"*{SUFFIX}")))

    def tape(self, device: Device, make_env: Callable[[Device], Env]) -> Env:
        """The environment on a device, recorded."""
        recorder = Recorder(device)
        return TapedEnv(make_env(recorder), recorder, self)

    def keep(self, recorder: Recorder, task: Task) -> Path:
        """Write what was recorded."""
        with self._lock:
            number, self._next = self._next, self._next + 1
        words = re.sub(r"[^\w.]+", "-", f"{recorder.id} {task.id}")
        path = self._folder / f"{number:06d}-{words}{SUFFIX}"
        recorder.save(path)
        return path


class TapedEnv(WrappedEnv):
    """An environment whose episode is written to a cassette when it has ended."""

    def __init__(self, inner: Env, recorder: Recorder, cassettes: CassetteFolder) -> None:
        """Record `inner`, which plays on `recorder`."""
        super().__init__(inner)
        self._recorder, self._cassettes = recorder, cassettes
        self._task: Task | None = None

    def reset(self, task: Task) -> Observation:
        """Set a task up; a new take begins, which is all there is when that fails."""
        self._task = task
        self._recorder.begin(task)
        try:
            return super().reset(task)
        except (DeviceError, TaskError) as error:
            lost = isinstance(error, DeviceError)
            self._recorder.fail(error, Outcome.DEVICE_LOST if lost else Outcome.TASK_ERROR)
            self._keep(task)
            raise

    def step(self, action: Action) -> Transition:
        """Carry out one action; after the last one the cassette is written."""
        transition = super().step(action)
        if transition.outcome is not None and self._task is not None:
            self._recorder.end(action, transition.outcome)
            self._keep(self._task)
        return transition

    def _keep(self, task: Task) -> None:
        try:
            self._cassettes.keep(self._recorder, task)
        except ConfigError as error:  # a full disk costs cassettes, not the run
            _log.warning("%s", error)


class CassetteReferee:
    """Poses the tasks of a cassette, and judges as it was judged then."""

    def __init__(self, device: CassetteDevice) -> None:
        """Watch over a cassette."""
        self._device = device

    def begin(self, task: Task) -> None:
        """Go to where the task began; what kept it from beginning then does so again."""
        try:
            self._device.reset(task.seed)
        except DeviceError as error:
            if any(take.outcome is Outcome.TASK_ERROR for take in self._device.takes_here()):
                raise TaskError(str(error)) from error
            raise

    def outcome(self, kind: Kind) -> Outcome:
        """How it ended then; TaskError when nobody ended it here and so."""
        return self._ended(lambda last: last.kind is kind, kind)

    def answered(self, text: str) -> Outcome:
        """How it ended then with this answer; TaskError when nobody gave it here."""
        said = actions.answer(text)
        return self._ended(lambda last: last == said, actions.to_text(said))

    def _ended(self, so: Callable[[Action], bool], how: str) -> Outcome:
        for take in self._device.takes_here():
            if take.outcome is not None and take.ending is not None and so(take.ending):
                return take.outcome
        raise TaskError(f"{self._device.id}: nobody ended the task here by {how}")

    def verdict(self, outcome: Outcome) -> Verdict:
        """What was said then."""
        return Verdict(judge="cassette", success=outcome is Outcome.SUCCEEDED, reason=outcome.value)


class AsRecorded:
    """A policy that does what was done in a take."""

    def __init__(self, take: Take) -> None:
        """Follow a take; what comes after its end is completion."""
        self._actions = take.steps

    def begin(self, seed: int) -> None:
        """Nothing is random here."""

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        """The next recorded action of each."""
        return [Choice(action=self._next(len(s.history))) for s in situations]

    def _next(self, step: int) -> Action:
        if step >= len(self._actions):
            return Action(Kind.COMPLETE)
        return self._actions[step]


def replay(cassette: Cassette, policy: Policy | None = None) -> list[tuple[Take, Episode]]:
    """Play every task of a cassette on it, with a policy or as it was played then."""
    device = CassetteDevice(cassette)
    env, clock = DeviceEnv(device, CassetteReferee(device)), RealClock()
    found = []
    for number, take in enumerate(cassette.takes):
        if take.task is not None:
            who = AsRecorded(take) if policy is None else policy
            name = f"{device.id}-{number}"
            found.append((take, run_episode(env, who, take.task, clock=clock, episode_id=name)))
    if not found:
        raise ConfigError(f"no task was played on the cassette of {cassette.device!r}")
    return found
