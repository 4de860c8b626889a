"""Wishlist, cart and checkout of the web shops."""

from __future__ import annotations

from typing import Any

import pytest
from tests.devices.phone.apps.shopping import (
    HEADPHONES,
    THREADMOOR,
    WATTBARROW,
    cart,
    put_in_cart,
    visit,
    well_stocked,
)
from tests.devices.phone.driver import Driver

from distrl.devices.phone import content, phone_time
from distrl.devices.phone.apps.shop_buying import discount, size_note, subtotal
from distrl.devices.phone.apps.shop_catalogue import (
    ADDRESSES,
    CARDS,
    IDS,
    PRODUCTS,
    SPEEDS,
    assortment,
    price_text,
    search,
)
from distrl.devices.phone.apps.web import SHOPS

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])
PRICE = PRODUCTS[IDS[HEADPHONES]].price_cents


def with_cart(layout: int = 1, **chosen: Any) -> Driver:
    driver = Driver(seed=3, layout=layout)
    visit(driver, "cart", WATTBARROW)
    put_in_cart(driver, WATTBARROW, HEADPHONES, **chosen)
    return driver


def sums(driver: Driver) -> dict[str, str]:
    """Labels and amounts of the bill."""
    return {label: amount for label, amount, _ in driver.looks("sum")}


def at_checkout(layout: int = 1) -> Driver:
    driver = with_cart(layout)
    driver.tap("Checkout")
    return driver


def newest_order(driver: Driver) -> dict[str, Any]:
    order: dict[str, Any] = list(driver.data("browser")["orders"].values())[-1]
    return order


# The wishlist


@LAYOUTS
def test_a_wish_opens_its_product_in_its_colour(layout: int) -> None:
    driver = Driver(seed=3, layout=layout)
    visit(driver, "wishlist", WATTBARROW)
    assert driver.sees("Your wishlist is empty")
    color = PRODUCTS[IDS[HEADPHONES]].colors[-1]
    wish = {"product": IDS[HEADPHONES], "color": color}
    driver.change("apps", "browser", "wishlists", WATTBARROW, "w", to=wish)
    driver.tap(HEADPHONES, role="item")
    assert driver.page == "product"
    assert driver.looks("product")[0] == ("headphones", color)


def test_a_heart_of_the_wishlist_takes_out_one_wish() -> None:
    driver = Driver(seed=3)
    visit(driver, "wishlist", WATTBARROW)
    wishes = {key: {"product": key, "color": ""} for key in assortment(WATTBARROW)[:3]}
    driver.change("apps", "browser", "wishlists", WATTBARROW, to=wishes)
    first = next(iter(wishes))
    with driver.changes(f"apps.browser.wishlists.{WATTBARROW}.{first}"):
        driver.tap_paint("round_button", "heart_filled")
    assert driver.sees("Removed from wishlist")


# The cart


@LAYOUTS
def test_plus_and_minus_change_the_number_of_their_line_alone(layout: int) -> None:
    driver = Driver(seed=3, layout=layout)
    visit(driver, "cart", WATTBARROW)
    name = PRODUCTS[well_stocked(WATTBARROW)].name
    put_in_cart(driver, WATTBARROW, name)
    put_in_cart(driver, WATTBARROW, HEADPHONES)
    with driver.changes(f"apps.browser.carts.{WATTBARROW}.line-{name}.quantity"):
        driver.tap_paint("glyph", "add", "text")
    with driver.changes(f"apps.browser.carts.{WATTBARROW}.line-{name}.quantity"):
        driver.tap_paint("glyph", "remove", "text")


def test_a_line_has_between_one_and_nine_pieces() -> None:
    driver = Driver(seed=3)
    visit(driver, "cart", WATTBARROW)
    put_in_cart(driver, WATTBARROW, PRODUCTS[well_stocked(WATTBARROW)].name)
    for _ in range(11):
        driver.tap_paint("glyph", "add", "text")
    assert cart(driver, WATTBARROW)[0]["quantity"] == 9
    for _ in range(11):
        driver.tap_paint("glyph", "remove", "text")
    assert cart(driver, WATTBARROW)[0]["quantity"] == 1


def test_removing_one_line_keeps_the_others() -> None:
    driver = with_cart()
    other = PRODUCTS[well_stocked(WATTBARROW)].name
    put_in_cart(driver, WATTBARROW, other)
    with driver.changes(f"apps.browser.carts.{WATTBARROW}.line-{HEADPHONES}"):
        driver.tap_icon("delete")
    assert driver.sees("Removed from cart")
    assert driver.of_role("item") == [other]


def test_the_code_goes_with_the_last_line() -> None:
    driver = with_cart()
    driver.change("apps", "browser", "coupons", WATTBARROW, to=content.PROMO_CODES[0])
    driver.tap_icon("delete")
    assert driver.data("browser")["coupons"][WATTBARROW] == ""
    assert driver.sees("Your cart is empty")


@LAYOUTS
def test_the_bill_adds_up(layout: int) -> None:
    driver = with_cart(layout, quantity=3)
    assert sums(driver) == {"Subtotal": price_text(3 * PRICE), "Total": price_text(3 * PRICE)}


