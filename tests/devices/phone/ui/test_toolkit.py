from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.devices.phone.ui.pages import Page, Taps, build, find, overlaps

from distrl.devices.phone.control import Control, new_page
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.ui.toolkit import Ui
from distrl.devices.phone.ui.view import (
    CONTENT_BOTTOM,
    KEYBOARD_TOP,
    STATUS_HEIGHT,
    WIDTH,
    View,
    absorb,
)


def _rows(count: int) -> Page:
    def page(ui: Ui) -> None:
        ui.bar("List")
        for number in range(count):
            ui.row(f"Row {number}", on_tap=absorb)

    return page


def test_rows_follow_each_other_downwards() -> None:
    view = build(_rows(3))
    tops = [find(view, f"Row {n}").y for n in range(3)]
    assert tops == sorted(tops)
    assert tops[0] >= find(view, "List").y + find(view, "List").h


def test_what_is_scrolled_out_of_sight_is_hidden_but_known() -> None:
    view = build(_rows(40))
    shown = [e.text for e in view.elements if e.text.startswith("Row")]
    hidden = [text for text, _ in view.hidden]
    assert shown + hidden == [f"Row {n}" for n in range(40)]
    assert view.max_scroll > 0


def test_end_of_the_list_is_just_in_sight_at_the_last_scroll() -> None:
    last = build(_rows(40), scroll=build(_rows(40)).max_scroll)
    row = find(last, "Row 39")
    assert row.y + row.h == CONTENT_BOTTOM


def test_page_that_fits_does_not_scroll() -> None:
    assert build(_rows(3)).max_scroll == 0


def test_bar_stays_while_the_rest_scrolls() -> None:
    assert find(build(_rows(40), scroll=100), "List").y == STATUS_HEIGHT


def test_keyboard_takes_room_from_the_page() -> None:
    def page(ui: Ui) -> None:
        ui.field("name", "Name")
        _rows(40)(ui)

    resized = build(page, focus="name")
    covered = build(page, focus="name", overlap=True)
    assert resized.keyboard
    assert covered.keyboard
    assert max(w.visible()[3] for w in resized.widgets) <= KEYBOARD_TOP
    assert max(w.visible()[3] for w in covered.widgets) == CONTENT_BOTTOM


def test_focused_field_keeps_the_keyboard_when_scrolled_away() -> None:
    def page(ui: Ui) -> None:
        ui.bar("Form")
        ui.field("name", "Name")
        for number in range(40):
            ui.row(f"Row {number}")

    assert build(page, focus="name", scroll=200).keyboard
    assert not build(page, focus="other").keyboard


def test_field_shows_its_value_and_hint() -> None:
    view = build(lambda ui: ui.field("name", "Name"), name="Anna", focus="name")
    element = view.elements[0]
    assert (element.role, element.text, element.description) == ("field", "Anna", "Name")
    assert element.editable
    assert element.focused


@pytest.mark.parametrize("kind", ["switch", "checkbox", "radio"])
@pytest.mark.parametrize("on", [True, False])
def test_choice_reports_its_state(kind: str, on: bool) -> None:
    view = build(lambda ui: getattr(ui, kind)("Wi-Fi", on=on, on_tap=absorb))
    element = view.elements[0]
    assert (element.role, element.text, element.checked) == (kind, "Wi-Fi", on)


def test_choice_without_a_handler_is_disabled() -> None:
    view = build(lambda ui: ui.switch("Wi-Fi", on=True, on_tap=None))
    assert not view.elements[0].enabled


@pytest.mark.parametrize(
    "page",
    [
        lambda ui: ui.button("Save", None),
        lambda ui: ui.bottom_buttons([("Save", None)]),
        lambda ui: ui.dialog("Sure?", "", [("Save", None)]),
    ],
)
def test_button_without_a_handler_is_disabled(page: Page) -> None:
    view = build(page)
    assert not find(view, "Save").enabled


