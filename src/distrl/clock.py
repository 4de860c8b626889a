"""The two clocks: real time, and virtual time that passes only in `sleep`."""

from __future__ import annotations

import time
from collections.abc import Callable

from distrl.errors import ConfigError
from distrl.interfaces import Clock


class RealClock:
    """The machine's own monotonic time, counted from the clock's creation."""

    def __init__(self) -> None:
        """Start at 0."""
        self._start = time.monotonic()

    def now(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._start

    def sleep(self, seconds: float) -> None:
        """Block this thread."""
        if seconds > 0:
            time.sleep(seconds)

    def wait_until(
        self, condition: Callable[[], bool], *, timeout: float, poll: float = 0.01
    ) -> bool:
        """Poll a condition until it holds or the time is up; look once more at the end."""
        return _poll(self, condition, timeout, poll)


class VirtualClock:
    """Time that passes only in `sleep`: runs take no real time and repeat exactly."""

    def __init__(self) -> None:
        """Start at 0."""
        self._now = 0.0

    def now(self) -> float:
        """Virtual seconds since the start."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Move time forward without waiting."""
        self._now += max(0.0, seconds)

    def wait_until(
        self, condition: Callable[[], bool], *, timeout: float, poll: float = 0.01
    ) -> bool:
        """Poll a condition in virtual time."""
        return _poll(self, condition, timeout, poll)


def _poll(
    clock: Clock,
    condition: Callable[[], bool],
    timeout: float,
    poll: float,
) -> bool:
    if not poll > 0:
        raise ConfigError(f"the polling interval must be above 0, got {poll!r}")
    deadline = clock.now() + timeout
    # The condition is asked first and once more at the end: a timeout of 0 is one look.
    while not condition():
        left = deadline - clock.now()
        if left <= 0:
            return False
        clock.sleep(min(poll, left))
    return True
