"""What the web shops sell and how each of them looks: constant, looked up and never built twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from distrl.devices.phone import content
from distrl.devices.phone.apps.web import SHOPS, scatter
from distrl.devices.phone.content.products import COLORS

PRODUCTS = {f"p{number}": product for number, product in enumerate(content.PRODUCTS)}
"""Products by the id that states and pages know them by."""
IDS = {product.name: key for key, product in PRODUCTS.items()}

SORTS = ("Featured", "Price: low to high", "Price: high to low", "Best rated")
PRICES = {
    "Under $50": (0, 5_000),
    "$50 to $100": (5_000, 10_000),
    "$100 to $300": (10_000, 30_000),
    "$300 and up": (30_000, 10**9),
}
"""Ranges in cents, the upper end excluded."""
RATINGS = {"4.5 stars and up": 45, "4 stars and up": 40, "3.5 stars and up": 35}
SPEEDS = {"Standard": 0, "Express": 990, "Pick up in store": 100}
"""Ways of delivery and what they cost in cents."""
ADDRESSES = {
    "Home": "14 Alder Lane",
    "Work": "200 Foundry Street",
    "Parents": "7 Old Mill Road",
}
CARDS = {
    "Bluecard": "ending in 4821",
    "Redleaf card": "ending in 0937",
    "Cash on delivery": "",
}
STATUSES = ("Processing", "Packed", "Shipped", "Out for delivery", "Delivered")
MOST_PIECES = 9


@dataclass(frozen=True, slots=True)
class Style:
    """How a shop differs from the others."""

    tint: tuple[int, int, int]
    slogan: str
    grid: bool
    """Whether results are pictures in a grid or named products in a list."""
    compact: bool
    """Whether its bar is one line with the icons at the bottom, or two lines at the top."""
    filter_page: bool
    """Whether filters have a page of their own, or a chip each above the results."""
    buy_bar: bool
    """Whether the button to buy stays at the bottom, or scrolls with the page."""


STYLES = {
    "wattbarrow.com": Style(
        (28, 82, 178),
        "Plugged in since 1998",
        grid=False,
        compact=False,
        filter_page=False,
        buy_bar=True,
    ),
    "omnicrate.com": Style(
        (206, 96, 8),
        "Everything in one crate",
        grid=False,
        compact=False,
        filter_page=True,
        buy_bar=False,
    ),
    "threadmoor.com": Style(
        (196, 70, 124), "New season", grid=True, compact=True, filter_page=True, buy_bar=True
    ),
    "hobnook.com": Style(
        (44, 120, 52), "Make it cosy", grid=True, compact=False, filter_page=False, buy_bar=True
    ),
    "stridefell.com": Style(
        (184, 34, 38),
        "Further, faster",
        grid=True,
        compact=True,
        filter_page=False,
        buy_bar=False,
    ),
    "rewander.com": Style(
        (108, 44, 150),
        "Good things, again",
        grid=False,
        compact=True,
        filter_page=True,
        buy_bar=True,
    ),
}


def price_text(cents: int) -> str:
    """An amount of money as shops write it."""
    return f"${cents / 100:,.2f}"


@lru_cache(maxsize=1024)
def rating_text(key: str) -> str:
    """A product's stars."""
    return f"{PRODUCTS[key].rating_tenths / 10} of 5 stars"


def usual_color(key: str) -> str:
    """The colour that a product is shown in where nobody says otherwise."""
    colors = PRODUCTS[key].colors
    return colors[0] if colors else COLORS[scatter(key) % len(COLORS)]


@lru_cache(maxsize=65536)
def swatch_order(colors: tuple[str, ...], seed: int, salt: str) -> tuple[str, ...]:
    """Colours in an order of this phone's own: samples carry no words, so they must be seen."""
    return tuple(sorted(colors, key=lambda color: scatter(seed, salt, color)))


@lru_cache(maxsize=16)
def assortment(host: str) -> tuple[str, ...]:
    """Ids of all that a shop sells, in the order in which it likes to show them."""
    categories = SHOPS[host].categories
    sold = [key for key, product in PRODUCTS.items() if product.category in categories]
    return tuple(sorted(sold, key=lambda key: scatter(host, key)))


