"""What the goals in Maps accept and what they do not."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed

from distrl.devices.phone.apps.maps import CATEGORIES, MODES, PLACES, distance, of_category

PLACE = "Third Saucer"


def open_place(posed: Posed, name: str) -> None:
    posed.open("maps")
    posed.fill("Search here", name)
    posed.tap(name, role="item")


def test_directions_alone_are_no_navigation() -> None:
    posed = Posed("navigate_to", place=PLACE)
    open_place(posed, PLACE)
    posed.tap("Directions", role="button")
    assert not posed.reached
    posed.tap("Start")
    assert posed.reached


def test_another_way_to_travel_is_not_what_was_asked() -> None:
    posed = Posed("directions_by", place=PLACE, way="by bike")
    open_place(posed, PLACE)
    posed.tap("Directions", role="button")
    assert not posed.reached
    posed.tap_paint("icon_tab", "bike")
    assert posed.reached


def test_the_icons_of_the_ways_differ_in_order_while_their_elements_do_not() -> None:
    screens, orders = set(), set()
    for seed in range(6):
        posed = Posed("directions_by", seed, place=PLACE, way="by bike")
        open_place(posed, PLACE)
        posed.tap("Directions", role="button")
        screens.add(tuple(e for e in posed.elements if e.role == "tab"))
        orders.add(tuple(posed.data("maps")["modes"]))
    assert len(orders) > 1
    assert len(screens) == 1


@pytest.mark.parametrize("kind", ["coffee shop", "museum"])
def test_only_the_nearest_place_counts(kind: str) -> None:
    posed = Posed("nearest_place", kind=kind)
    home = posed.data("maps")["home"]
    names = [p.name for p in of_category({"coffee shop": "coffee", "museum": "museum"}[kind])]
    second = sorted(names, key=lambda name: distance(home, name))[1]
    open_place(posed, second)
    assert not posed.reached
    posed.solve()
    assert posed.reached


def test_a_pin_counts_only_when_it_was_touched_on_the_map() -> None:
    posed = Posed("touch_pin", kind="hospital")
    pins = posed.data("maps")["pins"].values()
    name = next(pin["place"] for pin in pins if PLACES[pin["place"]].category == "hospital")
    open_place(posed, name)
    assert not posed.reached
    assert posed.solve() <= 5


def test_saving_another_place_is_a_side_effect() -> None:
    posed = Posed("save_place", place=PLACE)
    before = posed.data("maps")["saved"]
    other = next(name for name in PLACES if name not in before and name != PLACE)
    open_place(posed, other)
    posed.tap_icon("star")
    assert not posed.reached
    assert posed.side_effects == (f"apps.maps.saved.{other}",)


def test_the_place_among_the_results_is_not_yet_open() -> None:
    posed = Posed("find_place", place=PLACE)
    posed.open("maps")
    posed.fill("Search here", PLACE)
    assert not posed.reached
    posed.tap(PLACE, role="item")
    assert posed.reached
    assert posed.side_effects == ()


def test_another_place_is_not_the_one() -> None:
    posed = Posed("find_place", place=PLACE)
    other = next(name for name in PLACES if name != PLACE)
    open_place(posed, other)
    assert not posed.reached
    posed.solve()


def test_a_saved_place_can_be_opened_from_the_list() -> None:
    posed = Posed("find_place", place=PLACE)
    posed.change("apps", "maps", "saved", to={PLACE: True})
    posed.open("maps")
    posed.tap("Saved", role="tab")
    posed.tap(PLACE, role="item")
    assert posed.reached


def test_a_trip_that_was_ended_is_no_navigation() -> None:
    posed = Posed("navigate_to", place=PLACE)
    open_place(posed, PLACE)
    posed.tap("Start")
    assert posed.reached
    posed.tap("End")
    assert not posed.reached


def test_a_trip_to_another_place_is_not_the_one() -> None:
    posed = Posed("navigate_to", place=PLACE)
    open_place(posed, next(name for name in PLACES if name != PLACE))
    posed.tap("Start")
    assert posed.page == "trip"
    assert not posed.reached
    posed.solve()


def test_a_star_that_is_taken_back_does_not_count() -> None:
    posed = Posed("save_place", place=PLACE)
    open_place(posed, PLACE)
    posed.tap_icon("star")
    assert posed.reached
    assert posed.side_effects == ()
    posed.tap_icon("star_filled")
    assert not posed.reached
    assert posed.side_effects == ()


def test_losing_a_saved_place_is_a_side_effect() -> None:
    posed = Posed("save_place", place=PLACE)
    lost = next(iter(posed.data("maps")["saved"]))
    open_place(posed, lost)
    posed.tap_icon("star_filled")
    assert posed.side_effects == (f"apps.maps.saved.{lost}",)


def test_the_nearest_place_counts_by_whatever_way_it_was_found() -> None:
    posed = Posed("nearest_place", kind="museum")
    home = posed.data("maps")["home"]
    names = [place.name for place in of_category("museum")]
    open_place(posed, min(names, key=lambda name: distance(home, name)))
    assert posed.reached


def test_directions_by_another_way_or_to_another_place_do_not_count() -> None:
    posed = Posed("directions_by", place=PLACE, way="on foot")
    open_place(posed, PLACE)
    posed.tap("Directions", role="button")
    assert not posed.reached
    posed.tap_paint("icon_tab", MODES["bike"][1])
    assert not posed.reached
    posed.tap_paint("icon_tab", MODES["walk"][1])
    assert posed.reached
    posed.tap("Start")
    assert not posed.reached


@pytest.mark.parametrize("way", ["by car", "on foot", "by bus", "by bike"])
def test_the_way_asked_for_is_never_chosen_at_the_start(way: str) -> None:
    words = {"by car": "car", "on foot": "walk", "by bus": "bus", "by bike": "bike"}
    for seed in range(6):
        posed = Posed("directions_by", seed, place=PLACE, way=way)
        assert posed.data("maps")["modes"][0] != words[way]


def test_the_pin_of_another_kind_does_not_count() -> None:
    posed = Posed("touch_pin", kind="hospital")
    other = next(
        PLACES[pin["place"]].category
        for pin in posed.data("maps")["pins"].values()
        if PLACES[pin["place"]].category != "hospital"
    )
    posed.open("maps")
    posed.tap_paint("map_pin", CATEGORIES[other][1])
    assert posed.page == "place"
    assert not posed.reached
