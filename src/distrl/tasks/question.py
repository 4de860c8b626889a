"""Templates that ask something: the agent answers in words, and the check compares the answer.

A question is answered by `answer(text)`. Completing without an answer is not enough. What has no
answer, such as the number of somebody who is not in the phone book, is answered by saying so, in
words (`answer("none")`) or by declaring it infeasible: either is right, and an invented answer is
not.
"""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

from distrl.actions import ANSWER_WORDS, Direction
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.tasks.allowed_changes import Permission
from distrl.tasks.answers import NONE, same_answer
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.template import Draw, Params, Scene, Template


class Question(Template):
    """A question about what the phone holds; nothing needs to be changed for the answer."""

    question = True
    place: ClassVar[Template | None] = None
    """A template whose goal is to have the answer on the screen: it sets the phone up and knows
    the way there."""

    def __init_subclass__(cls) -> None:
        """Take the parameters over from the place that the answer stands at."""
        super().__init_subclass__()
        if cls.place is not None and "params" not in vars(cls):
            cls.params = cls.place.params

    def right(self, state: State, p: Params) -> str:
        """The right answer on a phone in this state."""
        raise NotImplementedError

    def look(self, hand: Hand, p: Params) -> None:
        """The answer is on the screen, or below what is shown of the page."""
        assert self.place is not None
        if not self.place.check(Scene(hand.state, hand.state, hand.view), p):
            self.place.oracle(hand, p)

    def sample(self, draw: Draw) -> dict[str, Any]:
        """As the place does, where there is one."""
        return super().sample(draw) if self.place is None else self.place.sample(draw)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """As the place does, where there is one."""
        if self.place is not None:
            self.place.setup(control, p, rng)

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """What looking changes, such as that a mail is read."""
        return self.allows if self.place is None else (*self.allows, *self.place.allowed(p))

    def check(self, scene: Scene, p: Params) -> bool:
        """The answer says what was so at the start."""
        said = scene.answer
        return said is not None and same_answer(said, self.right(scene.before, p))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Look, and answer in the words that stand there."""
        self.look(hand, p)
        right = self.right(hand.state, p)
        for element in hand.view.elements:
            for words in element.words:
                if right not in ANSWER_WORDS and same_answer(words, right):
                    hand.answer(words)
        page = hand.state["ui"]["stacks"][hand.app][-1]
        if right not in (*ANSWER_WORDS, *p.values()) and page["scroll"] < hand.view.max_scroll:
            hand.swipe(Direction.UP)
        hand.answer(right)


class Unanswerable(Question):
    """A question that has no answer on this phone, which shows when one has looked."""

    infeasible = True
    # A policy that gives up at random is right in a third of these, so they are few.
    weight = 0.2

    def right(self, state: State, p: Params) -> str:
        """That there is none."""
        del state, p
        return NONE


def yes_or_no(holds: bool) -> str:
    """The answer to whether something is so."""
    return "yes" if holds else "no"
