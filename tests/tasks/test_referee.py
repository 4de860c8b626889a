from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.tasks.runs import SUITES, one_task_per_template

from distrl import actions
from distrl.config.devices import PhoneConfig
from distrl.devices.phone.control import Control
from distrl.devices.phone.device import PhoneDevice
from distrl.errors import TaskError
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.suites import load_suite
from distrl.types import Kind, Outcome, Task


def _task(template: str, suite: str = "general") -> Task:
    return next(task for task in one_task_per_template(suite) if task.template == template)


@pytest.fixture
def referee() -> PhoneReferee:
    return PhoneReferee(PhoneDevice(config=PhoneConfig(nuisance_rate=0.0)))


def _finish(referee: PhoneReferee) -> Kind:
    """Let the oracle act until it declares something."""
    oracle = PhoneOracle(referee)
    for _ in range(referee.task.step_limit):
        action = oracle.action()
        if action.kind.ends_episode:
            return action.kind
        referee.device.perform(action)
    pytest.fail("the oracle did not finish")


def test_referee_without_a_task_says_so(referee: PhoneReferee) -> None:
    with pytest.raises(TaskError, match="no task"):
        _ = referee.task


def test_begin_resets_the_phone_to_the_same_start(referee: PhoneReferee) -> None:
    task = _task("create_note")
    referee.begin(task)
    start = json.dumps(referee.device.snapshot())
    referee.device.perform(actions.press("home"))
    referee.begin(task)
    assert json.dumps(referee.device.snapshot()) == start


@pytest.mark.parametrize("suite", SUITES)
def test_every_start_is_json_able_and_on_the_home_screen_or_in_an_app(
    suite: str, referee: PhoneReferee
) -> None:
    for task in one_task_per_template(suite):
        referee.begin(task)
        state = referee.device.snapshot()
        assert json.loads(json.dumps(state)) == state, task.template
        assert referee.device.observe().elements, task.template


def test_declaring_what_is_reached_succeeds(referee: PhoneReferee) -> None:
    referee.begin(_task("create_note"))
    kind = _finish(referee)
    assert referee.outcome(kind) is Outcome.SUCCEEDED
    verdict = referee.verdict(Outcome.SUCCEEDED)
    assert (verdict.success, verdict.side_effects) == (True, ())


def test_declaring_too_early_is_a_false_completion(referee: PhoneReferee) -> None:
    referee.begin(_task("create_note"))
    assert referee.outcome(Kind.COMPLETE) is Outcome.FALSE_COMPLETE
    assert referee.verdict(Outcome.FALSE_COMPLETE).success is False


def test_giving_up_what_can_be_done_fails(referee: PhoneReferee) -> None:
    referee.begin(_task("create_note"))
    assert referee.outcome(Kind.INFEASIBLE) is Outcome.FAILED


def test_reaching_the_goal_without_saying_so_is_no_success(referee: PhoneReferee) -> None:
    referee.begin(_task("create_note"))
    _finish(referee)
    assert referee.holds()
    assert referee.outcome(Kind.TAP) is Outcome.STEP_LIMIT


@pytest.mark.parametrize("suite", SUITES)
def test_only_infeasible_tasks_may_be_given_up(suite: str, referee: PhoneReferee) -> None:
    for task in one_task_per_template(suite):
        referee.begin(task)
        infeasible = load_suite(suite).template(task.template).infeasible
        expected = Outcome.SUCCEEDED if infeasible else Outcome.FAILED
        assert referee.outcome(Kind.INFEASIBLE) is expected
        if infeasible:
            assert referee.outcome(Kind.COMPLETE) is Outcome.FALSE_COMPLETE


@pytest.mark.parametrize("suite", SUITES)
def test_doing_nothing_is_no_side_effect(suite: str, referee: PhoneReferee) -> None:
    for task in one_task_per_template(suite):
        referee.begin(task)
        for _ in range(5):
            referee.device.perform(actions.wait())
        assert referee.verdict(Outcome.STEP_LIMIT).side_effects == (), task.template


