"""When to ask again, and how long to wait before: pure decisions."""

from __future__ import annotations

import math
from dataclasses import dataclass

from distrl.errors import ConfigError

_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""HTTP codes of what may go better the next time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrySettings:
    """How patient a client is."""

    attempts: int = 5
    """How often it asks at most."""
    first_seconds: float = 0.5
    """The longest wait after the first failure; it doubles each time."""
    longest_seconds: float = 30.0
    """Where the doubling ends."""

    def __post_init__(self) -> None:
        """ConfigError for what makes no sense."""
        if self.attempts < 1:
            raise ConfigError(f"a client asks at least once, got attempts={self.attempts}")
        if not 0 <= self.first_seconds <= self.longest_seconds:
            raise ConfigError(
                f"waits must be 0 or more and end where they are longest, got first_seconds="
                f"{self.first_seconds} and longest_seconds={self.longest_seconds}"
            )


def worth_again(status: int) -> bool:
    """Whether an answer with this HTTP code may be another one the next time."""
    return status in _AGAIN


def wait_before(
    attempt: int, draw: float, *, told: float | None, settings: RetrySettings
) -> float | None:
    """Seconds to wait before asking again; None to give up.

    `attempt` have failed so far. Full jitter: the wait is the share `draw` in [0, 1) of a bound
    that doubles, so that many clients do not come back together. It is never shorter than what the
    server has `told`.
    """
    if attempt >= settings.attempts:
        return None
    doublings = min(attempt - 1, 60)
    bound = min(settings.longest_seconds, settings.first_seconds * 2.0**doublings)
    return max(draw * bound, told or 0.0)


def told_wait(header: str | None) -> float | None:
    """The seconds that a Retry-After header asks for; None when it does not say them."""
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None
