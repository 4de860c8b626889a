"""Conditionals: look something up, and do one thing or the other."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.content.tables.reader import phrases
from distrl.devices.phone.control import Control
from distrl.tasks.allowed_changes import Permission
from distrl.tasks.operations.operation import Operation, Part
from distrl.tasks.operations.reading import ReadingPart
from distrl.tasks.operations.wide_suite import SpokenTemplate
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.template import Draw, Params, Scene
from distrl.tasks.wording.grammar import typed

_STEP_LIMIT = 30
_SAID = phrases(
    """
    if <if>, <then>, otherwise <else>; if <if>, then <then>, else <else>
    check whether <if>. if so, <then>, if not, <else>; <then> if <if>, otherwise <else>
    see if <if>: if yes, <then>, if no, <else>; in case <if>, <then>, or else <else>
    """
)


class Conditional(SpokenTemplate):
    """One of two operations; which one stands on a page of the phone.

    There is always something to do: whoever declares the end at once has not done it.
    """

    step_limit = _STEP_LIMIT
    weight = 0.25

    def __init__(self, condition: ReadingPart, then: Operation, otherwise: Operation) -> None:
        """What is asked about, and what is done if it is the case or not."""
        self._if = condition
        self._then, self._else = Part(then, "then"), Part(otherwise, "else")
        asked = condition.reading.name
        self.name = f"if_{asked}_{then.name}_else_{otherwise.name}"
        self.operations = (condition.operation.name, then.name, otherwise.name)
        self.compositions = (branch_name(asked, then.name), branch_name(asked, otherwise.name))
        self.params = {**condition.params, **self._then.params, **self._else.params}
        self.visual = then.template.visual or otherwise.template.visual

    def _right(self, p: Params) -> tuple[Part, Part]:
        """What is to be done, and what is not."""
        holds = self._if.reading.holds(self._if.own(p))
        return (self._then, self._else) if holds else (self._else, self._then)

    def say(self, rng: Random) -> str:
        """The condition and both requests."""
        said = rng.choice(_SAID).replace("<if>", self._if.say(rng))
        said = said.replace("<then>", self._then.request(rng))
        return typed(said.replace("<else>", self._else.request(rng)), rng)

    def sample(self, draw: Draw) -> dict[str, object]:
        """Values of all parts."""
        return {
            name: value
            for part in (self._if, self._then, self._else)
            for name, value in part.sample(draw).items()
        }

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """All preconditions."""
        for part in (self._then, self._else, self._if):
            part.setup(control, p, rng)

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """What looking changes, and what is to be done."""
        return (*self._if.allowed(p), *self._right(p)[0].allowed(p))

    def check(self, scene: Scene, p: Params) -> bool:
        """The right thing is done, and the other is not."""
        right, wrong = self._right(p)
        return right.check(scene, p) and not wrong.check(scene, p)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Look, then do what is right."""
        self._if.oracle(hand, p)
        self._right(p)[0].oracle(hand, p)


def branch_name(condition: str, operation: str) -> str:
    """What a condition and an operation that depends on it are called together."""
    return f"if {condition}: {operation}"
