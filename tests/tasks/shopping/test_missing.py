"""Goals of the shopping suite that cannot be reached."""

from __future__ import annotations

from random import Random

import pytest
from tests.tasks.shopping.shopping import HEADPHONES, STRIDE, WATT, Shopping

from distrl.devices.phone.apps.shop_catalogue import IDS, search
from distrl.tasks.pools import SPLITS
from distrl.tasks.shopping.common import sellers
from distrl.tasks.shopping.missing import MissingProduct
from distrl.tasks.template import Draw
from distrl.types import Kind, Outcome

MISSING = [("missing_in_cart", WATT), ("missing_product", STRIDE)]


@pytest.mark.parametrize(("template", "shop"), MISSING)
def test_giving_up_is_the_right_answer_and_declaring_success_is_not(
    template: str, shop: str
) -> None:
    task = Shopping(template, product=HEADPHONES, shop=shop)
    assert task.referee.outcome(Kind.INFEASIBLE) is Outcome.SUCCEEDED
    assert task.referee.outcome(Kind.COMPLETE) is Outcome.FALSE_COMPLETE
    assert not task.reached


@pytest.mark.parametrize(("template", "shop"), MISSING)
def test_the_oracle_looks_before_it_gives_up(template: str, shop: str) -> None:
    task = Shopping(template, product=HEADPHONES, shop=shop)
    actions = 0
    while task.next_action().kind is not Kind.INFEASIBLE:
        task.perform(task.next_action())
        actions += 1
        assert actions <= 15
    assert actions >= 1
    assert task.page == ("cart" if template == "missing_in_cart" else "listing")
    assert task.side_effects == ()


def test_the_cart_holds_something_but_not_the_product() -> None:
    for seed in range(8):
        task = Shopping("missing_in_cart", seed, product=HEADPHONES, shop=WATT)
        held = [line["product"] for line in task.cart.values()]
        assert held
        assert IDS[HEADPHONES] not in held


@pytest.mark.parametrize("split", SPLITS)
def test_a_missing_product_is_sold_elsewhere(split: str) -> None:
    for seed in range(20):
        p = MissingProduct().sample(Draw(split, Random(seed)))
        assert p["shop"] not in sellers(p["product"])
        assert sellers(p["product"])
        assert not search(p["shop"], p["product"])


@pytest.mark.parametrize(("template", "shop"), MISSING)
def test_doing_something_instead_of_giving_up_is_a_side_effect(template: str, shop: str) -> None:
    task = Shopping(template, product=HEADPHONES, shop=shop)
    task.write("carts", shop, to={})
    task.write("coupons", shop, to="SAVE10")
    assert f"apps.browser.coupons.{shop}" in task.side_effects


def test_a_product_that_a_shop_does_not_sell_is_looked_for_before_giving_up() -> None:
    task = Shopping("missing_product", product=HEADPHONES, shop=STRIDE)
    assert task.next_action().kind is not Kind.INFEASIBLE
    task.walk_to("listing")
    assert task.shows("No results")
    assert task.next_action().kind is Kind.INFEASIBLE
