"""Any suite as a Gymnasium environment, `distrl/Phone-v0`: on the kind of device that it is for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, overload

import gymnasium
import numpy as np
from gymnasium import spaces
from PIL import Image

from distrl import actions
from distrl.checks import require_text, require_whole
from distrl.config.devices import LARGEST_SIDE, PhoneConfig
from distrl.config.load import checked
from distrl.devices.phone.ui.view import HEIGHT, WIDTH
from distrl.envs.device_kinds import NoOracle, device_factory, env_on
from distrl.errors import ActionError, ConfigError, unknown_name
from distrl.interfaces import Env, Oracle, SaysGoal, Transition
from distrl.policies.pointer.decisions import MAX_CANDIDATES
from distrl.tasks.suites import find_task, load_suite
from distrl.types import Action, Element, Key, Kind, Observation, Picture, Pixels, Task

KINDS = tuple(Kind)
KEYS = tuple(Key)
"""What the numbers of an action mean; new ones come last."""
_ALONG_PATH = {Kind.SWIPE: actions.swipe, Kind.DRAG: actions.drag}
_WITH_TEXT = {
    Kind.TYPE: actions.type_text,
    Kind.ANSWER: actions.answer,
    Kind.OPEN_APP: actions.open_app,
}
ROLES = (
    *("", "button", "text", "field", "switch", "checkbox", "radio", "slider", "tab", "item"),
    *("image", "keyboard", "banner", "status", "other"),
)
"""What the numbers of roles mean; 0 is no element at all."""
FLAGS = ("enabled", "checkable", "checked", "focused", "editable")
"""Columns of the elements' flags."""
MOST_ELEMENTS = MAX_CANDIDATES
"""Rows of the arrays of elements, as many as policies choose among; `info["elements"]` has all of
them, however many."""
MOST_CHARACTERS = 256

_RANGES = ((0x20, 0x7F), (0xA0, 0x180), (0x2010, 0x2028), (0x20A0, 0x20C0))
CHARACTERS = frozenset(chr(code) for start, end in _RANGES for code in range(start, end))
"""Letters of Latin scripts, punctuation and currencies; texts show others as question marks."""

Encoded: TypeAlias = dict[str, Any]

OBSERVATIONS = ("dict", "pixels", "features")
"""What `make` can show."""
ACTIONS = ("dict", "candidates")
"""What the environment of `make` can take."""


class PhoneOptions(TypedDict, total=False):
    """How the device of an environment is made."""

    size: tuple[int, int] | None
    """Width and height of the screen."""
    nuisance_rate: float | None
    """Share of the episodes, from 0 to 1, that have a nuisance such as a pop-up; embedded phones
    only."""
    layout: int | None
    """Layout version of all apps, 1 or 2; embedded phones only."""


