"""The contracts between the parts: a part depends on these protocols, not on implementations.

Each promise below is written once as a test in `tests/contracts/` and run on every implementation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

from distrl.errors import ServiceError
from distrl.types import (
    Action,
    Choice,
    Episode,
    Kind,
    Observation,
    Outcome,
    Situation,
    StoredEpisode,
    Task,
    Verdict,
)


class Clock(Protocol):
    """All waiting goes through a clock, so that time can be real or virtual."""

    def now(self) -> float:
        """Seconds since this clock's start; never goes back."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let `seconds` of this clock pass."""
        ...

    def wait_until(
        self, condition: Callable[[], bool], *, timeout: float, poll: float = 0.01
    ) -> bool:
        """Wait for a condition; False when `timeout` seconds of this clock passed without it."""
        ...


@runtime_checkable
class Device(Protocol):
    """Something with a screen that can be touched. Knows nothing of tasks or learning."""

    @property
    def id(self) -> str:
        """Stable name of this device."""
        ...

    @property
    def kinds(self) -> frozenset[Kind]:
        """The action kinds that this device can carry out."""
        ...

    def reset(self, seed: int) -> None:
        """Return to a known start; the same seed gives the same start."""
        ...

    def observe(self) -> Observation:
        """What the device shows now. Does not change the device."""
        ...

    def perform(self, action: Action) -> None:
        """Carry out one action. The next `observe` shows its effect.

        Raises ActionError for an action the device does not have, DeviceLost after `close`.
        """
        ...

    def close(self) -> None:
        """Give everything back; a second call does nothing."""
        ...


@runtime_checkable
class StatefulDevice(Device, Protocol):
    """A device whose whole state can be taken out, put back and copied."""

    def snapshot(self) -> dict[str, Any]:
        """The whole state as a JSON-able tree that nobody changes in place."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a snapshot, of this device or of another one of its kind."""
        ...

    def fork(self) -> StatefulDevice:
        """A second device in the same state; the two never affect each other."""
        ...


@runtime_checkable
class WrappedDevice(Device, Protocol):
    """A device around another one, such as one that records it, slows it down or guards it."""

    @property
    def inner(self) -> Device:
        """The device inside."""
        ...


def innermost(device: Device) -> Device:
    """The device itself, inside all that is wrapped around it."""
    while isinstance(device, WrappedDevice):
        device = device.inner
    return device


@dataclass(frozen=True, slots=True)
class Transition:
    """What one environment step led to."""

    observation: Observation
    reward: float
    terminated: bool
    """The episode ended; running out of steps ends it too, for the horizon is part of the task."""
    truncated: bool
    """The episode was cut off by a fault from outside."""
    outcome: Outcome | None
    """Set on the last transition only."""
    fault: str = ""
    """What went wrong, when it was cut off."""
    refused: str = ""
    """Why the device did not carry the action out, if it cannot; the action had no effect."""


@runtime_checkable
class Env(Protocol):
    """A device and a task together."""

    @property
    def device_id(self) -> str:
        """The device, or the slot, that this environment runs on."""
        ...

    def reset(self, task: Task) -> Observation:
        """Prepare the device for a task and show where it starts."""
        ...

    def step(self, action: Action) -> Transition:
        """Carry out one action of the running episode."""
        ...

    def verdicts(self) -> tuple[Verdict, ...]:
        """The judges' opinions of the episode that has just ended."""
        ...

    def close(self) -> None:
        """Release the device."""
        ...


@runtime_checkable
class SaysGoal(Protocol):
    """An environment whose goal is known only after `reset`, such as a page that words its own."""

    @property
    def goal(self) -> str:
        """What the running episode is about; it takes the place of the task's own words."""
        ...


class WrappedEnv:
    """The base of environment wrappers: passes every call on to the environment inside.

    A wrapper overrides what it changes. `collect.env_wrappers` says in which order they stand.
    """

    def __init__(self, inner: Env) -> None:
        """Wrap `inner`."""
        self.inner = inner
        self._asked = ""

    @property
    def device_id(self) -> str:
        """The device, or the slot, that the environment inside runs on."""
        return self.inner.device_id

    @property
    def goal(self) -> str:
        """What the running episode is about: in the words of the inside, or else of the task."""
        return self.inner.goal if isinstance(self.inner, SaysGoal) else self._asked

    def reset(self, task: Task) -> Observation:
        """Prepare the device for a task and show where it starts."""
        self._asked = task.goal
        return self.inner.reset(task)

    def step(self, action: Action) -> Transition:
        """Carry out one action of the running episode."""
        return self.inner.step(action)

    def verdicts(self) -> tuple[Verdict, ...]:
        """The judges' opinions of the episode that has just ended."""
        return self.inner.verdicts()

    def close(self) -> None:
        """Release the device."""
        self.inner.close()


