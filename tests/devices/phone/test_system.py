from __future__ import annotations

import json

import numpy as np
import pytest
from tests.devices.phone.driver import Driver

from distrl import actions
from distrl.devices.phone.control import new_page
from distrl.devices.phone.system import ACTION_SECONDS, WAIT_SECONDS, Phone, build_view
from distrl.errors import ActionError
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


# Scrolling a form above the keyboard


def test_a_field_at_the_end_of_a_page_is_kept_above_the_keyboard() -> None:
    driver = Driver()
    body = "\n".join(["line"] * 17)
    note = {"title": "Long", "body": body, "color": "pink", "pinned": False}
    driver.change("apps", "notes", "notes", to={"n": note})
    driver.open("notes")
    driver.tap("Long")
    driver.tap_field("Add a line")
    field = driver.element("Add a line", "field")
    assert field.focused
    assert field.bounds[3] <= driver.element("Keyboard").bounds[1]


def test_the_page_does_not_jump_when_another_field_is_touched() -> None:
    driver = Driver()
    driver.open("notes")
    driver.tap_icon("add")
    before = _scroll(driver)
    driver.tap_field("Note")
    driver.tap_field("Title")
    assert _scroll(driver) == before


@pytest.mark.parametrize("dy", [0.05, 0.2, 0.6])
def test_a_page_scrolls_as_far_as_the_finger_moves(dy: float) -> None:
    driver = Driver()
    _many_notes(driver)
    driver.perform(actions.swipe(0.5, 0.9, 0.5, 0.9 - dy))
    assert _scroll(driver) == round(dy * 400)


def test_a_slanted_swipe_counts_by_its_longer_side() -> None:
    driver = Driver()
    _many_notes(driver)
    driver.perform(actions.swipe(0.2, 0.8, 0.6, 0.6))
    assert _scroll(driver) == 0
    driver.perform(actions.swipe(0.4, 0.8, 0.6, 0.4))
    assert _scroll(driver) == 160


def test_each_page_keeps_how_far_it_was_scrolled() -> None:
    driver = Driver()
    _many_notes(driver)
    driver.swipe("up")
    before = _scroll(driver)
    driver.tap(_visible_notes(driver)[2])
    assert _scroll(driver) == 0
    driver.back()
    assert _scroll(driver) == before


def test_an_overlapping_keyboard_does_not_move_the_page() -> None:
    driver = Driver()
    _many_notes(driver)
    driver.change("ui", "overlap", to=True)
    driver.tap_field("Search notes")
    assert _scroll(driver) == 0
    assert driver.device.observe().keyboard


# What touches reach


def test_a_touch_on_nothing_does_nothing() -> None:
    driver = Driver()
    driver.open("clock")
    before = driver.state["ui"]
    driver.perform(actions.tap(0.5, 0.999))
    assert driver.state["ui"] == before


def test_a_long_press_where_none_is_heard_does_nothing() -> None:
    driver = Driver()
    driver.open("clock")
    before = driver.state["ui"]
    driver.long_press("Timer", role="tab")
    assert driver.state["ui"] == before


def test_enter_without_a_keyboard_does_nothing() -> None:
    driver = Driver()
    driver.open("notes")
    before = driver.state["ui"]
    driver.press("enter")
    assert driver.state["ui"] == before


def test_a_swipe_below_a_dialog_scrolls_nothing() -> None:
    driver = _ask_to_delete_a_note()
    before = driver.state["ui"]["stacks"]
    for direction in ("up", "down", "left", "right"):
        driver.swipe(direction)
    assert driver.state["ui"]["stacks"] == before


def test_the_shade_comes_down_over_a_dialog_and_goes_up_again() -> None:
    driver = _ask_to_delete_a_note()
    driver.pull_shade()
    assert driver.state["ui"]["shade"]
    driver.back()
    assert driver.page == "delete"


# The edges of the screen


@pytest.mark.parametrize("flag", ["wifi", "bluetooth", "airplane", "dnd"])
def test_the_status_bar_shows_each_flag(flag: str) -> None:
    driver = Driver()
    place = ("wifi", "bluetooth", "airplane", "dnd").index(flag)
    for on in (True, False):
        driver.change("system", flag, to=on)
        assert driver.looks("status")[0][1][place] is on


