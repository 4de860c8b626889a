from __future__ import annotations

from typing import Any

import pytest
from tests.tasks.questions.asked import Asked, Case, misjudged, unseen

from distrl.devices.phone import phone_time
from distrl.tasks.questions.plans import TEMPLATES

ALARM = ("apps", "clock", "alarms", "target")
EVENT = ("apps", "calendar", "events", "target")
CASES = (
    Case(
        "q_alarm_time",
        {"label": "Eye drops"},
        ("3:20 PM", "3:20pm", "15:20", "at 3:20 p.m.", "It rings at 3:20 PM."),
        ("3:20 AM", "3:20", "3:25 PM", "4:20 PM", "3:20 PM or 4:20 PM", "none", "yes"),
        {(*ALARM, "minutes"): 15 * 60 + 20},
    ),
    Case(
        "q_alarm_time",
        {"label": "Eye drops"},
        ("15:20", "3:20 PM", "at 15:20"),
        ("15:02", "05:20", "1520 minutes", "no"),
        {("system", "hour24"): True, (*ALARM, "minutes"): 15 * 60 + 20},
    ),
    Case(
        "q_alarm_on",
        {"label": "Insulin"},
        ("yes", "Yes.", "yeah", "it is true", "Yes, it is switched on"),
        ("no", "No, it is off", "it is not", "yes and no", "none", "maybe"),
        {(*ALARM, "on"): True},
    ),
    Case(
        "q_alarm_on",
        {"label": "Insulin"},
        ("no", "No.", "nope", "false", "No, it is off"),
        ("yes", "Yes, it is", "on", "true"),
        {(*ALARM, "on"): False},
    ),
    Case(
        "q_event_time",
        {"title": "Game night"},
        ("12:00 PM", "noon", "12 pm", "12:00"),
        ("12:00 AM", "midnight", "1:00 PM", "12:30 PM", "Thu, Feb 6"),
        {(*EVENT, "minutes"): 12 * 60},
    ),
    Case(
        "q_event_date",
        {"title": "Vet visit"},
        ("Sat, Feb 15", "February 15", "15 February", "Saturday, Feb 15th", "feb 15"),
        ("Feb 14", "Feb 16", "Sun, Feb 15", "January 15", "Saturday", "15"),
        {("time",): 38 * phone_time.DAY, (*EVENT, "day"): 40},
    ),
    Case(
        "q_event_before_alarm",
        {"title": "Office party", "label": "Backup tape"},
        ("yes", "Yes, it does"),
        ("no", "9:00 AM", "Office party"),
        {(*EVENT, "minutes"): 9 * 60, (*ALARM, "minutes"): 9 * 60 + 5},
    ),
    Case(
        "q_event_before_alarm",
        {"title": "Office party", "label": "Backup tape"},
        ("no", "No, it does not"),
        ("yes", "9:05 AM"),
        {(*EVENT, "minutes"): 9 * 60 + 5, (*ALARM, "minutes"): 9 * 60},
    ),
    Case(
        "q_no_alarm",
        {"label": "Checkout time"},
        ("none", "There is no such alarm", "nothing", "not found", "No"),
        ("7:00 AM", "yes", "at 12:35", "tomorrow"),
    ),
    Case(
        "q_no_event",
        {"title": "Quiz night"},
        ("none", "There is no such event", "unknown"),
        ("8:00 PM", "Sat, Feb 15", "yes", "There is one at 8 pm"),
    ),
)
every_case = pytest.mark.parametrize("case", CASES, ids=str)


def test_every_question_of_the_module_has_a_case() -> None:
    assert {case.template for case in CASES} == {template.name for template in TEMPLATES}


@every_case
def test_the_right_answer_counts_in_any_spelling_and_a_near_miss_does_not(case: Case) -> None:
    assert not list(misjudged(case))


@every_case
def test_the_oracle_reads_the_answer_on_the_screen(case: Case) -> None:
    assert not list(unseen(case))


def test_the_time_of_a_neighbour_is_no_answer() -> None:
    asked = Asked("q_alarm_time", label="Eye drops")
    asked.arrange(*ALARM, "minutes", to=15 * 60 + 20)
    asked.arrange("apps", "clock", "alarms", "other", to={"minutes": 380, "label": "A", "on": True})
    assert not asked.accepts("6:20 AM")
    assert asked.accepts("3:20 PM")


def test_what_was_so_at_the_start_is_asked_for() -> None:
    asked = Asked("q_alarm_on", label="Insulin")
    asked.arrange(*ALARM, "on", to=True)
    asked.change(*ALARM, "on", to=False)
    assert asked.accepts("yes")
    assert asked.side_effects == ("apps.clock.alarms.target.on",)


@pytest.mark.parametrize("seed", range(12))
def test_an_event_and_an_alarm_that_are_compared_are_never_at_one_time(seed: int) -> None:
    asked = Asked("q_event_before_alarm", seed, title="Office party", label="Backup tape")
    event = asked.data("calendar")["events"]["target"]["minutes"]
    alarms = asked.data("clock")["alarms"]
    at = alarms["target"]["minutes"]
    assert event != at
    assert 0 <= at < 24 * 60
    assert [key for key, alarm in alarms.items() if alarm["minutes"] == at] == ["target"]


@pytest.mark.parametrize(
    ("template", "parameters"),
    [("q_no_alarm", {"label": "Checkout time"}), ("q_no_event", {"title": "Quiz night"})],
)
def test_what_does_not_exist_is_not_on_the_phone(template: str, parameters: dict[str, Any]) -> None:
    asked = Asked(template, **parameters)
    (value,) = parameters.values()
    held = (asked.data("clock")["alarms"], asked.data("calendar")["events"])
    names = {entry.get("label", entry.get("title")) for table in held for entry in table.values()}
    assert value not in names
    assert len(names) > 2


def test_yes_and_no_are_both_right_on_some_phones() -> None:
    switched = {
        Asked("q_alarm_on", seed, label="Insulin").data("clock")["alarms"]["target"]["on"]
        for seed in range(10)
    }
    assert switched == {True, False}