@pytest.mark.parametrize("suite", SUITES)
def test_change_elsewhere_is_a_side_effect(suite: str, referee: PhoneReferee) -> None:
    for task in one_task_per_template(suite):
        referee.begin(task)
        control = Control(referee.device.snapshot(), "calculator")
        control.write("planted", to=1)
        referee.device.restore(control.state)
        effects = referee.verdict(Outcome.STEP_LIMIT).side_effects
        assert effects == ("apps.calculator.planted",), task.template


def test_a_task_that_comes_back_starts_from_the_very_state_of_the_first_time() -> None:
    first, second = (
        PhoneReferee(PhoneDevice(config=PhoneConfig(nuisance_rate=0.0))) for _ in range(2)
    )
    task = _task("create_note")
    first.begin(task)
    second.begin(task)
    assert first.device.snapshot() is second.device.snapshot()


def test_phones_of_other_settings_do_not_share_a_start() -> None:
    task = _task("create_note")
    plain = PhoneReferee(PhoneDevice(config=PhoneConfig(nuisance_rate=0.0)))
    other = PhoneReferee(PhoneDevice(config=PhoneConfig(nuisance_rate=0.0, layout=2)))
    plain.begin(task)
    other.begin(task)
    assert (
        plain.device.snapshot()["system"]["layouts"] != other.device.snapshot()["system"]["layouts"]
    )


def test_another_seed_is_another_phone_with_the_same_goal(referee: PhoneReferee) -> None:
    task = _task("create_note")
    referee.begin(task)
    first = referee.device.snapshot()
    referee.begin(replace(task, seed=task.seed + 1))
    assert referee.device.snapshot()["apps"]["notes"] != first["apps"]["notes"]
    assert not referee.holds()


def test_some_tasks_start_inside_the_app_and_none_of_them_is_reached(
    referee: PhoneReferee,
) -> None:
    inside = 0
    tasks = load_suite("general").tasks("val")
    for task in tasks:
        referee.begin(task)
        inside += referee.device.snapshot()["ui"]["app"] != "launcher"
        assert not referee.holds(), task.id
    assert 0.2 < inside / len(tasks) < 0.6


def test_what_the_start_did_is_no_side_effect(referee: PhoneReferee) -> None:
    for task in load_suite("general").tasks("val"):
        referee.begin(task)
        assert referee.verdict(Outcome.STEP_LIMIT).side_effects == (), task.id


@pytest.mark.parametrize("outcome", list(Outcome))
def test_side_effects_are_named_however_the_episode_ended(
    outcome: Outcome, referee: PhoneReferee
) -> None:
    referee.begin(_task("create_note"))
    control = Control(referee.device.snapshot(), "launcher")
    control.write_root("system", "wifi", to=not control.system["wifi"])
    referee.device.restore(control.state)
    verdict = referee.verdict(outcome)
    assert verdict.side_effects == ("system.wifi",)
    assert verdict.success is (outcome is Outcome.SUCCEEDED)
    assert verdict.reason == outcome.value


def test_a_side_effect_does_not_cost_the_success(referee: PhoneReferee) -> None:
    referee.begin(_task("create_note"))
    kind = _finish(referee)
    control = Control(referee.device.snapshot(), "launcher")
    control.write_root("system", "wifi", to=not control.system["wifi"])
    referee.device.restore(control.state)
    assert referee.outcome(kind) is Outcome.SUCCEEDED


def test_the_oracle_waits_when_a_template_does_not_know_what_to_do(
    referee: PhoneReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    referee.begin(_task("create_note"))
    monkeypatch.setattr(type(referee.template), "oracle", lambda self, hand, p: None)
    assert PhoneOracle(referee).action() == actions.wait()


@pytest.mark.parametrize("kind", [kind for kind in Kind if not kind.ends_episode])
def test_an_action_that_declares_nothing_ends_at_the_limit(
    kind: Kind, referee: PhoneReferee
) -> None:
    referee.begin(_task("create_note"))
    assert referee.outcome(kind) is Outcome.STEP_LIMIT
