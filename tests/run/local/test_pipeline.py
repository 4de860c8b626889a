from __future__ import annotations

from tests.run.conftest import small_config

from distrl.clock import VirtualClock
from distrl.collect.episode import run_episode
from distrl.config.factors import Factor
from distrl.devices.fault_injection import SlowDevice
from distrl.devices.phone.device import PhoneDevice
from distrl.policies.random import RandomPolicy
from distrl.run.local.pipeline import make_devices, make_env, utilisation
from distrl.tasks.suites import load_suite


def test_there_are_as_many_phones_as_asked_for() -> None:
    devices = make_devices(small_config("collect.devices=3"), VirtualClock())
    assert [device.id for device in devices] == ["phone-0", "phone-1", "phone-2"]
    assert all(isinstance(device, PhoneDevice) for device in devices)


def test_a_step_of_a_slow_phone_takes_its_time() -> None:
    clock = VirtualClock()
    config = small_config("collect.devices=1", "collect.latency=0.25")
    (device,) = make_devices(config, clock)
    assert isinstance(device, SlowDevice)
    task = load_suite("general").tasks("train")[0]
    episode = run_episode(make_env(device), RandomPolicy(seed=1), task, clock=clock, episode_id="e")
    assert {round(step.device_seconds, 6) for step in episode.steps} == {0.25}
    assert round(episode.ended, 6) == round(0.25 * (1 + len(episode.steps)), 6)


def test_devices_are_not_called_idle_before_the_first_of_them_was_asked() -> None:
    assert utilisation(0.0, 12.0) == {}
    assert utilisation(6.0, 12.0) == {"collect/utilisation": 0.5}


def test_settings_of_tasks_reach_the_phones() -> None:
    (device,) = make_devices(
        small_config("collect.devices=1", "phone.elements=false"), VirtualClock()
    )
    assert device.observe().elements is None


def test_phones_of_training_draw_from_the_factors_of_the_tasks() -> None:
    devices = make_devices(small_config("tasks.factors=[dark,font]"), VirtualClock())
    assert {getattr(device, "offered", None) for device in devices} == {(Factor.DARK, Factor.FONT)}
    assert not any(device.config.factors for device in devices if isinstance(device, PhoneDevice))
