"""What the goals in Settings accept and what they do not."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed, neighbour

from distrl.actions import to_text
from distrl.devices.phone.apps.settings_tables import CHOICES
from distrl.devices.phone.paint import WALLPAPER_PHOTOS
from distrl.tasks.general.settings import FIRST_PHOTO, ChooseOption, PhoneFact, SwitchSetting


def test_the_goal_is_to_be_on_the_named_network_and_no_other() -> None:
    posed = Posed("connect_wifi", network="Moonbase")
    others = posed.data("settings")["networks"]
    free = next(n["name"] for k, n in others.items() if k != "target" and not n["password"])
    posed.open("settings")
    posed.tap("Network & internet", role="item")
    posed.tap("Wi-Fi", role="item")
    posed.tap(free, role="item")
    assert not posed.reached
    posed.tap("Moonbase", role="item")
    assert posed.reached


def test_a_secured_network_is_not_joined_by_opening_its_dialog() -> None:
    words = "otter1234"
    posed = Posed("join_wifi", network="Treehouse", password=words)
    posed.open("settings")
    posed.tap("Network & internet", role="item")
    posed.tap("Wi-Fi", role="item")
    posed.tap("Treehouse", role="item")
    assert posed.page == "password"
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == ()


def test_switching_something_else_is_a_side_effect() -> None:
    posed = Posed("switch_setting", setting="dark theme", switch="on")
    posed.open("settings")
    posed.tap("Display", role="item")
    posed.tap("Night light")
    assert posed.side_effects == ("system.night_light",)
    assert not posed.reached


def test_airplane_mode_may_take_the_radios_with_it() -> None:
    posed = Posed("switch_setting", setting="airplane mode", switch="on")
    posed.solve()
    assert posed.state["system"]["wifi"] is False
    assert posed.side_effects == ()


def test_silencing_another_app_is_a_side_effect() -> None:
    posed = Posed("app_notifications", app="Chess Nomad", switch="off")
    posed.open("settings")
    posed.tap("Apps", role="item")
    posed.tap("Clock", role="item")
    posed.tap("Notifications")
    assert not posed.reached
    assert posed.side_effects == ("apps.settings.apps.clock",)


def test_only_the_named_permission_counts() -> None:
    posed = Posed("app_permission", app="Chess Nomad", permission="camera")
    posed.solve()
    posed.tap("Files")
    assert posed.reached
    assert posed.side_effects == ("apps.settings.apps.get:Chess Nomad.permissions.files",)


@pytest.mark.parametrize("level", ["maximum", "minimum"])
def test_a_slider_must_be_at_its_very_end(level: str) -> None:
    posed = Posed("drag_slider", slider="ring volume", level=level)
    posed.change("system", "ring_volume", to=97 if level == "maximum" else 3)
    assert not posed.reached
    posed.solve()


def test_the_battery_level_is_told_by_its_page_and_not_by_the_brightness() -> None:
    posed = Posed("phone_fact", fact="the battery level")
    posed.change("system", "battery", to=60)
    posed.pull_shade()
    assert posed.shows("60%")
    assert not posed.reached


def test_wallpapers_can_only_be_told_apart_by_looking() -> None:
    seen = {}
    for picture in ("a mountain", "a beach", "a sunset", "a city", "a flower", "snow"):
        posed = Posed("set_wallpaper", picture=picture)
        posed.open("settings")
        posed.tap("Wallpaper", role="item")
        seen[to_text(posed.next_action())] = tuple(posed.elements)
    assert len(seen) > 1
    assert len(set(seen.values())) == 1


def _reach(posed: Posed, *rows: str) -> None:
    posed.open("settings")
    for row in rows:
        posed.tap(row, role="item")


WIFI = ("Network & internet", "Wi-Fi")


@pytest.mark.parametrize("setting", SwitchSetting.KEYS)
@pytest.mark.parametrize("switch", ["on", "off"])
def test_every_setting_starts_the_other_way_round(setting: str, switch: str) -> None:
    posed = Posed("switch_setting", setting=setting, switch=switch)
    key = SwitchSetting.KEYS[setting]
    assert posed.state["system"][key] is (switch == "off")
    assert not posed.reached
    posed.change("system", key, to=switch == "on")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_setting_that_was_flipped_twice_is_where_it_was() -> None:
    posed = Posed("switch_setting", setting="night light", switch="on")
    _reach(posed, "Display")
    posed.tap("Night light")
    assert posed.reached
    posed.tap("Night light")
    assert not posed.reached


def test_a_setting_may_be_switched_in_the_shade_as_well() -> None:
    posed = Posed("switch_setting", setting="the hotspot", switch="on")
    posed.pull_shade()
    posed.tap("Hotspot")
    assert posed.reached
    assert posed.side_effects == ()


def test_leaving_airplane_mode_does_not_excuse_a_changed_radio() -> None:
    posed = Posed("switch_setting", setting="airplane mode", switch="off")
    wifi = posed.state["system"]["wifi"]
    posed.solve()
    assert not posed.side_effects
    posed.change("system", "wifi", to=not wifi)
    assert posed.side_effects == ("system.wifi",)


@pytest.mark.parametrize("setting", ChooseOption.KEYS)
def test_every_other_option_is_not_the_one(setting: str) -> None:
    key = ChooseOption.KEYS[setting]
    wanted = CHOICES[key][-1]
    posed = Posed("choose_option", setting=setting, value=wanted)
    for value in CHOICES[key]:
        posed.change("system", key, to=value)
        assert posed.reached is (value == wanted)
    assert posed.side_effects == ()


def test_choosing_the_option_of_another_setting_is_a_side_effect() -> None:
    posed = Posed("choose_option", setting="font size", value="Large")
    _reach(posed, "Display", "Screen timeout")
    posed.tap("10 minutes")
    assert not posed.reached
    assert posed.side_effects == ("system.timeout",)


def test_dragging_another_slider_is_a_side_effect() -> None:
    posed = Posed("drag_slider", slider="ring volume", level="maximum")
    posed.change("system", "media_volume", to=100)
    assert not posed.reached
    assert posed.side_effects == ("system.media_volume",)


def test_the_other_end_of_a_slider_is_not_the_one() -> None:
    posed = Posed("drag_slider", slider="brightness", level="minimum")
    posed.change("system", "brightness", to=100)
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == ()


def test_joining_another_network_on_the_way_leaves_it_saved() -> None:
    posed = Posed("connect_wifi", network="Moonbase")
    networks = posed.data("settings")["networks"]
    key, free = neighbour(networks, password="", saved=False)
    _reach(posed, *WIFI)
    posed.tap(free["name"], role="item")
    posed.tap("Moonbase", role="item")
    assert posed.reached
    assert posed.side_effects == (f"apps.settings.networks.{key}.saved",)


def test_a_wrong_password_joins_nothing() -> None:
    words, wrong = "otter1234", "otter9999"
    posed = Posed("join_wifi", network="Treehouse", password=words)
    _reach(posed, *WIFI, "Treehouse")
    posed.fill("Password", wrong)
    posed.tap("Connect")
    assert not posed.reached
    posed.fill("Password", words)
    posed.tap("Connect")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_network_that_is_only_left_is_not_forgotten() -> None:
    posed = Posed("forget_wifi", network="Moonbase")
    _reach(posed, *WIFI, "Moonbase")
    posed.tap("Disconnect")
    assert not posed.reached
    assert posed.side_effects == ()
    posed.tap("Forget")
    assert posed.reached
    assert posed.side_effects == ()


def test_forgetting_another_network_is_a_side_effect() -> None:
    posed = Posed("forget_wifi", network="Moonbase")
    key, _ = neighbour(posed.data("settings")["networks"], saved=True)
    posed.change("apps", "settings", "networks", key, "saved", to=False)
    assert not posed.reached
    assert posed.side_effects == (f"apps.settings.networks.{key}.saved",)


def test_a_pairing_that_was_cancelled_pairs_nothing() -> None:
    posed = Posed("pair_device", device="Loft Speaker")
    _reach(posed, "Bluetooth", "Pair new device", "Loft Speaker")
    posed.tap("Cancel")
    assert not posed.reached
    posed.tap("Loft Speaker", role="item")
    posed.tap("Pair")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_paired_device_may_be_disconnected_but_not_forgotten() -> None:
    posed = Posed("pair_device", device="Loft Speaker")
    posed.solve()
    _reach(posed)
    posed.tap("Loft Speaker", role="item")
    posed.tap("Disconnect")
    assert posed.reached
    posed.tap("Forget")
    assert not posed.reached


def test_pairing_another_device_is_a_side_effect() -> None:
    posed = Posed("pair_device", device="Loft Speaker")
    key, other = neighbour(posed.data("settings")["devices"], paired=False)
    _reach(posed, "Bluetooth", "Pair new device", other["name"])
    posed.tap("Pair")
    assert not posed.reached
    assert posed.side_effects == tuple(
        f"apps.settings.devices.{key}.{name}" for name in ("connected", "paired")
    )


def test_the_page_of_another_app_is_not_the_one() -> None:
    posed = Posed("app_info", app="Chess Nomad")
    _reach(posed, "Apps", "Clock")
    assert not posed.reached
    posed.press("back")
    posed.tap("Chess Nomad", role="item")
    assert posed.reached
    posed.tap("Permissions", role="item")
    assert not posed.reached


@pytest.mark.parametrize("switch", ["on", "off"])
def test_notifications_that_were_flipped_twice_are_as_before(switch: str) -> None:
    posed = Posed("app_notifications", app="Chess Nomad", switch=switch)
    _reach(posed, "Apps", "Chess Nomad")
    posed.tap("Notifications")
    assert posed.reached
    assert posed.side_effects == ()
    posed.tap("Notifications")
    assert not posed.reached


def test_a_permission_that_was_given_back_is_not_denied() -> None:
    posed = Posed("app_permission", app="Chess Nomad", permission="camera")
    _reach(posed, "Apps", "Chess Nomad", "Permissions")
    posed.tap("Camera")
    assert posed.reached
    posed.tap("Camera")
    assert not posed.reached
    assert posed.side_effects == ()


@pytest.mark.parametrize("fact", PhoneFact.PAGES)
def test_a_fact_is_told_by_its_own_page_alone(fact: str) -> None:
    titles = {"battery": "Battery", "storage": "Storage", "about": "About phone"}
    for page, title in titles.items():
        posed = Posed("phone_fact", fact=fact)
        _reach(posed, title)
        assert posed.reached is (PhoneFact.PAGES[fact] == page)


def test_a_preview_is_not_the_wallpaper_and_another_one_is_not_the_picture() -> None:
    posed = Posed("set_wallpaper", picture="a beach")
    number = FIRST_PHOTO + WALLPAPER_PHOTOS.index("beach")
    for other in range(len(posed.state["system"]["wallpapers"])):
        posed.change("system", "wallpaper", to=other)
        assert posed.reached is (other == number)
    assert posed.side_effects == ()
