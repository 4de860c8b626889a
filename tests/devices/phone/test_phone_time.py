from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.devices.phone import phone_time


@pytest.mark.parametrize(
    ("minutes", "half", "full"),
    [
        (0, "12:00 AM", "00:00"),
        (5, "12:05 AM", "00:05"),
        (425, "7:05 AM", "07:05"),
        (719, "11:59 AM", "11:59"),
        (720, "12:00 PM", "12:00"),
        (1439, "11:59 PM", "23:59"),
        (1440, "12:00 AM", "00:00"),
        (-60, "11:00 PM", "23:00"),
    ],
)
def test_clock_is_written_both_ways(minutes: int, half: str, full: str) -> None:
    assert phone_time.clock_text(minutes) == half
    assert phone_time.clock_text(minutes, hour24=True) == full


def test_calendar_starts_on_a_monday() -> None:
    assert phone_time.date_text(0) == "Mon, Jan 6"
    assert phone_time.date_key(0) == "2025-01-06"
    assert phone_time.long_date(0) == "January 6"


@given(st.integers(0, 4000))
def test_date_key_is_read_back(day: int) -> None:
    assert phone_time.day_from_key(phone_time.date_key(day)) == day


@given(st.integers(0, 10**8))
def test_day_and_minute_make_up_the_time(seconds: int) -> None:
    day, minute = phone_time.day_of(seconds), phone_time.minute_of(seconds)
    assert 0 <= minute < 1440
    assert 0 <= seconds - day * phone_time.DAY - minute * 60 < 60
