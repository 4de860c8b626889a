"""The bars around every page of a web shop."""

from __future__ import annotations

import pytest
from tests.devices.phone.apps.shopping import (
    HEADPHONES,
    THREADMOOR,
    WATTBARROW,
    put_in_cart,
    visit,
    well_stocked,
)
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.shop_catalogue import PRODUCTS, STYLES
from distrl.devices.phone.apps.web import SHOPS

EVERYWHERE = pytest.mark.parametrize("host", SHOPS)
PAGES = ("shop", "cart", "wishlist", "orders")


def in_shop(host: str, page: str = "shop", layout: int = 1) -> Driver:
    driver = Driver(seed=3, layout=layout)
    visit(driver, page, host)
    return driver


def pieces(driver: Driver) -> int:
    """The number at the cart's icon."""
    return sum(count for icon, count, *_ in driver.looks("badge") if icon == "cart")


@EVERYWHERE
@pytest.mark.parametrize("page", PAGES)
def test_every_page_shows_the_name_of_the_shop_which_leads_to_its_front_page(
    host: str, page: str
) -> None:
    driver = in_shop(host, page)
    driver.tap(SHOPS[host].name, role="button")
    assert driver.page == "shop"


@EVERYWHERE
@pytest.mark.parametrize("layout", [1, 2])
def test_the_icons_lead_to_wishlist_and_cart(host: str, layout: int) -> None:
    driver = in_shop(host, layout=layout)
    for icon, page in (("heart", "wishlist"), ("cart", "cart")):
        driver.tap_icon(icon)
        assert driver.page == page
        driver.back()


@pytest.mark.parametrize("host", [host for host, style in STYLES.items() if style.compact])
def test_a_compact_shop_has_its_icons_at_the_bottom(host: str) -> None:
    driver = in_shop(host)
    for icon, page in (("person", "orders"), ("home", "shop")):
        driver.tap_icon(icon)
        assert driver.page == page
    widgets = driver.device.phone.view.widgets
    badges = [w for w in widgets if w.paint and w.paint[0] == "badge"]
    assert [w.y for w in badges] == [badges[0].y] * 4
    assert badges[0].y > 300


@pytest.mark.parametrize("host", [host for host, style in STYLES.items() if not style.compact])
@pytest.mark.parametrize(
    ("entry", "page"),
    [("Home", "shop"), ("My orders", "orders"), ("Wishlist", "wishlist"), ("Cart", "cart")],
)
def test_the_menu_of_a_shop_leads_to_its_pages(host: str, entry: str, page: str) -> None:
    driver = in_shop(host)
    driver.tap("Menu")
    driver.tap(entry, role="button")
    assert driver.page == page


def test_the_icons_at_the_bottom_make_room_for_the_keyboard() -> None:
    driver = in_shop(THREADMOOR)
    assert driver.looks("badge")
    driver.tap_field("Search")
    assert not driver.looks("badge")


@pytest.mark.parametrize("host", [WATTBARROW, THREADMOOR])
def test_the_cart_counts_pieces_and_not_lines(host: str) -> None:
    driver = in_shop(host)
    assert pieces(driver) == 0
    put_in_cart(driver, host, PRODUCTS[well_stocked(host)].name, quantity=3)
    assert pieces(driver) == 3


def test_carts_of_two_shops_are_apart() -> None:
    driver = in_shop(WATTBARROW)
    put_in_cart(driver, WATTBARROW, HEADPHONES)
    assert pieces(driver) == 1
    visit(driver, "shop", THREADMOOR)
    assert pieces(driver) == 0


@EVERYWHERE
def test_an_empty_search_stays_where_it_is(host: str) -> None:
    driver = in_shop(host)
    hint = "Search" if STYLES[host].compact else f"Search {SHOPS[host].name}"
    driver.tap_field(hint)
    driver.press("enter")
    assert driver.page == "shop"


@EVERYWHERE
def test_what_was_searched_for_stays_in_the_field(host: str) -> None:
    driver = in_shop(host)
    hint = "Search" if STYLES[host].compact else f"Search {SHOPS[host].name}"
    driver.fill(hint, "something rare")
    driver.press("enter")
    assert driver.page == "listing"
    assert driver.var("find") == "something rare"


def test_looking_around_a_shop_changes_nothing_that_lasts() -> None:
    driver = in_shop(WATTBARROW)
    with driver.changes():
        driver.tap("Menu")
        driver.tap("Cart", role="button")
        driver.tap(SHOPS[WATTBARROW].name, role="button")
        driver.swipe("up")
        driver.swipe("up")


@EVERYWHERE
@pytest.mark.parametrize("layout", [1, 2])
def test_results_are_pictures_in_a_grid_or_cards_in_a_list_by_shop_and_layout(
    host: str, layout: int
) -> None:
    driver = Driver(seed=3, layout=layout)
    visit(driver, "listing", host, category=SHOPS[host].categories[0])
    grid = STYLES[host].grid is (layout == 1)
    assert bool(driver.looks("offer")) == grid
    assert bool(driver.looks("card")) == (not grid)
    assert len({e.bounds[0] for e in driver.elements if e.role == "item"}) == (2 if grid else 1)
