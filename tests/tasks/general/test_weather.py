"""What the goals in Weather and the Recorder accept and what they do not."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed, added, neighbour

from distrl.actions import to_text


def test_the_weather_of_another_city_is_no_answer() -> None:
    posed = Posed("city_weather", city="Dublin")
    cities = posed.data("weather")["cities"]
    other = next(city["name"] for key, city in cities.items() if key != "target")
    posed.open("weather")
    posed.tap(other, role="item")
    assert not posed.reached
    posed.press("back")
    posed.tap("Dublin", role="item")
    assert posed.reached


def test_the_day_must_be_the_one_asked_for() -> None:
    posed = Posed("weather_day", city="Dublin", day="Friday")
    posed.open("weather")
    posed.tap("Dublin", role="item")
    posed.tap("Sunday", role="item")
    assert not posed.reached
    posed.press("back")
    posed.tap("Friday", role="item")
    assert posed.reached


def test_the_sky_over_a_city_can_only_be_seen() -> None:
    seen = {}
    for sky in ("the sun is shining", "it is raining", "it is snowing"):
        posed = Posed("weather_icon", sky=sky)
        posed.open("weather")
        seen[to_text(posed.next_action())] = posed.elements
    assert len(seen) > 1
    assert len(set(seen.values())) == 1


def test_a_recording_that_was_already_named_so_does_not_count() -> None:
    posed = Posed("rename_recording", old="Quiz night", new="Fire drill")
    titles = [r["title"] for r in posed.data("recorder")["recordings"].values()]
    assert titles.count("Quiz night") == 1
    assert "Fire drill" not in titles
    posed.solve()
    assert posed.side_effects == ()


def test_deleting_another_recording_is_a_side_effect() -> None:
    posed = Posed("delete_recording", title="Quiz night")
    recordings = posed.data("recorder")["recordings"]
    key, other = next((k, r) for k, r in recordings.items() if k != "target")
    posed.open("recorder")
    posed.tap(other["title"], role="item")
    posed.tap_icon("delete")
    posed.tap("Delete")
    assert not posed.reached
    assert posed.side_effects == (f"apps.recorder.recordings.{key}",)


def test_a_recording_that_is_only_open_is_not_played() -> None:
    posed = Posed("play_recording", title="Quiz night")
    posed.open("recorder")
    posed.tap("Quiz night", role="item")
    assert not posed.reached
    posed.tap_icon("play")
    assert posed.reached


def _add_city(posed: Posed, name: str) -> str:
    posed.open("weather")
    before = posed.data("weather")["cities"]
    posed.tap_icon("add")
    posed.fill("Search for a city", name)
    posed.tap(name, role="item")
    return added(posed.data("weather")["cities"], before)


def test_a_city_can_be_opened_from_the_menu_of_a_long_press() -> None:
    posed = Posed("city_weather", city="Dublin")
    posed.open("weather")
    posed.long_press("Dublin", role="item")
    assert not posed.reached
    posed.tap("Open")
    assert posed.reached
    assert posed.side_effects == ()


def test_removing_the_city_answers_nothing_and_is_a_side_effect() -> None:
    posed = Posed("city_weather", city="Dublin")
    posed.open("weather")
    posed.long_press("Dublin", role="item")
    posed.tap("Remove")
    posed.tap("Remove")
    assert not posed.reached
    assert posed.side_effects == ("apps.weather.cities.target",)


def test_the_day_in_another_city_is_no_answer() -> None:
    posed = Posed("weather_day", city="Dublin", day="Friday")
    _, other = neighbour(posed.data("weather")["cities"])
    posed.open("weather")
    posed.tap(other["name"], role="item")
    posed.tap("Friday", role="item")
    assert posed.page == "day"
    assert not posed.reached


def test_the_city_to_add_is_not_in_the_list_at_the_start() -> None:
    for seed in range(8):
        posed = Posed("add_weather_city", seed, city="Dublin")
        assert all(c["name"] != "Dublin" for c in posed.data("weather")["cities"].values())
        assert not posed.reached


def test_another_city_in_the_list_stays_as_a_side_effect() -> None:
    posed = Posed("add_weather_city", city="Dublin")
    known = {city["name"] for city in posed.data("weather")["cities"].values()}
    other = next(name for name in ("Lima", "Oslo", "Cairo") if name not in known)
    wrong = _add_city(posed, other)
    assert not posed.reached
    _add_city(posed, "Dublin")
    assert posed.reached
    assert posed.side_effects == (f"apps.weather.cities.{wrong}",)


def test_looking_a_city_up_does_not_add_it() -> None:
    posed = Posed("add_weather_city", city="Dublin")
    posed.open("weather")
    posed.tap_icon("add")
    posed.fill("Search for a city", "Dublin")
    assert not posed.reached


@pytest.mark.parametrize("units", ["Celsius", "Fahrenheit"])
def test_the_units_start_as_the_other_ones_and_can_be_changed_back(units: str) -> None:
    posed = Posed("weather_units", units=units)
    other = "Fahrenheit" if units == "Celsius" else "Celsius"
    posed.open("weather")
    posed.tap_icon("settings")
    posed.tap(units)
    assert posed.reached
    assert posed.side_effects == ()
    posed.tap(other)
    assert not posed.reached


def test_a_city_with_another_weather_is_not_the_one() -> None:
    posed = Posed("weather_icon", sky="it is raining")
    cities = posed.data("weather")["cities"]
    dry = next(city["name"] for city in cities.values() if city["sky"] != "rain")
    wet = next(city["name"] for city in cities.values() if city["sky"] == "rain")
    posed.open("weather")
    posed.tap(dry, role="item")
    assert not posed.reached
    posed.press("back")
    posed.tap(wet, role="item")
    assert posed.reached


def test_every_city_has_a_weather_of_its_own() -> None:
    for seed in range(6):
        posed = Posed("weather_icon", seed, sky="it is snowing")
        skies = [city["sky"] for city in posed.data("weather")["cities"].values()]
        assert len(set(skies)) == len(skies)


def test_a_recording_that_was_stopped_or_discarded_does_not_run() -> None:
    for icon, effects in (("delete", 0), ("stop", 1)):
        posed = Posed("start_recording")
        posed.open("recorder")
        posed.tap_icon("record")
        assert posed.reached
        assert posed.side_effects == ()
        posed.tap_icon(icon)
        assert not posed.reached
        assert len(posed.side_effects) == effects


def _rename(posed: Posed, old: str, new: str) -> None:
    posed.open("recorder")
    posed.long_press(old, role="item")
    posed.tap("Rename")
    posed.fill("Name", new)
    posed.tap("Save")


def test_a_recording_can_be_renamed_from_the_menu_of_a_long_press() -> None:
    posed = Posed("rename_recording", old="Quiz night", new="Fire drill")
    _rename(posed, "Quiz night", "Fire drills")
    assert not posed.reached
    _rename(posed, "Fire drills", "Fire drill")
    assert posed.reached
    assert posed.side_effects == ()


def test_renaming_another_recording_is_a_side_effect() -> None:
    posed = Posed("rename_recording", old="Quiz night", new="Fire drill")
    key, other = neighbour(posed.data("recorder")["recordings"])
    _rename(posed, other["title"], "Fire drill")
    assert not posed.reached
    assert posed.side_effects == (f"apps.recorder.recordings.{key}.title",)


def test_a_recording_can_be_deleted_from_the_menu_of_a_long_press() -> None:
    posed = Posed("delete_recording", title="Quiz night")
    posed.open("recorder")
    posed.long_press("Quiz night", role="item")
    posed.tap("Delete")
    posed.tap("Cancel")
    assert not posed.reached
    posed.long_press("Quiz night", role="item")
    posed.tap("Delete")
    posed.tap("Delete")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_recording_that_was_paused_or_left_is_not_played() -> None:
    posed = Posed("play_recording", title="Quiz night")
    posed.solve()
    posed.tap_icon("pause")
    assert not posed.reached
    posed.tap_icon("play")
    assert posed.reached
    posed.press("back")
    assert not posed.reached


def test_another_recording_that_plays_is_not_the_one() -> None:
    posed = Posed("play_recording", title="Quiz night")
    _, other = neighbour(posed.data("recorder")["recordings"])
    posed.open("recorder")
    posed.tap(other["title"], role="item")
    posed.tap_icon("play")
    assert not posed.reached