@pytest.mark.parametrize("code", content.PROMO_CODES[:6])
def test_a_code_takes_off_the_percentage_at_its_end(code: str) -> None:
    driver = with_cart()
    driver.fill("Promo code", code.lower())
    with driver.changes(f"apps.browser.coupons.{WATTBARROW}"):
        driver.tap("Apply")
    assert driver.sees("Code applied")
    off = PRICE * int(code[-2:]) // 100
    assert driver.element(f"Code {code}").description == f"-{price_text(off)}"
    assert driver.element("Total").description == price_text(PRICE - off)


@pytest.mark.parametrize("typed", ["", "  ", "MAPLE99", "MAPLE 20"])
def test_a_wrong_code_changes_nothing(typed: str) -> None:
    driver = with_cart()
    driver.tap_field("Promo code")
    if typed:
        driver.type(typed)
    with driver.changes():
        driver.tap("Apply")
    assert driver.sees("This code is not valid")


def test_the_last_code_counts() -> None:
    driver = with_cart()
    for code in content.PROMO_CODES[:2]:
        driver.fill("Promo code", code)
        driver.press("enter")
    assert driver.data("browser")["coupons"][WATTBARROW] == content.PROMO_CODES[1]


def test_a_line_says_its_size_but_not_its_colour() -> None:
    key = search(THREADMOOR, "shoe")[0]
    driver = Driver(seed=3)
    visit(driver, "cart", THREADMOOR)
    line = {"color": PRODUCTS[key].colors[0], "size": "40"}
    put_in_cart(driver, THREADMOOR, PRODUCTS[key].name, **line)
    said = driver.element(PRODUCTS[key].name).description
    assert said.endswith("Size 40")
    assert PRODUCTS[key].colors[0] not in said
    assert size_note({"size": ""}) == ""


@pytest.mark.parametrize("host", SHOPS)
def test_sums_are_of_one_shop_only(host: str) -> None:
    driver = Driver(seed=3)
    data = driver.data("browser")
    lines = data["carts"][host].values()
    expected = sum(PRODUCTS[line["product"]].price_cents * line["quantity"] for line in lines)
    assert subtotal(data, host) == expected
    assert discount(data, host) == 0


def test_a_line_of_the_cart_opens_its_product() -> None:
    driver = with_cart()
    driver.tap(HEADPHONES, role="item")
    assert driver.page == "product"
    driver.back()
    assert driver.page == "cart"


# Checkout


@LAYOUTS
@pytest.mark.parametrize(
    ("field", "labels"), [("address", ADDRESSES), ("speed", SPEEDS), ("card", CARDS)]
)
def test_every_choice_of_the_checkout_goes_into_the_order(
    field: str, labels: dict[str, Any], layout: int
) -> None:
    for label in labels:
        driver = at_checkout(layout)
        driver.tap(label, role="radio")
        driver.tap("Place order")
        assert newest_order(driver)[field] == label


@pytest.mark.parametrize("speed", SPEEDS)
def test_delivery_costs_what_it_says(speed: str) -> None:
    driver = at_checkout()
    driver.tap(speed, role="radio")
    fee = SPEEDS[speed]
    assert driver.element(speed, "radio").description == (price_text(fee) if fee else "Free")
    driver.tap("Place order")
    assert newest_order(driver)["total"] == PRICE + fee


def test_the_first_choice_of_each_section_is_made_to_begin_with() -> None:
    driver = at_checkout()
    driver.tap("Place order")
    order = newest_order(driver)
    assert (order["address"], order["speed"], order["card"]) == ("Home", "Standard", "Bluecard")
    assert order["day"] == phone_time.day_of(driver.state["time"])
    assert order["status"] == "Processing"


def test_choosing_at_the_checkout_buys_nothing_yet() -> None:
    driver = at_checkout()
    with driver.changes():
        driver.tap("Work", role="radio")
        driver.tap("Express", role="radio")
        driver.back()
    assert driver.page == "cart"


def test_an_order_takes_cart_and_code_and_leaves_other_shops() -> None:
    driver = at_checkout()
    code = content.PROMO_CODES[0]
    driver.change("apps", "browser", "coupons", WATTBARROW, to=code)
    with driver.changes(
        "apps.browser.orders.order-*",
        f"apps.browser.carts.{WATTBARROW}.*",
        f"apps.browser.coupons.{WATTBARROW}",
    ):
        driver.tap("Place order")
    assert driver.sees("Order placed")
    assert newest_order(driver)["code"] == code
    assert newest_order(driver)["total"] == PRICE - PRICE * int(code[-2:]) // 100


def test_back_from_a_placed_order_does_not_lead_to_the_checkout() -> None:
    driver = at_checkout()
    driver.tap("Place order")
    driver.back()
    assert driver.page == "cart"
    assert driver.sees("Your cart is empty")


@LAYOUTS
def test_the_sections_of_the_checkout_change_their_order_with_the_layout(layout: int) -> None:
    driver = at_checkout(layout)
    headings = [
        text
        for text in driver.scroll_through("text")
        if text in ("Deliver to", "Delivery", "Payment")
    ]
    expected = ["Deliver to", "Delivery", "Payment"]
    assert headings == (expected if layout == 1 else expected[::-1])
