from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from distrl.devices.phone.control import Control, new_page
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.ui.toolkit import Ui
from distrl.devices.phone.ui.view import (
    CONTENT_BOTTOM,
    KEYBOARD_TOP,
    STATUS_HEIGHT,
    View,
    Widget,
    absorb,
)

Page = Callable[[Ui], None]


def _build(
    page: Page,
    *,
    version: int = 1,
    scroll: int = 0,
    focus: str = "",
    overlap: bool = False,
    **values: Any,
) -> View:
    """A page of an app that does not exist, as the phone would build it."""
    state = PhoneDevice().snapshot()
    state = {**state, "ui": {**state["ui"], "overlap": overlap}}
    record = {**new_page("main", {}), "vars": values, "scroll": scroll}
    view = View("test", "main", dark=False)
    cursor = {"key": focus, "all": True} if focus else None
    ui = Ui(view, state, "test", record, version, focus=cursor)
    page(ui)
    ui.finish()
    return view


def _find(view: View, text: str) -> Widget:
    return next(w for w in view.widgets if text in (w.text, w.description) and w.role)


def _rows(count: int) -> Page:
    def page(ui: Ui) -> None:
        ui.bar("List")
        for number in range(count):
            ui.row(f"Row {number}", on_tap=absorb)

    return page


def test_rows_follow_each_other_downwards() -> None:
    view = _build(_rows(3))
    tops = [_find(view, f"Row {n}").y for n in range(3)]
    assert tops == sorted(tops)
    assert tops[0] >= _find(view, "List").y + _find(view, "List").h


def test_what_is_scrolled_out_of_sight_is_hidden_but_known() -> None:
    view = _build(_rows(40))
    shown = [e.text for e in view.elements if e.text.startswith("Row")]
    hidden = [text for text, _ in view.hidden]
    assert shown + hidden == [f"Row {n}" for n in range(40)]
    assert view.max_scroll > 0


def test_end_of_the_list_is_just_in_sight_at_the_last_scroll() -> None:
    last = _build(_rows(40), scroll=_build(_rows(40)).max_scroll)
    row = _find(last, "Row 39")
    assert row.y + row.h == CONTENT_BOTTOM


def test_page_that_fits_does_not_scroll() -> None:
    assert _build(_rows(3)).max_scroll == 0


def test_bar_stays_while_the_rest_scrolls() -> None:
    assert _find(_build(_rows(40), scroll=100), "List").y == STATUS_HEIGHT


def test_keyboard_takes_room_from_the_page() -> None:
    def page(ui: Ui) -> None:
        ui.field("name", "Name")
        _rows(40)(ui)

    resized = _build(page, focus="name")
    covered = _build(page, focus="name", overlap=True)
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

    assert _build(page, focus="name", scroll=200).keyboard
    assert not _build(page, focus="other").keyboard


def test_field_shows_its_value_and_hint() -> None:
    view = _build(lambda ui: ui.field("name", "Name"), name="Anna", focus="name")
    element = view.elements[0]
    assert (element.role, element.text, element.description) == ("field", "Anna", "Name")
    assert element.editable
    assert element.focused


@pytest.mark.parametrize("kind", ["switch", "checkbox", "radio"])
@pytest.mark.parametrize("on", [True, False])
def test_choice_reports_its_state(kind: str, on: bool) -> None:
    view = _build(lambda ui: getattr(ui, kind)("Wi-Fi", on=on, on_tap=absorb))
    element = view.elements[0]
    assert (element.role, element.text, element.checked) == (kind, "Wi-Fi", on)


def test_choice_without_a_handler_is_disabled() -> None:
    view = _build(lambda ui: ui.switch("Wi-Fi", on=True, on_tap=None))
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
    view = _build(page)
    assert not _find(view, "Save").enabled


@pytest.mark.parametrize(("x", "value"), [(0.0, 0), (0.1, 0), (0.5, 50), (0.9, 100), (1.0, 100)])
def test_slider_gives_where_the_finger_ends(x: float, value: int) -> None:
    chosen: list[int] = []

    def change(new: int) -> Callable[[Control], None]:
        return lambda _: chosen.append(new)

    view = _build(lambda ui: ui.slider("Volume", value=30, on_change=change))
    drag = _find(view, "Volume").on_drag
    assert drag is not None
    drag(Control({}, "test"), x, 0.5)
    assert chosen == [value]
    assert view.elements[0].description == "30%"


def test_icon_button_may_carry_no_words_at_all() -> None:
    view = _build(lambda ui: ui.bar("Note", [("star", "", absorb), ("delete", "Delete", absorb)]))
    buttons = [e for e in view.elements if e.role == "button"]
    assert sorted(e.description for e in buttons) == ["", "Delete"]
    assert not any(e.text for e in buttons)


def test_tabs_and_the_main_action_move_between_layouts() -> None:
    def page(ui: Ui) -> None:
        ui.bar("App")
        tabs = (("one", "One", "add"), ("two", "Two", "add"))
        ui.tabs(tabs, "one", lambda key: absorb)
        ui.fab("add", absorb, "New")

    first, second = _build(page, version=1), _build(page, version=2)
    for words in ("One", "New"):
        assert _find(first, words).y != _find(second, words).y
    assert _find(first, "One").checked
    assert not _find(first, "Two").checked


def test_bar_has_an_arrow_only_above_another_page() -> None:
    assert not any(e.description == "Navigate up" for e in _build(_rows(1)).elements)
    view = _build(lambda ui: ui.bar("Page", up=True))
    assert any(e.description == "Navigate up" for e in view.elements)


def test_chips_wrap_and_stay_on_the_screen() -> None:
    labels = [f"Choice number {n}" for n in range(8)]
    view = _build(lambda ui: ui.chips([(label, False, absorb) for label in labels]))
    assert [e.text for e in view.elements] == labels
    assert len({e.bounds[1] for e in view.elements}) > 1
    assert all(e.bounds[2] <= 1.0 for e in view.elements)


def test_grid_fills_row_after_row() -> None:
    cells = [(("fill", "bg"), f"Cell {n}", "", absorb) for n in range(5)]
    view = _build(lambda ui: ui.grid(cells, columns=3, height=40))
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

    view = _build(page)
    panel = view.widgets[0]
    for widget in view.widgets[1:]:
        assert panel.y <= widget.y
        assert widget.y + widget.h <= panel.y + panel.h
    assert {"Title", "Cancel", "OK", "One", "Two"} <= {e.text for e in view.elements}


def test_menu_lists_its_entries() -> None:
    view = _build(lambda ui: ui.menu([("Pin", absorb), ("Delete", absorb)]))
    assert [e.text for e in view.elements] == ["Pin", "Delete"]


def test_sponsored_entries_stand_only_in_episodes_that_have_them() -> None:
    assert _build(lambda ui: ui.promo()).elements == ()
    state = PhoneDevice().snapshot()
    state = {**state, "nuisance": {**state["nuisance"], "promo": True}}
    view = View("test", "main", dark=False)
    ui = Ui(view, state, "test", new_page("main", {}), 1, focus=None)
    ui.promo()
    assert view.elements
    assert {e.description for e in view.elements} == {"Ad"}
