"""Settings, driven by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.settings_tables import CHOICES, SECTIONS

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])


def opened(*titles: str, layout: int = 1) -> Driver:
    """Settings, with these rows tapped one after the other."""
    driver = Driver(layout=layout)
    driver.open("settings")
    for title in titles:
        driver.tap(title, role="item")
    return driver


def checked(driver: Driver, text: str) -> bool | None:
    widget = driver.find(text)
    assert widget is not None
    return widget.checked


def network(driver: Driver, *, secured: bool) -> tuple[str, dict[str, Any]]:
    """A network in range that the phone does not know."""
    networks = driver.data("settings")["networks"]
    return next(
        (key, n) for key, n in networks.items() if not n["saved"] and bool(n["password"]) == secured
    )


@LAYOUTS
@pytest.mark.parametrize("page", SECTIONS)
def test_every_section_opens_from_the_first_page(page: str, layout: int) -> None:
    driver = opened(SECTIONS[page].title, layout=layout)
    assert driver.page == page
    assert driver.sees(SECTIONS[page].title)


@LAYOUTS
def test_a_switch_changes_the_phone_and_shows_it(layout: int) -> None:
    driver = opened("Display", layout=layout)
    assert checked(driver, "Dark theme") is False
    driver.tap("Dark theme")
    assert driver.state["system"]["dark"] is True
    assert checked(driver, "Dark theme") is True


def test_airplane_mode_takes_the_radios_with_it() -> None:
    driver = opened("Bluetooth")
    driver.tap("Use Bluetooth")
    driver.press("back")
    driver.tap("Network & internet", role="item")
    driver.tap("Airplane mode")
    system = driver.state["system"]
    assert (system["airplane"], system["wifi"], system["bluetooth"]) == (True, False, False)


@LAYOUTS
def test_a_choice_is_remembered(layout: int) -> None:
    driver = opened("Display", "Screen timeout", layout=layout)
    assert all(driver.sees(value) for value in CHOICES["timeout"])
    driver.tap("5 minutes", role="radio")
    assert driver.state["system"]["timeout"] == "5 minutes"


@pytest.mark.parametrize(("direction", "value"), [("right", 100), ("left", 0)])
def test_a_slider_dragged_from_its_middle_reaches_its_end(direction: str, value: int) -> None:
    driver = opened("Sound & vibration")
    slider = driver.find("Media volume", role="slider")
    assert slider is not None
    element = slider.element()
    assert element is not None
    driver.swipe(direction, element.center)
    assert driver.state["system"]["media_volume"] == value


def test_an_open_network_is_joined_by_a_tap() -> None:
    driver = opened("Network & internet", "Wi-Fi")
    key, record = network(driver, secured=False)
    driver.tap(record["name"], role="item")
    assert driver.data("settings")["connected"] == key


def test_a_secured_network_wants_the_right_password() -> None:
    driver = opened("Network & internet", "Wi-Fi")
    key, record = network(driver, secured=True)
    driver.tap(record["name"], role="item")
    driver.type("not this one")
    driver.tap("Connect")
    assert driver.sees("Wrong password")
    assert driver.data("settings")["connected"] != key
    driver.fill("Password", record["password"])
    driver.tap("Connect")
    assert driver.data("settings")["connected"] == key
    assert driver.page == "wifi"


def test_a_forgotten_network_is_left_and_no_longer_saved() -> None:
    driver = opened("Network & internet", "Wi-Fi")
    driver.tap(driver.data("settings")["networks"]["net0"]["name"], role="item")
    driver.tap("Forget")
    assert driver.data("settings")["connected"] == ""
    assert driver.data("settings")["networks"]["net0"]["saved"] is False


def test_no_networks_are_listed_while_wifi_is_off() -> None:
    driver = opened("Network & internet", "Wi-Fi")
    driver.tap("Use Wi-Fi")
    assert not driver.shows(driver.data("settings")["networks"]["net1"]["name"])


def test_a_new_device_is_paired_after_a_question() -> None:
    driver = opened("Bluetooth")
    driver.tap("Use Bluetooth")
    driver.tap("Pair new device")
    driver.tap(driver.data("settings")["devices"]["device5"]["name"], role="item")
    assert driver.data("settings")["devices"]["device5"]["paired"] is False
    driver.tap("Pair")
    assert driver.data("settings")["devices"]["device5"]["paired"] is True
    assert driver.page == "bluetooth"


def test_an_app_can_be_silenced_and_denied_a_permission() -> None:
    driver = opened("Apps", "Clock")
    driver.tap("Notifications")
    driver.tap("Permissions", role="item")
    driver.tap("Camera")
    record = driver.data("settings")["apps"]["clock"]
    assert record["notifications"] is False
    assert [key for key, on in record["permissions"].items() if not on] == ["camera"]


def test_a_stopped_app_starts_from_its_first_page() -> None:
    driver = Driver()
    driver.open("clock")
    driver.tap_icon("add")
    driver.open("settings")
    driver.tap("Apps", role="item")
    driver.tap("Clock", role="item")
    driver.tap("Force stop")
    driver.tap("Open")
    assert (driver.app, driver.page) == ("clock", "main")


def test_clearing_data_takes_back_what_the_user_did() -> None:
    driver = Driver()
    driver.change("apps", "clock", "alarms", to={})
    driver.open("settings")
    driver.tap("Apps", role="item")
    driver.tap("Clock", role="item")
    driver.tap("Clear data", role="item")
    driver.tap("Delete")
    assert driver.data("clock")["alarms"]


def test_a_wallpaper_is_set_only_after_its_preview() -> None:
    driver = opened("Wallpaper")
    before = driver.state["system"]["wallpaper"]
    driver.tap_paint("wallpaper_thumb", 8)
    assert driver.state["system"]["wallpaper"] == before
    driver.tap("Set wallpaper")
    assert driver.state["system"]["wallpaper"] == 8


def test_wallpapers_say_nothing_of_what_they_show() -> None:
    driver = opened("Wallpaper")
    pictures = [e for e in driver.elements if e.role == "image"]
    assert len(pictures) == 12
    assert {(e.text, e.description) for e in pictures} == {("", "")}


def test_search_finds_a_setting_and_leads_to_its_page() -> None:
    driver = opened()
    driver.tap_icon("search")
    driver.fill("Search settings", "captions")
    driver.tap("Live captions", role="item")
    assert driver.page == "accessibility"


def test_search_says_so_when_nothing_matches() -> None:
    driver = opened()
    driver.tap_icon("search")
    driver.fill("Search settings", "qqq")
    assert driver.sees("No results")


def test_the_battery_page_tells_the_level() -> None:
    driver = opened("Battery")
    assert driver.sees(f"{driver.state['system']['battery']}%")
