"""Rate limiter of collecting: collectors make room for a learner that is far behind.

    collected steps - trained steps / replay_ratio > max_ahead    nobody begins an episode

A learner that may use each step `replay_ratio` times has not used what lies above that line. While
collectors wait, they hold no device and leave the processor to the learner. Running episodes are
played to their end.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping

from distrl.config import RunConfig
from distrl.interfaces import Clock


def is_ahead(*, collected: float, trained: float, replay_ratio: float, max_ahead: float) -> bool:
    """Whether collecting is further ahead of learning than it may be."""
    # Before its first update a learner waits for episodes: if these were held back, for ever.
    return trained > 0 and collected - trained / replay_ratio > max_ahead


class RateLimiter:
    """Holds collectors back by what the learner reports. Any thread may ask."""

    def __init__(self, clock: Clock, *, replay_ratio: float, max_ahead: int | None) -> None:
        """None for `max_ahead` holds nobody back."""
        self._clock, self._ratio, self._max_ahead = clock, replay_ratio, max_ahead
        self._changed = threading.Condition()
        self._held = False
        self._waited = 0.0

    @property
    def held(self) -> bool:
        """Whether nobody may begin an episode."""
        return self._held

    def on_report(self, numbers: Mapping[str, float]) -> None:
        """Take in the learner's newest numbers, by the names under which they are recorded."""
        # Both from one report: what the learner has not read yet is not counted as collected.
        if "learn/trained_steps" in numbers:
            self.update(
                collected=numbers["collected/steps"], trained=numbers["learn/trained_steps"]
            )

    def update(self, *, collected: float, trained: float) -> None:
        """Decide anew."""
        if self._max_ahead is None:
            return
        held = is_ahead(
            collected=collected,
            trained=trained,
            replay_ratio=self._ratio,
            max_ahead=self._max_ahead,
        )
        with self._changed:
            self._held = held
            self._changed.notify_all()

    def wait(self, timeout: float) -> bool:
        """Wait until an episode may begin; False if that took longer than `timeout` seconds."""
        if not self._held:
            return True
        began = self._clock.now()
        with self._changed:
            open_again = self._changed.wait_for(lambda: not self._held, timeout)
            self._waited += self._clock.now() - began
        return open_again

    @property
    def waited_seconds(self) -> float:
        """How long collectors have waited here, all together."""
        return self._waited


def rate_limiter_of(config: RunConfig, clock: Clock) -> RateLimiter:
    """The limiter that a run asks for."""
    ratio, ahead = config.learner.replay_ratio, config.collect.max_ahead
    return RateLimiter(clock, replay_ratio=ratio, max_ahead=ahead)
