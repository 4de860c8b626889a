"""What stands between a collector and the environment on its device, put together in one place.

    collector --> LeasedEnv --> watch --> record --> Env --> Recorder --> Device
                  outermost                                               innermost

    record   first, because it stands on both sides: it wraps the device, so that the cassette has
             every call of it, and the environment, so that it knows when an episode ends
    watch    around the recording: live screens show what the policy is shown, and a viewer that
             fails can spoil no cassette
    lease    last: once a device has been taken away, no call may reach anything inside, for the
             device may already play somebody else's episode

Delays and injected faults belong to the device itself (`devices.fault_injection`), not here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from distrl.errors import DeviceLost
from distrl.interfaces import Device, Env, Transition, WrappedEnv
from distrl.types import Action, Observation, Outcome, Task, Verdict

MakeEnv: TypeAlias = Callable[[Device], Env]
"""Makes the bare environment on a device."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvWrappers:
    """What a run puts around its environments; None leaves a wrapper out."""

    record: Callable[[Device, MakeEnv], Env] | None = None
    """Makes the environment on a device that is recorded, such as `CassetteFolder.tape`."""
    watch: Callable[[Env], Env] | None = None
    """Shows what the environment shows, such as `LiveScreens.watch`."""


def wrapped_env(
    device: Device, make_env: MakeEnv, wrappers: EnvWrappers, heartbeat: Callable[[], bool]
) -> Env:
    """The environment that a collector plays on while its lease lasts; see above for the order."""
    record = wrappers.record
    env = make_env(device) if record is None else record(device, make_env)
    for wrap in (wrappers.watch, partial(LeasedEnv, heartbeat=heartbeat)):
        if wrap is not None:
            env = wrap(env)
    return env


class LeasedEnv(WrappedEnv):
    """An environment whose device may be taken away: every call is a heartbeat of its user.

    What a device shows after that belongs to nobody's episode, so the running episode is lost.
    """

    def __init__(self, env: Env, heartbeat: Callable[[], bool]) -> None:
        """`heartbeat` says that the user is alive; it returns False once the lease is over."""
        super().__init__(env)
        self._heartbeat = heartbeat
        self._seen: Observation | None = None

    def reset(self, task: Task) -> Observation:
        """Prepare the device; DeviceLost when it was taken away meanwhile."""
        # Asked before and after: the lease may run out while the device is at work.
        self._seen = super().reset(task) if self._heartbeat() else None
        if self._seen is None or not self._heartbeat():
            raise DeviceLost(self._taken_away)
        return self._seen

    def step(self, action: Action) -> Transition:
        """Carry out one action; the episode is cut off when the device was taken away."""
        assert self._seen is not None, "reset the environment first"
        transition = super().step(action) if self._heartbeat() else None
        if transition is None or not self._heartbeat():
            return Transition(
                self._seen,
                0.0,
                terminated=False,
                truncated=True,
                outcome=Outcome.DEVICE_LOST,
                fault=self._taken_away,
            )
        self._seen = transition.observation
        return transition

    @property
    def _taken_away(self) -> str:
        return f"{self.device_id} was taken away: no sign of life from its user in time"

    def verdicts(self) -> tuple[Verdict, ...]:
        """The judges' opinions; none once the device was taken away."""
        return super().verdicts() if self._heartbeat() else ()
