"""Goals of finding something: going to a shop, searching, and opening what was found."""

from __future__ import annotations

from random import Random
from typing import Any

from distrl.devices.phone.apps.shop_catalogue import (
    IDS,
    PRODUCTS,
    SORTS,
    Wish,
    assortment,
    search,
    select,
)
from distrl.devices.phone.apps.shops import LOOKS
from distrl.devices.phone.apps.web import SHOPS
from distrl.devices.phone.control import Control
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import BRAND, PRODUCT, PRODUCT_LINE, closed
from distrl.tasks.shopping.common import (
    BROWSER,
    COLOR,
    KIND,
    SHOP,
    ShopTask,
    draw_brand,
    draw_line,
    draw_product,
    lists,
    write,
)
from distrl.tasks.shopping.shopper import Shopper
from distrl.tasks.template import Draw, Params, Scene


class GoToShop(ShopTask):
    """A shop's front page is open."""

    name = "go_to_shop"
    weight = 0.6
    phrasings = (
        "Go to {shop}",
        "Open {shop} in the browser",
        "Visit the website {shop}",
        "Take me to {shop}",
        "Bring up the {shop} store",
        "Navigate to {shop}",
        "I want to look around on {shop}",
    )
    params = {"shop": SHOP}
    starts = ("home", "tab")

    def check(self, scene: Scene, p: Params) -> bool:
        return scene.at(BROWSER, "shop", host=p["shop"])

    def oracle(self, hand: Hand, p: Params) -> None:
        Shopper(hand, p["shop"]).front()


class SearchShop(ShopTask):
    """The results of a search for a product are shown."""

    name = "search_shop"
    phrasings = (
        "Go to {shop}, search for {product}",
        "Search for {product} on {shop}",
        "Look up the {product} at {shop}",
        "See whether {shop} has the {product}",
    )
    params = {"product": PRODUCT, "shop": SHOP}

    def sample(self, draw: Draw) -> dict[str, Any]:
        return draw_product(draw)

    def check(self, scene: Scene, p: Params) -> bool:
        return lists(scene, p["shop"], p["product"])

    def oracle(self, hand: Hand, p: Params) -> None:
        Shopper(hand, p["shop"]).search(p["product"])


class OpenFirst(ShopTask):
    """The first result of a search is open; what is sponsored does not count."""

    name = "open_first"
    phrasings = (
        "Go to {shop}, search for {line} and select the first entry",
        "On {shop}, search for {line} and open the first result",
        "Find {line} on {shop} and tap the top result",
    )
    params = {"line": PRODUCT_LINE, "shop": SHOP}
    starts = ("tab", "shop", "shop")

    def sample(self, draw: Draw) -> dict[str, Any]:
        return draw_line(draw)

    def check(self, scene: Scene, p: Params) -> bool:
        first = search(p["shop"], p["line"])[0]
        return scene.at(BROWSER, "product", host=p["shop"], id=first)

    def oracle(self, hand: Hand, p: Params) -> None:
        shopper = Shopper(hand, p["shop"])
        shopper.search(p["line"])
        shopper.open_result(search(p["shop"], p["line"])[0])


class OpenProduct(ShopTask):
    """A product's page is open."""

    name = "open_product"
    phrasings = (
        "Show me the {product} on {shop}",
        "Open the page of the {product} at {shop}",
        "Go to {shop}, search for {product}, and select it",
        "Find the {product} on {shop} and open it",
    )
    params = {"product": PRODUCT, "shop": SHOP}
    starts = ("home", "tab", "shop", "shop")

    def sample(self, draw: Draw) -> dict[str, Any]:
        return draw_product(draw)

    def check(self, scene: Scene, p: Params) -> bool:
        return scene.at(BROWSER, "product", host=p["shop"], id=IDS[p["product"]])

    def oracle(self, hand: Hand, p: Params) -> None:
        Shopper(hand, p["shop"]).product(p["product"])


class _OpenExtreme(ShopTask):
    """The product of a brand that comes first in some order is open."""

    sort: str
    params = {"brand": BRAND, "shop": SHOP}
    starts = ("tab", "shop", "shop")

    def sample(self, draw: Draw) -> dict[str, Any]:
        while True:
            p = draw_brand(draw)
            first, second = self._ranked(p)[:2]
            one, two = PRODUCTS[first], PRODUCTS[second]
            if one.price_cents != two.price_cents and one.rating_tenths != two.rating_tenths:
                return p

    def _ranked(self, p: Params) -> tuple[str, ...]:
        return select(search(p["shop"], p["brand"]), Wish(sort=self.sort))

    def check(self, scene: Scene, p: Params) -> bool:
        return scene.at(BROWSER, "product", host=p["shop"], id=self._ranked(p)[0])

    def oracle(self, hand: Hand, p: Params) -> None:
        shopper = Shopper(hand, p["shop"])
        shopper.narrow(p["brand"], "sort", self.sort)
        shopper.open_result(self._ranked(p)[0])


class OpenCheapest(_OpenExtreme):
    """The cheapest product of a brand."""

    name = "open_cheapest"
    sort = SORTS[1]
    phrasings = (
        "Search {shop} for {brand}, sort by price and open the cheapest product",
        "Open the cheapest {brand} product on {shop}",
        "What is the least expensive thing by {brand} on {shop}? Open it",
    )


class OpenDearest(_OpenExtreme):
    """The most expensive product of a brand."""

    name = "open_dearest"
    sort = SORTS[2]
    unseen = True
    phrasings = (
        "Search {shop} for {brand}, sort by price and open the most expensive product",
        "Open the most expensive {brand} product on {shop}",
        "Find the {brand} item with the highest price on {shop} and open it",
    )


