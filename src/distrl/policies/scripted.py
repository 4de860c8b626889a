"""The policy that knows: it does what the oracle says."""

from __future__ import annotations

from collections.abc import Sequence

from distrl.interfaces import Oracle
from distrl.types import Choice, Situation


class ScriptedPolicy:
    """Follows an oracle. It serves the one environment that the oracle looks at."""

    def __init__(self, oracle: Oracle) -> None:
        """Do what `oracle` says."""
        self._oracle = oracle

    def begin(self, seed: int) -> None:
        """Nothing is random here."""

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        """The oracle's action. It has no log-probability: nothing was drawn."""
        return [Choice(action=self._oracle.action()) for _ in situations]
