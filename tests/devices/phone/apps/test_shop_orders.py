"""What was bought: the list of orders, and one of them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.devices.phone.apps.shopping import WATTBARROW, cart, visit
from tests.devices.phone.driver import Driver

from distrl.devices.phone import phone_time
from distrl.devices.phone.apps.shop_catalogue import PRODUCTS, assortment, price_text
from distrl.devices.phone.apps.shop_orders import order_title
from distrl.devices.phone.apps.web import SHOPS

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])


def order(*keys: str, day: int = 3, **more: Any) -> dict[str, Any]:
    lines = {key: {"product": key, "color": "", "size": "", "quantity": 2} for key in keys}
    facts = {"address": "Home", "speed": "Standard", "card": "Bluecard", "code": ""}
    return {
        "host": WATTBARROW,
        "lines": lines,
        "total": 12_345,
        "status": "Processing",
        "day": day,
        **facts,
        **more,
    }


def with_orders(layout: int = 1, **orders: dict[str, Any]) -> Driver:
    driver = Driver(seed=3, layout=layout)
    driver.change("apps", "browser", "orders", to=orders)
    visit(driver, "orders", WATTBARROW)
    return driver


FIRST, SECOND = assortment(WATTBARROW)[:2]


@LAYOUTS
def test_orders_stand_newest_first_with_their_day(layout: int) -> None:
    driver = with_orders(layout, old=order(FIRST, day=1), new=order(SECOND, day=9))
    assert driver.of_role("item") == [PRODUCTS[SECOND].name, PRODUCTS[FIRST].name]
    said = driver.element(PRODUCTS[SECOND].name).description
    assert said == f"Ordered {phone_time.date_text(9)}"


def test_orders_of_other_shops_are_not_listed() -> None:
    other = next(host for host in SHOPS if host != WATTBARROW)
    driver = with_orders(far=order(assortment(other)[0], host=other))
    assert driver.sees("No orders yet")


def test_an_order_is_called_by_its_first_product() -> None:
    assert order_title(order(FIRST)) == PRODUCTS[FIRST].name
    assert order_title(order(FIRST, SECOND)) == f"{PRODUCTS[FIRST].name} and 1 more"


@LAYOUTS
def test_an_order_tells_everything_about_itself(layout: int) -> None:
    driver = with_orders(layout, one=order(FIRST, SECOND, status="Shipped"))
    driver.tap(order_title(order(FIRST, SECOND)), role="item")
    seen: dict[str, str] = {}
    for _ in range(4):
        seen |= {label: value for label, value, _ in driver.looks("sum")}
        driver.swipe("up")
    assert seen == {
        "Status": "Shipped",
        "Ordered": phone_time.date_text(3),
        "Deliver to": "Home",
        "Delivery": "Standard",
        "Payment": "Bluecard",
        "Total": price_text(12_345),
    }


def test_the_lines_of_an_order_tell_their_number_and_open_their_product() -> None:
    driver = with_orders(one=order(FIRST))
    driver.tap(PRODUCTS[FIRST].name, role="item")
    assert driver.element(PRODUCTS[FIRST].name).description.endswith("2 x")
    driver.tap(PRODUCTS[FIRST].name, role="item")
    assert driver.page == "product"


def test_buying_again_puts_the_lines_into_the_cart() -> None:
    driver = with_orders(one=order(FIRST, SECOND))
    driver.tap(order_title(order(FIRST, SECOND)), role="item")
    with driver.changes(f"apps.browser.carts.{WATTBARROW}.*"):
        driver.tap("Buy again")
    assert driver.page == "cart"
    assert [line["product"] for line in cart(driver, WATTBARROW)] == [FIRST, SECOND]


@pytest.mark.parametrize("status", ["Packed", "Shipped", "Out for delivery", "Delivered"])
def test_what_is_on_its_way_can_no_longer_be_cancelled(status: str) -> None:
    driver = with_orders(one=order(FIRST, status=status))
    driver.tap(PRODUCTS[FIRST].name, role="item")
    assert "Cancel order" not in driver.scroll_through("button")


def test_cancelling_changes_the_status_and_nothing_else() -> None:
    driver = with_orders(one=order(FIRST), two=order(SECOND))
    driver.tap(PRODUCTS[FIRST].name, role="item")
    driver.tap("Cancel order")
    with driver.changes():
        driver.tap("Keep order")
    driver.tap("Cancel order")
    with driver.changes("apps.browser.orders.one.status"):
        driver.tap("Cancel order", role="button")
    assert driver.sees("Order cancelled")
