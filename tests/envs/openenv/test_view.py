from __future__ import annotations

import numpy as np

from distrl.actions import element_at
from distrl.envs.openenv.form import Form
from distrl.envs.openenv.view import button_number, goal_in, observation_of
from distrl.integrations.messages import screen_base64
from distrl.types import Observation, Picture

PIXELS = np.random.default_rng(0).integers(0, 255, (40, 20, 3), np.uint8)
PNG = screen_base64(Observation(Picture(PIXELS), (), False, ""))


def test_texts_and_numbers_become_lines_and_a_field() -> None:
    seen = observation_of(
        {"echoed": "hello\nyou", "n": 5, "a": {"b": [1, 2]}}, Form(text="message")
    )
    assert seen.elements is not None
    assert [e.text for e in seen.elements] == ["echoed: hello you", "n: 5", "a.b: 1", "a.b: 2", ""]
    assert (seen.elements[-1].role, seen.elements[-1].editable) == ("field", True)
    assert seen.keyboard
    assert seen.screen.std() > 0  # the lines are drawn


def test_values_become_buttons_that_can_be_told_apart() -> None:
    form = Form(choice="move", values=("hit", "stand"))
    seen = observation_of({"hand": [10, 5]}, form)
    assert seen.elements is not None
    for number, value in enumerate(form.values):
        (button,) = (e for e in seen.elements if e.text == value)
        assert button_number(element_at(seen, *button.center)) == number
    assert button_number(seen.elements[0]) is None
    assert button_number(None) is None


def test_a_picture_is_the_screen_and_no_line() -> None:
    for shown in (PNG, f"data:image/png;base64,{PNG}"):
        seen = observation_of({"screenshot": shown, "text": "x"}, Form(text="message"))
        assert np.array_equal(seen.screen, PIXELS)
        assert [e.text for e in seen.elements or ()] == ["text: x", ""]


def test_a_broken_picture_is_left_out() -> None:
    seen = observation_of({"screenshot": "iVBOR" + "A" * 100}, Form(text="message"))
    assert seen.screen.shape == (640, 360, 3)


def test_the_goal_is_what_the_server_asks_for() -> None:
    assert goal_in({"text": "x", "question": " Why? ", "task": "t/0"}) == "Why?"
    assert goal_in({"text": "x", "goal": "", "prompt": 5}) == ""