@pytest.mark.parametrize(("x", "value"), [(0.0, 0), (0.1, 0), (0.5, 50), (0.9, 100), (1.0, 100)])
def test_slider_gives_where_the_finger_ends(x: float, value: int) -> None:
    chosen: list[int] = []

    def change(new: int) -> Callable[[Control], None]:
        return lambda _: chosen.append(new)

    view = build(lambda ui: ui.slider("Volume", value=30, on_change=change))
    drag = find(view, "Volume").on_drag
    assert drag is not None
    drag(Control({}, "test"), x, 0.5)
    assert chosen == [value]
    assert view.elements[0].description == "30%"


def test_icon_button_may_carry_no_words_at_all() -> None:
    view = build(lambda ui: ui.bar("Note", [("star", "", absorb), ("delete", "Delete", absorb)]))
    buttons = [e for e in view.elements if e.role == "button"]
    assert sorted(e.description for e in buttons) == ["", "Delete"]
    assert not any(e.text for e in buttons)


def test_tabs_and_the_main_action_move_between_layouts() -> None:
    def page(ui: Ui) -> None:
        ui.bar("App")
        tabs = (("one", "One", "add"), ("two", "Two", "add"))
        ui.tabs(tabs, "one", lambda key: absorb)
        ui.fab("add", absorb, "New")

    first, second = build(page, version=1), build(page, version=2)
    for words in ("One", "New"):
        assert find(first, words).y != find(second, words).y
    assert find(first, "One").checked
    assert not find(first, "Two").checked


def test_bar_has_an_arrow_only_above_another_page() -> None:
    assert not any(e.description == "Navigate up" for e in build(_rows(1)).elements)
    view = build(lambda ui: ui.bar("Page", up=True))
    assert any(e.description == "Navigate up" for e in view.elements)


def test_chips_wrap_and_stay_on_the_screen() -> None:
    labels = [f"Choice number {n}" for n in range(8)]
    view = build(lambda ui: ui.chips([(label, False, absorb) for label in labels]))
    assert [e.text for e in view.elements] == labels
    assert len({e.bounds[1] for e in view.elements}) > 1
    assert all(e.bounds[2] <= 1.0 for e in view.elements)


def test_grid_fills_row_after_row() -> None:
    cells = [(("fill", "bg"), f"Cell {n}", "", absorb) for n in range(5)]
    view = build(lambda ui: ui.grid(cells, columns=3, height=40))
    places = [(e.bounds[1], e.bounds[0]) for e in view.elements]
    assert places == sorted(places)
    assert len({row for row, _ in places}) == 2


def test_dialog_keeps_its_parts_inside_its_panel() -> None:
    def page(ui: Ui) -> None:
        ui.dialog(
            "Title",
            "A body that is long enough to need more than a single line of text",
            [("Cancel", absorb), ("OK", absorb)],
            fields=[("name", "Name")],
            choices=[("One", True, absorb), ("Two", False, absorb)],
        )

    view = build(page)
    panel = view.widgets[0]
    for widget in view.widgets[1:]:
        assert panel.y <= widget.y
        assert widget.y + widget.h <= panel.y + panel.h
    assert {"Title", "Cancel", "OK", "One", "Two"} <= {e.text for e in view.elements}


def test_menu_lists_its_entries() -> None:
    view = build(lambda ui: ui.menu([("Pin", absorb), ("Delete", absorb)]))
    assert [e.text for e in view.elements] == ["Pin", "Delete"]


def test_sponsored_entries_stand_only_in_episodes_that_have_them() -> None:
    assert build(lambda ui: ui.promo()).elements == ()
    state = PhoneDevice().snapshot()
    state = {**state, "nuisance": {**state["nuisance"], "promo": True}}
    view = View("test", "main", dark=False)
    ui = Ui(view, state, "test", new_page("main", {}), 1, focus=None)
    ui.promo()
    assert view.elements
    assert {e.description for e in view.elements} == {"Ad"}


# Rows


@pytest.mark.parametrize("version", [1, 2])
def test_a_row_with_a_second_line_is_taller(version: int) -> None:
    def page(ui: Ui) -> None:
        ui.row("One")
        ui.row("Two", "below")

    view = build(page, version=version)
    assert find(view, "One").h < find(view, "Two").h


