"""What is pinned to the edges of a page."""

from __future__ import annotations

from itertools import combinations

import pytest
from tests.devices.phone.driver import Driver
from tests.devices.phone.ui.pages import Taps, build, find, overlaps

from distrl.devices.phone.ui.bars import BAR, TAB
from distrl.devices.phone.ui.toolkit import Ui
from distrl.devices.phone.ui.view import (
    CONTENT_BOTTOM,
    KEYBOARD_TOP,
    STATUS_HEIGHT,
    WIDTH,
    View,
    absorb,
)

LAYOUTS = pytest.mark.parametrize("version", [1, 2])
THREE = [("star", "Star", absorb), ("edit", "Edit", absorb), ("delete", "Delete", absorb)]


def touchables(view: View) -> list[str]:
    """Words of the buttons, from left to right."""
    buttons = [e for e in view.elements if e.role in ("button", "tab")]
    return [e.text or e.description for e in sorted(buttons, key=lambda e: e.bounds[0])]


# The title bar


@LAYOUTS
def test_actions_of_a_bar_stand_at_the_right_in_their_order(version: int) -> None:
    view = build(lambda ui: ui.bar("Note", THREE), version=version)
    assert touchables(view) == ["Star", "Edit", "Delete"]
    assert find(view, "Delete").x + find(view, "Delete").w <= WIDTH


@LAYOUTS
@pytest.mark.parametrize("up", [True, False])
def test_nothing_in_a_bar_overlaps(version: int, up: bool) -> None:
    view = build(lambda ui: ui.bar("A very long title of a page", THREE, up=up), version=version)
    parts = [w for w in view.widgets if w.role]
    assert not any(overlaps(one, other) for one, other in combinations(parts, 2))


def test_a_long_title_is_cut_in_the_picture_and_whole_in_the_tree() -> None:
    title = "A title that is much too long for the bar of any phone"
    view = build(lambda ui: ui.bar(title, THREE))
    widget = find(view, title)
    assert widget.paint is not None
    assert widget.paint[1].endswith("...")


def test_each_action_of_a_bar_calls_its_own_handler() -> None:
    taps = Taps()
    actions = [(icon, name, taps(name)) for icon, name, _ in THREE]
    view = build(lambda ui: ui.bar("Note", actions))
    for name in ("Edit", "Star"):
        taps.touch(view, name)
    assert taps.heard == ["Edit", "Star"]


@LAYOUTS
def test_what_follows_a_bar_begins_below_it(version: int) -> None:
    def page(ui: Ui) -> None:
        ui.bar("List")
        ui.row("First")

    assert find(build(page, version=version), "First").y == STATUS_HEIGHT + BAR


def test_the_arrow_of_a_bar_goes_back_a_page() -> None:
    driver = Driver()
    driver.open("settings")
    driver.tap("Display", role="item")
    driver.tap("Navigate up")
    assert driver.page == "main"


# The search bar


@LAYOUTS
@pytest.mark.parametrize("up", [True, False])
def test_the_field_of_a_search_bar_fills_what_its_buttons_leave(version: int, up: bool) -> None:
    def page(ui: Ui) -> None:
        ui.search_bar("query", "Search", absorb, THREE, up=up)

    view = build(page, version=version)
    parts = [w for w in view.widgets if w.role]
    assert not any(overlaps(one, other) for one, other in combinations(parts, 2))
    assert find(view, "Search").w > 60


def test_enter_in_a_search_bar_submits_it() -> None:
    view = build(lambda ui: ui.search_bar("query", "Search", absorb), focus="query")
    assert view.keyboard
    assert view.submit is absorb


def test_a_search_bar_shows_what_was_typed() -> None:
    view = build(lambda ui: ui.search_bar("query", "Search", absorb), query="rain")
    field = next(e for e in view.elements if e.role == "field")
    assert (field.text, field.description) == ("rain", "Search")


# Tabs


