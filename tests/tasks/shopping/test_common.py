"""What the templates of the shopping suite share: draws, set-ups and checks."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from tests.tasks.shopping.shopping import HEADPHONES, OMNI, OTHER, WATT, Shopping

from distrl.devices.phone.apps.shop_catalogue import IDS, PRODUCTS, search
from distrl.devices.phone.apps.web import SHOPS
from distrl.devices.phone.content import Product
from distrl.tasks.pools import SPLITS
from distrl.tasks.shopping import TEMPLATES, common
from distrl.tasks.template import Draw, Scene

SEEDS = range(15)


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("fits", [common.has_colors, common.has_sizes, common.in_plenty])
def test_a_drawn_product_has_what_the_goal_needs(
    split: str, fits: Callable[[Product], bool]
) -> None:
    for seed in SEEDS:
        p = common.draw_product(Draw(split, Random(seed)), fits)
        assert fits(PRODUCTS[IDS[p["product"]]])
        assert p["shop"] in common.sellers(p["product"])


def test_the_department_store_is_drawn_but_less_often_than_the_others() -> None:
    draw = Draw("train", Random(0))
    shops = [common.draw_product(draw)["shop"] for _ in range(600)]
    assert set(shops) == set(SHOPS)
    assert 0.1 < shops.count(OMNI) / 600 < 0.4


def test_the_department_store_sells_everything() -> None:
    assert all(OMNI in common.sellers(product.name) for product in PRODUCTS.values())


@pytest.mark.parametrize("split", SPLITS)
def test_two_drawn_products_differ_in_price_and_share_a_shop(split: str) -> None:
    for seed in SEEDS:
        p = common.draw_two(Draw(split, Random(seed)))
        assert common.price_of(p["first"]) != common.price_of(p["second"])
        assert p["shop"] in common.sellers(p["first"])
        assert p["shop"] in common.sellers(p["second"])


@pytest.mark.parametrize("split", SPLITS)
def test_a_drawn_line_or_brand_has_results_enough_in_its_shop(split: str) -> None:
    for seed in range(5):
        line = common.draw_line(Draw(split, Random(seed)))
        brand = common.draw_brand(Draw(split, Random(seed)))
        assert len(search(line["shop"], line["line"])) >= 3
        assert len(search(brand["shop"], brand["brand"])) >= 4


def test_a_line_is_made_of_choices_that_the_product_has() -> None:
    for seed in SEEDS:
        line = common.make_line(HEADPHONES, Random(seed))
        assert line["color"] in PRODUCTS[IDS[HEADPHONES]].colors
        assert line["quantity"] == 1
    assert common.make_line(HEADPHONES, Random(0), quantity=3)["quantity"] == 3


def test_other_things_of_the_shop_are_different_and_never_the_product() -> None:
    for seed in SEEDS:
        lines = common.others(WATT, HEADPHONES, Random(seed), 3)
        products = [line["product"] for line in lines]
        assert len(set(products)) == 3
        assert IDS[HEADPHONES] not in products


def _scene(task: Shopping) -> Scene:
    return Scene(task.referee._before, task.state, task.device.phone.view)


def test_lines_of_a_cart_are_counted_by_product_and_shop() -> None:
    task = Shopping("show_cart", shop=WATT)
    line = {"product": IDS[OTHER], "color": "", "size": "", "quantity": 2}
    task.write("carts", WATT, to={"a": line, "b": {**line, "quantity": 3}})
    assert common.pieces(common.cart_lines(_scene(task), WATT, OTHER)) == 5
    assert common.cart_lines(_scene(task), WATT, HEADPHONES) == []
    assert common.pieces([]) == 0


def test_only_orders_of_this_episode_this_shop_and_this_product_are_new() -> None:
    task = Shopping("show_cart", shop=WATT)
    line = {"product": IDS[OTHER], "color": "", "size": "", "quantity": 1}
    order = {**next(iter(task.orders.values())), "host": WATT, "lines": {"a": line}}
    assert common.new_orders(_scene(task), WATT, OTHER) == []
    task.write("orders", "mine", to=order)
    assert common.new_orders(_scene(task), WATT, OTHER) == [order]
    assert common.new_orders(_scene(task), OMNI, OTHER) == []
    assert common.new_orders(_scene(task), WATT, HEADPHONES) == []


def test_the_start_is_drawn_from_the_places_that_the_template_names() -> None:
    pages = set()
    for seed in range(24):
        task = Shopping("open_look", seed, shop=WATT, color="black", kind="headphones")
        pages.add((task.app, task.page))
    assert pages == {
        ("launcher", "main"),
        ("browser", "main"),
        ("browser", "shop"),
        ("browser", "cart"),
    }


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
                assert (p["shop"] in common.sellers(p[name])) is (known.name != "missing_product")
