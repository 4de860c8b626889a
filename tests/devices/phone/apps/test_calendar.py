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


# The month


@LAYOUTS
def test_a_month_offers_exactly_its_days(layout: int) -> None:
    driver = opened(layout)
    days = [text for text in driver.of_role("button") if text]
    assert days == [str(day) for day in range(1, 29)]


def test_today_and_the_chosen_day_look_different_from_the_others() -> None:
    driver = opened()
    driver.tap("20")
    looks = {label: look for label, look, _, _ in driver.looks("day")}
    assert (looks["12"], looks["20"], looks["21"]) == ("today", "chosen", "plain")
    assert [driver.element(day, "button").checked for day in ("12", "20")] == [False, True]


@LAYOUTS
def test_the_chosen_day_lists_its_events_by_the_clock(layout: int) -> None:
    driver = opened(
        layout,
        b=event("Dinner", TODAY, 1140),
        a=event("Breakfast", TODAY, 480),
        c=event("Elsewhere", TODAY + 1),
    )
    assert driver.of_role("item") == ["Wed, Feb 12 (today)", "Breakfast", "Dinner"]
    assert driver.element("Dinner").description == "7:00 PM"


def test_a_day_without_events_says_so_and_is_not_called_today() -> None:
    driver = opened(a=event("Breakfast", TODAY))
    driver.tap("13")
    assert driver.of_role("item") == ["Thu, Feb 13"]
    assert driver.sees("No events")


def test_a_day_shows_at_most_three_dots() -> None:
    many = {f"e{i}": event(f"Event {i}", TODAY, 600 + i, "blue") for i in range(5)}
    driver = opened(1, **many)
    dots = {label: dots for label, _, _, dots in driver.looks("day")}
    assert len(dots["12"]) == 3
    assert dots["13"] == ()


def test_the_24_hour_clock_is_used_for_events() -> None:
    driver = opened(a=event("Dinner", TODAY, 1140))
    driver.change("system", "hour24", to=True)
    assert driver.element("Dinner").description == "19:00"


def test_months_turn_within_bounds_only() -> None:
    driver = opened()
    for _ in range(20):
        driver.swipe("right")
    assert driver.sees("February 2024")
    for _ in range(60):
        driver.swipe("left")
    assert driver.sees("January 2028")


def test_a_leap_year_has_a_twenty_ninth_of_february() -> None:
    driver = opened()
    for _ in range(12):
        driver.swipe("right")
    assert driver.sees("February 2024")
    assert driver.sees("29")
    assert not driver.sees("30")


def test_swiping_through_months_changes_nothing_that_lasts() -> None:
    driver = opened(a=event("Dinner", TODAY))
    with driver.changes():
        driver.swipe("left")
        driver.swipe("up")
        driver.tap("3")


def test_a_month_of_six_weeks_still_shows_the_list_below() -> None:
    driver = opened()
    driver.change("time", to=phone_time.day_from_key("2025-03-31") * phone_time.DAY)
    driver.open("calendar")
    last = driver.element("31", "button")
    assert driver.element("Mon, Mar 31 (today)").bounds[1] >= last.bounds[3]


# The agenda


@LAYOUTS
def test_the_agenda_says_when_nothing_is_planned(layout: int) -> None:
    driver = opened(layout, past=event("Fire drill", TODAY - 1))
    driver.tap("Agenda", role="tab")
    assert driver.sees("Nothing is planned")


def test_the_agenda_has_a_heading_for_each_day() -> None:
    driver = opened(
        a=event("Breakfast", TODAY, 480),
        b=event("Dinner", TODAY, 1140),
        c=event("Quiz night", TODAY + 2),
    )
    driver.tap("Agenda", role="tab")
    shown = [t for t in driver.of_role("text") if t in ("Today", "Thu, Feb 13", "Fri, Feb 14")]
    assert shown == ["Today", "Fri, Feb 14"]


def test_the_agenda_ends_after_two_dozen_events() -> None:
    many = {f"e{i:02d}": event(f"Event {i:02d}", TODAY + i) for i in range(30)}
    driver = opened(1, **many)
    driver.tap("Agenda", role="tab")
    assert driver.scroll_through() == [f"Event {i:02d}" for i in range(24)]


def test_an_event_opens_from_the_agenda_and_back_returns_to_it() -> None:
    driver = opened(a=event("Breakfast", TODAY))
    driver.tap("Agenda", role="tab")
    driver.tap("Breakfast")
    assert driver.page == "event"
    driver.back()
    assert driver.element("Agenda", "tab").checked


def test_the_today_button_leaves_the_agenda() -> None:
    driver = opened()
    driver.tap("20")
    driver.tap("Agenda", role="tab")
    driver.tap_icon("calendar")
    assert driver.sees("Wed, Feb 12 (today)")


# One day by the hour


@LAYOUTS
def test_the_page_of_a_day_has_its_hours_in_order(layout: int) -> None:
    driver = opened(layout)
    driver.tap("Wed, Feb 12 (today)")
    hours = [f"{h} AM" for h in range(7, 12)] + ["12 PM"] + [f"{h} PM" for h in range(1, 11)]
    assert driver.scroll_through() == hours


