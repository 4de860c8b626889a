from __future__ import annotations

import numpy as np
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


@pytest.mark.parametrize(
    ("start", "moves"),
    [("hom", {}), ("home", {("hom", "x"): "home"}), ("home", {("home", "x"): "hom"})],
)
def test_every_name_of_a_script_is_checked(start: str, moves: dict[tuple[str, str], str]) -> None:
    with pytest.raises(ConfigError, match="unknown screen 'hom'"):
        Script(screens={"home": ()}, moves=moves, start=start)


@pytest.mark.parametrize(
    ("action", "led"),
    [
        (actions.tap(*OPEN.center), True),
        (actions.long_press(*OPEN.center), True),
        (actions.tap(0.5, 0.9), False),
        (actions.type_text("Open"), True),
        (actions.press("home"), False),
        (actions.wait(), False),
        (actions.complete(), False),
    ],
)
def test_what_happened_is_told_by_its_words(action: Action, led: bool) -> None:
    device = FakeDevice(SCRIPT)
    device.perform(action)
    assert device.observe().app == ("form" if led else "home")


def test_screens_are_drawn_by_what_is_on_them() -> None:
    device = FakeDevice(SCRIPT, size=(10, 20))
    home = device.observe().screen
    assert home.shape == (20, 10, 3)
    assert not home.flags.writeable
    top, bottom = home[3, 5].tolist(), home[15, 5].tolist()
    assert top != bottom == [255, 255, 255]
    device.perform(actions.tap(*OPEN.center))
    assert not np.array_equal(device.observe().screen, home)


def test_snapshot_holds_where_the_script_is_and_a_fork_goes_its_own_way() -> None:
    device = FakeDevice(SCRIPT, fail_on_step=3)
    device.perform(actions.tap(*OPEN.center))
    twin = device.fork()
    assert twin.id == "fake-0-fork"
    for _ in range(5):
        twin.perform(actions.press("back"))  # the fault is the device's own
    assert (device.observe().app, twin.observe().app) == ("form", "home")
    saved = device.snapshot()
    device.perform(actions.press("back"))
    device.restore(saved)
    assert device.observe().app == "form"
    assert device.snapshot()["steps"] == 1


def test_fault_counts_steps_since_the_last_reset() -> None:
    device = FakeDevice(SCRIPT, fail_on_step=2)
    for _ in range(4):
        device.perform(actions.wait())
        device.reset(0)
    device.perform(actions.wait())
    with pytest.raises(DeviceLost):
        device.perform(actions.wait())
    with pytest.raises(DeviceLost, match="as it was asked to be"):
        device.snapshot()


def test_device_that_is_closed_does_nothing_any_more() -> None:
    device = FakeDevice(SCRIPT)
    saved = device.snapshot()
    device.close()
    for call in (
        lambda: device.reset(0),
        device.observe,
        device.snapshot,
        device.fork,
        lambda: device.restore(saved),
        lambda: device.perform(actions.wait()),
    ):
        with pytest.raises(DeviceLost, match="fake-0 is closed"):
            call()
