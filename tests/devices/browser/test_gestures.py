from __future__ import annotations

import pytest

from distrl.devices.browser import gestures
from distrl.devices.browser.gestures import Event


def kinds(events: object) -> list[str]:
    assert isinstance(events, (list, tuple))
    return [given["type"] for _, given in events]


def held(event: Event) -> tuple[str, int]:
    return event[1]["button"], event[1]["buttons"]


def test_a_tap_moves_presses_and_releases() -> None:
    events = gestures.tap(3, 4)
    assert kinds(events) == ["mouseMoved", "mousePressed", "mouseReleased"]
    assert all((given["x"], given["y"]) == (3, 4) for _, given in events)
    assert [held(event) for event in events] == [("none", 0), ("left", 1), ("left", 0)]


def test_a_drag_moves_step_by_step_with_the_button_held() -> None:
    events = gestures.drag(100, 300, 100, 100)
    assert kinds(events) == ["mouseMoved", "mousePressed", *["mouseMoved"] * 6, "mouseReleased"]
    ways = [given["y"] for _, given in events]
    assert ways[0] == ways[1] == 300
    assert ways[2:-1] == sorted(ways[2:-1], reverse=True)
    assert ways[-2] == ways[-1] == 100
    assert [held(event) for event in events] == [("none", 0), *[("left", 1)] * 7, ("left", 0)]


def test_short_texts_are_typed_key_by_key() -> None:
    events = [given for _, given in gestures.typing("aB 1")]
    assert [e["type"] for e in events] == ["keyDown", "keyUp"] * 4
    assert [e.get("text") for e in events[::2]] == ["a", "B", " ", "1"]
    assert [e["windowsVirtualKeyCode"] for e in events[::2]] == [65, 66, 0, 49]
    assert all("text" not in e for e in events[1::2])


@pytest.mark.parametrize("text", ["é", "你好", "a\tb", "x" * 65])
def test_texts_that_no_keys_have_are_put_in_at_once(text: str) -> None:
    assert list(gestures.typing(text)) == [("Input.insertText", {"text": text})]


def test_the_longest_text_that_is_typed_by_keys() -> None:
    assert len(gestures.typing("x" * 64)) == 128


def test_enter_is_a_key_with_a_line_end() -> None:
    (_, down), (_, up) = gestures.enter()
    assert (down["type"], down["text"], down["windowsVirtualKeyCode"]) == ("keyDown", "\r", 13)
    assert (up["type"], "text" in up) == ("keyUp", False)


def test_a_double_tap_is_two_clicks_of_which_the_second_says_so() -> None:
    events = gestures.double_tap(3, 4)
    assert kinds(events) == ["mouseMoved", *["mousePressed", "mouseReleased"] * 2]
    assert [given["clickCount"] for _, given in events] == [1, 1, 1, 2, 2]
