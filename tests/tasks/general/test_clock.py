"""What the goals in Clock accept and what they do not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tasks.general.posed import Posed, added, neighbour


def test_setting_an_alarm_takes_at_most_eight_actions_from_the_home_screen() -> None:
    for seed in range(6):
        posed = Posed("set_alarm", seed, time="9:35 PM")
        assert posed.solve() <= 8
        assert posed.side_effects == ()


def test_an_alarm_that_is_off_does_not_wake_anybody() -> None:
    posed = Posed("set_alarm", time="7:00 AM")
    posed.open("clock")
    posed.tap_icon("add")
    posed.tap("OK")
    assert posed.reached
    posed.tap("7:00 AM", role="switch")
    assert not posed.reached


def test_deleting_another_alarm_is_a_side_effect() -> None:
    posed = Posed("delete_alarm", label="Early train")
    key, other = next((k, a) for k, a in posed.data("clock")["alarms"].items() if k != "target")
    posed.open("clock")
    posed.tap(other["label"], role="item")
    posed.tap_icon("delete")
    posed.tap("Delete")
    assert not posed.reached
    assert posed.side_effects == (f"apps.clock.alarms.{key}",)


def test_a_changed_alarm_keeps_its_label() -> None:
    posed = Posed("change_alarm", label="Early train", time="6:30 AM")
    posed.solve()
    assert posed.data("clock")["alarms"]["target"]["label"] == "Early train"


def test_a_label_on_a_moved_alarm_does_not_count() -> None:
    posed = Posed("label_alarm", label="Early train", time="6:30 AM")
    posed.solve()
    posed.change("apps", "clock", "alarms", "target", "minutes", to=0)
    assert not posed.reached


def test_the_preset_must_be_the_one_asked_for() -> None:
    posed = Posed("timer_preset", label="Tea ready")
    presets = posed.data("clock")["presets"]
    other = next(preset["label"] for key, preset in presets.items() if key != "target")
    posed.open("clock")
    posed.tap("Timer")
    posed.tap(other)
    assert not posed.reached
    posed.tap("Tea ready")
    assert posed.reached


def test_the_time_of_a_city_is_on_the_world_tab_only() -> None:
    posed = Posed("city_time", city="Dublin")
    posed.open("clock")
    assert not posed.reached
    posed.tap("World")
    assert posed.reached
    posed.tap_icon("add")
    posed.type("Dublin")
    assert not posed.reached


def _alarms(posed: Posed) -> dict[str, Any]:
    alarms: dict[str, Any] = posed.data("clock")["alarms"]
    return alarms


def test_an_alarm_twelve_hours_off_does_not_count() -> None:
    posed = Posed("set_alarm", time="7:00 PM")
    posed.open("clock")
    before = _alarms(posed)
    posed.tap_icon("add")
    posed.tap("OK")
    wrong = added(_alarms(posed), before)
    assert _alarms(posed)[wrong]["minutes"] == 7 * 60
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == (f"apps.clock.alarms.{wrong}",)


def test_an_alarm_that_was_moved_to_the_time_is_a_side_effect() -> None:
    posed = Posed("set_alarm", time="7:00 AM")
    key = next(iter(_alarms(posed)))
    posed.change("apps", "clock", "alarms", key, "minutes", to=7 * 60)
    posed.change("apps", "clock", "alarms", key, "on", to=True)
    assert posed.reached
    assert f"apps.clock.alarms.{key}.minutes" in posed.side_effects


def test_a_time_that_is_not_confirmed_is_no_alarm() -> None:
    posed = Posed("set_alarm", time="7:00 AM")
    posed.open("clock")
    posed.tap_icon("add")
    assert not posed.reached
    posed.press("back")
    assert not posed.reached


@pytest.mark.parametrize("switch", ["on", "off"])
def test_an_alarm_starts_the_other_way_round_and_can_be_switched_back(switch: str) -> None:
    posed = Posed("switch_alarm", label="Early train", switch=switch)
    assert _alarms(posed)["target"]["on"] is (switch == "off")
    posed.open("clock")
    posed.tap("Early train", role="switch")
    assert posed.reached
    assert posed.side_effects == ()
    posed.tap("Early train", role="switch")
    assert not posed.reached


def test_saving_an_alarm_turns_it_on_which_counts_too() -> None:
    posed = Posed("switch_alarm", label="Early train", switch="on")
    posed.open("clock")
    posed.tap("Early train", role="item")
    posed.tap("Save")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_deleted_alarm_is_not_switched_off() -> None:
    posed = Posed("switch_alarm", label="Early train", switch="off")
    posed.open("clock")
    posed.tap("Early train", role="item")
    posed.tap_icon("delete")
    posed.tap("Delete")
    assert not posed.reached
    assert posed.side_effects == ("apps.clock.alarms.target",)


def test_switching_the_alarm_off_does_not_delete_it() -> None:
    posed = Posed("delete_alarm", label="Early train")
    posed.open("clock")
    posed.tap("Early train", role="switch")
    assert not posed.reached
    assert posed.side_effects == ("apps.clock.alarms.target.on",)
    posed.solve()
    assert not posed.side_effects


def test_a_new_alarm_instead_of_a_changed_one_does_not_count() -> None:
    posed = Posed("change_alarm", label="Early train", time="7:00 AM")
    posed.open("clock")
    before = _alarms(posed)
    posed.tap_icon("add")
    posed.tap("OK")
    assert not posed.reached
    assert posed.side_effects == (f"apps.clock.alarms.{added(_alarms(posed), before)}",)


def test_a_changed_alarm_that_is_off_does_not_ring() -> None:
    posed = Posed("change_alarm", label="Early train", time="6:30 AM")
    posed.solve()
    posed.open("clock")
    posed.tap("Early train", role="switch")
    assert not posed.reached


def test_a_changed_label_is_one_change_too_many() -> None:
    posed = Posed("change_alarm", label="Early train", time="6:30 AM")
    posed.solve()
    posed.change("apps", "clock", "alarms", "target", "label", to="Late train")
    assert posed.reached
    assert posed.side_effects == ("apps.clock.alarms.target.label",)


def test_a_label_that_is_typed_but_not_saved_does_not_count() -> None:
    posed = Posed("label_alarm", label="Early train", time="6:30 AM")
    posed.open("clock")
    posed.tap("6:30 AM", role="item")
    posed.fill("Label", "Early train")
    assert not posed.reached
    posed.tap("Save")
    assert posed.reached
    assert posed.side_effects == ()


def test_the_label_of_another_alarm_is_a_side_effect() -> None:
    posed = Posed("label_alarm", label="Early train", time="6:30 AM")
    key, _ = neighbour(_alarms(posed))
    posed.change("apps", "clock", "alarms", key, "label", to="Early train")
    assert not posed.reached
    assert posed.side_effects == (f"apps.clock.alarms.{key}.label",)


def _start_timer(posed: Posed, minutes: int) -> None:
    posed.open("clock")
    posed.tap("Timer", role="tab")
    posed.fill("Minutes", str(minutes))
    posed.tap("Start")


def test_a_timer_of_another_length_does_not_count() -> None:
    posed = Posed("start_timer", minutes=12)
    _start_timer(posed, 21)
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == ()


def test_a_paused_timer_does_not_run() -> None:
    posed = Posed("start_timer", minutes=12)
    _start_timer(posed, 12)
    assert posed.reached
    posed.tap("Pause")
    assert not posed.reached


def test_a_timer_of_the_preset_s_length_counts_however_it_was_started() -> None:
    posed = Posed("timer_preset", label="Tea ready")
    _start_timer(posed, posed.data("clock")["presets"]["target"]["minutes"])
    assert posed.reached
    assert posed.side_effects == ()


def test_another_city_is_a_side_effect_and_so_is_a_lost_one() -> None:
    posed = Posed("add_city", city="Dublin")
    lost = next(iter(posed.data("clock")["cities"]))
    posed.solve()
    assert posed.side_effects == ()
    posed.change("apps", "clock", "cities", to={"Dublin": True, "Lima": True})
    assert posed.reached
    assert set(posed.side_effects) >= {f"apps.clock.cities.{lost}", "apps.clock.cities.Lima"}


def test_a_city_that_was_dropped_again_is_not_there() -> None:
    posed = Posed("add_city", city="Dublin")
    posed.solve()
    posed.long_press("Dublin")
    assert not posed.reached


def test_a_stopwatch_that_was_stopped_again_does_not_run() -> None:
    posed = Posed("stopwatch")
    posed.open("clock")
    posed.tap("Stopwatch", role="tab")
    assert not posed.reached
    posed.tap_icon("play")
    assert posed.reached
    posed.tap_icon("pause")
    assert not posed.reached
    posed.tap_icon("play")
    assert posed.reached
    assert posed.side_effects == ()