class SuiteEnv(gymnasium.Env[Encoded, Encoded]):
    """One device that is given a task of a suite at every reset.

    The device is of the kind that the suite names: an embedded phone, a page in Chromium, or what
    a plug-in makes.

    An observation is a dictionary of the screen, the goal, the steps left, the app, whether the
    keyboard is shown, and the elements as padded arrays. An action is a dictionary of a kind (an
    index into KINDS) and what this kind needs: `start` and `end` as fractions of the screen,
    `text`, `key` (an index into KEYS); the rest is ignored. `step` takes a `distrl.types.Action`
    too. `info` has the task, the elements as values, the action that led here, why the device
    refused it if it did, and at the end the outcome, the side effects and the fault, if any.

    `reset(seed=...)` draws a task; `reset(options={"task": "general/val/3"})` names one.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        suite: str = "general",
        split: str = "train",
        *,
        size: tuple[int, int] | None = None,
        nuisance_rate: float | None = None,
        layout: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Play tasks of a split of a suite, on screens of `size` (width, height).

        Embedded phones draw themselves in that size. Screens of other devices are scaled to it,
        by default to that of the first task. `nuisance_rate` and `layout` are those of
        `PhoneConfig`; ConfigError if they are given for a suite of other devices.
        """
        if render_mode not in (None, "rgb_array"):
            raise unknown_name("render mode", str(render_mode), self.metadata["render_modes"])
        require_text("suite", suite, such_as="general")
        require_text("split", split, such_as="train")
        require_size(size)
        self._suite_name, self._suite = suite, load_suite(suite)
        self._tasks = self._suite.tasks(split)
        if not self._tasks:
            raise ConfigError(f"the split {split!r} of {suite!r} has no tasks")
        on_phone = self._suite.device == "phone"
        given = {"nuisance_rate": nuisance_rate, "layout": layout}
        values: dict[str, Any] = {n: value for n, value in given.items() if value is not None}
        if values and not on_phone:
            raise ConfigError(
                f"{' and '.join(values)} can be set for embedded phones only, and {suite!r} is "
                f"played on devices of the kind {self._suite.device!r}"
            )
        if on_phone:
            width, height = size or (WIDTH, HEIGHT)
            values |= {"width": width, "height": height}
        self._oracle: Oracle = NoOracle(suite)
        self._env = self.switch_on(checked(PhoneConfig, values))
        if not on_phone:
            width, height = size or self._screen_size()
        self._task: Task | None = None
        self._steps_left = 0
        self._seen: Observation | None = None
        self._size = (width, height)
        self.render_mode = render_mode
        limit = max(self._suite.shape.step_limit, *(task.step_limit for task in self._tasks))
        self.observation_space = observation_space(width, height, limit)
        self.action_space = action_space()

    def switch_on(self, phone: PhoneConfig) -> Env:
        """Make the device that is played on; a subclass may put something around it.

        `phone` is how an embedded phone is made; devices of other kinds do not read it.
        """
        device = device_factory(self._suite_name, phone=phone).make_device("gymnasium")
        env, oracle = env_on(device)
        self._oracle = oracle or self._oracle
        return env

    @property
    def oracle(self) -> Oracle:
        """Knows the next right action, for policies that may cheat; it refuses if nobody knows."""
        return self._oracle

    def _screen_size(self) -> tuple[int, int]:
        """Width and height of what the first task shows; that no other place tells beforehand."""
        height, width, _ = self._env.reset(self._tasks[0]).screen.shape
        return width, height

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Encoded, dict[str, Any]]:
        """Start a task: the one that `options["task"]` names, or one drawn from the split."""
        super().reset(seed=seed)
        if not isinstance(options, dict | None):
            raise ConfigError(
                f"options must be such as {{'task': 'general/val/0'}}, got {options!r}"
            )
        for name in options or {}:
            if name != "task":
                raise unknown_name("reset option", name, ("task",))
        self._task = self._named((options or {}).get("task")) or self._drawn()
        self._steps_left = self._task.step_limit
        self._seen = self._env.reset(self._task)
        if isinstance(self._env, SaysGoal):
            self._task = replace(self._task, goal=self._env.goal)
        return self._encode(), self._info()

    def step(
        self, action: Mapping[str, Any] | Action
    ) -> tuple[Encoded, float, bool, bool, dict[str, Any]]:
        """Carry out one action."""
        if self._task is None:
            raise gymnasium.error.ResetNeeded("call reset before the first step")
        chosen = action if isinstance(action, Action) else decode_action(action)
        transition = self._env.step(chosen)
        self._steps_left -= 1
        self._seen = transition.observation
        return (
            self._encode(),
            transition.reward,
            transition.terminated,
            transition.truncated,
            self._info(transition, chosen),
        )

    def render(self) -> Pixels | None:
        """The screen as it is now, if `render_mode` asks for it."""
        if self.render_mode is None or self._seen is None:
            return None
        return self._screen()

    def close(self) -> None:
        """Close the device; a second call does nothing."""
        self._env.close()

    def _named(self, task_id: str | None) -> Task | None:
        if task_id is None:
            return None
        require_text("the task of options", task_id, such_as="general/val/0")
        own = (task for split in self._suite.splits for task in self._suite.tasks(split))
        known = next((task for task in own if task.id == task_id), None)
        if known is not None:
            return known
        task = find_task(task_id)
        if task.suite not in (self._suite.name, self._suite_name):
            raise ConfigError(
                f"this environment plays {self._suite.name!r}, and {task_id!r} is a task of "
                f"{task.suite!r}: make an environment with suite={task.suite!r}"
            )
        return task

    def _drawn(self) -> Task:
        return self._tasks[int(self.np_random.integers(len(self._tasks)))]

    def _encode(self) -> Encoded:
        assert self._task is not None and self._seen is not None
        return {
            "screen": self._screen(),
            "goal": clean(self._task.goal),
            "steps_left": np.int64(self._steps_left),
            "app": clean(self._seen.app),
            "keyboard": np.int64(self._seen.keyboard),
            **encode_elements(self._seen.elements or ()),
        }

    def _screen(self) -> Pixels:
        """A copy of what is seen, in the size of the space; positions are fractions of either."""
        assert self._seen is not None
        screen, (width, height) = self._seen.screen, self._size
        if screen.shape[:2] == (height, width):
            return screen.copy()
        return np.array(Image.fromarray(screen).resize((width, height)))

    def _info(
        self, transition: Transition | None = None, action: Action | None = None
    ) -> dict[str, Any]:
        assert self._seen is not None
        outcome = transition.outcome if transition is not None else None
        effects = [e for verdict in self._env.verdicts() for e in verdict.side_effects]
        return {
            "task": self._task,
            "elements": self._seen.elements or (),
            "action": action,
            "refused": transition.refused if transition is not None else "",
            "outcome": outcome.value if outcome is not None else "",
            "side_effects": tuple(effects),
            "fault": transition.fault if transition is not None else "",
        }