class Oracle(Protocol):
    """Knows the right action, because it may read the state."""

    def action(self) -> Action:
        """The next action towards the goal; it hits what is visible now."""
        ...


@runtime_checkable
class Policy(Protocol):
    """Observation in, decision and log-probability out."""

    def begin(self, seed: int) -> None:
        """An episode starts; everything random in it follows from the seed."""
        ...

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        """One choice for each situation, in order."""
        ...


@runtime_checkable
class SaysValue(Protocol):
    """A policy whose critics say how likely success is."""

    def value(self, situation: Situation) -> float:
        """The probability of success from a situation."""
        ...


Express: TypeAlias = Callable[[Situation, Action], tuple[tuple[int, ...] | None, bytes]]
"""How the policy that is trained would say an action: its decision, if it has one, and its packed
inputs. With it, a policy learns from what people or programs did."""


class ActingPolicy(Policy, Protocol):
    """A policy that acts while another process trains it: its weights can be exchanged.

    `act` is one call for who plays alone. A batcher uses its three parts, because two of them need
    no weights and run in the threads of the collectors: `prepare` before a collector asks, and
    `pack` while it waits for the answer.
    """

    version: int
    """Of the weights that decide; 0 before the first."""
    digest: str
    """Of the same weights."""

    def prepare(self, situation: Situation) -> Any:
        """What the network sees of a situation; any thread may ask."""
        ...

    def pack(self, prepared: Any) -> bytes:
        """The same as a choice carries it; any thread may ask.

        Empty where the inputs are known only after the decision, which then carries them.
        """
        ...

    def decide(
        self, situations: Sequence[Situation], prepared: Sequence[Any]
    ) -> Sequence[Choice | ServiceError]:
        """One forward pass: a choice for each situation, or why a served model made none."""
        ...

    def load(self, weights: Mapping[str, Any], version: int, digest: str) -> None:
        """Take weights over; the next pass uses them, if `version` says so afterwards."""
        ...


@runtime_checkable
class Judge(Protocol):
    """Decides after an episode whether its goal was reached."""

    @property
    def name(self) -> str:
        """What verdicts of this judge are filed under."""
        ...

    def judge(self, episode: Episode) -> Verdict:
        """The verdict; `success=None` when it could not be decided."""
        ...


class EpisodeStore(Protocol):
    """Takes episodes in: the writing side of a store. Any thread may call.

    SqliteStore and MemoryStore keep them, an Outbox sends them to another machine, and a
    TransientStore forgets them once they are read.
    """

    def add_later(self, episode: Episode) -> Future[None]:
        """Return at once; the future is done when the episode is durable, and fails if not.

        Episodes become durable in the order in which they were handed in. Adding an id again
        changes nothing. Returning takes longer only while the store is full (backpressure).
        """
        ...


class EpisodeReader(Protocol):
    """Gives episodes to a learner: the reading side of a store, often in another process."""

    def read_after(self, number: int, limit: int) -> list[tuple[int, StoredEpisode]]:
        """The first `limit` episodes after a number, oldest first, with their own numbers.

        Numbers only grow: whoever asks again with the last one it saw misses nothing.
        """
        ...


@dataclass(frozen=True, slots=True)
class Published:
    """Everything that was published under one version, read and checked once."""

    weights: Mapping[str, Any]
    version: int
    digest: str
    """Of the weights alone."""
    notes: Mapping[str, str]
    """What the learner noted with them, such as the canary."""


class WeightChannel(Protocol):
    """Carries weights from the learner to whoever acts."""

    def publish(
        self, weights: Mapping[str, Any], version: int, *, notes: Mapping[str, str] | None = None
    ) -> str:
        """Make a version visible as a whole and return its digest; versions only grow.

        The digest is of the weights alone. Notes travel with them.
        """
        ...

    def latest(self) -> int:
        """The newest whole version; 0 before the first publish."""
        ...

    def fetch(self, version: int) -> Published:
        """A version with its digest and notes; LookupError when it is gone.

        Raises WeightsError when it is not what was published.
        """
        ...


@runtime_checkable
class Monitor(Protocol):
    """Receives numbers. A broken monitor never stops a run."""

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Take note of some gauges."""
        ...

    def close(self) -> None:
        """Write what is left."""
        ...
