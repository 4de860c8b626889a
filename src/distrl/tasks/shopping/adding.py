"""Goals of putting something into a cart."""

from __future__ import annotations

from random import Random
from typing import Any

from distrl.devices.phone.apps.shop_catalogue import IDS, PRODUCTS
from distrl.devices.phone.control import Control
from distrl.tasks.allowed_changes import Added, Permission
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import PRODUCT
from distrl.tasks.shopping.common import (
    COLOR,
    COUNT,
    SHOP,
    SIZE,
    ShopTask,
    cart_lines,
    cart_of,
    clear_product,
    draw_product,
    draw_two,
    has_colors,
    has_sizes,
    in_plenty,
    pieces,
    write,
)
from distrl.tasks.shopping.shopper import Shopper
from distrl.tasks.template import Draw, Params, Scene


class _Add(ShopTask):
    """Some pieces of a product, in a colour or size if asked for, are added to the cart."""

    params = {"product": PRODUCT, "shop": SHOP}
    starts: tuple[str, ...] = ("home", "tab", "shop", "shop")

    def sample(self, draw: Draw) -> dict[str, Any]:
        return draw_product(draw)

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        clear_product(control, p["shop"], p["product"])
        product = PRODUCTS[IDS[p["product"]]]
        if p.get("color"):
            rest = [color for color in product.colors if color != p["color"]]
            write(control, "faces", IDS[p["product"]], to=rng.choice(rest))

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """New lines of the product: pieces may differ in what the goal leaves open."""
        line = {"product": IDS[p["product"]], **{k: p[k] for k in ("color", "size") if k in p}}
        return (Added(cart_of(p["shop"]), line, most=int(p.get("count", 1))),)

    def check(self, scene: Scene, p: Params) -> bool:
        lines = cart_lines(scene, p["shop"], p["product"])
        return pieces(lines) == p.get("count", 1) and all(
            line[key] == p[key] for line in lines for key in ("color", "size") if key in p
        )

    def oracle(self, hand: Hand, p: Params) -> None:
        shopper = Shopper(hand, p["shop"])
        count = int(p.get("count", 1))
        shopper.stock(p["product"], count, color=p.get("color", ""), size=p.get("size", ""))


class AddToCart(_Add):
    """One piece."""

    name = "add_to_cart"
    phrasings = (
        "Add {product} to the cart on {shop}",
        "Put one {product} in my {shop} cart",
        "Go to {shop}, search for {product} and add it to the cart",
        "I want the {product}, add it to my cart at {shop}",
    )


class AddSeveral(_Add):
    """Several pieces."""

    name = "add_several"
    phrasings = (
        "Add {count} pieces of {product} to the cart on {shop}",
        "Put {count} {product} in my {shop} cart",
        "I need {count} of the {product} from {shop}, add them to the cart",
    )
    params = {"product": PRODUCT, "shop": SHOP, "count": COUNT}
    starts = ("tab", "shop", "shop")

    def sample(self, draw: Draw) -> dict[str, Any]:
        return {**draw_product(draw, in_plenty), "count": draw.of(COUNT)}


class AddSize(_Add):
    """One piece in a size."""

    name = "add_size"
    phrasings = (
        "Add {product} in size {size} to the cart on {shop}",
        "Put the {product}, size {size}, in my {shop} cart",
        "I wear size {size}: add the {product} to my cart at {shop}",
    )
    params = {"product": PRODUCT, "shop": SHOP, "size": SIZE}
    starts = ("tab", "shop", "shop")

    def sample(self, draw: Draw) -> dict[str, Any]:
        p = draw_product(draw, has_sizes)
        return {**p, "size": draw.rng.choice(PRODUCTS[IDS[p["product"]]].sizes[1:])}


class AddColor(_Add):
    """One piece in a colour, chosen from samples without words."""

    name = "add_color"
    visual = True
    weight = 1.2
    phrasings = (
        "Add {product} in {color} to the cart on {shop}",
        "Put a {color} {product} in my {shop} cart",
        "On {shop}, find {product}, choose the {color} one and add it to the cart",
    )
    params = {"product": PRODUCT, "shop": SHOP, "color": COLOR}
    starts = ("tab", "shop", "shop")

    def sample(self, draw: Draw) -> dict[str, Any]:
        p = draw_product(draw, has_colors)
        return {**p, "color": draw.rng.choice(PRODUCTS[IDS[p["product"]]].colors)}


class AddColorAndSize(_Add):
    """One piece in a colour and a size."""

    name = "add_color_and_size"
    visual = True
    unseen = True
    phrasings = (
        "Add {product} in {color} and size {size} to the cart on {shop}",
        "Put the {product} in my {shop} cart, {color}, size {size}",
        "I would like the {color} {product} in size {size}, add it to my cart at {shop}",
    )
    params = {"product": PRODUCT, "shop": SHOP, "color": COLOR, "size": SIZE}
    starts = ("tab", "shop", "shop")

    def sample(self, draw: Draw) -> dict[str, Any]:
        p = draw_product(draw, lambda product: has_sizes(product) and has_colors(product))
        product = PRODUCTS[IDS[p["product"]]]
        color, size = draw.rng.choice(product.colors), draw.rng.choice(product.sizes[1:])
        return {**p, "color": color, "size": size}


class AddTwo(ShopTask):
    """Two different products are added to the cart."""

    name = "add_two"
    weight = 0.7
    phrasings = (
        "Add {first} and {second} to the cart on {shop}",
        "Put the {first} and also the {second} in my {shop} cart",
        "I need {first} and {second} from {shop}, add both to the cart",
    )
    params = {"first": PRODUCT, "second": PRODUCT, "shop": SHOP}
    starts = ("shop",)

    def sample(self, draw: Draw) -> dict[str, Any]:
        return draw_two(draw)

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        for name in (p["first"], p["second"]):
            clear_product(control, p["shop"], name)

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """One new line of each product."""
        return tuple(
            Added(cart_of(p["shop"]), {"product": IDS[name]}) for name in (p["first"], p["second"])
        )

    def check(self, scene: Scene, p: Params) -> bool:
        return all(
            pieces(cart_lines(scene, p["shop"], name)) == 1 for name in (p["first"], p["second"])
        )

    def oracle(self, hand: Hand, p: Params) -> None:
        shopper = Shopper(hand, p["shop"])
        shopper.stock(p["first"])
        shopper.stock(p["second"])


TEMPLATES: tuple[ShopTask, ...] = (
    AddToCart(),
    AddSeveral(),
    AddSize(),
    AddColor(),
    AddColorAndSize(),
    AddTwo(),
)
