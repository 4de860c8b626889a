"""Where a page's widgets go."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.devices.phone.ui.pages import Page, build, find

from distrl.devices.phone.ui.toolkit import Ui
from distrl.devices.phone.ui.view import (
    CONTENT_BOTTOM,
    KEYBOARD_TOP,
    STATUS_HEIGHT,
    WIDTH,
    absorb,
)

PAINT = ("fill", "bg")


def blocks(*heights: int) -> Page:
    def page(ui: Ui) -> None:
        for number, height in enumerate(heights):
            ui.place(PAINT, height, "text", f"Block {number}")

    return page


@given(st.lists(st.integers(5, 90), min_size=1, max_size=20))
def test_what_is_placed_stands_without_gap_or_overlap(heights: list[int]) -> None:
    view = build(blocks(*heights))
    shown = [w for w in view.widgets if w.text]
    for above, below in pairwise(shown):
        assert below.y == above.y + above.h
    assert all((w.x, w.w) == (0, WIDTH) for w in shown)


@given(st.lists(st.integers(5, 90), min_size=1, max_size=20), st.integers(0, 500))
def test_nothing_is_lost_by_scrolling(heights: list[int], scroll: int) -> None:
    view = build(blocks(*heights), scroll=scroll)
    shown = [w.text for w in view.widgets if w.text]
    hidden = [text for text, _ in view.hidden]
    assert sorted(shown + hidden) == sorted(f"Block {n}" for n in range(len(heights)))
    assert all(w.visible()[1] < w.visible()[3] for w in view.widgets)


@given(st.lists(st.integers(5, 90), min_size=1, max_size=20), st.integers(0, 300))
def test_how_far_a_page_scrolls_does_not_depend_on_where_it_is(
    heights: list[int], scroll: int
) -> None:
    room = CONTENT_BOTTOM - STATUS_HEIGHT
    view = build(blocks(*heights), scroll=scroll)
    assert view.max_scroll == max(0, sum(heights) - room)


@given(st.integers(-200, 600), st.integers(1, 80))
def test_elements_lie_within_the_screen(y: int, height: int) -> None:
    view = build(lambda ui: ui.place_at(PAINT, (10, y, 50, height), "text", "Box"))
    for element in view.elements:
        left, top, right, bottom = element.bounds
        assert 0 <= left < right <= 1
        assert 0 <= top < bottom <= 1


def test_what_is_pinned_does_not_scroll() -> None:
    def page(ui: Ui) -> None:
        ui.pin(PAINT, (10, 200, 50, 20), "text", "Pinned")
        blocks(*[50] * 20)(ui)

    assert find(build(page, scroll=150), "Pinned").y == 200
    assert find(build(page, scroll=150), "Block 3").y == STATUS_HEIGHT


def test_a_gap_is_left_where_it_is_asked_for() -> None:
    def page(ui: Ui) -> None:
        ui.place(PAINT, 20, "text", "Above")
        ui.space(30)
        ui.place(PAINT, 20, "text", "Below")

    view = build(page)
    assert find(view, "Below").y == find(view, "Above").y + 50


def test_y_tells_where_the_next_widget_will_stand() -> None:
    seen = []

    def page(ui: Ui) -> None:
        ui.place(PAINT, 20)
        seen.append(ui.y)
        ui.place(PAINT, 20, "text", "Next")

    assert find(build(page), "Next").y == seen[0]


def test_a_widget_out_of_sight_is_none_but_takes_its_place() -> None:
    made = []

    def page(ui: Ui) -> None:
        made.append(ui.place(PAINT, 900, "text", "Tall"))
        made.append(ui.place(PAINT, 20, "text", "Far"))
        made.append(ui.place_at(PAINT, (0, 2000, 10, 10), "text", "Farther"))

    view = build(page)
    assert made[0] is not None
    assert made[1:] == [None, None]
    assert [text for text, _ in view.hidden] == ["Far", "Farther"]
    assert view.max_scroll > 0


def test_decoration_out_of_sight_is_not_noted() -> None:
    view = build(lambda ui: ui.place_at(PAINT, (0, 2000, 10, 10)))
    assert view.hidden == []


# Values and fields


def test_values_of_a_page_have_defaults_and_lose_outer_blanks() -> None:
    seen: list[object] = []

    def page(ui: Ui) -> None:
        seen.extend((ui.var("none"), ui.var("none", 3), ui.var("name"), ui.text_of("name")))
        seen.append(ui.text_of("none"))

    build(page, name=" Ann ")
    assert seen == [None, 3, " Ann ", "Ann", ""]


@pytest.mark.parametrize("focus", ["", "name", "other"])
def test_only_the_field_with_the_cursor_brings_the_keyboard_up(focus: str) -> None:
    view = build(lambda ui: ui.field("name", "Name"), focus=focus)
    assert view.keyboard == (focus == "name")
    assert find(view, "Name").focused == (focus == "name")


def test_enter_submits_the_field_that_has_the_cursor() -> None:
    def page(ui: Ui) -> None:
        ui.field("name", "Name", absorb)
        ui.field("phone", "Phone")

    assert build(page, focus="name").submit is absorb
    assert build(page, focus="phone").submit is None


@pytest.mark.parametrize(("overlap", "bottom"), [(False, KEYBOARD_TOP), (True, CONTENT_BOTTOM)])
def test_the_keyboard_shrinks_the_page_unless_it_covers_it(overlap: bool, bottom: int) -> None:
    def page(ui: Ui) -> None:
        ui.field("name", "Name")
        blocks(*[30] * 20)(ui)

    view = build(page, focus="name", overlap=overlap)
    assert max(w.visible()[3] for w in view.widgets) == bottom


def test_a_long_text_in_a_field_is_whole_in_the_tree() -> None:
    text = "words " * 60
    view = build(lambda ui: ui.field("name", "Name"), name=text)
    assert view.elements[0].text == text


@pytest.mark.parametrize(
    ("y", "shown"),
    [
        (STATUS_HEIGHT - 10, False),
        (STATUS_HEIGHT - 9, True),
        (CONTENT_BOTTOM - 1, True),
        (CONTENT_BOTTOM, False),
    ],
)
def test_what_touches_the_edge_from_outside_is_out_of_sight(y: int, shown: bool) -> None:
    view = build(lambda ui: ui.place_at(PAINT, (0, y, 20, 10), "text", "Box"))
    assert bool(view.widgets) == shown
    assert [text for text, _ in view.hidden] == ([] if shown else ["Box"])
