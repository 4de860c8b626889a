"""Goals in the Weather app and the Recorder."""

from __future__ import annotations

from random import Random
from typing import Any

from distrl.devices.phone import phone_time
from distrl.devices.phone.apps.weather import DAYS, SKIES, day_name, new_city
from distrl.devices.phone.control import Control
from distrl.tasks.allowed_changes import Added, Permission
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import CITY, EVENT, closed
from distrl.tasks.template import Draw, Params, Scene, Template


def _put_city(control: Control, name: str, rng: Random) -> None:
    """The list has exactly one city of this name, somewhere, as `target`."""
    cities = control.state["apps"]["weather"]["cities"]
    kept = [(key, city) for key, city in cities.items() if city["name"] != name]
    record = new_city(name, phone_time.day_of(control.time))
    kept.insert(rng.randrange(len(kept) + 1), ("target", record))
    control.write_root("apps", "weather", "cities", to=dict(kept))


class CityWeather(Template):
    """The weather of a city is shown."""

    name = "city_weather"
    phrasings = (
        "What is the weather in {city}?",
        "How is the weather in {city} right now?",
        "Show me the forecast for {city}",
        "Check the temperature in {city} in the Weather app",
    )
    params = {"city": CITY}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The city is in the list."""
        _put_city(control, p["city"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """Its page is in front."""
        return scene.at("weather", "city", id="target")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap it in the list."""
        hand.open("weather")
        hand.on("main")
        hand.tap(p["city"], role="item")


class WeatherDay(Template):
    """The forecast of one day in a city."""

    name = "weather_day"
    unseen = True
    phrasings = (
        "What will the weather in {city} be like on {day}?",
        "Open the {day} forecast for {city}",
        "How warm will it get in {city} on {day}?",
    )
    params = {"city": CITY, "day": closed("weekday", *(day_name(day) for day in range(DAYS)))}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The city is in the list."""
        _put_city(control, p["city"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """The day's page is in front."""
        return (
            scene.at("weather", "day", id="target")
            and day_name(scene.state["ui"]["stacks"]["weather"][-1]["args"]["day"]) == p["day"]
        )

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the city, find the day."""
        hand.open("weather")
        if hand.at("city", id="target"):
            hand.tap(p["day"], role="item")
        hand.on("main")
        hand.tap(p["city"], role="item")


class AddWeatherCity(Template):
    """A city is in the list."""

    name = "add_weather_city"
    phrasings = (
        "Add {city} to the Weather app",
        "Put {city} on my list of cities in Weather",
        "I want to follow the weather of {city}",
    )
    params = {"city": CITY}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The city alone."""
        return (Added("apps.weather.cities", {"name": p["city"]}),)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is not there yet."""
        cities = control.state["apps"]["weather"]["cities"]
        kept = {key: city for key, city in cities.items() if city["name"] != p["city"]}
        control.write_root("apps", "weather", "cities", to=kept)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is there."""
        return any(city["name"] == p["city"] for city in scene.data("weather")["cities"].values())

    def oracle(self, hand: Hand, p: Params) -> None:
        """Search for it and tap it."""
        hand.open("weather")
        if hand.at("search"):
            hand.type("query", p["city"])
            hand.tap(p["city"], role="item")
        hand.on("main")
        hand.tap_icon("add")


class WeatherUnits(Template):
    """Temperatures are shown in other units."""

    name = "weather_units"
    unseen = True
    phrasings = (
        "Show temperatures in {units}",
        "Change the weather units to {units}",
        "Use {units} in the Weather app",
        "Set the Weather app to {units}",
        "I want the forecast in {units}",
        "Make Weather count in degrees {units}",
    )
    KEYS = {"Celsius": "C", "Fahrenheit": "F"}
    params = {"units": closed("units", *KEYS)}
    allows = ("apps.weather.units",)
    weight = 0.4

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """They are in the other ones."""
        other = "F" if p["units"] == "Celsius" else "C"
        control.write_root("apps", "weather", "units", to=other)

    def check(self, scene: Scene, p: Params) -> bool:
        """They are in these."""
        return bool(scene.data("weather")["units"] == self.KEYS[p["units"]])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Choose them in the app's own settings."""
        hand.open("weather")
        if hand.at("settings"):
            hand.tap(p["units"], role="radio")
        hand.on("main")
        hand.tap_icon("settings")


