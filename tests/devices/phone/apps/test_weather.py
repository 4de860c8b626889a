"""Weather, driven by hand."""

from __future__ import annotations

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone import content, phone_time
from distrl.devices.phone.apps.weather import SKIES, day_name, degrees, forecast

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])


def opened(layout: int = 1) -> Driver:
    driver = Driver(layout=layout)
    driver.open("weather")
    return driver


@LAYOUTS
def test_a_city_page_tells_its_weather(layout: int) -> None:
    driver = opened(layout)
    city = driver.data("weather")["cities"]["city2"]
    driver.tap(city["name"], role="item")
    assert driver.page == "city"
    assert driver.sees(SKIES[city["sky"]][0])
    assert driver.sees(degrees(city["now"], "C"))


@LAYOUTS
def test_the_list_shows_the_sky_only_as_a_picture(layout: int) -> None:
    driver = opened(layout)
    assert not any(driver.shows(words) for words, _, _ in SKIES.values())


@LAYOUTS
def test_a_city_is_added_by_search_and_only_once(layout: int) -> None:
    driver = opened(layout)
    name = driver.data("weather")["cities"]["city0"]["name"]
    driver.change("apps", "weather", "cities", to={})
    for _ in range(2):
        driver.tap_icon("add")
        driver.fill("Search for a city", name)
        driver.tap(name, role="item")
    assert [city["name"] for city in driver.data("weather")["cities"].values()] == [name]


def test_a_city_is_removed_after_a_question() -> None:
    driver = opened()
    driver.long_press(driver.data("weather")["cities"]["city1"]["name"], role="item")
    driver.tap("Remove")
    assert "city1" in driver.data("weather")["cities"]
    driver.tap("Remove")
    assert "city1" not in driver.data("weather")["cities"]


def test_units_apply_to_every_temperature() -> None:
    driver = opened()
    driver.tap_icon("settings")
    driver.tap("Fahrenheit")
    driver.press("back")
    city = driver.data("weather")["cities"]["city0"]
    driver.tap(city["name"], role="item")
    assert driver.sees(degrees(city["now"], "F"))
    assert degrees(100, "F") == "212°"


def test_a_day_of_the_forecast_has_a_page() -> None:
    driver = opened()
    name = driver.data("weather")["cities"]["city0"]["name"]
    tomorrow = phone_time.day_of(driver.state["time"]) + 1
    driver.tap(name, role="item")
    driver.tap(day_name(tomorrow), role="item")
    assert driver.page == "day"
    assert driver.sees(degrees(forecast(name, tomorrow)[2], "C"))


def test_a_page_of_a_removed_city_says_so() -> None:
    driver = opened()
    driver.tap(driver.data("weather")["cities"]["city0"]["name"], role="item")
    driver.change("apps", "weather", "cities", to={})
    assert driver.sees("This city was removed")


def in_city(layout: int = 1) -> tuple[Driver, dict[str, object]]:
    driver = opened(layout)
    city = driver.data("weather")["cities"]["city0"]
    driver.tap(city["name"], role="item")
    return driver, city


@LAYOUTS
def test_all_cities_are_listed_with_their_country(layout: int) -> None:
    driver = opened(layout)
    cities = [city["name"] for city in driver.data("weather")["cities"].values()]
    assert driver.of_role("item") == cities
    assert all(driver.element(name).description for name in cities)


def test_a_list_without_cities_says_so() -> None:
    driver = opened()
    driver.change("apps", "weather", "cities", to={})
    assert driver.sees("No cities")


@LAYOUTS
def test_the_next_hours_begin_with_this_one(layout: int) -> None:
    driver, _ = in_city(layout)
    hour = phone_time.minute_of(driver.state["time"]) // 60
    hours = [phone_time.clock_text(60 * (hour + n)).replace(":00 ", " ") for n in range(6)]
    assert [top for top, *_ in driver.looks("stacked")] == hours
    assert all(driver.sees(text) for text in hours)


def test_the_next_days_are_the_seven_after_today() -> None:
    driver, _ = in_city()
    today = phone_time.day_of(driver.state["time"])
    assert driver.scroll_through() == [day_name(today + n) for n in range(1, 8)]


