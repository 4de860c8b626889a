"""A device and a referee that do what a test tells them to."""

from __future__ import annotations

import numpy as np

from distrl.errors import DeviceLost
from distrl.types import (
    Action,
    Element,
    Kind,
    Observation,
    Outcome,
    Picture,
    Task,
    Verdict,
)

BUTTON = Element("button", "Save", "", (0.2, 0.2, 0.4, 0.3))
FIELD = Element("field", "", "Name", (0.1, 0.5, 0.9, 0.6), editable=True, focused=True)


def make_task(step_limit: int = 3, seed: int = 7) -> Task:
    return Task(
        id="made/up/0",
        goal="Save the name Ada Lovelace",
        suite="made",
        split="up",
        template="save",
        parameters={},
        seed=seed,
        step_limit=step_limit,
    )


def make_observation(
    elements: tuple[Element, ...] | None = (BUTTON, FIELD), *, keyboard: bool = False
) -> Observation:
    picture = Picture(np.zeros((4, 2, 3), np.uint8))
    return Observation(picture, elements, keyboard, "fake")


class FakeDevice:
    """Counts what it is asked to do; lost at the given perform (0 is the first)."""

    kinds = frozenset(Kind)
    id = "fake-0"

    def __init__(self, *, lost_at: int | None = None) -> None:
        self.performed: list[Action] = []
        self.closed = False
        self._lost_at = lost_at

    def reset(self, seed: int) -> None:
        self.performed.clear()

    def observe(self) -> Observation:
        return make_observation()

    def perform(self, action: Action) -> None:
        if len(self.performed) == self._lost_at:
            raise DeviceLost("the cable was pulled")
        self.performed.append(action)

    def close(self) -> None:
        self.closed = True


class FakeReferee:
    """Says what it was made with; an exception is raised instead."""

    def __init__(
        self,
        *,
        holds: bool | Exception = True,
        begins: Exception | None = None,
        effects: tuple[str, ...] = (),
    ) -> None:
        self._holds = holds
        self._begins = begins
        self._effects = effects

    def begin(self, task: Task) -> None:
        if self._begins is not None:
            raise self._begins

    def outcome(self, kind: Kind) -> Outcome:
        if isinstance(self._holds, Exception):
            raise self._holds
        if kind is Kind.INFEASIBLE:
            return Outcome.FAILED
        if kind is not Kind.COMPLETE:
            return Outcome.STEP_LIMIT
        return Outcome.SUCCEEDED if self._holds else Outcome.FALSE_COMPLETE

    def verdict(self, outcome: Outcome) -> Verdict:
        success = outcome is Outcome.SUCCEEDED
        return Verdict(judge="fake", success=success, side_effects=self._effects)
