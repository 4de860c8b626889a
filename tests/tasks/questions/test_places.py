from __future__ import annotations

import pytest
from tests.tasks.questions.asked import Asked, Case, misjudged, unseen

from distrl.devices.phone.apps.maps import PLACES
from distrl.tasks.questions.places import TEMPLATES

CITY = ("apps", "weather", "cities", "target")
UNITS = ("apps", "weather", "units")
CASES = (
    Case(
        "q_temperature",
        {"city": "Boston"},
        ("28°", "28", "28 degrees", "It is twenty-eight degrees", "28°C"),
        ("27°", "29 degrees", "-28", "82°", "280", "28 or 29", "Sunny"),
        {(*CITY, "now"): 28, UNITS: "C"},
    ),
    Case(
        "q_temperature",
        {"city": "Boston"},
        ("50°", "50 degrees", "fifty"),
        ("10°", "10 degrees", "ten", "49", "51°"),
        {(*CITY, "now"): 10, UNITS: "F"},
    ),
    Case(
        "q_temperature",
        {"city": "Boston"},
        ("-3°", "-3", "-3 degrees"),
        ("3°", "-2°", "three", "-30"),
        {(*CITY, "now"): -3, UNITS: "C"},
    ),
    Case(
        "q_sky",
        {"city": "Riga"},
        ("Thunderstorm", "thunderstorm", "a thunderstorm.", "It is a THUNDERSTORM"),
        ("Storm", "Rain", "Sunny", "thunderstorm or rain", "storm", "yes"),
        {(*CITY, "sky"): "storm"},
    ),
    Case(
        "q_sky",
        {"city": "Riga"},
        ("Cloudy", "cloudy", "It is cloudy there"),
        ("Sunny", "not cloudy", "Thunderstorm", "cloud cover"),
        {(*CITY, "sky"): "cloud"},
    ),
    Case(
        "q_place_rating",
        {"place": "Stride Studio"},
        ("4.0", "4", "four", "4 stars", "It has 4.0 stars"),
        ("4.1", "3.9", "40", "5", "5 stars", "4.0 of 5.0"),
    ),
    Case(
        "q_place_street",
        {"place": "Fossil House"},
        ("35 Quarry Road", "35 quarry road.", "It is at 35 Quarry Road"),
        ("Quarry Road", "36 Quarry Road", "35 Quarry Lane", "35", "54 Larch Lane"),
    ),
    Case(
        "q_place_closes",
        {"place": "The Quiet Larch"},
        ("22:00", "10 PM", "10:00 pm", "at 22:00"),
        ("10:00", "10 AM", "21:00", "22:30", "8:00 to 22:00", "22"),
    ),
)
every_case = pytest.mark.parametrize("case", CASES, ids=str)


def test_every_question_of_the_module_has_a_case_or_a_test() -> None:
    tested = {case.template for case in CASES} | {"q_rain_chance"}
    assert tested == {template.name for template in TEMPLATES}


@every_case
def test_the_right_answer_counts_in_any_spelling_and_a_near_miss_does_not(case: Case) -> None:
    assert not list(misjudged(case))


@every_case
def test_the_oracle_reads_the_answer_on_the_screen(case: Case) -> None:
    assert not list(unseen(case))


@pytest.mark.parametrize("day", ["Monday", "Wednesday", "Sunday"])
@pytest.mark.parametrize("city", ["Jakarta", "Durban"])
def test_the_chance_of_rain_is_the_one_of_that_day_in_that_city(city: str, day: str) -> None:
    asked = Asked("q_rain_chance", city=city, day=day)
    percent = int(asked.find_out().rstrip("%°"))  # the day may be as warm as rain is likely
    assert asked.sees(f"{percent}%")
    for right in (f"{percent}%", str(percent), f"{percent} percent", f"It is {percent}%."):
        assert asked.accepts(right), right
    for wrong in (f"{percent + 10}%", f"{percent - 10}%", "none", "yes", f"{percent} or 95%"):
        assert not asked.accepts(wrong), wrong
    assert not asked.side_effects


def test_days_and_cities_have_chances_of_their_own() -> None:
    said = {
        (city, day): Asked("q_rain_chance", city=city, day=day).find_out()
        for city in ("Jakarta", "Durban")
        for day in ("Monday", "Wednesday", "Sunday")
    }
    assert len(set(said.values())) > 2


def test_the_weather_of_another_city_is_no_answer() -> None:
    asked = Asked("q_temperature", city="Boston")
    asked.arrange(*CITY, "now", to=28)
    asked.arrange("apps", "weather", "cities", "city0", "now", to=13)
    assert not asked.accepts("13°")
    assert asked.accepts("28°")


@pytest.mark.parametrize("name", list(PLACES)[::7])
def test_the_map_shows_what_is_asked_about_a_place(name: str) -> None:
    place = PLACES[name]
    for template, right in {
        "q_place_rating": str(place.rating),
        "q_place_street": place.street,
        "q_place_closes": place.open_until,
    }.items():
        asked = Asked(template, place=name)
        assert asked.accepts(asked.find_out())
        assert asked.shows(right)
