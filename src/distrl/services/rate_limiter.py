"""Rate limit: spaces requests evenly, and pauses all of them when the server asks for it."""

from __future__ import annotations

import threading

from distrl.errors import ConfigError
from distrl.interfaces import Clock


class RateLimiter:
    """Reserves a send time for every request. Thread-safe."""

    def __init__(self, clock: Clock, *, per_minute: float | None) -> None:
        """`per_minute` requests, evenly spaced; None for any number."""
        if per_minute is not None and not per_minute > 0:
            raise ConfigError(f"requests per minute must be above 0, got {per_minute!r}")
        self._clock = clock
        self._gap = 60.0 / per_minute if per_minute is not None else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def take(self, *, within: float) -> float | None:
        """Reserve the next send time and return the seconds until then.

        None, and nothing is reserved, if that is more than `within` seconds away.
        """
        with self._lock:
            now = self._clock.now()
            due = max(now, self._next)
            if due - now > within:
                return None
            # Reserved before the caller sleeps, so that waiting threads get different times.
            self._next = due + self._gap
            return due - now

    def hold(self, seconds: float) -> None:
        """Send nothing for this many seconds, as a Retry-After header demands."""
        with self._lock:
            # `max`: a shorter demand must not cut a longer one short.
            self._next = max(self._next, self._clock.now() + seconds)