@overload
def make(
    suite: str = ...,
    split: str = ...,
    *,
    observation: Literal["dict"] = ...,
    action: Literal["dict"] = ...,
    render_mode: str | None = ...,
    **phone: Unpack[PhoneOptions],
) -> SuiteEnv: ...


@overload
def make(
    suite: str = ...,
    split: str = ...,
    *,
    observation: str = ...,
    action: str = ...,
    render_mode: str | None = ...,
    **phone: Unpack[PhoneOptions],
) -> gymnasium.Env[Any, Any]: ...


def make(
    suite: str = "general",
    split: str = "train",
    *,
    observation: str = "dict",
    action: str = "dict",
    render_mode: str | None = None,
    **phone: Unpack[PhoneOptions],
) -> gymnasium.Env[Any, Any]:
    """A device that plays tasks of a suite, as a Gymnasium environment.

        env = distrl.make("general", "train")                     # a SuiteEnv: dictionaries
        env = distrl.make("general", observation="pixels", action="candidates")

    `observation` is `dict` (everything, see `SuiteEnv`), `pixels` (an image with the goal written
    on it) or `features` (a vector); `action` is `dict` or `candidates` (a number, with
    `action_masks()`). `distrl.envs.gymnasium_wrappers` has these wrappers and their arguments.
    ConfigError with the nearest name for anything else.
    """
    if observation not in OBSERVATIONS:
        raise unknown_name("observation", observation, OBSERVATIONS)
    if action not in ACTIONS:
        raise unknown_name("action", action, ACTIONS)
    for option in phone:
        if option not in PhoneOptions.__annotations__:
            named = ("observation", "action", "render_mode", *PhoneOptions.__annotations__)
            raise unknown_name("option of make", option, named)
    env: gymnasium.Env[Any, Any] = SuiteEnv(suite, split, render_mode=render_mode, **phone)
    if (observation, action) == ("dict", "dict"):
        return env
    # Imported here: the wrappers know this module.
    from distrl.envs import gymnasium_wrappers as wrappers

    if action == "candidates":
        env = wrappers.CandidateActions(env)
    if observation == "pixels":
        env = wrappers.PixelObservation(env)
    elif observation == "features":
        env = wrappers.FeatureObservation(env)
    return env


def require_size(size: object) -> None:
    """ConfigError unless it is a width and a height that a picture can have; None will do."""
    if size is None:
        return
    if not isinstance(size, tuple | list) or len(size) != len(("width", "height")):
        raise ConfigError(f"size must be (width, height), such as (180, 400), got {size!r}")
    for what, value in zip(("width", "height"), size, strict=True):
        require_whole(f"the {what} in size", value, low=1, high=LARGEST_SIDE)


def observation_space(width: int, height: int, step_limit: int) -> spaces.Dict:
    """What `SuiteEnv` shows."""
    words = spaces.Text(MOST_CHARACTERS, min_length=0, charset=CHARACTERS)
    return spaces.Dict(
        {
            "screen": spaces.Box(0, 255, (height, width, 3), np.uint8),
            "goal": words,
            "steps_left": spaces.Discrete(step_limit + 1),
            "app": words,
            "keyboard": spaces.Discrete(2),
            "roles": spaces.MultiDiscrete([len(ROLES)] * MOST_ELEMENTS),
            # In double precision: rounded, an edge may fall on the pixel beside it.
            "bounds": spaces.Box(0.0, 1.0, (MOST_ELEMENTS, 4), np.float64),
            "flags": spaces.MultiBinary((MOST_ELEMENTS, len(FLAGS))),
            "texts": spaces.Tuple([words] * MOST_ELEMENTS),
            "descriptions": spaces.Tuple([words] * MOST_ELEMENTS),
        }
    )


