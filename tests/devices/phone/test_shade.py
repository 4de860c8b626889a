from __future__ import annotations

import pytest
from tests.devices.phone.driver import Driver

from distrl import actions
from distrl.devices.phone.shade import TILES


@pytest.fixture
def driver() -> Driver:
    found = Driver()
    found.pull_shade()
    return found


def _notify(driver: Driver, *titles: str) -> None:
    notices = {
        title: {"app": "clock", "title": title, "text": "now", "page": "", "args": {}}
        for title in titles
    }
    driver.change("notices", to=notices)


@pytest.mark.parametrize(("key", "label"), [(key, label) for key, label, _ in TILES])
def test_tile_flips_its_setting_and_shows_it(driver: Driver, key: str, label: str) -> None:
    before = driver.state["system"][key]
    driver.tap(label)
    assert driver.state["system"][key] == (not before)
    tile = next(e for e in driver.elements if e.text == label)
    assert tile.checked == (not before)
    driver.tap(label)
    assert driver.state["system"][key] == before


def test_airplane_mode_takes_the_radios_with_it(driver: Driver) -> None:
    driver.tap("Bluetooth")
    driver.tap("Airplane mode")
    system = driver.state["system"]
    assert (system["wifi"], system["bluetooth"]) == (False, False)


def test_second_layout_has_icons_without_words() -> None:
    driver = Driver(layout=2)
    driver.pull_shade()
    tiles = [e for e in driver.elements if e.role == "switch"]
    assert len(tiles) == len(TILES)
    assert not any(tile.text or tile.description for tile in tiles)
    before = driver.state["system"]["flashlight"]
    driver.tap_icon("flashlight")
    assert driver.state["system"]["flashlight"] != before


def test_empty_shade_says_so(driver: Driver) -> None:
    assert driver.sees("No notifications")


def test_notification_opens_its_app_and_is_gone(driver: Driver) -> None:
    _notify(driver, "Timer")
    driver.tap("Timer: now")
    assert driver.app == "clock"
    assert not driver.state["ui"]["shade"]
    assert driver.state["notices"] == {}


def test_notification_is_wiped_away_sideways_only(driver: Driver) -> None:
    _notify(driver, "Timer", "Alarm")
    notice = driver.find("Alarm: now")
    assert notice is not None
    element = notice.element()
    assert element is not None
    x, y = element.center
    driver.perform(actions.swipe(x, y, x, y - 0.05))
    assert set(driver.state["notices"]) == {"Timer", "Alarm"}
    driver.perform(actions.swipe(x, y, 0.98, y))
    assert set(driver.state["notices"]) == {"Timer"}


def test_clear_all_clears_all(driver: Driver) -> None:
    _notify(driver, "One", "Two", "Three", "Four", "Five", "Six")
    driver.tap("Clear all")
    assert driver.state["notices"] == {}


def test_gear_opens_settings(driver: Driver) -> None:
    driver.tap_icon("settings")
    assert driver.app == "settings"
    assert not driver.state["ui"]["shade"]
