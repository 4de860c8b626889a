"""What the goals about wishlists accept and what they do not."""

from __future__ import annotations

from tests.tasks.shopping.shopping import HEADPHONES, OMNI, OTHER, WATT, Shopping, path_of

from distrl.devices.phone.apps.shop_catalogue import IDS, PRODUCTS, wish_key

COLORS = PRODUCTS[IDS[HEADPHONES]].colors


def _heart(task: Shopping, name: str, color: str = "", host: str = "") -> None:
    task.show_product(name, host)
    if color:
        task.tap_paint("swatch", color)
    task.tap_paint("round_button", "heart")


def test_a_wish_in_any_colour_counts() -> None:
    for color in COLORS:
        task = Shopping("add_wish", product=HEADPHONES, shop=WATT)
        _heart(task, HEADPHONES, color)
        assert task.reached
        assert task.side_effects == ()


def test_a_heart_that_is_taken_back_does_not_count() -> None:
    task = Shopping("add_wish", product=HEADPHONES, shop=WATT)
    _heart(task, HEADPHONES)
    assert task.reached
    task.tap_paint("round_button", "heart_filled")
    assert not task.reached
    assert task.side_effects == ()


def test_a_wish_for_another_product_or_in_another_shop_is_a_side_effect() -> None:
    task = Shopping("add_wish", product=HEADPHONES, shop=WATT)
    _heart(task, OTHER)
    assert not task.reached
    assert len(task.side_effects) == 1
    _heart(task, HEADPHONES, host=OMNI)
    assert not task.reached
    assert len(task.side_effects) == 2


def test_a_second_wish_for_the_product_is_one_too_many() -> None:
    task = Shopping("add_wish", product=HEADPHONES, shop=WATT)
    _heart(task, HEADPHONES, COLORS[0])
    _heart(task, HEADPHONES, COLORS[1])
    assert task.reached
    assert len(task.side_effects) == 1


def test_what_is_in_the_cart_is_no_wish() -> None:
    task = Shopping("add_wish", product=HEADPHONES, shop=WATT)
    task.show_product(HEADPHONES)
    task.tap("Add to cart")
    assert not task.reached
    assert task.side_effects[0].startswith(path_of("carts", WATT))


def test_a_wish_in_another_colour_is_not_the_one_and_stays() -> None:
    task = Shopping("add_colored_wish", product=HEADPHONES, shop=WATT, color=COLORS[0])
    _heart(task, HEADPHONES, COLORS[1])
    assert not task.reached
    task.solve(20)
    wrong = wish_key(IDS[HEADPHONES], COLORS[1])
    assert task.side_effects == (path_of("wishlists", WATT, wrong),)


def test_the_colour_wished_for_is_not_the_one_that_is_shown_first() -> None:
    for seed in range(5):
        task = Shopping("add_colored_wish", seed, product=HEADPHONES, shop=WATT, color=COLORS[0])
        _heart(task, HEADPHONES)
        assert not task.reached


def _own(task: Shopping, name: str) -> str:
    return next(key for key, wish in task.wishlist.items() if wish["product"] == IDS[name])


def _without(task: Shopping, *keys: str) -> None:
    task.write("wishlists", WATT, to={k: w for k, w in task.wishlist.items() if k not in keys})


def test_a_wish_can_be_taken_off_on_the_page_of_the_product() -> None:
    task = Shopping("remove_wish", product=HEADPHONES, shop=WATT)
    assert len(task.wishlist) == 3
    color = task.wishlist[_own(task, HEADPHONES)]["color"]
    task.show("product", id=IDS[HEADPHONES], color=color)
    task.tap_paint("round_button", "heart_filled")
    assert task.reached
    assert task.side_effects == ()
    task.tap_paint("round_button", "heart")
    assert not task.reached


def test_taking_a_neighbour_off_the_wishlist_is_a_side_effect() -> None:
    task = Shopping("remove_wish", product=HEADPHONES, shop=WATT)
    wrong = next(key for key in task.wishlist if key != _own(task, HEADPHONES))
    _without(task, wrong)
    assert not task.reached
    assert task.side_effects == (path_of("wishlists", WATT, wrong),)


def test_an_empty_wishlist_has_lost_too_much() -> None:
    task = Shopping("remove_wish", product=HEADPHONES, shop=WATT)
    task.write("wishlists", WATT, to={})
    assert task.reached
    assert len(task.side_effects) == 2


def test_only_the_wish_of_that_colour_may_go() -> None:
    task = Shopping("remove_colored_wish", product=HEADPHONES, shop=WATT, color=COLORS[0])
    assert {wish["product"] for wish in task.wishlist.values()} == {IDS[HEADPHONES]}
    wrong = next(key for key, wish in task.wishlist.items() if wish["color"] != COLORS[0])
    _without(task, wrong)
    assert not task.reached
    assert task.side_effects == (path_of("wishlists", WATT, wrong),)
    _without(task, wish_key(IDS[HEADPHONES], COLORS[0]))
    assert task.reached
    assert task.side_effects == (path_of("wishlists", WATT, wrong),)


def test_a_wish_may_be_bought_in_any_colour_and_stays_on_the_list() -> None:
    task = Shopping("add_from_wishlist", product=HEADPHONES, shop=WATT)
    wished = dict(task.wishlist)
    assert not task.reached
    task.show("wishlist")
    task.tap(HEADPHONES, role="item")
    assert not task.reached
    task.tap("Add to cart")
    assert task.reached
    assert task.wishlist == wished
    assert task.side_effects == ()


def test_taking_the_wish_off_the_list_besides_is_a_side_effect() -> None:
    task = Shopping("add_from_wishlist", product=HEADPHONES, shop=WATT)
    own = _own(task, HEADPHONES)
    task.solve(20)
    _without(task, own)
    assert task.reached
    assert task.side_effects == (path_of("wishlists", WATT, own),)


def test_another_wish_in_the_cart_is_a_side_effect() -> None:
    task = Shopping("add_from_wishlist", product=HEADPHONES, shop=WATT)
    other = next(w["product"] for w in task.wishlist.values() if w["product"] != IDS[HEADPHONES])
    task.show("product", id=other)
    task.tap("Add to cart")
    assert not task.reached
    assert len(task.side_effects) == 1