@pytest.mark.parametrize(
    ("sub", "trailing", "said"),
    [
        ("", "", ""),
        ("Home", "", "Home"),
        ("Home", ">", "Home"),
        ("Home", "icon:lock", "Home"),
        ("Home", "9 AM", "Home 9 AM"),
        ("", "9 AM", "9 AM"),
    ],
)
def test_a_row_says_its_second_line_and_its_end_but_no_icons(
    sub: str, trailing: str, said: str
) -> None:
    view = build(lambda ui: ui.row("Wi-Fi", sub, trailing=trailing))
    assert view.elements[0].description == said


def test_the_words_of_a_row_can_be_replaced() -> None:
    view = build(lambda ui: ui.row("Wi-Fi", "Home", description="Connected"))
    assert view.elements[0].description == "Connected"


def test_a_disabled_row_is_reported_as_such() -> None:
    view = build(lambda ui: ui.row("Music", enabled=False))
    assert not view.elements[0].enabled


def test_rows_have_taps_and_long_presses_of_their_own() -> None:
    taps = Taps()

    def page(ui: Ui) -> None:
        ui.row("One", on_tap=taps("tap"), on_long=taps("long"))
        ui.entry("Two", letter="T", tint="red", on_tap=taps("tap 2"), on_long=taps("long 2"))

    view = build(page)
    for words in ("One", "Two"):
        taps.touch(view, words)
        handler = find(view, words).on_long
        assert handler is not None
        handler(Control({}, "test"))
    assert taps.heard == ["tap", "long", "tap 2", "long 2"]


def test_an_entry_may_report_other_words_than_it_shows() -> None:
    def page(ui: Ui) -> None:
        ui.entry("Ann", "Lunch", letter="A", tint="red", text="Lunch", description="Ann, unread")

    element = build(page).elements[0]
    assert (element.text, element.description) == ("Lunch", "Ann, unread")


# Text


def test_a_paragraph_is_as_tall_as_its_lines_and_whole_in_the_tree() -> None:
    words = "some words " * 20
    short = build(lambda ui: ui.text("some")).widgets[0]
    long = build(lambda ui: ui.text(words)).widgets[0]
    assert long.h > 3 * short.h
    assert long.text == words


@pytest.mark.parametrize("size", [8, 9, 11, 15, 26])
def test_larger_text_takes_more_room(size: int) -> None:
    height = build(lambda ui: ui.text("words", size)).widgets[0].h
    assert size < height < 2 * size + 8


def test_a_header_is_text_in_the_colour_of_the_app() -> None:
    view = build(lambda ui: ui.header("Today"))
    widget = find(view, "Today")
    assert widget.role == "text"
    assert widget.paint is not None
    assert widget.paint[3] == "primary"


def test_an_empty_page_says_so_in_the_middle() -> None:
    view = build(lambda ui: ui.empty("Nothing here", "star"))
    assert [e.text for e in view.elements] == ["Nothing here"]
    assert any(w.paint and w.paint[1:2] == ("star",) for w in view.widgets)


# Groups of things


@pytest.mark.parametrize("count", [1, 3, 6])
def test_icons_side_by_side_share_the_width(count: int) -> None:
    items = [("star", f"Icon {n}", absorb) for n in range(count)]
    view = build(lambda ui: ui.icon_buttons(items))
    assert [e.description for e in view.elements] == [f"Icon {n}" for n in range(count)]
    assert view.widgets[-1].x + view.widgets[-1].w <= WIDTH


def test_only_icons_that_are_lit_have_colour() -> None:
    items = [("star", "", absorb)] * 3
    view = build(lambda ui: ui.icon_buttons(items, lit=[1]))
    inks = [w.paint[2] for w in view.widgets if w.paint]
    assert inks == ["text", "primary", "text"]


def test_chips_tell_which_is_chosen_and_call_their_handlers() -> None:
    taps = Taps()
    view = build(lambda ui: ui.chips([("One", True, taps("One")), ("Two", False, taps("Two"))]))
    assert [e.checked for e in view.elements] == [True, False]
    taps.touch(view, "Two")
    assert taps.heard == ["Two"]


