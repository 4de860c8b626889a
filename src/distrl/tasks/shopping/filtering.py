"""Goals of sorting and filtering the results of a search."""

from __future__ import annotations

from typing import Any

from distrl.devices.phone.apps.shop_catalogue import (
    PRICES,
    PRODUCTS,
    RATINGS,
    SORTS,
    WISHES,
    Wish,
    search,
    select,
)
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import BRAND, PRODUCT_LINE, closed
from distrl.tasks.shopping.common import (
    COLOR,
    KIND,
    SHOP,
    ShopTask,
    draw_brand,
    draw_line,
    lists,
)
from distrl.tasks.shopping.shopper import Shopper
from distrl.tasks.template import Draw, Params, Scene

ORDERS = {
    "price from low to high": SORTS[1],
    "price from high to low": SORTS[2],
    "customer rating": SORTS[3],
}
STARS = {"4.5": "4.5 stars and up", "4": "4 stars and up", "3.5": "3.5 stars and up"}


class SortResults(ShopTask):
    """The results of a search are in some order."""

    name = "sort_results"
    phrasings = (
        "Search {shop} for {line} and sort the results by {order}",
        "On {shop}, look for {line}, sorted by {order}",
        "Find {line} at {shop} and order the list by {order}",
    )
    params = {"line": PRODUCT_LINE, "shop": SHOP, "order": closed("order", *ORDERS)}
    starts = ("tab", "shop")

    def sample(self, draw: Draw) -> dict[str, Any]:
        return {**draw_line(draw), "order": draw.of(self.params["order"])}

    def check(self, scene: Scene, p: Params) -> bool:
        return lists(scene, p["shop"], p["line"]) and scene.var("sort") == ORDERS[p["order"]]

    def oracle(self, hand: Hand, p: Params) -> None:
        Shopper(hand, p["shop"]).narrow(p["line"], "sort", ORDERS[p["order"]])


class _Filter(ShopTask):
    """The results of a search are narrowed down by one filter and by no other."""

    starts = ("tab", "shop", "shop")
    filtered: str

    def query(self, p: Params) -> str:
        query: str = p["brand"]
        return query

    def value(self, p: Params) -> str:
        raise NotImplementedError

    def check(self, scene: Scene, p: Params) -> bool:
        return lists(scene, p["shop"], self.query(p)) and all(
            scene.var(name, "") == (self.value(p) if name == self.filtered else "")
            for name in WISHES
            if name != "sort"
        )

    def oracle(self, hand: Hand, p: Params) -> None:
        Shopper(hand, p["shop"]).narrow(self.query(p), self.filtered, self.value(p))


class FilterBrand(_Filter):
    """Only one brand is shown."""

    name = "filter_brand"
    filtered = "brand"
    phrasings = (
        "Search {shop} for {kind} and show only {brand}",
        "On {shop}, look for {kind} and filter by the brand {brand}",
        "Find {kind} at {shop}, but nothing except {brand}",
    )
    params = {"kind": KIND, "brand": BRAND, "shop": SHOP}

    def sample(self, draw: Draw) -> dict[str, Any]:
        p = draw_brand(draw)
        kinds = {PRODUCTS[key].kind for key in search(p["shop"], p["brand"])}
        return {**p, "kind": draw.rng.choice(sorted(kinds))}

    def query(self, p: Params) -> str:
        query: str = p["kind"]
        return query

    def value(self, p: Params) -> str:
        value: str = p["brand"]
        return value


class FilterPrice(_Filter):
    """Only one range of prices is shown."""

    name = "filter_price"
    filtered = "price"
    phrasings = (
        "Search {shop} for {brand} and show only what costs {price}",
        "On {shop}, look for {brand} in the price range {price}",
        "Filter the {brand} products on {shop} by price: {price}",
    )
    params = {"brand": BRAND, "shop": SHOP, "price": closed("price", *PRICES)}

    def sample(self, draw: Draw) -> dict[str, Any]:
        p = draw_brand(draw)
        found = search(p["shop"], p["brand"])
        fitting = [price for price in PRICES if select(found, Wish(price=price))]
        return {**p, "price": draw.rng.choice(fitting)}

    def value(self, p: Params) -> str:
        value: str = p["price"]
        return value


class FilterRating(_Filter):
    """Only what is rated well is shown."""

    name = "filter_rating"
    filtered = "rating"
    phrasings = (
        "Search {shop} for {brand} and show only products with {stars} stars or more",
        "On {shop}, look for {brand} rated {stars} stars and up",
        "Filter {brand} on {shop} to {stars} stars and up",
    )
    params = {"brand": BRAND, "shop": SHOP, "stars": closed("stars", *STARS)}

    def sample(self, draw: Draw) -> dict[str, Any]:
        return {**draw_brand(draw), "stars": draw.of(self.params["stars"])}

    def value(self, p: Params) -> str:
        assert STARS[p["stars"]] in RATINGS
        return STARS[p["stars"]]


class FilterColor(_Filter):
    """Only one colour is shown; the samples to choose from carry no words."""

    name = "filter_color"
    filtered = "color"
    visual = True
    weight = 1.2
    phrasings = (
        "Search {shop} for {brand} and show only what comes in {color}",
        "On {shop}, look for {brand} and filter by the color {color}",
        "Which {brand} products does {shop} have in {color}? Filter them",
    )
    params = {"brand": BRAND, "shop": SHOP, "color": COLOR}

    def sample(self, draw: Draw) -> dict[str, Any]:
        while True:
            p = draw_brand(draw)
            found = search(p["shop"], p["brand"])
            colors = sorted({color for key in found for color in PRODUCTS[key].colors})
            if len(colors) >= 3:
                return {**p, "color": draw.rng.choice(colors)}

    def value(self, p: Params) -> str:
        value: str = p["color"]
        return value


TEMPLATES: tuple[ShopTask, ...] = (
    SortResults(),
    FilterBrand(),
    FilterPrice(),
    FilterRating(),
    FilterColor(),
)
