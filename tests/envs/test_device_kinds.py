from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.envs.coins import ENV, install_coins
from tests.envs.fakes import FakeDevice, make_task
from tests.packages import write_package

from distrl import actions
from distrl.clock import VirtualClock
from distrl.config.devices import PhoneConfig
from distrl.config.factors import Factor
from distrl.devices.fault_injection import SlowDevice
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.factors import draw_factor
from distrl.envs.device_env import DeviceEnv
from distrl.envs.device_kinds import (
    DeviceSettings,
    NoOracle,
    device_factory,
    env_on,
    make_device,
)
from distrl.envs.env_slot import EnvSlot
from distrl.errors import ConfigError, DeviceError
from distrl.run.evaluate import evaluate
from distrl.tasks.suites import load_suite


@pytest.fixture
def coins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_coins(tmp_path, monkeypatch)


def test_phones_are_made_as_they_are_asked_for() -> None:
    factory = device_factory("general", phone=PhoneConfig(elements=False))
    device = factory.make_device("phone-3")
    assert isinstance(device, PhoneDevice)
    assert (factory.kind, device.id, device.observe().elements) == ("phone", "phone-3", None)


def test_phones_draw_from_the_factors_that_they_are_offered() -> None:
    device = device_factory("general", factors=[Factor.DARK]).make_device("phone-3")
    assert isinstance(device, PhoneDevice)
    assert device.offered == (Factor.DARK,)


def test_factors_are_refused_where_devices_are_no_embedded_phones() -> None:
    with pytest.raises(ConfigError, match=r"factors are for embedded phones \(dark are named"):
        device_factory("miniwob", factors=[Factor.DARK])


def test_a_task_starts_as_its_phone_is_offered_factors() -> None:
    task = next(t for t in load_suite("general").tasks("val") if draw_factor([Factor.DARK], t.seed))
    starts = []
    for offered in ([], [Factor.DARK], []):
        device = PhoneDevice("phone", None, offered)
        env, _ = env_on(device)
        env.reset(task)
        starts.append(device.snapshot().get("factors"))
    assert starts == [None, ["dark"], None]


def test_slow_phone_is_refereed_at_itself() -> None:
    phone = PhoneDevice("phone-0")
    env, oracle = env_on(SlowDevice(phone, VirtualClock(), observe=1.0))
    assert isinstance(env, DeviceEnv)
    task = load_suite("general").tasks("val")[0]
    env.reset(task)
    assert oracle is not None and oracle.action() is not None


def test_device_that_nobody_knows_has_no_environment() -> None:
    with pytest.raises(ConfigError, match="no environment is known for fake-0"):
        env_on(FakeDevice())


@pytest.mark.usefixtures("coins")
def test_environment_of_a_plugin_is_a_slot_without_a_device() -> None:
    factory = device_factory("coins")
    slot = factory.make_device("slot-1")
    assert isinstance(slot, EnvSlot)
    assert (factory.kind, slot.id) == ("coins", "slot-1")
    env, oracle = env_on(slot)
    assert oracle is None
    env.reset(make_task(seed=1))
    assert env.step(actions.wait()).reward == 1.0
    for use in (slot.observe, lambda: slot.reset(0), lambda: slot.perform(actions.wait())):
        with pytest.raises(DeviceError, match="slot without a device"):
            use()
    slot.close()
    assert sys.modules["coins"].Env.closed == 1


@pytest.mark.usefixtures("coins")
def test_environment_of_a_plugin_is_evaluated_like_any_suite() -> None:
    report = evaluate("random", "coins", "val")
    assert report.overall.success == 0.5
    assert report.overall.oracle_steps is None
    with pytest.raises(ConfigError, match="nobody knows the way in coins"):
        evaluate("scripted", "coins", "val")


def test_suite_whose_device_kind_nobody_offers_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_package(tmp_path, "coins", {"distrl.suites": {"coins": "coins:suite"}}, {"coins": ENV})
    monkeypatch.syspath_prepend(tmp_path)
    load_suite.cache_clear()
    sys.modules.pop("coins", None)
    with pytest.raises(ConfigError, match="unknown device kind of the suite 'coins', 'coins'"):
        device_factory("coins")


def test_nobody_knows_the_way_where_there_is_no_oracle() -> None:
    with pytest.raises(ConfigError, match="nobody knows the way in miniwob"):
        NoOracle("miniwob").action()


def test_built_in_device_kinds_have_no_options() -> None:
    with pytest.raises(ConfigError, match="is for plug-ins, and 'phone' is built in"):
        device_factory("general", options={"size": 3})


def test_phones_over_adb_are_not_made_by_their_name() -> None:
    with pytest.raises(ConfigError, match=r"collect\.android\.serials"):
        make_device("android", "emulator-5554", DeviceSettings(suite="general"))


def test_page_needs_a_suite_with_pages() -> None:
    with pytest.raises(ConfigError, match="the suite 'general' has no pages"):
        make_device("page", "page-0", DeviceSettings(suite="general"))


def test_device_that_says_another_kind_is_refused(site: Path) -> None:
    kind = """
from distrl.devices.phone.device import PhoneDevice
class Kind:
    def make_device(self, device_id, settings): return PhoneDevice(device_id)
    def make_env(self, device, inside): raise NotImplementedError
"""
    write_package(site, "odd-ones", {"distrl.devices": {"odd": "odd:Kind"}}, {"odd": kind})
    with pytest.raises(ConfigError, match="no Device whose device_kind is 'odd'"):
        make_device("odd", "odd-0", DeviceSettings(suite="general"))
