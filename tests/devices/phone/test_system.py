from __future__ import annotations

import json

import numpy as np
import pytest
from tests.devices.phone.driver import Driver

from distrl import actions
from distrl.devices.phone.system import ACTION_SECONDS, WAIT_SECONDS
from distrl.types import Action, Key


def _many_notes(driver: Driver, count: int = 40) -> None:
    like = next(iter(driver.data("notes")["notes"].values()))
    notes = {f"n{i}": {**like, "title": f"Note {i:02d}", "body": "x"} for i in range(count)}
    driver.change("apps", "notes", "notes", to=notes)
    driver.open("notes")


def _visible_notes(driver: Driver) -> list[str]:
    items = [e.text for e in driver.elements if e.role == "item"]
    return [text for text in items if text.startswith("Note ")]


def _scroll(driver: Driver) -> int:
    top = driver.state["ui"]["stacks"][driver.app][-1]
    scroll: int = top["scroll"]
    return scroll


# Back and home


def _ask_to_delete_a_note() -> Driver:
    driver = Driver()
    driver.open("notes")
    driver.tap(next(e.text for e in driver.elements if e.role == "item"))
    driver.tap_icon("delete")
    assert driver.page == "delete"
    return driver


def test_back_leaves_page_after_page_and_then_the_app() -> None:
    driver = _ask_to_delete_a_note()
    visited = []
    for _ in range(4):
        driver.press("back")
        visited.append((driver.app, driver.page))
    assert visited == [
        ("notes", "note"),
        ("notes", "main"),
        ("launcher", "main"),
        ("launcher", "main"),
    ]


def test_dialog_hides_the_page_below_it() -> None:
    driver = _ask_to_delete_a_note()
    assert driver.sees("Delete note?")
    assert not driver.sees("Navigate up")


def test_home_leaves_a_dialog_and_the_app_keeps_it() -> None:
    driver = _ask_to_delete_a_note()
    driver.press("home")
    assert (driver.app, driver.page) == ("launcher", "main")
    driver.open("notes")
    assert driver.page == "delete"


@pytest.mark.parametrize("kind", ["permission", "update", "updating", "ad", "consent", "notice"])
def test_home_leaves_whatever_covers_the_app(kind: str) -> None:
    driver = Driver()
    driver.open("clock")
    driver.change("ui", "overlay", to={"kind": kind, "app": "clock", "variant": 3, "until": 10**9})
    driver.press("home")
    assert driver.app == "launcher"
    assert driver.state["ui"]["overlay"] is None
    driver.swipe("up")
    assert driver.page == "drawer"


def test_home_leaves_the_shade_and_the_keyboard() -> None:
    driver = Driver()
    driver.open("notes")
    driver.tap_field("Search notes")
    driver.pull_shade()
    driver.press("home")
    assert (driver.app, driver.state["ui"]["shade"]) == ("launcher", False)
    assert not driver.device.observe().keyboard


def test_up_arrow_goes_back_one_page() -> None:
    driver = _ask_to_delete_a_note()
    driver.press("back")
    driver.tap("Navigate up")
    assert driver.page == "main"


# The shade


def test_shade_comes_down_from_the_top_edge_only() -> None:
    driver = Driver()
    driver.swipe("down")
    assert not driver.state["ui"]["shade"]
    driver.pull_shade()
    assert driver.state["ui"]["shade"]


@pytest.mark.parametrize("action", [actions.press(Key.BACK), actions.swipe(0.5, 0.9, 0.5, 0.4)])
def test_shade_goes_up_again(action: Action) -> None:
    driver = Driver()
    driver.open("notes")
    driver.pull_shade()
    driver.perform(action)
    assert not driver.state["ui"]["shade"]
    assert driver.app == "notes"


def test_what_lies_under_the_shade_cannot_be_touched() -> None:
    driver = Driver()
    driver.open("notes")
    before = {e.text for e in driver.elements if e.role == "item"}
    driver.pull_shade()
    assert not before & set(driver.texts())


# Scrolling


def test_list_scrolls_and_stops_at_both_ends() -> None:
    driver = Driver()
    _many_notes(driver)
    assert _visible_notes(driver)[0] == "Note 00"
    driver.swipe("down")
    assert _scroll(driver) == 0
    for _ in range(20):
        driver.swipe("up")
    end = _scroll(driver)
    assert _visible_notes(driver)[-1] == "Note 39"
    driver.swipe("up")
    assert _scroll(driver) == end == driver.device.phone.view.max_scroll


def test_content_follows_the_finger() -> None:
    driver = Driver()
    _many_notes(driver)
    driver.perform(actions.swipe(0.5, 0.8, 0.5, 0.55))
    assert _scroll(driver) == 100
    driver.perform(actions.swipe(0.5, 0.5, 0.5, 0.6))
    assert _scroll(driver) == 60


