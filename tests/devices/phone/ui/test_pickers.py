"""The date and time pickers, above the pages of two apps that use them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.devices.phone.driver import Driver

from distrl import actions
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


# Times


def picked(driver: Driver, text: str) -> bool:
    """Whether a bead of the picker is the chosen one."""
    return any(chosen for label, chosen, *_ in driver.looks("bead") if label == text)


@pytest.mark.parametrize("hour", range(12))
@pytest.mark.parametrize("half", ["AM", "PM"])
def test_every_full_hour_can_be_chosen(hour: int, half: str) -> None:
    driver = new_alarm()
    driver.tap(half)
    driver.tap_paint("bead", str(hour or 12))
    driver.tap("OK")
    assert alarm_minutes(driver) == [60 * hour + 720 * (half == "PM")]


@pytest.mark.parametrize("minute", range(0, 60, 5))
def test_every_fifth_minute_can_be_chosen(minute: int) -> None:
    driver = new_alarm()
    driver.tap("Select minutes")
    driver.tap_paint("bead", f"{minute:02d}")
    assert picked(driver, f"{minute:02d}")
    driver.tap("OK")
    assert alarm_minutes(driver) == [7 * 60 + minute]


def test_the_dial_has_twelve_beads_and_each_is_hit_at_its_middle() -> None:
    driver = new_alarm()
    for _ in range(2):
        view = driver.device.phone.view
        beads = [w for w in view.widgets if w.paint and w.paint[0] == "bead"]
        assert len(beads) == 12
        assert all(view.hit(w.x + w.w / 2, w.y + w.h / 2) is w for w in beads)
        driver.tap("Select minutes")


def test_the_dial_begins_with_the_hour_that_is_set() -> None:
    driver = new_alarm()
    assert picked(driver, "7")
    assert driver.element("AM").checked
    assert driver.sees("Select hours")


def test_a_minute_between_the_beads_is_shown_and_kept() -> None:
    driver = Driver()
    alarm = {"minutes": 8 * 60 + 17, "label": "", "on": True}
    driver.change("apps", "clock", "alarms", to={"odd": alarm})
    driver.open("clock")
    driver.tap("8:17 AM", role="item")
    driver.tap("Time")
    assert driver.sees("17")
    driver.tap("PM")
    driver.tap("OK")
    driver.tap("Save")
    assert alarm_minutes(driver) == [20 * 60 + 17]


def test_am_and_pm_leave_the_time_of_day_otherwise() -> None:
    driver = new_alarm()
    driver.tap("PM")
    driver.tap("PM")
    driver.tap("AM")
    driver.tap("OK")
    assert alarm_minutes(driver) == [7 * 60]


def test_nothing_below_a_picker_can_be_touched() -> None:
    driver = new_alarm()
    assert not driver.sees("Stopwatch")
    driver.perform(actions.tap(0.5, 0.1))
    assert driver.page == "@time"


def test_swiping_over_a_picker_changes_nothing() -> None:
    driver = event_date()
    before = driver.state["ui"]["stacks"]
    for direction in ("left", "right", "up", "down"):
        driver.swipe(direction)
    assert driver.state["ui"]["stacks"] == before


# Dates


def date_of(key: str) -> Driver:
    """The picker of the date of an event on a day."""
    driver = Driver()
    day = phone_time.day_from_key(key)
    event = {**EVENT, "day": day}
    driver.change("time", to=day * phone_time.DAY)
    driver.change("apps", "calendar", "events", to={"piano": event})
    driver.open("calendar")
    driver.tap("Piano lesson")
    driver.tap("Date")
    return driver


@pytest.mark.parametrize(
    ("key", "title", "days"),
    [
        ("2025-01-31", "January 2025", 31),
        ("2025-02-28", "February 2025", 28),
        ("2028-02-29", "February 2028", 29),
        ("2025-04-30", "April 2025", 30),
        ("2025-12-31", "December 2025", 31),
    ],
)
def test_a_month_has_its_title_and_days(key: str, title: str, days: int) -> None:
    driver = date_of(key)
    assert driver.sees(title)
    assert [label for label, *_ in driver.looks("bead")] == [str(n + 1) for n in range(days)]
    assert picked(driver, str(int(key[-2:])))


def test_the_first_of_a_month_stands_below_its_weekday() -> None:
    driver = date_of("2025-09-01")
    first = driver.find("1", "button")
    assert first is not None
    assert first.x == 14
    sunday = driver.find("7", "button")
    assert sunday is not None
    assert sunday.x == 14 + 22 * 6


@pytest.mark.parametrize("months", [1, 12, 25])
def test_months_forth_and_back_end_where_they_began(months: int) -> None:
    driver = date_of("2025-01-31")
    for _ in range(months):
        driver.tap("Next month")
    for _ in range(months):
        driver.tap("Previous month")
    assert driver.sees("January 2025")
    assert picked(driver, "31")


def test_the_end_of_a_long_month_is_followed_by_a_short_one() -> None:
    driver = date_of("2025-01-31")
    driver.tap("Next month")
    assert driver.sees("February 2025")
    assert not any(chosen for _, chosen, *_ in driver.looks("bead"))


def test_turning_months_alone_chooses_no_other_day() -> None:
    driver = event_date()
    driver.tap("Next month")
    driver.tap("OK")
    assert driver.data("calendar")["events"]["piano"]["day"] == DAY


def test_the_last_day_that_was_touched_counts() -> None:
    driver = event_date()
    driver.tap_paint("bead", "5")
    driver.tap("Next month")
    driver.tap_paint("bead", "9")
    assert picked(driver, "9")
    driver.tap("OK")
    chosen = driver.data("calendar")["events"]["piano"]["day"]
    assert phone_time.date_key(chosen) == "2025-02-09"


@given(st.integers(-300, 900), st.integers(-300, 900))
def test_month_distance_is_what_turning_needs(start: int, end: int) -> None:
    steps = month_distance(start, end)
    assert month_distance(end, start) == -steps
    first, last = (phone_time.moment(d * phone_time.DAY) for d in (start, end))
    assert (first.month - 1 + steps) % 12 == last.month - 1


def test_the_part_of_the_time_that_is_being_chosen_is_lit() -> None:
    driver = new_alarm()
    for stage, lit in (("Select hours", ["7", "AM"]), ("Select minutes", ["00", "AM"])):
        driver.tap(stage)
        assert [label for label, chosen, *_ in driver.looks("chip") if chosen] == lit
