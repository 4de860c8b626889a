"""What the goals in Weather and the Recorder accept and what they do not."""

from __future__ import annotations

from tests.tasks.general.posed import Posed

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
