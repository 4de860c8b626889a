"""Front pages, results and filters of the web shops."""

from __future__ import annotations

import pytest
from tests.devices.phone.apps.shopping import (
    HOBNOOK,
    OMNICRATE,
    REWANDER,
    STRIDEFELL,
    THREADMOOR,
    WATTBARROW,
    show,
    visit,
)
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.shop_catalogue import (
    PRODUCTS,
    SORTS,
    Wish,
    candidates,
    price_text,
    search,
    select,
    swatch_order,
)
from distrl.devices.phone.apps.shop_choosing import wish_of
from distrl.devices.phone.apps.web import SHOPS

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])
EVERYWHERE = pytest.mark.parametrize("host", SHOPS)


def in_shop(host: str, layout: int = 1) -> Driver:
    driver = Driver(seed=3, layout=layout)
    visit(driver, "shop", host)
    return driver


def listing(host: str, query: str = "headphones", layout: int = 1) -> Driver:
    driver = Driver(seed=3, layout=layout)
    visit(driver, "listing", host, query=query)
    return driver


def first_price(driver: Driver) -> str:
    """The price of the first result."""
    item = next(e for e in driver.elements if e.role == "item")
    return item.text if item.text.startswith("$") else item.description.split()[0]


# The front page


@LAYOUTS
@EVERYWHERE
def test_each_category_of_the_front_page_leads_to_its_goods(host: str, layout: int) -> None:
    driver = in_shop(host, layout)
    for category in SHOPS[host].categories:
        driver.tap(category.capitalize(), role="button")
        assert driver.page == "listing"
        count = len(candidates(host, {"category": category}))
        assert driver.sees(f'{count} results for "{category}"')
        driver.back()


@EVERYWHERE
def test_the_banner_leads_to_the_first_category(host: str) -> None:
    driver = in_shop(host)
    driver.tap(f"{SHOPS[host].name} sale", role="item")
    assert driver.shows(f'for "{SHOPS[host].categories[0]}"')


@EVERYWHERE
def test_the_picture_wall_says_nothing_and_leads_to_the_product_in_its_colour(host: str) -> None:
    driver = in_shop(host)
    look = next(iter(driver.data("browser")["looks"][host].values()))
    kind, color = PRODUCTS[look["product"]].kind, look["color"]
    while not any(paint == (kind, color) for paint in driver.looks("product")):
        driver.swipe("up")
    walls = [e for e in driver.elements if e.role == "image"]
    assert not any(e.text or e.description for e in walls)
    driver.tap_paint("product", kind, color)
    assert driver.page == "product"
    assert driver.looks("product")[0] == (kind, color)


@LAYOUTS
def test_both_layouts_of_a_front_page_have_the_same_sections(layout: int) -> None:
    driver = in_shop(WATTBARROW, layout)
    texts = driver.scroll_through("text")
    assert {"Categories", "Shop the look", "Deals of the day"} <= set(texts)
    assert any(text.startswith("(c) ") for text in texts)


# Results


@LAYOUTS
@EVERYWHERE
def test_a_result_opens_its_product(host: str, layout: int) -> None:
    category = SHOPS[host].categories[0]
    driver = Driver(seed=3, layout=layout)
    visit(driver, "listing", host, category=category)
    item = next(e for e in driver.elements if e.role == "item")
    driver.tap(item.text, role="item")
    assert driver.page == "product"
    key = driver.state["ui"]["stacks"]["browser"][-1]["args"]["id"]
    assert key in candidates(host, {"category": category})


def test_one_result_is_not_called_results() -> None:
    driver = listing(WATTBARROW, "Norvik Pulse headphones")
    assert driver.shows('1 result for "')


def test_more_results_come_sixteen_at_a_time() -> None:
    driver = Driver(seed=3)
    visit(driver, "listing", WATTBARROW, category=SHOPS[WATTBARROW].categories[0])
    total = len(candidates(WATTBARROW, {"category": SHOPS[WATTBARROW].categories[0]}))
    assert total > 32
    assert len(driver.scroll_through()) == 16
    driver.tap("Show more")
    assert driver.var("shown") == 32


def test_sponsored_goods_stand_above_the_results() -> None:
    driver = Driver(seed=3)
    driver.change("nuisance", "promo", to=True)
    show(driver, "listing", WATTBARROW, query="headphones")
    item = next(e for e in driver.elements if e.role == "item")
    assert item.description == "Ad"


def test_the_values_of_a_page_spell_out_a_wish() -> None:
    assert wish_of({}) == Wish()
    assert wish_of({"brand": "Norvik", "shown": 32}) == Wish(brand="Norvik")


# Filters in chips and in a page of their own


