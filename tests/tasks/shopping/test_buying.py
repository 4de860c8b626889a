"""What the goals of buying accept and what they do not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tasks.shopping.shopping import HEADPHONES, OTHER, WATT, Shopping, line_of, path_of

from distrl.devices.phone import content
from distrl.devices.phone.apps.shop_catalogue import ADDRESSES, CARDS, IDS, SPEEDS

CHOICES = {
    "check_out_speed": ("speed", tuple(SPEEDS)),
    "check_out_address": ("address", tuple(ADDRESSES)),
    "check_out_card": ("card", tuple(CARDS)),
}
CODE, ANOTHER_CODE = content.PROMO_CODES[:2]


def _bought(task: Shopping, **choices: str) -> str:
    """Place the order with these choices; return its id."""
    before = set(task.orders)
    task.show("checkout")
    for label in choices.values():
        task.tap(label)
    task.tap("Place order")
    (key,) = set(task.orders) - before
    return key


def test_an_order_of_what_is_in_the_cart_reaches_the_goal() -> None:
    task = Shopping("check_out", product=HEADPHONES, shop=WATT)
    assert [line["product"] for line in task.cart.values()] == [IDS[HEADPHONES]]
    task.show("checkout")
    assert not task.reached
    _bought(task)
    assert task.reached
    assert task.side_effects == ()


def test_an_order_with_something_else_in_it_is_a_side_effect() -> None:
    task = Shopping("check_out", product=HEADPHONES, shop=WATT)
    task.write("carts", WATT, "mine", to=line_of(OTHER))
    key = _bought(task)
    assert task.reached
    assert task.side_effects == (path_of("orders", key),)


def test_two_pieces_where_one_was_in_the_cart_are_a_side_effect() -> None:
    task = Shopping("check_out", product=HEADPHONES, shop=WATT)
    own = next(iter(task.cart))
    task.write("carts", WATT, own, "quantity", to=2)
    key = _bought(task)
    assert task.reached
    assert task.side_effects == (path_of("orders", key),)


def test_buying_twice_is_a_side_effect() -> None:
    task = Shopping("check_out", product=HEADPHONES, shop=WATT)
    line = dict(task.cart)
    first = _bought(task)
    task.write("carts", WATT, to=line)
    second = _bought(task)
    assert task.reached
    assert task.side_effects in ((path_of("orders", first),), (path_of("orders", second),))


def test_an_order_of_another_product_does_not_count() -> None:
    task = Shopping("check_out", product=HEADPHONES, shop=WATT)
    task.write("carts", WATT, to={"mine": line_of(OTHER)})
    key = _bought(task)
    assert not task.reached
    assert task.side_effects == (path_of("orders", key),)


def test_an_order_from_before_does_not_count() -> None:
    task = Shopping("check_out", product=HEADPHONES, shop=WATT)
    key, order = next(iter(task.orders.items()))
    task.write("orders", key, to={**order, "host": WATT, "lines": dict(task.cart)})
    assert not task.reached


def test_a_removed_line_is_not_bought() -> None:
    task = Shopping("check_out", product=HEADPHONES, shop=WATT)
    task.write("carts", WATT, to={})
    assert not task.reached


@pytest.mark.parametrize("template", CHOICES)
def test_only_the_choice_that_was_named_counts(template: str) -> None:
    name, labels = CHOICES[template]
    for wanted in labels[1:]:
        for label in labels:
            choice: dict[str, Any] = {name: wanted}
            task = Shopping(template, product=HEADPHONES, shop=WATT, **choice)
            _bought(task, **{name: label})
            assert task.reached is (label == wanted)
            assert task.side_effects == ()


@pytest.mark.parametrize("template", CHOICES)
def test_the_choice_asked_for_is_never_the_one_that_is_made_already(template: str) -> None:
    name, labels = CHOICES[template]
    choice: dict[str, Any] = {name: labels[1]}
    task = Shopping(template, product=HEADPHONES, shop=WATT, **choice)
    _bought(task)
    assert not task.reached


def test_a_code_must_stand_on_the_order() -> None:
    parameters: dict[str, Any] = {"product": HEADPHONES, "shop": WATT, "code": CODE}
    for entered, fits in (("", False), (ANOTHER_CODE, False), (CODE, True)):
        task = Shopping("check_out_code", **parameters)
        task.write("coupons", WATT, to=entered)
        assert not task.reached
        assert task.side_effects == ()
        _bought(task)
        assert task.reached is fits


def test_a_code_that_nobody_asked_for_is_a_side_effect_until_the_order_is_placed() -> None:
    task = Shopping("check_out", product=HEADPHONES, shop=WATT)
    task.write("coupons", WATT, to=CODE)
    assert task.side_effects == (path_of("coupons", WATT),)


def test_an_order_is_cancelled_once_that_is_confirmed() -> None:
    task = Shopping("cancel_order", product=HEADPHONES, shop=WATT)
    task.show("order", id="target")
    task.tap("Cancel order")
    task.tap("Keep order")
    assert not task.reached
    task.tap("Cancel order")
    task.tap("Cancel order")
    assert task.reached
    assert task.side_effects == ()


def test_cancelling_another_order_is_a_side_effect() -> None:
    task = Shopping("cancel_order", product=HEADPHONES, shop=WATT)
    wrong = next(key for key in task.orders if key != "target")
    task.write("orders", wrong, "status", to="Cancelled")
    assert not task.reached
    assert task.side_effects == (path_of("orders", wrong, "status"),)


def test_no_other_order_has_the_product() -> None:
    for template in ("cancel_order", "buy_again"):
        for seed in range(5):
            task = Shopping(template, seed, product=HEADPHONES, shop=WATT)
            having = [
                key
                for key, order in task.orders.items()
                if any(line["product"] == IDS[HEADPHONES] for line in order["lines"].values())
            ]
            assert having == ["target"]


def test_what_was_ordered_may_also_be_added_from_its_page() -> None:
    task = Shopping("buy_again", product=HEADPHONES, shop=WATT)
    task.show_product(HEADPHONES)
    task.tap("Add to cart")
    assert task.reached
    assert task.side_effects == ()


def test_buying_another_order_again_is_a_side_effect() -> None:
    task = Shopping("buy_again", product=HEADPHONES, shop=WATT)
    wrong = next(k for k, order in task.orders.items() if order["host"] == WATT and k != "target")
    task.show("order", id=wrong)
    task.tap("Buy again")
    assert not task.reached
    task.show("order", id="target")
    task.tap("Buy again")
    assert task.reached
    assert all(effect.startswith(path_of("carts", WATT)) for effect in task.side_effects)
    assert task.side_effects


def test_pressing_buy_again_twice_does_not_make_two_pieces() -> None:
    task = Shopping("buy_again", product=HEADPHONES, shop=WATT)
    for _ in range(2):
        task.show("order", id="target")
        task.tap("Buy again")
        assert task.reached
        assert task.side_effects == ()


def test_an_order_with_the_wrong_delivery_does_not_count() -> None:
    task = Shopping("check_out_speed", product=HEADPHONES, shop="wattbarrow.com", speed="Express")
    task.walk_to("checkout")
    task.tap("Place order")
    assert not task.reached
    task.solve(25)
