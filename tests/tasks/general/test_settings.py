"""What the goals in Settings accept and what they do not."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed

from distrl.actions import to_text


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
