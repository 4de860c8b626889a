"""The page of one product."""

from __future__ import annotations

import pytest
from tests.devices.phone.apps.shopping import (
    HEADPHONES,
    OMNICRATE,
    THREADMOOR,
    WATTBARROW,
    cart,
    visit,
    well_stocked,
)
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.shop_catalogue import (
    IDS,
    PRODUCTS,
    STYLES,
    assortment,
    line_key,
    price_text,
    rating_text,
    search,
    similar,
)
from distrl.devices.phone.apps.web import SHOPS

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])
KEY = IDS[HEADPHONES]


def looking_at(key: str = KEY, host: str = WATTBARROW, layout: int = 1) -> Driver:
    driver = Driver(seed=3, layout=layout)
    visit(driver, "product", host, id=key)
    return driver


def picture(driver: Driver) -> tuple[str, str]:
    """Kind and colour of the large picture."""
    kind, color = driver.looks("product")[0]
    return kind, color


@LAYOUTS
@pytest.mark.parametrize("host", SHOPS)
def test_a_product_can_be_bought_in_every_shop_that_sells_it(host: str, layout: int) -> None:
    key = assortment(host)[0]
    driver = looking_at(key, host, layout)
    with driver.changes(f"apps.browser.carts.{host}.*"):
        driver.tap("Add to cart")
    assert driver.sees("Added to cart")
    assert [line["product"] for line in cart(driver, host)] == [key]


@LAYOUTS
def test_the_page_tells_name_price_and_rating(layout: int) -> None:
    driver = looking_at(layout=layout)
    for words in (HEADPHONES, price_text(PRODUCTS[KEY].price_cents), rating_text(KEY)):
        assert driver.sees(words)


def test_a_sample_changes_the_picture_and_nothing_that_lasts() -> None:
    driver = looking_at()
    for color in PRODUCTS[KEY].colors:
        with driver.changes():
            driver.tap_paint("swatch", color)
        assert picture(driver) == ("headphones", color)
        assert [c for c, chosen, _ in driver.looks("swatch") if chosen] == [color]


def test_another_colour_is_another_line_of_the_cart() -> None:
    driver = looking_at()
    for color in PRODUCTS[KEY].colors[:2]:
        driver.tap_paint("swatch", color)
        driver.tap("Add to cart")
    assert [line["color"] for line in cart(driver, WATTBARROW)] == list(PRODUCTS[KEY].colors[:2])


def test_the_same_choice_again_adds_to_its_line() -> None:
    key = well_stocked(WATTBARROW)
    driver = looking_at(key)
    driver.tap("Add to cart")
    driver.tap("Add to cart")
    assert [line["quantity"] for line in cart(driver, WATTBARROW)] == [2]


def test_at_most_nine_pieces_go_into_a_cart() -> None:
    key = well_stocked(WATTBARROW)
    driver = looking_at(key)
    driver.swipe("up")
    for _ in range(11):
        driver.tap_paint("glyph", "add", "text")
    assert driver.element("9").description == "Quantity"
    for _ in range(2):
        driver.tap("Add to cart")
    assert [line["quantity"] for line in cart(driver, WATTBARROW)] == [9]


def test_at_least_one_piece_is_bought() -> None:
    driver = looking_at()
    driver.swipe("up")
    driver.tap_paint("glyph", "remove", "text")
    assert driver.var("quantity") == 1


def test_every_size_can_be_chosen_and_the_first_is_to_begin_with() -> None:
    key = search(THREADMOOR, "shoe")[0]
    sizes = PRODUCTS[key].sizes
    driver = looking_at(key, THREADMOOR)
    assert [size for size in sizes if driver.element(size, "button").checked] == [sizes[0]]
    for size in sizes:
        driver.tap(size, role="button")
        driver.tap("Add to cart")
    assert [line["size"] for line in cart(driver, THREADMOOR)] == list(sizes)


def test_a_product_without_choices_has_no_headings_for_them() -> None:
    key = next(k for k in assortment(OMNICRATE) if not PRODUCTS[k].sizes)
    driver = looking_at(key, OMNICRATE)
    assert "Size" not in driver.scroll_through("text")


@LAYOUTS
def test_the_heart_wishes_for_the_chosen_colour_alone(layout: int) -> None:
    driver = looking_at(layout=layout)
    color = PRODUCTS[KEY].colors[-1]
    driver.tap_paint("swatch", color)
    driver.swipe("down")
    with driver.changes(f"apps.browser.wishlists.{WATTBARROW}.{KEY}-{color}"):
        driver.tap_paint("round_button", "heart")
    assert driver.sees("Added to wishlist")
    driver.tap_paint("swatch", PRODUCTS[KEY].colors[0])
    driver.swipe("down")
    assert driver.looks("round_button")[0][0] == "heart"


def test_the_button_to_buy_scrolls_or_stays_by_shop_and_layout() -> None:
    for host, style in STYLES.items():
        for layout in (1, 2):
            driver = looking_at(assortment(host)[0], host, layout)
            pinned = driver.find("Add to cart", "button") is not None
            assert pinned or style.buy_bar is not (layout == 1)


def test_the_page_ends_with_reviews_and_similar_products() -> None:
    driver = looking_at()
    texts = driver.scroll_through("text")
    assert "Customer reviews" in texts
    assert sum(text.startswith('"') for text in texts) == 3
    assert any(f"{PRODUCTS[KEY].stock} left in stock" in text for text in texts)
    first = similar(WATTBARROW, KEY)[0]
    driver.tap_paint("product", "headphones")
    assert driver.state["ui"]["stacks"]["browser"][-1]["args"]["id"] == first


def test_a_full_line_does_not_grow_beyond_the_stock() -> None:
    key = next(k for k in assortment(WATTBARROW) if 1 < PRODUCTS[k].stock < 9)
    driver = looking_at(key)
    driver.swipe("up")
    for _ in range(10):
        driver.tap_paint("glyph", "add", "text")
    driver.tap("Add to cart")
    driver.tap("Add to cart")
    line = cart(driver, WATTBARROW)[0]
    assert line["quantity"] == PRODUCTS[key].stock
    held = driver.data("browser")["carts"][WATTBARROW]
    assert list(held) == [line_key(key, line["color"], line["size"])]
