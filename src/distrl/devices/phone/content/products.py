"""Products of the web shops, built from the brand tables without any randomness."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from distrl.devices.phone.content.tables.products import GADGETS, HOUSEHOLD, LEISURE, WEARABLES
from distrl.devices.phone.content.tables.reader import phrases


@dataclass(frozen=True, slots=True)
class Product:
    """One thing for sale."""

    name: str
    """Brand, line and kind: "Norvik Pulse headphones"."""
    brand: str
    kind: str
    category: str
    price_cents: int
    """Different for each product of a kind."""
    rating_tenths: int
    """Stars times ten, different for each product of a kind."""
    colors: tuple[str, ...]
    sizes: tuple[str, ...]
    stock: int
    """Pieces left, at least one."""


COLORS = (
    "red", "orange", "yellow", "green", "blue", "purple",
    "pink", "brown", "black", "white", "gray", "teal",
)  # fmt: skip

CATEGORY_KINDS = {
    "electronics": ("headphones", "speaker", "camera"),
    "computers": ("laptop", "mouse", "keyboard", "monitor", "tablet"),
    "mobile": ("phone", "watch", "charger", "battery"),
    "fashion": ("shoe", "shirt", "jacket", "hat"),
    "kitchen": ("mug", "pan", "knife", "blender"),
    "home": ("lamp", "chair", "vacuum"),
    "books": ("book",),
    "toys": ("toy",),
    "sports": ("ball", "bottle"),
    "outdoor": ("tent", "backpack"),
    "tools": ("drill",),
}

_LETTER_SIZES = ("S", "M", "L", "XL")
_SIZES = {
    "shoe": ("38", "39", "40", "41", "42", "43", "44"),
    "shirt": _LETTER_SIZES,
    "jacket": _LETTER_SIZES,
    "hat": ("S", "M", "L"),
}
_COLORLESS = {"book", "battery", "knife"}
_TABLES = {**GADGETS, **WEARABLES, **HOUSEHOLD, **LEISURE}


def _lines(table: str) -> Iterator[tuple[str, str, int]]:
    """Yield brand, line and price in cents of every product in a kind's table."""
    for row in phrases(table):
        brand, offers = row.split(":")
        for offer in offers.split(","):
            line, price = offer.strip().rsplit(" ", 1)
            yield brand, line, int(price.replace(".", ""))


def _colors(kind: str, number: int) -> tuple[str, ...]:
    """Three to five colors; stepping by seven through twelve never repeats one."""
    if kind in _COLORLESS:
        return ()
    return tuple(COLORS[(5 * number + 7 * step) % len(COLORS)] for step in range(3 + number % 3))


def _products() -> Iterator[Product]:
    numbers = count()
    for category, kinds in CATEGORY_KINDS.items():
        for kind in kinds:
            for brand, line, price_cents in _lines(_TABLES[kind]):
                number = next(numbers)
                yield Product(
                    name=f"{brand} {line} {kind}",
                    brand=brand,
                    kind=kind,
                    category=category,
                    price_cents=price_cents,
                    rating_tenths=31 + 7 * number % 19,  # 19 ratings for 15 products of a kind
                    colors=_colors(kind, number),
                    sizes=_SIZES.get(kind, ()),
                    stock=1 + 11 * number % 37,
                )


PRODUCTS = tuple(_products())
