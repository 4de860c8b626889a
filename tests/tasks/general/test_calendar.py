"""What the goals in Calendar accept and what they do not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tasks.general.posed import Posed, added, neighbour

from distrl.actions import to_text
from distrl.devices.phone import phone_time
from distrl.devices.phone.apps.calendar import COLORS
from distrl.tasks.pools import DATE, day_of


def test_the_event_must_be_on_the_date_asked_for() -> None:
    posed = Posed("create_event", title="Vet visit", date="March 3")
    posed.open("calendar")
    old = set(posed.data("calendar")["events"])
    posed.tap_icon("add")
    posed.type("Vet visit")
    posed.tap("Save")
    (wrong,) = set(posed.data("calendar")["events"]) - old
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == (f"apps.calendar.events.{wrong}",)


def test_a_date_as_people_say_it_is_the_day_that_the_phone_means() -> None:
    for date in DATE.values:
        assert phone_time.long_date(day_of(str(date))) == date
    assert phone_time.date_text(day_of("March 3")) == "Mon, Mar 3"


def test_an_event_at_another_hour_is_not_enough() -> None:
    posed = Posed("create_event_at", title="Vet visit", hour="3 PM")
    posed.open("calendar")
    posed.tap_icon("add")
    posed.type("Vet visit")
    posed.tap("Save")
    assert not posed.reached
    assert posed.solve() <= 6


def test_moving_another_event_does_not_count() -> None:
    posed = Posed("move_event", title="Vet visit", date="February 20")
    posed.solve()
    assert posed.data("calendar")["events"]["target"]["day"] == day_of("February 20")
    assert posed.side_effects == ()


def test_the_plans_of_a_day_are_not_shown_by_the_app_alone() -> None:
    posed = Posed("events_on_date", date="February 20")
    posed.open("calendar")
    assert not posed.reached
    assert posed.solve() <= 3


def test_the_colour_of_an_event_can_only_be_seen() -> None:
    seen = {}
    for seed in range(12):
        posed = Posed("open_color_event", seed, color="green", title="Vet visit")
        posed.change("time", to=40 * phone_time.DAY)
        for key, event in posed.data("calendar")["events"].items():
            if key.startswith("tint_"):
                posed.change("apps", "calendar", "events", key, to={**event, "day": 40})
            elif event["day"] == 40:
                posed.change("apps", "calendar", "events", key, "day", to=41)
        posed.open("calendar")
        seen[to_text(posed.next_action())] = posed.elements
    assert len(seen) > 1
    assert len(set(seen.values())) == 1


def test_the_dots_of_a_month_can_only_be_seen() -> None:
    seen = {}
    for seed in range(6):
        posed = Posed("open_marked_day", seed, color="purple")
        posed.open("calendar")
        seen[to_text(posed.next_action())] = posed.elements
    assert len(seen) > 1
    assert len(set(seen.values())) == 1


def test_choosing_a_day_without_the_dot_is_not_enough() -> None:
    posed = Posed("open_marked_day", color="red")
    posed.open("calendar")
    events = posed.data("calendar")["events"]
    other = events["dot_blue"]["day"]
    posed.tap(str(phone_time.moment(other * phone_time.DAY).day))
    assert not posed.reached
    assert posed.solve() == 2


@pytest.mark.parametrize(
    ("template", "parameters"),
    [
        ("move_event", {"title": "Vet visit", "date": "February 20"}),
        ("events_on_date", {"date": "February 20"}),
        ("open_marked_day", {"color": "red"}),
    ],
)
def test_an_oracle_whose_event_was_deleted_goes_on(
    template: str, parameters: dict[str, Any]
) -> None:
    posed = Posed(template, **parameters)
    posed.change("apps", "calendar", "events", to={})
    posed.open("calendar")
    for _ in range(4):
        action = posed.next_action()
        assert not action.kind.ends_episode
        posed.perform(action)


def _events(posed: Posed) -> dict[str, Any]:
    events: dict[str, Any] = posed.data("calendar")["events"]
    return events


def _open_from_agenda(posed: Posed, title: str) -> None:
    posed.open("calendar")
    posed.tap("Agenda", role="tab")
    posed.tap(title, role="item")


def test_the_event_to_create_is_not_there_at_the_start() -> None:
    for seed in range(8):
        posed = Posed("create_event", seed, title="Vet visit", date="March 3")
        assert all(event["title"] != "Vet visit" for event in _events(posed).values())
        assert phone_time.day_of(posed.state["time"]) != day_of("March 3")


def test_an_event_made_for_today_and_moved_to_the_date_counts() -> None:
    posed = Posed("create_event", title="Vet visit", date="March 3")
    before = _events(posed)
    posed.open("calendar")
    posed.tap_icon("add")
    posed.type("Vet visit")
    posed.tap("Save")
    key = added(_events(posed), before)
    posed.change("apps", "calendar", "events", key, "day", to=day_of("March 3"))
    assert posed.reached
    assert posed.side_effects == ()


@pytest.mark.parametrize("title", ["Vet", "vet visit", "Vet visits"])
def test_a_title_that_is_almost_right_is_not_the_event(title: str) -> None:
    posed = Posed("create_event", title="Vet visit", date="March 3")
    event = {"title": title, "day": day_of("March 3"), "minutes": 600, "color": "blue"}
    posed.change("apps", "calendar", "events", "mine", to=event)
    assert not posed.reached
    assert posed.side_effects == ("apps.calendar.events.mine",)


def test_renaming_another_event_reaches_the_goal_with_a_side_effect() -> None:
    posed = Posed("create_event", title="Vet visit", date="March 3")
    key = next(iter(_events(posed)))
    posed.change("apps", "calendar", "events", key, "day", to=day_of("March 3"))
    posed.change("apps", "calendar", "events", key, "title", to="Vet visit")
    assert posed.reached
    assert set(posed.side_effects) <= {
        f"apps.calendar.events.{key}.{name}" for name in ("day", "title")
    }
    assert f"apps.calendar.events.{key}.title" in posed.side_effects


def test_an_event_at_the_hour_of_another_day_does_not_count() -> None:
    posed = Posed("create_event_at", title="Vet visit", hour="3 PM")
    today = phone_time.day_of(posed.state["time"])
    event = {"title": "Vet visit", "day": today + 1, "minutes": 15 * 60, "color": "blue"}
    posed.change("apps", "calendar", "events", "mine", to=event)
    assert not posed.reached
    posed.change("apps", "calendar", "events", "mine", "day", to=today)
    assert posed.reached
    assert posed.side_effects == ()


def test_the_hour_that_is_asked_for_is_free() -> None:
    for seed in range(12):
        posed = Posed("create_event_at", seed, title="Vet visit", hour="3 PM")
        today = phone_time.day_of(posed.state["time"])
        taken = [e["minutes"] for e in _events(posed).values() if e["day"] == today]
        assert all(abs(minutes - 15 * 60) >= 60 for minutes in taken)


def test_an_event_can_be_opened_from_the_month_or_from_the_agenda() -> None:
    posed = Posed("open_event", title="Vet visit")
    _open_from_agenda(posed, "Vet visit")
    assert posed.reached
    posed.press("back")
    assert not posed.reached
    day = _events(posed)["target"]["day"]
    posed.tap("Month", role="tab")
    label = str(phone_time.moment(day * phone_time.DAY).day)
    if phone_time.moment(day * phone_time.DAY).month != _month_of(posed):
        posed.swipe("left")
    posed.tap(label)
    posed.tap("Vet visit", role="item")
    assert posed.reached
    assert posed.side_effects == ()


def _month_of(posed: Posed) -> int:
    return phone_time.moment(posed.state["time"]).month


def test_the_page_of_another_event_is_not_the_one() -> None:
    posed = Posed("open_event", title="Vet visit")
    today = phone_time.day_of(posed.state["time"])
    key, other = neighbour(_events(posed))
    posed.change("apps", "calendar", "events", key, "day", to=today)
    _open_from_agenda(posed, other["title"])
    assert posed.page == "event"
    assert not posed.reached


def test_an_event_can_be_moved_in_its_form_as_well() -> None:
    posed = Posed("move_event", title="Vet visit", date="February 20")
    before = _events(posed)["target"]
    _open_from_agenda(posed, "Vet visit")
    posed.tap_icon("edit")
    posed.tap("Save")
    assert not posed.reached
    posed.solve()
    assert {**_events(posed)["target"], "day": before["day"]} == before


def test_moving_the_event_to_another_hour_besides_is_a_side_effect() -> None:
    posed = Posed("move_event", title="Vet visit", date="February 20")
    posed.solve()
    posed.change("apps", "calendar", "events", "target", "minutes", to=0)
    assert posed.reached
    assert posed.side_effects == ("apps.calendar.events.target.minutes",)


def test_a_deletion_that_was_cancelled_deletes_no_event() -> None:
    posed = Posed("delete_event", title="Vet visit", date="February 20")
    today = phone_time.day_of(posed.state["time"])
    posed.change("apps", "calendar", "events", "target", "day", to=today)
    _open_from_agenda(posed, "Vet visit")
    posed.tap_icon("delete")
    posed.tap("Cancel")
    assert not posed.reached
    posed.tap_icon("delete")
    posed.tap("Delete")
    assert posed.reached
    assert posed.side_effects == ()


def test_the_plans_of_a_day_count_in_the_agenda_or_on_the_event_itself() -> None:
    posed = Posed("events_on_date", date="February 20")
    title = _events(posed)["target"]["title"]
    posed.change("apps", "calendar", "events", "target", "day", to=day_of("February 20"))
    posed.change("time", to=day_of("February 20") * phone_time.DAY)
    _open_from_agenda(posed, title)
    assert posed.reached
    posed.press("home")
    assert not posed.reached


def test_an_event_of_another_colour_is_not_the_one() -> None:
    posed = Posed("open_color_event", color="green", title="Vet visit")
    posed.open("calendar")
    keys = [key for key in _events(posed) if key.startswith("tint_")]
    assert len(keys) == 4
    wrong = next(key for key in keys if key != "tint_green")
    posed.tap_paint("event", COLORS[_events(posed)[wrong]["color"]])
    assert not posed.reached
    posed.press("back")
    posed.tap_paint("event", COLORS["green"])
    assert posed.reached
