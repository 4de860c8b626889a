"""The oracle with random mistakes, for demonstrations that show errors and their repair."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from distrl import actions
from distrl.actions import Direction
from distrl.errors import ConfigError
from distrl.interfaces import Oracle
from distrl.types import Action, Choice, Key, Kind, Situation

_SLIPS = {"element": 10, "swipe": 4, "key": 3, "text": 2, "stop": 1}
"""Relative frequency of each mistake; `stop` is rare, since it ends the episode as a failure."""


class NoisyPolicy:
    """Follows the oracle, but makes a mistake with a given probability per step.

    Mistakes are those of people: a tap on another element, a swipe, back or home, a wrong text or
    none, `complete` too early. The oracle recovers from all but the last. It acts in the one
    environment that the oracle observes.
    """

    def __init__(self, oracle: Oracle, rate: float, *, seed: int = 0) -> None:
        """Make a mistake at each step with probability `rate`."""
        if not 0.0 <= rate <= 1.0:
            raise ConfigError(f"an error rate must be between 0 and 1, got {rate}")
        self._oracle = oracle
        self._rate = rate
        self._seed = seed
        self._rng = Random(f"{seed}")

    def begin(self, seed: int) -> None:
        """Start an episode: the two seeds determine the mistakes."""
        self._rng = Random(f"{self._seed} {seed}")

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        """The oracle's action or a mistake; neither has a log-probability."""
        return [Choice(action=self._action(situation)) for situation in situations]

    def _action(self, situation: Situation) -> Action:
        right = self._oracle.action()
        if self._rng.random() >= self._rate:
            return right
        (slip,) = self._rng.choices(list(_SLIPS), list(_SLIPS.values()))
        # Where text is due, people mistype; elsewhere only if a keyboard is shown.
        if right.kind is Kind.TYPE or (slip == "text" and situation.observation.keyboard):
            return self._mistype(situation.goal, right.text)
        if slip == "stop":
            return actions.complete()
        if slip == "swipe":
            return actions.swipe_towards(self._rng.choice(list(Direction)))
        if slip == "key":
            return actions.press(self._rng.choice((Key.BACK, Key.HOME)))
        return self._mistap(situation)

    def _mistype(self, goal: str, right: str) -> Action:
        """A word of the goal, half of what was meant, or nothing."""
        wrong = [self._rng.choice(goal.split()), right[: len(right) // 2], ""]
        return actions.type_text(self._rng.choice(wrong))

    def _mistap(self, situation: Situation) -> Action:
        elements = situation.observation.elements
        if elements:
            return actions.tap(*self._rng.choice(elements).center)
        return actions.tap(self._rng.random(), self._rng.random())
