from __future__ import annotations

from typing import Any

import pytest
from tests.tasks.general.posed import Posed

from distrl.tasks.operations.conditional import Conditional
from distrl.tasks.oracle_hand import Do, Hand
from distrl.tasks.suites import load_suite
from distrl.tasks.template import Scene

CONDITIONALS = {
    name: template
    for name, template in load_suite("general").all_templates().items()
    if isinstance(template, Conditional)
}
SKY = "if_sky_"


def _posed(name: str, truth: str, **changes: object) -> Posed:
    suite = load_suite("general")
    tasks = (*suite.tasks("wide"), *suite.tasks("composed"))
    task = next(task for task in tasks if task.template == name)
    parameters: dict[str, Any] = {**task.parameters, "if_truth": truth, **changes}
    return Posed(name, **parameters)


@pytest.mark.parametrize("truth", ["yes", "no"])
@pytest.mark.parametrize("name", sorted(CONDITIONALS)[::6])
def test_the_right_branch_reaches_the_goal_and_the_other_does_not(name: str, truth: str) -> None:
    wrong = _posed(name, "no" if truth == "yes" else "yes")
    right = _posed(name, truth)
    template = CONDITIONALS[name]
    done, _ = template._right(right.referee.task.parameters)
    assert done.operation.name == template.operations[1 if truth == "yes" else 2]
    right.solve()
    assert right.reached
    assert right.side_effects == ()
    # The same way on a phone where the other thing is right.
    wrong.device.restore({**wrong.device.snapshot(), "apps": right.device.snapshot()["apps"]})
    assert not wrong.reached


def test_whoever_does_both_has_not_done_what_was_asked() -> None:
    name = next(name for name in CONDITIONALS if name.startswith(SKY))
    posed = _posed(name, "yes")
    _, wrong = CONDITIONALS[name]._right(posed.referee.task.parameters)
    posed.solve()
    for _ in range(15):
        phone = posed.device.phone
        scene = Scene(posed.referee.before, phone.state, phone.view)
        if wrong.check(scene, posed.referee.task.parameters):
            break
        with pytest.raises(Do) as turn:
            wrong.oracle(Hand(phone), posed.referee.task.parameters)
        posed.perform(turn.value.action)
    assert wrong.check(scene, posed.referee.task.parameters)
    assert not posed.reached
    assert posed.side_effects


def test_the_oracle_looks_before_it_acts() -> None:
    name = next(name for name in CONDITIONALS if name.startswith(SKY))
    posed = _posed(name, "yes")
    posed.solve()
    stacks = posed.device.snapshot()["ui"]["stacks"]
    assert stacks["weather"][-1]["name"] == "city"


def test_what_the_page_says_is_what_was_arranged() -> None:
    name = next(name for name in CONDITIONALS if name.startswith(SKY))
    for truth in ("yes", "no"):
        posed = _posed(name, truth, if_sky="raining")
        sky = posed.data("weather")["cities"]["target"]["sky"]
        assert (sky == "rain") is (truth == "yes")


def test_no_goal_tells_whether_it_is_the_case() -> None:
    for split in ("wide", "composed"):
        for task in load_suite("general").tasks(split):
            if task.template in CONDITIONALS:
                template = CONDITIONALS[task.template]
                assert not template.params["if_truth"].open
                assert task.parameters["if_truth"] in ("yes", "no")
