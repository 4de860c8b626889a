from typing import Any

import pytest
from tests.envs.fakes import FakeDevice, FakeReferee, make_task

from distrl import actions
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_env import DeviceEnv
from distrl.errors import ActionError, ConfigError, DeviceLost, TaskError
from distrl.interfaces import Transition
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.suites import load_suite
from distrl.types import Action, Outcome

TAP = actions.tap(0.5, 0.5)


def play(env: DeviceEnv, *line: Action, step_limit: int = 3) -> list[Transition]:
    env.reset(make_task(step_limit))
    return [env.step(action) for action in line]


@pytest.mark.parametrize(
    ("last", "holds", "outcome"),
    [
        (actions.complete(), True, Outcome.SUCCEEDED),
        (actions.complete(), False, Outcome.FALSE_COMPLETE),
        (actions.infeasible(), True, Outcome.FAILED),
        (TAP, True, Outcome.STEP_LIMIT),
    ],
)
def test_every_ending_of_the_policy_s_own_is_terminal(
    last: Action, holds: bool, outcome: Outcome
) -> None:
    env = DeviceEnv(FakeDevice(), FakeReferee(holds=holds))
    *before, end = play(env, TAP, TAP, last)
    assert [t.outcome for t in before] == [None, None]
    assert not any(t.terminated or t.truncated for t in before)
    assert end.outcome is outcome
    assert end.terminated
    assert not end.truncated


def test_only_the_last_step_of_a_success_is_rewarded() -> None:
    env = DeviceEnv(FakeDevice(), FakeReferee())
    assert [t.reward for t in play(env, TAP, TAP, actions.complete())] == [0.0, 0.0, 1.0]
    failing = DeviceEnv(FakeDevice(), FakeReferee(holds=False))
    assert [t.reward for t in play(failing, TAP, actions.complete())] == [0.0, 0.0]


def test_declarations_do_not_touch_the_device() -> None:
    device = FakeDevice()
    play(DeviceEnv(device, FakeReferee()), TAP, actions.complete())
    assert device.performed == [TAP]


def test_the_verdict_of_the_referee_is_kept_until_the_next_reset() -> None:
    env = DeviceEnv(FakeDevice(), FakeReferee(effects=("apps.clock.alarms.a",)))
    assert env.verdicts() == ()
    play(env, actions.complete())
    (verdict,) = env.verdicts()
    assert verdict.success
    assert verdict.side_effects == ("apps.clock.alarms.a",)
    env.reset(make_task())
    assert env.verdicts() == ()


def test_a_lost_device_cuts_the_episode_off() -> None:
    env = DeviceEnv(FakeDevice(lost_at=1), FakeReferee())
    _, end = play(env, TAP, TAP)
    assert (end.terminated, end.truncated, end.outcome) == (False, True, Outcome.DEVICE_LOST)
    assert end.reward == 0.0
    assert "the cable was pulled" in end.fault
    assert env.verdicts() == ()


def test_a_check_that_fails_by_itself_is_the_task_s_error() -> None:
    env = DeviceEnv(FakeDevice(), FakeReferee(holds=KeyError("alarms")))
    (end,) = play(env, actions.complete())
    assert (end.terminated, end.truncated, end.outcome) == (False, True, Outcome.TASK_ERROR)
    assert "KeyError('alarms')" in end.fault


def test_a_set_up_that_fails_by_itself_raises_a_task_error() -> None:
    env = DeviceEnv(FakeDevice(), FakeReferee(begins=KeyError("alarms")))
    with pytest.raises(TaskError, match=r"setting made/up/0 up: KeyError\('alarms'\)"):
        env.reset(make_task())


@pytest.mark.parametrize("error", [DeviceLost("gone"), ConfigError("no such suite")])
def test_what_already_has_a_name_keeps_it(error: Exception) -> None:
    env = DeviceEnv(FakeDevice(), FakeReferee(begins=error))
    with pytest.raises(type(error), match=str(error)):
        env.reset(make_task())


def test_a_step_needs_a_running_episode() -> None:
    env = DeviceEnv(FakeDevice(), FakeReferee())
    with pytest.raises(TaskError, match="reset the environment first"):
        env.step(TAP)
    play(env, actions.complete())
    with pytest.raises(TaskError, match="reset the environment first"):
        env.step(TAP)


