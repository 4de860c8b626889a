"""Calendar, driven by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone import phone_time
from distrl.devices.phone.apps.calendar import COLORS

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])
TODAY = phone_time.day_from_key("2025-02-12")


def event(title: str, day: int, minutes: int = 600, color: str = "red") -> dict[str, Any]:
    return {"title": title, "day": day, "minutes": minutes, "color": color}


def opened(layout: int = 1, **events: dict[str, Any]) -> Driver:
    driver = Driver(layout=layout)
    driver.change("time", to=TODAY * phone_time.DAY + 9 * 3600)
    driver.change("apps", "calendar", "events", to=events)
    driver.open("calendar")
    return driver


def events(driver: Driver) -> list[dict[str, Any]]:
    return list(driver.data("calendar")["events"].values())


@LAYOUTS
def test_a_new_event_is_on_the_chosen_day(layout: int) -> None:
    driver = opened(layout)
    driver.tap("21")
    driver.tap_icon("add")
    driver.type("Vet visit")
    driver.tap("Save")
    assert events(driver) == [event("Vet visit", TODAY + 9, 540, "blue")]
    assert driver.sees("Vet visit")


@LAYOUTS
def test_an_hour_of_the_day_makes_an_event_at_that_hour(layout: int) -> None:
    driver = opened(layout)
    driver.tap("Wed, Feb 12 (today)")
    driver.tap("3 PM")
    driver.type("Haircut")
    driver.tap("Save")
    assert [(e["day"], e["minutes"]) for e in events(driver)] == [(TODAY, 15 * 60)]


def test_an_event_without_a_title_cannot_be_saved() -> None:
    driver = opened()
    driver.tap_icon("add")
    driver.tap("Save")
    assert driver.page == "edit"
    assert events(driver) == []


def test_the_colour_of_an_event_is_a_swatch_without_words() -> None:
    driver = opened(piano=event("Piano lesson", TODAY))
    driver.tap("Piano lesson")
    driver.tap_icon("edit")
    driver.tap_paint("swatch", COLORS["purple"])
    driver.tap("Save")
    assert driver.data("calendar")["events"]["piano"]["color"] == "purple"


def test_a_day_has_a_dot_for_each_event_but_no_words_for_them() -> None:
    driver = opened(
        one=event("Piano lesson", TODAY + 1, color="red"),
        two=event("Vet visit", TODAY + 1, color="green"),
    )
    dots = (COLORS["red"], COLORS["green"])
    driver.tap_paint("day", "13", "plain", (38, 116, 196), dots)
    assert driver.sees("Piano lesson")
    assert driver.sees("Vet visit")


@LAYOUTS
def test_swiping_turns_the_month_and_today_comes_back(layout: int) -> None:
    driver = opened(layout)
    driver.swipe("left")
    assert driver.sees("March 2025")
    assert driver.var("day") == phone_time.day_from_key("2025-03-01")
    driver.swipe("right")
    driver.swipe("right")
    assert driver.sees("January 2025")
    driver.tap_icon("calendar")
    assert driver.sees("February 2025")
    assert driver.var("day") == TODAY


@LAYOUTS
def test_the_agenda_lists_what_is_to_come_in_order(layout: int) -> None:
    driver = opened(
        layout,
        late=event("Quiz night", TODAY + 5),
        past=event("Fire drill", TODAY - 1),
        soon=event("Yoga class", TODAY + 1),
    )
    driver.tap("Agenda", role="tab")
    items = [e.text for e in driver.elements if e.role == "item"]
    assert items == ["Yoga class", "Quiz night"]


def test_deleting_asks_first() -> None:
    driver = opened(piano=event("Piano lesson", TODAY))
    driver.tap("Piano lesson")
    driver.tap_icon("delete")
    driver.tap("Cancel")
    assert len(events(driver)) == 1
    driver.tap_icon("delete")
    driver.tap("Delete")
    assert events(driver) == []
    assert driver.page == "main"


def test_the_page_of_a_deleted_event_says_so() -> None:
    driver = opened(piano=event("Piano lesson", TODAY))
    driver.tap("Piano lesson")
    driver.change("apps", "calendar", "events", to={})
    assert driver.sees("This event was deleted")


def test_the_week_starts_on_another_day_in_the_other_layout() -> None:
    places = [opened(layout).find("12") for layout in (1, 2)]
    assert [widget.x for widget in places if widget is not None] == [52, 77]
