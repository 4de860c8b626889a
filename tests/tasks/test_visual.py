"""Proof that visual tasks need eyes: the same goal and elements, and another right action."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from tests.tasks.runs import SPLITS, SUITES, play, variants

from distrl.config.devices import PhoneConfig
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.state import State, put
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.suites import load_suite
from distrl.types import Action, Element, Kind, Task

_SEEDS = range(900, 960)
_GOALS = 2
_NOON = 20 * 86_400 + 12 * 3600
_RECORDS = 12
"""Records of a collection among which a difference is looked for."""

VISUAL = [
    pytest.param(suite, name, id=f"{suite}-{name}")
    for suite in SUITES
    for name, template in load_suite(suite).templates.items()
    if template.visual
]


class EvenPhone(PhoneDevice):
    """A quiet phone whose time and home screen do not differ between seeds.

    Both are on many screens: with them, hardly any two of a few phones would show the same.
    """

    def __init__(self) -> None:
        super().__init__("even", PhoneConfig(nuisance_rate=0.0))

    def reset(self, seed: int) -> None:
        super().reset(0)
        home = self.snapshot()["apps"]["launcher"]
        super().reset(seed)
        state = put(self.snapshot(), ("apps", "launcher"), home)
        self.restore({**state, "time": _NOON})


def _goals(suite: str, template: str) -> list[Task]:
    tasks = [t for s in SPLITS for t in load_suite(suite).tasks(s) if t.template == template]
    return tasks[:_GOALS]


def _differs_between_seeds(goal: Task) -> bool:
    """Whether two phones show the same elements on the way, but need different touches."""
    device = EvenPhone()
    decided: dict[tuple[Element, ...], Action] = {}
    for task in variants(goal, _SEEDS):
        for moment in play(task, device).moments:
            if moment.action.kind is not Kind.TAP:
                continue
            if decided.setdefault(moment.elements, moment.action) != moment.action:
                return True
    return False


def _twins(state: State) -> Iterator[State]:
    """States in which two records of the app in front have one of their values swapped."""
    app = state["ui"]["app"]
    for name, records in state["apps"][app].items():
        if not isinstance(records, dict):
            continue
        few = [(k, r) for k, r in records.items() if isinstance(r, dict)][:_RECORDS]
        for (one, first), (two, second) in combinations(few, 2):
            for key in first.keys() & second.keys():
                if first[key] != second[key]:
                    swapped = put(state, ("apps", app, name, one, key), second[key])
                    yield put(swapped, ("apps", app, name, two, key), first[key])


def _differs_between_twins(goal: Task) -> bool:
    """Whether a swap that no element shows changes the right touch on the oracle's way."""
    device = EvenPhone()
    referee = PhoneReferee(device)
    oracle = PhoneOracle(referee)
    referee.begin(goal)
    for _ in range(goal.step_limit):
        state, elements, right = device.snapshot(), device.phone.view.elements, oracle.action()
        for twin in _twins(state) if right.kind is Kind.TAP else ():
            device.restore(twin)
            if device.phone.view.elements != elements:
                continue
            other = oracle.action()
            if other.kind is Kind.TAP and other != right:
                return True
        device.restore(state)
        device.perform(right)
    return False


@pytest.mark.parametrize(("suite", "template"), VISUAL)
def test_same_elements_need_different_actions(suite: str, template: str) -> None:
    goals = _goals(suite, template)
    assert any(map(_differs_between_seeds, goals)) or any(map(_differs_between_twins, goals))


@pytest.mark.parametrize("suite", ["general", "shopping"])
def test_there_are_visual_templates(suite: str) -> None:
    assert any(template.visual for template in load_suite(suite).templates.values())
