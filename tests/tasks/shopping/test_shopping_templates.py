"""What the templates of the shopping suite accept, and what they do not."""

from __future__ import annotations

from random import Random

import pytest
from tests.tasks.shopping.shopping import HEADPHONES, Shopping

from distrl.devices.phone.apps.shop_catalogue import IDS, PRODUCTS, search
from distrl.tasks.pools import SPLITS
from distrl.tasks.shopping import TEMPLATES
from distrl.tasks.shopping.common import sellers
from distrl.tasks.template import Draw
from distrl.types import Key, Kind

SHOP, BACKPACKS = "omnicrate.com", "stridefell.com"


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
@pytest.mark.parametrize("split", SPLITS)
def test_every_draw_fits_its_shop_and_its_pools(template: object, split: str) -> None:
    known = next(t for t in TEMPLATES if t is template)
    for seed in range(20):
        p = known.sample(Draw(split, Random(seed)))
        assert set(p) == set(known.params)
        assert all(value in known.params[name].share(split) for name, value in p.items())
        for name in ("product", "first", "second"):
            if name in p:
                assert (p["shop"] in sellers(p[name])) is (known.name != "missing_product")


def test_a_goal_in_one_shop_is_not_reached_in_another() -> None:
    task = Shopping("open_product", product=HEADPHONES, shop=SHOP)
    assert not task.reached
    task.open("browser")
    task.fill(_address(task), "wattbarrow.com")
    task.press(Key.ENTER)
    task.fill("Search Wattbarrow", HEADPHONES)
    task.press(Key.ENTER)
    task.tap(HEADPHONES, role="item")
    assert task.page == "product"
    assert not task.reached
    task.solve(20)


def test_two_pieces_are_not_one() -> None:
    name = "Norvik Aria headphones"
    assert PRODUCTS[IDS[name]].stock > 1
    task = Shopping("add_to_cart", product=name, shop="wattbarrow.com")
    task.walk_to("product")
    task.tap("Add to cart")
    assert task.reached
    task.tap("Add to cart")
    assert not task.reached
    task.solve(20)
    assert task.side_effects == ()


def test_what_nobody_asked_for_in_the_cart_is_a_side_effect() -> None:
    task = Shopping("add_to_cart", product=HEADPHONES, shop="wattbarrow.com")
    other = search("wattbarrow.com", "Quellon")[0]
    line = {"product": other, "color": "", "size": "", "quantity": 1}
    task.change("apps", "browser", "carts", "wattbarrow.com", f"{other}--", to=line)
    task.solve(20)
    assert task.side_effects == (f"apps.browser.carts.wattbarrow.com.{other}--",)


def test_the_wrong_color_does_not_count_and_is_taken_out_again() -> None:
    colors = PRODUCTS[IDS[HEADPHONES]].colors
    task = Shopping("add_color", product=HEADPHONES, shop="wattbarrow.com", color=colors[0])
    task.walk_to("product")
    task.tap_paint("swatch", colors[1])
    task.tap("Add to cart")
    assert not task.reached
    task.solve(20)
    assert task.side_effects == ()


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


def test_the_answer_counts_only_where_the_question_was_asked() -> None:
    task = Shopping("ask_total", product=HEADPHONES, shop="wattbarrow.com")
    task.walk_to("orders")
    assert not task.reached
    task.tap(HEADPHONES, role="item")
    assert task.reached


def test_the_cheapest_is_cheaper_than_every_other() -> None:
    task = Shopping("open_cheapest", brand="Norvik", shop="wattbarrow.com")
    task.solve(20)
    key = task.state["ui"]["stacks"]["browser"][-1]["args"]["id"]
    prices = {k: PRODUCTS[k].price_cents for k in search("wattbarrow.com", "Norvik")}
    assert prices[key] == min(prices.values())


def test_an_order_with_the_wrong_delivery_does_not_count() -> None:
    task = Shopping("check_out_speed", product=HEADPHONES, shop="wattbarrow.com", speed="Express")
    task.walk_to("checkout")
    task.tap("Place order")
    assert not task.reached
    task.solve(25)


def test_a_product_that_a_shop_does_not_sell_is_looked_for_before_giving_up() -> None:
    task = Shopping("missing_product", product=HEADPHONES, shop=BACKPACKS)
    assert task.next_action().kind is not Kind.INFEASIBLE
    task.walk_to("listing")
    assert task.shows("No results")
    assert task.next_action().kind is Kind.INFEASIBLE


def _address(task: Shopping) -> str:
    """What the address field says on the page in front."""
    return next(w.description for w in task.device.phone.view.widgets if w.key == "address")
