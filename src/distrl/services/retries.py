"""Retry with exponential backoff and full jitter: which failures, and after how many seconds.

Pure functions: the caller sleeps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from distrl.errors import ConfigError

# Timeouts (408, 504), conflicts (409), too early (425), rate limits (429), overload (529, used by
# some providers) and failures of the server pass; other 4xx say that the request itself is wrong.
_RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_MAX_DOUBLINGS = 60


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


def should_retry(status: int) -> bool:
    """Whether a request that failed with this HTTP status may succeed when it is sent again."""
    return status in _RETRYABLE


def backoff_seconds(
    attempt: int, draw: float, *, retry_after: float | None, settings: RetrySettings
) -> float | None:
    """Seconds to wait before the next attempt; None when all attempts are used up.

    `attempt` is how many have failed so far. The wait is `draw`, a random number in [0, 1), times
    a bound that doubles with every failure. It is never shorter than `retry_after`, the seconds
    that the server asked for.
    """
    if attempt >= settings.attempts:
        return None
    # Past 60 doublings every bound is at its cap, and 2.0**n would overflow for large n.
    doublings = min(attempt - 1, _MAX_DOUBLINGS)
    bound = min(settings.longest_seconds, settings.first_seconds * 2.0**doublings)
    # Full jitter: clients that failed together do not come back together.
    return max(draw * bound, retry_after or 0.0)


def parse_retry_after(header: str | None) -> float | None:
    """The seconds that a Retry-After header asks for; None if it is absent or a date."""
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None