class WeatherIcon(Template):
    """The city with a certain weather, which only an icon tells."""

    name = "weather_icon"
    unseen = True
    phrasings = (
        "Open the city where {sky} now",
        "In which of my cities is it that {sky}?",
        "Look at the icons in Weather and open the city where {sky}",
        "Show the forecast of the city in my list where {sky}",
        "Find the city in the Weather app where {sky} and open it",
        "Go to the weather of the place where {sky}",
    )
    SPOKEN = {
        "the sun is shining": "sun",
        "it is cloudy": "cloud",
        "it is raining": "rain",
        "it is snowing": "snow",
        "there is a thunderstorm": "storm",
    }
    params = {"sky": closed("sky", *SPOKEN)}
    visual = True
    weight = 0.6

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """Every city has a weather of its own."""
        skies = list(SKIES)
        Random(f"{rng.random()} {p['sky']}").shuffle(skies)
        for key, sky in zip(control.state["apps"]["weather"]["cities"], skies, strict=True):
            control.write_root("apps", "weather", "cities", key, "sky", to=sky)

    def _city(self, cities: Any, p: Params) -> str:
        wanted = self.SPOKEN[p["sky"]]
        return next((key for key, city in cities.items() if city["sky"] == wanted), "")

    def check(self, scene: Scene, p: Params) -> bool:
        """Its page is in front."""
        return scene.at("weather", "city", id=self._city(scene.data_before("weather")["cities"], p))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap it in the list."""
        hand.open("weather")
        hand.on("main")
        cities = hand.data("weather")["cities"]
        city = self._city(cities, p)
        if city:
            hand.tap(cities[city]["name"], role="item")


class StartRecording(Template):
    """The recorder runs."""

    name = "start_recording"
    unseen = True
    phrasings = (
        "Start a voice recording",
        "Record some sound",
        "Begin recording audio with the Recorder",
        "Make the Recorder start recording",
        "Use the Recorder to record what is said",
        "Start recording my voice",
    )
    allows = ("apps.recorder.since",)
    weight = 0.4

    def check(self, scene: Scene, p: Params) -> bool:
        """It runs."""
        return bool(scene.data("recorder")["since"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Press the red button."""
        hand.open("recorder")
        hand.on("main")
        hand.tap_icon("record")


def _put_recording(control: Control, title: str, rng: Random, *without: str) -> None:
    """There is exactly one recording of this title, as `target`, and none of the others."""
    recordings = control.state["apps"]["recorder"]["recordings"]
    names = (title, *without)
    kept = [(key, r) for key, r in recordings.items() if r["title"] not in names]
    record = {"title": title, "seconds": rng.randint(12, 1500), "day": rng.randrange(60)}
    kept.insert(rng.randrange(len(kept) + 1), ("target", record))
    control.write_root("apps", "recorder", "recordings", to=dict(kept))


def _find_recording(hand: Hand, title: str) -> None:
    """The list is on top and the title is tapped; a running recording is thrown away first."""
    hand.on("main")
    if hand.data("recorder")["since"]:
        hand.tap_icon("delete")
    hand.tap(title, role="item")


class RenameRecording(Template):
    """A recording has another name."""

    name = "rename_recording"
    unseen = True
    phrasings = (
        "Rename the recording {old} to {new}",
        "Change the name of my recording {old} to {new}",
        "Call the recording {old} {new} instead",
    )
    params = {"old": EVENT, "new": EVENT}
    allows = ("apps.recorder.recordings.target.title",)
    weight = 0.8

    def sample(self, draw: Draw) -> dict[str, Any]:
        """Two names."""
        old, new = draw.some(EVENT, 2)
        return {"old": old, "new": new}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It has the old name."""
        _put_recording(control, p["old"], rng, p["new"])

    def check(self, scene: Scene, p: Params) -> bool:
        """It has the new name."""
        target = scene.data("recorder")["recordings"].get("target", {})
        return bool(target.get("title") == p["new"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it, press the pencil, type, save."""
        hand.open("recorder")
        if hand.at("rename", id="target"):
            hand.type("title", p["new"])
            hand.tap("Save")
        if hand.at("recording", id="target"):
            hand.tap_icon("edit")
        title = hand.data("recorder")["recordings"].get("target", {}).get("title", p["old"])
        _find_recording(hand, title)


class DeleteRecording(Template):
    """A recording is gone."""

    name = "delete_recording"
    phrasings = (
        "Delete the recording {title}",
        "Remove the {title} recording from the Recorder",
        "Erase my voice recording called {title}",
    )
    params = {"title": EVENT}
    allows = ("apps.recorder.recordings.target",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It exists."""
        _put_recording(control, p["title"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It does not exist any more."""
        return "target" not in scene.data("recorder")["recordings"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it, press the bin, confirm."""
        hand.open("recorder")
        if hand.at("delete", id="target"):
            hand.tap("Delete")
        if hand.at("recording", id="target"):
            hand.tap_icon("delete")
        title = hand.data("recorder")["recordings"].get("target", {}).get("title", p["title"])
        _find_recording(hand, title)


class PlayRecording(Template):
    """A recording is being played."""

    name = "play_recording"
    phrasings = (
        "Play the recording {title}",
        "Let me hear my recording called {title}",
        "Listen to {title} in the Recorder",
    )
    params = {"title": EVENT}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It exists."""
        _put_recording(control, p["title"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """Its player is in front and plays."""
        return scene.at("recorder", "recording", id="target") and bool(scene.var("playing"))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and press play."""
        hand.open("recorder")
        if hand.at("recording", id="target"):
            hand.tap_icon("play")
        _find_recording(hand, p["title"])


TEMPLATES: tuple[Template, ...] = (
    CityWeather(),
    WeatherDay(),
    AddWeatherCity(),
    WeatherUnits(),
    WeatherIcon(),
    StartRecording(),
    RenameRecording(),
    DeleteRecording(),
    PlayRecording(),
)
