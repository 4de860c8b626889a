"""Input events of the DevTools protocol: what a mouse and a keyboard send for each action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Event = tuple[str, dict[str, Any]]
"""A method and its parameters."""
Point = tuple[float, float]

# Several moves, since pages take a single jump for a click and not for a drag.
_DRAG_MOVES = 6
# Each keystroke is two events, and only key handlers notice the difference.
_MAX_KEYSTROKES = 64
"""Longer texts are put in at once instead of key by key."""


def move(x: float, y: float, *, held: bool = False) -> Event:
    """The mouse goes somewhere, with its button held or not."""
    return _mouse("mouseMoved", x, y, "left" if held else "none", held)


def press(x: float, y: float) -> Event:
    """Its button goes down."""
    return _mouse("mousePressed", x, y, "left", True)


def release(x: float, y: float) -> Event:
    """And up."""
    return _mouse("mouseReleased", x, y, "left", False)


def _mouse(kind: str, x: float, y: float, button: str, held: bool) -> Event:
    given = {"type": kind, "x": x, "y": y, "button": button, "buttons": int(held), "clickCount": 1}
    return "Input.dispatchMouseEvent", given


def _again(event: Event) -> Event:
    """The same as part of a second click: only the number tells a page that it is one."""
    name, given = event
    return name, {**given, "clickCount": 2}


def tap(x: float, y: float) -> Sequence[Event]:
    """A click."""
    return move(x, y), press(x, y), release(x, y)


def double_tap(x: float, y: float) -> Sequence[Event]:
    """Two clicks that count as one double click."""
    return *tap(x, y), _again(press(x, y)), _again(release(x, y))


def drag(x: float, y: float, x2: float, y2: float) -> Sequence[Event]:
    """From here to there with the button held."""
    shares = [share / _DRAG_MOVES for share in range(1, _DRAG_MOVES + 1)]
    way = [move(x + (x2 - x) * share, y + (y2 - y) * share, held=True) for share in shares]
    return move(x, y), press(x, y), *way, release(x2, y2)


def typing(text: str) -> Sequence[Event]:
    """A text: key by key where there are keys for it, or else at once."""
    if len(text) > _MAX_KEYSTROKES or not (text.isascii() and text.isprintable()):
        return (("Input.insertText", {"text": text}),)
    return [event for character in text for event in _stroke(character)]


def _stroke(character: str) -> Sequence[Event]:
    code = ord(character.upper()) if character.isalnum() else 0
    return _key({"key": character, "windowsVirtualKeyCode": code}, character)


def enter() -> Sequence[Event]:
    """The key that ends a line."""
    return _key({"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13}, "\r")


def _key(named: dict[str, Any], text: str) -> Sequence[Event]:
    return (
        ("Input.dispatchKeyEvent", {"type": "keyDown", "text": text, **named}),
        ("Input.dispatchKeyEvent", {"type": "keyUp", **named}),
    )
