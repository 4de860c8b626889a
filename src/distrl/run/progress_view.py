"""Who shows a run to somebody, from its first phase to its last."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Protocol

from distrl.interfaces import Monitor
from distrl.monitor.progress import NO_BUDGET, Stage, StageBudget

_log = logging.getLogger(__name__)


class ProgressView(Monitor, Protocol):
    """Shows a run to somebody."""

    def plan(self, stages: Sequence[Stage]) -> None:
        """These phases are to come, in this order; some may be left out."""
        ...

    def phase(self, name: str, budget: StageBudget = NO_BUDGET) -> None:
        """A phase begins, with a budget of time or of things to do."""
        ...

    def advance(self, done: float) -> None:
        """So many of the things to do in this phase are done."""
        ...

    def event(self, text: str) -> None:
        """Something happened that a person may want to know."""
        ...


class QuietView:
    """A view for nobody: what happens is logged."""

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Nothing to show."""

    def plan(self, stages: Sequence[Stage]) -> None:
        """Nothing to show."""

    def phase(self, name: str, budget: StageBudget = NO_BUDGET) -> None:
        """Log it."""
        del budget
        _log.info("%s", name)

    def advance(self, done: float) -> None:
        """Nothing to show."""

    def event(self, text: str) -> None:
        """Log it."""
        _log.info("%s", text)

    def close(self) -> None:
        """Nothing to close."""
