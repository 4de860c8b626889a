"""Settings, driven by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.devices.phone.driver import Driver

from distrl import actions
from distrl.devices.phone import phone_time
from distrl.devices.phone.apps.settings_apps import PERMISSIONS
from distrl.devices.phone.apps.settings_tables import CHOICES, GROUPS, SECTIONS, matches, page_of
from distrl.devices.phone.registry import find

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


def entries(kind: str) -> list[tuple[str, str, str]]:
    """Title of the section, title of the entry and setting of all entries of one kind."""
    return [
        (section.title, entry.title, entry.key)
        for section in SECTIONS.values()
        for entry in section.entries
        if entry.kind == kind
    ]


# Every entry of every plain page


@pytest.mark.parametrize(("section", "title", "key"), entries("switch"))
def test_each_switch_flips_its_own_setting_and_back(section: str, title: str, key: str) -> None:
    driver = opened(section)
    before = driver.state["system"][key]
    radios = ["system.wifi"] if key == "airplane" else []
    with driver.changes(f"system.{key}", *radios):
        driver.tap(title, role="switch")
    assert checked(driver, title) == (not before)
    driver.tap(title, role="switch")
    assert driver.state["system"][key] == before


@pytest.mark.parametrize(("section", "title", "key"), entries("slider"))
def test_each_slider_sets_its_own_setting_where_it_is_tapped(
    section: str, title: str, key: str
) -> None:
    driver = opened(section)
    driver.change("system", key, to=10)
    element = driver.element(title, "slider")
    assert element.description == "10%"
    with driver.changes(f"system.{key}"):
        driver.perform(actions.tap(0.5, element.center[1]))
    assert driver.state["system"][key] == 50


@LAYOUTS
@pytest.mark.parametrize(("section", "title", "key"), entries("choice"))
def test_each_choice_offers_its_values_and_keeps_one(
    section: str, title: str, key: str, layout: int
) -> None:
    driver = opened(section, layout=layout)
    now = driver.state["system"][key]
    assert driver.element(title).description == now
    driver.tap(title, role="item")
    assert driver.of_role("radio") == list(CHOICES[key])
    assert [e.text for e in driver.elements if e.checked] == [now]
    new = next(value for value in CHOICES[key] if value != now)
    with driver.changes(f"system.{key}"):
        driver.tap(new, role="radio")
    if layout == 1:
        driver.back()
    assert driver.element(title).description == new


@pytest.mark.parametrize(("section", "title", "key"), entries("page"))
def test_each_way_leads_to_its_page_and_back(section: str, title: str, key: str) -> None:
    driver = opened(section)
    before = driver.page
    driver.tap(title, role="item")
    assert driver.page == key
    driver.tap("Navigate up")
    assert driver.page == before


def test_a_choice_in_a_dialog_can_be_cancelled() -> None:
    driver = opened("Display", "Font size", layout=2)
    with driver.changes():
        driver.tap("Cancel")
    assert driver.page == "display"


def test_both_layouts_lead_to_the_same_sections() -> None:
    shown = [set(opened(layout=layout).scroll_through()) for layout in (1, 2)]
    assert shown[0] == shown[1] == {section.title for section in SECTIONS.values()}


def test_the_second_layout_has_headings_for_its_groups() -> None:
    driver = opened(layout=2)
    assert set(GROUPS) <= set(driver.scroll_through("text"))


def test_the_dark_theme_changes_the_picture_and_not_the_words() -> None:
    driver = opened("Display")
    bright = driver.device.observe()
    driver.change("system", "dark", to=True)
    dark = driver.device.observe()
    assert dark.screen.mean() < bright.screen.mean() - 50
    assert [e.text for e in dark.elements or ()] == [e.text for e in bright.elements or ()]


def test_the_page_of_date_and_time_follows_the_clock_format() -> None:
    driver = opened("Date & time")
    minutes = phone_time.minute_of(driver.state["time"])
    assert driver.element("Time").description == phone_time.clock_text(minutes)
    driver.tap("Use 24-hour format")
    minutes = phone_time.minute_of(driver.state["time"])
    assert driver.element("Time").description == phone_time.clock_text(minutes, hour24=True)


# Search


@pytest.mark.parametrize("query", ["DARK", "dark th", "Theme"])
def test_a_setting_is_found_by_a_part_of_its_words(query: str) -> None:
    driver = opened()
    driver.tap_icon("search")
    driver.fill("Search settings", query)
    driver.tap("Dark theme", role="item")
    assert driver.page == "display"


def test_the_search_begins_empty_and_lists_at_most_twelve() -> None:
    driver = opened()
    driver.tap_icon("search")
    assert driver.sees("Type what you are looking for")
    driver.fill("Search settings", "e")
    assert len(driver.scroll_through()) == len({title for title, _, _ in matches("e")})
    assert len(matches("e")) == 12


@pytest.mark.parametrize("key", [key for _, _, key in entries("choice")])
def test_the_page_of_a_setting_is_the_one_that_holds_it(key: str) -> None:
    assert any(entry.key == key for entry in SECTIONS[page_of(key)].entries)


# Wi-Fi


def test_every_network_is_listed_with_a_lock_if_it_has_a_password() -> None:
    driver = opened("Network & internet", "Wi-Fi")
    networks = driver.data("settings")["networks"]
    assert set(driver.scroll_through()) == {n["name"] for n in networks.values()}
    locked = {look[0] for look in driver.looks("row") if look[4] == "icon:lock"}
    names = {look[0] for look in driver.looks("row")}
    assert (
        locked == {n["name"] for k, n in networks.items() if n["password"] and k != "net0"} & names
    )


def test_joining_a_network_saves_it_and_changes_nothing_else() -> None:
    driver = opened("Network & internet", "Wi-Fi")
    key, record = network(driver, secured=False)
    with driver.changes(f"apps.settings.networks.{key}.saved", "apps.settings.connected"):
        driver.tap(record["name"], role="item")
    assert driver.sees("Connected")


def test_a_saved_network_is_joined_without_its_password() -> None:
    driver = opened("Network & internet", "Wi-Fi")
    driver.change("apps", "settings", "networks", "net1", "password", to="12345678")
    driver.tap(driver.data("settings")["networks"]["net1"]["name"], role="item")
    assert driver.data("settings")["connected"] == "net1"


@pytest.mark.parametrize("typed", ["", "abc"])
def test_a_password_has_at_least_four_characters(typed: str) -> None:
    driver = opened("Network & internet", "Wi-Fi")
    _, record = network(driver, secured=True)
    driver.tap(record["name"], role="item")
    if typed:
        driver.type(typed)
    assert not driver.can_tap("Connect")


def test_a_wrong_password_changes_nothing_and_may_be_corrected_or_given_up() -> None:
    driver = opened("Network & internet", "Wi-Fi")
    _, record = network(driver, secured=True)
    driver.tap(record["name"], role="item")
    with driver.changes():
        driver.type("wrong one")
        driver.tap("Connect")
        driver.tap("Cancel")
    assert driver.page == "wifi"


def test_the_connected_network_can_be_left_and_joined_again() -> None:
    driver = opened("Network & internet", "Wi-Fi")
    driver.tap(driver.data("settings")["networks"]["net0"]["name"], role="item")
    with driver.changes("apps.settings.connected"):
        driver.tap("Disconnect")
    driver.tap("Connect")
    assert driver.data("settings")["connected"] == "net0"


def test_the_details_tell_whether_a_network_is_secured() -> None:
    driver = opened("Network & internet", "Wi-Fi")
    driver.change("apps", "settings", "networks", "net1", "password", to="")
    driver.tap(driver.data("settings")["networks"]["net0"]["name"], role="item")
    assert driver.element("Security").description == "WPA3"
    driver.back()
    driver.long_press(driver.data("settings")["networks"]["net1"]["name"], role="item")
    assert driver.element("Security").description == "None"


def test_an_unknown_network_has_no_details_on_a_long_press() -> None:
    driver = opened("Network & internet", "Wi-Fi")
    _, record = network(driver, secured=True)
    driver.long_press(record["name"], role="item")
    assert driver.page == "wifi"


def test_the_details_of_a_network_out_of_range_say_so() -> None:
    driver = opened("Network & internet", "Wi-Fi")
    driver.tap(driver.data("settings")["networks"]["net0"]["name"], role="item")
    driver.change("apps", "settings", "networks", to={})
    assert driver.sees("This network is out of range")


def test_refreshing_the_networks_only_says_so() -> None:
    driver = opened("Network & internet", "Wi-Fi")
    with driver.changes():
        driver.tap_icon("refresh")
    assert driver.sees("Scanning")


# Bluetooth


def with_bluetooth() -> Driver:
    driver = opened("Bluetooth")
    driver.tap("Use Bluetooth")
    return driver


def test_bluetooth_that_is_off_lists_nothing() -> None:
    driver = opened("Bluetooth")
    assert driver.sees("To connect devices, turn Bluetooth on")
    assert driver.of_role("item") == []


def test_known_devices_are_saved_and_strangers_wait_to_be_paired() -> None:
    driver = with_bluetooth()
    devices = driver.data("settings")["devices"].values()
    known = [d["name"] for d in devices if d["paired"]]
    assert driver.of_role("item") == ["Pair new device", *known]
    driver.tap("Pair new device")
    strangers = [d["name"] for d in devices if not d["paired"]]
    assert driver.of_role("item") == ["Device name", *strangers]


def test_pairing_can_be_cancelled() -> None:
    driver = with_bluetooth()
    driver.tap("Pair new device")
    driver.tap(driver.data("settings")["devices"]["device4"]["name"], role="item")
    with driver.changes():
        driver.tap("Cancel")
    assert driver.page == "pairing"


def test_a_paired_device_is_connected_and_disconnected() -> None:
    driver = with_bluetooth()
    driver.tap(driver.data("settings")["devices"]["device1"]["name"], role="item")
    with driver.changes("apps.settings.devices.device1.connected"):
        driver.tap("Connect")
    driver.back()
    assert driver.shows("Connected")
    driver.tap(driver.data("settings")["devices"]["device1"]["name"], role="item")
    driver.tap("Disconnect")
    assert not driver.data("settings")["devices"]["device1"]["connected"]


def test_a_forgotten_device_has_to_be_paired_again() -> None:
    driver = with_bluetooth()
    name = driver.data("settings")["devices"]["device0"]["name"]
    driver.tap(name, role="item")
    with driver.changes("apps.settings.devices.device0.paired"):
        driver.tap("Forget")
    assert driver.sees("Device forgotten")
    assert name not in driver.of_role("item")
    driver.tap("Pair new device")
    assert name in driver.of_role("item")


def test_the_page_of_a_device_that_is_not_paired_says_so() -> None:
    driver = with_bluetooth()
    driver.tap(driver.data("settings")["devices"]["device0"]["name"], role="item")
    driver.change("apps", "settings", "devices", "device0", "paired", to=False)
    assert driver.sees("This device is not paired")


def test_pairing_needs_bluetooth() -> None:
    driver = with_bluetooth()
    driver.tap("Pair new device")
    driver.pull_shade()
    driver.tap("Bluetooth")
    driver.back()
    assert driver.sees("Bluetooth is off")


# Apps


def test_all_apps_are_listed_by_title_and_counted() -> None:
    driver = opened("Apps")
    installed = driver.state["system"]["installed"]
    assert driver.sees(f"{len(installed)} apps")
    assert driver.scroll_through() == sorted(find(name).title for name in installed)


@pytest.mark.parametrize(("key", "label"), [(key, label) for key, label, _ in PERMISSIONS])
def test_each_permission_of_an_app_can_be_denied_and_granted(key: str, label: str) -> None:
    driver = opened("Apps", "Clock", "Permissions")
    driver.tap(label, role="switch")
    denied = driver.data("settings")["apps"]["clock"]["permissions"]
    assert [name for name, on in denied.items() if not on] == [key]
    driver.back()
    assert driver.element("Permissions").description == f"{len(PERMISSIONS) - 1} allowed"
    driver.tap("Permissions", role="item")
    driver.tap(label, role="switch")
    assert all(driver.data("settings")["apps"]["clock"]["permissions"].values())


def test_settings_of_one_app_leave_the_others() -> None:
    driver = opened("Apps", "Clock")
    with driver.changes("apps.settings.apps.clock"):
        driver.tap("Notifications")
    driver.back()
    driver.tap("Notes", role="item")
    assert checked(driver, "Notifications") is True


def test_an_app_that_does_not_run_cannot_be_stopped() -> None:
    driver = opened("Apps", "Clock")
    assert not driver.can_tap("Force stop")


def test_a_stopped_app_does_not_run_any_more() -> None:
    driver = Driver()
    driver.open("clock")
    driver.open("settings")
    driver.tap("Apps", role="item")
    driver.tap("Clock", role="item")
    driver.tap("Force stop")
    assert driver.sees("Stopped")
    assert not driver.can_tap("Force stop")


def test_clearing_data_can_be_cancelled_and_touches_one_app() -> None:
    driver = opened("Apps", "Clock", "Clear data")
    with driver.changes():
        driver.tap("Cancel")
    driver.tap("Clear data", role="item")
    with driver.changes("apps.clock.*"):
        driver.tap("Delete")
    assert driver.sees("Data cleared")


def test_the_page_of_an_app_that_was_removed_says_so() -> None:
    driver = Driver()
    driver.change("system", "installed", "get:Tiny Farm", to="2.0")
    driver.open("settings")
    driver.tap("Apps", role="item")
    driver.tap("Tiny Farm", role="item")
    assert driver.element("Version").description == "2.0"
    installed = driver.state["system"]["installed"]
    driver.change(
        "system", "installed", to={k: v for k, v in installed.items() if k != "get:Tiny Farm"}
    )
    assert driver.sees("This app was removed")


# Pages with a look of their own


def test_the_battery_saver_is_a_switch_of_its_own() -> None:
    driver = opened("Battery")
    with driver.changes("system.saver"):
        driver.tap("Battery saver", role="switch")
    assert driver.shows("hours left")


def test_used_and_free_storage_make_up_the_whole() -> None:
    driver = opened("Storage")
    used = driver.state["system"]["storage_gb"]
    assert driver.sees(f"{used} GB of 128 GB used")
    assert driver.sees(f"{128 - used} GB free")


def test_the_phone_knows_its_model_and_its_network() -> None:
    driver = opened("About phone")
    assert driver.element("Model").description == driver.state["system"]["model"]
    connected = driver.data("settings")["networks"]["net0"]["name"]
    assert driver.element("Wi-Fi network").description == connected
    driver.change("apps", "settings", "connected", to="")
    assert driver.element("Wi-Fi network").description == "None"


@LAYOUTS
def test_wallpapers_stand_in_the_order_of_the_phone(layout: int) -> None:
    driver = opened("Wallpaper", layout=layout)
    shown = [number for number, *_ in driver.looks("wallpaper_thumb")]
    assert shown == driver.state["system"]["wallpapers"][: len(shown)]
    framed = [number for number, chosen, _ in driver.looks("wallpaper_thumb") if chosen]
    assert set(framed) <= {driver.state["system"]["wallpaper"]}


def test_a_preview_can_be_left_without_a_change() -> None:
    driver = opened("Wallpaper")
    driver.tap_paint("wallpaper_thumb", 8)
    with driver.changes():
        driver.tap("Cancel")
    driver.tap_paint("wallpaper_thumb", 8)
    with driver.changes("system.wallpaper"):
        driver.tap("Set wallpaper")
    driver.press("home")
    assert driver.looks("wallpaper") == [(8,)]
