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
