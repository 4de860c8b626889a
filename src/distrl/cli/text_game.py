"""A task played by hand: the goal and the elements in the terminal, one command per line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence

from distrl import actions
from distrl.actions import Direction
from distrl.clock import RealClock
from distrl.collect.episode import run_episode
from distrl.envs.device_kinds import NoOracle, env_on
from distrl.errors import ActionError, ConfigError, unknown_name
from distrl.interfaces import Device
from distrl.types import Action, Choice, Element, Episode, Key, Observation, Situation, Task

HELP = """\
tap N, long N        touch, or hold, the element with this number
double N             touch it twice
type TEXT            type into the focused field
swipe DIRECTION [N]  up, down, left or right, from element N
drag N M             drag element N onto element M
open NAME            open an app by its name
back, home, enter    press a key; recents is one, too
wait                 let some seconds pass
done                 declare the goal reached
answer TEXT          the same for a goal that asks something
infeasible           declare that it cannot be reached
hint                 what the oracle would do, where there is one
show, help, quit     the screen again, this list, stop"""

_WORDS: dict[str, Callable[[], Action]] = {
    "back": lambda: actions.press(Key.BACK),
    "home": lambda: actions.press(Key.HOME),
    "enter": lambda: actions.press(Key.ENTER),
    "recents": lambda: actions.press(Key.RECENTS),
    "wait": actions.wait,
    "done": actions.complete,
    "infeasible": actions.infeasible,
}
"""Commands that stand alone and are an action."""
_DIRECTIONS = tuple(direction.value for direction in Direction)
_TOUCHES: dict[str, Callable[[float, float], Action]] = {
    "tap": actions.tap,
    "long": actions.long_press,
    "double": actions.double_tap,
}
_TEXTS: dict[str, Callable[[str], Action]] = {
    "type": actions.type_text,
    "open": actions.open_app,
    "answer": actions.answer,
}
COMMANDS = (*_TOUCHES, *_TEXTS, "swipe", "drag", *_WORDS, "hint", "show", "help", "quit")


class _Left(Exception):  # noqa: N818 - control flow, not an error
    """The person, or the input, ended before the episode did."""


class Game:
    """One task in the hands of a person, or of whatever writes to our input.

    To the episode's loop it is a policy, whose decisions are typed.
    """

    def __init__(
        self,
        device: Device,
        task: Task,
        *,
        save: Callable[[Observation], None],
        episode_id: str = "played",
    ) -> None:
        """Play `task` on `device`; `save` is shown whatever the person is shown."""
        self._task = task
        self._save = save
        self._id = episode_id
        self._env, oracle = env_on(device)
        self._oracle = oracle or NoOracle(task.suite)
        self._lines: Iterator[str] = iter(())
        self.episode: Episode | None = None
        """What was played, once it has come to an end."""

    def play(self, lines: Iterable[str]) -> int:
        """Carry out commands until the episode ends or the input does; the exit code."""
        self._lines = _prompted(lines)
        try:
            self.episode = run_episode(
                self._env, self, self._task, clock=RealClock(), episode_id=self._id
            )
        except _Left:
            print("stopped before the end")
            return 0
        if self.episode.final is not None:
            self._save(self.episode.final)
        return _tell_end(self.episode)

    def begin(self, seed: int) -> None:
        """A person has no seed."""

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        """What the person does; no probability is known of it."""
        return [Choice(action=self._ask(situation)) for situation in situations]

    def _ask(self, situation: Situation) -> Action:
        """Show the screen and obey, until a command is an action."""
        if not situation.history:  # only now, for a page words its goal when it is set up
            print(f"{self._task.id}: {situation.goal}\nType `help` for the commands.\n")
        self._show(situation)
        for line in self._lines:
            if line == "quit":
                break
            action = self._obey(line, situation)
            if action is not None:
                return action
        raise _Left

    def _obey(self, line: str, situation: Situation) -> Action | None:
        """Carry out one command; None if it was not an action."""
        word = line.partition(" ")[0]
        if word == "help":
            print(HELP)
        elif word == "show":
            self._show(situation)
        elif word:
            try:
                if word == "hint":
                    print(f"the oracle would {actions.to_text(self._oracle.action())}")
                    return None
                return read_action(line, situation.observation.elements or ())
            except (ActionError, ConfigError) as error:
                print(error)
        return None

    def _show(self, situation: Situation) -> None:
        observation = situation.observation
        self._save(observation)
        keyboard = ", keyboard shown" if observation.keyboard else ""
        print(f"-- {observation.app}{keyboard}; {situation.steps_left} steps left")
        for number, element in enumerate(observation.elements or (), 1):
            print(f"{number:>3}  {describe(element)}")


def _tell_end(episode: Episode) -> int:
    print(f"{episode.outcome} after {len(episode.steps)} steps")
    if episode.fault:
        print(episode.fault, file=sys.stderr)
    for verdict in episode.verdicts:
        for path in verdict.side_effects:
            print(f"side effect: {path}")
    return 0 if episode.succeeded else 1


def _prompted(lines: Iterable[str]) -> Iterator[str]:
    """The lines without outer blanks, each asked for; a new line where the input ends."""
    print("> ", end="", flush=True)
    for line in lines:
        yield line.strip()
        print("> ", end="", flush=True)
    print()


def describe(element: Element) -> str:
    """An element in one line: role, words and state."""
    states = {
        "off": element.checked is False,
        "on": bool(element.checked),
        "focused": element.focused,
        "disabled": not element.enabled,
    }
    words = [element.text, element.description and f"({element.description})"]
    marks = [name for name, holds in states.items() if holds]
    shown = " ".join(word for word in words if word) or "(no words)"
    return f"{element.role:<8} {shown}" + (f"  [{', '.join(marks)}]" if marks else "")


def read_action(line: str, elements: tuple[Element, ...]) -> Action:
    """The action that a command means; ConfigError, with what would be right, for any other."""
    word, _, rest = line.partition(" ")
    rest = rest.strip()
    if word in _WORDS:
        if rest:
            raise ConfigError(f"{word!r} stands alone, got {rest!r} after it")
        return _WORDS[word]()
    if word in _TOUCHES:
        return _TOUCHES[word](*_element(rest, elements).center)
    if word in _TEXTS:
        return _TEXTS[word](rest)
    if word == "drag":
        start, _, end = rest.partition(" ")
        return actions.drag(
            *_element(start, elements).center, *_element(end.strip(), elements).center
        )
    if word == "swipe":
        direction, _, start = rest.partition(" ")
        if direction not in _DIRECTIONS:
            raise unknown_name("direction", direction, _DIRECTIONS)
        origin = _element(start, elements).center if start else None
        return actions.swipe_towards(Direction(direction), origin)
    raise unknown_name("command", word, COMMANDS)


def _element(number: str, elements: tuple[Element, ...]) -> Element:
    if not (number.isdecimal() and 1 <= int(number) <= len(elements)):
        raise ConfigError(f"there are elements 1 to {len(elements)}, got {number!r}")
    return elements[int(number) - 1]
