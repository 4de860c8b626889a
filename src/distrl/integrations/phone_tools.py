"""The hands of an agent as tools with typed arguments: for frameworks whose models call functions.

Frameworks make a tool of every public method and show its docstring to the model, so that all of
them are tools, and `Args` says what a model has to know.
"""

from __future__ import annotations

from typing import Any, Literal

from distrl import actions
from distrl.actions import Direction
from distrl.errors import ActionError
from distrl.integrations.messages import center_of, element_lines
from distrl.integrations.play_session import PlaySession, Turn
from distrl.types import Action

TOOLS = (
    *("tap", "long_press", "double_tap", "swipe", "drag", "type", "press", "open_app", "wait"),
    *("complete", "answer", "infeasible"),
)


def told(turn: Turn) -> str:
    """A turn in words: the goal, how the episode stands, and the numbered elements."""
    lines = [f"Goal: {' '.join(turn.task.goal.split())}"]
    if turn.refused:
        lines.append(f"No effect: {turn.refused}")
    if turn.done:
        lines.append(f"The episode has ended: {turn.outcome}. {turn.fault}".strip())
    else:
        keyboard = ", keyboard shown" if turn.seen.keyboard else ""
        lines.append(f"App: {turn.seen.app}{keyboard}. Steps left: {turn.steps_left}")
        lines.append(element_lines(turn.seen))
    return "\n".join(lines)


class PhoneTools:
    """Acts in one session. A subclass says how a turn is told to its framework."""

    def __init__(self, session: PlaySession) -> None:
        """Act in `session`."""
        self._session = session

    def _told(self, turn: Turn) -> Any:
        return told(turn)

    def tap(self, element: int) -> Any:
        """Touch an element of the screen.

        Args:
            element: The number of the element in the list, from 1.
        """
        return self._do(actions.tap(*self._center(element)))

    def long_press(self, element: int) -> Any:
        """Touch an element of the screen and hold.

        Args:
            element: The number of the element in the list, from 1.
        """
        return self._do(actions.long_press(*self._center(element)))

    def double_tap(self, element: int) -> Any:
        """Touch an element of the screen twice in a row.

        Args:
            element: The number of the element in the list, from 1.
        """
        return self._do(actions.double_tap(*self._center(element)))

    def drag(self, element: int, onto: int) -> Any:
        """Take hold of an element, move it, and let go of it on another one.

        Args:
            element: The number of the element to move, from 1.
            onto: The number of the element to let go on, from 1.
        """
        return self._do(actions.drag(*self._center(element), *self._center(onto)))

    def swipe(
        self, direction: Literal["up", "down", "left", "right"], element: int | None = None
    ) -> Any:
        """Move a finger over the screen.

        Args:
            direction: Where the finger goes; the content follows it.
            element: The number of the element to begin at; the middle of the screen without it.
        """
        if direction not in tuple(Direction):
            raise ActionError(f"{direction!r} is no direction ({', '.join(Direction)})")
        start = None if element is None else self._center(element)
        return self._do(actions.swipe_towards(Direction(direction), start))

    def type(self, text: str) -> Any:
        """Type into the focused field.

        Args:
            text: What to type.
        """
        return self._do(actions.type_text(text))

    def press(self, key: Literal["back", "home", "enter", "recents"]) -> Any:
        """Press a key of the phone.

        Args:
            key: Which key.
        """
        return self._do(actions.press(key))

    def open_app(self, name: str) -> Any:
        """Open an app of the phone.

        Args:
            name: The name below its icon.
        """
        return self._do(actions.open_app(name))

    def wait(self) -> Any:
        """Do nothing for a moment."""
        return self._do(actions.wait())

    def complete(self) -> Any:
        """Say that the goal is reached. This ends the episode."""
        return self._do(actions.complete())

    def answer(self, text: str) -> Any:
        """Answer what the goal asks. This ends the episode.

        Args:
            text: The answer alone, such as a name, a number or a time.
        """
        return self._do(actions.answer(text))

    def infeasible(self) -> Any:
        """Say that the goal cannot be reached on this phone. This ends the episode."""
        return self._do(actions.infeasible())

    def _do(self, action: Action) -> Any:
        return self._told(self._session.step(action))

    def _center(self, element: int) -> tuple[float, float]:
        return center_of(element, self._session.turn.seen)
