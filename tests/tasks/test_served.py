from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence

import pytest

from distrl.devices.phone.control import Control
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


def test_a_false_completion_is_judged_there_with_its_reason() -> None:
    device = PhoneDevice()
    referee = ServedReferee(TaskConsole(device))
    referee.begin(find_task(TASK))
    outcome = referee.outcome(Kind.COMPLETE)
    assert outcome is Outcome.FALSE_COMPLETE
    assert referee.verdict(outcome).success is False
    assert referee.verdict(outcome).reason == "false_complete"


def test_side_effects_travel_with_the_verdict() -> None:
    device = PhoneDevice()
    referee = ServedReferee(TaskConsole(device))
    referee.begin(find_task(TASK))
    control = Control(device.snapshot(), "launcher")
    control.write_root("apps", "calculator", "planted", to=1)
    device.restore(control.state)
    outcome = referee.outcome(Kind.TAP)
    assert outcome is Outcome.STEP_LIMIT
    assert referee.verdict(outcome).side_effects == ("apps.calculator.planted",)


def test_a_verdict_of_another_outcome_is_not_given() -> None:
    referee = ServedReferee(TaskConsole(PhoneDevice()))
    referee.begin(find_task(TASK))
    referee.outcome(Kind.COMPLETE)
    with pytest.raises(TaskError, match="has not judged"):
        referee.verdict(Outcome.SUCCEEDED)


def test_a_new_task_forgets_the_verdict_of_the_last() -> None:
    referee = ServedReferee(TaskConsole(PhoneDevice()))
    referee.begin(find_task(TASK))
    outcome = referee.outcome(Kind.COMPLETE)
    referee.begin(find_task("general/val/1"))
    with pytest.raises(TaskError, match="has not judged"):
        referee.verdict(outcome)


def test_the_phone_is_made_sure_of_before_every_task() -> None:
    calls: list[str] = []
    console = TaskConsole(PhoneDevice())

    def ask(words: Sequence[str]) -> str:
        calls.append(words[0])
        return console(words)

    referee = ServedReferee(ask, prepare=lambda: calls.append("prepare"))
    referee.begin(find_task(TASK))
    referee.begin(find_task(TASK))
    assert calls == ["prepare", "begin"] * 2


def test_wrong_commands_are_told_with_the_right_ones() -> None:
    console = TaskConsole(PhoneDevice())
    with pytest.raises(ConfigError, match="did you mean 'begin'"):
        console(["begn", TASK])
    with pytest.raises(ConfigError, match=r"oracle cannot be used with \['now'\]"):
        console(["oracle", "now"])
    with pytest.raises(ConfigError, match="outcome cannot be used with"):
        console(["outcome", "teleport"])
    with pytest.raises(ConfigError, match="general/val has the numbers"):
        console(["begin", "general/val/9999"])


def test_a_negative_seed_is_a_seed() -> None:
    assert TaskConsole(PhoneDevice())(["reset", "-3"]) == ""


@pytest.mark.parametrize(
    "answer", ["", "{}", "[]", '{"outcome": "won", "verdict": {}}', '{"outcome": "failed"}']
)
def test_an_outcome_that_cannot_be_read_is_an_error(answer: str) -> None:
    with pytest.raises(TaskError, match="the phone answered"):
        ServedReferee(lambda _: answer).outcome(Kind.COMPLETE)


def test_a_long_wrong_answer_is_cut() -> None:
    with pytest.raises(TaskError) as told:
        ServedOracle(lambda _: "x" * 5000).action()
    assert len(str(told.value)) < 300
