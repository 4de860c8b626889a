"""Dialogs and menus."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.devices.phone.driver import Driver
from tests.devices.phone.ui.pages import Taps, build, find, overlaps

from distrl import actions
from distrl.devices.phone.ui.view import HEIGHT, KEYBOARD_TOP, STATUS_HEIGHT, WIDTH, absorb

BUTTONS = [("Cancel", absorb), ("OK", absorb)]


@given(
    st.integers(0, 12),
    st.integers(0, 2),
    st.integers(0, 6),
    st.sampled_from([[], BUTTONS, [("Keep order", absorb), ("Cancel order", absorb)]]),
)
def test_parts_of_a_dialog_never_overlap_and_stay_inside_it(
    words: int, fields: int, choices: int, buttons: list[tuple[str, object]]
) -> None:
    view = build(
        lambda ui: ui.dialog(
            "Title",
            " ".join(["something"] * words),
            buttons,  # type: ignore[arg-type]
            fields=[(f"f{n}", f"Field {n}") for n in range(fields)],
            choices=[(f"Choice {n}", False, absorb) for n in range(choices)],
        )
    )
    panel, *parts = view.widgets
    assert not any(overlaps(one, other) for one, other in combinations(parts, 2))
    for part in parts:
        assert panel.x <= part.x
        assert part.x + part.w <= panel.x + panel.w
        assert panel.y <= part.y
        assert part.y + part.h <= panel.y + panel.h


def test_a_dialog_stands_in_the_middle_and_moves_up_for_the_keyboard() -> None:
    def panel(focus: str) -> tuple[int, int]:
        view = build(
            lambda ui: ui.dialog("Name", fields=[("n", "Name")], buttons=BUTTONS), focus=focus
        )
        return view.widgets[0].y, view.widgets[0].y + view.widgets[0].h

    top, bottom = panel("")
    assert abs((top + bottom) / 2 - HEIGHT / 2) <= 1
    assert panel("n")[1] <= KEYBOARD_TOP
    assert panel("n")[0] > STATUS_HEIGHT


def test_a_dialog_longer_than_the_screen_begins_below_the_status_bar() -> None:
    view = build(
        lambda ui: ui.dialog("Long", choices=[(f"Choice {n}", False, absorb) for n in range(20)])
    )
    assert view.widgets[0].y == STATUS_HEIGHT + 4


def test_buttons_of_a_dialog_stand_at_the_right_in_their_order() -> None:
    view = build(lambda ui: ui.dialog("Sure?", "", BUTTONS))
    assert find(view, "Cancel").x < find(view, "OK").x
    styles = {w.text: w.paint[2] for w in view.widgets if w.paint and w.paint[0] == "button"}
    assert styles == {"Cancel": "text", "OK": "filled"}


def test_each_part_of_a_dialog_calls_its_own_handler() -> None:
    taps = Taps()
    view = build(
        lambda ui: ui.dialog(
            "Sort",
            "",
            [("Close", taps("Close"))],
            choices=[("Name", True, taps("Name")), ("Size", False, taps("Size"))],
        )
    )
    for words in ("Size", "Close", "Name"):
        taps.touch(view, words)
    assert taps.heard == ["Size", "Close", "Name"]


def test_choices_of_a_dialog_tell_which_is_chosen() -> None:
    view = build(
        lambda ui: ui.dialog("Sort", choices=[("Name", True, absorb), ("Size", False, absorb)])
    )
    assert [(e.text, e.checked) for e in view.elements if e.role == "radio"] == [
        ("Name", True),
        ("Size", False),
    ]


def test_a_button_without_a_handler_is_seen_but_disabled() -> None:
    view = build(lambda ui: ui.dialog("Name", "", [("Cancel", absorb), ("Save", None)]))
    assert [(e.text, e.enabled) for e in view.elements if e.role == "button"] == [
        ("Save", False),
        ("Cancel", True),
    ]


def test_a_dialog_swallows_touches_between_its_parts() -> None:
    view = build(lambda ui: ui.dialog("Sure?", "Really?", BUTTONS))
    panel = view.widgets[0]
    assert view.hit(panel.x + 1, panel.y + 1) is panel


# Menus


@pytest.mark.parametrize("count", [1, 4, 9])
def test_a_menu_hangs_in_the_top_right_corner_with_an_entry_below_the_other(count: int) -> None:
    view = build(lambda ui: ui.menu([(f"Entry {n}", absorb) for n in range(count)]))
    panel = view.widgets[0]
    assert panel.x + panel.w <= WIDTH
    assert panel.y == STATUS_HEIGHT + 4
    tops = [find(view, f"Entry {n}").y for n in range(count)]
    assert tops == sorted(set(tops))
    assert tops[-1] + 24 <= panel.y + panel.h


def test_each_entry_of_a_menu_calls_its_own_handler() -> None:
    taps = Taps()
    view = build(lambda ui: ui.menu([("Pin", taps("Pin")), ("Delete", taps("Delete"))]))
    taps.touch(view, "Delete")
    assert taps.heard == ["Delete"]


def test_a_touch_beside_a_menu_reaches_nothing_and_closes_nothing() -> None:
    driver = Driver()
    driver.open("notes")
    driver.long_press(driver.of_role("item")[0])
    before = driver.state["ui"]["stacks"]
    driver.perform(actions.tap(0.1, 0.9))
    assert driver.page == "actions"
    assert driver.state["ui"]["stacks"] == before


def test_choices_of_a_dialog_look_enabled_and_entries_of_a_menu_plain() -> None:
    dialog = build(lambda ui: ui.dialog("Sort", choices=[("Name", True, absorb)]))
    assert [w.paint[6] for w in dialog.widgets if w.paint and w.paint[0] == "row"] == [True]
    menu = build(lambda ui: ui.menu([("Pin", absorb)]))
    assert [w.paint[-1] for w in menu.widgets if w.paint and w.paint[0] == "line"] == [False]
