from __future__ import annotations

from itertools import combinations

import pytest
from tests.devices.phone.driver import Driver
from tests.devices.phone.ui.pages import overlaps

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


@pytest.mark.parametrize("layout", [1, 2])
def test_tiles_stand_in_the_order_of_the_phone(layout: int) -> None:
    driver = Driver(layout=layout)
    driver.pull_shade()
    icons = {key: icon for key, _, icon in TILES}
    shown = [icon for icon, *_ in driver.looks("tile")]
    assert shown == [icons[key] for key in driver.state["system"]["tiles"]]


@pytest.mark.parametrize("layout", [1, 2])
def test_tiles_do_not_overlap_each_other_or_what_is_below(layout: int) -> None:
    driver = Driver(layout=layout)
    driver.pull_shade()
    tiles = [w for w in driver.device.phone.view.widgets if w.role == "switch"]
    assert not any(overlaps(one, other) for one, other in combinations(tiles, 2))
    slider = driver.find("Brightness")
    assert slider is not None
    assert max(w.y + w.h for w in tiles) <= slider.y


@pytest.mark.parametrize(("key", "label"), [(key, label) for key, label, _ in TILES])
def test_a_tile_changes_nothing_but_its_setting(driver: Driver, key: str, label: str) -> None:
    radios = ["system.wifi"] if key == "airplane" else []
    with driver.changes(f"system.{key}", *radios):
        driver.tap(label)


def test_airplane_mode_that_ends_leaves_the_radios_off(driver: Driver) -> None:
    driver.tap("Airplane mode")
    driver.tap("Airplane mode")
    assert driver.state["system"]["wifi"] is False


def test_radios_can_be_switched_on_in_airplane_mode(driver: Driver) -> None:
    driver.tap("Airplane mode")
    with driver.changes("system.wifi"):
        driver.tap("Wi-Fi")


@pytest.mark.parametrize("x", [0.05, 0.5, 0.95])
def test_the_brightness_follows_the_finger(driver: Driver, x: float) -> None:
    slider = driver.element("Brightness", "slider")
    driver.perform(actions.tap(x, slider.center[1]))
    expected = round(100 * min(1.0, max(0.0, (x - 0.1) / 0.8)))
    assert driver.state["system"]["brightness"] == expected
    assert driver.element("Brightness", "slider").description == f"{expected}%"


def test_the_newest_four_notifications_are_shown(driver: Driver) -> None:
    _notify(driver, *(f"Notice {n}" for n in range(6)))
    assert driver.of_role("item") == [f"Notice {n}: now" for n in range(2, 6)]


def test_a_notification_says_which_app_it_is_from(driver: Driver) -> None:
    _notify(driver, "Timer")
    assert driver.element("Timer: now").description == "Clock"


def test_a_notification_leads_to_its_page(driver: Driver) -> None:
    note = next(iter(driver.data("notes")["notes"]))
    notice = {"app": "notes", "title": "Note", "text": "x", "page": "note", "args": {"id": note}}
    driver.change("notices", to={"n": notice})
    driver.tap("Note: x")
    assert (driver.app, driver.page) == ("notes", "note")
    driver.back()
    assert (driver.app, driver.page) == ("notes", "main")


def test_opening_one_notification_keeps_the_others(driver: Driver) -> None:
    _notify(driver, "Timer", "Alarm")
    driver.tap("Timer: now")
    assert set(driver.state["notices"]) == {"Alarm"}


def test_a_short_wipe_leaves_a_notification(driver: Driver) -> None:
    _notify(driver, "Timer")
    x, y = driver.element("Timer: now").center
    driver.perform(actions.swipe(x, y, x + 0.1, y))
    assert set(driver.state["notices"]) == {"Timer"}


def test_the_status_bar_has_a_bell_while_something_waits() -> None:
    driver = Driver()
    assert driver.looks("status")[0][3] is False
    _notify(driver, "Timer")
    assert driver.looks("status")[0][3] is True


def test_the_shade_covers_every_app_and_leaves_it_in_place() -> None:
    driver = Driver()
    driver.open("clock")
    driver.tap("Timer")
    driver.pull_shade()
    assert driver.device.phone.view.covered == "shade"
    driver.back()
    assert driver.element("Timer", "tab").checked
