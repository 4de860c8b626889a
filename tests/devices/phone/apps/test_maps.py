"""Maps: search, pins, nearby places, saved places and directions."""

from __future__ import annotations

from random import Random

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.maps import PINNED, PLACES, distance, of_category, scatter_pins
from distrl.types import Key

PLACE = "Third Saucer"


@pytest.fixture(params=[1, 2], ids=["layout1", "layout2"])
def driver(request: pytest.FixtureRequest) -> Driver:
    phone = Driver(seed=3, layout=request.param)
    phone.change("apps", "maps", "saved", to={})
    phone.change("apps", "maps", "modes", to=["bus", "walk", "car", "bike"])
    phone.open("maps")
    return phone


def open_place(driver: Driver) -> None:
    driver.fill("Search here", PLACE)
    driver.tap(PLACE, role="item")


def test_typing_a_name_finds_the_place(driver: Driver) -> None:
    open_place(driver)
    assert driver.page == "place"
    assert driver.sees("83 College Road")


def test_typing_a_kind_lists_its_places(driver: Driver) -> None:
    driver.fill("Search here", "cinema")
    items = [e.text for e in driver.elements if e.role == "item"]
    assert items
    assert all(PLACES[name].category == "cinema" for name in items)


def test_the_cross_brings_the_map_back(driver: Driver) -> None:
    driver.fill("Search here", "nowhere at all")
    assert driver.sees("No results found")
    driver.tap_icon("close")
    assert driver.sees("Map")


def test_the_star_saves_a_place_and_the_saved_tab_shows_it(driver: Driver) -> None:
    open_place(driver)
    driver.tap_icon("star")
    assert driver.data("maps")["saved"] == {PLACE: True}
    driver.press(Key.BACK)
    driver.tap_icon("close")
    driver.tap("Saved")
    driver.tap(PLACE, role="item")
    driver.tap_icon("star_filled")
    assert driver.data("maps")["saved"] == {}


def test_nearby_places_can_be_put_in_order_of_distance(driver: Driver) -> None:
    driver.tap("Coffee")
    driver.tap("Distance")
    home = driver.data("maps")["home"]
    names = [place.name for place in of_category("coffee")]
    nearest = min(names, key=lambda name: distance(home, name))
    first = next(e.text for e in driver.elements if e.role == "item")
    assert first == nearest


def test_the_best_rated_place_comes_first_by_rating(driver: Driver) -> None:
    driver.tap("More")
    driver.tap("Museums")
    driver.tap("Rating")
    first = next(e.text for e in driver.elements if e.role == "item")
    assert PLACES[first].rating == max(p.rating for p in of_category("museum"))


@pytest.mark.parametrize("seed", range(20))
def test_all_pins_can_be_touched_whatever_the_seed(seed: int) -> None:
    driver = Driver(seed=3)
    driver.change("apps", "maps", "pins", to=scatter_pins(Random(seed)))
    for pin in driver.data("maps")["pins"].values():
        driver.open("maps")
        category = PLACES[pin["place"]].category
        icon = {"gym": "fitness", "supermarket": "cart", "cinema": "video"}.get(category, category)
        driver.tap_paint("map_pin", icon)
        assert driver.sees(pin["place"])
        driver.press(Key.BACK)


def test_there_is_one_pin_of_each_kind_without_words(driver: Driver) -> None:
    pins = driver.data("maps")["pins"].values()
    assert sorted(PLACES[pin["place"]].category for pin in pins) == sorted(PINNED)
    assert not any(driver.shows(pin["place"]) for pin in pins)


def test_zooming_in_moves_pins_out_of_sight_and_out_brings_them_back(driver: Driver) -> None:
    whole = len(driver.elements)
    driver.tap_icon("zoom_in")
    driver.tap_icon("zoom_in")
    assert len(driver.elements) < whole
    driver.tap_icon("zoom_out")
    driver.tap_icon("zoom_out")
    assert len(driver.elements) == whole


def test_directions_depend_on_the_way_to_travel() -> None:
    driver = Driver(seed=3)
    driver.change("apps", "maps", "modes", to=["bus", "walk", "car", "bike"])
    driver.open("maps")
    open_place(driver)
    driver.tap("Directions", role="button")
    by_bus = driver.texts()
    assert all(not e.text and not e.description for e in driver.elements if e.role == "tab")
    driver.tap_paint("icon_tab", "walk")
    assert driver.var("mode") == "walk"
    assert driver.texts() != by_bus


def test_start_begins_the_trip_and_end_leads_back_to_the_map(driver: Driver) -> None:
    open_place(driver)
    driver.tap("Start")
    assert driver.page == "trip"
    driver.tap("End")
    assert driver.page == "main"
