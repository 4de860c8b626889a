"""What the web shops sell: searching, filtering, ordering, and the ids of lines."""

from __future__ import annotations

import pytest
from tests.devices.phone.apps.shopping import HEADPHONES, WATTBARROW

from distrl.devices.phone.apps.shop_catalogue import (
    IDS,
    PRICES,
    PRODUCTS,
    RATINGS,
    SORTS,
    STYLES,
    Wish,
    assortment,
    candidates,
    deals,
    line_key,
    options,
    price_text,
    rating_text,
    search,
    select,
    similar,
    swatch_order,
    usual_color,
    wish_key,
)
from distrl.devices.phone.apps.web import SHOPS
from distrl.devices.phone.content.products import COLORS

EVERYWHERE = pytest.mark.parametrize("host", SHOPS)


@pytest.mark.parametrize(
    ("cents", "text"), [(0, "$0.00"), (5, "$0.05"), (7_999, "$79.99"), (123_456, "$1,234.56")]
)
def test_prices_are_written_in_dollars(cents: int, text: str) -> None:
    assert price_text(cents) == text


def test_stars_are_written_with_one_decimal() -> None:
    key = IDS[HEADPHONES]
    assert rating_text(key) == f"{PRODUCTS[key].rating_tenths / 10} of 5 stars"


@EVERYWHERE
def test_a_shop_sells_exactly_the_products_of_its_categories(host: str) -> None:
    sold = {key for key, p in PRODUCTS.items() if p.category in SHOPS[host].categories}
    assert set(assortment(host)) == sold
    assert len(assortment(host)) == len(sold) > 20


def test_shops_show_the_same_goods_in_orders_of_their_own() -> None:
    shared = [host for host in SHOPS if IDS[HEADPHONES] in assortment(host)]
    assert len(shared) > 1
    places = {assortment(host).index(IDS[HEADPHONES]) for host in shared}
    assert len(places) == len(shared)


@EVERYWHERE
def test_deals_are_one_product_each_of_at_most_six_kinds(host: str) -> None:
    found = deals(host)
    kinds = {PRODUCTS[key].kind for key in assortment(host)}
    assert len(found) == min(6, len(kinds))
    assert len({PRODUCTS[key].kind for key in found}) == len(found)
    assert set(found) <= set(assortment(host))


@EVERYWHERE
def test_similar_products_are_others_of_the_same_kind(host: str) -> None:
    for key in assortment(host)[:20]:
        found = similar(host, key)
        assert key not in found
        assert len(found) == 3
        assert {PRODUCTS[other].kind for other in found} == {PRODUCTS[key].kind}


@EVERYWHERE
def test_every_product_of_a_shop_is_found_by_its_name(host: str) -> None:
    assert all(key in search(host, PRODUCTS[key].name) for key in assortment(host))


@pytest.mark.parametrize("query", ["Headphone", "HEADPHONES", "headphones!", " headphones "])
def test_endings_capitals_and_signs_do_not_matter(query: str) -> None:
    assert search(WATTBARROW, query) == search(WATTBARROW, "headphones") != ()


def test_a_category_finds_its_goods() -> None:
    category = PRODUCTS[IDS[HEADPHONES]].category
    assert {PRODUCTS[key].category for key in search(WATTBARROW, category)} == {category}


def test_a_listing_is_of_a_search_or_else_of_a_category() -> None:
    category = PRODUCTS[IDS[HEADPHONES]].category
    assert candidates(WATTBARROW, {"query": "headphones"}) == search(WATTBARROW, "headphones")
    by_category = candidates(WATTBARROW, {"category": category})
    assert {PRODUCTS[key].category for key in by_category} == {category}
    assert candidates(WATTBARROW, {}) == ()


# Wishes


def test_a_wish_without_conditions_keeps_everything_in_its_order() -> None:
    keys = assortment(WATTBARROW)
    assert select(keys, Wish()) == keys
    assert select(keys, Wish(sort=SORTS[0])) == keys


@pytest.mark.parametrize("price", PRICES)
def test_a_price_range_excludes_its_upper_end(price: str) -> None:
    low, high = PRICES[price]
    for key in select(assortment(WATTBARROW), Wish(price=price)):
        assert low <= PRODUCTS[key].price_cents < high


def test_price_ranges_cover_every_product_once() -> None:
    keys = assortment(WATTBARROW)
    parts = [set(select(keys, Wish(price=price))) for price in PRICES]
    assert sum(map(len, parts)) == len(keys)
    assert set.union(*parts) == set(keys)


@pytest.mark.parametrize("rating", RATINGS)
def test_a_rating_is_the_least_that_is_shown(rating: str) -> None:
    kept = select(assortment(WATTBARROW), Wish(rating=rating))
    assert min(PRODUCTS[key].rating_tenths for key in kept) >= RATINGS[rating]


@pytest.mark.parametrize(
    ("sort", "value"),
    [
        (SORTS[1], lambda key: PRODUCTS[key].price_cents),
        (SORTS[2], lambda key: -PRODUCTS[key].price_cents),
        (SORTS[3], lambda key: -PRODUCTS[key].rating_tenths),
    ],
)
def test_each_order_sorts_all_results(sort: str, value: object) -> None:
    assert callable(value)
    kept = select(assortment(WATTBARROW), Wish(sort=sort))
    values = [value(key) for key in kept]
    assert values == sorted(values)
    assert set(kept) == set(assortment(WATTBARROW))


def test_conditions_add_up() -> None:
    keys = search(WATTBARROW, "headphones")
    both = set(select(keys, Wish(color="blue", rating="4 stars and up")))
    one = set(select(keys, Wish(color="blue")))
    other = set(select(keys, Wish(rating="4 stars and up")))
    assert both == one & other


def test_filters_offer_what_the_results_have() -> None:
    keys = search(WATTBARROW, "headphones")
    brands = options(keys, "brand")
    assert brands == tuple(sorted(brands))
    assert set(brands) <= {PRODUCTS[key].brand for key in keys}
    assert len(brands) <= 10
    colors = options(keys, "color")
    assert len(colors) <= 12
    assert set(colors) <= {color for key in keys for color in PRODUCTS[key].colors}
    assert options(keys, "sort") == SORTS
    assert options((), "brand") == ()


@pytest.mark.parametrize("name", ["brand", "color"])
def test_every_option_of_a_filter_leaves_something(name: str) -> None:
    keys = search(WATTBARROW, "headphones")
    for option in options(keys, name):
        assert select(keys, Wish(**{name: option}))


# Colours and ids


def test_samples_stand_in_the_same_order_on_one_phone() -> None:
    colors = ("red", "blue", "green", "black")
    assert swatch_order(colors, 3, "x") == swatch_order(colors, 3, "x")
    assert sorted(swatch_order(colors, 3, "x")) == sorted(colors)
    assert len({swatch_order(colors, seed, "x") for seed in range(20)}) > 5


def test_a_product_is_shown_in_its_first_colour_or_in_any_if_it_has_none() -> None:
    for key, product in PRODUCTS.items():
        assert usual_color(key) in ((product.colors[0],) if product.colors else COLORS)


def test_lines_differ_in_product_colour_and_size() -> None:
    keys = {line_key("p1", "red", ""), line_key("p1", "blue", ""), line_key("p1", "red", "40")}
    assert len(keys) == 3
    assert wish_key("p1", "red") != wish_key("p1", "blue")


def test_every_shop_has_a_style() -> None:
    assert set(STYLES) == set(SHOPS)
    assert all(style.slogan for style in STYLES.values())
