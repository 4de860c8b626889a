"""The on-screen keyboard: where its keys are and what they do."""

from __future__ import annotations

from functools import lru_cache

from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.view import KEYBOARD_HEIGHT, KEYBOARD_TOP, WIDTH, Handler

ROWS = ("1234567890", "qwertyuiop", "asdfghjkl'", "zxcvbnm,.")
ROW_HEIGHT = 24
BACKSPACE, SPACE, ENTER = "backspace", " ", "enter"
FIELD_LIMIT = 2000
"""Characters that a text field takes; what is typed beyond them is lost. It keeps a state small
when an agent types for ever."""


@lru_cache(maxsize=1)
def layout() -> tuple[tuple[str, int, int, int, int], ...]:
    """Each key as (what it types or is, left, top, width, height) within the keyboard."""
    found: list[tuple[str, int, int, int, int]] = []
    width = WIDTH // 10
    for row, letters in enumerate(ROWS):
        found += [
            (letter, column * width, 2 + row * ROW_HEIGHT, width, ROW_HEIGHT)
            for column, letter in enumerate(letters)
        ]
    y = 2 + 4 * ROW_HEIGHT
    found.append((BACKSPACE, 9 * width, 2 + 3 * ROW_HEIGHT, width, ROW_HEIGHT))
    found.append((SPACE, 2 * width, y, 6 * width, ROW_HEIGHT))
    found.append((ENTER, 8 * width, y, 2 * width, ROW_HEIGHT))
    return tuple(found)


def key_at(x: float, y: float) -> str:
    """The key at a point of the screen in layout units; empty between keys."""
    row = y - KEYBOARD_TOP
    assert 0 <= row <= KEYBOARD_HEIGHT
    for key, left, top, width, height in layout():
        if left <= x < left + width and top <= row < top + height:
            return key
    return ""


def type_into(control: Control, text: str) -> None:
    """Type at the cursor: over the selection if there is one, else at the end."""
    focus: State = control.state["ui"]["focus"]
    key = focus["key"]
    held = "" if focus["all"] else str(control.var(key, ""))
    control.set_var(key, (held + text)[:FIELD_LIMIT])
    control.write_ui("focus", {"key": key, "all": False})


def press_key(control: Control, key: str, submit: Handler | None) -> None:
    """What one key of the keyboard does."""
    if key == ENTER:
        enter(control, submit)
    elif key == BACKSPACE:
        focus: State = control.state["ui"]["focus"]
        held = "" if focus["all"] else str(control.var(focus["key"], ""))
        control.set_var(focus["key"], held[:-1])
        control.write_ui("focus", {"key": focus["key"], "all": False})
    elif key:
        type_into(control, key)


def enter(control: Control, submit: Handler | None) -> None:
    """Submit the focused field and hide the keyboard."""
    control.focus(None)
    if submit is not None:
        submit(control)
