"""A task template: one kind of goal with parameters, its set-up, success check and oracle.

A task is a template with drawn parameters and a seed. `setup` prepares the phone, `check` decides
success on the phone's state, `allowed` names what may change, and `oracle` is a scripted expert.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, TypeAlias

from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.view import View
from distrl.tasks.allowed_changes import Permission
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import Pool

Params: TypeAlias = Mapping[str, Any]


class Scene:
    """What a success check reads: the state at the start and now, the screen, the answer."""

    def __init__(
        self, before: State, state: State, view: View, *, answer: str | None = None
    ) -> None:
        """`before` is the state after set-up, `state` and `view` are the phone now.

        `answer` is what the agent has answered; None when it has not.
        """
        self.before, self.state, self.view = before, state, view
        self.answer = answer

    def data(self, app: str) -> State:
        """An app's data now."""
        data: State = self.state["apps"][app]
        return data

    def data_before(self, app: str) -> State:
        """An app's data at the start."""
        data: State = self.before["apps"][app]
        return data

    @property
    def system(self) -> State:
        """The settings now."""
        system: State = self.state["system"]
        return system

    def at(self, app: str, *pages: str, **arguments: object) -> bool:
        """Whether a page of an app is in front, with at least these arguments."""
        ui = self.state["ui"]
        if ui["app"] != app or ui["shade"]:
            return False
        page = ui["stacks"][app][-1]
        return (not pages or page["name"] in pages) and all(
            page["args"].get(key) == value for key, value in arguments.items()
        )

    def var(self, key: str, default: object = None) -> Any:
        """A value of the page in front."""
        ui = self.state["ui"]
        return ui["stacks"][ui["app"]][-1]["vars"].get(key, default)

    def shows(self, *texts: str) -> bool:
        """Whether words stand on the screen now, one after the other."""
        wanted = " ".join(map(self.view.look.say, texts)).lower()
        return any(wanted in f"{e.text} {e.description}".lower() for e in self.view.elements)


class Draw:
    """Draws parameter values from the share of one split."""

    def __init__(self, split: str, rng: Random) -> None:
        """`rng` decides which of the split's values are drawn."""
        self.split, self.rng = split, rng

    def of(self, pool: Pool) -> Any:
        """One value."""
        return self.rng.choice(pool.share(self.split))

    def some(self, pool: Pool, count: int) -> list[Any]:
        """Several different values."""
        return self.rng.sample(pool.share(self.split), count)


class Template:
    """Base class of all templates; subclass it once per kind of goal.

    Objects hold no state: one object serves all tasks of its kind, on any number of phones.
    """

    name: str
    """Unique within its suite."""
    phrasings: tuple[str, ...]
    """Three or more ways to ask, with parameters in braces; five or more if none is open."""
    params: Mapping[str, Pool] = {}
    allows: tuple[Permission, ...] = ()
    """What reaching the goal changes on the phone; every other lasting change is a side effect."""
    visual: bool = False
    """Whether the right action can only be seen, not read from the elements."""
    infeasible: bool = False
    """Whether the right answer is to say that it cannot be done."""
    question: bool = False
    """Whether it asks something: the check compares the answer, and completing is not enough."""
    unseen: bool = False
    """Whether the whole template is kept out of training."""
    weight: float = 1.0
    """Share of tasks relative to the other templates of the suite."""
    step_limit: int | None = None
    """Steps that an episode may take; by default those of the suite."""
    operations: tuple[str, ...] = ()
    """Names of the operations that it was derived from, in order; none for one written by hand."""
    compositions: tuple[str, ...] = ()
    """What was put together to derive it, a name for each pair."""
    new_apps: tuple[str, ...] = ()
    """Apps that it puts on the phone, for phones do not have them otherwise."""

    def sample(self, draw: Draw) -> dict[str, Any]:
        """Values for all parameters; override it where they depend on each other."""
        return {name: draw.of(pool) for name, pool in self.params.items()}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """Change a fresh phone so that the goal can be reached and is not reached yet."""

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """What a task with these parameters may change; override it to name its records."""
        del p
        return self.allows

    def check(self, scene: Scene, p: Params) -> bool:
        """Whether the goal is reached."""
        raise NotImplementedError

    def oracle(self, hand: Hand, p: Params) -> None:
        """Take the next step through `hand`, which never returns once it has acted."""
        raise NotImplementedError

    @property
    def closed_only(self) -> bool:
        """Whether no parameter is open."""
        return not any(pool.open for pool in self.params.values())

    def phrasings_for(self, split: str) -> tuple[str, ...]:
        """Templates without an open parameter keep one phrasing for val and one for test."""
        if not self.closed_only or self.unseen:
            return self.phrasings
        # Their parameters are the same in all splits; the wording is what keeps the splits apart.
        kept = {"val": self.phrasings[-2:-1], "test": self.phrasings[-1:]}
        return kept.get(split, self.phrasings[:-2])
