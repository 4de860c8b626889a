"""What the goals of sorting and filtering accept and what they do not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tasks.shopping.shopping import OMNI, WATT, Shopping

from distrl.devices.phone.apps.shop_catalogue import PRICES, PRODUCTS, RATINGS, SORTS, search
from distrl.tasks.shopping.filtering import ORDERS, STARS

LINE = "Norvik headphones"
PRICE = list(PRICES)[1]
COLORS = sorted({color for key in search(WATT, "Norvik") for color in PRODUCTS[key].colors})


def _choose(task: Shopping, filter_name: str, value: str) -> None:
    task.tap(filter_name)
    task.tap(value, role="radio")


@pytest.mark.parametrize("order", ORDERS)
def test_only_the_order_asked_for_counts(order: str) -> None:
    task = Shopping("sort_results", line=LINE, shop=WATT, order=order)
    task.search(LINE)
    assert not task.reached
    for label in SORTS[1:]:
        _choose(task, "Sort", label)
        assert task.reached is (label == ORDERS[order])
    _choose(task, "Sort", SORTS[0])
    assert not task.reached


def test_an_order_on_another_search_does_not_count() -> None:
    task = Shopping("sort_results", line=LINE, shop=WATT, order="customer rating")
    task.search("Norvik")
    _choose(task, "Sort", ORDERS["customer rating"])
    assert not task.reached
    task.solve(20)
    assert task.side_effects == ()


def test_a_filter_besides_the_order_does_no_harm() -> None:
    task = Shopping("sort_results", line=LINE, shop=WATT, order="customer rating")
    task.search(LINE)
    _choose(task, "Brand", "Norvik")
    _choose(task, "Sort", ORDERS["customer rating"])
    assert task.reached


FILTERS: list[tuple[str, dict[str, Any], str, str, str]] = [
    (
        "filter_brand",
        {"kind": "headphones", "brand": "Norvik"},
        "headphones",
        "Brand",
        "Norvik",
    ),
    ("filter_price", {"brand": "Norvik", "price": PRICE}, "Norvik", "Price", PRICE),
    ("filter_rating", {"brand": "Norvik", "stars": "4"}, "Norvik", "Rating", STARS["4"]),
]


@pytest.mark.parametrize(("template", "parameters", "query", "title", "value"), FILTERS)
def test_a_filter_counts_until_it_is_taken_off(
    template: str, parameters: dict[str, Any], query: str, title: str, value: str
) -> None:
    task = Shopping(template, shop=WATT, **parameters)
    task.search(query)
    assert not task.reached
    _choose(task, title, value)
    assert task.reached
    assert task.side_effects == ()
    _choose(task, title, value)
    assert not task.reached


@pytest.mark.parametrize(("template", "parameters", "query", "title", "value"), FILTERS)
def test_another_value_of_the_filter_is_not_the_one(
    template: str, parameters: dict[str, Any], query: str, title: str, value: str
) -> None:
    task = Shopping(template, shop=WATT, **parameters)
    task.search(query)
    task.tap(title)
    offered = [e.text for e in task.elements if e.role == "radio"]
    other = next(text for text in offered if text != value)
    task.tap(other, role="radio")
    assert not task.reached
    task.solve(20)


@pytest.mark.parametrize(
    ("template", "parameters", "title", "value"),
    [
        ("filter_brand", {"kind": "headphones", "brand": "Norvik"}, "Brand", "Norvik"),
        ("filter_rating", {"brand": "Norvik", "stars": "4"}, "Rating", STARS["4"]),
    ],
)
def test_the_filter_on_another_search_does_not_count(
    template: str, parameters: dict[str, Any], title: str, value: str
) -> None:
    task = Shopping(template, shop=WATT, **parameters)
    task.search(LINE)
    _choose(task, title, value)
    assert not task.reached
    task.solve(20)
    assert task.side_effects == ()


def test_an_order_besides_the_filter_does_no_harm() -> None:
    task = Shopping("filter_rating", brand="Norvik", stars="4", shop=WATT)
    task.search("Norvik")
    _choose(task, "Sort", SORTS[1])
    _choose(task, "Rating", STARS["4"])
    assert task.reached


def test_a_colour_is_chosen_among_samples() -> None:
    task = Shopping("filter_color", brand="Norvik", color=COLORS[0], shop=WATT)
    task.search("Norvik")
    task.tap("Color")
    task.tap_paint("swatch", COLORS[1])
    assert not task.reached
    task.tap("Color")
    task.tap_paint("swatch", COLORS[0])
    assert task.reached


def test_a_draft_of_a_filter_shows_nothing_yet() -> None:
    """Some shops have a page of filters that count once the results are shown."""
    task = Shopping("filter_rating", brand="Norvik", stars="4", shop=OMNI)
    task.search("Norvik")
    task.tap("Filter")
    task.tap(STARS["4"])
    assert not task.reached
    task.tap("Show results")
    assert task.reached
    task.tap("Filter")
    task.tap("Clear")
    assert not task.reached
    task.tap("Show results")
    assert not task.reached


def test_every_rating_that_a_goal_names_can_be_chosen() -> None:
    assert set(STARS.values()) <= set(RATINGS)
    assert set(ORDERS.values()) == set(SORTS[1:])


def test_a_second_filter_is_one_too_many() -> None:
    task = Shopping("filter_brand", kind="headphones", brand="Norvik", shop="wattbarrow.com")
    task.walk_to("listing")
    task.tap("Brand")
    task.tap("Norvik", role="radio")
    assert task.reached
    task.tap("Rating")
    task.tap("4 stars and up", role="radio")
    assert not task.reached
    task.solve(20)
