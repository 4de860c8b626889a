"""Goals that cannot be reached, which shows when one has looked."""

from __future__ import annotations

from random import Random
from typing import Any

from distrl.devices.phone.control import Control
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import PRODUCT
from distrl.tasks.shopping.common import (
    SHOP,
    ShopTask,
    browser_data,
    clear_product,
    draw_product,
    fill_cart,
    others,
    sellers,
)
from distrl.tasks.shopping.shopper import Shopper
from distrl.tasks.template import Draw, Params


class MissingInCart(ShopTask):
    """What is not in the cart cannot be taken out of it."""

    name = "missing_in_cart"
    infeasible = True
    weight = 0.3
    phrasings = (
        "Delete the {product} that is in my cart on {shop}",
        "Lower the number of {product} in my {shop} cart",
        "There is one {product} too many in my {shop} cart, take it out",
    )
    params = {"product": PRODUCT, "shop": SHOP}

    def sample(self, draw: Draw) -> dict[str, Any]:
        return draw_product(draw)

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        clear_product(control, p["shop"], p["product"])
        if not browser_data(control)["carts"][p["shop"]]:
            fill_cart(control, p["shop"], others(p["shop"], p["product"], rng, 1))

    def oracle(self, hand: Hand, p: Params) -> None:
        Shopper(hand, p["shop"]).cart()
        hand.give_up()


class MissingProduct(ShopTask):
    """What a shop does not sell cannot be bought there."""

    name = "missing_product"
    infeasible = True
    weight = 0.3
    phrasings = (
        "Order one {product} from {shop}",
        "Buy the {product} on {shop} and put it in my cart",
        "Go to {shop}, find {product} and add it to the cart",
    )
    params = {"product": PRODUCT, "shop": SHOP}

    def sample(self, draw: Draw) -> dict[str, Any]:
        while True:
            product, host = draw.of(PRODUCT), draw.of(SHOP)
            if host not in sellers(product):
                return {"product": product, "shop": host}

    def oracle(self, hand: Hand, p: Params) -> None:
        Shopper(hand, p["shop"]).search(p["product"])
        hand.give_up()


TEMPLATES: tuple[ShopTask, ...] = (
    MissingInCart(),
    MissingProduct(),
)
