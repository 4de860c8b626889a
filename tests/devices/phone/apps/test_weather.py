"""Weather, driven by hand."""

from __future__ import annotations

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone import phone_time
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
