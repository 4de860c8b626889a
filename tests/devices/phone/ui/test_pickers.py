"""The date and time pickers, above the pages of two apps that use them."""

from __future__ import annotations

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone import phone_time
from distrl.devices.phone.ui.pickers import month_distance

DAY = phone_time.day_from_key("2025-01-20")
EVENT = {"title": "Piano lesson", "day": DAY, "minutes": 540, "color": "blue"}


def new_alarm() -> Driver:
    driver = Driver()
    driver.change("apps", "clock", "alarms", to={})
    driver.open("clock")
    driver.tap_icon("add")
    assert driver.page == "@time"
    return driver


def event_date() -> Driver:
    driver = Driver()
    driver.change("time", to=DAY * phone_time.DAY + 9 * 3600)
    driver.change("apps", "calendar", "events", to={"piano": EVENT})
    driver.open("calendar")
    driver.tap("Piano lesson")
    driver.tap("Date")
    assert driver.page == "@date"
    return driver


def alarm_minutes(driver: Driver) -> list[int]:
    return [alarm["minutes"] for alarm in driver.data("clock")["alarms"].values()]


@pytest.mark.parametrize(
    ("half", "hour", "minute", "expected"),
    [
        ("AM", "12", "00", 0),
        ("AM", "6", "45", 6 * 60 + 45),
        ("PM", "12", "05", 12 * 60 + 5),
        ("PM", "11", "55", 23 * 60 + 55),
    ],
)
def test_half_hour_and_minute_make_a_time(half: str, hour: str, minute: str, expected: int) -> None:
    driver = new_alarm()
    driver.tap(half)
    driver.tap_paint("bead", hour)
    driver.tap_paint("bead", minute)
    driver.tap("OK")
    assert alarm_minutes(driver) == [expected]


def test_the_header_leads_back_to_the_hours() -> None:
    driver = new_alarm()
    driver.tap_paint("bead", "3")
    driver.tap("Select hours")
    driver.tap_paint("bead", "4")
    driver.tap("OK")
    assert alarm_minutes(driver) == [4 * 60]


def test_cancel_and_back_choose_nothing() -> None:
    driver = new_alarm()
    driver.tap_paint("bead", "3")
    driver.tap("Cancel")
    driver.tap_icon("add")
    driver.press("back")
    assert driver.page == "main"
    assert alarm_minutes(driver) == []


def test_a_day_is_chosen_only_by_ok() -> None:
    driver = event_date()
    driver.tap_paint("bead", "23")
    assert driver.data("calendar")["events"]["piano"]["day"] == DAY
    driver.tap("OK")
    assert driver.data("calendar")["events"]["piano"]["day"] == DAY + 3


def test_arrows_turn_the_months_across_a_year() -> None:
    driver = event_date()
    driver.tap("Previous month")
    assert driver.sees("December 2024")
    driver.tap_paint("bead", "31")
    driver.tap("OK")
    assert driver.data("calendar")["events"]["piano"]["day"] == -6


def test_a_month_shows_exactly_its_days() -> None:
    driver = event_date()
    driver.tap("Next month")
    assert driver.sees("February 2025")
    assert driver.sees("28")
    assert not driver.sees("29")


def test_month_distance_counts_presses_of_next_month() -> None:
    assert month_distance(DAY, DAY) == 0
    assert month_distance(DAY, phone_time.day_from_key("2026-03-01")) == 14
    assert month_distance(DAY, phone_time.day_from_key("2024-12-31")) == -1
