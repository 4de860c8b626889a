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
