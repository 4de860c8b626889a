"""What the shopping templates share: parameters, set-ups and checks."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from distrl.devices.phone.apps.shop_catalogue import (
    IDS,
    PRODUCTS,
    deals,
    line_key,
    search,
)
from distrl.devices.phone.apps.web import SHOPS
from distrl.devices.phone.content import Product
from distrl.devices.phone.content.products import COLORS
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.tasks.pools import BRAND, PRODUCT, PRODUCT_LINE, closed
from distrl.tasks.template import Draw, Params, Scene, Template

SHOP = closed("shop", *SHOPS)
COLOR = closed("color", *COLORS)
SIZE = closed("size", *dict.fromkeys(s for p in PRODUCTS.values() for s in p.sizes))
COUNT = closed("count", 2, 3, 4)
KIND = closed("kind", *dict.fromkeys(product.kind for product in PRODUCTS.values()))

BROWSER = "browser"


# Drawing parameters


def anything(_: Product) -> bool:
    """Any product will do."""
    return True


def has_colors(product: Product) -> bool:
    """It comes in several colours."""
    return len(product.colors) >= 3


def has_sizes(product: Product) -> bool:
    """It comes in several sizes."""
    return len(product.sizes) >= 2


def in_plenty(product: Product) -> bool:
    """There are enough pieces for any number that a goal may ask for."""
    return product.stock >= 5


def sellers(product: str) -> list[str]:
    """Hosts of the shops that sell a product."""
    category = PRODUCTS[IDS[product]].category
    return [host for host, shop in SHOPS.items() if category in shop.categories]


def _pick_shop(draw: Draw, hosts: list[str]) -> str:
    """One of some shops; the department store, which sells everything, less often."""
    weights = [1 if len(SHOPS[host].categories) > 6 else 3 for host in hosts]
    return draw.rng.choices(hosts, weights)[0]


def draw_product(draw: Draw, fits: Callable[[Product], bool] = anything) -> dict[str, Any]:
    """A product of the split and a shop that sells it."""
    names = [name for name in PRODUCT.share(draw.split) if fits(PRODUCTS[IDS[str(name)]])]
    name = str(draw.rng.choice(names))
    return {"product": name, "shop": _pick_shop(draw, sellers(name))}


def draw_two(draw: Draw) -> dict[str, Any]:
    """Two products of the split that one shop sells at different prices."""
    while True:
        first = draw_product(draw)
        host = first["shop"]
        names = [str(n) for n in PRODUCT.share(draw.split) if host in sellers(str(n))]
        second = draw.rng.choice(names)
        if price_of(second) != price_of(first["product"]):
            return {"first": first["product"], "second": second, "shop": host}


def _draw_query(draw: Draw, values: tuple[Any, ...], least: int) -> tuple[str, str]:
    """A query of the split and a shop where it has some results."""
    places = {
        str(value): [host for host in SHOPS if len(search(host, str(value))) >= least]
        for value in values
    }
    query = draw.rng.choice([value for value, hosts in places.items() if hosts])
    return query, _pick_shop(draw, places[query])


def draw_line(draw: Draw) -> dict[str, Any]:
    """A brand and kind of which a shop has several products."""
    line, host = _draw_query(draw, PRODUCT_LINE.share(draw.split), 3)
    return {"line": line, "shop": host}


def draw_brand(draw: Draw) -> dict[str, Any]:
    """A brand of which a shop has quite a few products."""
    brand, host = _draw_query(draw, BRAND.share(draw.split), 4)
    return {"brand": brand, "shop": host}


def price_of(name: str) -> int:
    """What a product costs, in cents."""
    return PRODUCTS[IDS[name]].price_cents


# Setting up


class ShopTask(Template):
    """A goal in the shop of the parameter `shop`, from one of several places."""

    starts: tuple[str, ...] = ("home", "tab", "shop")
    """home screen, an empty tab, the shop's front page or another page of it; drawn evenly."""

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        """Put in what the goal needs and take out what would already fulfil it."""

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        self.prepare(control, p, rng)
        place = rng.choice(self.starts)
        if place == "home":
            return
        control.start(BROWSER)
        if place != "tab":
            control.open("shop", host=p["shop"])
        if place not in ("tab", "shop"):
            control.open(place, host=p["shop"])


