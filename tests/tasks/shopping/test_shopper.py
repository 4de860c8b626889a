"""The oracle's way through a shop: every page is reached from anywhere, in every shop."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.tasks.shopping.shopping import HEADPHONES, OTHER, WATT, Shopping

from distrl.devices.phone.apps.shop_catalogue import IDS, PRODUCTS, assortment
from distrl.devices.phone.apps.web import SHOPS
from distrl.tasks.oracle_hand import Do, Hand
from distrl.tasks.shopping.shopper import Shopper
from distrl.types import Action


def _follow(task: Shopping, way: Callable[[Shopper], None], limit: int = 20) -> int:
    """Take turns until nothing is left to do; how many actions it took."""
    for count in range(limit):
        action = _turn(task, way)
        if action is None:
            return count
        task.perform(action)
    raise AssertionError(f"still busy after {limit} actions on {task.page}")


def _turn(task: Shopping, way: Callable[[Shopper], None]) -> Action | None:
    try:
        way(Shopper(Hand(task.device.phone), task.host))
    except Do as turn:
        return turn.action
    return None


def _product_of(host: str) -> str:
    return PRODUCTS[assortment(host)[0]].name


@pytest.mark.parametrize("host", SHOPS)
@pytest.mark.parametrize("page", ["shop", "cart", "wishlist", "orders"])
def test_every_page_of_every_shop_is_reached_from_an_empty_tab(host: str, page: str) -> None:
    task = Shopping("show_cart", shop=host)
    task.open("browser")
    ways: dict[str, Callable[[Shopper], None]] = {
        "shop": Shopper.front,
        "cart": Shopper.cart,
        "wishlist": Shopper.wishlist,
        "orders": Shopper.orders,
    }
    assert _follow(task, ways[page]) <= 8
    assert task.page == page
    assert task.side_effects == ()


@pytest.mark.parametrize("host", SHOPS)
def test_a_product_is_found_in_every_shop(host: str) -> None:
    task = Shopping("show_cart", shop=host)
    name = _product_of(host)
    assert _follow(task, lambda shopper: shopper.product(name)) <= 10
    assert task.page == "product"


def test_what_is_already_so_takes_no_action() -> None:
    task = Shopping("show_cart", shop=WATT)
    task.show("cart")
    assert _turn(task, Shopper.cart) is None
    task.show_product(HEADPHONES)
    assert _turn(task, lambda shopper: shopper.product(HEADPHONES)) is None
    task.search(HEADPHONES)
    assert _turn(task, lambda shopper: shopper.search(HEADPHONES)) is None


@pytest.mark.parametrize("count", [1, 3])
def test_the_cart_is_stocked_from_too_little_and_from_too_much(count: int) -> None:
    for held in (0, 1, 4):
        task = Shopping("show_cart", shop=WATT)
        line = {"product": IDS[OTHER], "color": PRODUCTS[IDS[OTHER]].colors[0], "size": ""}
        lines = {"mine": {**line, "quantity": held}} if held else {}
        task.write("carts", WATT, to=lines)
        _follow(task, lambda shopper: shopper.stock(OTHER, count), 30)
        assert sum(line["quantity"] for line in task.cart.values()) == count


def test_a_line_of_the_wrong_colour_is_taken_out() -> None:
    wanted, wrong = PRODUCTS[IDS[OTHER]].colors[:2]
    task = Shopping("show_cart", shop=WATT)
    line = {"product": IDS[OTHER], "color": wrong, "size": "", "quantity": 1}
    task.write("carts", WATT, to={"mine": line})
    _follow(task, lambda shopper: shopper.stock(OTHER, 1, color=wanted), 30)
    assert [(line["color"], line["quantity"]) for line in task.cart.values()] == [(wanted, 1)]


def test_an_empty_cart_gets_something_before_a_code_is_entered() -> None:
    task = Shopping("show_cart", shop=WATT)
    task.write("carts", WATT, to={})
    _follow(task, Shopper.stock_anything)
    assert task.cart


@pytest.mark.parametrize("host", SHOPS)
def test_a_search_is_narrowed_in_every_kind_of_shop(host: str) -> None:
    task = Shopping("show_cart", shop=host)
    brand = PRODUCTS[assortment(host)[0]].brand
    _follow(task, lambda shopper: shopper.narrow(brand, "rating", "4 stars and up"), 25)
    assert task.page == "listing"
    assert task.var("rating") == "4 stars and up"
