"""Questions whose answer has to be on the screen, on a page that speaks of the right thing."""

from __future__ import annotations

from random import Random
from typing import Any

from distrl.devices.phone.apps.shop_catalogue import (
    IDS,
    PRODUCTS,
    STATUSES,
    price_text,
    rating_text,
)
from distrl.devices.phone.control import Control
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import PRODUCT
from distrl.tasks.shopping.common import (
    BROWSER,
    SHOP,
    ShopTask,
    draw_product,
    lists,
    put_order,
)
from distrl.tasks.shopping.shopper import Shopper
from distrl.tasks.template import Draw, Params, Scene


class _AskProduct(ShopTask):
    """Something about a product, on its page or among the results of a search for it."""

    params = {"product": PRODUCT, "shop": SHOP}

    def sample(self, draw: Draw) -> dict[str, Any]:
        return draw_product(draw)

    def answer(self, p: Params) -> str:
        raise NotImplementedError

    def check(self, scene: Scene, p: Params) -> bool:
        open_here = scene.at(BROWSER, "product", host=p["shop"], id=IDS[p["product"]])
        listed = lists(scene, p["shop"], p["product"])
        return (open_here or listed) and scene.shows(self.answer(p))

    def oracle(self, hand: Hand, p: Params) -> None:
        Shopper(hand, p["shop"]).product(p["product"])
        hand.scroll_to(self.answer(p))
        hand.back()


class AskPrice(_AskProduct):
    """What it costs."""

    name = "ask_price"
    phrasings = (
        "How much is the {product} on {shop}?",
        "What does {product} cost at {shop}?",
        "Show me the price of the {product} on {shop}",
    )

    def answer(self, p: Params) -> str:
        return price_text(PRODUCTS[IDS[p["product"]]].price_cents)


class AskRating(_AskProduct):
    """How customers rate it."""

    name = "ask_rating"
    phrasings = (
        "How many stars does the {product} have on {shop}?",
        "What is the rating of {product} at {shop}?",
        "How do customers of {shop} rate the {product}?",
    )

    def answer(self, p: Params) -> str:
        return rating_text(IDS[p["product"]])


class AskStock(_AskProduct):
    """How many are left; it stands below what a screen shows at first."""

    name = "ask_stock"
    unseen = True
    phrasings = (
        "How many {product} does {shop} have left in stock?",
        "Is the {product} in stock at {shop}, and how many are there?",
        "Check the stock of the {product} on {shop}",
    )
    starts = ("tab", "shop", "shop")

    def answer(self, p: Params) -> str:
        return f"{PRODUCTS[IDS[p['product']]].stock} left in stock"

    def oracle(self, hand: Hand, p: Params) -> None:
        Shopper(hand, p["shop"]).product(p["product"])
        for words, _ in hand.out_of_sight():
            if words.startswith(self.answer(p)):
                hand.scroll_to(words)
        hand.back()


class _AskOrder(ShopTask):
    """Something about an order, on its page."""

    params = {"product": PRODUCT, "shop": SHOP}
    starts = ("tab", "shop")

    def sample(self, draw: Draw) -> dict[str, Any]:
        return draw_product(draw)

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        put_order(control, p["shop"], p["product"], rng.choice(STATUSES), rng)

    def answer(self, scene: Scene) -> tuple[str, str]:
        """What the page says: a label and its value."""
        raise NotImplementedError

    def check(self, scene: Scene, p: Params) -> bool:
        here = scene.at(BROWSER, "order", host=p["shop"], id="target")
        return here and scene.shows(*self.answer(scene))

    def oracle(self, hand: Hand, p: Params) -> None:
        Shopper(hand, p["shop"]).order("target")
        hand.back()


class AskStatus(_AskOrder):
    """Where it is."""

    name = "ask_status"
    phrasings = (
        "What is the status of my {product} order on {shop}?",
        "Has {shop} shipped my {product} yet?",
        "Where is the {product} that I ordered from {shop}?",
    )

    def answer(self, scene: Scene) -> tuple[str, str]:
        return "Status", scene.data(BROWSER)["orders"]["target"]["status"]


class AskTotal(_AskOrder):
    """What it cost altogether."""

    name = "ask_total"
    unseen = True
    phrasings = (
        "What did I pay in total for my order of the {product} on {shop}?",
        "How much was my {product} order at {shop} altogether?",
        "Find the total of my {shop} order with the {product}",
    )

    def answer(self, scene: Scene) -> tuple[str, str]:
        return "Total", price_text(scene.data(BROWSER)["orders"]["target"]["total"])


TEMPLATES: tuple[ShopTask, ...] = (
    AskPrice(),
    AskRating(),
    AskStock(),
    AskStatus(),
    AskTotal(),
)