class OpenBestRated(_OpenExtreme):
    """The best rated product of a brand."""

    name = "open_best_rated"
    sort = SORTS[3]
    unseen = True
    phrasings = (
        "Search {shop} for {brand} and open the product with the best rating",
        "Open the best rated {brand} product on {shop}",
        "Which {brand} product do customers of {shop} like most? Open it",
    )


class OpenColored(ShopTask):
    """Of the results of a search, the one whose picture has a colour is open."""

    name = "open_colored"
    visual = True
    weight = 1.2
    phrasings = (
        "Search {shop} for {line} and open the {color} one",
        "On {shop}, look for {line} and select the one shown in {color}",
        "Find {line} at {shop} and tap the {color} one",
    )
    params = {"line": PRODUCT_LINE, "shop": SHOP, "color": COLOR}
    starts = ("tab", "shop", "shop")

    def sample(self, draw: Draw) -> dict[str, Any]:
        while True:
            p = draw_line(draw)
            held = [c for key in search(p["shop"], p["line"]) for c in PRODUCTS[key].colors]
            shared = sorted({color for color in held if held.count(color) > 1})
            if shared:
                return {**p, "color": draw.rng.choice(shared)}

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        found = search(p["shop"], p["line"])
        target = rng.choice([key for key in found if p["color"] in PRODUCTS[key].colors])
        for key in found:
            rest = [color for color in PRODUCTS[key].colors if color != p["color"]]
            write(control, "faces", key, to=p["color"] if key == target else rng.choice(rest))

    def _target(self, faces: dict[str, str], p: Params) -> str:
        found = search(p["shop"], p["line"])
        return next(key for key in found if faces[key] == p["color"])

    def check(self, scene: Scene, p: Params) -> bool:
        target = self._target(scene.data(BROWSER)["faces"], p)
        return scene.at(BROWSER, "product", host=p["shop"], id=target)

    def oracle(self, hand: Hand, p: Params) -> None:
        shopper = Shopper(hand, p["shop"])
        shopper.search(p["line"])
        shopper.open_result(self._target(hand.data(BROWSER)["faces"], p))


class OpenLook(ShopTask):
    """A picture on the wall of the front page, which carries no words, is open."""

    name = "open_look"
    visual = True
    weight = 1.2
    phrasings = (
        "On {shop}, open the {color} {kind} in the pictures of the front page",
        "Go to {shop} and tap the picture of the {color} {kind}",
        "I like the {color} {kind} on the start page of {shop}, open it",
        "Shop the look on {shop}: pick the {color} {kind}",
        "Show me the {color} {kind} from the picture wall on {shop}",
        "From the photos on the home page of {shop}, choose the {color} {kind}",
    )
    params = {"shop": SHOP, "color": COLOR, "kind": KIND}
    starts = ("home", "tab", "shop", "cart")

    def sample(self, draw: Draw) -> dict[str, Any]:
        host = draw.of(SHOP)
        colored = [PRODUCTS[key] for key in assortment(host) if PRODUCTS[key].colors]
        product = draw.rng.choice(colored)
        return {"shop": host, "color": draw.rng.choice(product.colors), "kind": product.kind}

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        """Once the thing itself, twice its kind in other colours, and other things."""
        colored = [key for key in assortment(p["shop"]) if PRODUCTS[key].colors]
        same = [key for key in colored if PRODUCTS[key].kind == p["kind"]]
        target = rng.choice([key for key in same if p["color"] in PRODUCTS[key].colors])
        looks = [(target, p["color"])]
        for key in (*rng.sample(same, 2), *rng.sample(colored, LOOKS - 3)):
            rest = [color for color in PRODUCTS[key].colors if color != p["color"]]
            looks.append((key, rng.choice(rest)))
        rng.shuffle(looks)
        wall = {str(n): {"product": key, "color": color} for n, (key, color) in enumerate(looks)}
        write(control, "looks", p["shop"], to=wall)

    def check(self, scene: Scene, p: Params) -> bool:
        looks = scene.data(BROWSER)["looks"][p["shop"]].values()
        target = next(
            look["product"]
            for look in looks
            if look["color"] == p["color"] and PRODUCTS[look["product"]].kind == p["kind"]
        )
        return scene.at(BROWSER, "product", host=p["shop"], id=target, color=p["color"])

    def oracle(self, hand: Hand, p: Params) -> None:
        Shopper(hand, p["shop"]).front()
        hand.tap_paint("product", p["kind"], p["color"])


class BrowseCategory(ShopTask):
    """A category of a shop is open."""

    name = "browse_category"
    unseen = True
    weight = 0.7
    phrasings = (
        "On {shop}, open the category {category}",
        "Show me everything in {category} on {shop}",
        "Browse the {category} department of {shop}",
        "Go to {shop} and look through {category}",
        "What does {shop} sell in {category}? Open that category",
    )
    params = {"shop": SHOP, "category": closed("category", *SHOPS["omnicrate.com"].categories)}

    def sample(self, draw: Draw) -> dict[str, Any]:
        host = draw.of(SHOP)
        return {"shop": host, "category": draw.rng.choice(SHOPS[host].categories)}

    def check(self, scene: Scene, p: Params) -> bool:
        return scene.at(BROWSER, "listing", host=p["shop"], category=p["category"])

    def oracle(self, hand: Hand, p: Params) -> None:
        Shopper(hand, p["shop"]).front()
        hand.tap(p["category"], role="button")


TEMPLATES: tuple[ShopTask, ...] = (
    GoToShop(),
    SearchShop(),
    OpenFirst(),
    OpenProduct(),
    OpenCheapest(),
    OpenDearest(),
    OpenBestRated(),
    OpenColored(),
    OpenLook(),
    BrowseCategory(),
)
