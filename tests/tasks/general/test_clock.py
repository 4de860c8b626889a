"""What the goals in Clock accept and what they do not."""

from __future__ import annotations

from tests.tasks.general.posed import Posed


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
