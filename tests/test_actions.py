from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from distrl import actions
from distrl.actions import Direction
from distrl.errors import ActionError
from distrl.types import Action, Element, Key, Kind, Observation, Picture

_fractions = st.integers(0, 1000).map(lambda n: n / 1000)
_texts = st.text(max_size=200)

_any_action = st.one_of(
    st.builds(actions.tap, _fractions, _fractions),
    st.builds(actions.long_press, _fractions, _fractions),
    st.builds(actions.double_tap, _fractions, _fractions),
    st.builds(actions.drag, _fractions, _fractions, _fractions, _fractions),
    st.builds(actions.answer, _texts),
    st.builds(actions.open_app, _texts),
    st.builds(actions.swipe, _fractions, _fractions, _fractions, _fractions),
    st.builds(actions.type_text, _texts),
    st.builds(actions.press, st.sampled_from(Key)),
    st.sampled_from([actions.wait(), actions.complete(), actions.infeasible()]),
)


def _screen(*elements: Element, keyboard: bool = False) -> Observation:
    picture = Picture(np.zeros((4, 2, 3), np.uint8))
    return Observation(picture, elements, keyboard, "test")


@given(_any_action)
def test_what_is_written_is_read_back(action: Action) -> None:
    assert actions.parse(actions.to_text(action)) == action


def test_every_kind_has_a_text() -> None:
    texts = {
        Kind.TAP: (actions.tap(0.5, 0.25), "tap(0.500, 0.250)"),
        Kind.LONG_PRESS: (actions.long_press(0, 1), "long_press(0.000, 1.000)"),
        Kind.SWIPE: (actions.swipe(0.5, 0.7, 0.5, 0.3), "swipe(0.500, 0.700, 0.500, 0.300)"),
        Kind.TYPE: (actions.type_text('say "hi"'), 'type("say \\"hi\\"")'),
        Kind.PRESS: (actions.press(Key.BACK), "press(back)"),
        Kind.WAIT: (actions.wait(), "wait()"),
        Kind.COMPLETE: (actions.complete(), "complete()"),
        Kind.INFEASIBLE: (actions.infeasible(), "infeasible()"),
        Kind.ANSWER: (actions.answer("7:30 \n"), 'answer("7:30 \\n")'),
        Kind.OPEN_APP: (actions.open_app("Clock"), 'open_app("Clock")'),
        Kind.DOUBLE_TAP: (actions.double_tap(0, 1), "double_tap(0.000, 1.000)"),
        Kind.DRAG: (actions.drag(0.5, 0.7, 0.5, 0.3), "drag(0.500, 0.700, 0.500, 0.300)"),
    }
    assert set(texts) == set(Kind)
    for action, text in texts.values():
        assert actions.to_text(action) == text


@given(st.text(max_size=300))
@example("type(" + "[" * 100_000 + ")")
@example("type(" + "9" * 10_000 + ")")
@example("tap(" + "9" * 10_000 + ", 0.5)")
@example("tap(" * 5_000)
@example("tap" + " " * 20_000 + "x")
@example("tap(" + ") " * 20_000 + "x")
@example('type("\\ud800")')
@example("press(\x00)")
def test_parse_never_raises(text: str) -> None:
    parsed = actions.parse(text)
    assert parsed is None or isinstance(parsed, Action)


@given(
    st.sampled_from([*Kind, "fly", ""]),
    st.lists(st.sampled_from(["0.5", "1", "-0", "2", "nan", "1e3", '"x"', "back", ",", " ", "("])),
)
def test_parse_never_raises_on_what_looks_like_a_call(name: str, parts: list[str]) -> None:
    parsed = actions.parse(f"{name}({''.join(parts)})")
    assert parsed is None or parsed.kind == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tap",
        "tap(0.5)",
        "tap(0.5, 1.5)",
        "tap(0.5, -0.1)",
        "tap(0.5, 0.5) tap(0.5, 0.5)",
        "TAP(0.5, 0.5)",
        "swipe(0.1, 0.2, 0.3)",
        "type(hello)",
        "type(5)",
        'type(["a"])',
        f"type({json.dumps('x' * 2001)})",
        "press(power)",
        "wait(1)",
        "fly(0.5, 0.5)",
    ],
)
def test_what_is_not_exactly_one_action_is_none(text: str) -> None:
    assert actions.parse(text) is None


