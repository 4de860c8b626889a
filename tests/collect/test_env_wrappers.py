from __future__ import annotations

import pytest
from tests.devices.test_fake import SCRIPT
from tests.envs.fakes import FakeReferee, make_task

from distrl import actions
from distrl.collect.env_wrappers import EnvWrappers, LeasedEnv, MakeEnv, wrapped_env
from distrl.devices.fake import FakeDevice
from distrl.envs.device_env import DeviceEnv
from distrl.errors import DeviceLost
from distrl.interfaces import Device, Env, WrappedEnv
from distrl.types import Observation, Outcome, Task


def make_env(device: Device) -> Env:
    return DeviceEnv(device, FakeReferee())


class Named(WrappedEnv):
    """Says when a reset passes it."""

    def __init__(self, inner: Env, name: str, passed: list[str]) -> None:
        super().__init__(inner)
        self._name, self._passed = name, passed

    def reset(self, task: Task) -> Observation:
        self._passed.append(self._name)
        return super().reset(task)


def test_a_call_passes_lease_watch_and_record_in_this_order() -> None:
    passed: list[str] = []

    def record(device: Device, make_env: MakeEnv) -> Env:
        return Named(make_env(device), "record", passed)

    def watch(env: Env) -> Env:
        return Named(env, "watch", passed)

    def heartbeat() -> bool:
        passed.append("lease")
        return True

    wrappers = EnvWrappers(record=record, watch=watch)
    env = wrapped_env(FakeDevice(SCRIPT), make_env, wrappers, heartbeat)
    env.reset(make_task())
    assert passed == ["lease", "watch", "record", "lease"]


def test_without_wrappers_there_is_the_lease_around_the_environment() -> None:
    env = wrapped_env(FakeDevice(SCRIPT), make_env, EnvWrappers(), lambda: True)
    assert isinstance(env, LeasedEnv)
    assert isinstance(env.inner, DeviceEnv)


def test_a_device_that_was_taken_away_is_not_called_any_more() -> None:
    leased, passed = True, list[str]()
    env = LeasedEnv(Named(make_env(FakeDevice(SCRIPT)), "inside", passed), lambda: leased)
    env.reset(make_task())
    leased = False
    transition = env.step(actions.tap(0.5, 0.5))
    assert transition.outcome is Outcome.DEVICE_LOST
    assert transition.truncated
    assert "taken away" in transition.fault
    assert env.verdicts() == ()
    with pytest.raises(DeviceLost, match="taken away"):
        env.reset(make_task())
    assert passed == ["inside"]


def test_what_a_device_showed_while_it_was_taken_away_is_not_seen() -> None:
    beats = iter([True, False])
    env = LeasedEnv(make_env(FakeDevice(SCRIPT)), lambda: next(beats))
    with pytest.raises(DeviceLost, match="taken away"):
        env.reset(make_task())
