"""How far a run is and how long it will still take: pure functions over its planned stages.

    plan       encode texts | initial weights | evaluate | train ........... | evaluate
    one bar    ██████████████████████████████████████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░

Each stage takes a part of the bar by the time that it is expected to take. A stage with a budget
knows how much of it is spent, and what is left; the others are guessed by their expected time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

_UNKNOWN_SECONDS = 300.0
"""What a stage of unknown length takes of the bar; it has no part in the time left."""
_TELLING = 0.02
"""Share of a stage from which on its pace tells how long it takes: one task of fifty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A stage of a run, before it begins."""

    name: str
    seconds: float | None = None
    """How long it is expected to take; None where nobody knows."""
    kind: str | None = None
    """Stages of one kind take about as long as each other."""

    @property
    def weight(self) -> float:
        """Its part of the bar, relative to the other stages."""
        return _UNKNOWN_SECONDS if self.seconds is None else max(self.seconds, 0.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageBudget:
    """What ends a stage: time, an amount of work, or whichever of the two is spent first."""

    seconds: float | None = None
    total: float | None = None
    """Amount of work, such as episodes."""
    spent: float = 0.0
    """Seconds that earlier parts of the run have used of `seconds`."""


NO_BUDGET = StageBudget()
"""Of a stage that ends when it is done."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far something is."""

    share: float | None = None
    """Share that is done, in [0, 1]; None where nobody knows."""
    left: float | None = None
    """Seconds until it ends; None where nobody knows."""


def stage_progress(budget: StageBudget, spent: float, done: float) -> Progress:
    """Progress of one stage after `spent` seconds and `done` of its work, by what ends it first."""
    ends: list[tuple[float, float]] = []
    if budget.seconds and math.isfinite(budget.seconds):
        ends.append((spent / budget.seconds, budget.seconds - spent))
    if budget.total and done > 0:
        share = done / budget.total
        ends.append((share, spent / share - spent))
    elif budget.total and not ends:
        return Progress(0.0)
    if not ends:
        return Progress()
    return Progress(
        min(1.0, max(share for share, _ in ends)), max(0.0, min(left for _, left in ends))
    )


def run_progress(plan: Sequence[Stage], position: int, current: Progress, spent: float) -> Progress:
    """Progress of the whole run in stage `position` of `plan`, after `spent` seconds of that stage.

    The time left is that of the current stage and the expected time of those to come; None if any
    of them is unknown.
    """
    share, left = current.share, current.left
    if share is not None and share >= _TELLING:
        # Weighed by what it takes and not by what was guessed, also while it goes on: at its end
        # nothing is left to correct, and the bar does not jump.
        plan = learn_duration(plan, position, spent / share)
    stage = plan[position]
    if share is None:
        # Nobody knows when it ends: it nears its end, and reaches half at its expected time.
        share = spent / (spent + stage.weight)
    if left is None and stage.seconds is not None:
        left = max(0.0, stage.seconds - spent)
    before = sum(each.weight for each in plan[:position])
    whole = sum(each.weight for each in plan)
    coming = [each.seconds for each in plan[position + 1 :]]
    return Progress(
        (before + share * stage.weight) / whole,
        None if left is None else _sum_of_known([left, *coming]),
    )


def next_position(plan: Sequence[Stage], position: int | None, name: str) -> int | None:
    """Where the stage `name` is in `plan`, after `position`; None if it was not planned."""
    start = 0 if position is None else position + 1
    return next((i for i in range(start, len(plan)) if plan[i].name == name), None)


def learn_duration(plan: Sequence[Stage], position: int, seconds: float) -> tuple[Stage, ...]:
    """The plan, if stage `position` takes `seconds`: later ones of its kind should as well."""
    kind = plan[position].kind
    alike = {i for i, stage in enumerate(plan) if i > position and kind and stage.kind == kind}
    return tuple(
        replace(stage, seconds=seconds) if i == position or i in alike else stage
        for i, stage in enumerate(plan)
    )


def _sum_of_known(seconds: Sequence[float | None]) -> float | None:
    known = [each for each in seconds if each is not None]
    return sum(known) if len(known) == len(seconds) else None
