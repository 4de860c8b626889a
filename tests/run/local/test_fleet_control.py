from __future__ import annotations

from typing import Any

import pytest
from tests.collect.test_takeover import SITUATION, express
from tests.devices.fleet.test_fleet import make_fleet
from tests.devices.test_fake import SCRIPT

from distrl import actions
from distrl.collect.takeover import Takeover
from distrl.devices.fake import FakeDevice
from distrl.errors import ConfigError
from distrl.run.local.fleet_control import Control


def make() -> tuple[Control, Takeover]:
    takeover = Takeover(express, lambda: 0, patience=0.01)
    fleet = make_fleet(2)

    def join(serial: str, *, opted_in: bool) -> None:
        if not opted_in:
            raise ConfigError(f"nobody has opted in to {serial}")
        fleet.join(FakeDevice(SCRIPT, serial))

    return Control(fleet, takeover, join=join, leave=fleet.leave), takeover


def test_devices_are_quarantined_and_released_on_request() -> None:
    control, _ = make()
    control.handle({"do": "quarantine", "device": "fake-0"})
    assert control.states()["fake-0"]["state"] == "quarantined"
    assert control.states()["fake-0"]["cause"] == "by hand"
    control.handle({"do": "release", "device": "fake-0"})
    assert control.states()["fake-0"]["state"] == "free"


def test_a_device_is_taken_used_and_given_back() -> None:
    control, takeover = make()
    control.handle({"do": "take", "device": "fake-1"})
    assert control.states()["fake-1"]["taken"]
    control.handle({"do": "act", "device": "fake-1", "action": "press(back)"})
    choice = takeover.choose("fake-1", SITUATION)
    assert choice is not None
    assert choice.action == actions.press("back")
    control.handle({"do": "give", "device": "fake-1"})
    assert not control.states()["fake-1"]["taken"]


def test_devices_join_and_leave_on_request() -> None:
    control, _ = make()
    control.handle({"do": "join", "device": "R58N", "opt_in": True})
    assert control.states()["R58N"]["state"] == "free"
    control.handle({"do": "leave", "device": "fake-0"})
    assert list(control.states()) == ["fake-1", "R58N"]


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"do": "take"},
        {"do": "take", "device": "nobody"},
        {"do": "take", "device": ["fake-0"]},
        {"do": "explode", "device": "fake-0"},
        {"do": "join", "device": "R58N"},
        {"do": "join", "device": "R58N", "opt_in": "yes"},
        {"do": "join", "device": "fake-0", "opt_in": True},
        {"do": "join", "opt_in": True},
        {"do": "leave", "device": "nobody"},
        {"do": "act", "device": "fake-0", "action": "rm -rf /"},
    ],
)
def test_whatever_else_is_asked_changes_nothing(request_: dict[str, Any]) -> None:
    control, _ = make()
    before = control.states()
    control.handle(request_)
    assert control.states() == before
