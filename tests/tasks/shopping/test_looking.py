"""What the goals of finding something accept and what they do not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.tasks.shopping.shopping import HEADPHONES, OMNI, OTHER, WATT, Shopping

from distrl.devices.phone.apps.shop_catalogue import PRODUCTS, assortment, search
from distrl.devices.phone.apps.web import SHOPS
from distrl.devices.phone.content import Product
from distrl.types import Key

LINE = "Norvik headphones"


def test_only_the_front_page_of_the_shop_counts() -> None:
    task = Shopping("go_to_shop", shop=WATT)
    task.show("shop", OMNI)
    assert not task.reached
    task.show("cart")
    assert not task.reached
    task.show("shop")
    assert task.reached
    assert task.side_effects == ()


def test_a_search_counts_in_any_letters_and_only_in_the_shop() -> None:
    task = Shopping("search_shop", product=HEADPHONES, shop=WATT)
    task.search(HEADPHONES, OMNI)
    assert not task.reached
    task.search(HEADPHONES.upper())
    assert task.reached
    task.search("Norvik")
    assert not task.reached


def test_the_page_of_the_product_is_not_the_list_of_results() -> None:
    task = Shopping("search_shop", product=HEADPHONES, shop=WATT)
    task.show_product(HEADPHONES)
    assert not task.reached


def test_the_first_result_counts_by_whatever_way_it_was_opened() -> None:
    first, second = search(WATT, LINE)[:2]
    task = Shopping("open_first", line=LINE, shop=WATT)
    task.show("product", id=second)
    assert not task.reached
    task.show("product", id=first)
    assert task.reached


def test_the_page_of_another_product_is_not_the_one() -> None:
    task = Shopping("open_product", product=HEADPHONES, shop=WATT)
    task.show_product(OTHER)
    assert not task.reached
    task.show_product(HEADPHONES)
    assert task.reached
    task.press("home")
    assert not task.reached


@pytest.mark.parametrize(
    ("template", "better"),
    [
        ("open_cheapest", lambda p: -p.price_cents),
        ("open_dearest", lambda p: p.price_cents),
        ("open_best_rated", lambda p: p.rating_tenths),
    ],
)
def test_only_the_first_in_the_order_counts(
    template: str, better: Callable[[Product], int]
) -> None:
    task = Shopping(template, brand="Norvik", shop=WATT)
    found = search(WATT, "Norvik")
    best = max(found, key=lambda key: better(PRODUCTS[key]))
    for key in found:
        task.show("product", id=key)
        assert task.reached is (key == best)


@pytest.mark.parametrize("template", ["open_cheapest", "open_dearest", "open_best_rated"])
def test_a_sorted_list_is_not_yet_the_product(template: str) -> None:
    task = Shopping(template, brand="Norvik", shop=WATT)
    task.walk_to("listing")
    assert not task.reached
    task.solve(20)
    assert task.side_effects == ()


def _colored(seed: int) -> Shopping:
    held = [color for key in search(WATT, LINE) for color in PRODUCTS[key].colors]
    color = next(c for c in sorted(set(held)) if held.count(c) > 1)
    return Shopping("open_colored", seed, line=LINE, shop=WATT, color=color)


def test_exactly_one_result_is_shown_in_the_colour() -> None:
    targets = set()
    for seed in range(8):
        task = _colored(seed)
        faces = task.data("browser")["faces"]
        color = task.referee.task.parameters["color"]
        shown = [key for key in search(WATT, LINE) if faces[key] == color]
        assert len(shown) == 1
        targets.update(shown)
        for key in search(WATT, LINE):
            task.show("product", id=key)
            assert task.reached is (key == shown[0])
    assert len(targets) > 1


def _look(task: Shopping) -> tuple[str, str]:
    """The product on the wall that is meant, and another of its kind."""
    p = task.referee.task.parameters
    looks = task.data("browser")["looks"][WATT].values()
    same = [look for look in looks if PRODUCTS[look["product"]].kind == p["kind"]]
    target = next(look for look in same if look["color"] == p["color"])
    return target["product"], next(look["color"] for look in same if look["color"] != p["color"])


def test_a_look_counts_only_in_its_colour() -> None:
    product = next(PRODUCTS[k] for k in assortment(WATT) if len(PRODUCTS[k].colors) >= 3)
    for seed in range(4):
        task = Shopping("open_look", seed, shop=WATT, color=product.colors[0], kind=product.kind)
        target, wrong = _look(task)
        task.show("product", id=target, color=wrong)
        assert not task.reached
        task.show("product", id=target, color=product.colors[0])
        assert task.reached
        assert task.side_effects == ()


def test_every_category_of_a_shop_but_one_is_the_wrong_one() -> None:
    categories = SHOPS[WATT].categories
    task = Shopping("browse_category", shop=WATT, category=categories[0])
    for category in categories:
        task.show("listing", category=category)
        assert task.reached is (category == categories[0])
    task.search(categories[0])
    assert not task.reached


def test_a_goal_in_one_shop_is_not_reached_in_another() -> None:
    task = Shopping("open_product", product=HEADPHONES, shop=OMNI)
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


def test_the_cheapest_is_cheaper_than_every_other() -> None:
    task = Shopping("open_cheapest", brand="Norvik", shop="wattbarrow.com")
    task.solve(20)
    key = task.state["ui"]["stacks"]["browser"][-1]["args"]["id"]
    prices = {k: PRODUCTS[k].price_cents for k in search("wattbarrow.com", "Norvik")}
    assert prices[key] == min(prices.values())


def _address(task: Shopping) -> str:
    """What the address field says on the page in front."""
    return next(w.description for w in task.device.phone.view.widgets if w.key == "address")
