from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image
from pydantic import ValidationError

from distrl import actions
from distrl.actions import Direction
from distrl.errors import ActionError
from distrl.integrations.messages import (
    ActionMessage,
    ElementMessage,
    element_lines,
    read_action,
    read_text,
    screen_png,
    why_refused,
)
from distrl.policies.text_actions import INVALID
from distrl.types import Action, Element, Observation, Picture

SEEN = Observation(
    Picture(np.full((4, 2, 3), 7, np.uint8)),
    (
        Element("button", "Save", bounds=(0.0, 0.0, 0.5, 0.5)),
        Element("switch", "Wi-Fi", bounds=(0.5, 0.5, 1.5, 1.0), checked=True),
    ),
    keyboard=False,
    app="settings",
)


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ({"action": "tap(1)"}, actions.tap(0.25, 0.25)),
        ({"action": "I think.\nAction: tap(0.5, 0.25)"}, actions.tap(0.5, 0.25)),
        ({"kind": "tap", "element": 2}, actions.tap(1.0, 0.75)),
        ({"kind": "long_press", "x": 0.1, "y": 0.2}, actions.long_press(0.1, 0.2)),
        ({"kind": "swipe", "direction": "up"}, actions.swipe_towards(Direction.UP)),
        (
            {"kind": "swipe", "direction": "left", "element": 1},
            actions.swipe_towards(Direction.LEFT, (0.25, 0.25)),
        ),
        (
            {"kind": "swipe", "x": 0.1, "y": 0.2, "x2": 0.3, "y2": 0.4},
            actions.swipe(0.1, 0.2, 0.3, 0.4),
        ),
        ({"kind": "double_tap", "element": 1}, actions.double_tap(0.25, 0.25)),
        (
            {"kind": "drag", "element": 1, "x2": 0.3, "y2": 0.4},
            actions.drag(0.25, 0.25, 0.3, 0.4),
        ),
        (
            {"kind": "drag", "direction": "down", "element": 1},
            actions.drag_towards(Direction.DOWN, (0.25, 0.25)),
        ),
        ({"kind": "type", "text": "tea"}, actions.type_text("tea")),
        ({"kind": "answer", "text": "7:30"}, actions.answer("7:30")),
        ({"action": 'answer("7:30")'}, actions.answer("7:30")),
        ({"kind": "open_app", "text": "Clock"}, actions.open_app("Clock")),
        ({"kind": "press", "key": "recents"}, actions.press("recents")),
        ({"kind": "press", "key": "back"}, actions.press("back")),
        ({"kind": "complete"}, actions.complete()),
    ],
)
def test_a_message_is_read_in_text_and_as_json(message: dict[str, object], wanted: Action) -> None:
    action, why_none = read_action(ActionMessage.model_validate(message), SEEN)
    assert (action, why_none) == (wanted, "")


def test_text_that_is_no_action_is_invalid_and_says_why() -> None:
    action, why_none = read_text("tap(99)", SEEN)
    assert action == INVALID
    assert "'tap(99)' is no action" in why_none


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({}, "an action or a kind is needed"),
        ({"action": "wait()", "kind": "wait"}, "not both"),
        ({"kind": "tap"}, "x is missing"),
        ({"kind": "tap", "element": 3}, "there is no element 3: the screen has 1 to 2"),
        ({"kind": "swipe", "x": 0.1, "y": 0.1}, "x2 is missing"),
        ({"kind": "type"}, "text is missing"),
        ({"kind": "answer"}, "text is missing"),
        ({"kind": "double_tap"}, "x is missing"),
        ({"kind": "press"}, "key is missing"),
    ],
)
def test_a_message_that_lacks_something_is_refused(message: dict[str, object], said: str) -> None:
    with pytest.raises(ActionError, match=said):
        read_action(ActionMessage.model_validate(message), SEEN)


@pytest.mark.parametrize(
    "message",
    [{"kind": "fly"}, {"kind": "tap", "x": 2}, {"text": 5}, {"taps": 1}, {"x": float("nan")}, 7],
)
def test_a_message_outside_of_the_schema_is_refused_in_one_line(message: object) -> None:
    with pytest.raises(ValidationError) as caught:
        ActionMessage.model_validate(message)
    assert "\n" not in why_refused(caught.value)
    assert "got" in why_refused(caught.value)


def test_a_screen_is_a_png_of_the_same_pixels() -> None:
    assert np.array_equal(np.array(Image.open(io.BytesIO(screen_png(SEEN)))), SEEN.screen)


def test_elements_are_listed_by_number() -> None:
    assert element_lines(SEEN) == '1 button "Save"\n2 switch "Wi-Fi" on'


def test_the_message_of_an_element_has_exactly_its_fields() -> None:
    assert set(ElementMessage.model_fields) == set(Element.__dataclass_fields__)


def test_lines_have_the_numbers_by_which_elements_are_touched_where_some_are_left_out() -> None:
    words = tuple(Element("text", f"word {n}") for n in range(200))
    button = Element("button", "Save", bounds=(0.0, 0.0, 0.5, 0.5))
    seen = Observation(SEEN.picture, (*words, button), keyboard=False, app="notes")
    lines = element_lines(seen).splitlines()
    assert len(lines) < 201
    assert lines[-1].startswith("201 button")
    assert read_text("tap(201)", seen) == (actions.tap(0.25, 0.25), "")
