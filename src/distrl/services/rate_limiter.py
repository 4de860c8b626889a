"""Not more requests than a server allows."""

from __future__ import annotations

import threading

from distrl.errors import ConfigError
from distrl.interfaces import Clock


class RateLimiter:
    """Gives every request a time at which it may be sent; any thread may ask."""

    def __init__(self, clock: Clock, *, per_minute: float | None) -> None:
        """`per_minute` requests, evenly spaced; None for any number."""
        if per_minute is not None and not per_minute > 0:
            raise ConfigError(f"requests per minute must be above 0, got {per_minute!r}")
        self._clock = clock
        self._gap = 60.0 / per_minute if per_minute is not None else 0.0
        self._next = 0.0
        self._turn = threading.Lock()

    def take(self, *, within: float) -> float | None:
        """Seconds to wait before sending, and the turn is taken; None if more than `within`."""
        with self._turn:
            now = self._clock.now()
            due = max(now, self._next)
            if due - now > within:
                return None
            self._next = due + self._gap
            return due - now

    def hold(self, seconds: float) -> None:
        """Nobody sends for some seconds: the server asked for it."""
        with self._turn:
            self._next = max(self._next, self._clock.now() + seconds)
