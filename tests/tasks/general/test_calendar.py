"""What the goals in Calendar accept and what they do not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tasks.general.posed import Posed

from distrl.actions import to_text
from distrl.devices.phone import phone_time
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
