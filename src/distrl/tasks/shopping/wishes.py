"""Goals about wishlists."""

from __future__ import annotations

from random import Random
from typing import Any

from distrl.devices.phone.apps.shop_catalogue import IDS, PRODUCTS, wish_key
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.tasks.allowed_changes import Added, Permission, Removed
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import PRODUCT
from distrl.tasks.shopping.common import (
    BROWSER,
    COLOR,
    SHOP,
    ShopTask,
    cart_lines,
    cart_of,
    clear_product,
    draw_product,
    has_colors,
    others,
    pieces,
    write,
)
from distrl.tasks.shopping.shopper import Shopper
from distrl.tasks.template import Draw, Params, Scene


def _wishlist_of(host: str) -> str:
    """The path of a shop's wishlist."""
    return f"apps.{BROWSER}.wishlists.{host}"


def _wanted(p: Params) -> State:
    """What an entry must hold: the product, and the colour if the goal names one."""
    color = {"color": p["color"]} if "color" in p else {}
    return {"product": IDS[p["product"]], **color}


def _wishes(data: State, p: Params) -> list[State]:
    """Entries of the wishlist with the product, and the colour if there is one."""
    return [
        wish
        for wish in data["wishlists"][p["shop"]].values()
        if wish["product"] == IDS[p["product"]] and p.get("color", wish["color"]) == wish["color"]
    ]


def _fill(control: Control, host: str, wishes: list[tuple[str, str]]) -> None:
    """The wishlist holds exactly these pairs of product and colour."""
    entries = {wish_key(key, color): {"product": key, "color": color} for key, color in wishes}
    write(control, "wishlists", host, to=entries)


class AddWish(ShopTask):
    """A product is put on the wishlist, by an icon without words."""

    name = "add_wish"
    phrasings = (
        "Add {product} to my wishlist on {shop}",
        "Save the {product} on {shop} for later, on the wishlist",
        "Put a heart on the {product} at {shop}",
    )
    params = {"product": PRODUCT, "shop": SHOP}
    starts = ("home", "tab", "shop", "shop")

    def sample(self, draw: Draw) -> dict[str, Any]:
        return draw_product(draw)

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        clear_product(control, p["shop"], p["product"])

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """One new entry of the product."""
        return (Added(_wishlist_of(p["shop"]), _wanted(p)),)

    def check(self, scene: Scene, p: Params) -> bool:
        return bool(_wishes(scene.data(BROWSER), p))

    def oracle(self, hand: Hand, p: Params) -> None:
        shopper = Shopper(hand, p["shop"])
        shopper.product(p["product"])
        shopper.choose(p["product"], p.get("color", ""))
        hand.tap_paint("round_button", "heart")


class AddColoredWish(AddWish):
    """A product is put on the wishlist in a colour."""

    name = "add_colored_wish"
    visual = True
    unseen = True
    phrasings = (
        "Add the {product} in {color} to my wishlist on {shop}",
        "On {shop}, choose the {color} {product} and save it to the wishlist",
        "Put a heart on the {color} {product} at {shop}",
    )
    params = {"product": PRODUCT, "shop": SHOP, "color": COLOR}

    def sample(self, draw: Draw) -> dict[str, Any]:
        p = draw_product(draw, has_colors)
        return {**p, "color": draw.rng.choice(PRODUCTS[IDS[p["product"]]].colors)}

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        super().prepare(control, p, rng)
        rest = [c for c in PRODUCTS[IDS[p["product"]]].colors if c != p["color"]]
        write(control, "faces", IDS[p["product"]], to=rng.choice(rest))


class RemoveWish(ShopTask):
    """A product is taken off the wishlist."""

    name = "remove_wish"
    phrasings = (
        "Remove {product} from my wishlist on {shop}",
        "Take the {product} off the {shop} wishlist",
        "I do not wish for the {product} any more, remove it from my list on {shop}",
    )
    params = {"product": PRODUCT, "shop": SHOP}

    def sample(self, draw: Draw) -> dict[str, Any]:
        return draw_product(draw)

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        colors = PRODUCTS[IDS[p["product"]]].colors
        wishes = [(IDS[p["product"]], rng.choice(colors) if colors else "")]
        rest = others(p["shop"], p["product"], rng, 2)
        wishes += [(line["product"], line["color"]) for line in rest]
        rng.shuffle(wishes)
        _fill(control, p["shop"], wishes)

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """Its entry is gone."""
        return (Removed(_wishlist_of(p["shop"]), _wanted(p)),)

    def check(self, scene: Scene, p: Params) -> bool:
        return not _wishes(scene.data(BROWSER), p)

    def oracle(self, hand: Hand, p: Params) -> None:
        shopper = Shopper(hand, p["shop"])
        shopper.wishlist()
        shopper.press_beside(_wishes(hand.data(BROWSER), p)[0], "heart_filled")


class RemoveColoredWish(RemoveWish):
    """Of a product in three colours, which only pictures tell apart, one is taken off."""

    name = "remove_colored_wish"
    visual = True
    weight = 1.2
    phrasings = (
        "Remove the {color} {product} from my wishlist on {shop}",
        "Take only the {color} {product} off the {shop} wishlist",
        "On my {shop} wishlist, drop the {product} in {color}",
    )
    params = {"product": PRODUCT, "shop": SHOP, "color": COLOR}

    def sample(self, draw: Draw) -> dict[str, Any]:
        p = draw_product(draw, has_colors)
        return {**p, "color": draw.rng.choice(PRODUCTS[IDS[p["product"]]].colors)}

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        key = IDS[p["product"]]
        rest = [color for color in PRODUCTS[key].colors if color != p["color"]]
        colors = [p["color"], *rng.sample(rest, 2)]
        rng.shuffle(colors)
        _fill(control, p["shop"], [(key, color) for color in colors])


class AddFromWishlist(RemoveWish):
    """What is on the wishlist is added to the cart."""

    name = "add_from_wishlist"
    unseen = True
    phrasings = (
        "Add the {product} from my {shop} wishlist to the cart",
        "Open my wishlist on {shop} and put the {product} in the cart",
        "I finally want the {product} on my {shop} wishlist, add it to the cart",
    )
    starts = ("tab", "shop", "shop")

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        clear_product(control, p["shop"], p["product"])
        super().prepare(control, p, rng)

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """One new line of the product; it stays on the wishlist."""
        return (Added(cart_of(p["shop"]), _wanted(p)),)

    def check(self, scene: Scene, p: Params) -> bool:
        return pieces(cart_lines(scene, p["shop"], p["product"])) == 1

    def oracle(self, hand: Hand, p: Params) -> None:
        shopper = Shopper(hand, p["shop"])

        def reach() -> None:
            if not _wishes(hand.data(BROWSER), p):
                shopper.product(p["product"])
            shopper.wishlist()
            hand.tap(p["product"], role="item")

        shopper.stock(p["product"], reach=reach)


TEMPLATES: tuple[ShopTask, ...] = (
    AddWish(),
    AddColoredWish(),
    RemoveWish(),
    RemoveColoredWish(),
    AddFromWishlist(),
)
