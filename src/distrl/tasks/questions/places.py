"""Questions about cities and places: the weather and the map."""

from __future__ import annotations

import zlib

from distrl.devices.phone import phone_time
from distrl.devices.phone.apps.maps import PLACES
from distrl.devices.phone.apps.weather import SKIES, day_name, degrees
from distrl.devices.phone.state import State
from distrl.tasks.general import maps, weather
from distrl.tasks.question import Question
from distrl.tasks.template import Params, Template


class Temperature(Question):
    """How warm it is."""

    name = "q_temperature"
    phrasings = (
        "How many degrees is it in {city} right now?",
        "What is the temperature in {city}?",
        "How warm is it in {city}? Answer with the degrees",
    )
    place = weather.CityWeather()

    def right(self, state: State, p: Params) -> str:
        """The degrees on the page."""
        held = state["apps"]["weather"]
        return degrees(held["cities"]["target"]["now"], held["units"])


class Sky(Question):
    """What the sky does."""

    name = "q_sky"
    phrasings = (
        "Is it sunny, cloudy, or what is the sky like in {city}?",
        "What kind of weather does {city} have right now, in a word?",
        "How does the Weather app describe the sky over {city}?",
    )
    place = weather.CityWeather()

    def right(self, state: State, p: Params) -> str:
        """The words on the page."""
        return str(SKIES[state["apps"]["weather"]["cities"]["target"]["sky"]][0])


class RainChance(Question):
    """Two pages: a city, and one of its days."""

    name = "q_rain_chance"
    phrasings = (
        "What is the chance of rain in {city} on {day}?",
        "How likely is rain in {city} on {day}, in percent?",
        "How high is the chance that it rains in {city} on {day}?",
    )
    place = weather.WeatherDay()

    def right(self, state: State, p: Params) -> str:
        """The percentage on the day's page."""
        today = phone_time.day_of(state["time"])
        day = next(day for day in range(today + 1, today + 8) if day_name(day) == p["day"])
        number = zlib.crc32(f"{p['city']} {day}".encode())
        return f"{10 + number % 8 * 10}%"


class PlaceRating(Question):
    """The stars of a place."""

    name = "q_place_rating"
    phrasings = (
        "How many stars does {place} have in Maps?",
        "What is the rating of {place}?",
        "How is {place} rated on the map?",
    )
    place = maps.FindPlace()

    def right(self, state: State, p: Params) -> str:
        """Its stars."""
        return str(PLACES[p["place"]].rating)


class PlaceStreet(Question):
    """The address of a place."""

    name = "q_place_street"
    phrasings = (
        "What is the address of {place}?",
        "In which street is {place}?",
        "Find {place} in Maps and tell me the address",
    )
    place = maps.FindPlace()

    def right(self, state: State, p: Params) -> str:
        """Its street."""
        return PLACES[p["place"]].street


class PlaceCloses(Question):
    """How long a place is open."""

    name = "q_place_closes"
    unseen = True
    phrasings = (
        "Until what time is {place} open today?",
        "When does {place} close?",
        "How long can I go to {place} today? Tell me the closing time",
    )
    place = maps.FindPlace()

    def right(self, state: State, p: Params) -> str:
        """Its closing time."""
        return PLACES[p["place"]].open_until


TEMPLATES: tuple[Template, ...] = (
    Temperature(),
    Sky(),
    RainChance(),
    PlaceRating(),
    PlaceStreet(),
    PlaceCloses(),
)
