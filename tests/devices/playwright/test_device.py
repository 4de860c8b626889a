from __future__ import annotations

import base64
from collections.abc import Iterator

import pytest
from tests.contracts.device import DeviceContract
from tests.devices.browser.browsers import find, needs_chromium

from distrl import actions
from distrl.devices.playwright.device import PlaywrightDevice
from distrl.errors import ActionError
from distrl.types import Action, Key

pytestmark = [pytest.mark.browser, pytest.mark.slow, needs_chromium]
pytest.importorskip("playwright", reason="Playwright is not installed")

# A stay at the bottom: what is on the screen does not depend on when it is looked at.
PAGE = """<!doctype html><title>Shop</title><body style="margin:0;font:16px sans-serif">
<input id=who placeholder=Name><button onclick="said.textContent = 'Bought'">Buy</button>
<p id=said>Nothing</p><input type=date aria-label=Day>
<div ondblclick="said.textContent = 'Twice'">Double</div>
<a href="javascript:window.open('about:blank').document.title = 'Second'; void 0">Open</a>
<div style="height:3000px">Long</div><p>End</p></body>"""
START = f"data:text/html;base64,{base64.b64encode(PAGE.encode()).decode()}"


@pytest.fixture
def shop() -> Iterator[PlaywrightDevice]:
    device = PlaywrightDevice("shop", start=START)
    device.reset(0)
    yield device
    device.close()


class TestPlaywrightDevice(DeviceContract):
    @pytest.fixture(autouse=True)
    def _closing(self) -> Iterator[None]:
        self.made: list[PlaywrightDevice] = []
        yield
        for device in self.made:
            device.close()

    def make_device(self) -> PlaywrightDevice:
        device = PlaywrightDevice(f"page-{len(self.made)}", start=START)
        self.made.append(device)
        return device

    def effective_action(self, device: object) -> Action:
        assert isinstance(device, PlaywrightDevice)
        return actions.tap(*find(device.observe(), "Buy").center)


def tap(device: PlaywrightDevice, text: str) -> None:
    device.perform(actions.tap(*find(device.observe(), text).center))


def test_keys_go_into_the_field_that_was_tapped(shop: PlaywrightDevice) -> None:
    tap(shop, "Name")
    assert shop.observe().keyboard
    shop.perform(actions.type_text("Ann"))
    assert find(shop.observe(), "Name").text == "Ann"


def test_a_field_for_a_day_takes_it_as_a_whole(shop: PlaywrightDevice) -> None:
    tap(shop, "Day")
    shop.perform(actions.type_text("03/04/2026"))
    assert find(shop.observe(), "Day").text == "2026-03-04"


def test_two_taps_are_one_double_tap(shop: PlaywrightDevice) -> None:
    shop.perform(actions.double_tap(*find(shop.observe(), "Double").center))
    assert find(shop.observe(), "Twice")


def test_a_swipe_scrolls(shop: PlaywrightDevice) -> None:
    for _ in range(8):
        shop.perform(actions.swipe(0.5, 0.9, 0.5, 0.1))
    assert find(shop.observe(), "End")


def test_a_second_page_comes_to_the_front_and_goes_with_back(shop: PlaywrightDevice) -> None:
    tap(shop, "Open")
    assert shop.observe().app == "Second"
    shop.perform(actions.press(Key.BACK))
    assert shop.observe().app == "Shop"
    shop.perform(actions.press(Key.BACK))
    assert shop.observe().app == "Shop"


def test_a_page_has_no_recent_apps(shop: PlaywrightDevice) -> None:
    with pytest.raises(ActionError, match="no recent apps"):
        shop.perform(actions.press(Key.RECENTS))
