from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from tests.tasks.android_world.fake_android import FakeAndroid, FakeDevice

from distrl.devices.android.device import AndroidDevice
from distrl.devices.fault_causes import Cause, DeviceFault
from distrl.errors import DeviceError, TaskError
from distrl.tasks.android_world import referee as referees
from distrl.tasks.android_world.referee import AndroidWorldReferee
from distrl.tasks.suites import load_suite
from distrl.types import Kind, Outcome, Task

NOTE = "/sdcard/Documents/alarm.txt"


class Game:
    """A referee and the phone that it watches."""

    def __init__(self, suite: str, phone: FakeAndroid) -> None:
        self.suite, self.phone, self.device = suite, phone, FakeDevice(phone)
        self.referee = AndroidWorldReferee(cast(AndroidDevice, self.device), load_suite)

    def task(self, name: str, split: str = "test") -> Task:
        return next(t for t in load_suite(self.suite).tasks(split) if t.template == name)

    def begin(self, name: str) -> Task:
        task = self.task(name)
        self.referee.begin(task)
        return task

    def is_torn_down(self) -> bool:
        return ("global", "torn_down") in self.phone.settings


@pytest.fixture
def game(small: str) -> Game:
    return Game(small, FakeAndroid())


def switch(task: Task) -> tuple[str, str]:
    return "global", task.goal.split()[1]


def test_a_task_is_set_up_and_judged_by_its_own_code(game: Game) -> None:
    task = game.begin("TurnSettingOn")
    assert game.device.resets == [task.seed]
    assert game.phone.settings[switch(task)] == "0"
    assert game.referee.outcome(Kind.COMPLETE) is Outcome.FALSE_COMPLETE
    task = game.begin("TurnSettingOn")
    game.phone.settings[switch(task)] = "1"
    assert game.referee.outcome(Kind.COMPLETE) is Outcome.SUCCEEDED
    verdict = game.referee.verdict(Outcome.SUCCEEDED)
    assert (verdict.judge, verdict.success) == ("android_world", True)
    assert verdict.reason == "succeeded: is_successful is 1"


def test_the_phone_is_reset_before_the_task_is_set_up(game: Game) -> None:
    game.device.on_reset = game.phone.settings.clear
    task = game.begin("TurnSettingOn")
    assert game.phone.settings[switch(task)] == "0"


def test_half_of_a_task_is_not_enough(game: Game) -> None:
    game.begin("AlarmNote")
    assert game.referee.outcome(Kind.COMPLETE) is Outcome.FALSE_COMPLETE
    assert game.referee.verdict(Outcome.FALSE_COMPLETE).reason == (
        "false_complete: is_successful is 0.5"
    )
    task = game.begin("AlarmNote")
    game.phone.write(NOTE, task.goal.encode())
    assert game.referee.outcome(Kind.COMPLETE) is Outcome.SUCCEEDED


@pytest.mark.parametrize(
    ("answer", "outcome"), [("three", Outcome.SUCCEEDED), ("four", Outcome.FALSE_COMPLETE)]
)
def test_what_was_answered_reaches_the_check(game: Game, answer: str, outcome: Outcome) -> None:
    game.begin("HowManyNotes")
    assert game.referee.answered(answer) is outcome


def test_an_answer_of_before_is_forgotten(game: Game) -> None:
    game.begin("HowManyNotes")
    game.referee.answered("three")
    game.begin("HowManyNotes")
    assert game.referee.outcome(Kind.COMPLETE) is Outcome.FALSE_COMPLETE


@pytest.mark.parametrize(
    ("kind", "outcome"), [(Kind.TAP, Outcome.STEP_LIMIT), (Kind.INFEASIBLE, Outcome.FAILED)]
)
def test_nothing_succeeds_unless_the_agent_says_so(
    game: Game, kind: Kind, outcome: Outcome
) -> None:
    task = game.begin("TurnSettingOn")
    game.phone.settings[switch(task)] = "1"
    assert game.referee.outcome(kind) is outcome
    assert game.referee.verdict(outcome).reason == outcome.value
    assert game.is_torn_down()