def action_space() -> spaces.Dict:
    """What `SuiteEnv` takes."""
    return spaces.Dict(
        {
            "kind": spaces.Discrete(len(KINDS)),
            "start": spaces.Box(0.0, 1.0, (2,), np.float32),
            "end": spaces.Box(0.0, 1.0, (2,), np.float32),
            "text": spaces.Text(MOST_CHARACTERS, min_length=0, charset=CHARACTERS),
            "key": spaces.Discrete(len(KEYS)),
        }
    )


def encode_action(action: Action) -> Encoded:
    """An action as a point of the action space."""
    return {
        "kind": np.int64(KINDS.index(action.kind)),
        "start": np.array([action.x, action.y], np.float32),
        "end": np.array([action.x2, action.y2], np.float32),
        "text": action.text,
        "key": np.int64(KEYS.index(action.key) if action.key is not None else 0),
    }


def decode_action(encoded: Mapping[str, Any]) -> Action:
    """An action from a point of the action space; ActionError when it is not one."""
    try:
        kind = KINDS[int(encoded["kind"])]
        if kind in actions.TOUCHES:
            return actions.TOUCHES[kind](*(float(value) for value in encoded["start"]))
        if kind in _ALONG_PATH:
            path = (*encoded["start"], *encoded["end"])
            return _ALONG_PATH[kind](*(float(value) for value in path))
        if kind in _WITH_TEXT:
            return _WITH_TEXT[kind](str(encoded["text"]))
        if kind is Kind.PRESS:
            return actions.press(KEYS[int(encoded["key"])])
    except (KeyError, IndexError, TypeError) as error:
        raise ActionError(f"not an action of this environment: {encoded!r}") from error
    return Action(kind)


def encode_elements(elements: Iterable[Element]) -> Encoded:
    """The elements as arrays of a fixed size; those beyond it are left out."""
    kept = list(elements)[:MOST_ELEMENTS]
    count = len(kept)
    roles = np.zeros(MOST_ELEMENTS, np.int64)
    bounds = np.zeros((MOST_ELEMENTS, 4), np.float64)
    flags = np.zeros((MOST_ELEMENTS, len(FLAGS)), np.int8)
    if kept:
        known = [e.role if e.role in ROLES else "other" for e in kept]
        roles[:count] = [ROLES.index(role) for role in known]
        bounds[:count] = [e.bounds for e in kept]
        flags[:count] = [
            (e.enabled, e.checked is not None, bool(e.checked), e.focused, e.editable) for e in kept
        ]
    padding = ("",) * (MOST_ELEMENTS - count)
    return {
        "roles": roles,
        "bounds": bounds,
        "flags": flags,
        "texts": (*(clean(e.text) for e in kept), *padding),
        "descriptions": (*(clean(e.description) for e in kept), *padding),
    }


def decode_observation(encoded: Mapping[str, Any]) -> Observation:
    """What the device showed, from a point of the observation space.

    A screen without any element is taken for one of a device without an accessibility tree.
    ConfigError when it is no observation of this environment.
    """
    try:
        count = int(np.count_nonzero(encoded["roles"]))
        elements = tuple(_decode_element(encoded, row) for row in range(count))
        return Observation(
            picture=Picture(np.asarray(encoded["screen"], np.uint8)),
            elements=elements or None,
            keyboard=bool(encoded["keyboard"]),
            app=str(encoded["app"]),
        )
    except (KeyError, IndexError, TypeError) as error:
        raise not_an_observation(encoded) from error


def _decode_element(encoded: Mapping[str, Any], row: int) -> Element:
    left, top, right, bottom = (float(edge) for edge in encoded["bounds"][row])
    enabled, checkable, checked, focused, editable = (bool(f) for f in encoded["flags"][row])
    return Element(
        role=ROLES[int(encoded["roles"][row])],
        text=str(encoded["texts"][row]),
        description=str(encoded["descriptions"][row]),
        bounds=(left, top, right, bottom),
        enabled=enabled,
        checked=checked if checkable else None,
        focused=focused,
        editable=editable,
    )


def not_an_observation(received: object) -> ConfigError:
    """The error for what is no observation of a SuiteEnv."""
    keys = sorted(received) if isinstance(received, Mapping) else type(received).__name__
    return ConfigError(
        "an observation of distrl.make(...) with observation='dict' is needed, the dictionary that "
        f"reset and step return; got {keys}"
    )


def clean(text: str) -> str:
    """A text within the space: known characters only, and not too many."""
    if text.isascii() and text.isprintable():
        return text[:MOST_CHARACTERS]
    return "".join(c if c in CHARACTERS else "?" for c in text[:MOST_CHARACTERS])
