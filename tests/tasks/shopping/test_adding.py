"""What the goals of adding to a cart accept and what they do not."""

from __future__ import annotations

import pytest
from tests.tasks.shopping.shopping import (
    HEADPHONES,
    OMNI,
    OTHER,
    WATT,
    Shopping,
    line_of,
    path_of,
)

from distrl.devices.phone.apps.shop_catalogue import IDS, PRODUCTS, line_key, search
from distrl.tasks.shopping.common import has_sizes

COLORS = PRODUCTS[IDS[HEADPHONES]].colors
SHOE = next(
    p.name for p in PRODUCTS.values() if has_sizes(p) and len(p.colors) >= 3 and p.stock >= 5
)


def test_the_product_is_neither_in_the_cart_nor_on_the_wishlist_at_the_start() -> None:
    for seed in range(8):
        task = Shopping("add_to_cart", seed, product=HEADPHONES, shop=WATT)
        held = [*task.cart.values(), *task.wishlist.values()]
        assert all(line["product"] != IDS[HEADPHONES] for line in held)
        assert not task.reached


def test_any_colour_will_do_where_the_goal_names_none() -> None:
    for color in COLORS:
        task = Shopping("add_to_cart", product=HEADPHONES, shop=WATT)
        task.show_product(HEADPHONES)
        task.tap_paint("swatch", color)
        task.tap("Add to cart")
        assert task.reached
        assert task.side_effects == ()


def test_another_product_in_the_cart_is_not_the_one_and_stays_as_a_side_effect() -> None:
    task = Shopping("add_to_cart", product=HEADPHONES, shop=WATT)
    before = set(task.cart)
    task.show_product(OTHER)
    task.tap("Add to cart")
    (wrong,) = set(task.cart) - before
    assert not task.reached
    task.solve(20)
    assert task.side_effects == (path_of("carts", WATT, wrong),)


def test_the_cart_of_another_shop_does_not_count() -> None:
    task = Shopping("add_to_cart", product=HEADPHONES, shop=WATT)
    task.show_product(HEADPHONES, OMNI)
    task.tap("Add to cart")
    assert not task.reached
    assert task.side_effects[0].startswith(path_of("carts", OMNI))


def test_a_wish_is_not_in_the_cart() -> None:
    task = Shopping("add_to_cart", product=HEADPHONES, shop=WATT)
    task.show_product(HEADPHONES)
    task.tap_paint("round_button", "heart")
    assert not task.reached
    assert len(task.side_effects) == 1


def test_what_was_in_the_cart_before_must_stay() -> None:
    tasks = (Shopping("add_to_cart", seed, product=HEADPHONES, shop=WATT) for seed in range(20))
    task = next(task for task in tasks if task.cart)
    lost = sorted(path_of("carts", WATT, key) for key in task.cart)
    task.write("carts", WATT, to={"mine": line_of(HEADPHONES)})
    assert task.reached
    assert list(task.side_effects) == lost


@pytest.mark.parametrize("count", [2, 3, 4])
def test_exactly_as_many_pieces_count_as_were_asked_for(count: int) -> None:
    task = Shopping("add_several", product=OTHER, shop=WATT, count=count)
    for pieces in range(1, 6):
        task.write("carts", WATT, "mine", to=line_of(OTHER, pieces))
        assert task.reached is (pieces == count)
    assert task.side_effects == ()


def test_several_pieces_may_be_of_several_colours() -> None:
    red, blue = PRODUCTS[IDS[OTHER]].colors[:2]
    task = Shopping("add_several", product=OTHER, shop=WATT, count=2)
    for color in (red, blue):
        assert not task.reached
        task.show_product(OTHER)
        task.tap_paint("swatch", color)
        task.tap("Add to cart")
    assert task.reached
    assert task.side_effects == ()


def test_the_number_may_be_raised_in_the_cart() -> None:
    task = Shopping("add_several", product=OTHER, shop=WATT, count=3)
    task.write("carts", WATT, to={})
    task.show_product(OTHER)
    task.tap("Add to cart")
    task.show("cart")
    for _ in range(2):
        assert not task.reached
        task.tap_icon("add")
    assert task.reached


def test_another_size_is_not_the_size() -> None:
    sizes = PRODUCTS[IDS[SHOE]].sizes
    task = Shopping("add_size", product=SHOE, shop=OMNI, size=sizes[1])
    task.show_product(SHOE)
    task.tap("Add to cart")
    held = [line["size"] for line in task.cart.values() if line["product"] == IDS[SHOE]]
    assert held == [sizes[0]]
    assert not task.reached
    assert len(task.side_effects) == 1
    task.solve(20)
    assert not task.side_effects


def test_the_colour_asked_for_is_not_the_one_that_is_shown_first() -> None:
    for seed in range(6):
        task = Shopping("add_color", seed, product=HEADPHONES, shop=WATT, color=COLORS[0])
        assert task.data("browser")["faces"][IDS[HEADPHONES]] != COLORS[0]
        task.show_product(HEADPHONES)
        task.tap("Add to cart")
        assert not task.reached


def test_the_right_colour_besides_a_wrong_one_is_one_piece_too_many() -> None:
    task = Shopping("add_color", product=HEADPHONES, shop=WATT, color=COLORS[0])
    task.show_product(HEADPHONES)
    task.tap_paint("swatch", COLORS[0])
    task.tap("Add to cart")
    assert task.reached
    task.tap_paint("swatch", COLORS[1])
    task.tap("Add to cart")
    assert not task.reached
    wrong = line_key(IDS[HEADPHONES], COLORS[1], "")
    assert task.side_effects == (path_of("carts", WATT, wrong),)


def test_colour_and_size_must_both_be_right() -> None:
    product = PRODUCTS[IDS[SHOE]]
    color, size = product.colors[0], product.sizes[1]
    task = Shopping("add_color_and_size", product=SHOE, shop=OMNI, color=color, size=size)
    for held, fits in (
        ((color, product.sizes[0]), False),
        ((product.colors[1], size), False),
        ((color, size), True),
    ):
        task.write("carts", OMNI, "mine", to=line_of(SHOE, 1, *held))
        assert task.reached is fits
        assert (task.side_effects == ()) is fits


def test_one_of_two_products_is_half_of_the_goal() -> None:
    task = Shopping("add_two", first=HEADPHONES, second=OTHER, shop=WATT)
    for name in (OTHER, HEADPHONES):
        assert not task.reached
        task.show_product(name)
        task.tap("Add to cart")
    assert task.reached
    assert task.side_effects == ()


def test_two_pieces_of_one_product_are_not_two_products() -> None:
    task = Shopping("add_two", first=HEADPHONES, second=OTHER, shop=WATT)
    task.write("carts", WATT, "mine", to=line_of(OTHER, 2))
    assert not task.reached
    task.write("carts", WATT, "yours", to=line_of(HEADPHONES))
    assert not task.reached
    task.write("carts", WATT, "mine", "quantity", to=1)
    assert task.reached


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