def test_an_event_covers_its_hour_and_opens() -> None:
    driver = opened(a=event("Haircut", TODAY, 15 * 60))
    driver.tap("Wed, Feb 12 (today)")
    assert abs(driver.element("Haircut").bounds[1] - driver.element("3 PM").bounds[1]) < 0.01
    driver.tap("Haircut")
    assert driver.page == "event"


@pytest.mark.parametrize(
    ("minutes", "shown"), [(6 * 60 + 59, False), (7 * 60, True), (1439, False)]
)
def test_only_events_within_the_hours_stand_on_the_page_of_a_day(minutes: int, shown: bool) -> None:
    driver = opened(a=event("Haircut", TODAY, minutes))
    driver.tap("Wed, Feb 12 (today)")
    assert driver.sees("Haircut") == shown


# One event


@LAYOUTS
def test_a_new_time_of_an_event_counts_at_once_and_alone(layout: int) -> None:
    driver = opened(layout, piano=event("Piano lesson", TODAY), other=event("Other", TODAY))
    driver.tap("Piano lesson")
    driver.tap("Time")
    driver.tap("4", role="button")
    with driver.changes("apps.calendar.events.piano.minutes"):
        driver.tap("OK")
    assert driver.data("calendar")["events"]["piano"]["minutes"] == 4 * 60
    assert driver.sees("Event updated")


@LAYOUTS
def test_a_new_date_of_an_event_counts_at_once_and_alone(layout: int) -> None:
    driver = opened(layout, piano=event("Piano lesson", TODAY))
    driver.tap("Piano lesson")
    driver.tap("Date")
    driver.tap("26", role="button")
    with driver.changes("apps.calendar.events.piano.day"):
        driver.tap("OK")
    assert driver.shows("Wed, Feb 26")


def test_an_event_may_be_moved_into_the_past() -> None:
    driver = opened(piano=event("Piano lesson", TODAY))
    driver.tap("Piano lesson")
    driver.tap("Date")
    driver.tap("3", role="button")
    driver.tap("OK")
    assert driver.data("calendar")["events"]["piano"]["day"] == TODAY - 9


def test_the_editor_starts_from_the_event_and_saves_what_was_changed() -> None:
    driver = opened(piano=event("Piano lesson", TODAY, 615, "green"))
    driver.tap("Piano lesson")
    driver.tap_icon("edit")
    assert driver.var("title") == "Piano lesson"
    assert driver.shows("10:15 AM")
    driver.fill("Title", "Violin lesson")
    with driver.changes("apps.calendar.events.piano.title"):
        driver.tap("Save")
    assert driver.sees("Event saved")


def test_the_editor_changes_nothing_before_it_is_saved() -> None:
    driver = opened(piano=event("Piano lesson", TODAY))
    driver.tap("Piano lesson")
    driver.tap_icon("edit")
    with driver.changes():
        driver.fill("Title", "Violin lesson")
        driver.press("enter")
        driver.tap_paint("swatch", COLORS["blue"])
        driver.tap("Date")
        driver.tap("26", role="button")
        driver.tap("OK")
        driver.back()
    assert driver.sees("Piano lesson")


@pytest.mark.parametrize("color", COLORS)
def test_every_colour_can_be_given_to_an_event(color: str) -> None:
    driver = opened()
    driver.tap_icon("add")
    driver.type("Vet visit")
    driver.tap_paint("swatch", COLORS[color])
    assert [tint for tint, chosen in driver.looks("swatch") if chosen] == [COLORS[color]]
    driver.tap("Save")
    assert events(driver)[0]["color"] == color


def test_a_title_of_blanks_is_no_title() -> None:
    driver = opened()
    driver.tap_icon("add")
    driver.type("   ")
    assert not driver.can_tap("Save")
    driver.fill("Title", "  Vet  ")
    driver.tap("Save")
    assert events(driver)[0]["title"] == "Vet"


def test_two_events_may_have_one_title() -> None:
    driver = opened(vet=event("Vet visit", TODAY))
    driver.tap_icon("add")
    driver.type("Vet visit")
    with driver.changes("apps.calendar.events.event-*"):
        driver.tap("Save")
    assert driver.of_role("item").count("Vet visit") == 2


def test_deleting_takes_only_the_event_that_is_open() -> None:
    driver = opened(piano=event("Piano lesson", TODAY), vet=event("Vet visit", TODAY))
    driver.tap("Piano lesson")
    driver.tap_icon("delete")
    with driver.changes("apps.calendar.events.piano"):
        driver.tap("Delete")
    assert driver.sees("Vet visit")


def test_an_event_without_an_answer_from_the_pickers_stays() -> None:
    driver = opened(piano=event("Piano lesson", TODAY))
    driver.tap("Piano lesson")
    for row in ("Date", "Time"):
        driver.tap(row)
        with driver.changes():
            driver.tap("8", role="button")
            driver.tap("Cancel")
        assert driver.page == "event"


def test_the_second_layout_writes_time_and_title_on_the_colour_of_an_event() -> None:
    piano = event("Piano lesson", TODAY)
    plain, filled = (opened(layout, piano=piano).looks("event") for layout in (1, 2))
    assert plain == [(COLORS["red"], "Piano lesson", "10:00 AM", False)]
    assert filled == [(COLORS["red"], "10:00 AM  Piano lesson", "", True)]