def test_the_status_bar_shows_the_battery_in_steps_of_five() -> None:
    driver = Driver()
    for level, shown in ((100, 100), (64, 60), (65, 65), (3, 0)):
        driver.change("system", "battery", to=level)
        assert driver.looks("status")[0][2] == shown


def test_the_clock_of_the_status_bar_follows_the_time() -> None:
    driver = Driver()
    driver.change("time", to=9 * 3600 + 58)
    assert driver.looks("status")[0][0] == "9:00 AM"
    driver.wait()
    assert driver.looks("status")[0][0] == "9:01 AM"


def test_the_status_bar_is_the_last_element_but_the_keyboard() -> None:
    driver = Driver()
    assert driver.elements[-1].description == "Status bar"


def test_a_toast_stands_above_the_keyboard() -> None:
    driver = Driver()
    driver.open("notes")
    driver.tap_field("Search notes")
    driver.change("ui", "toast", to="Hello")
    assert driver.element("Hello").bounds[3] <= driver.element("Keyboard").bounds[1]


# States


def test_a_phone_shows_whatever_state_it_is_given() -> None:
    driver = Driver()
    home = driver.state
    driver.open("clock")
    clock = driver.state
    phone = Phone(home)
    assert phone.view.app == "launcher"
    phone.state = clock
    assert phone.view.app == "clock"
    assert phone.view is phone.view


def test_a_screen_is_a_pure_function_of_the_state() -> None:
    driver = Driver()
    driver.open("mail")
    one, two = build_view(driver.state), build_view(driver.state)
    assert one.elements == two.elements
    assert [w.paint for w in one.widgets] == [w.paint for w in two.widgets]


def test_an_episode_of_waits_only_lets_time_pass() -> None:
    driver = Driver()
    driver.open("clock")
    before = driver.state
    driver.wait(10)
    assert {**driver.state, "time": 0} == {**before, "time": 0}
    assert driver.state["time"] == before["time"] + 10 * WAIT_SECONDS


def test_a_page_that_loads_shows_its_title_and_nothing_to_touch() -> None:
    driver = Driver()
    driver.open("mail")
    page = {**new_page("main", {}), "ready": driver.state["time"] + 7}
    driver.change("ui", "stacks", "mail", to=[page])
    assert driver.texts() == ["Mail", "Loading...", "Status bar"]
    driver.wait(2)
    assert driver.sees("Inbox")


def test_open_app_starts_an_app_by_the_name_below_its_icon() -> None:
    driver = Driver()
    driver.open("mail")
    before = driver.state["time"]
    driver.perform(actions.open_app("  tasks "))
    assert (driver.app, driver.page) == ("todo", "main")
    assert driver.state["time"] == before + ACTION_SECONDS


@pytest.mark.parametrize("name", ["", "Tusks", "todo", "launcher", "'; DROP", "x" * 2000])
def test_an_app_that_the_phone_does_not_have_is_an_invalid_action(name: str) -> None:
    driver = Driver()
    before = driver.state
    with pytest.raises(ActionError, match="no app is called"):
        driver.perform(actions.open_app(name))
    assert driver.state is before


def test_the_nearest_app_is_named() -> None:
    with pytest.raises(ActionError, match="did you mean 'Tasks'"):
        Driver().perform(actions.open_app("Taks"))


def test_a_double_tap_on_what_knows_only_taps_is_two_of_them() -> None:
    once, twice = Driver(), Driver()
    for driver in (once, twice):
        driver.open("calculator")
        driver.tap("7")
    x, y = once.element("5").center
    once.perform(actions.tap(x, y))
    once.perform(actions.tap(x, y))
    before = twice.state["time"]
    twice.perform(actions.double_tap(x, y))
    assert once.texts() == twice.texts()
    assert twice.state["time"] == before + ACTION_SECONDS


def test_a_drag_moves_a_slider_and_a_page_as_a_swipe_does() -> None:
    for app, page in (("settings", "Display"), ("notes", "")):
        dragged, swiped = Driver(), Driver()
        for driver in (dragged, swiped):
            _many_notes(driver)
            driver.open(app)
            if page:
                driver.tap(page)
        role = "slider" if page else "item"
        x, y = next(e for e in dragged.elements if e.role == role).center
        way = (x, y, 0.8, y) if page else (x, 0.8, x, 0.4)
        before = dragged.state
        dragged.perform(actions.drag(*way))
        swiped.perform(actions.swipe(*way))
        assert dragged.state == swiped.state != before
