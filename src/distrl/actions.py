"""Pure functions on actions: building, checking, text grammar, pixels and back."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from enum import StrEnum

from distrl.errors import ActionError
from distrl.types import Action, Element, Key, Kind, Observation

SWIPE_REACH = 0.4
"""How far a swipe by direction moves the finger, as a share of the screen."""

ANSWER_WORDS = ("yes", "no", "none", *(str(number) for number in range(21)))
"""Answers that a policy can give though they stand neither in the goal nor on the screen. Weights
are trained on their places."""

_MARGIN = 0.02
_MAX_TEXT = 2000


class Direction(StrEnum):
    """Where the finger moves in a swipe; the content follows the finger."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"


_VECTORS = {
    Direction.UP: (0.0, -SWIPE_REACH),
    Direction.DOWN: (0.0, SWIPE_REACH),
    Direction.LEFT: (-SWIPE_REACH, 0.0),
    Direction.RIGHT: (SWIPE_REACH, 0.0),
}
_STARTS = {
    Direction.UP: (0.5, 0.7),
    Direction.DOWN: (0.5, 0.3),
    Direction.LEFT: (0.7, 0.5),
    Direction.RIGHT: (0.3, 0.5),
}


def _fraction(name: str, value: float) -> float:
    number = float(value)
    if not (math.isfinite(number) and 0.0 <= number <= 1.0):
        raise ActionError(f"{name} must be between 0 and 1, got {value!r}")
    return number


def tap(x: float, y: float) -> Action:
    """Touch one point briefly."""
    return Action(Kind.TAP, _fraction("x", x), _fraction("y", y))


def long_press(x: float, y: float) -> Action:
    """Touch one point and hold."""
    return Action(Kind.LONG_PRESS, _fraction("x", x), _fraction("y", y))


def double_tap(x: float, y: float) -> Action:
    """Touch one point briefly, twice in a row."""
    return Action(Kind.DOUBLE_TAP, _fraction("x", x), _fraction("y", y))


TOUCHES: Mapping[Kind, Callable[[float, float], Action]] = {
    Kind.TAP: tap,
    Kind.LONG_PRESS: long_press,
    Kind.DOUBLE_TAP: double_tap,
}
"""What builds a touch of each kind."""


def swipe(x1: float, y1: float, x2: float, y2: float) -> Action:
    """Move a finger from the first point to the second."""
    return _path(Kind.SWIPE, x1, y1, x2, y2)


def drag(x1: float, y1: float, x2: float, y2: float) -> Action:
    """Take hold of what is at the first point, and let go of it at the second."""
    return _path(Kind.DRAG, x1, y1, x2, y2)


def _path(kind: Kind, x1: float, y1: float, x2: float, y2: float) -> Action:
    start = _fraction("x1", x1), _fraction("y1", y1)
    return Action(kind, *start, _fraction("x2", x2), _fraction("y2", y2))


def swipe_towards(direction: Direction, start: tuple[float, float] | None = None) -> Action:
    """Swipe a fixed reach from `start`, or from where a thumb would naturally begin."""
    return swipe(*_reach(direction, start))


def drag_towards(direction: Direction, start: tuple[float, float] | None = None) -> Action:
    """Drag what is at `start` as far as a swipe goes."""
    return drag(*_reach(direction, start))


def _reach(
    direction: Direction, start: tuple[float, float] | None
) -> tuple[float, float, float, float]:
    x, y = start if start is not None else _STARTS[direction]
    dx, dy = _VECTORS[direction]
    x2 = min(1.0 - _MARGIN, max(_MARGIN, x + dx))
    y2 = min(1.0 - _MARGIN, max(_MARGIN, y + dy))
    return x, y, x2, y2


def direction_of(action: Action) -> Direction:
    """The main direction of a swipe or a drag."""
    dx, dy = action.x2 - action.x, action.y2 - action.y
    if abs(dx) > abs(dy):
        return Direction.RIGHT if dx > 0 else Direction.LEFT
    return Direction.DOWN if dy > 0 else Direction.UP


def type_text(text: str) -> Action:
    """Type into the focused field."""
    return Action(Kind.TYPE, text=_checked(text))


def answer(text: str) -> Action:
    """Declare that the goal is reached, and answer what it asks."""
    return Action(Kind.ANSWER, text=_checked(text))


def open_app(name: str) -> Action:
    """Start an app by the name that stands below its icon."""
    return Action(Kind.OPEN_APP, text=_checked(name))


def _checked(text: str) -> str:
    if len(text) > _MAX_TEXT:
        raise ActionError(f"text of {len(text)} characters is over the limit of {_MAX_TEXT}")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ActionError(f"text must be whole characters, got half of a pair in {text[:40]!a}")
    return text


def press(key: Key | str) -> Action:
    """Press a key of the device."""
    try:
        return Action(Kind.PRESS, key=Key(key))
    except ValueError:
        raise ActionError(f"unknown key {key!r} (allowed: {', '.join(Key)})") from None


def wait() -> Action:
    """Do nothing for a moment."""
    return Action(Kind.WAIT)


def complete() -> Action:
    """Declare that the goal is reached."""
    return Action(Kind.COMPLETE)


def infeasible() -> Action:
    """Declare that the goal cannot be reached on this device."""
    return Action(Kind.INFEASIBLE)


