"""Web shops: finding, choosing, buying, and what stays behind."""

from __future__ import annotations

import pytest
from tests.devices.phone.apps.shopping import (
    HEADPHONES,
    OMNICRATE,
    THREADMOOR,
    WATTBARROW,
    cart,
    find,
    put_in_cart,
    show,
    visit,
)
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.shop_catalogue import (
    IDS,
    PRODUCTS,
    SORTS,
    STYLES,
    Wish,
    assortment,
    price_text,
    search,
    select,
)
from distrl.devices.phone.apps.web import SHOPS
from distrl.types import Key


@pytest.fixture(params=[1, 2], ids=["layout1", "layout2"])
def driver(request: pytest.FixtureRequest) -> Driver:
    return Driver(seed=3, layout=request.param)


@pytest.mark.parametrize("host", SHOPS)
def test_every_shop_is_entered_by_its_address_and_finds_what_it_sells(
    driver: Driver, host: str
) -> None:
    driver.open("browser")
    driver.fill("Search or type an address", host)
    driver.press(Key.ENTER)
    assert driver.page == "shop"
    key = assortment(host)[0]
    find(driver, host, PRODUCTS[key].name)
    assert driver.page == "listing"
    assert driver.shows(price_text(PRODUCTS[key].price_cents))


def test_a_shop_has_no_results_for_what_it_does_not_sell(driver: Driver) -> None:
    visit(driver, "shop", THREADMOOR)
    find(driver, THREADMOOR, HEADPHONES)
    assert driver.shows("No results")


def test_a_search_needs_all_words_in_any_order_and_number() -> None:
    assert search(WATTBARROW, "PULSE headphone norvik") == (IDS[HEADPHONES],)
    assert set(search(WATTBARROW, "headphones")) > {IDS[HEADPHONES]}
    assert search(WATTBARROW, "Norvik Pulse drill") == ()
    assert search(WATTBARROW, " ") == ()


def test_results_can_be_sorted_and_narrowed_down() -> None:
    found = search(WATTBARROW, "headphones")
    prices = [PRODUCTS[k].price_cents for k in select(found, Wish(sort=SORTS[1]))]
    assert prices == sorted(prices)
    assert len(set(prices)) > 1
    ratings = [PRODUCTS[k].rating_tenths for k in select(found, Wish(sort=SORTS[3]))]
    assert ratings == sorted(ratings, reverse=True)
    cheap = select(found, Wish(brand="Norvik", price="$50 to $100"))
    assert cheap == (IDS[HEADPHONES],)
    blue = select(found, Wish(color="blue"))
    assert 0 < len(blue) < len(found)
    assert all("blue" in PRODUCTS[key].colors for key in blue)


def test_a_chip_opens_the_choices_of_a_filter(driver: Driver) -> None:
    visit(driver, "listing", WATTBARROW, query="headphones")
    driver.tap("Brand")
    driver.tap("Norvik", role="radio")
    assert driver.shows("3 results")
    driver.tap("Brand")
    driver.tap("Norvik", role="radio")
    assert driver.shows("15 results")


def test_a_filter_page_changes_nothing_before_it_is_applied(driver: Driver) -> None:
    visit(driver, "listing", OMNICRATE, query="headphones")
    driver.tap("Filter")
    driver.tap("Norvik")
    driver.press(Key.BACK)
    assert driver.shows("15 results")
    driver.tap("Filter")
    driver.tap("Norvik")
    driver.tap("Show results")
    assert driver.shows("3 results")


def test_a_long_list_shows_more_on_demand(driver: Driver) -> None:
    visit(driver, "listing", OMNICRATE, category="computers")
    before = driver.device.phone.view.max_scroll
    driver.tap("Show more")
    assert driver.device.phone.view.max_scroll > before


def test_a_product_goes_into_the_cart_as_it_was_chosen(driver: Driver) -> None:
    key = next(k for k in search(THREADMOOR, "shoe") if PRODUCTS[k].stock >= 5)
    color = PRODUCTS[key].colors[-1]
    visit(driver, "product", THREADMOOR, id=key)
    driver.tap_paint("swatch", color)
    driver.tap("40")
    driver.swipe("up")
    driver.tap_paint("glyph", "add", "text")
    driver.tap("Add to cart")
    assert cart(driver, THREADMOOR) == [
        {"product": key, "color": color, "size": "40", "quantity": 2}
    ]


def test_samples_of_colors_say_nothing_and_stand_in_an_order_of_the_phones_own() -> None:
    key = IDS[HEADPHONES]
    orders = set()
    for seed in range(12):
        driver = Driver(seed)
        visit(driver, "product", WATTBARROW, id=key)
        found = [w for w in driver.device.phone.view.widgets if w.paint and w.paint[0] == "swatch"]
        assert {(w.text, w.description, w.checked) for w in found} == {("", "", None)}
        orders.add(tuple(w.paint[1] for w in found if w.paint))
    assert len(orders) > 2
    assert {frozenset(order) for order in orders} == {frozenset(PRODUCTS[key].colors)}


