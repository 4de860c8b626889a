"""Maps: search, pins, nearby places, saved places and directions."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.maps import (
    CATEGORIES,
    MODES,
    PINNED,
    PLACES,
    distance,
    distance_text,
    of_category,
    scatter_pins,
)
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


# Search and the map


@pytest.mark.parametrize("query", ["third SAUCER", "saucer"])
def test_a_place_is_found_by_a_part_of_its_name(driver: Driver, query: str) -> None:
    driver.fill("Search here", query)
    assert PLACE in driver.of_role("item")


def test_at_most_twenty_places_are_found(driver: Driver) -> None:
    driver.fill("Search here", "a")
    assert len(driver.scroll_through()) == 20


def test_enter_hides_the_keyboard_and_keeps_the_results(driver: Driver) -> None:
    driver.fill("Search here", PLACE)
    driver.press(Key.ENTER)
    assert not driver.device.observe().keyboard
    assert PLACE in driver.of_role("item")


def test_zoom_has_a_least_and_a_most(driver: Driver) -> None:
    driver.tap_icon("zoom_out")
    assert driver.var("zoom") == 1
    for _ in range(7):
        driver.tap_icon("zoom_in")
    assert driver.var("zoom") == 5
    assert driver.looks("map")[0][1] == 5
    driver.tap("My location")
    assert driver.var("zoom") == 1


def test_looking_around_changes_nothing_that_lasts(driver: Driver) -> None:
    with driver.changes():
        driver.tap_icon("zoom_in")
        driver.tap("Saved")
        driver.tap("Explore")
        driver.fill("Search here", PLACE)
        driver.tap(PLACE, role="item")


def test_a_pin_that_is_touched_is_no_recent_place(driver: Driver) -> None:
    before = driver.data("maps")["recent_places"]
    driver.tap_paint("map_pin", "coffee")
    assert driver.page == "place"
    assert driver.data("maps")["recent_places"] == before


# Kinds of places


@pytest.mark.parametrize("kind", CATEGORIES)
def test_each_kind_of_place_has_a_page_with_all_its_places(kind: str) -> None:
    driver = Driver(seed=3)
    driver.open("maps")
    driver.tap("More")
    driver.tap(CATEGORIES[kind][0], role="item")
    assert driver.scroll_through() == [place.name for place in of_category(kind)]


@pytest.mark.parametrize(
    ("order", "value"),
    [
        ("Distance", lambda driver, name: distance(driver.data("maps")["home"], name)),
        ("Rating", lambda driver, name: -PLACES[name].rating),
    ],
)
def test_places_of_a_kind_are_put_in_order_of(driver: Driver, order: str, value: Any) -> None:
    driver.tap("Hotels")
    driver.tap(order)
    assert driver.element(order, "button").checked
    values = [value(driver, name) for name in driver.scroll_through()]
    assert values == sorted(values)
    driver.swipe("down")
    driver.swipe("down")
    driver.tap("Relevance")
    assert driver.scroll_through()[0] == of_category("hotel")[0].name


# One place


def test_a_place_tells_its_street_hours_and_distance(driver: Driver) -> None:
    open_place(driver)
    place = PLACES[PLACE]
    away = distance_text(distance(driver.data("maps")["home"], PLACE))
    assert driver.sees(place.street)
    assert driver.element("Open today").description == f"until {place.open_until}"
    assert driver.element("Distance").description == away
    assert driver.shows(f"{place.rating} stars")


def test_saving_a_place_changes_that_place_alone_and_says_so(driver: Driver) -> None:
    driver.change("apps", "maps", "saved", to={"Nowhere": True})
    open_place(driver)
    with driver.changes(f"apps.maps.saved.{PLACE}"):
        driver.tap_icon("star")
    assert driver.sees("Saved")
    with driver.changes(f"apps.maps.saved.{PLACE}"):
        driver.tap_icon("star_filled")
    assert driver.sees("Removed from saved places")


def test_calling_and_sharing_a_place_change_nothing(driver: Driver) -> None:
    open_place(driver)
    with driver.changes():
        driver.tap("Call")
        assert driver.shows("Calling 555-")
        driver.tap("Share")
        assert driver.sees("Link copied")


def test_what_was_opened_last_leads_the_recent_places(driver: Driver) -> None:
    open_place(driver)
    driver.back()
    driver.tap_icon("close")
    driver.tap("Saved")
    assert driver.sees("No saved places")
    assert driver.of_role("item")[0] == PLACE
    assert driver.data("maps")["recent_places"].count(PLACE) == 1
    assert len(driver.data("maps")["recent_places"]) <= 5


# Getting there


@pytest.mark.parametrize("mode", MODES)
def test_each_way_to_travel_has_its_own_time(driver: Driver, mode: str) -> None:
    open_place(driver)
    driver.tap("Directions", role="button")
    if driver.of_role("tab") != [""] * 4:
        driver.tap(MODES[mode][0], role="tab")
    else:
        driver.tap_paint("icon_tab", MODES[mode][1])
    metres = distance(driver.data("maps")["home"], PLACE)
    minutes = max(1, round(metres / 1000 / MODES[mode][2] * 60))
    assert driver.sees(f"{minutes} min ({distance_text(metres)})")
    driver.tap("Start")
    assert driver.sees(f"{minutes} min")
    assert driver.shows(MODES[mode][0])


def test_start_takes_the_way_that_is_used_most(driver: Driver) -> None:
    open_place(driver)
    driver.tap("Start")
    assert driver.shows("Transit")
    driver.back()
    assert driver.page == "place"


def test_slower_ways_take_longer() -> None:
    speeds = [MODES[mode][2] for mode in ("car", "bus", "bike", "walk")]
    assert speeds == sorted(speeds, reverse=True)


@pytest.mark.parametrize("home", range(0, 10_000, 1237))
def test_a_distance_is_between_a_walk_and_a_drive_and_never_changes(home: int) -> None:
    for name in list(PLACES)[:20]:
        assert 200 <= distance(home, name) < 9000
        assert distance(home, name) == distance(home, name)


def test_distances_are_written_in_kilometres() -> None:
    assert distance_text(250) == "0.2 km"
    assert distance_text(8999) == "9.0 km"
