from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from distrl import actions
from distrl.bench.mobilegym.recordings import Patch, is_end, patch_of, wander, way_of
from distrl.types import Element, Kind, Observation, Picture


def task(**more: Any) -> Any:
    given = {"apps": ["clock"], "params": {"on": False, "id": "7"}, "optimal_paths": []}
    return SimpleNamespace(**{**given, **more})


def test_the_shortest_way_is_the_first_that_a_task_names() -> None:
    assert way_of(task()) == []
    paths = [["tab.me", {"id": "me.settings", "params": {}}], ["other"]]
    assert way_of(task(optimal_paths=paths)) == ["tab.me", "me.settings"]


@pytest.mark.parametrize(
    ("criteria", "state"),
    [
        ({"sound": "loud"}, {"sound": "loud"}),
        ({"alarm.on": "{on}", "alarm.id": "a{id}"}, {"alarm": {"on": False, "id": "a7"}}),
        ({"apps.clock.alarm.on": True}, {"alarm": {"on": True}}),
    ],
)
def test_plain_criteria_are_a_change_of_the_first_app(criteria: Any, state: Any) -> None:
    assert patch_of(task(criteria=criteria)) == Patch({"apps": {"clock": state}})


@pytest.mark.parametrize(
    "criteria",
    [
        {},
        {"route": "/alarms"},
        {"alarms[id={id}].on": True},
        {"sms:sent": True},
        {"os.wifi": True},
        {"sound": "loud", "volume": lambda value: value > 3},
    ],
)
def test_other_criteria_are_left_to_those_who_play(criteria: Any) -> None:
    assert patch_of(task(criteria=criteria)) is None


def test_a_walk_has_taps_on_what_is_there_and_ends_nothing() -> None:
    pixels = np.zeros((4, 4, 3), np.uint8)
    element = Element("button", "Go", "", (0.2, 0.4, 0.4, 0.6), True, None, False, False)
    seen = Observation(Picture(lambda: pixels), (element,), False, "Phone")
    walk = [wander(seen, Random(seed)) for seed in range(200)]
    kinds = [action.kind for action in walk]
    assert set(kinds) == {Kind.TAP, Kind.SWIPE, Kind.TYPE, Kind.PRESS}
    assert kinds.count(Kind.TAP) > 100
    assert {(a.x, a.y) for a in walk if a.kind is Kind.TAP} == {element.center}
    assert not any(is_end(action) for action in walk)
    assert is_end(actions.complete())
