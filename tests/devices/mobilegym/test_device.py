from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest
from tests.devices.browser.browsers import find, needs_chromium
from tests.tasks.mobilegym.standin import served

from distrl import actions
from distrl.devices.mobilegym.device import MobileGymDevice, _morning
from distrl.errors import DeviceLost
from distrl.types import Key

pytestmark = [pytest.mark.browser, needs_chromium]
__all__ = ["served"]


@pytest.fixture
def phone(served: str) -> Iterator[MobileGymDevice]:
    device = MobileGymDevice("phone", served)
    device.reset(0)
    yield device
    device.close()


def test_an_app_that_loads_when_it_is_opened_is_there_afterwards(phone: MobileGymDevice) -> None:
    phone.perform(actions.open_app("clock"))
    assert find(phone.observe(), "Off")
    phone.perform(actions.press(Key.HOME))
    phone.perform(actions.open_app("  uhr "))
    assert phone.shown().route == {"app": "clock", "path": "/"}


def test_an_app_that_is_not_there_changes_nothing(phone: MobileGymDevice) -> None:
    phone.perform(actions.open_app("Camera"))
    assert phone.shown().route == {}


def test_keys_of_the_phone_are_the_pages_own(phone: MobileGymDevice) -> None:
    phone.perform(actions.open_app("notes"))
    phone.perform(actions.press(Key.RECENTS))
    assert find(phone.observe(), "Recent apps")
    phone.perform(actions.press(Key.HOME))
    assert find(phone.observe(), "Uhr")


def test_gestures_that_take_time_are_over_when_they_return(phone: MobileGymDevice) -> None:
    phone.perform(actions.open_app("notes"))
    phone.perform(actions.long_press(0.5, 0.25))
    assert phone.shown().state["os"]["last"] == ["longPress", 180, 200, 800]
    phone.perform(actions.swipe(0.5, 0.75, 0.5, 0.25))
    assert phone.evaluate("scrollY") == 400
    phone.perform(actions.drag(0.5, 0.75, 0.5, 0.25))
    assert phone.shown().state["os"]["last"] == ["drag", {"x": 180, "y": 600}, {"x": 180, "y": 200}]


def test_keys_without_a_field_go_nowhere(phone: MobileGymDevice) -> None:
    before = phone.shown()
    phone.perform(actions.type_text("lost"))
    assert phone.shown() == before


def test_a_reset_forgets_everything_and_begins_this_morning(phone: MobileGymDevice) -> None:
    phone.patch({"apps": {"clock": {"alarm": True}}})
    assert phone.shown().state["apps"]["clock"] == {"alarm": True}
    phone.reset(1)
    state = phone.shown().state
    assert state["apps"]["clock"] == {"alarm": False}
    began = datetime.fromtimestamp(state["os"]["time"]["timestamp"] / 1000)
    assert abs((began.date() - datetime.now().date()).days) <= 1
    assert _morning(datetime(2026, 3, 4, 23, 59)) == 1_772_614_800_000


def test_data_of_apps_is_waited_for(phone: MobileGymDevice) -> None:
    phone.load(["notes"])
    assert phone.shown().state["os"]["loaded"] == ["notes"]
    phone.load(None)
    assert phone.shown().state["os"]["loaded"] == ["all"]


def test_a_page_that_is_no_phone_is_lost(served: str) -> None:
    device = MobileGymDevice("phone", f"{served}/app-notes.txt")
    with pytest.raises(DeviceLost, match="shows no phone of MobileGym"):
        device.reset(0)
    device.close()
