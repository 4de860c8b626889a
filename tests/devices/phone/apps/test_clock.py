"""Clock, driven by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone import phone_time

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])
ALARM = {"minutes": 390, "label": "Early train", "on": True}


def opened(layout: int = 1, **alarms: dict[str, Any]) -> Driver:
    driver = Driver(layout=layout)
    driver.change("apps", "clock", "alarms", to=alarms)
    driver.open("clock")
    return driver


def alarms(driver: Driver) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = driver.data("clock")["alarms"]
    return found


@LAYOUTS
def test_the_picker_alone_makes_an_alarm_that_is_on(layout: int) -> None:
    driver = opened(layout)
    driver.tap_icon("add")
    driver.tap_paint("bead", "6")
    driver.tap("OK")
    assert list(alarms(driver).values()) == [{"minutes": 360, "label": "", "on": True}]
    assert driver.sees("6:00 AM")


@LAYOUTS
def test_the_toggle_switches_and_the_row_opens(layout: int) -> None:
    driver = opened(layout, train=ALARM)
    driver.tap("Early train", role="switch")
    assert not alarms(driver)["train"]["on"]
    driver.tap("6:30 AM", role="item")
    assert driver.page == "alarm"


def test_time_and_label_of_an_alarm_change_only_when_saved() -> None:
    driver = opened(train=ALARM)
    driver.tap("6:30 AM", role="item")
    driver.tap("Time")
    driver.tap_paint("bead", "8")
    driver.tap("OK")
    driver.fill("Label", "Late train")
    assert alarms(driver)["train"] == ALARM
    driver.tap("Save")
    assert alarms(driver)["train"] == {"minutes": 510, "label": "Late train", "on": True}


def test_an_alarm_is_deleted_after_a_question() -> None:
    driver = opened(train=ALARM)
    driver.tap("6:30 AM", role="item")
    driver.tap_icon("delete")
    assert "train" in alarms(driver)
    driver.tap("Delete")
    assert alarms(driver) == {}
    assert driver.sees("No alarms")


def test_a_city_is_found_by_its_name_and_shows_its_time() -> None:
    driver = opened()
    driver.change("apps", "clock", "cities", to={})
    driver.tap("World")
    driver.tap_icon("add")
    driver.type("honolulu")
    driver.tap("Honolulu", role="item")
    minutes = phone_time.minute_of(driver.state["time"]) - 600
    assert driver.shows(phone_time.clock_text(minutes))
    driver.long_press("Honolulu")
    assert driver.data("clock")["cities"] == {}


def test_a_timer_rings_when_its_time_is_up() -> None:
    driver = opened()
    driver.tap("Timer")
    driver.fill("Minutes", "2")
    driver.tap("Start")
    assert driver.data("clock")["timer"]["running"]
    for _ in range(24):
        driver.wait()
    assert not driver.data("clock")["timer"]["running"]
    assert [n["text"] for n in driver.state["notices"].values()] == ["Time is up"]


@pytest.mark.parametrize("typed", ["0", "1000", "five", "٣"])
def test_a_timer_needs_a_sensible_number(typed: str) -> None:
    driver = opened()
    driver.tap("Timer")
    driver.fill("Minutes", typed)
    start = driver.find("Start", "button")
    assert start is not None
    assert not start.enabled


@LAYOUTS
def test_a_preset_starts_its_timer_at_once(layout: int) -> None:
    driver = opened(layout)
    driver.change("apps", "clock", "presets", to={"tea": {"label": "Tea ready", "minutes": 4}})
    driver.tap("Timer")
    driver.tap("Tea ready")
    timer = driver.data("clock")["timer"]
    assert timer["running"]
    assert timer["left"] == 240


def test_a_paused_timer_keeps_what_is_left() -> None:
    driver = opened()
    driver.tap("Timer")
    driver.fill("Minutes", "5")
    driver.tap("Start")
    driver.wait()
    driver.tap("Pause")
    left = driver.data("clock")["timer"]["left"]
    driver.wait()
    driver.tap("Start")
    timer = driver.data("clock")["timer"]
    assert 280 < left < 300
    assert timer["running"]
    assert timer["left"] == left


@LAYOUTS
def test_the_stopwatch_counts_only_while_it_runs(layout: int) -> None:
    driver = opened(layout)
    driver.tap("Stopwatch")
    driver.tap_icon("play")
    for _ in range(4):
        driver.wait()
    driver.tap_icon("pause")
    held = driver.data("clock")["stopwatch"]["held"]
    driver.wait()
    assert held >= 20
    assert driver.sees(f"00:{held:02d}")
    driver.tap_icon("undo")
    assert driver.sees("00:00")


def test_the_page_of_a_deleted_alarm_says_so() -> None:
    driver = opened(train=ALARM)
    driver.tap("6:30 AM", role="item")
    driver.change("apps", "clock", "alarms", to={})
    assert driver.sees("This alarm was deleted")
    driver.tap("Navigate up")
    assert driver.page == "main"


# Alarms


@LAYOUTS
def test_alarms_stand_in_the_order_of_the_day(layout: int) -> None:
    late, noon = {**ALARM, "minutes": 1380}, {**ALARM, "minutes": 720}
    driver = opened(layout, a=late, b=ALARM, c=noon)
    assert driver.of_role("item") == ["6:30 AM", "12:00 PM", "11:00 PM"]


@LAYOUTS
def test_the_toggle_changes_nothing_but_its_own_alarm(layout: int) -> None:
    driver = opened(layout, train=ALARM, nap={**ALARM, "label": "Nap", "on": False})
    with driver.changes("apps.clock.alarms.nap.on"):
        driver.tap("Nap", role="switch")
    assert driver.element("Nap", "switch").checked
    assert driver.page == "main"


def test_an_alarm_without_a_label_is_called_alarm_and_switched_by_its_time() -> None:
    driver = opened(nameless={**ALARM, "label": ""})
    assert driver.element("6:30 AM", "item").description == "Alarm"
    driver.tap("6:30 AM", role="switch")
    assert alarms(driver)["nameless"]["on"] is False


def test_the_24_hour_clock_is_used_for_alarms_and_cities() -> None:
    driver = opened(train={**ALARM, "minutes": 1110})
    driver.change("apps", "clock", "cities", to={"Honolulu": True})
    driver.change("system", "hour24", to=True)
    assert driver.sees("18:30")
    driver.tap("18:30", role="item")
    assert driver.shows("18:30")
    driver.back()
    driver.tap("World")
    time = driver.element("Honolulu").description.split()[-1]
    assert time == phone_time.clock_text(
        phone_time.minute_of(driver.state["time"]) - 600, hour24=True
    )


def test_a_new_alarm_starts_at_seven_and_leaves_the_others_alone() -> None:
    driver = opened(train=ALARM)
    driver.tap_icon("add")
    with driver.changes("apps.clock.alarms.alarm-*"):
        driver.tap("OK")
    assert driver.sees("Alarm set")
    assert [a["minutes"] for a in alarms(driver).values()] == [390, 420]


def test_two_alarms_may_ring_at_the_same_time() -> None:
    driver = opened()
    for _ in range(2):
        driver.tap_icon("add")
        driver.tap("OK")
    assert driver.of_role("item") == ["7:00 AM", "7:00 AM"]


def test_saving_switches_an_alarm_on() -> None:
    driver = opened(train={**ALARM, "on": False})
    driver.tap("6:30 AM", role="item")
    with driver.changes("apps.clock.alarms.train.on"):
        driver.tap("Save")
    assert driver.sees("Alarm saved")
    assert driver.element("Early train", "switch").checked


def test_a_label_is_saved_without_outer_blanks_and_may_be_emptied() -> None:
    driver = opened(train=ALARM)
    for typed, saved in (("  Gym  ", "Gym"), (" ", "")):
        driver.tap("6:30 AM", role="item")
        driver.fill("Label", typed)
        driver.tap("Save")
        assert alarms(driver)["train"]["label"] == saved


@pytest.mark.parametrize("leave", ["up", "back", "home"])
def test_leaving_an_alarm_unsaved_keeps_it(leave: str) -> None:
    driver = opened(train=ALARM)
    driver.tap("6:30 AM", role="item")
    with driver.changes():
        driver.fill("Label", "Never")
        driver.press("enter")
        if leave == "up":
            driver.tap("Navigate up")
        else:
            driver.press(leave)
    assert alarms(driver)["train"] == ALARM


def test_a_kept_alarm_survives_the_question() -> None:
    driver = opened(train=ALARM)
    driver.tap("6:30 AM", role="item")
    driver.tap_icon("delete")
    with driver.changes():
        driver.tap("Cancel")
    assert driver.page == "alarm"


def test_deleting_takes_only_the_alarm_that_is_open() -> None:
    driver = opened(train=ALARM, nap={**ALARM, "minutes": 840, "label": "Nap"})
    driver.tap("2:00 PM", role="item")
    driver.tap_icon("delete")
    with driver.changes("apps.clock.alarms.nap"):
        driver.tap("Delete")
    assert (driver.page, driver.of_role("item")) == ("main", ["6:30 AM"])


def test_many_alarms_are_all_reached_by_scrolling() -> None:
    many = {f"a{i}": {"minutes": 15 * i, "label": f"Ring {i}", "on": True} for i in range(30)}
    driver = opened(1, **many)
    assert driver.scroll_through() == [phone_time.clock_text(15 * i) for i in range(30)]


# World clock


@LAYOUTS
def test_cities_can_be_added_and_dropped_without_touching_each_other(layout: int) -> None:
    driver = opened(layout)
    driver.change("apps", "clock", "cities", to={"Honolulu": True})
    driver.tap("World")
    driver.tap_icon("add")
    driver.type("Tokyo")
    with driver.changes("apps.clock.cities.Tokyo"):
        driver.tap("Tokyo", role="item")
    with driver.changes("apps.clock.cities.Honolulu"):
        driver.long_press("Honolulu")
    assert driver.of_role("item") == ["Tokyo"]


def test_a_world_clock_without_cities_says_so() -> None:
    driver = opened()
    driver.change("apps", "clock", "cities", to={})
    driver.tap("World")
    assert driver.sees("No cities")


def test_the_search_for_a_city_begins_empty_and_finds_parts_of_names() -> None:
    driver = opened()
    driver.tap("World")
    driver.tap_icon("add")
    assert driver.device.observe().keyboard
    assert driver.sees("Type the name of a city")
    driver.type("LU")
    assert "Honolulu" in driver.of_role("item")
    driver.type("qq")
    assert driver.of_role("item") == []


def test_tapping_a_city_in_the_world_clock_does_nothing() -> None:
    driver = opened()
    driver.tap("World")
    with driver.changes():
        driver.tap(next(iter(driver.data("clock")["cities"])))
    assert driver.page == "main"


# Timer


@pytest.mark.parametrize("typed", ["1", "60", "999", " 7 "])
def test_a_timer_takes_every_whole_number_of_minutes_below_a_thousand(typed: str) -> None:
    driver = opened()
    driver.tap("Timer")
    driver.fill("Minutes", typed)
    driver.tap("Start")
    assert driver.data("clock")["timer"]["left"] == 60 * int(typed)


@pytest.mark.parametrize("typed", ["", "-5", "1.5", "5 5", "007x"])
def test_a_timer_that_makes_no_sense_cannot_be_started(typed: str) -> None:
    driver = opened()
    driver.tap("Timer")
    driver.tap_field("Minutes")
    if typed:
        driver.type(typed)
    assert not driver.can_tap("Start")


def test_a_running_timer_counts_down_on_the_screen() -> None:
    driver = opened()
    driver.tap("Timer")
    driver.fill("Minutes", "3")
    driver.tap("Start")
    assert driver.sees("02:58")
    driver.wait()
    assert driver.sees("02:53")


def test_a_running_timer_is_reset_to_nothing() -> None:
    driver = opened()
    driver.tap("Timer")
    driver.fill("Minutes", "3")
    driver.tap("Start")
    driver.tap("Reset")
    assert driver.sees("00:00")
    assert driver.can_tap("Start")
    driver.wait(60)
    assert driver.state["notices"] == {}


def test_a_timer_runs_on_behind_another_app_and_its_notice_leads_back() -> None:
    driver = opened()
    driver.tap("Timer")
    driver.fill("Minutes", "1")
    driver.tap("Start")
    driver.open("notes")
    driver.wait(13)
    driver.pull_shade()
    driver.tap("Timer: Time is up")
    assert driver.app == "clock"
    assert driver.state["notices"] == {}


def test_a_timer_rings_once() -> None:
    driver = opened()
    driver.tap("Timer")
    driver.fill("Minutes", "1")
    driver.tap("Start")
    driver.wait(40)
    assert len(driver.state["notices"]) == 1


def test_a_preset_replaces_the_timer_that_runs() -> None:
    driver = opened()
    presets = {
        "tea": {"label": "Tea ready", "minutes": 4},
        "egg": {"label": "Egg", "minutes": 6},
    }
    driver.change("apps", "clock", "presets", to=presets)
    driver.tap("Timer")
    driver.tap("Tea ready")
    with driver.changes("apps.clock.timer.ends", "apps.clock.timer.left"):
        driver.tap("Egg")
    assert driver.data("clock")["timer"]["left"] == 360


@LAYOUTS
def test_presets_stand_below_the_field_or_above_it(layout: int) -> None:
    driver = opened(layout)
    driver.tap("Timer")
    header, field = driver.element("Presets"), driver.element("Minutes", "field")
    assert (header.bounds[1] > field.bounds[1]) == (layout == 1)


# Stopwatch


def test_the_stopwatch_adds_up_its_runs() -> None:
    driver = opened()
    driver.tap("Stopwatch")
    for _ in range(2):
        driver.tap_icon("play")
        driver.wait()
        driver.tap_icon("pause")
    assert driver.data("clock")["stopwatch"]["held"] == 14
    assert driver.sees("00:14")


def test_the_stopwatch_runs_on_behind_the_home_screen() -> None:
    driver = opened()
    driver.tap("Stopwatch")
    driver.tap_icon("play")
    driver.press("home")
    driver.wait(12)
    driver.open("clock")
    assert driver.sees("01:04")


def test_a_reset_stops_a_running_stopwatch() -> None:
    driver = opened()
    driver.tap("Stopwatch")
    driver.tap_icon("play")
    driver.tap_icon("undo")
    driver.wait()
    assert driver.sees("00:00")
    assert not driver.data("clock")["stopwatch"]["running"]


@LAYOUTS
def test_tabs_keep_their_place_while_the_app_is_away(layout: int) -> None:
    driver = opened(layout)
    driver.tap("Stopwatch")
    driver.press("home")
    driver.open("clock")
    assert driver.element("Stopwatch", "tab").checked
    assert [driver.element(tab, "tab").checked for tab in ("Alarm", "World", "Timer")] == [
        False
    ] * 3
