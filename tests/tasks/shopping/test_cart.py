"""What the goals about a cart accept and what they do not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tasks.shopping.shopping import HEADPHONES, OTHER, WATT, Shopping, path_of

from distrl.devices.phone import content
from distrl.devices.phone.apps.shop_catalogue import IDS, PRODUCTS
from distrl.tasks.shopping.common import price_of

COLOR = PRODUCTS[IDS[OTHER]].colors[0]
CODE, ANOTHER_CODE = content.PROMO_CODES[:2]
OF_COLOR: dict[str, Any] = {"product": OTHER, "shop": WATT, "color": COLOR}


def _own(task: Shopping, name: str) -> str:
    return next(key for key, line in task.cart.items() if line["product"] == IDS[name])


def _neighbour(task: Shopping, name: str) -> str:
    return next(key for key, line in task.cart.items() if line["product"] != IDS[name])


def _without(task: Shopping, *keys: str) -> None:
    task.write("carts", WATT, to={k: line for k, line in task.cart.items() if k not in keys})


@pytest.mark.parametrize("count", [2, 3, 4])
def test_only_the_number_asked_for_counts(count: int) -> None:
    task = Shopping("change_quantity", product=OTHER, shop=WATT, count=count)
    own = _own(task, OTHER)
    for pieces in range(1, 6):
        task.write("carts", WATT, own, "quantity", to=pieces)
        assert task.reached is (pieces == count)
        assert task.side_effects == ()


def test_the_number_may_be_changed_on_the_page_of_the_product() -> None:
    task = Shopping("change_quantity", product=OTHER, shop=WATT, count=2)
    line = task.cart[_own(task, OTHER)]
    task.show("product", id=IDS[OTHER], color=line["color"])
    task.tap("Add to cart")
    assert task.reached
    assert task.side_effects == ()


def test_the_number_of_a_neighbour_is_a_side_effect() -> None:
    tasks = (
        Shopping("change_quantity", seed, product=OTHER, shop=WATT, count=2) for seed in range(9)
    )
    task = next(task for task in tasks if len(task.cart) > 1)
    other = _neighbour(task, OTHER)
    task.write("carts", WATT, other, "quantity", to=2)
    assert not task.reached
    assert task.side_effects == (path_of("carts", WATT, other, "quantity"),)


def test_a_second_line_makes_the_number_with_a_side_effect() -> None:
    task = Shopping("change_quantity", product=OTHER, shop=WATT, count=2)
    held = task.cart[_own(task, OTHER)]["color"]
    color = next(c for c in PRODUCTS[IDS[OTHER]].colors if c != held)
    task.show_product(OTHER)
    task.tap_paint("swatch", color)
    task.tap("Add to cart")
    assert task.reached
    assert len(task.side_effects) == 1


def test_one_piece_less_is_not_removed() -> None:
    task = Shopping("remove_item", product=OTHER, shop=WATT)
    assert len(task.cart) == 3
    own = _own(task, OTHER)
    task.write("carts", WATT, own, "quantity", to=2)
    assert not task.reached
    assert task.side_effects == (path_of("carts", WATT, own, "quantity"),)
    _without(task, own)
    assert task.reached
    assert task.side_effects == ()


def test_removing_a_neighbour_is_a_side_effect() -> None:
    task = Shopping("remove_item", product=OTHER, shop=WATT)
    wrong = _neighbour(task, OTHER)
    _without(task, wrong)
    assert not task.reached
    assert task.side_effects == (path_of("carts", WATT, wrong),)


def test_emptying_the_cart_removes_too_much() -> None:
    task = Shopping("remove_item", product=OTHER, shop=WATT)
    task.write("carts", WATT, to={})
    assert task.reached
    assert len(task.side_effects) == 2


def test_buying_the_product_is_no_way_to_be_rid_of_it() -> None:
    task = Shopping("remove_item", product=OTHER, shop=WATT)
    task.show("checkout")
    task.tap("Place order")
    assert task.reached
    assert any(effect.startswith(path_of("orders")) for effect in task.side_effects)


def test_only_the_dearer_of_two_products_may_go() -> None:
    parameters: dict[str, Any] = {"first": HEADPHONES, "second": OTHER, "shop": WATT}
    dear, cheap = sorted((HEADPHONES, OTHER), key=price_of, reverse=True)
    task = Shopping("remove_dearer", **parameters)
    wrong = _own(task, cheap)
    _without(task, wrong)
    assert not task.reached
    assert task.side_effects == (path_of("carts", WATT, wrong),)
    task = Shopping("remove_dearer", **parameters)
    _without(task, _own(task, dear))
    assert task.reached
    assert task.side_effects == ()


def _of_color(task: Shopping, color: str) -> str:
    return next(key for key, line in task.cart.items() if line["color"] == color)


def _other_color(task: Shopping) -> str:
    return next(key for key, line in task.cart.items() if line["color"] != COLOR)


def test_the_cart_holds_three_colours_of_one_product() -> None:
    for seed in range(5):
        task = Shopping("remove_color", seed, **OF_COLOR)
        assert {line["product"] for line in task.cart.values()} == {IDS[OTHER]}
        assert len({line["color"] for line in task.cart.values()}) == len(task.cart) == 3
        assert not task.reached


def test_removing_another_colour_is_a_side_effect() -> None:
    task = Shopping("remove_color", **OF_COLOR)
    wrong = _other_color(task)
    _without(task, wrong)
    assert not task.reached
    assert task.side_effects == (path_of("carts", WATT, wrong),)
    _without(task, _of_color(task, COLOR))
    assert task.reached
    assert task.side_effects == (path_of("carts", WATT, wrong),)


@pytest.mark.parametrize(("key", "reached"), [("own", True), ("other", False)])
def test_only_the_number_of_that_colour_counts(key: str, reached: bool) -> None:
    task = Shopping("quantity_of_color", **OF_COLOR, count=3)
    changed = _of_color(task, COLOR) if key == "own" else _other_color(task)
    task.write("carts", WATT, changed, "quantity", to=3)
    assert task.reached is reached
    effects = () if reached else (path_of("carts", WATT, changed, "quantity"),)
    assert task.side_effects == effects


def test_the_line_of_that_colour_may_not_be_removed_to_be_rid_of_it() -> None:
    task = Shopping("quantity_of_color", **OF_COLOR, count=3)
    own = _of_color(task, COLOR)
    _without(task, own)
    assert not task.reached
    assert task.side_effects == (path_of("carts", WATT, own),)


def test_a_cart_is_empty_when_its_last_line_is_gone() -> None:
    counts = set()
    for seed in range(8):
        task = Shopping("empty_cart", seed, shop=WATT)
        counts.add(len(task.cart))
        while task.cart:
            assert not task.reached
            _without(task, next(iter(task.cart)))
        assert task.reached
        assert task.side_effects == ()
    assert len(counts) > 1


def test_what_is_put_into_the_cart_instead_is_a_side_effect() -> None:
    task = Shopping("empty_cart", shop=WATT)
    task.write("carts", WATT, to={"mine": next(iter(task.cart.values()))})
    assert not task.reached
    assert task.side_effects == (path_of("carts", WATT, "mine"),)


def test_emptying_the_cart_of_another_shop_is_a_side_effect() -> None:
    tasks = (Shopping("empty_cart", seed, shop=WATT) for seed in range(20))
    task = next(task for task in tasks if task.data("browser")["carts"]["hobnook.com"])
    task.write("carts", "hobnook.com", to={})
    assert not task.reached
    assert task.side_effects


def test_the_cart_of_another_shop_is_not_the_one_to_show() -> None:
    task = Shopping("show_cart", shop=WATT)
    task.show("cart", "hobnook.com")
    assert not task.reached
    task.show("cart")
    assert task.reached
    task.pull_shade()
    assert not task.reached


def _enter(task: Shopping, code: str) -> None:
    task.show("cart")
    task.fill("Promo code", code)
    task.tap("Apply")


def test_a_code_counts_in_small_letters_too() -> None:
    task = Shopping("apply_code", code=CODE, shop=WATT)
    _enter(task, CODE.lower())
    assert task.reached
    assert task.side_effects == ()


def test_another_code_or_an_unknown_one_is_not_applied() -> None:
    task = Shopping("apply_code", code=CODE, shop=WATT)
    _enter(task, "NOSUCHCODE")
    assert not task.reached
    assert task.side_effects == ()
    _enter(task, ANOTHER_CODE)
    assert not task.reached
    _enter(task, CODE)
    assert task.reached


def test_a_code_in_another_shop_is_a_side_effect() -> None:
    task = Shopping("apply_code", code=CODE, shop=WATT)
    task.write("coupons", "hobnook.com", to=CODE)
    assert not task.reached
    assert task.side_effects == (path_of("coupons", "hobnook.com"),)


def test_a_code_goes_with_the_last_thing_in_the_cart() -> None:
    task = Shopping("apply_code", code=CODE, shop=WATT)
    task.write("coupons", WATT, to=CODE)
    assert task.reached
    task.show("cart")
    for _ in range(len(task.cart)):
        task.tap_icon("delete")
    assert not task.reached
    assert task.side_effects


def test_no_set_up_gives_the_goal_away() -> None:
    posed: list[tuple[str, dict[str, Any]]] = [
        ("change_quantity", {"product": OTHER, "count": 2}),
        ("remove_item", {"product": OTHER}),
        ("remove_dearer", {"first": HEADPHONES, "second": OTHER}),
        ("remove_color", {"product": OTHER, "color": COLOR}),
        ("quantity_of_color", {"product": OTHER, "color": COLOR, "count": 2}),
        ("empty_cart", {}),
        ("show_cart", {}),
        ("apply_code", {"code": CODE}),
    ]
    for template, parameters in posed:
        for seed in range(3):
            assert not Shopping(template, seed, shop=WATT, **parameters).reached, template
