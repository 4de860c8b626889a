"""The phone's calendar: seconds since Monday, 6 January 2025, 00:00."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache

DAY = 86_400
# A Monday, so that day 0 begins a week; in UTC, so that no day has 23 or 25 hours.
_EPOCH = datetime(2025, 1, 6, tzinfo=UTC)


@lru_cache(maxsize=4096)
def moment(seconds: int) -> datetime:
    """The date and time that a count of seconds stands for."""
    return _EPOCH + timedelta(seconds=seconds)


def day_of(seconds: int) -> int:
    """Days since the epoch."""
    return seconds // DAY


@lru_cache(maxsize=4096)
def date_key(day: int) -> str:
    """A day as `2025-01-06`."""
    return moment(day * DAY).strftime("%Y-%m-%d")


@lru_cache(maxsize=4096)
def day_from_key(key: str) -> int:
    """The day that `2025-01-06` stands for."""
    return (datetime.strptime(key, "%Y-%m-%d").replace(tzinfo=UTC) - _EPOCH).days


@lru_cache(maxsize=4096)
def date_text(day: int) -> str:
    """A day as a person writes it: `Mon, Jan 6`."""
    then = moment(day * DAY)
    return f"{then:%a}, {then:%b} {then.day}"


@lru_cache(maxsize=4096)
def long_date(day: int) -> str:
    """A day as a person says it: `January 6`."""
    then = moment(day * DAY)
    return f"{then:%B} {then.day}"


@lru_cache(maxsize=4096)
def clock_text(minutes: int, *, hour24: bool = False) -> str:
    """Minutes after midnight as `7:05 AM`, or as `07:05`."""
    hour, minute = divmod(minutes % 1440, 60)
    if hour24:
        return f"{hour:02d}:{minute:02d}"
    return f"{hour % 12 or 12}:{minute:02d} {'AM' if hour < 12 else 'PM'}"


def minute_of(seconds: int) -> int:
    """Minutes after midnight."""
    return seconds % DAY // 60
