"""A scripted device for tests of whatever uses devices, without any phone behind it."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from distrl import actions
from distrl.errors import ActionError, DeviceLost, unknown_name
from distrl.types import Action, Element, Kind, Observation, Picture, Pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """Screens by name, and where an action leads from each of them."""

    screens: Mapping[str, tuple[Element, ...]]
    moves: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """From (screen, what happened) to the next screen; anything else stays. What happened is the
    text of the element that was touched, the key, the direction of the swipe or the typed text.
    """
    start: str

    def __post_init__(self) -> None:
        """Refuse to lead anywhere that does not exist."""
        named = (self.start, *self.moves.values(), *(screen for screen, _ in self.moves))
        for screen in named:
            if screen not in self.screens:
                raise unknown_name("screen", screen, self.screens)


class FakeDevice:
    """A scripted phone: screens by state, transitions by action, faults on request."""

    def __init__(
        self,
        script: Script,
        name: str = "fake-0",
        *,
        fail_on_step: int | None = None,
        kinds: frozenset[Kind] = frozenset(Kind),
        size: tuple[int, int] = (36, 80),
    ) -> None:
        """Show the start; with `fail_on_step`, be lost at that action (the first is 1).

        A lost device raises DeviceLost until `reset`, as one that needs a restart does. The
        fault happens once.
        """
        self.script = script
        self.kinds = kinds
        self._name, self._size = name, size
        self._fail_on_step = fail_on_step
        self._lost = self._closed = False
        self._state: dict[str, Any] = {}
        self.reset(0)

    @property
    def id(self) -> str:
        """Stable name of this device."""
        return self._name

    def reset(self, seed: int) -> None:
        """Back to the script's first screen; heals a lost device."""
        self._lost = False
        self._check()
        self._state = {"seed": seed, "screen": self.script.start, "steps": 0}

    def observe(self) -> Observation:
        """The screen that the script is at."""
        self._check()
        elements = self.script.screens[self._state["screen"]]
        keyboard = any(e.focused and e.editable for e in elements)
        picture = Picture(lambda: _draw(elements, *self._size))
        return Observation(picture, elements, keyboard, self._state["screen"])

    def perform(self, action: Action) -> None:
        """Follow the script."""
        self._check()
        if action.kind not in self.kinds:
            raise ActionError(f"{self._name} cannot {action.kind} (it can: {sorted(self.kinds)})")
        steps = self._state["steps"] + 1
        if steps == self._fail_on_step:
            self._fail_on_step, self._lost = None, True
            self._check()
        screen = self._state["screen"]
        screen = self.script.moves.get((screen, self._what(action)), screen)
        self._state = {**self._state, "screen": screen, "steps": steps}

    def snapshot(self) -> dict[str, Any]:
        """Seed, screen and number of steps."""
        self._check()
        return self._state

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a snapshot."""
        self._check()
        self._state = state

    def fork(self) -> FakeDevice:
        """A second device in the same state, without the fault."""
        twin = FakeDevice(self.script, f"{self._name}-fork", kinds=self.kinds, size=self._size)
        twin.restore(self.snapshot())
        return twin

    def close(self) -> None:
        """Be gone for good."""
        self._closed = True

    def _check(self) -> None:
        if self._closed:
            raise DeviceLost(f"{self._name} is closed")
        if self._lost:
            raise DeviceLost(f"{self._name} was lost, as it was asked to be")

    def _what(self, action: Action) -> str:
        if action.kind.touches_point:
            touched = actions.element_at(self.observe(), action.x, action.y)
            return touched.text if touched is not None else ""
        if action.kind.moves_finger:
            return actions.direction_of(action)
        return action.text or action.key or action.kind


def _draw(elements: tuple[Element, ...], width: int, height: int) -> Pixels:
    """Each element as a box whose colour follows from its words."""
    frame = np.full((height, width, 3), 255, np.uint8)
    for element in elements:
        left, top, right, bottom = element.bounds
        words = f"{element.role} {element.text} {element.description} {element.checked}"
        # A hash that does not change between processes, as the built-in one does.
        color = list(zlib.crc32(words.encode()).to_bytes(4))[:3]
        frame[int(top * height) : int(bottom * height), int(left * width) : int(right * width)] = (
            color
        )
    frame.setflags(write=False)
    return frame
