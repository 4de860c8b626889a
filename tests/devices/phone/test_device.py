from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.contracts.device import StatefulDeviceContract, assert_same

from distrl import actions
from distrl.config.devices import PhoneConfig
from distrl.config.load import checked
from distrl.devices.phone.control import Control
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.paint import render
from distrl.devices.phone.ui.view import View
from distrl.errors import ConfigError, DeviceLost
from distrl.interfaces import Device
from distrl.tasks.referee import PhoneReferee
from distrl.tasks.suites import load_suite
from distrl.types import Action, Pixels


class PhoneContract(StatefulDeviceContract):
    """The promises on a phone made with some settings."""

    settings = PhoneConfig()

    def make_device(self) -> PhoneDevice:
        return PhoneDevice("phone-7", self.settings)

    def effective_action(self, device: Device) -> Action:
        return actions.swipe(0.5, 0.8, 0.5, 0.3)  # pulls the app drawer up


class TestQuietPhone(PhoneContract):
    settings = PhoneConfig(nuisance_rate=0.0)


class TestTiresomePhone(PhoneContract):
    settings = PhoneConfig(nuisance_rate=1.0)


class TestPhoneInTheSecondLayout(PhoneContract):
    settings = PhoneConfig(nuisance_rate=1.0, layout=2)


class TestPhoneWithoutElementsAndWithAnOddScreen(PhoneContract):
    settings = PhoneConfig(width=101, height=233, elements=False)


def test_pixels_are_drawn_lazily_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    real = render.render

    def counted(view: View, width: int, height: int) -> Pixels:
        drawn.append((width, height))
        return real(view, width, height)

    monkeypatch.setattr(render, "render", counted)
    device = PhoneDevice(config=PhoneConfig(width=90, height=200))
    seen = device.observe()
    device.perform(actions.press("home"))
    assert drawn == []
    _ = seen.screen, seen.screen
    assert drawn == [(90, 200)]


def test_screen_has_the_configured_size() -> None:
    settings = PhoneConfig(width=72, height=160)
    assert PhoneDevice(config=settings).observe().screen.shape == (160, 72, 3)
    assert PhoneDevice().observe().screen.shape == (400, 180, 3)


def test_elements_can_be_withheld() -> None:
    assert PhoneDevice(config=PhoneConfig(elements=False)).observe().elements is None


def test_snapshot_is_a_reference_and_a_fork_shares_it() -> None:
    device = PhoneDevice()
    assert device.fork().snapshot() is device.snapshot()


def test_phone_starts_in_the_state_of_seed_zero() -> None:
    fresh, reset = PhoneDevice(), PhoneDevice()
    reset.reset(5)
    reset.reset(0)
    assert_same(fresh.observe(), reset.observe())


def test_different_seeds_start_differently() -> None:
    device = PhoneDevice()
    frames = []
    for seed in range(4):
        device.reset(seed)
        frames.append(device.observe().screen)
    assert not any(np.array_equal(frames[0], other) for other in frames[1:])


def test_closed_phone_says_its_name() -> None:
    device = PhoneDevice("phone-3")
    device.close()
    with pytest.raises(DeviceLost, match="phone-3 is closed"):
        device.observe()


def test_layout_can_be_chosen_per_app() -> None:
    device = PhoneDevice(config=PhoneConfig(layouts={"clock": 2}))
    layouts = device.snapshot()["system"]["layouts"]
    assert layouts == {"clock": 2}
    device = PhoneDevice(config=PhoneConfig(layout=2, layouts={"clock": 1}))
    layouts = device.snapshot()["system"]["layouts"]
    assert (layouts["clock"], layouts["notes"], layouts["system"]) == (1, 2, 2)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"width": 0}, "width"),
        ({"height": -1}, "height"),
        ({"nuisance_rate": 1.5}, "nuisance_rate"),
        ({"nuisance_rate": float("nan")}, "nuisance_rate"),
        ({"nuisance_weights": {"adds": 1.0}}, "did you mean 'ad'"),
        ({"layouts": {"clok": 2}}, "did you mean 'clock'"),
        ({"layouts": {"clock": 0}}, "layout"),
        ({"layout": 0}, "layout"),
    ],
)
def test_settings_that_cannot_be_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        PhoneDevice(config=checked(PhoneConfig, wrong))


