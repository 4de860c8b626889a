"""What the goals in Maps accept and what they do not."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed

from distrl.devices.phone.apps.maps import PLACES, distance, of_category

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
