"""What the goals around the home screen and the shade accept and what they do not."""

from __future__ import annotations

from tests.tasks.general.posed import Posed

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