def browser_data(control: Control) -> State:
    """The browser's data while a task is set up."""
    data: State = control.state["apps"][BROWSER]
    return data


def write(control: Control, *path: str, to: Any) -> None:
    """Change the browser's data while a task is set up."""
    control.write_root("apps", BROWSER, *path, to=to)


def cart_of(host: str) -> str:
    """The path of a shop's cart."""
    return f"apps.{BROWSER}.carts.{host}"


def make_line(name: str, rng: Random, **chosen: Any) -> State:
    """A line of a cart, in a colour and size of its own where none is chosen."""
    product = PRODUCTS[IDS[name]]
    line = {
        "product": IDS[name],
        "color": rng.choice(product.colors) if product.colors else "",
        "size": rng.choice(product.sizes) if product.sizes else "",
        "quantity": 1,
    }
    return {**line, **chosen}


def key_of(line: State) -> str:
    """The id of a line."""
    return line_key(line["product"], line["color"], line["size"])


def fill_cart(control: Control, host: str, lines: list[State]) -> None:
    """The cart holds exactly these lines."""
    write(control, "carts", host, to={key_of(line): line for line in lines})
    write(control, "coupons", host, to="")


def clear_product(control: Control, host: str, name: str) -> None:
    """A product is neither in the cart nor on the wishlist."""
    for collection in ("carts", "wishlists"):
        held = browser_data(control)[collection][host]
        kept = {k: line for k, line in held.items() if line["product"] != IDS[name]}
        write(control, collection, host, to=kept)


def others(host: str, name: str, rng: Random, count: int) -> list[State]:
    """Lines of other things that the shop sells, all of them different."""
    names = [PRODUCTS[key].name for key in deals(host) if PRODUCTS[key].name != name]
    return [make_line(other, rng) for other in rng.sample(names, count)]


def put_order(control: Control, host: str, name: str, status: str, rng: Random) -> None:
    """The newest order of the shop, with the id `target`; no other order has that product."""
    line = make_line(name, rng)
    orders = browser_data(control)["orders"]
    kept = {
        key: order
        for key, order in orders.items()
        if all(held["product"] != line["product"] for held in order["lines"].values())
    }
    kept["target"] = {
        "host": host,
        "lines": {key_of(line): line},
        "total": price_of(name) + rng.choice((0, 490, 990)),
        "status": status,
        "day": -1,
        "speed": "Standard",
        "address": "Home",
        "card": "Bluecard",
        "code": "",
    }
    write(control, "orders", to=kept)


# Checking


def cart_lines(scene: Scene, host: str, name: str) -> list[State]:
    """Lines of the cart that hold a product."""
    lines = scene.data(BROWSER)["carts"][host].values()
    return [line for line in lines if line["product"] == IDS[name]]


def pieces(lines: list[State]) -> int:
    """How many pieces some lines hold."""
    return sum(int(line["quantity"]) for line in lines)


def new_orders(scene: Scene, host: str, name: str) -> list[State]:
    """Orders of a product that were placed in this episode."""
    before = scene.data_before(BROWSER)["orders"]
    return [
        order
        for key, order in scene.data(BROWSER)["orders"].items()
        if key not in before
        and order["host"] == host
        and any(line["product"] == IDS[name] for line in order["lines"].values())
    ]


def lists(scene: Scene, host: str, query: str) -> bool:
    """Whether the results of a search are in front."""
    asked = str(scene.state["ui"]["stacks"].get(BROWSER, [{"args": {}}])[-1]["args"].get("query"))
    return scene.at(BROWSER, "listing", host=host) and asked.lower() == query.lower()