def test_blanks_around_an_action_do_not_matter() -> None:
    assert actions.parse("  tap ( 0.5 ,0.25 ) \n") == actions.tap(0.5, 0.25)


@pytest.mark.parametrize("value", [-0.001, 1.001, math.nan, math.inf])
def test_points_beyond_the_screen_are_refused(value: float) -> None:
    with pytest.raises(ActionError, match="between 0 and 1"):
        actions.tap(value, 0.5)
    with pytest.raises(ActionError, match="between 0 and 1"):
        actions.long_press(0.5, value)
    with pytest.raises(ActionError, match="y2 must be"):
        actions.swipe(0.5, 0.5, 0.5, value)


def test_unknown_key_names_the_known_ones() -> None:
    with pytest.raises(ActionError, match=r"'power'.*back, home, enter"):
        actions.press("power")


def test_text_over_the_limit_is_refused() -> None:
    assert actions.type_text("x" * 2000).kind is Kind.TYPE
    with pytest.raises(ActionError, match="2001"):
        actions.type_text("x" * 2001)


@given(st.sampled_from(Direction), st.none() | st.tuples(_fractions, _fractions))
def test_swipe_by_direction_stays_on_the_screen(
    direction: Direction, start: tuple[float, float] | None
) -> None:
    action = actions.swipe_towards(direction, start)
    assert 0.0 <= action.x2 <= 1.0
    assert 0.0 <= action.y2 <= 1.0


@pytest.mark.parametrize("direction", list(Direction))
def test_swipe_by_direction_goes_that_way(direction: Direction) -> None:
    assert actions.direction_of(actions.swipe_towards(direction)) is direction


def test_topmost_element_is_found() -> None:
    below = Element("item", "below", bounds=(0.0, 0.0, 1.0, 1.0))
    above = Element("button", "above", bounds=(0.4, 0.4, 0.6, 0.6))
    screen = _screen(below, above)
    assert actions.element_at(screen, 0.5, 0.5) is above
    assert actions.element_at(screen, 0.1, 0.1) is below
    assert actions.element_at(_screen(above), 0.1, 0.1) is None


def test_words_on_a_row_are_touched_as_the_row() -> None:
    row = Element("item", "row", bounds=(0.0, 0.0, 1.0, 0.5))
    words = Element("text", "words", bounds=(0.1, 0.1, 0.4, 0.2))
    assert actions.element_at(_screen(row, words), 0.2, 0.15) is row
    assert actions.element_at(_screen(words), 0.2, 0.15) is words


def test_screen_without_any_element_may_be_touched_anywhere() -> None:
    assert actions.why_invalid(actions.tap(0.5, 0.5), _screen()) is None


def test_typing_needs_a_focused_field_and_a_text() -> None:
    typing = actions.type_text("hi")
    field = Element("field", bounds=(0.0, 0.0, 1.0, 0.1), focused=True, editable=True)
    assert actions.why_invalid(typing, _screen()) == "no text field is focused"
    assert actions.why_invalid(typing, _screen(field)) is None
    assert actions.why_invalid(typing, _screen(keyboard=True)) is None
    assert actions.why_invalid(actions.type_text(""), _screen(field)) is not None


def test_touching_needs_something_that_is_enabled() -> None:
    dead = Element("button", "Save", bounds=(0.4, 0.4, 0.6, 0.6), enabled=False)
    screen = _screen(dead)
    assert actions.why_invalid(actions.tap(0.1, 0.1), screen) == "there is nothing at this point"
    assert "disabled" in (actions.why_invalid(actions.tap(0.5, 0.5), screen) or "")
    assert "disabled" in (actions.why_invalid(actions.long_press(0.5, 0.5), screen) or "")


def test_without_elements_every_touch_may_have_an_effect() -> None:
    blind = Observation(Picture(np.zeros((4, 2, 3), np.uint8)), None, keyboard=False, app="x")
    assert actions.why_invalid(actions.tap(0.5, 0.5), blind) is None


@pytest.mark.parametrize(
    "action",
    [actions.swipe(0.5, 0.5, 0.5, 0.1), actions.press("home"), actions.wait(), actions.complete()],
)
def test_what_needs_no_target_is_always_valid(action: Action) -> None:
    assert actions.why_invalid(action, _screen()) is None