@LAYOUTS
@pytest.mark.parametrize("host", [WATTBARROW, HOBNOOK, STRIDEFELL])
@pytest.mark.parametrize("sort", SORTS[1:])
def test_results_are_sorted_by_a_chip(host: str, sort: str, layout: int) -> None:
    category = SHOPS[host].categories[0]
    driver = Driver(seed=3, layout=layout)
    visit(driver, "listing", host, category=category)
    driver.tap("Sort")
    driver.tap(sort, role="radio")
    best = select(candidates(host, {"category": category}), Wish(sort=sort))[0]
    assert first_price(driver) == price_text(PRODUCTS[best].price_cents)
    assert driver.element("Sort", "button").checked


@LAYOUTS
@pytest.mark.parametrize("host", [OMNICRATE, THREADMOOR, REWANDER])
def test_results_are_sorted_by_a_button_where_filters_have_a_page(host: str, layout: int) -> None:
    category = SHOPS[host].categories[0]
    driver = Driver(seed=3, layout=layout)
    visit(driver, "listing", host, category=category)
    driver.tap("Sort")
    assert driver.element(SORTS[0], "radio").checked
    driver.tap(SORTS[1], role="radio")
    best = select(candidates(host, {"category": category}), Wish(sort=SORTS[1]))[0]
    assert first_price(driver) == price_text(PRODUCTS[best].price_cents)
    driver.tap("Sort")
    driver.tap(SORTS[0], role="radio")
    assert driver.var("sort") == ""


@pytest.mark.parametrize(("chip", "option"), [("Price", "Under $50"), ("Rating", "4 stars and up")])
def test_a_chip_narrows_the_results_and_is_lit(chip: str, option: str) -> None:
    driver = listing(WATTBARROW)
    before = len(search(WATTBARROW, "headphones"))
    driver.tap(chip)
    driver.tap(option, role="radio")
    kept = len(select(search(WATTBARROW, "headphones"), Wish(**{chip.lower(): option})))
    assert kept < before
    assert driver.shows(f"{kept} result{'s' * (kept != 1)} for")
    assert driver.element(chip, "button").checked


def test_closing_a_filter_changes_nothing() -> None:
    driver = listing(WATTBARROW)
    for chip in ("Brand", "Color"):
        driver.tap(chip)
        driver.tap("Close")
        assert driver.page == "listing"
    assert driver.shows(f"{len(search(WATTBARROW, 'headphones'))} results")


def test_a_colour_is_chosen_by_a_sample_and_all_results_are_shown_in_it() -> None:
    driver = listing(WATTBARROW)
    driver.tap("Color")
    offered = [color for color, *_ in driver.looks("swatch")]
    assert offered == list(swatch_order(tuple(sorted(offered)), 3, "filter"))
    driver.tap_paint("swatch", "blue")
    kept = select(search(WATTBARROW, "headphones"), Wish(color="blue"))
    assert driver.shows(f"{len(kept)} results")
    assert {color for _, color, *_ in driver.looks("card")} == {"blue"}
    driver.tap("Color")
    driver.tap_paint("swatch", "blue")
    assert driver.var("color") == ""


def test_filters_that_leave_nothing_say_so_and_can_be_taken_back() -> None:
    driver = listing(WATTBARROW)
    driver.tap("Price")
    driver.tap("Under $50", role="radio")
    driver.tap("Rating")
    driver.tap("4.5 stars and up", role="radio")
    wish = Wish(price="Under $50", rating="4.5 stars and up")
    assert not select(search(WATTBARROW, "headphones"), wish)
    assert driver.sees("No results for headphones")
    driver.tap("Price")
    driver.tap("Under $50", role="radio")
    assert not driver.sees("No results for headphones")


@LAYOUTS
def test_the_filter_page_applies_all_filters_at_once(layout: int) -> None:
    driver = listing(OMNICRATE, layout=layout)
    driver.tap("Filter")
    driver.tap("Norvik", role="button")
    driver.tap("$50 to $100", role="button")
    assert driver.element("$50 to $100", "button").checked
    driver.tap("Show results")
    wish = Wish(brand="Norvik", price="$50 to $100")
    kept = len(select(search(OMNICRATE, "headphones"), wish))
    assert driver.shows(f"{kept} result{'s' * (kept != 1)} for")
    driver.tap("Filter")
    assert driver.var("brand") == "Norvik"


def test_the_filter_page_can_be_cleared_and_a_choice_taken_back() -> None:
    driver = listing(OMNICRATE)
    driver.tap("Filter")
    driver.tap("Norvik", role="button")
    driver.tap("Norvik", role="button")
    assert driver.var("brand") == ""
    driver.tap("Norvik", role="button")
    driver.tap("Clear")
    assert driver.var("brand") == ""
    driver.tap("Show results")
    assert driver.shows(f"{len(search(OMNICRATE, 'headphones'))} results")
