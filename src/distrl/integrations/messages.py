"""From a message to an action, and from an observation to a message: once, for every framework.

    "tap(3)"                                 the grammar of policies/text_actions.py
    {"action": "tap(3)"}                     the same inside JSON
    {"kind": "tap", "element": 3}            by the number of an element
    {"kind": "swipe", "direction": "up"}     or by fractions of the screen: x, y, x2, y2

Text that is no action is a mistake of who acts: it costs a step and has no effect, as everywhere in
this package. JSON that does not fit the schema is a mistake of the program that sent it, and is
refused.
"""

from __future__ import annotations

import base64
import io
from typing import Any, TypeVar

from PIL import Image
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from distrl import actions
from distrl.actions import Direction
from distrl.errors import ActionError
from distrl.policies.text_actions import INVALID, describe, grammar, listed, parse_action
from distrl.types import Action, Key, Kind, Observation

_T = TypeVar("_T")

MOST_CHARACTERS = 20_000
"""Of an action in text."""


class ActionMessage(BaseModel):
    """One action: `action` in text, or `kind` and what this kind needs."""

    model_config = ConfigDict(extra="forbid")

    action: str | None = Field(
        None, max_length=MOST_CHARACTERS, description=f"The action in text:\n{grammar()}"
    )
    kind: Kind | None = Field(None, description="What to do, where `action` is not given.")
    element: int | None = Field(
        None,
        ge=1,
        description="Number of the element to touch, to swipe or drag from; the first is 1.",
    )
    x: float | None = Field(None, ge=0, le=1, description="Share of the screen's width.")
    y: float | None = Field(None, ge=0, le=1, description="Share of the screen's height.")
    x2: float | None = Field(None, ge=0, le=1, description="Where a swipe or a drag ends.")
    y2: float | None = Field(None, ge=0, le=1)
    direction: Direction | None = Field(None, description="Where the finger goes.")
    text: str | None = Field(
        None,
        max_length=2000,
        description="What is typed or answered, or the name of the app to open.",
    )
    key: Key | None = Field(None, description="What `press` presses.")


def read_action(message: ActionMessage, seen: Observation) -> tuple[Action, str]:
    """The action that a message asks for, and why it is none ("" if it is one).

    Text that is no action gives the invalid action, which has no effect. ActionError for a message
    that lacks what its kind needs.
    """
    if message.action is not None:
        if message.kind is not None:
            raise ActionError("give either action or kind, not both")
        return read_text(message.action, seen)
    if message.kind is None:
        raise ActionError(f"an action or a kind is needed (kinds: {', '.join(Kind)})")
    return _of_kind(message.kind, message, seen), ""


def read_text(text: str, seen: Observation) -> tuple[Action, str]:
    """The action that a model wrote, and why it is none ("" if it is one)."""
    action = parse_action(text, seen.elements or ())
    if action is None:
        return INVALID, f"{text[-80:]!r} is no action on this screen, such as tap(1)"
    return action, ""


_TEXTS = {
    Kind.TYPE: actions.type_text,
    Kind.OPEN_APP: actions.open_app,
    Kind.ANSWER: actions.answer,
}
_PATHS = {
    Kind.SWIPE: (actions.swipe, actions.swipe_towards),
    Kind.DRAG: (actions.drag, actions.drag_towards),
}


def _of_kind(kind: Kind, message: ActionMessage, seen: Observation) -> Action:
    if kind in actions.TOUCHES:
        return actions.TOUCHES[kind](*_point(message, seen))
    if kind in _TEXTS:
        return _TEXTS[kind](_needed("text", message.text))
    if kind in _PATHS:
        return _path(kind, message, seen)
    if kind is Kind.PRESS:
        return actions.press(_needed("key", message.key))
    return Action(kind)


def _path(kind: Kind, message: ActionMessage, seen: Observation) -> Action:
    between, towards = _PATHS[kind]
    if message.direction is None:
        end = _needed("x2", message.x2), _needed("y2", message.y2)
        return between(*_point(message, seen), *end)
    somewhere = message.element is not None or message.x is not None
    return towards(message.direction, _point(message, seen) if somewhere else None)


def _point(message: ActionMessage, seen: Observation) -> tuple[float, float]:
    if message.element is None:
        return _needed("x", message.x), _needed("y", message.y)
    return center_of(message.element, seen)


def center_of(element: int, seen: Observation) -> tuple[float, float]:
    """The middle of the element of a number, from 1; ActionError if there is none."""
    elements = seen.elements or ()
    if not 1 <= element <= len(elements):
        raise ActionError(f"there is no element {element}: the screen has 1 to {len(elements)}")
    return elements[element - 1].center_on_screen


def _needed(name: str, value: _T | None) -> _T:
    if value is None:
        raise ActionError(f"{name} is missing, which an action of this kind needs")
    return value


def why_refused(error: ValidationError) -> str:
    """What is wrong with a message, in one line: where, what was received, what is allowed."""
    told = []
    for problem in error.errors(include_url=False, include_context=False)[:4]:
        place = ".".join(map(str, problem["loc"])) or "the message"
        told.append(f"{place}: {problem['msg']}, got {_short(problem['input'])}")
    return "; ".join(told)


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:79]}…"


def screen_png(seen: Observation) -> bytes:
    """The screen as a PNG file."""
    file = io.BytesIO()
    Image.fromarray(seen.screen).save(file, "PNG", compress_level=1)
    return file.getvalue()


def screen_base64(seen: Observation) -> str:
    """The same for JSON."""
    return base64.b64encode(screen_png(seen)).decode("ascii")


def element_lines(seen: Observation) -> str:
    """The numbered elements of a screen, a line each: those that prompts list.

    Their numbers are those of all elements, also where some are left out.
    """
    kept = {id(element) for element in listed(seen)}
    numbered = enumerate(seen.elements or (), 1)
    return "\n".join(describe(n, element) for n, element in numbered if id(element) in kept)


class ElementMessage(BaseModel):
    """One thing on the screen; its number is its place in the list, from 1."""

    role: str
    text: str
    description: str
    bounds: tuple[float, float, float, float] = Field(
        description="Left, top, right, bottom as shares of the screen."
    )
    enabled: bool
    checked: bool | None
    focused: bool
    editable: bool
