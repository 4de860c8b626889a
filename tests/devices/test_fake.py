from __future__ import annotations

import pytest
from tests.contracts.device import StatefulDeviceContract

from distrl import actions
from distrl.devices.fake import FakeDevice, Script
from distrl.errors import ActionError, ConfigError, DeviceLost
from distrl.types import Action, Element, Kind

OPEN = Element("button", "Open", bounds=(0.0, 0.1, 1.0, 0.3))
FIELD = Element("field", "", "Name", bounds=(0.0, 0.4, 1.0, 0.6), focused=True, editable=True)
SCRIPT = Script(
    screens={"home": (OPEN,), "form": (FIELD,), "thanks": ()},
    moves={
        ("home", "Open"): "form",
        ("form", "back"): "home",
        ("form", "Anna"): "thanks",
        ("thanks", "up"): "home",
    },
    start="home",
)


class TestFakeDevice(StatefulDeviceContract):
    def make_device(self) -> FakeDevice:
        return FakeDevice(SCRIPT)

    def effective_action(self, device: object) -> Action:
        return actions.tap(*OPEN.center)


def test_script_is_followed_by_touch_key_text_and_swipe() -> None:
    device = FakeDevice(SCRIPT)
    visited = []
    for action in (
        actions.tap(*OPEN.center),
        actions.press("back"),
        actions.tap(*OPEN.center),
        actions.type_text("Berta"),
        actions.type_text("Anna"),
        actions.swipe(0.5, 0.8, 0.5, 0.2),
    ):
        device.perform(action)
        visited.append(device.observe().app)
    assert visited == ["form", "home", "form", "form", "thanks", "home"]


def test_keyboard_is_shown_where_a_field_has_the_focus() -> None:
    device = FakeDevice(SCRIPT)
    assert not device.observe().keyboard
    device.perform(actions.tap(*OPEN.center))
    assert device.observe().keyboard


def test_fault_comes_at_its_step_and_lasts_until_reset() -> None:
    device = FakeDevice(SCRIPT, fail_on_step=2)
    device.perform(actions.wait())
    with pytest.raises(DeviceLost, match="fake-0 was lost"):
        device.perform(actions.wait())
    with pytest.raises(DeviceLost):
        device.observe()
    device.reset(0)
    for _ in range(5):
        device.perform(actions.wait())
    assert device.observe().app == "home"


def test_kind_that_is_switched_off_is_refused() -> None:
    device = FakeDevice(SCRIPT, kinds=frozenset({Kind.TAP}))
    with pytest.raises(ActionError, match="cannot swipe"):
        device.perform(actions.swipe(0.5, 0.5, 0.5, 0.1))


def test_script_that_leads_nowhere_is_refused() -> None:
    with pytest.raises(ConfigError, match="did you mean 'home'"):
        Script(screens={"home": ()}, moves={("home", "x"): "hom"}, start="home")