def test_no_more_pieces_are_sold_than_there_are(driver: Driver) -> None:
    key = next(k for k in assortment(WATTBARROW) if PRODUCTS[k].stock == 1)
    visit(driver, "product", WATTBARROW, id=key)
    driver.tap("Add to cart")
    driver.tap("Add to cart")
    assert [line["quantity"] for line in cart(driver, WATTBARROW)] == [1]


def test_the_heart_puts_a_product_on_the_wishlist_and_takes_it_off(driver: Driver) -> None:
    visit(driver, "product", WATTBARROW, id=IDS[HEADPHONES])
    driver.tap_paint("round_button", "heart")
    wishes = driver.data("browser")["wishlists"][WATTBARROW].values()
    assert [wish["product"] for wish in wishes] == [IDS[HEADPHONES]]
    driver.tap_paint("glyph", "heart")
    assert driver.page == "wishlist"
    driver.tap_paint("round_button", "heart_filled")
    assert driver.sees("Your wishlist is empty")


def test_lines_of_a_cart_are_changed_and_removed(driver: Driver) -> None:
    visit(driver, "cart", WATTBARROW)
    assert driver.sees("Your cart is empty")
    name = next(PRODUCTS[k].name for k in assortment(WATTBARROW) if PRODUCTS[k].stock > 5)
    put_in_cart(driver, WATTBARROW, name)
    driver.tap_paint("glyph", "add", "text")
    assert cart(driver, WATTBARROW)[0]["quantity"] == 2
    assert driver.shows(price_text(2 * PRODUCTS[IDS[name]].price_cents))
    driver.tap_paint("glyph", "remove", "text")
    driver.tap_paint("glyph", "remove", "text")
    assert cart(driver, WATTBARROW)[0]["quantity"] == 1
    driver.tap_icon("delete")
    assert cart(driver, WATTBARROW) == []


def test_only_a_real_code_takes_something_off(driver: Driver) -> None:
    visit(driver, "cart", WATTBARROW)
    put_in_cart(driver, WATTBARROW, HEADPHONES)
    driver.fill("Promo code", "NONSENSE20")
    driver.press(Key.ENTER)
    assert driver.sees("This code is not valid")
    driver.fill("Promo code", "maple20")
    driver.press(Key.ENTER)
    assert driver.data("browser")["coupons"][WATTBARROW] == "MAPLE20"
    assert driver.shows(price_text(7_999 - 7_999 * 20 // 100))


def test_an_order_keeps_every_choice_and_empties_the_cart(driver: Driver) -> None:
    visit(driver, "cart", WATTBARROW)
    put_in_cart(driver, WATTBARROW, HEADPHONES)
    before = driver.data("browser")["orders"]
    driver.tap("Checkout")
    driver.tap("Work", role="radio")
    driver.tap("Express", role="radio")
    driver.tap("Redleaf card", role="radio")
    driver.tap("Place order")
    (order,) = (o for k, o in driver.data("browser")["orders"].items() if k not in before)
    assert (order["address"], order["speed"], order["card"]) == ("Work", "Express", "Redleaf card")
    assert order["total"] == 7_999 + 990
    assert cart(driver, WATTBARROW) == []
    assert driver.page == "order"


def test_an_order_is_cancelled_only_after_a_question(driver: Driver) -> None:
    visit(driver, "cart", WATTBARROW)
    put_in_cart(driver, WATTBARROW, HEADPHONES)
    driver.tap("Checkout")
    driver.tap("Place order")
    driver.tap("Cancel order")
    driver.tap("Keep order")
    assert driver.shows("Processing")
    driver.tap("Cancel order")
    driver.tap("Cancel order", role="button")
    assert driver.shows("Cancelled")
    assert driver.find("Cancel order") is None


def test_pages_stay_up_when_what_they_show_is_gone(driver: Driver) -> None:
    show(driver, "order", WATTBARROW, id="nothing")
    assert driver.sees("This order does not exist")
    visit(driver, "checkout", WATTBARROW)
    assert driver.sees("There is nothing to pay for")


def test_shops_differ_in_color_and_layout() -> None:
    looks = {(s.grid, s.compact, s.filter_page, s.buy_bar) for s in STYLES.values()}
    assert len({style.tint for style in STYLES.values()}) == len(SHOPS) == len(STYLES)
    assert len(looks) >= 5


@pytest.mark.parametrize("layout", [1, 2])
def test_a_layout_has_named_lists_in_some_shops_and_pictures_in_others(layout: int) -> None:
    driver = Driver(seed=3, layout=layout)
    shown = {}
    for host, kind in ((WATTBARROW, "headphones"), ("hobnook.com", "lamp")):
        show(driver, "listing", host, query=kind)
        names = {PRODUCTS[key].name for key in search(host, kind)}
        shown[host] = any(e.text in names for e in driver.elements)
    assert shown == {WATTBARROW: layout == 1, "hobnook.com": layout == 2}