def test_closing_releases_the_device() -> None:
    device = FakeDevice()
    DeviceEnv(device, FakeReferee()).close()
    assert device.closed


def test_the_oracle_succeeds_on_the_phone_and_is_rewarded_once() -> None:
    task = next(t for t in load_suite("general").tasks("train") if t.template == "start_timer")
    device = PhoneDevice("phone-7")
    referee = PhoneReferee(device)
    env, oracle = DeviceEnv(device, referee), PhoneOracle(referee)
    env.reset(task)
    rewards = []
    transition = None
    while transition is None or transition.outcome is None:
        transition = env.step(oracle.action())
        rewards.append(transition.reward)
    assert transition.outcome is Outcome.SUCCEEDED
    assert rewards == [0.0] * (len(rewards) - 1) + [1.0]
    assert env.device_id == "phone-7"
    assert env.verdicts()[0].side_effects == ()


def test_the_phone_lost_in_the_middle_costs_one_episode() -> None:
    task = load_suite("general").tasks("val")[0]
    device = PhoneDevice()
    env = DeviceEnv(device, PhoneReferee(device))
    env.reset(task)
    device.close()
    assert env.step(actions.wait()).outcome is Outcome.DEVICE_LOST


def test_an_action_that_the_device_does_not_have_is_a_step_without_effect() -> None:
    class Touchless(FakeDevice):
        def perform(self, action: Action) -> None:
            raise ActionError("it cannot tap")

    env = DeviceEnv(Touchless(), FakeReferee())
    env.reset(make_task(step_limit=2))
    first, last = env.step(actions.tap(0.5, 0.5)), env.step(actions.tap(0.5, 0.5))
    assert (first.outcome, first.refused) == (None, "it cannot tap")
    assert (last.terminated, last.refused) == (True, "it cannot tap")


def test_an_answer_ends_the_episode_as_complete_does_where_nothing_is_asked() -> None:
    said = actions.answer("7:30")
    device = FakeDevice()
    ends = [
        play(DeviceEnv(device, FakeReferee(holds=holds)), said)[-1].outcome
        for holds in (True, False)
    ]
    assert ends == [Outcome.SUCCEEDED, Outcome.FALSE_COMPLETE]
    assert said not in device.performed, "it is said to whoever judges"


def test_a_referee_that_asks_hears_the_answer() -> None:
    class Asking(FakeReferee):
        def answered(self, text: str) -> Outcome:
            return Outcome.SUCCEEDED if text == "yes" else Outcome.FALSE_COMPLETE

    for said, outcome in (("yes", Outcome.SUCCEEDED), ("no", Outcome.FALSE_COMPLETE)):
        env = DeviceEnv(FakeDevice(), Asking(holds=False))
        assert play(env, actions.answer(said))[-1].outcome is outcome


def test_an_episode_is_saved_and_gone_on_with_on_another_phone() -> None:
    task = load_suite("general").tasks("train")[3]
    device, other = PhoneDevice("one"), PhoneDevice("other")
    referee = PhoneReferee(device)
    env, twin = DeviceEnv(device, referee), DeviceEnv(other, PhoneReferee(other))
    oracle = PhoneOracle(referee)
    env.reset(task)
    env.step(oracle.action())
    saved = env.save()
    line: list[Action] = []
    end = None
    while end is None or end.outcome is None:
        line.append(oracle.action())
        end = env.step(line[-1])
    assert end.outcome is Outcome.SUCCEEDED
    for _ in range(2):
        assert twin.resume(saved).elements == saved_elements(saved.device)
        assert [twin.step(action).outcome for action in line][-1] is Outcome.SUCCEEDED
    assert twin.verdicts() == env.verdicts()


def saved_elements(state: dict[str, Any]) -> object:
    device = PhoneDevice("looked at")
    device.restore(state)
    return device.observe().elements


def test_an_episode_on_a_device_without_a_state_cannot_be_saved() -> None:
    env = DeviceEnv(FakeDevice(), FakeReferee())
    env.reset(make_task())
    with pytest.raises(TaskError, match="the state of fake-0 cannot be taken out and put back"):
        env.save()