def test_a_chip_that_is_too_long_is_as_wide_as_the_page() -> None:
    view = build(lambda ui: ui.chips([("word " * 30, False, absorb), ("Short", False, absorb)]))
    wide, short = view.widgets
    assert wide.x + wide.w <= WIDTH
    assert short.y > wide.y


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("count", [0, 1, 5, 12])
def test_cells_of_a_grid_do_not_overlap_and_what_follows_stands_below(
    columns: int, count: int
) -> None:
    def page(ui: Ui) -> None:
        cells = [(("fill", "bg"), f"Cell {n}", "", absorb) for n in range(count)]
        ui.grid(cells, columns=columns, height=24)
        ui.row("After")

    view = build(page)
    cells = [w for w in view.widgets if w.text.startswith("Cell")]
    assert len(cells) + len([t for t, _ in view.hidden if t.startswith("Cell")]) == count
    assert not any(overlaps(one, other) for one, other in combinations(cells, 2))
    assert all(w.x >= 0 and w.x + w.w <= WIDTH for w in cells)
    assert find(view, "After").y >= max((w.y + w.h for w in cells), default=0)


def test_a_button_spans_the_page_and_calls_its_handler() -> None:
    taps = Taps()
    view = build(lambda ui: ui.button("Save", taps("Save")))
    taps.touch(view, "Save")
    assert taps.heard == ["Save"]
    assert find(view, "Save").w > 150


@pytest.mark.parametrize("value", [0, 1, 50, 99, 100])
def test_a_slider_says_its_value(value: int) -> None:
    view = build(lambda ui: ui.slider("Volume", value=value, on_change=lambda v: absorb))
    assert view.elements[0].description == f"{value}%"


@given(st.floats(-1, 2))
def test_a_slider_never_leaves_its_range(x: float) -> None:
    chosen: list[int] = []

    def change(value: int) -> Callable[[Control], None]:
        return lambda _: chosen.append(value)

    view = build(lambda ui: ui.slider("Volume", value=30, on_change=change))
    drag = view.widgets[0].on_drag
    assert drag is not None
    drag(Control({}, "test"), x, 0.5)
    assert 0 <= chosen[0] <= 100


def test_a_picture_may_be_touched_and_described() -> None:
    taps = Taps()
    paint = ("photo", "dog", 1)
    view = build(lambda ui: ui.picture(paint, 60, description="Map", on_tap=taps("Map")))
    taps.touch(view, "Map")
    assert view.elements[0].role == "image"
    assert taps.heard == ["Map"]


def test_a_divider_is_decoration() -> None:
    assert build(lambda ui: ui.divider()).elements == ()


def test_a_field_out_of_sight_is_known_by_its_hint() -> None:
    def page(ui: Ui) -> None:
        for number in range(30):
            ui.row(f"Row {number}")
        ui.field("name", "Name")

    assert "Name" in [text for text, _ in build(page).hidden]


def looks(view: View, kind: str) -> list[tuple[object, ...]]:
    """The paints of one kind, without its name."""
    return [w.paint[1:] for w in view.widgets if w.paint and w.paint[0] == kind]


@pytest.mark.parametrize("enabled", [True, False])
def test_a_button_looks_as_enabled_as_it_is(enabled: bool) -> None:
    view = build(lambda ui: ui.button("Save", absorb if enabled else None))
    assert [paint[3] for paint in looks(view, "button")] == [enabled]


def test_a_divider_is_painted_as_a_line_of_three_units() -> None:
    view = build(lambda ui: ui.divider())
    assert [(w.paint, w.h) for w in view.widgets] == [(("divider",), 3)]


@pytest.mark.parametrize("bold", [True, False])
def test_headers_are_bold_and_paragraphs_only_when_asked(bold: bool) -> None:
    assert looks(build(lambda ui: ui.header("Today")), "line")[0][-1] is True
    view = build(lambda ui: ui.text("words", bold=bold))
    assert looks(view, "lines")[0][-1] is bold
