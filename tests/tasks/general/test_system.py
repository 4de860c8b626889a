"""What the goals around the home screen and the shade accept and what they do not."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed, neighbour

from distrl.actions import to_text
from distrl.types import Element


def test_clearing_all_is_not_dismissing_one() -> None:
    posed = Posed("dismiss_notification", note="Door code")
    posed.pull_shade()
    posed.tap("Clear all")
    assert not posed.reached


def test_a_notification_swiped_away_leaves_the_others() -> None:
    posed = Posed("dismiss_notification", note="Door code")
    before = len(posed.state["notices"])
    assert posed.solve() == 3
    assert len(posed.state["notices"]) == before - 1


def test_opening_the_note_by_another_way_leaves_the_notification() -> None:
    posed = Posed("open_notification", note="Door code")
    posed.open("notes")
    posed.tap("Door code", role="item")
    assert not posed.reached
    posed.press("home")
    posed.solve()


def test_an_opened_notification_may_be_left_and_found_again() -> None:
    posed = Posed("open_notification", note="Door code")
    posed.pull_shade()
    posed.tap("Reminder: Door code")
    posed.press("back")
    assert not posed.reached
    posed.solve()


def test_an_app_from_the_store_is_found_in_the_drawer() -> None:
    posed = Posed("open_app", app="Word Burrow")
    assert not posed.sees("Word Burrow")
    posed.solve()
    assert posed.app == "get:Word Burrow"


def test_a_labelled_tile_can_be_read() -> None:
    posed = Posed("quick_switch", setting="the hotspot", switch="on")
    posed.pull_shade()
    posed.tap("Hotspot")
    assert posed.reached


def test_tiles_without_words_can_only_be_told_apart_by_looking() -> None:
    seen: dict[tuple[Element, ...], set[tuple[str, str]]] = {}
    for setting in ("Bluetooth", "the flashlight", "the hotspot", "dark theme", "do not disturb"):
        for seed in range(40):
            posed = Posed("quick_icon", seed, setting=setting, switch="on")
            posed.perform(posed.next_action())
            looks = tuple(e for e in posed.elements if e.role != "status")
            seen.setdefault(looks, set()).add((setting, to_text(posed.next_action())))
    same_goal = [
        {tap for setting, tap in pairs if setting == "the hotspot"} for pairs in seen.values()
    ]
    assert any(len(taps) > 1 for taps in same_goal)


def test_icons_of_the_dock_can_only_be_told_apart_by_looking() -> None:
    camera, phone = (Posed("dock_app", app=app) for app in ("Camera", "Phone"))
    seeds = iter(range(100))
    while camera.next_action() == phone.next_action():
        seed = next(seeds)
        camera, phone = (Posed("dock_app", seed, app=app) for app in ("Camera", "Phone"))
    assert camera.elements == phone.elements


@pytest.mark.parametrize("template", ["quick_switch", "quick_icon"])
@pytest.mark.parametrize("switch", ["on", "off"])
def test_a_tile_starts_the_other_way_round_and_can_be_pressed_twice(
    template: str, switch: str
) -> None:
    posed = Posed(template, setting="the flashlight", switch=switch)
    posed.pull_shade()
    posed.tap_icon("flashlight")
    assert posed.reached
    assert posed.side_effects == ()
    posed.tap_icon("flashlight")
    assert not posed.reached


def test_a_tile_s_setting_may_be_switched_in_settings_as_well() -> None:
    posed = Posed("quick_switch", setting="dark theme", switch="on")
    posed.open("settings")
    posed.tap("Display", role="item")
    posed.tap("Dark theme")
    assert posed.reached
    assert posed.side_effects == ()


def test_another_tile_is_a_side_effect() -> None:
    posed = Posed("quick_icon", setting="the flashlight", switch="on")
    posed.pull_shade()
    posed.tap_icon("hotspot")
    assert not posed.reached
    assert posed.side_effects == ("system.hotspot",)


def test_airplane_mode_excuses_the_radios_only_when_it_goes_on() -> None:
    posed = Posed("quick_switch", setting="airplane mode", switch="on")
    posed.solve()
    assert posed.side_effects == ()
    posed = Posed("quick_switch", setting="airplane mode", switch="off")
    wifi = posed.state["system"]["wifi"]
    posed.solve()
    posed.change("system", "wifi", to=not wifi)
    assert posed.side_effects == ("system.wifi",)


def test_another_app_of_the_dock_is_not_the_one() -> None:
    posed = Posed("dock_app", app="Camera")
    dock = posed.data("launcher")["dock"]
    assert "camera" in dock
    posed.open(next(name for name in dock if name != "camera"))
    assert not posed.reached
    posed.press("home")
    assert not posed.reached
    posed.solve()


def test_an_app_counts_from_the_drawer_too_and_not_once_it_is_left() -> None:
    posed = Posed("dock_app", app="Camera")
    posed.open("camera")
    assert posed.reached
    posed.pull_shade()
    assert not posed.reached


def test_the_apps_of_the_dock_stand_on_no_home_page() -> None:
    for seed in range(6):
        launcher = Posed("dock_app", seed, app="Camera").data("launcher")
        shown = {name for page in launcher["pages"] for name in page}
        assert len(launcher["dock"]) == 4
        assert shown.isdisjoint(launcher["dock"])


def test_the_drawer_alone_opens_no_app() -> None:
    posed = Posed("open_app", app="Word Burrow")
    posed.swipe("up")
    assert posed.page == "drawer"
    assert not posed.reached
    posed.tap("Word Burrow")
    assert posed.reached
    posed.press("home")
    assert not posed.reached


def test_another_notification_is_not_the_one_to_open() -> None:
    posed = Posed("open_notification", note="Door code")
    _, other = neighbour(posed.state["notices"])
    posed.pull_shade()
    posed.tap(f"{other['title']}: {other['text']}")
    assert posed.app == other["app"]
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == ()


def test_dismissing_another_notification_cannot_be_made_good() -> None:
    posed = Posed("dismiss_notification", note="Door code")
    key, _ = neighbour(posed.state["notices"])
    notices = {k: n for k, n in posed.state["notices"].items() if k != key}
    posed.change("notices", to=notices)
    assert not posed.reached
    del notices["target"]
    posed.change("notices", to=notices)
    assert not posed.reached


def test_opening_a_notification_dismisses_it_as_well() -> None:
    posed = Posed("dismiss_notification", note="Door code")
    posed.pull_shade()
    posed.tap("Reminder: Door code")
    assert posed.reached


def test_notifications_may_be_swiped_away_one_by_one() -> None:
    posed = Posed("clear_notifications")
    count = len(posed.state["notices"])
    assert count >= 2
    posed.pull_shade()
    for left in range(count, 0, -1):
        assert not posed.reached
        assert len(posed.state["notices"]) == left
        notice = next(iter(posed.state["notices"].values()))
        widget = posed.find(f"{notice['title']}: {notice['text']}")
        assert widget is not None
        element = widget.element()
        assert element is not None
        posed.swipe("right", element.center)
    assert posed.reached
    assert posed.side_effects == ()


def test_a_shade_that_is_only_open_is_not_cleared() -> None:
    posed = Posed("clear_notifications")
    posed.pull_shade()
    assert not posed.reached
    posed.tap("Clear all")
    assert posed.reached
