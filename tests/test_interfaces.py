from __future__ import annotations

import pytest

from distrl.clock import RealClock, VirtualClock
from distrl.config.devices import SafetyConfig
from distrl.devices.android.safety import GuardedDevice
from distrl.devices.cassette import Recorder
from distrl.devices.fake import FakeDevice, Script
from distrl.devices.fault_injection import SlowDevice
from distrl.devices.phone.device import PhoneDevice
from distrl.interfaces import Clock, Device, Oracle, StatefulDevice, innermost
from distrl.tasks.referee import PhoneOracle, PhoneReferee


def test_shipped_devices_are_stateful_devices() -> None:
    devices: list[StatefulDevice] = [
        PhoneDevice(),
        FakeDevice(Script(screens={"home": ()}, start="home")),
    ]
    for device in devices:
        assert isinstance(device, Device)
        assert isinstance(device, StatefulDevice)


def test_shipped_clocks_are_clocks() -> None:
    clocks: list[Clock] = [RealClock(), VirtualClock()]
    assert all(clock.now() >= 0.0 for clock in clocks)


def test_phone_oracle_is_an_oracle() -> None:
    oracle: Oracle = PhoneOracle(PhoneReferee(PhoneDevice()))
    assert callable(oracle.action)


@pytest.mark.parametrize("missing", ["observe", "perform", "close"])
def test_object_without_a_method_is_no_device(missing: str) -> None:
    methods = {
        name: lambda *_: None
        for name in ("id", "kinds", "reset", "observe", "perform", "close")
        if name != missing
    }
    assert not isinstance(type("Half", (), methods)(), Device)


def test_the_innermost_device_is_found_through_all_that_is_around_it() -> None:
    phone = PhoneDevice()
    guarded = GuardedDevice(phone, SafetyConfig(opt_in=[phone.id], apps=["launcher"]))
    assert innermost(Recorder(SlowDevice(guarded, VirtualClock()))) is phone
    assert innermost(phone) is phone
