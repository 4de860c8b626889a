"""Weather: a list of cities, and for each the weather now, by hour and by day."""

from __future__ import annotations

import zlib
from functools import lru_cache
from random import Random

from distrl.devices.phone import content, phone_time
from distrl.devices.phone.app import App
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import BODY, Ui
from distrl.devices.phone.ui.view import Handler

SKIES: dict[str, tuple[str, str, tuple[int, int, int]]] = {
    "sun": ("Sunny", "sun", (232, 150, 40)),
    "cloud": ("Cloudy", "cloud", (110, 130, 155)),
    "rain": ("Rain", "rain", (60, 105, 170)),
    "snow": ("Snow", "snow", (95, 150, 190)),
    "storm": ("Thunderstorm", "storm", (80, 66, 120)),
}
"""Words, icon and colour of each kind of weather."""

DAYS = 7
_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_RESULTS = 10


@lru_cache(maxsize=4096)
def forecast(city: str, day: int) -> tuple[str, int, int]:
    """Sky, lowest and highest temperature of a day in a city, in degrees Celsius."""
    # Drawn from a checksum and not from a generator: any day of any city, the same in every
    # process.
    number = zlib.crc32(f"{city} {day}".encode())
    climate = zlib.crc32(city.encode()) % 26
    low = climate - 4 + number % 7
    sky = tuple(SKIES)[number // 7 % len(SKIES)]
    if low > 8 and sky == "snow":
        sky = "rain"
    return sky, low, low + 5 + number // 64 % 6


def new_city(name: str, day: int) -> State:
    """A city's record, with the weather that it has today."""
    sky, low, high = forecast(name, day)
    return {"name": name, "sky": sky, "now": (low + high) // 2}


def degrees(celsius: int, units: str) -> str:
    """A temperature as the user wants to see it."""
    return f"{celsius if units == 'C' else round(celsius * 9 / 5 + 32)}°"


def day_name(day: int) -> str:
    """The weekday of a day."""
    return _NAMES[phone_time.moment(day * phone_time.DAY).weekday()]


def _open_city(key: str) -> Handler:
    return lambda c: c.open("city", id=key)


class Weather(App):
    """Data: cities by id (name, sky and temperature now), units (C or F)."""

    name = "weather"
    title = "Weather"
    icon = "cloud"
    color = (46, 122, 196)
    permission = "access your location"
    slow = True

    def create(self, rng: Random) -> State:
        """Five cities."""
        cities = rng.sample(content.CITIES, 5)
        return {
            "cities": {f"city{i}": new_city(city.name, 0) for i, city in enumerate(cities)},
            "units": "C",
        }

    def page_main(self, ui: Ui) -> None:
        """The cities; their weather is an icon without words."""
        gear = ("settings", "", lambda c: c.open("settings"))
        add: tuple[str, str, Handler] = ("add", "", lambda c: c.open("search"))
        first = ui.version % 2
        ui.bar("Weather", [gear] if first else [gear, add], up=False)
        for key, city in ui.data["cities"].items():
            _, icon, tint = SKIES[city["sky"]]
            name = city["name"]
            if first:
                paint = ("tinted", name, _country(name), icon, "", tint)
                widget = ui.place(paint, 46, "item", name, _country(name), _open_city(key))
                if widget is not None:
                    widget.on_long = _menu(key)
            else:
                ui.row(
                    name,
                    _country(name),
                    trailing=f"icon:{icon}",
                    tint=tint,
                    on_tap=_open_city(key),
                    on_long=_menu(key),
                )
        if not ui.data["cities"]:
            ui.empty("No cities", "cloud")
        if first:
            ui.fab("add", add[2])

    def page_city(self, ui: Ui) -> None:
        """One city: now, the next hours, the next days."""
        key = ui.args["id"]
        city = ui.data["cities"].get(key)
        if city is None:
            ui.bar("Weather")
            ui.empty("This city was removed", "cloud")
            return
        ui.bar(city["name"], [("delete", "", lambda c: c.open("remove", id=key))])
        words, icon, tint = SKIES[city["sky"]]
        units = ui.data["units"]
        now = degrees(city["now"], units)
        ui.place(("hero", now, icon, tint), 76, "text", now, words)
        ui.text(words, 13, align="center", bold=True)
        sections = [self._hours, self._days]
        for section in sections if ui.version % 2 else reversed(sections):
            section(ui, key, city)

    def _hours(self, ui: Ui, key: str, city: State) -> None:
        del key
        ui.header("Next hours")
        hour = phone_time.minute_of(ui.time) // 60
        _, icon, tint = SKIES[city["sky"]]
        cells = []
        for step in range(6):
            time = phone_time.clock_text((hour + step) * 60, hour24=ui.system["hour24"])
            short = time.replace(":00 ", " ")
            value = degrees(city["now"] + (2, 1, 0, 0, -1, -2)[step], ui.data["units"])
            cells.append((("stacked", short, icon, value, tint), short, value, None))
        ui.grid(cells, columns=6, height=44, role="text")

    def _days(self, ui: Ui, key: str, city: State) -> None:
        ui.header("Next days")
        today = phone_time.day_of(ui.time)
        for day in range(today + 1, today + 1 + DAYS):
            sky, low, high = forecast(city["name"], day)
            units = ui.data["units"]
            ui.row(
                day_name(day),
                icon=SKIES[sky][1],
                tint=SKIES[sky][2],
                trailing=f"{degrees(high, units)} / {degrees(low, units)}",
                on_tap=_open_day(key, day),
            )

    def page_day(self, ui: Ui) -> None:
        """One day in one city."""
        city = ui.data["cities"].get(ui.args["id"])
        if city is None:
            ui.bar("Forecast")
            ui.empty("This city was removed", "cloud")
            return
        day = int(ui.args["day"])
        sky, low, high = forecast(city["name"], day)
        words, icon, tint = SKIES[sky]
        units = ui.data["units"]
        ui.bar(f"{city['name']}, {day_name(day)}")
        ui.place(("hero", degrees(high, units), icon, tint), 76, "text", degrees(high, units))
        ui.text(words, 13, align="center", bold=True)
        number = zlib.crc32(f"{city['name']} {day}".encode())
        for title, value, sign in (
            ("High", degrees(high, units), "up"),
            ("Low", degrees(low, units), "down"),
            ("Chance of rain", f"{10 + number % 8 * 10}%", "rain"),
            ("Wind", f"{4 + number % 29} km/h", "swap"),
            ("Humidity", f"{35 + number % 55}%", "cloud"),
        ):
            ui.row(title, trailing=value, icon=sign)

    def page_search(self, ui: Ui) -> None:
        """Find a city to add."""
        ui.search_bar("query", "Search for a city", lambda c: c.focus(None))
        query = ui.text_of("query").lower()
        if not query:
            ui.empty("Type the name of a city", "search")
            return
        found = [city for city in content.CITIES if query in city.name.lower()][:_RESULTS]
        for city in found:
            ui.row(city.name, city.country, icon="location", on_tap=self._add(city.name))
        if not found:
            ui.empty("No city of this name", "search")

    def page_settings(self, ui: Ui) -> None:
        """Units."""
        ui.bar("Weather settings")
        ui.header("Temperature units")
        for key, label in (("C", "Celsius"), ("F", "Fahrenheit")):
            ui.radio(label, on=ui.data["units"] == key, on_tap=_use_units(key))
        ui.text("Forecasts are updated every hour.", BODY, ink="muted")

    def dialog_actions(self, ui: Ui) -> None:
        """The menu of a long press."""
        key = ui.args["id"]
        ui.menu(
            [
                ("Open", lambda c: c.replace("city", id=key)),
                ("Remove", lambda c: c.replace("remove", id=key)),
            ]
        )

    def dialog_remove(self, ui: Ui) -> None:
        """Ask before a city leaves the list."""
        ui.dialog(
            "Remove city?",
            "You can add it again at any time.",
            [("Cancel", lambda c: c.back()), ("Remove", self._remove)],
        )

    def _add(self, name: str) -> Handler:
        def add(control: Control) -> None:
            control.back()
            if all(city["name"] != name for city in control.data["cities"].values()):
                record = new_city(name, phone_time.day_of(control.time))
                control.write("cities", control.new_id("city"), to=record)
                control.toast(f"{name} added")

        return add

    def _remove(self, control: Control) -> None:
        control.erase("cities", control.page["args"]["id"])
        control.back_to("main")
        control.toast("City removed")


@lru_cache(maxsize=512)
def _country(name: str) -> str:
    return next((city.country for city in content.CITIES if city.name == name), "")


def _menu(key: str) -> Handler:
    return lambda c: c.open("actions", id=key)


def _open_day(key: str, day: int) -> Handler:
    return lambda c: c.open("day", id=key, day=day)


def _use_units(units: str) -> Handler:
    return lambda c: c.write("units", to=units)
