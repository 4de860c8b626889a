from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.devices.phone.ui import view as view_module
from distrl.devices.phone.ui.view import HEIGHT, WIDTH, View, Widget, absorb


def _view(*widgets: Widget) -> View:
    view = View("test", "main", dark=False)
    view.widgets.extend(widgets)
    return view


def _button(text: str, y: int = 100, h: int = 40) -> Widget:
    return Widget(("fill", "bg"), 0, y, WIDTH, h, "button", text, "", absorb)


def test_element_reports_what_the_widget_is() -> None:
    widget = Widget(("fill", "bg"), 90, 100, 90, 100, "switch", "Wi-Fi", "Home", absorb)
    widget.checked, widget.enabled = True, False
    element = widget.element()
    assert element is not None
    assert (element.role, element.text, element.description) == ("switch", "Wi-Fi", "Home")
    assert (element.checked, element.enabled) == (True, False)
    assert element.bounds == (0.5, 0.25, 1.0, 0.5)


def test_decoration_is_no_element() -> None:
    assert Widget(("fill", "bg"), 0, 0, WIDTH, 40).element() is None


def test_element_covers_only_the_visible_part() -> None:
    widget = _button("Half", y=80, h=40)
    widget.top, widget.bottom = 100, 300
    element = widget.element()
    assert element is not None
    assert element.bounds == (0.0, 100 / HEIGHT, 1.0, 120 / HEIGHT)


@pytest.mark.parametrize(("y", "reported"), [(65, False), (66, True), (294, True), (295, False)])
def test_sliver_of_a_widget_is_not_reported(y: int, reported: bool) -> None:
    widget = _button("Sliver", y=y, h=40)
    widget.top, widget.bottom = 100, 300
    assert (widget.element() is not None) == reported


def test_equal_widgets_share_one_element() -> None:
    assert _button("Same").element() is _button("Same").element()


def test_topmost_widget_is_hit() -> None:
    below, above = _button("below"), _button("above")
    assert _view(below, above).hit(10, 110) is above
    assert _view(below, above).hit(10, 141) is None


def test_what_does_not_answer_lets_a_touch_through() -> None:
    below = _button("below")
    label = Widget(("fill", "bg"), 0, 100, WIDTH, 40, "text", "label")
    assert _view(below, label).hit(10, 110) is below


def test_disabled_button_swallows_a_touch() -> None:
    below = _button("below")
    dead = Widget(("fill", "bg"), 0, 100, WIDTH, 40, "button", "dead")
    dead.enabled = False
    assert _view(below, dead).hit(10, 110) is dead


def test_clipped_part_cannot_be_hit() -> None:
    widget = _button("clipped", y=80, h=40)
    widget.top = 100
    assert _view(widget).hit(10, 90) is None
    assert _view(widget).hit(10, 100) is widget


def test_what_lies_under_a_dialog_is_neither_hit_nor_reported() -> None:
    below, above = _button("below", y=10), _button("above")
    view = _view(below, above)
    view.live = 1
    assert view.hit(10, 20) is None
    assert [element.text for element in view.elements] == ["above"]


@given(st.integers(-60, 460), st.integers(1, 120), st.integers(0, 200), st.integers(201, 400))
def test_what_is_visible_lies_between_the_edges(y: int, h: int, top: int, bottom: int) -> None:
    widget = _button("Any", y=y, h=h)
    widget.top, widget.bottom = top, bottom
    element = widget.element()
    if element is None:
        assert min(y + h, bottom) - max(y, top) < 6
    else:
        assert top / HEIGHT <= element.bounds[1] < element.bounds[3] <= bottom / HEIGHT


def test_elements_stand_in_paint_order() -> None:
    view = _view(_button("one", y=200), _button("two", y=10), _button("three", y=100))
    assert [e.text for e in view.elements] == ["one", "two", "three"]
    assert view.elements is view.elements


@pytest.mark.parametrize(
    ("x", "y", "hit"),
    [(20, 100, True), (59.9, 139.9, True), (60, 110, False), (20, 140, False), (19.9, 100, False)],
)
def test_a_widget_is_hit_within_its_edges(x: float, y: float, hit: bool) -> None:
    widget = Widget(("fill", "bg"), 20, 100, 40, 40, "button", "Box", "", absorb)
    assert (_view(widget).hit(x, y) is widget) == hit


@pytest.mark.parametrize("name", ["on_long", "on_drag", "key"])
def test_whatever_answers_to_a_finger_is_hit(name: str) -> None:
    widget = Widget(("fill", "bg"), 0, 0, 40, 40, "item", "Row")
    assert _view(widget).hit(5, 5) is None
    setattr(widget, name, "field" if name == "key" else absorb)
    assert _view(widget).hit(5, 5) is widget


@pytest.mark.parametrize("name", ["enabled", "checked", "focused", "editable"])
def test_elements_differ_when_their_widgets_do(name: str) -> None:
    one, two = _button("Same"), _button("Same")
    setattr(two, name, not getattr(one, name))
    assert one.element() != two.element()


def test_rare_values_of_a_widget_are_its_own() -> None:
    one, two = _button("one"), _button("two")
    one.checked, one.top = True, 50
    assert (two.checked, two.top, two.bottom) == (None, 0, HEIGHT)


def test_the_cache_of_elements_begins_anew_when_it_is_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(view_module, "_ELEMENT_CACHE_LIMIT", 3)
    monkeypatch.setattr(view_module, "_elements", {})
    made = [_button(f"Number {n}").element() for n in range(8)]
    assert [element.text for element in made if element] == [f"Number {n}" for n in range(8)]
    assert len(view_module._elements) <= 3
