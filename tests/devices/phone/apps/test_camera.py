"""Camera: what it takes, with which lens, and its wordless tools."""

from __future__ import annotations

from typing import Any

import pytest
from tests.devices.phone.driver import Driver

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])


def opened(layout: int = 1, **settings: object) -> Driver:
    driver = Driver(seed=3, layout=layout)
    for key, value in {"lens": "back", **settings}.items():
        driver.change("apps", "camera", key, to=value)
    driver.open("camera")
    return driver


def newest(driver: Driver) -> dict[str, Any]:
    photo: dict[str, Any] = list(driver.data("gallery")["photos"].values())[-1]
    return photo


@LAYOUTS
def test_the_shutter_puts_what_the_camera_sees_into_the_gallery(layout: int) -> None:
    driver = opened(layout, subject="pizza")
    before = len(driver.data("gallery")["photos"])
    driver.tap_paint("shutter")
    assert len(driver.data("gallery")["photos"]) == before + 1
    assert (newest(driver)["subject"], newest(driver)["lens"]) == ("pizza", "back")


def test_the_front_camera_sees_who_holds_the_phone() -> None:
    driver = opened()
    driver.tap_icon("swap")
    driver.tap_paint("shutter")
    assert newest(driver)["lens"] == "front"
    driver.open("gallery")
    driver.tap_paint("selfie")
    assert driver.page == "photo"


def test_the_tools_stand_in_the_order_of_the_phone_and_say_nothing() -> None:
    order = ["settings", "grid", "flashlight", "timer"]
    driver = opened(tools=order)
    assert [icon for icon in driver.icons() if icon in order] == order
    driver.tap_icon("flashlight")
    assert driver.data("camera")["flash"] is True
    assert not any("flash" in words.lower() for words in driver.texts())


def test_a_photo_with_the_timer_shows_in_the_gallery_only_when_it_is_due() -> None:
    driver = opened()
    driver.tap_icon("timer")
    driver.tap("10 seconds")
    driver.tap_paint("shutter")
    due = newest(driver)["time"]
    assert due - driver.state["time"] > 5
    driver.change("apps", "gallery", "photos", to={"only": newest(driver)})
    driver.open("gallery")
    assert driver.sees("No photos")
    driver.wait()
    driver.wait()
    assert not driver.sees("No photos")


def test_recording_takes_two_presses_and_saves_one_video() -> None:
    driver = opened()
    before = len(driver.data("gallery")["photos"])
    driver.tap("Video")
    driver.tap_paint("shutter")
    assert driver.data("camera")["recording"]
    assert len(driver.data("gallery")["photos"]) == before
    driver.tap_paint("shutter")
    assert not driver.data("camera")["recording"]
    assert newest(driver)["kind"] == "video"


def test_the_thumbnail_opens_the_last_photo_in_the_gallery() -> None:
    driver = opened(subject="cake")
    driver.tap_paint("shutter")
    thumbnail = [e for e in driver.elements if e.role == "image"][-1]
    assert thumbnail.bounds[1] > 0.7
    driver.change("apps", "camera", "subject", to="dog")
    driver.tap_paint("photo", "cake")
    assert (driver.app, driver.page) == ("gallery", "photo")