def test_tasks_begin_at_home_unless_they_say_otherwise(game: Game) -> None:
    game.begin("AlarmNote")
    assert game.phone.keys == []
    game.begin("TurnSettingOn")
    assert game.phone.keys == ["KEYCODE_HOME"]


def test_a_task_is_torn_down_when_it_is_judged(game: Game) -> None:
    game.begin("TurnSettingOn")
    assert not game.is_torn_down()
    game.referee.outcome(Kind.COMPLETE)
    assert game.phone.settings["global", "torn_down"] == "TurnSettingOn"


def test_a_task_that_was_cut_off_is_torn_down_before_the_next(game: Game) -> None:
    game.begin("AlarmNote")
    seen: list[bool] = []
    game.device.on_reset = lambda: seen.append(game.is_torn_down())
    game.begin("TurnSettingOn")
    assert seen == [True]


def test_what_cannot_be_torn_down_is_left_to_the_next_reset(game: Game) -> None:
    task = game.begin("TurnSettingOn")
    game.phone.settings[switch(task)] = "1"
    game.phone.faults["torn_down"] = DeviceFault(Cause.OFFLINE, "gone")
    assert game.referee.outcome(Kind.COMPLETE) is Outcome.SUCCEEDED


def test_a_check_that_throws_is_the_tasks_error(game: Game) -> None:
    game.begin("BrokenCheck")
    with pytest.raises(TaskError, match=r"BrokenCheck\.is_successful: KeyError\('a column'\)"):
        game.referee.outcome(Kind.COMPLETE)


def test_a_fault_of_the_phone_is_a_fault_although_the_task_has_caught_it(game: Game) -> None:
    game.phone.faults["careful"] = DeviceFault(Cause.OFFLINE, "gone")
    with pytest.raises(DeviceFault, match="gone"):
        game.begin("BrokenCheck")


def test_what_a_task_makes_of_a_fault_is_not_its_own_error(game: Game) -> None:
    game.begin("BrokenCheck")
    game.phone.faults["careful"] = DeviceFault(Cause.OFFLINE, "gone")
    with pytest.raises(DeviceFault, match="gone"):
        game.referee.outcome(Kind.COMPLETE)


def test_a_fault_during_a_check_is_no_verdict(game: Game) -> None:
    game.begin("TurnSettingOn")
    game.phone.faults["settings get"] = DeviceFault(Cause.TIMEOUT, "silent")
    with pytest.raises(DeviceFault, match="silent"):
        game.referee.outcome(Kind.COMPLETE)


def test_a_phone_without_root_is_told_of(small: str) -> None:
    game = Game(small, FakeAndroid(root=False))
    with pytest.raises(DeviceError, match="gives adb no root"):
        game.begin("TurnSettingOn")
    assert game.phone.settings == {}, "nothing was set up"


def test_an_sms_arrives_by_the_console(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referees, "tell_console", game.phone.console)
    game.begin("SimpleSmsReply")
    assert game.phone.messages == [("inbox", "123", "Hello auth me")]
    game.phone.messages.insert(0, ("sent", "123", "Hi"))
    assert game.referee.outcome(Kind.COMPLETE) is Outcome.SUCCEEDED


def test_a_task_that_is_worded_otherwise_here_is_not_played(game: Game) -> None:
    task = replace(game.task("TurnSettingOn"), goal="Turn the radio on")
    with pytest.raises(TaskError, match="not as 'Turn the radio on'"):
        game.referee.begin(task)


def test_a_task_of_another_suite_is_refused(game: Game) -> None:
    other = load_suite("general").tasks("test")[0]
    with pytest.raises(TaskError, match="'general' is none of AndroidWorld"):
        game.referee.begin(other)


def test_nothing_can_be_judged_before_it_was_begun(game: Game) -> None:
    with pytest.raises(TaskError, match="no task of AndroidWorld has been started"):
        game.referee.answered("three")
    with pytest.raises(TaskError, match="no task of AndroidWorld has been started"):
        game.referee.outcome(Kind.TAP)
