"""Which pages answer the questions of the shopping suite."""

from __future__ import annotations

import pytest
from tests.tasks.shopping.shopping import HEADPHONES, OMNI, OTHER, WATT, Shopping

from distrl.devices.phone.apps.shop_catalogue import IDS, PRODUCTS, STATUSES, price_text

OF_PRODUCTS = ("ask_price", "ask_rating", "ask_stock")
OF_ORDERS = ("ask_status", "ask_total")


@pytest.mark.parametrize("template", ["ask_price", "ask_rating"])
def test_the_page_and_the_results_of_a_search_both_answer(template: str) -> None:
    task = Shopping(template, product=HEADPHONES, shop=WATT)
    task.show_product(HEADPHONES)
    assert task.reached
    assert task.side_effects == ()


def test_the_price_stands_among_the_results_too() -> None:
    task = Shopping("ask_price", product=HEADPHONES, shop=WATT)
    task.search(HEADPHONES)
    assert task.shows(price_text(PRODUCTS[IDS[HEADPHONES]].price_cents))
    assert task.reached


@pytest.mark.parametrize("template", OF_PRODUCTS)
def test_another_product_or_another_shop_is_no_answer(template: str) -> None:
    task = Shopping(template, product=HEADPHONES, shop=WATT)
    task.show_product(OTHER)
    assert not task.reached
    task.show_product(HEADPHONES, OMNI)
    assert not task.reached
    task.solve(20)


def test_the_same_price_of_something_else_is_no_answer() -> None:
    twins = [
        product
        for product in PRODUCTS.values()
        if product.category == PRODUCTS[IDS[HEADPHONES]].category and product.name != HEADPHONES
    ]
    task = Shopping("ask_price", product=HEADPHONES, shop=WATT)
    for product in twins[:10]:
        task.show_product(product.name)
        assert not task.reached


def test_the_stock_counts_once_it_is_scrolled_into_sight() -> None:
    tasks = (
        Shopping("ask_stock", product=product.name, shop=WATT)
        for product in PRODUCTS.values()
        if product.category == "electronics" and product.colors
    )
    for task in tasks:
        task.show_product(str(task.referee.task.parameters["product"]))
        if not task.reached:
            break
    assert not task.reached
    for _ in range(4):
        task.swipe("up")
        if task.reached:
            return
    raise AssertionError("the stock never came into sight")


@pytest.mark.parametrize("template", OF_PRODUCTS)
def test_the_front_page_answers_nothing(template: str) -> None:
    task = Shopping(template, product=HEADPHONES, shop=WATT)
    task.show("shop")
    assert not task.reached


@pytest.mark.parametrize("template", OF_ORDERS)
def test_an_order_answers_on_its_own_page_alone(template: str) -> None:
    task = Shopping(template, product=HEADPHONES, shop=WATT)
    task.show("orders")
    assert not task.reached
    other = next(key for key, order in task.orders.items() if key != "target")
    task.show("order", id=other)
    assert not task.reached
    task.show("order", id="target")
    assert task.reached
    assert task.side_effects == ()


def test_orders_are_in_all_states() -> None:
    seen = {
        Shopping("ask_status", seed, product=HEADPHONES, shop=WATT).orders["target"]["status"]
        for seed in range(24)
    }
    assert seen == set(STATUSES)


@pytest.mark.parametrize("template", OF_ORDERS)
def test_asking_about_an_order_must_not_cancel_it(template: str) -> None:
    task = Shopping(template, product=HEADPHONES, shop=WATT)
    task.write("orders", "target", "status", to="Cancelled")
    assert task.side_effects == ("apps.browser.orders.target.status",)


def test_the_answer_counts_only_where_the_question_was_asked() -> None:
    task = Shopping("ask_total", product=HEADPHONES, shop="wattbarrow.com")
    task.walk_to("orders")
    assert not task.reached
    task.tap(HEADPHONES, role="item")
    assert task.reached
