from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.tasks.general.posed import Posed

from distrl.devices.phone.device import PhoneDevice
from distrl.tasks.operations.chain import Chain
from distrl.tasks.operations.general_operations import GENERAL
from distrl.tasks.operations.operation import Operation, read_operations
from distrl.tasks.operations.wide_suite import WideSuite
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.suites import load_suite
from distrl.tasks.template import Draw, Scene


def _operations(table: str) -> tuple[Operation, ...]:
    suite = load_suite("general")
    assert isinstance(suite, WideSuite)
    return read_operations(table, suite.templates, suite._more().words)


def test_one_person_is_one_person_in_the_whole_chain() -> None:
    chain = Chain(_operations("contacts star_contact a; messages send_message a"), 15)
    assert set(chain.params) == {"person", "second_text"}
    goal = chain.say(Random(0)).format(**chain.sample(Draw("train", Random(0))))
    assert '"' in goal


def test_two_notes_are_two_notes() -> None:
    chain = Chain(_operations("notes pin_note a; clock set_alarm a"), 15)
    assert set(chain.params) == {"first_title", "second_time"}


def test_a_chain_that_is_half_done_does_not_hold() -> None:
    name = "set_alarm_then_create_event"
    suite = load_suite("general")
    task = next(
        t
        for split in ("wide", "composed")
        for t in suite.tasks(split)
        if set(suite.template(t.template).operations) == set(name.split("_then_"))
    )
    device = PhoneDevice()
    referee = PhoneReferee(device)
    referee.begin(task)
    oracle = PhoneOracle(referee)
    held = []
    parts = suite.template(task.template)
    assert isinstance(parts, Chain)
    while not (action := oracle.action()).kind.ends_episode:
        device.perform(action)
        held.append(referee.holds())
    assert held.count(True) == 1
    scene = Scene(referee.before, device.phone.state, device.phone.view)
    assert all(part.check(scene, task.parameters) for part in parts._parts)


@pytest.mark.parametrize("size", [2, 3])
def test_a_longer_chain_has_more_steps(size: int) -> None:
    table = "notes pin_note a; clock set_alarm a; todo add_task a"
    assert Chain(_operations(table)[:size], 15).step_limit == 15 * size


def test_some_chains_stand_in_a_frame() -> None:
    chain = Chain(_operations("notes pin_note a; clock set_alarm a"), 15)
    said = [chain.say(Random(seed)).lower() for seed in range(100)]
    assert any(goal.startswith(("please ", "can you ", "could you ")) for goal in said)
    assert not any(goal.startswith("please first") for goal in said)


DECLARED = {operation.name: operation for operation in _operations(GENERAL)}
FIRST_TASKS = {
    task.template: task
    for split in ("composed", "wide")
    for task in reversed(load_suite("general").tasks(split))
}
_ELSEWHERE = ("settings", "store")
"""Apps that change the phone itself."""
LASTING = [
    name
    for name in sorted(FIRST_TASKS)
    if len(parts := load_suite("general").template(name).operations) > 1
    and "_then_" in name
    and not any(DECLARED[part].last or DECLARED[part].app in _ELSEWHERE for part in parts)
]
"""Chains whose parts all leave something behind in the data of their apps."""


def _solved(name: str) -> Posed:
    parameters: dict[str, Any] = {**FIRST_TASKS[name].parameters}
    posed = Posed(name, **parameters)
    posed.solve(limit=60)
    return posed


@pytest.mark.parametrize("name", LASTING[::5])
def test_a_chain_fails_if_any_of_its_parts_is_undone(name: str) -> None:
    posed = _solved(name)
    assert posed.reached
    assert not posed.side_effects
    done = posed.state
    for part in load_suite("general").template(name).operations:
        app = DECLARED[part].app
        posed.change("apps", app, to=posed.referee.before["apps"][app])
        assert not posed.reached, part
        posed.device.restore(done)
        assert posed.reached


def test_a_neighbour_of_either_part_is_a_side_effect() -> None:
    posed = _solved("finish_task_then_pin_note")
    notes, tasks = posed.data("notes")["notes"], posed.data("todo")["tasks"]
    note = next(key for key, held in notes.items() if key != "target" and not held["pinned"])
    task = next(key for key, held in tasks.items() if key != "target" and not held["done"])
    posed.change("apps", "notes", "notes", note, "pinned", to=True)
    posed.change("apps", "todo", "tasks", task, "done", to=True)
    assert posed.reached
    assert set(posed.side_effects) == {
        f"apps.notes.notes.{note}.pinned",
        f"apps.todo.tasks.{task}.done",
    }


@pytest.mark.parametrize("name", LASTING[::15])
def test_no_value_of_a_chain_comes_twice_unless_it_is_shared(name: str) -> None:
    chain = load_suite("general").template(name)
    for seed in range(5):
        drawn = chain.sample(Draw("train", Random(seed)))
        assert set(drawn) == set(chain.params)
        opened = [value for key, value in drawn.items() if chain.params[key].open]
        assert len(set(opened)) == len(opened)
