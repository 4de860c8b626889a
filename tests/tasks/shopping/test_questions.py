from __future__ import annotations

from typing import Any

import pytest
from tests.tasks.questions.asked import Asked, Case, misjudged, unseen
from tests.tasks.shopping.shopping import HEADPHONES, OTHER, WATT, line_of

from distrl.devices.phone.apps.shop_catalogue import IDS, PRODUCTS, price_text, wish_key
from distrl.tasks.shopping.common import price_of
from distrl.tasks.shopping.questions import TEMPLATES

ORDER = ("apps", "browser", "orders", "target")
CART = ("apps", "browser", "carts", WATT)
WISHES = ("apps", "browser", "wishlists", WATT)
BOUGHT: dict[str, Any] = {"product": HEADPHONES, "shop": WATT}
PRODUCT = PRODUCTS[IDS[HEADPHONES]]
STARS = PRODUCT.rating_tenths / 10
COST = price_of(HEADPHONES)
CASES = (
    Case(
        "q_price",
        BOUGHT,
        (price_text(COST), f"It costs {price_text(COST)}", price_text(COST).lstrip("$")),
        (price_text(COST + 1), price_text(COST * 10), price_text(COST).replace("$", "€"), "none"),
    ),
    Case(
        "q_rating",
        BOUGHT,
        (f"{STARS} of 5 stars", str(STARS), f"{STARS} stars"),
        (f"{STARS + 0.1:.1f}", f"{STARS - 0.1:.1f} stars", "5", "5 stars"),
    ),
    Case(
        "q_stock",
        BOUGHT,
        (str(PRODUCT.stock), f"{PRODUCT.stock} left", f"There are {PRODUCT.stock}"),
        (str(PRODUCT.stock + 1), f"{PRODUCT.stock - 1} left", "in stock", "none"),
    ),
    Case(
        "q_status",
        BOUGHT,
        ("Shipped", "shipped", "It is shipped."),
        ("Delivered", "Processing", "not shipped", "processing, shipped or delivered"),
        {(*ORDER, "status"): "Shipped"},
    ),
    Case(
        "q_total",
        BOUGHT,
        ("$131.50", "131.50", "131.5 dollars", "I paid $131.50"),
        ("$131.05", "$130.50", "€131.50", "$131", "$131.50 and $4.00"),
        {(*ORDER, "total"): 13150},
    ),
    Case(
        "q_in_cart",
        BOUGHT,
        ("yes", "Yes, it is"),
        ("no", HEADPHONES),
        {CART: {"l": line_of(HEADPHONES)}},
    ),
    Case("q_in_cart", BOUGHT, ("no", "nope"), ("yes", OTHER), {CART: {"l": line_of(OTHER)}}),
    Case(
        "q_on_wishlist",
        BOUGHT,
        ("yes", "yeah"),
        ("no", "none"),
        {WISHES: {wish_key(IDS[HEADPHONES], ""): {"product": IDS[HEADPHONES], "color": ""}}},
    ),
    Case("q_on_wishlist", BOUGHT, ("no", "No, it is not"), ("yes", HEADPHONES), {WISHES: {}}),
    Case(
        "q_cart_count",
        {"shop": WATT},
        ("2", "two", "2 products", "There are two different things"),
        ("1", "3", "5", "two or three", "yes"),
        {CART: {"a": line_of(HEADPHONES, quantity=3), "b": line_of(OTHER, quantity=2)}},
    ),
    Case(
        "q_no_price",
        {"product": "Frostpine parka", "shop": WATT},
        ("none", "not found", "There is no such product"),
        ("$99.00", "99", "yes"),
    ),
)
SEEN_ELSEWHERE = {"q_cart_count", "q_stock"}
"""The number of lines is counted, and the stock stands inside a longer line."""
every_case = pytest.mark.parametrize("case", CASES, ids=str)


def test_every_question_about_shops_has_a_case_or_a_test() -> None:
    tested = {case.template for case in CASES} | {"q_cheaper"}
    assert tested == {template.name for template in TEMPLATES}


@every_case
def test_the_right_answer_counts_in_any_spelling_and_a_near_miss_does_not(case: Case) -> None:
    assert not list(misjudged(case))


@every_case
def test_the_oracle_reads_the_answer_on_the_screen(case: Case) -> None:
    hidden = case.template in SEEN_ELSEWHERE
    assert not list(
        unseen(Case(case.template, case.parameters, ("none",), (), case.held) if hidden else case)
    )


@pytest.mark.parametrize(("first", "second"), [(HEADPHONES, OTHER), (OTHER, HEADPHONES)])
def test_the_cheaper_of_two_is_named_in_either_order(first: str, second: str) -> None:
    asked = Asked("q_cheaper", first=first, second=second, shop=WATT)
    less, more = sorted((first, second), key=price_of)
    assert price_of(less) < price_of(more)
    for right in (less, less.upper(), f"The {less}."):
        assert asked.accepts(right), right
    for wrong in (more, f"{less} and {more}", price_text(price_of(less)), "yes", "the first", ""):
        assert not asked.accepts(wrong), wrong


def test_both_pages_are_seen_before_the_cheaper_one_is_named() -> None:
    asked = Asked("q_cheaper", first=HEADPHONES, second=OTHER, shop=WATT)
    said = asked.find_out()
    stack = asked.state["ui"]["stacks"]["browser"]
    shown = {page["args"].get("id") for page in stack if page["name"] == "product"}
    assert shown >= {IDS[HEADPHONES], IDS[OTHER]}
    assert asked.accepts(said)
    assert not asked.side_effects


def test_the_line_about_delivery_is_no_second_number_of_the_stock() -> None:
    asked = Asked("q_stock", **BOUGHT)
    assert asked.accepts(f"{PRODUCT.stock} left. Delivery in 3 days")
    assert not asked.accepts(f"{PRODUCT.stock + 1} left. Delivery in {PRODUCT.stock} days")


def test_a_cart_is_looked_at_and_left_alone() -> None:
    asked = Asked("q_in_cart", **BOUGHT)
    asked.find_out()
    assert not asked.side_effects
    asked.change(*CART, "new", to=line_of(OTHER))
    assert asked.side_effects
