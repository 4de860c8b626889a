"""Web shops inside the browser: their pages, and what a customer keeps in them."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.apps.shop_buying import BuyingPages
from distrl.devices.phone.apps.shop_catalogue import (
    ADDRESSES,
    CARDS,
    PRODUCTS,
    SPEEDS,
    STATUSES,
    assortment,
    line_key,
    wish_key,
)
from distrl.devices.phone.apps.shop_choosing import ChoosingPages
from distrl.devices.phone.apps.shop_orders import OrderPages
from distrl.devices.phone.apps.shop_product import ProductPage
from distrl.devices.phone.apps.web import SHOPS
from distrl.devices.phone.state import State

LOOKS = 9
"""Pictures on the wall of a front page."""


class ShopPages(ChoosingPages, ProductPage, BuyingPages, OrderPages):
    """Pages of web shops for the browser to inherit.

    Data: carts by host and line, wishlists by host and line, orders by id, coupons by host,
    looks (the picture wall) by host and place, faces (a product's picture) by product.
    """

    @staticmethod
    def create_shop_data(rng: Random) -> State:
        """A little in some carts and wishlists, and an order or two per shop."""
        return {
            "carts": {host: _lines(rng, host, rng.choice((0, 1, 2))) for host in SHOPS},
            "wishlists": {host: _wishes(rng, host) for host in SHOPS},
            "orders": {
                f"past{number}{place}": _order(rng, host)
                for number, host in enumerate(SHOPS)
                for place in range(rng.choice((1, 2)))
            },
            "coupons": dict.fromkeys(SHOPS, ""),
            "looks": {host: _looks(rng, host) for host in SHOPS},
            "faces": {},
        }


def _line(rng: Random, key: str) -> State:
    product = PRODUCTS[key]
    return {
        "product": key,
        "color": rng.choice(product.colors) if product.colors else "",
        "size": rng.choice(product.sizes) if product.sizes else "",
        "quantity": 1,
    }


def _lines(rng: Random, host: str, count: int) -> State:
    lines = [_line(rng, key) for key in rng.sample(assortment(host), count)]
    return {line_key(line["product"], line["color"], line["size"]): line for line in lines}


def _wishes(rng: Random, host: str) -> State:
    lines = _lines(rng, host, rng.choice((1, 2))).values()
    return {
        wish_key(line["product"], line["color"]): {
            "product": line["product"],
            "color": line["color"],
        }
        for line in lines
    }


def _order(rng: Random, host: str) -> State:
    lines = _lines(rng, host, 1)
    return {
        "host": host,
        "lines": lines,
        "total": sum(PRODUCTS[line["product"]].price_cents for line in lines.values()),
        "status": rng.choice(STATUSES),
        "day": -rng.randint(2, 40),
        "speed": rng.choice(tuple(SPEEDS)),
        "address": rng.choice(tuple(ADDRESSES)),
        "card": rng.choice(tuple(CARDS)),
        "code": "",
    }


def _looks(rng: Random, host: str) -> State:
    colored = [key for key in assortment(host) if PRODUCTS[key].colors]
    chosen = rng.sample(colored, LOOKS)
    return {
        str(place): {"product": key, "color": rng.choice(PRODUCTS[key].colors)}
        for place, key in enumerate(chosen)
    }
