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


@given(st.integers(-3000, 4000))
def test_days_follow_each_other(day: int) -> None:
    today, tomorrow = (phone_time.moment(d * phone_time.DAY) for d in (day, day + 1))
    assert (tomorrow - today).days == 1
    assert (tomorrow.weekday() - today.weekday()) % 7 == 1


@given(st.integers(-3000, 4000))
def test_days_before_the_epoch_count_backwards(day: int) -> None:
    assert phone_time.day_of(day * phone_time.DAY) == day
    assert phone_time.day_of(day * phone_time.DAY + phone_time.DAY - 1) == day


@pytest.mark.parametrize(
    ("key", "text", "said"),
    [
        ("2024-02-29", "Thu, Feb 29", "February 29"),
        ("2024-12-31", "Tue, Dec 31", "December 31"),
        ("2025-01-01", "Wed, Jan 1", "January 1"),
        ("2025-03-01", "Sat, Mar 1", "March 1"),
        ("2028-02-29", "Tue, Feb 29", "February 29"),
    ],
)
def test_dates_are_written_and_said_as_people_do(key: str, text: str, said: str) -> None:
    day = phone_time.day_from_key(key)
    assert (phone_time.date_text(day), phone_time.long_date(day)) == (text, said)


@given(st.integers(0, 1439))
def test_both_clocks_tell_the_same_minute(minutes: int) -> None:
    half, full = phone_time.clock_text(minutes), phone_time.clock_text(minutes, hour24=True)
    hour, minute = (int(part) for part in full.split(":"))
    assert 60 * hour + minute == minutes
    assert half.endswith("PM") == (hour >= 12)
    assert half.split(":")[0] == str(hour % 12 or 12)
    assert half.split(":")[1][:2] == f"{minute:02d}"


def test_no_two_minutes_of_a_day_are_written_alike() -> None:
    for hour24 in (False, True):
        texts = {phone_time.clock_text(m, hour24=hour24) for m in range(1440)}
        assert len(texts) == 1440


@pytest.mark.parametrize("key", ["2025-13-01", "2025-02-30", "yesterday", ""])
def test_what_is_no_date_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match=r"time data|day"):
        phone_time.day_from_key(key)
