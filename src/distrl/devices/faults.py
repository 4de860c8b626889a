"""What can be wrong with a device, as wrappers around any of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from distrl.interfaces import Clock, Device
from distrl.types import Action, Kind, Observation


class SlowDevice:
    """A device whose calls take a constant time of a clock.

    The time that the device inside needs by itself is part of it: a call takes longer only where
    that one does. Screens arrive drawn, as those of a device at the end of a cable do. A step of
    an environment is one action and one look; with all of the time in the look, a reset and a
    declaration, which look too, take as long as any other step.
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
        self.inner = device
        self._clock = clock
        self._perform, self._observe, self._reset = perform, observe, reset

    @property
    def id(self) -> str:
        """The name of the device inside."""
        return self.inner.id

    @property
    def kinds(self) -> frozenset[Kind]:
        """What the device inside can do."""
        return self.inner.kinds

    def reset(self, seed: int) -> None:
        """Return to a known start, slowly."""
        with self._taking(self._reset):
            self.inner.reset(seed)

    def observe(self) -> Observation:
        """Look, slowly."""
        with self._taking(self._observe):
            seen = self.inner.observe()
            _ = seen.screen
        return seen

    def perform(self, action: Action) -> None:
        """Carry out one action, slowly."""
        with self._taking(self._perform):
            self.inner.perform(action)

    def close(self) -> None:
        """Close the device inside at once."""
        self.inner.close()

    @contextmanager
    def _taking(self, seconds: float) -> Iterator[None]:
        due = self._clock.now() + seconds
        yield
        self._clock.sleep(due - self._clock.now())
