"""Goals of buying: checkout and orders."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from distrl.devices.phone.apps.shop_catalogue import ADDRESSES, CARDS, IDS, SPEEDS, STATUSES
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.tasks.allowed_changes import Added, Permission, Removed
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import PRODUCT, PROMO_CODE, closed
from distrl.tasks.shopping.cart import coupon_of, enter_code
from distrl.tasks.shopping.common import (
    BROWSER,
    SHOP,
    ShopTask,
    cart_lines,
    cart_of,
    clear_product,
    draw_product,
    fill_cart,
    make_line,
    new_orders,
    pieces,
    put_order,
)
from distrl.tasks.shopping.shopper import Shopper
from distrl.tasks.template import Draw, Params, Scene


class CheckOut(ShopTask):
    """What is in the cart is bought, with one choice made if the goal names it."""

    name = "check_out"
    phrasings = (
        "Buy the {product} that is in my cart on {shop}",
        "Check out on {shop}: order the {product} in the cart",
        "Place the order for the {product} in my {shop} cart",
    )
    params = {"product": PRODUCT, "shop": SHOP}
    starts: tuple[str, ...] = ("home", "tab", "tab", "shop")

    def sample(self, draw: Draw) -> dict[str, Any]:
        chosen = {name: draw.of(self.params[name]) for name in self.params if name not in _DRAWN}
        return {**draw_product(draw), **chosen}

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        fill_cart(control, p["shop"], [make_line(p["product"], rng)])

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """One new order of just this product; the line that was bought leaves the cart."""
        order = {"host": p["shop"], "lines": _one_piece(IDS[p["product"]])}
        return (
            Added(f"apps.{BROWSER}.orders", order),
            Removed(cart_of(p["shop"]), {"product": IDS[p["product"]]}),
        )

    def check(self, scene: Scene, p: Params) -> bool:
        orders = new_orders(scene, p["shop"], p["product"])
        chosen = [name for name in p if name not in _DRAWN]
        return any(all(order[name] == p[name] for name in chosen) for order in orders)

    def oracle(self, hand: Hand, p: Params) -> None:
        choices = {name: p[name] for name in p if name not in (*_DRAWN, "code")}
        Shopper(hand, p["shop"]).check_out(p["product"], **choices)


_DRAWN = ("product", "shop")


def _one_piece(key: str) -> Callable[[State], bool]:
    """Whether an order is for one piece of a product and nothing else."""
    return lambda lines: (
        [(line["product"], line["quantity"]) for line in lines.values()] == [(key, 1)]
    )


class CheckOutSpeed(CheckOut):
    """The way of delivery is chosen."""

    name = "check_out_speed"
    phrasings = (
        'Order the {product} in my {shop} cart with the delivery option "{speed}"',
        'Buy the {product} that is in my cart on {shop}, delivery: "{speed}"',
        'Check out the {product} on {shop} and choose "{speed}" as delivery',
    )
    params = {"product": PRODUCT, "shop": SHOP, "speed": closed("speed", *list(SPEEDS)[1:])}


class CheckOutAddress(CheckOut):
    """The address is chosen."""

    name = "check_out_address"
    phrasings = (
        'Order the {product} in my {shop} cart and send it to the address "{address}"',
        'Buy the {product} that is in my cart on {shop}, deliver to "{address}"',
        'Check out the {product} on {shop} with "{address}" as the delivery address',
    )
    params = {"product": PRODUCT, "shop": SHOP, "address": closed("address", *list(ADDRESSES)[1:])}


class CheckOutCard(CheckOut):
    """The payment is chosen."""

    name = "check_out_card"
    unseen = True
    phrasings = (
        "Order the {product} in my {shop} cart and pay with {card}",
        "Buy the {product} that is in my cart on {shop}, payment by {card}",
        "Check out the {product} on {shop} using {card}",
    )
    params = {"product": PRODUCT, "shop": SHOP, "card": closed("card", *list(CARDS)[1:])}


class CheckOutCode(CheckOut):
    """A promo code is used for the order."""

    name = "check_out_code"
    unseen = True
    phrasings = (
        "Use the promo code {code} and order the {product} in my {shop} cart",
        "Buy the {product} that is in my cart on {shop} with the discount code {code}",
        "Apply {code} to my {shop} cart with the {product} and place the order",
    )
    params = {"product": PRODUCT, "shop": SHOP, "code": PROMO_CODE}
    starts = ("tab", "shop", "shop")

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The code stands in the cart until the order is placed."""
        return (*super().allowed(p), coupon_of(p["shop"]))

    def oracle(self, hand: Hand, p: Params) -> None:
        enter_code(Shopper(hand, p["shop"]), p["code"])
        super().oracle(hand, p)


class CancelOrder(ShopTask):
    """An order that is not sent yet is cancelled."""

    name = "cancel_order"
    phrasings = (
        "Cancel my order of the {product} on {shop}",
        "I ordered the {product} from {shop} by mistake, cancel it",
        "Find my {product} order at {shop} and cancel it",
    )
    params = {"product": PRODUCT, "shop": SHOP}
    starts = ("tab", "shop")
    allows = ("apps.browser.orders.target.status",)

    def sample(self, draw: Draw) -> dict[str, Any]:
        return draw_product(draw)

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        put_order(control, p["shop"], p["product"], STATUSES[0], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        return bool(scene.data(BROWSER)["orders"]["target"]["status"] == "Cancelled")

    def oracle(self, hand: Hand, p: Params) -> None:
        if hand.at("cancel", id="target"):
            hand.tap("Cancel order")
        Shopper(hand, p["shop"]).order("target")
        hand.tap("Cancel order")


class BuyAgain(ShopTask):
    """What was ordered once is put into the cart again."""

    name = "buy_again"
    unseen = True
    phrasings = (
        "Find my order of the {product} on {shop} and buy it again",
        "I liked the {product} that I ordered from {shop}, put it in the cart again",
        "Reorder the {product} from my past orders at {shop}, into the cart",
    )
    params = {"product": PRODUCT, "shop": SHOP}
    starts = ("tab", "shop", "shop")

    def sample(self, draw: Draw) -> dict[str, Any]:
        return draw_product(draw)

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        clear_product(control, p["shop"], p["product"])
        put_order(control, p["shop"], p["product"], STATUSES[-1], rng)

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """One new line of the product."""
        return (Added(cart_of(p["shop"]), {"product": IDS[p["product"]]}),)

    def check(self, scene: Scene, p: Params) -> bool:
        return pieces(cart_lines(scene, p["shop"], p["product"])) == 1

    def oracle(self, hand: Hand, p: Params) -> None:
        shopper = Shopper(hand, p["shop"])
        if any(line["product"] == IDS[p["product"]] for line in shopper.held.values()):
            shopper.stock(p["product"])
        shopper.order("target")
        hand.tap("Buy again")


TEMPLATES: tuple[ShopTask, ...] = (
    CheckOut(),
    CheckOutSpeed(),
    CheckOutAddress(),
    CheckOutCard(),
    CheckOutCode(),
    CancelOrder(),
    BuyAgain(),
)
