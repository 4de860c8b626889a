"""Episodes and actions of public datasets of phone demonstrations, in the types of this package.

    AndroidControl         android_control_episode(example), from_android_control(action, size)
    Android in the Wild    from_aitw(action_type, touch, lift, text)

Pure functions. All give None for what this package has no action for. Written with `write_parquet`,
such episodes are demonstrations for a warm start (`warm_start.episodes=FILE`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from distrl import actions
from distrl.actions import Direction
from distrl.errors import ActionError, ConfigError
from distrl.types import Action, Choice, Episode, Key, Observation, Outcome, Picture, Step, Task

_TAP_DISTANCE = 0.04
"""Up to this share of the screen, touching and lifting are one point, as in its own code."""
_AITW = {
    5: actions.press(Key.BACK),
    6: actions.press(Key.HOME),
    7: actions.press(Key.ENTER),
    10: actions.complete(),
    11: actions.infeasible(),
}
_TYPE, _DUAL_POINT = 3, 4
_PLAIN = {
    "navigate_back": actions.press(Key.BACK),
    "navigate_home": actions.press(Key.HOME),
    "wait": actions.wait(),
}
_TOUCHES = {
    "click": actions.tap,
    "long_press": actions.long_press,
    "double_tap": actions.double_tap,
}
_TEXTS = {
    "input_text": (actions.type_text, "text"),
    "open_app": (actions.open_app, "app_name"),
    "answer": (actions.answer, "text"),
}
"""What builds an action with a text, and where the text stands."""
_SCROLLS = {
    "up": Direction.DOWN,
    "down": Direction.UP,
    "left": Direction.RIGHT,
    "right": Direction.LEFT,
}
"""Scrolling moves the view; our swipes are told by where the finger goes."""


def from_aitw(
    action_type: int, touch: tuple[float, float], lift: tuple[float, float], text: str
) -> Action | None:
    """An action of Android in the Wild; its points are (y, x), as shares of the screen."""
    if action_type == _TYPE:
        return _made(actions.type_text, text)
    if action_type != _DUAL_POINT:
        return _AITW.get(action_type)
    (y, x), (y2, x2) = touch, lift
    if math.dist(touch, lift) <= _TAP_DISTANCE:
        return _made(actions.tap, x, y)
    return _made(actions.swipe, x, y, x2, y2)


_EXAMPLE = ("episode_id", "goal", "actions", "screenshots")


def _require_whole(example: Mapping[str, Any]) -> None:
    missing = [name for name in _EXAMPLE if name not in example]
    if missing:
        raise ConfigError(
            f"an example of AndroidControl has {', '.join(_EXAMPLE)}; missing: {', '.join(missing)}"
        )
    screens, done = len(example["screenshots"]), len(example["actions"])
    if screens != done + 1:
        raise ConfigError(
            f"an example has one more screenshot than actions, got {screens} and {done}"
        )


def android_control_episode(example: Mapping[str, Any]) -> Episode | None:
    """An example of AndroidControl as an episode; None when one of its actions has no counterpart.

    `example` has `episode_id`, `goal`, `actions` (mappings, or JSON text as the dataset has it) and
    one more of `screenshots` (RGB, uint8 arrays) than of actions. The episode counts as a success:
    people showed how the goal is reached. ConfigError for an example that lacks something.
    """
    _require_whole(example)
    *seen, last = [
        Observation(Picture(screen), None, keyboard=False, app="")
        for screen in example["screenshots"]
    ]
    height, width = last.screen.shape[:2]
    done = [from_android_control(_mapping(a), (width, height)) for a in example["actions"]]
    steps = tuple(
        Step(observation=observation, choice=Choice(action=action))
        for observation, action in zip(seen, done, strict=True)
        if action is not None
    )
    if len(steps) < len(done):
        return None
    name = f"android_control/{example['episode_id']}"
    task = Task(
        id=name,
        goal=example["goal"],
        suite="android_control",
        split="train",
        template="",
        parameters={},
        seed=0,
        step_limit=len(steps),
    )
    return Episode(
        id=name,
        task=task,
        steps=steps,
        final=last,
        outcome=Outcome.SUCCEEDED,
        verdicts=(),
        device="android_control",
        started=0.0,
        ended=0.0,
    )


def _mapping(action: Mapping[str, Any] | str | bytes) -> Mapping[str, Any]:
    """An action as a mapping; ConfigError for text that is none."""
    if not isinstance(action, str | bytes):
        return action
    try:
        return msgspec.json.decode(action, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise ConfigError(f"an action is JSON such as {{...}}, got {action!r}: {error}") from error


def from_android_control(action: Mapping[str, Any], size: tuple[int, int]) -> Action | None:
    """An action of AndroidControl, or of AndroidWorld; points are pixels of a screen of `size`."""
    kind = str(action.get("action_type", ""))
    if kind in _TOUCHES:
        return _at(_TOUCHES[kind], action, size)
    if kind in _TEXTS:
        build, name = _TEXTS[kind]
        text = str(action.get(name, ""))
        return _made(build, text) if text or kind == "input_text" else None
    if kind == "scroll":
        direction = _SCROLLS.get(str(action.get("direction")))
        return None if direction is None else actions.swipe_towards(direction)
    if kind == "keyboard_enter":
        return actions.press(Key.ENTER)
    if kind == "status":
        reached = action.get("goal_status") in ("complete", "successful")
        return actions.complete() if reached else actions.infeasible()
    return _PLAIN.get(kind)


def _at(build: Any, action: Mapping[str, Any], size: tuple[int, int]) -> Action | None:
    try:
        x, y = float(action["x"]) / size[0], float(action["y"]) / size[1]
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return None
    return _made(build, x, y)


def _made(build: Any, *values: object) -> Action | None:
    try:
        made: Action = build(*values)
    except (ActionError, TypeError, ValueError):
        return None
    return made
