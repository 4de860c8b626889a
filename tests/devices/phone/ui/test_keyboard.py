from __future__ import annotations

import pytest
from tests.devices.phone.driver import Driver

from distrl import actions
from distrl.devices.phone.ui import keyboard
from distrl.devices.phone.ui.view import HEIGHT, KEYBOARD_HEIGHT, KEYBOARD_TOP, WIDTH


def _tap_keys(driver: Driver, keys: list[str]) -> None:
    places = {key: box for key, *box in keyboard.layout()}
    for key in keys:
        left, top, width, height = places[key]
        x, y = left + width / 2, KEYBOARD_TOP + top + height / 2
        driver.perform(actions.tap(x / WIDTH, y / HEIGHT))


@pytest.fixture
def driver() -> Driver:
    found = Driver()
    found.open("notes")
    found.tap_field("Search notes")
    return found


def test_keys_fill_the_keyboard_without_overlap() -> None:
    cells: set[tuple[int, int]] = set()
    for _, left, top, width, height in keyboard.layout():
        assert 0 <= left < left + width <= WIDTH
        assert 0 <= top < top + height <= KEYBOARD_HEIGHT
        new = {(x, y) for x in range(left, left + width) for y in range(top, top + height)}
        assert not new & cells
        cells |= new


def test_every_key_is_found_at_its_middle() -> None:
    for key, left, top, width, height in keyboard.layout():
        assert keyboard.key_at(left + width / 2, KEYBOARD_TOP + top + height / 2) == key


def test_gap_between_keys_types_nothing(driver: Driver) -> None:
    assert keyboard.key_at(1, KEYBOARD_TOP + 2 + 4 * keyboard.ROW_HEIGHT) == ""
    driver.perform(actions.tap(1 / WIDTH, (KEYBOARD_TOP + 110) / HEIGHT))
    assert driver.var("query", "") == ""


def test_typing_by_key_taps_equals_typing_a_text(driver: Driver) -> None:
    _tap_keys(driver, ["t", "e", "a", " ", "4", "2"])
    assert driver.var("query") == "tea 42"


def test_backspace_takes_the_last_character(driver: Driver) -> None:
    driver.type("tea")
    _tap_keys(driver, ["backspace"])
    assert driver.var("query") == "te"
    _tap_keys(driver, ["backspace"] * 5)
    assert driver.var("query") == ""


def test_tapping_a_field_selects_its_text_and_typing_replaces_it(driver: Driver) -> None:
    driver.type("tea")
    driver.tap_field("Search notes")
    driver.type("milk")
    driver.type(" foam")
    assert driver.var("query") == "milk foam"


def test_backspace_on_a_selection_clears_the_field(driver: Driver) -> None:
    driver.type("tea")
    driver.tap_field("Search notes")
    _tap_keys(driver, ["backspace"])
    assert driver.var("query") == ""


@pytest.mark.parametrize("by_key", [True, False])
def test_enter_hides_the_keyboard_and_keeps_the_text(driver: Driver, by_key: bool) -> None:
    driver.type("tea")
    if by_key:
        _tap_keys(driver, ["enter"])
    else:
        driver.press("enter")
    assert not driver.device.observe().keyboard
    assert driver.var("query") == "tea"


def test_back_hides_the_keyboard_before_it_leaves_the_page(driver: Driver) -> None:
    driver.press("back")
    assert driver.app == "notes"
    assert not driver.device.observe().keyboard
    driver.press("back")
    assert driver.app == "launcher"


def test_typing_without_a_focused_field_does_nothing() -> None:
    driver = Driver()
    driver.open("notes")
    before = driver.state["ui"]["stacks"]
    driver.type("lost words")
    assert driver.state["ui"]["stacks"] is before


def test_keyboard_is_one_element(driver: Driver) -> None:
    assert [e.role for e in driver.elements].count("keyboard") == 1
    assert sum(e.role == "field" and e.focused for e in driver.elements) == 1


def test_field_takes_no_more_than_its_limit(driver: Driver) -> None:
    for _ in range(3):
        driver.type("x" * 1500)
    assert len(driver.var("query")) == keyboard.FIELD_LIMIT


def test_keyboard_goes_when_its_field_is_no_longer_on_the_page() -> None:
    driver = Driver()
    driver.open("clock")
    driver.tap("Timer")
    driver.tap_field("Minutes")
    assert driver.device.observe().keyboard
    driver.tap("Stopwatch")
    assert not driver.device.observe().keyboard
    driver.press("back")
    assert driver.app == "launcher"


@pytest.mark.parametrize("row", keyboard.ROWS)
def test_every_key_of_a_row_types_itself(driver: Driver, row: str) -> None:
    _tap_keys(driver, list(row))
    assert driver.var("query") == row


def test_every_character_of_a_typed_text_arrives(driver: Driver) -> None:
    text = "Grüße, 東京! 5+5=10 @home"
    driver.type(text)
    assert driver.var("query") == text


def test_capitals_come_from_typing_and_not_from_keys(driver: Driver) -> None:
    assert not any(key.isupper() for key, *_ in keyboard.layout())
    driver.type("TEA")
    assert driver.var("query") == "TEA"


def test_keys_on_a_selection_replace_it(driver: Driver) -> None:
    driver.type("tea")
    driver.tap_field("Search notes")
    _tap_keys(driver, ["m", "i"])
    assert driver.var("query") == "mi"


def test_backspace_in_an_empty_field_does_nothing(driver: Driver) -> None:
    _tap_keys(driver, ["backspace"])
    assert driver.var("query") == ""
    assert driver.device.observe().keyboard


def test_each_row_of_keys_stands_below_the_last() -> None:
    places = {key: top for key, _, top, *_ in keyboard.layout()}
    tops = [places[row[0]] for row in keyboard.ROWS]
    assert tops == sorted(set(tops))


def test_the_edges_of_a_key_belong_to_it() -> None:
    for key, left, top, width, height in keyboard.layout():
        assert keyboard.key_at(left, KEYBOARD_TOP + top) == key
        assert keyboard.key_at(left + width - 0.1, KEYBOARD_TOP + top + height - 0.1) == key


def test_a_long_press_or_a_swipe_on_the_keyboard_types_nothing(driver: Driver) -> None:
    driver.perform(actions.long_press(0.5, 0.8))
    driver.perform(actions.swipe(0.2, 0.8, 0.8, 0.8))
    assert driver.var("query", "") == ""


def test_the_keyboard_hides_what_lies_below_it(driver: Driver) -> None:
    shown = [e for e in driver.elements if e.role == "item"]
    keys = driver.element("Keyboard")
    assert all(e.bounds[3] <= keys.bounds[1] for e in shown)


def test_typing_nothing_keeps_the_selection(driver: Driver) -> None:
    driver.type("tea")
    driver.tap_field("Search notes")
    driver.perform(actions.wait())
    driver.type("x")
    assert driver.var("query") == "x"


def test_another_field_takes_the_cursor_and_leaves_the_first_as_it_was() -> None:
    driver = Driver()
    driver.open("notes")
    driver.tap_icon("add")
    driver.type("Title")
    driver.tap_field("Note")
    driver.type("Body")
    assert (driver.var("title"), driver.var("body")) == ("Title", "Body")
    focused = [e.description for e in driver.elements if e.focused]
    assert focused == ["Note"]


def test_the_shade_sends_the_keyboard_away(driver: Driver) -> None:
    driver.type("tea")
    driver.pull_shade()
    assert not driver.device.observe().keyboard
    driver.back()
    assert not driver.device.observe().keyboard
    assert driver.var("query") == "tea"