@lru_cache(maxsize=16)
def deals(host: str) -> tuple[str, ...]:
    """Ids of what the front page praises: one product each of several kinds."""
    first: dict[str, str] = {}
    for key in reversed(assortment(host)):
        first[PRODUCTS[key].kind] = key
    return tuple(first.values())[-6:]


@lru_cache(maxsize=4096)
def similar(host: str, key: str) -> tuple[str, ...]:
    """Ids of three other products of the same kind."""
    kind = PRODUCTS[key].kind
    return tuple(k for k in assortment(host) if PRODUCTS[k].kind == kind and k != key)[:3]


def _words(text: str) -> list[str]:
    """Lower-case words, an ending s taken off."""
    kept = "".join(ch if ch.isalnum() else " " for ch in text.lower())
    return [word[:-1] if len(word) > 3 and word[-1] == "s" else word for word in kept.split()]


@lru_cache(maxsize=16)
def _index(host: str) -> dict[str, frozenset[str]]:
    index: dict[str, set[str]] = {}
    for key in assortment(host):
        product = PRODUCTS[key]
        for word in _words(f"{product.name} {product.category}"):
            index.setdefault(word, set()).add(key)
    return {word: frozenset(keys) for word, keys in index.items()}


@lru_cache(maxsize=4096)
def search(host: str, query: str) -> tuple[str, ...]:
    """Ids of what has all words of a query in its name or category."""
    words = _words(query)
    if not words:
        return ()
    index = _index(host)
    found = frozenset.intersection(*(index.get(word, frozenset()) for word in words))
    return tuple(key for key in assortment(host) if key in found)


@dataclass(frozen=True, slots=True)
class Wish:
    """Which results a customer wants to see and in which order; empty means no matter."""

    sort: str = ""
    brand: str = ""
    color: str = ""
    price: str = ""
    rating: str = ""


WISHES = ("sort", "brand", "color", "price", "rating")
_ORDERS: dict[str, Callable[[str], int]] = {
    SORTS[1]: lambda key: PRODUCTS[key].price_cents,
    SORTS[2]: lambda key: -PRODUCTS[key].price_cents,
    SORTS[3]: lambda key: -PRODUCTS[key].rating_tenths,
}


@lru_cache(maxsize=64)
def _of_category(host: str, category: str) -> tuple[str, ...]:
    return tuple(key for key in assortment(host) if PRODUCTS[key].category == category)


def candidates(host: str, arguments: dict[str, Any]) -> tuple[str, ...]:
    """All results of a listing page: of a search, else of a category."""
    if arguments.get("query"):
        return search(host, str(arguments["query"]))
    return _of_category(host, str(arguments.get("category", "")))


@lru_cache(maxsize=8192)
def select(keys: tuple[str, ...], wish: Wish) -> tuple[str, ...]:
    """Results that fulfil a wish, in its order."""
    low, high = PRICES.get(wish.price, (0, 10**9))
    least = RATINGS.get(wish.rating, 0)
    kept = [
        key
        for key in keys
        if (not wish.brand or PRODUCTS[key].brand == wish.brand)
        and (not wish.color or wish.color in PRODUCTS[key].colors)
        and low <= PRODUCTS[key].price_cents < high
        and PRODUCTS[key].rating_tenths >= least
    ]
    if wish.sort in _ORDERS:
        kept.sort(key=_ORDERS[wish.sort])
    return tuple(kept)


@lru_cache(maxsize=4096)
def options(keys: tuple[str, ...], name: str) -> tuple[str, ...]:
    """What a filter offers for these results; the most frequent brands or colours."""
    if name in ("sort", "price", "rating"):
        return {"sort": SORTS, "price": tuple(PRICES), "rating": tuple(RATINGS)}[name]
    count: dict[str, int] = {}
    for key in keys:
        product = PRODUCTS[key]
        for value in (product.brand,) if name == "brand" else product.colors:
            count[value] = count.get(value, 0) + 1
    ranked = sorted(count, key=lambda value: (-count[value], value))
    return tuple(sorted(ranked[:10]) if name == "brand" else ranked[:12])


def wish_key(product: str, color: str) -> str:
    """The id of an entry of a wishlist."""
    return f"{product}-{color}"


def line_key(product: str, color: str, size: str) -> str:
    """The id of a line of a cart or order: one per product, colour and size."""
    return f"{product}-{color}-{size}"
