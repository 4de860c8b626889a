from __future__ import annotations

import dataclasses
import json

import pytest

from distrl.devices.phone.device import PhoneDevice
from distrl.errors import ConfigError, TaskError
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.served import ServedOracle, ServedReferee, TaskConsole
from distrl.tasks.suites import find_task
from distrl.types import Kind, Outcome

TASK = "general/val/0"


def test_task_that_is_posed_there_starts_and_ends_as_here() -> None:
    here, there = PhoneDevice("here"), PhoneDevice("there")
    console = TaskConsole(there)
    near, far = PhoneReferee(here), ServedReferee(console)
    own, asked = PhoneOracle(near), ServedOracle(console)
    task = find_task(TASK)
    near.begin(task)
    far.begin(task)
    for _ in range(task.step_limit):
        action = own.action()
        assert asked.action() == action
        if action.kind.ends_episode:
            break
        here.perform(action)
        there.perform(action)
    assert here.snapshot() == there.snapshot()
    outcome = far.outcome(Kind.COMPLETE)
    assert outcome is near.outcome(Kind.COMPLETE) is Outcome.SUCCEEDED
    assert far.verdict(outcome) == near.verdict(outcome)


def test_phone_with_other_tasks_is_found_out() -> None:
    referee = ServedReferee(lambda _: json.dumps({"goal": "Something else", "seed": 1}))
    with pytest.raises(TaskError, match="same version"):
        referee.begin(find_task(TASK))


def test_answer_that_is_none_is_an_error() -> None:
    with pytest.raises(TaskError, match="answered 'what'"):
        ServedOracle(lambda _: "what").action()


def test_verdict_needs_an_outcome_first() -> None:
    device = PhoneDevice()
    referee = ServedReferee(TaskConsole(device))
    referee.begin(find_task(TASK))
    with pytest.raises(TaskError, match="has not judged"):
        referee.verdict(Outcome.SUCCEEDED)


def test_reset_is_the_phones_own() -> None:
    device, twin = PhoneDevice(), PhoneDevice()
    TaskConsole(device)(["reset", "17"])
    twin.reset(17)
    assert device.snapshot() == twin.snapshot()


@pytest.mark.parametrize(
    "words", [[], ["begn", TASK], ["begin"], ["begin", "x"], ["reset", "x"], ["outcome", "x"]]
)
def test_wrong_commands_are_refused(words: list[str]) -> None:
    with pytest.raises(ConfigError):
        TaskConsole(PhoneDevice())(words)


def test_task_with_another_seed_is_another_task() -> None:
    console = TaskConsole(PhoneDevice())
    with pytest.raises(TaskError, match="same version"):
        ServedReferee(console).begin(dataclasses.replace(find_task(TASK), seed=1))
