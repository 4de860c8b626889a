from __future__ import annotations

import pytest

from distrl.clock import RealClock, VirtualClock
from distrl.devices.fake import FakeDevice, Script
from distrl.devices.phone.device import PhoneDevice
from distrl.interfaces import Clock, Device, Oracle, StatefulDevice
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
