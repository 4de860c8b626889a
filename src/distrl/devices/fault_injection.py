"""Fault and latency injection: wrappers that make any device slow, late, hang or crash."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

from distrl.errors import ConfigError, DeviceLost
from distrl.interfaces import Clock, Device
from distrl.types import Action, Kind, Observation


class _DeviceWrapper:
    """A device inside another: what neither time nor faults touch passes through."""

    def __init__(self, device: Device) -> None:
        self.inner = device

    @property
    def id(self) -> str:
        """The name of the device inside."""
        return self.inner.id

    @property
    def kinds(self) -> frozenset[Kind]:
        """What the device inside can do."""
        return self.inner.kinds

    def close(self) -> None:
        """Close the device inside at once."""
        self.inner.close()


class SlowDevice(_DeviceWrapper):
    """A device whose calls take a constant time of a clock.

    The time that the device inside needs by itself is part of it: a call takes longer only where
    that one does. A step of an environment is one action and one look; with all of the time in the
    look, a reset and a declaration, which look too, take as long as any other step.
    """

    def __init__(
        self,
        device: Device,
        clock: Clock,
        *,
        perform: float = 0.0,
        observe: float = 0.0,
        reset: float = 0.0,
    ) -> None:
        """Take so many seconds for each call of these kinds."""
        super().__init__(device)
        self._clock = clock
        self._perform, self._observe, self._reset = perform, observe, reset

    def reset(self, seed: int) -> None:
        """Return to a known start, slowly."""
        with self._taking(self._reset):
            self.inner.reset(seed)

    def observe(self) -> Observation:
        """Look, slowly."""
        with self._taking(self._observe):
            return self.inner.observe()

    def perform(self, action: Action) -> None:
        """Carry out one action, slowly."""
        with self._taking(self._perform):
            self.inner.perform(action)

    @contextmanager
    def _taking(self, seconds: float) -> Iterator[None]:
        # Measured from the start, so that the time of the inner call counts towards `seconds`.
        due = self._clock.now() + seconds
        yield
        self._clock.sleep(due - self._clock.now())


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetProfile:
    """How long the calls of a fleet of emulators take, and how often they fail; in seconds.

    The default is derived from published figures: 32 emulators made about 800 episodes in 6,000 s,
    which is 240 s for an episode, and durations differ up to a hundredfold.

        a step                 log-normal, median 13, spread 0.9  mean 13 * e^(0.81 / 2) = 19.5
        a reset                log-normal, median 60, spread 0.5  mean 60 * e^(0.25 / 2) = 68.0
        an episode of 8 steps  68.0 + 8 * 19.5                    = 224 s on a device of speed 1
        speed of a device      log-uniform from 0.5 to 3          mean of 1 / speed
                                                                  (1 / 0.5 - 1 / 3) / ln 6 = 0.93
        all of 32 devices      32 * 6,000 * 0.93 / 224            = 797 episodes in 6,000 s
        the spread             of 100 steps of a device, 99 lie within e^(2 * 2.58 * 0.9) = 104-fold
    """

    step: float = 13.0
    """Median of an action with the look that follows."""
    step_spread: float = 0.9
    """Standard deviation of its logarithm."""
    reset: float = 60.0
    reset_spread: float = 0.5
    fastest: float = 0.5
    """Every device has a speed of its own between these, by which its times are multiplied."""
    slowest: float = 3.0
    hang_rate: float = 0.002
    """Share of the steps that never come back."""
    hang_seconds: float = 120.0
    """After which somebody notices."""
    crash_rate: float = 0.001
    """Share of the steps in which the device dies at once."""
    reboot: float = 180.0
    """What its next reset takes in addition, after either."""
    late_frames: float = 0.0
    """Share of the looks that show the screen of before."""

    def __post_init__(self) -> None:
        """Refuse what no device could do."""
        for name in ("step", "reset", "fastest", "slowest"):
            if not getattr(self, name) > 0:
                raise ConfigError(f"{name} must be above 0, got {getattr(self, name)!r}")
        for name in ("step_spread", "reset_spread", "hang_seconds", "reboot"):
            if not getattr(self, name) >= 0:
                raise ConfigError(f"{name} must be at least 0, got {getattr(self, name)!r}")
        for name in ("hang_rate", "crash_rate", "late_frames"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"{name} must be from 0 to 1, got {getattr(self, name)!r}")
        if self.fastest > self.slowest:
            raise ConfigError(
                f"fastest ({self.fastest}) must not be above slowest ({self.slowest})"
            )

    def speed_of(self, device: str, seed: int) -> float:
        """By what the times of a device are multiplied; it follows from its name and the seed."""
        low, high = math.log(self.fastest), math.log(self.slowest)
        # A generator of its own: speeds do not depend on how many devices were made before.
        return math.exp(Random(f"{seed} {device} speed").uniform(low, high))


class TimedDevice(_DeviceWrapper):
    """A device with the timing of a real one: what it takes, it sleeps on a clock.

    With a small `time_scale`, an hour of device time fits into minutes; with a virtual clock, into
    nothing. All that is random follows from the seed and the device's name, call by call.
    """

    def __init__(
        self,
        device: Device,
        clock: Clock,
        profile: FleetProfile,
        *,
        seed: int,
        time_scale: float = 1.0,
    ) -> None:
        """Wrap a device; its first reset is as slow as any.

        `time_scale` is how many seconds of the clock a second of the profile takes.
        """
        if not 0 < time_scale < math.inf:
            raise ConfigError(f"time_scale must be above 0 and finite, got {time_scale!r}")
        super().__init__(device)
        self._clock, self._profile, self._time_scale = clock, profile, time_scale
        self._rng = Random(f"{seed} {device.id}")
        self.speed = profile.speed_of(device.id, seed)
        self._lost = False
        self._shown: Observation | None = None

    def reset(self, seed: int) -> None:
        """Return to a known start; a device that was lost is booted first."""
        profile = self._profile
        seconds = self._drawn(profile.reset, profile.reset_spread)
        self._take(seconds + (profile.reboot if self._lost else 0.0))
        self._lost, self._shown = False, None
        self.inner.reset(seed)

    def observe(self) -> Observation:
        """Look; now and then at the screen of before."""
        self._require_alive()
        late = self._rng.random() < self._profile.late_frames
        if not late or self._shown is None:
            self._shown = self.inner.observe()
        return self._shown

    def perform(self, action: Action) -> None:
        """Carry out one action, or hang, or die."""
        self._require_alive()
        # One random number decides between hang, crash and success, so that the rates add up.
        profile, fate = self._profile, self._rng.random()
        if fate < profile.hang_rate:
            self._take(profile.hang_seconds)
            self._lost = True
            raise DeviceLost(f"{self.id} did not answer within {profile.hang_seconds:g} s")
        self._take(self._drawn(profile.step, profile.step_spread))
        if fate < profile.hang_rate + profile.crash_rate:
            self._lost = True
            raise DeviceLost(f"{self.id} died")
        self.inner.perform(action)

    def _take(self, seconds: float) -> None:
        self._clock.sleep(self._time_scale * seconds)

    def _drawn(self, median: float, spread: float) -> float:
        return self.speed * median * math.exp(spread * self._rng.gauss(0.0, 1.0))

    def _require_alive(self) -> None:
        if self._lost:
            raise DeviceLost(f"{self.id} is lost until its next reset")
