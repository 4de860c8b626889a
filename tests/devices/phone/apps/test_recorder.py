"""The Recorder, driven by hand."""

from __future__ import annotations

import pytest
from tests.devices.phone.driver import Driver

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])


def opened(layout: int = 1) -> Driver:
    driver = Driver(layout=layout)
    driver.open("recorder")
    return driver


def first_title(driver: Driver) -> str:
    title: str = driver.data("recorder")["recordings"]["recording0"]["title"]
    return title


@LAYOUTS
def test_a_recording_lasts_as_long_as_it_ran(layout: int) -> None:
    driver = opened(layout)
    driver.tap_icon("record")
    driver.wait()
    driver.wait()
    driver.tap_icon("stop")
    newest = next(iter(driver.data("recorder")["recordings"].values()))
    assert newest["seconds"] == 12
    assert driver.sees(newest["title"])


def test_a_discarded_recording_leaves_nothing() -> None:
    driver = opened()
    before = driver.data("recorder")
    driver.tap_icon("record")
    driver.tap_icon("delete")
    assert driver.data("recorder") == before


def test_the_buttons_of_the_recorder_carry_no_words() -> None:
    driver = opened()
    driver.tap_icon("record")
    buttons = [e for e in driver.elements if e.role == "button"]
    assert len(buttons) == 2
    assert {(e.text, e.description) for e in buttons} == {("", "")}


def test_a_recording_is_renamed_by_typing_over_its_name() -> None:
    driver = opened()
    driver.tap(first_title(driver), role="item")
    driver.tap_icon("edit")
    driver.type("Rain on the roof")
    driver.tap("Save")
    assert first_title(driver) == "Rain on the roof"
    assert driver.page == "recording"


def test_a_recording_is_deleted_after_a_question() -> None:
    driver = opened()
    driver.long_press(first_title(driver), role="item")
    driver.tap("Delete")
    assert "recording0" in driver.data("recorder")["recordings"]
    driver.tap("Delete")
    assert "recording0" not in driver.data("recorder")["recordings"]


def test_playing_turns_the_button_into_pause() -> None:
    driver = opened()
    driver.tap(first_title(driver), role="item")
    driver.tap_icon("play")
    assert driver.var("playing") is True
    assert "pause" in driver.icons()