def test_short_page_does_not_scroll() -> None:
    driver = Driver()
    driver.open("clock")
    driver.swipe("up")
    assert _scroll(driver) == 0


def test_list_that_became_short_is_not_left_empty() -> None:
    driver = Driver()
    _many_notes(driver)
    for _ in range(20):
        driver.swipe("up")
    driver.fill("Search notes", "Note 07")
    assert _visible_notes(driver) == ["Note 07"]


def test_sideways_swipe_does_not_scroll() -> None:
    driver = Driver()
    _many_notes(driver)
    driver.swipe("left")
    assert _scroll(driver) == 0


# Touch


def test_disabled_button_does_nothing() -> None:
    driver = Driver()
    driver.open("notes")
    driver.tap_icon("add")
    save = driver.find("Save", "button")
    assert save is not None
    assert not save.enabled
    driver.tap("Save")
    assert driver.page == "edit"


def test_slider_follows_a_sideways_finger_and_a_tap() -> None:
    driver = Driver()
    driver.pull_shade()
    slider = next(e for e in driver.elements if e.role == "slider")
    x, y = slider.center
    driver.perform(actions.swipe(x, y, 0.9, y))
    assert driver.state["system"]["brightness"] == 100
    driver.perform(actions.tap(0.5, y))
    assert driver.state["system"]["brightness"] == 50


def test_vertical_swipe_over_a_slider_leaves_its_value() -> None:
    driver = Driver()
    driver.pull_shade()
    slider = next(e for e in driver.elements if e.role == "slider")
    before = driver.state["system"]["brightness"]
    x, y = slider.center
    driver.perform(actions.swipe(x, y, x, y - 0.3))
    assert driver.state["system"]["brightness"] == before


def test_long_press_and_tap_are_different() -> None:
    driver = Driver()
    driver.open("notes")
    title = next(e.text for e in driver.elements if e.role == "item")
    driver.long_press(title)
    assert driver.page == "actions"
    driver.press("back")
    driver.tap(title)
    assert driver.page == "note"


def test_field_stays_above_the_keyboard() -> None:
    driver = Driver()
    driver.open("clock")
    driver.tap("Timer")
    driver.tap_field("Minutes")
    field = next(e for e in driver.elements if e.role == "field")
    keyboard = next(e for e in driver.elements if e.role == "keyboard")
    assert field.focused
    assert field.bounds[3] <= keyboard.bounds[1]


# Time


@pytest.mark.parametrize(
    ("action", "seconds"),
    [
        (actions.tap(0.5, 0.5), ACTION_SECONDS),
        (actions.press(Key.HOME), ACTION_SECONDS),
        (actions.type_text("x"), ACTION_SECONDS),
        (actions.complete(), ACTION_SECONDS),
        (actions.wait(), WAIT_SECONDS),
    ],
)
def test_time_passes_by_action(action: Action, seconds: int) -> None:
    driver = Driver()
    before = driver.state["time"]
    driver.perform(action)
    assert driver.state["time"] == before + seconds


def test_time_stands_still_while_nobody_acts() -> None:
    driver = Driver()
    before = driver.device.observe()
    for _ in range(10):
        _ = driver.device.observe().screen
    np.testing.assert_array_equal(before.screen, driver.device.observe().screen)


def test_toast_goes_with_the_next_action() -> None:
    driver = Driver()
    driver.open("notes")
    driver.tap_icon("add")
    driver.fill("Title", "Milk")
    driver.tap("Save")
    assert driver.sees("Note saved")
    driver.wait()
    assert not driver.sees("Note saved")


def test_declarations_change_nothing_but_the_time() -> None:
    driver = Driver()
    driver.open("notes")
    before = {**driver.state, "time": 0}
    driver.perform(actions.complete())
    driver.perform(actions.infeasible())
    assert {**driver.state, "time": 0} == before


def test_acting_never_changes_an_old_state() -> None:
    driver = Driver()
    driver.open("clock")
    kept = driver.state
    written = json.dumps(kept)
    driver.tap("Timer")
    driver.fill("Minutes", "5")
    driver.tap("Start")
    for _ in range(100):
        driver.wait()
    assert json.dumps(kept) == written


def test_running_timer_rings_by_itself() -> None:
    driver = Driver()
    driver.open("clock")
    driver.tap("Timer")
    driver.fill("Minutes", "2")
    driver.tap("Start")
    driver.press("home")
    for _ in range(120 // WAIT_SECONDS):
        driver.wait()
    assert [n["title"] for n in driver.state["notices"].values()] == ["Timer"]