def test_hours_and_days_change_places_with_the_layout() -> None:
    for layout in (1, 2):
        driver, _ = in_city(layout)
        texts = driver.texts() + [text for text, _ in driver.device.phone.view.hidden]
        assert (texts.index("Next hours") < texts.index("Next days")) == (layout == 1)


def test_a_day_has_its_details() -> None:
    driver, city = in_city()
    day = phone_time.day_of(driver.state["time"]) + 2
    driver.tap(day_name(day), role="item")
    _, low, high = forecast(str(city["name"]), day)
    assert driver.element("High").description == degrees(high, "C")
    assert driver.element("Low").description == degrees(low, "C")
    for row in ("Chance of rain", "Wind", "Humidity"):
        assert driver.element(row).description
    driver.back()
    assert driver.page == "city"


def test_the_page_of_a_day_of_a_removed_city_says_so() -> None:
    driver, _ = in_city()
    driver.tap(day_name(phone_time.day_of(driver.state["time"]) + 1), role="item")
    driver.change("apps", "weather", "cities", to={})
    assert driver.sees("This city was removed")


@pytest.mark.parametrize(("label", "units"), [("Celsius", "C"), ("Fahrenheit", "F")])
def test_units_are_chosen_by_name_and_change_nothing_else(label: str, units: str) -> None:
    driver = opened()
    other = "F" if units == "C" else "C"
    driver.change("apps", "weather", "units", to=other)
    driver.tap_icon("settings")
    with driver.changes("apps.weather.units"):
        driver.tap(label)
    assert driver.data("weather")["units"] == units
    assert driver.element(label, "radio").checked


@pytest.mark.parametrize(("celsius", "shown"), [(0, "32°"), (-40, "-40°"), (37, "99°")])
def test_fahrenheit(celsius: int, shown: str) -> None:
    assert degrees(celsius, "F") == shown
    assert degrees(celsius, "C") == f"{celsius}°"


def test_the_forecast_is_warmer_by_day_and_has_no_snow_when_it_is_warm() -> None:
    for day in range(200):
        sky, low, high = forecast("Oslo", day)
        assert sky in SKIES
        assert low + 5 <= high <= low + 10
        assert sky != "snow" or low <= 8


def test_the_search_begins_empty_and_says_when_it_finds_nothing() -> None:
    driver = opened()
    driver.tap_icon("add")
    assert driver.sees("Type the name of a city")
    driver.fill("Search for a city", "qqqq")
    assert driver.sees("No city of this name")
    driver.press("enter")
    assert not driver.device.observe().keyboard


def test_a_new_city_changes_no_other_and_a_known_one_changes_nothing() -> None:
    driver = opened()
    known = driver.data("weather")["cities"]["city0"]["name"]
    fresh = next(
        c.name
        for c in content.CITIES
        if c.name not in [city["name"] for city in driver.data("weather")["cities"].values()]
    )
    for name, changes in ((fresh, ["apps.weather.cities.city-*"]), (known, [])):
        driver.tap_icon("add")
        driver.fill("Search for a city", name)
        with driver.changes(*changes):
            driver.tap(name, role="item")
        assert driver.page == "main"
    assert not driver.sees(f"{known} added")


@pytest.mark.parametrize("way", ["page", "menu"])
def test_removing_a_city_can_be_cancelled(way: str) -> None:
    driver = opened()
    name = driver.data("weather")["cities"]["city0"]["name"]
    if way == "page":
        driver.tap(name, role="item")
        driver.tap_icon("delete")
    else:
        driver.long_press(name, role="item")
        driver.tap("Remove")
    with driver.changes():
        driver.tap("Cancel")
    assert driver.page == ("city" if way == "page" else "main")


def test_the_menu_opens_the_city() -> None:
    driver = opened()
    driver.long_press(driver.data("weather")["cities"]["city3"]["name"], role="item")
    driver.tap("Open")
    assert driver.page == "city"
    driver.back()
    assert driver.page == "main"


def test_removing_from_the_page_takes_that_city_only() -> None:
    driver, _ = in_city()
    driver.tap_icon("delete")
    with driver.changes("apps.weather.cities.city0"):
        driver.tap("Remove")
    assert driver.page == "main"
    assert driver.sees("City removed")


def test_the_24_hour_clock_is_used_for_the_hours() -> None:
    driver, _ = in_city()
    driver.change("system", "hour24", to=True)
    assert all(top.endswith(":00") for top, *_ in driver.looks("stacked"))