@LAYOUTS
@pytest.mark.parametrize("count", [2, 3, 4])
def test_tabs_share_the_width_evenly(version: int, count: int) -> None:
    items = [(f"k{n}", f"Tab {n}", "star") for n in range(count)]
    view = build(lambda ui: ui.tabs(items, "k1", lambda key: absorb), version=version)
    tabs = [w for w in view.widgets if w.role == "tab"]
    assert [w.w for w in tabs] == [WIDTH // count] * count
    assert [w.checked for w in tabs] == [n == 1 for n in range(count)]


@pytest.mark.parametrize(("version", "top"), [(1, True), (2, False), (3, True), (4, False)])
def test_tabs_stand_at_the_top_in_odd_layouts_and_else_at_the_bottom(
    version: int, top: bool
) -> None:
    view = build(
        lambda ui: ui.tabs([("k", "Tab", "star")], "k", lambda key: absorb), version=version
    )
    tab = find(view, "Tab")
    assert (tab.y == STATUS_HEIGHT) == top
    assert top or tab.y + tab.h == CONTENT_BOTTOM


def test_a_tab_gets_the_handler_of_its_key() -> None:
    taps = Taps()
    items = [("one", "First", "star"), ("two", "Second", "star")]
    view = build(lambda ui: ui.tabs(items, "one", taps))
    taps.touch(view, "Second")
    assert taps.heard == ["two"]


@LAYOUTS
def test_the_page_has_no_room_below_tabs_at_the_bottom(version: int) -> None:
    def page(ui: Ui) -> None:
        ui.tabs([("k", "Tab", "star")], "k", lambda key: absorb)
        for n in range(40):
            ui.row(f"Row {n}")

    view = build(page, version=version)
    lowest = max(w.visible()[3] for w in view.widgets if w.text.startswith("Row"))
    assert lowest == (CONTENT_BOTTOM if version == 1 else CONTENT_BOTTOM - TAB - 4)


# The main action


def test_the_main_action_floats_or_stands_in_the_bar() -> None:
    places = []
    for version in (1, 2):
        view = build(lambda ui: ui.fab("add", absorb, "New"), version=version)
        places.append(find(view, "New").y)
    assert places[0] > 300
    assert places[1] == STATUS_HEIGHT


def test_a_list_can_be_scrolled_out_from_under_the_floating_button() -> None:
    def page(ui: Ui) -> None:
        for n in range(40):
            ui.row(f"Row {n}")
        ui.fab("add", absorb, "New")

    last = build(page, scroll=build(page).max_scroll)
    row, button = find(last, "Row 39"), find(last, "New")
    assert row.y + row.h <= button.y + 2


# The bottom


@pytest.mark.parametrize("count", [1, 2, 3])
def test_buttons_at_the_bottom_stand_side_by_side(count: int) -> None:
    items = [(f"Button {n}", absorb) for n in range(count)]
    view = build(lambda ui: ui.bottom_buttons(items))
    parts = [find(view, f"Button {n}") for n in range(count)]
    assert not any(overlaps(one, other) for one, other in combinations(parts, 2))
    assert all(w.y + w.h <= CONTENT_BOTTOM and w.x + w.w <= WIDTH for w in parts)


def test_the_last_button_at_the_bottom_is_the_filled_one() -> None:
    view = build(lambda ui: ui.bottom_buttons([("Cancel", absorb), ("Save", absorb)]))
    styles = [w.paint[2] for w in view.widgets if w.paint and w.paint[0] == "button"]
    assert styles == ["outlined", "filled"]


def test_a_touch_beside_the_buttons_does_not_reach_the_page_below() -> None:
    def page(ui: Ui) -> None:
        ui.bottom_buttons([("Save", absorb)])
        for n in range(40):
            ui.row(f"Row {n}", on_tap=lambda c: None)

    view = build(page)
    hit = view.hit(1, CONTENT_BOTTOM - 1)
    assert hit is not None
    assert hit.on_tap is absorb


def test_icons_at_the_bottom_call_their_own_handlers() -> None:
    taps = Taps()
    items = [(icon, name, taps(name)) for icon, name, _ in THREE]
    view = build(lambda ui: ui.bottom_icons(items))
    assert touchables(view) == ["Star", "Edit", "Delete"]
    taps.touch(view, "Edit")
    assert taps.heard == ["Edit"]


def test_things_at_the_bottom_stand_on_top_of_each_other() -> None:
    def page(ui: Ui) -> None:
        ui.bottom_buttons([("Save", absorb)])
        ui.bottom_icons([("star", "Star", absorb)])

    view = build(page)
    assert find(view, "Star").y + find(view, "Star").h <= find(view, "Save").y


@pytest.mark.parametrize("focus", ["", "draft"])
def test_the_composer_sits_at_the_bottom_or_on_the_keyboard(focus: str) -> None:
    view = build(lambda ui: ui.composer("draft", "Message", absorb), focus=focus)
    field = find(view, "Message")
    assert field.y + field.h <= (KEYBOARD_TOP if focus else CONTENT_BOTTOM)
    assert field.y > (KEYBOARD_TOP if focus else CONTENT_BOTTOM) - 40


def test_strips_are_taken_from_the_top_and_from_the_bottom() -> None:
    taken: list[int] = []

    def page(ui: Ui) -> None:
        taken.extend((ui.strip(20), ui.strip(30), ui.strip(10, bottom=True)))
        taken.append(ui.bottom_strip(15))
        taken.append(ui.y)

    build(page)
    top, bottom = STATUS_HEIGHT, CONTENT_BOTTOM
    assert taken == [top, top + 20, bottom - 10, bottom - 25, top + 50]


def test_a_field_can_stand_anywhere() -> None:
    view = build(lambda ui: ui.pin_field((5, 100, 80, 20), "find", "Find", absorb), focus="find")
    field = find(view, "Find")
    assert (field.x, field.y, field.w, field.h) == (5, 100, 80, 20)
    assert view.submit is absorb


@pytest.mark.parametrize(("version", "tint"), [(1, "primary"), (2, "surface")])
def test_a_bar_covers_its_whole_strip_with_one_colour(version: int, tint: str) -> None:
    for page in (lambda ui: ui.bar("Note"), lambda ui: ui.search_bar("q", "Search", absorb)):
        ground = build(page, version=version).widgets[0]
        assert ground.paint == ("fill", tint)
        assert (ground.x, ground.y, ground.w) == (0, STATUS_HEIGHT, WIDTH)
        assert ground.h >= BAR
