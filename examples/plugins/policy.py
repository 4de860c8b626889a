"""A policy that reads the goal literally: it taps what is named, then says that it is done."""

from collections.abc import Sequence

from distrl import actions
from distrl.policies import Surroundings
from distrl.types import Action, Choice, Situation


class LiteralPolicy:
    """[project.entry-points."distrl.policies"]: literal = "policy:LiteralPolicy"."""

    def __init__(self, surroundings: Surroundings) -> None:
        """Cheat in no way: neither the oracle nor the seed is used."""

    def begin(self, seed: int) -> None:
        """Nothing is remembered from one episode to the next."""

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        """No log-probability: this policy is evaluated, not trained."""
        return [Choice(action=self._action(situation)) for situation in situations]

    def _action(self, now: Situation) -> Action:
        for element in now.observation.elements or ():
            named = element.text and element.text.lower() in now.goal.lower()
            if named and element.text not in now.touched:
                return actions.tap(*element.center)
        return actions.complete()
