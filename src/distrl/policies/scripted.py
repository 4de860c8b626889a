"""The oracle as a policy."""

from __future__ import annotations

from collections.abc import Sequence

from distrl.interfaces import Oracle
from distrl.types import Choice, Situation


class ScriptedPolicy:
    """Follows an oracle, in the one environment that the oracle observes."""

    def __init__(self, oracle: Oracle) -> None:
        """Follow `oracle`."""
        self._oracle = oracle

    def begin(self, seed: int) -> None:
        """Nothing is random here."""

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        """The oracle's action, without a log-probability: nothing was sampled."""
        return [Choice(action=self._oracle.action()) for _ in situations]