def can_touch(element: Element) -> bool:
    """Whether a touch is meant for an element of this role: words alone do nothing."""
    return element.role != "text"


def keep_touchable(elements: tuple[Element, ...], most: int) -> tuple[Element, ...]:
    """At most so many elements in their order: what can be touched goes before mere words."""
    if len(elements) <= most:
        return elements
    order = sorted(range(len(elements)), key=lambda index: not can_touch(elements[index]))
    return tuple(elements[index] for index in sorted(order[:most]))


def element_at(observation: Observation, x: float, y: float) -> Element | None:
    """The topmost element at a point that can be touched, or else the topmost one, or None.

    Words that lie on a row belong to it: a touch on them touches the row.
    """
    covering = None
    for element in reversed(observation.elements or ()):
        left, top, right, bottom = element.bounds
        if left <= x <= right and top <= y <= bottom:
            if can_touch(element):
                return element
            covering = covering or element
    return covering


def words_touched(action: Action, observation: Observation) -> str:
    """What an action touched, typed or said, in words; empty where there are none."""
    if action.kind in _WITH_TEXT:
        return action.text
    if action.kind.touches_point or action.kind is Kind.DRAG:
        element = element_at(observation, action.x, action.y)
        return (element.text or element.description) if element is not None else ""
    return ""


def why_invalid(action: Action, observation: Observation) -> str | None:
    """Say why the action cannot have an effect here, or None when it can."""
    if action.kind is Kind.TYPE:
        focused = observation.keyboard or any(
            e.focused and e.editable for e in observation.elements or ()
        )
        if not focused:
            return "no text field is focused"
        return None if action.text else "there is no text to type"
    if action.kind in _WITH_TEXT:
        return None if action.text.strip() else f"there is nothing to {action.kind}"
    grips = action.kind.touches_point or action.kind is Kind.DRAG
    if grips and observation.elements:
        element = element_at(observation, action.x, action.y)
        if element is None:
            return "there is nothing at this point"
        if not element.enabled:
            return f"the {element.role} at this point is disabled"
    return None


_WITH_TEXT = (Kind.TYPE, Kind.ANSWER, Kind.OPEN_APP)
_NUMBER = r"\s*(-?\d+(?:\.\d+)?)\s*"
_CALL = re.compile(r"^\s*([a-z_]+)\s*\((.*)\)\s*$", re.DOTALL)
_POINT = re.compile(rf"^{_NUMBER},{_NUMBER}$")
_LINE = re.compile(rf"^{_NUMBER},{_NUMBER},{_NUMBER},{_NUMBER}$")


def to_text(action: Action) -> str:
    """Write an action in the grammar that `parse` reads back."""
    kind = action.kind
    if kind.touches_point:
        return f"{kind}({action.x:.3f}, {action.y:.3f})"
    if kind.moves_finger:
        return f"{kind}({action.x:.3f}, {action.y:.3f}, {action.x2:.3f}, {action.y2:.3f})"
    if kind in _WITH_TEXT:
        return f"{kind}({json.dumps(action.text, ensure_ascii=False)})"
    if kind is Kind.PRESS:
        return f"press({action.key})"
    return f"{kind}()"


def _parse_point(build: Callable[[float, float], Action], arguments: str) -> Action | None:
    found = _POINT.match(arguments)
    return build(float(found[1]), float(found[2])) if found else None


def _parse_path(
    build: Callable[[float, float, float, float], Action], arguments: str
) -> Action | None:
    found = _LINE.match(arguments)
    return build(*(float(found[i]) for i in range(1, 5))) if found else None


def _parse_text(build: Callable[[str], Action], arguments: str) -> Action | None:
    if not arguments.lstrip().startswith('"'):  # anything else can nest without end
        return None
    try:
        text = json.loads(arguments, strict=False)
    except ValueError:
        return None
    return build(text)


def _parse_bare(build: Callable[[], Action], arguments: str) -> Action | None:
    return None if arguments.strip() else build()


_PARSERS: dict[str, Callable[[str], Action | None]] = {
    Kind.TAP: lambda a: _parse_point(tap, a),
    Kind.LONG_PRESS: lambda a: _parse_point(long_press, a),
    Kind.DOUBLE_TAP: lambda a: _parse_point(double_tap, a),
    Kind.SWIPE: lambda a: _parse_path(swipe, a),
    Kind.DRAG: lambda a: _parse_path(drag, a),
    Kind.TYPE: lambda a: _parse_text(type_text, a),
    Kind.ANSWER: lambda a: _parse_text(answer, a),
    Kind.OPEN_APP: lambda a: _parse_text(open_app, a),
    Kind.PRESS: lambda a: press(a.strip()),
    Kind.WAIT: lambda a: _parse_bare(wait, a),
    Kind.COMPLETE: lambda a: _parse_bare(complete, a),
    Kind.INFEASIBLE: lambda a: _parse_bare(infeasible, a),
}


def parse(text: str) -> Action | None:
    """Read an action; None for anything that is not exactly one. Never raises on any text."""
    call = _CALL.match(text)
    if call is None or call[1] not in _PARSERS:
        return None
    try:
        return _PARSERS[call[1]](call[2])
    except ActionError:
        return None
