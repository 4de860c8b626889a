from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.devices.adb_tools import eventually, needs_adbutils
from tests.devices.stand_in import gone, write_stand_in
from tests.run.conftest import small_config

from distrl import actions
from distrl.clock import RealClock, VirtualClock
from distrl.collect.episode import run_episode
from distrl.config import RunConfig
from distrl.devices.android.device import AndroidDevice
from distrl.devices.android.emulator import Emulator
from distrl.devices.fleet.fleet import Fleet
from distrl.devices.fleet.health import HealthLimits
from distrl.errors import ConfigError, DeviceError
from distrl.interfaces import innermost
from distrl.policies.random import RandomPolicy
from distrl.run.builders.android import Phones
from distrl.run.local.pipeline import make_devices, make_env
from distrl.tasks.suites import load_suite

GOALS = """
tasks:
  - goal: Turn Wi-Fi on
    step_limit: 2
    start: {settings: {global.wifi_on: "0"}}
    check: [{setting: global.wifi_on, is: "1"}]
"""
ANY_APP = 'collect.android.safety.apps=["*"]'


@pytest.fixture
def config(tmp_path: Path) -> RunConfig:
    goals = tmp_path / "goals.yaml"
    goals.write_text(GOALS)
    return small_config(
        f"tasks.suite={goals}",
        "collect.devices=0",
        "collect.android.emulators.count=2",
        "collect.android.emulators.avd=pixel",
        f"collect.android.emulators.program={write_stand_in(tmp_path)}",
        "collect.android.emulators.first_port=5660",
        "collect.android.emulators.options=[-lowram]",
        ANY_APP,
    )


@pytest.fixture
def phones(config: RunConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Phones]:
    monkeypatch.setenv("HOME", str(tmp_path))
    # What stands in for an emulator is taken for a phone that this package knows nothing of.
    monkeypatch.setattr("distrl.devices.android.device._SERVED_PRODUCT", "another")
    opened = Phones(config, RealClock(), logs=tmp_path / "logs")
    try:
        yield opened
    finally:
        opened.close()


def _emulators(phones: Phones) -> list[Emulator]:
    assert phones.group is not None
    return phones.group.emulators


def test_emulators_count_as_phones(config: RunConfig) -> None:
    assert config.collect.android.phones == 2


def test_emulators_need_a_template_apps_and_goals_of_their_own() -> None:
    with pytest.raises(ConfigError, match="avd is empty"):
        small_config("collect.android.emulators.count=1", ANY_APP)
    one = ("collect.android.emulators.count=1", "collect.android.emulators.avd=pixel")
    with pytest.raises(ConfigError, match=r"collect\.android\.safety\.apps is empty"):
        small_config(*one)
    with pytest.raises(ConfigError, match=r"cannot play 'general'.*tasks\.suite=FILE\.yaml"):
        Phones(small_config(*one, ANY_APP), VirtualClock())


@needs_adbutils
@pytest.mark.slow
def test_every_reset_of_a_runs_emulator_is_its_snapshot(config: RunConfig, phones: Phones) -> None:
    devices = make_devices(config, RealClock(), phones)
    assert [device.id for device in devices] == [e.serial for e in _emulators(phones)]
    pids = [emulator.pid for emulator in _emulators(phones)]
    inside = innermost(devices[0])
    assert isinstance(inside, AndroidDevice)
    inside.phone.put_setting("global", "bluetooth_on", "1")
    inside.phone.put_setting("global", "wifi_on", "0")
    (task,) = load_suite(config.tasks.suite).tasks("train")
    episode = run_episode(
        make_env(devices[0]), RandomPolicy(), task, clock=RealClock(), episode_id="e"
    )
    assert episode.outcome.trainable, episode.fault
    devices[0].reset(0)
    assert inside.phone.setting("global", "wifi_on") == "1"
    assert [emulator.pid for emulator in _emulators(phones)] == pids
    phones.close()
    assert all(pid is not None and gone(pid) for pid in pids)


@needs_adbutils
@pytest.mark.slow
def test_emulator_that_dies_is_started_again_by_the_probe(
    config: RunConfig, phones: Phones, tmp_path: Path
) -> None:
    clock = RealClock()
    limits = HealthLimits(quarantine_after=1, first_seconds=0.1)
    fleet = Fleet(make_devices(config, clock, phones), clock=clock, limits=limits)
    victim, other = _emulators(phones)
    lease, kept = fleet.lease(timeout=1.0), fleet.lease(timeout=1.0)
    assert lease is not None
    assert kept is not None
    lease.device.reset(0)
    first = victim.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert eventually(lambda: victim.pid is None)
    with pytest.raises(DeviceError) as caught:
        lease.device.perform(actions.press("home"))
    fleet.record_episode(lease, lost=True, fault=str(caught.value))
    assert fleet.give_back(lease)
    assert fleet.states()[victim.serial][0] == "quarantined"

    healed = fleet.lease(timeout=60.0)
    assert healed is not None
    assert healed.device.id == victim.serial
    assert healed.device.observe().elements
    second = victim.pid
    assert second not in (None, first)
    assert len(victim.boots) == 2
    assert len(other.boots) == 1
    assert (tmp_path / "logs" / f"{victim.serial}.log").exists()
    fleet.close()
    phones.close()
    assert all(pid is not None and gone(pid) for pid in (first, second))