def test_apps_are_updated_in_the_middle_of_a_run_and_keep_their_data() -> None:
    phone = PhoneDevice(config=PhoneConfig(nuisance_rate=0.0))
    control = Control(phone.snapshot(), "launcher")
    control.start("clock")
    phone.restore(control.state)
    before = phone.observe()
    data = phone.snapshot()["apps"]["clock"]
    phone.update_apps({"clock": 2})
    after = phone.observe()
    assert before.elements != after.elements
    assert not np.array_equal(before.screen, after.screen)
    assert phone.snapshot()["apps"]["clock"] is data
    phone.reset(3)
    assert phone.snapshot()["system"]["layouts"]["clock"] == 2


def test_a_task_starts_in_the_new_layout_after_an_update() -> None:
    phone = PhoneDevice(config=PhoneConfig(nuisance_rate=0.0))
    referee = PhoneReferee(phone)
    task = load_suite("general").tasks("val")[0]
    referee.begin(task)
    assert phone.snapshot()["system"]["layouts"].get("notes", 1) == 1
    phone.update_apps({"notes": 2})
    referee.begin(task)
    assert phone.snapshot()["system"]["layouts"]["notes"] == 2


def test_an_update_of_an_app_that_is_not_there_is_refused() -> None:
    phone = PhoneDevice()
    with pytest.raises(ConfigError, match="clock"):
        phone.update_apps({"clok": 2})


@pytest.mark.parametrize("layout", [1, 2])
def test_a_default_layout_holds_for_all_apps_but_those_chosen(layout: int) -> None:
    settings = PhoneConfig(layout=layout, layouts={"clock": 1})
    layouts = PhoneDevice(config=settings).snapshot()["system"]["layouts"]
    assert layouts.get("clock", 1) == 1
    assert layouts.get("notes", 1) == layout
    assert layouts.get("launcher", 1) == layout


def test_a_fork_goes_its_own_way() -> None:
    device = PhoneDevice(config=PhoneConfig(nuisance_rate=0.0))
    twin = device.fork()
    twin.perform(actions.swipe(0.5, 0.8, 0.5, 0.3))
    assert twin.observe().elements != device.observe().elements
    assert twin.id != device.id
    assert twin.config is device.config


def test_a_restored_snapshot_is_the_same_phone() -> None:
    device = PhoneDevice(config=PhoneConfig(nuisance_rate=0.0))
    kept, before = device.snapshot(), device.observe()
    device.perform(actions.swipe(0.5, 0.8, 0.5, 0.3))
    device.restore(kept)
    assert_same(device.observe(), before)


def test_an_observation_keeps_what_it_showed() -> None:
    device = PhoneDevice(config=PhoneConfig(nuisance_rate=0.0))
    before = device.observe()
    picture = before.screen.copy()
    device.perform(actions.swipe(0.5, 0.8, 0.5, 0.3))
    late = device.fork().observe()
    np.testing.assert_array_equal(before.screen, picture)
    assert not np.array_equal(late.screen, picture)


def test_an_observation_tells_app_and_keyboard() -> None:
    device = PhoneDevice(config=PhoneConfig(nuisance_rate=0.0))
    seen = device.observe()
    assert (seen.app, seen.keyboard) == ("launcher", False)
    control = Control(device.snapshot(), "launcher")
    control.start("browser", "search")
    control.focus("address")
    device.restore(control.state)
    assert (device.observe().app, device.observe().keyboard) == ("browser", True)


@pytest.mark.parametrize("call", ["observe", "snapshot", "fork"])
def test_a_closed_phone_answers_nothing(call: str) -> None:
    device = PhoneDevice("phone-9")
    device.close()
    device.close()
    with pytest.raises(DeviceLost, match="phone-9 is closed"):
        getattr(device, call)()


def test_an_update_of_the_system_changes_the_shade() -> None:
    device = PhoneDevice(config=PhoneConfig(nuisance_rate=0.0))
    device.update_apps({"system": 2})
    device.perform(actions.swipe(0.5, 0.01, 0.5, 0.5))
    tiles = [e for e in device.observe().elements or () if e.role == "switch"]
    assert not any(tile.text for tile in tiles)


def test_settings_are_frozen_and_their_maps_are_their_own() -> None:
    one, two = PhoneConfig(), PhoneConfig()
    assert one == two
    assert one.layouts is not two.layouts
    with pytest.raises(ValueError, match="frozen"):
        one.width = 3  # type: ignore[misc]
