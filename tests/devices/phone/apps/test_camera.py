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


def shots(driver: Driver) -> int:
    return len(driver.data("gallery")["photos"])


@LAYOUTS
def test_a_photo_changes_the_gallery_and_nothing_else(layout: int) -> None:
    driver = opened(layout)
    with driver.changes("apps.gallery.photos.shot-*"):
        driver.tap_paint("shutter")
    assert newest(driver)["kind"] == "photo"
    assert newest(driver)["time"] <= driver.state["time"]


@pytest.mark.parametrize(
    ("icon", "setting"), [("flashlight", "flash"), ("grid", "guides"), ("swap", "lens")]
)
def test_each_icon_switches_its_own_setting_and_back(icon: str, setting: str) -> None:
    driver = opened()
    before = driver.data("camera")[setting]
    with driver.changes(f"apps.camera.{setting}"):
        driver.tap_icon(icon)
    driver.tap_icon(icon)
    assert driver.data("camera")[setting] == before


def test_a_tool_that_is_on_is_lit() -> None:
    driver = opened(flash=False)
    dark = next(ink for icon, ink, _ in driver.looks("glyph") if icon == "flashlight")
    driver.tap_icon("flashlight")
    lit = next(ink for icon, ink, _ in driver.looks("glyph") if icon == "flashlight")
    assert dark == "white"
    assert lit != "white"


def test_grid_lines_cross_the_viewfinder_only_when_wanted() -> None:
    def lines(driver: Driver) -> int:
        return driver.looks("fill").count(("white",))

    assert lines(opened(guides=False)) == 0
    assert lines(opened(guides=True)) == 4


@pytest.mark.parametrize(("label", "seconds"), [("Off", 0), ("3 seconds", 3), ("10 seconds", 10)])
def test_the_timer_dialog_sets_the_delay_of_its_label(label: str, seconds: int) -> None:
    driver = opened(timer=3 if seconds != 3 else 0)
    driver.tap_icon("timer")
    driver.tap(label, role="radio")
    assert (driver.page, driver.data("camera")["timer"]) == ("main", seconds)
    driver.tap_icon("timer")
    assert driver.element(label, "radio").checked


def test_cancelling_the_timer_dialog_keeps_the_delay() -> None:
    driver = opened(timer=3)
    driver.tap_icon("timer")
    with driver.changes():
        driver.tap("Cancel")
    assert driver.page == "main"


def test_the_viewfinder_counts_down_to_a_delayed_photo() -> None:
    driver = opened(timer=10)
    driver.tap_paint("shutter")
    assert driver.sees("8")
    driver.wait()
    assert driver.sees("3")
    driver.wait()
    assert not any(text.isdecimal() for text in driver.of_role("text"))


def test_the_timer_does_not_delay_videos() -> None:
    driver = opened(timer=10, mode="video")
    driver.tap_paint("shutter")
    driver.tap_paint("shutter")
    assert newest(driver)["time"] <= driver.state["time"]


@LAYOUTS
def test_the_modes_are_chosen_by_words_and_by_swipes(layout: int) -> None:
    driver = opened(layout)
    driver.tap("Video", role="tab")
    assert driver.data("camera")["mode"] == "video"
    driver.swipe("right")
    assert driver.data("camera")["mode"] == "photo"
    driver.swipe("left")
    assert driver.element("Video", "tab").checked
    driver.swipe("up")
    assert driver.data("camera")["mode"] == "video"


def test_nothing_can_be_changed_while_recording() -> None:
    driver = opened(mode="video")
    driver.tap_paint("shutter")
    with driver.changes():
        driver.tap("Photo", role="tab")
        driver.swipe("right")
        driver.tap_icon("swap")


def test_a_red_dot_shows_that_the_camera_records() -> None:
    driver = opened(mode="video")
    assert "dot" not in [icon for icon, *_ in driver.looks("glyph")]
    driver.tap_paint("shutter")
    assert "dot" in [icon for icon, *_ in driver.looks("glyph")]
    driver.tap_paint("shutter")
    assert driver.sees("Video saved")


def test_a_recording_goes_on_behind_another_app() -> None:
    driver = opened(mode="video")
    driver.tap_paint("shutter")
    driver.press("home")
    driver.wait()
    driver.open("camera")
    before = shots(driver)
    driver.tap_paint("shutter")
    assert shots(driver) == before + 1


@pytest.mark.parametrize(
    ("label", "setting"), [("Grid lines", "guides"), ("Shutter sound", "sound")]
)
def test_the_settings_page_has_a_switch_for(label: str, setting: str) -> None:
    driver = opened()
    driver.tap_icon("settings")
    before = driver.element(label, "switch").checked
    assert before == driver.data("camera")[setting]
    with driver.changes(f"apps.camera.{setting}"):
        driver.tap(label, role="switch")
    assert driver.element(label, "switch").checked == (not before)


def test_the_settings_page_leads_back_and_its_storage_row_is_only_information() -> None:
    driver = opened()
    driver.tap_icon("settings")
    with driver.changes():
        driver.poke("Storage")
    driver.tap("Navigate up")
    assert driver.page == "main"


def test_swiping_on_the_settings_page_leaves_the_mode() -> None:
    driver = opened()
    driver.tap_icon("settings")
    with driver.changes():
        driver.swipe("left")


def test_the_thumbnail_of_an_empty_gallery_opens_nothing() -> None:
    driver = opened()
    driver.change("apps", "gallery", "photos", to={})
    driver.tap_paint("fill", (60, 60, 66))
    assert driver.app == "camera"


def test_the_shutter_is_red_for_videos() -> None:
    assert opened().looks("shutter") != opened(mode="video").looks("shutter")


def test_front_and_back_camera_look_at_different_things() -> None:
    assert opened(lens="front").looks("selfie")
    assert opened(lens="back", subject="dog").looks("photo")[0][0] == "dog"


@LAYOUTS
def test_thumbnail_and_lens_change_sides_with_the_layout(layout: int) -> None:
    driver = opened(layout)
    swap = next(
        w for w in driver.device.phone.view.widgets if w.paint and w.paint[1:2] == ("swap",)
    )
    assert (swap.x > 90) == (layout == 1)
