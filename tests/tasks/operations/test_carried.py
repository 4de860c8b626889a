from __future__ import annotations

from typing import Any

import pytest
from tests.tasks.general.posed import Posed

from distrl.tasks.operations.carried import Carried
from distrl.tasks.suites import load_suite

CARRIED = {
    name: template
    for name, template in load_suite("general").all_templates().items()
    if isinstance(template, Carried)
}


def _posed(name: str) -> Posed:
    suite = load_suite("general")
    tasks = (*suite.tasks("wide"), *suite.tasks("composed"))
    parameters: dict[str, Any] = {}
    parameters.update(next(task.parameters for task in tasks if task.template == name))
    return Posed(name, **parameters)


@pytest.mark.parametrize("name", sorted(CARRIED))
def test_the_value_is_read_in_one_app_and_put_into_another(name: str) -> None:
    posed = _posed(name)
    posed.solve()
    assert posed.reached
    assert posed.side_effects == ()
    source = CARRIED[name]._source
    assert source.seen(posed.device.snapshot(), posed.referee.task.parameters)


def test_another_value_is_not_the_one_that_was_asked_for() -> None:
    posed = _posed("number_to_create_note")
    note = {"title": "something else", "body": "", "color": "yellow", "pinned": False}
    posed.change("apps", "notes", "notes", "new-1", to=note)
    assert not posed.reached


def test_no_goal_tells_the_value() -> None:
    found = 0
    for task in load_suite("general").tasks("wide"):
        if task.template in CARRIED:
            template = CARRIED[task.template]
            value = template._source.reading.value(template._source.own(task.parameters))
            assert value.lower() not in task.goal.lower(), task.id
            found += 1
    assert found > 20


HIDDEN = sorted(name for name, template in CARRIED.items() if template._source.reading.extra)


@pytest.mark.parametrize("name", HIDDEN)
def test_what_another_phone_says_is_not_what_was_to_be_read(name: str) -> None:
    posed = _posed(name)
    ((key, pool),) = CARRIED[name]._source.reading.extra.items()
    key = f"from_{key}"
    parameters: dict[str, Any] = {**posed.referee.task.parameters}
    other = next(value for value in pool.values if value != parameters[key])
    there = Posed(name, **{**parameters, key: other})
    there.solve()
    assert there.reached
    posed.device.restore({**posed.state, "apps": there.state["apps"]})
    assert not posed.reached
    assert posed.side_effects


@pytest.mark.parametrize("name", sorted(CARRIED))
def test_what_is_read_may_not_be_changed(name: str) -> None:
    posed = _posed(name)
    posed.solve()
    source = CARRIED[name]._source.operation.app
    before = posed.referee.before["apps"][source]
    records = next(key for key, held in before.items() if isinstance(held, dict) and held)
    first = next(iter(before[records]))
    posed.change("apps", source, records, first, to={"spoiled": True})
    assert any(path.startswith(f"apps.{source}.{records}") for path in posed.side_effects)
