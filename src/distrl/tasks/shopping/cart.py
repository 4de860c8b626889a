"""Goals about what is already in a cart."""

from __future__ import annotations

from random import Random
from typing import Any

from distrl.devices.phone.apps.shop_catalogue import IDS, PRODUCTS
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.tasks.allowed_changes import Edited, Permission, Removed
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import PRODUCT, PROMO_CODE
from distrl.tasks.shopping.common import (
    BROWSER,
    COLOR,
    COUNT,
    SHOP,
    ShopTask,
    cart_lines,
    cart_of,
    draw_product,
    draw_two,
    fill_cart,
    has_colors,
    in_plenty,
    make_line,
    others,
    pieces,
    price_of,
)
from distrl.tasks.shopping.shopper import Shopper
from distrl.tasks.template import Draw, Params, Scene


class ChangeQuantity(ShopTask):
    """A line of the cart has another number of pieces."""

    name = "change_quantity"
    phrasings = (
        "Change the quantity of {product} in my {shop} cart to {count}",
        "Make it {count} {product} in my cart on {shop}",
        "I want {count} instead of one {product} in the {shop} cart",
    )
    params = {"product": PRODUCT, "shop": SHOP, "count": COUNT}
    starts = ("home", "tab", "tab", "shop")

    def sample(self, draw: Draw) -> dict[str, Any]:
        return {**draw_product(draw, in_plenty), "count": draw.of(COUNT)}

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        lines = [
            make_line(p["product"], rng),
            *others(p["shop"], p["product"], rng, rng.choice((0, 1))),
        ]
        rng.shuffle(lines)
        fill_cart(control, p["shop"], lines)

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The number of pieces of its line."""
        return (Edited(cart_of(p["shop"]), "quantity", {"product": IDS[p["product"]]}),)

    def check(self, scene: Scene, p: Params) -> bool:
        return pieces(cart_lines(scene, p["shop"], p["product"])) == int(p["count"])

    def oracle(self, hand: Hand, p: Params) -> None:
        shopper = Shopper(hand, p["shop"])
        if any(line["product"] == IDS[p["product"]] for line in shopper.held.values()):
            shopper.cart()
        shopper.stock(p["product"], p["count"])


class RemoveItem(ShopTask):
    """A product is taken out of the cart."""

    name = "remove_item"
    phrasings = (
        "Remove {product} from my cart on {shop}",
        "Take the {product} out of the {shop} cart",
        "I no longer want the {product}, delete it from my {shop} cart",
    )
    params = {"product": PRODUCT, "shop": SHOP}
    starts = ("home", "tab", "shop")

    def sample(self, draw: Draw) -> dict[str, Any]:
        return draw_product(draw)

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        lines = [make_line(p["product"], rng), *others(p["shop"], p["product"], rng, 2)]
        rng.shuffle(lines)
        fill_cart(control, p["shop"], lines)

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """Its line is gone."""
        return (Removed(cart_of(p["shop"]), {"product": IDS[p["product"]]}),)

    def check(self, scene: Scene, p: Params) -> bool:
        return not cart_lines(scene, p["shop"], p["product"])

    def oracle(self, hand: Hand, p: Params) -> None:
        shopper = Shopper(hand, p["shop"])
        shopper.cart()
        lines = shopper.held.values()
        shopper.press_beside(
            next(line for line in lines if line["product"] == IDS[p["product"]]), "delete"
        )


class RemoveDearer(ShopTask):
    """Of two products in the cart the more expensive one is taken out."""

    name = "remove_dearer"
    unseen = True
    phrasings = (
        "Of the {first} and the {second} in my {shop} cart, remove the more expensive one",
        "My cart on {shop} has the {first} and the {second}: take out whichever costs more",
        "Keep only the cheaper of {first} and {second} in my {shop} cart",
    )
    params = {"first": PRODUCT, "second": PRODUCT, "shop": SHOP}
    starts = ("tab", "shop", "shop")

    def sample(self, draw: Draw) -> dict[str, Any]:
        return draw_two(draw)

    def _dearer(self, p: Params) -> str:
        return IDS[max(p["first"], p["second"], key=price_of)]

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        lines = [make_line(name, rng) for name in (p["first"], p["second"])]
        rng.shuffle(lines)
        fill_cart(control, p["shop"], lines)

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The line of the more expensive one is gone."""
        return (Removed(cart_of(p["shop"]), {"product": self._dearer(p)}),)

    def check(self, scene: Scene, p: Params) -> bool:
        lines = scene.data(BROWSER)["carts"][p["shop"]].values()
        return self._dearer(p) not in {line["product"] for line in lines}

    def oracle(self, hand: Hand, p: Params) -> None:
        shopper = Shopper(hand, p["shop"])
        shopper.cart()
        lines = shopper.held.values()
        dearer = self._dearer(p)
        shopper.press_beside(next(line for line in lines if line["product"] == dearer), "delete")


class _OneOfColors(ShopTask):
    """The cart holds a product in three colours, which only its pictures tell apart."""

    visual = True
    params = {"product": PRODUCT, "shop": SHOP, "color": COLOR}
    starts = ("home", "tab", "shop")

    def sample(self, draw: Draw) -> dict[str, Any]:
        p = draw_product(draw, lambda product: has_colors(product) and in_plenty(product))
        return {**p, "color": draw.rng.choice(PRODUCTS[IDS[p["product"]]].colors)}

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        product = PRODUCTS[IDS[p["product"]]]
        rest = [color for color in product.colors if color != p["color"]]
        size = product.sizes[0] if product.sizes else ""
        lines = [
            make_line(p["product"], rng, color=color, size=size)
            for color in (p["color"], *rng.sample(rest, 2))
        ]
        rng.shuffle(lines)
        fill_cart(control, p["shop"], lines)

    def line(self, cart: State, p: Params) -> State | None:
        return next((line for line in cart.values() if line["color"] == p["color"]), None)

    def wanted(self, p: Params) -> State:
        return {"product": IDS[p["product"]], "color": p["color"]}


class RemoveColor(_OneOfColors):
    """The one in a colour is taken out."""

    name = "remove_color"
    weight = 1.2
    phrasings = (
        "Remove the {color} {product} from my cart on {shop}",
        "My {shop} cart has {product} in several colors: take out the {color} one",
        "Delete only the {color} {product} from the {shop} cart",
    )

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The line of that colour is gone."""
        return (Removed(cart_of(p["shop"]), self.wanted(p)),)

    def check(self, scene: Scene, p: Params) -> bool:
        return self.line(scene.data(BROWSER)["carts"][p["shop"]], p) is None

    def oracle(self, hand: Hand, p: Params) -> None:
        shopper = Shopper(hand, p["shop"])
        shopper.cart()
        line = self.line(shopper.held, p)
        assert line is not None
        shopper.press_beside(line, "delete")


class QuantityOfColor(_OneOfColors):
    """The one in a colour has another number of pieces."""

    name = "quantity_of_color"
    unseen = True
    phrasings = (
        "Change the quantity of the {color} {product} in my {shop} cart to {count}",
        "I want {count} of the {color} {product} in my cart on {shop}, leave the other colors",
        "Make it {count} for the {color} {product} in the {shop} cart",
    )
    params = {"product": PRODUCT, "shop": SHOP, "color": COLOR, "count": COUNT}

    def sample(self, draw: Draw) -> dict[str, Any]:
        return {**super().sample(draw), "count": draw.of(COUNT)}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The number of pieces of the line of that colour."""
        return (Edited(cart_of(p["shop"]), "quantity", self.wanted(p)),)

    def check(self, scene: Scene, p: Params) -> bool:
        line = self.line(scene.data(BROWSER)["carts"][p["shop"]], p)
        return line is not None and line["quantity"] == p["count"]

    def oracle(self, hand: Hand, p: Params) -> None:
        shopper = Shopper(hand, p["shop"])
        line = self.line(shopper.held, p)
        if line is not None:
            shopper.cart()
            shopper.press_beside(line, "add" if line["quantity"] < p["count"] else "remove")
        shopper.product(p["product"])
        shopper.choose(p["product"], p["color"])
        hand.tap("Add to cart")


class EmptyCart(ShopTask):
    """Nothing is left in the cart."""

    name = "empty_cart"
    phrasings = (
        "Empty my cart on {shop}",
        "Remove everything from the {shop} cart",
        "Clear out my shopping cart at {shop}",
        "Go to {shop} and delete all items in the cart",
        "Make sure that my {shop} cart is empty",
        "Get rid of everything in my cart on {shop}",
        "Throw all items out of my basket at {shop}",
    )
    params = {"shop": SHOP}

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        fill_cart(control, p["shop"], others(p["shop"], "", rng, rng.choice((1, 2, 3))))

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """Every line is gone."""
        return (Removed(cart_of(p["shop"]), most=None),)

    def check(self, scene: Scene, p: Params) -> bool:
        return not scene.data(BROWSER)["carts"][p["shop"]]

    def oracle(self, hand: Hand, p: Params) -> None:
        shopper = Shopper(hand, p["shop"])
        shopper.cart()
        shopper.press_beside(next(iter(shopper.held.values())), "delete")


class ShowCart(ShopTask):
    """The cart is open."""

    name = "show_cart"
    weight = 0.6
    phrasings = (
        "Show my cart on {shop}",
        "View the shopping cart at {shop}",
        "What is in my {shop} cart?",
        "Go to {shop} and open the cart",
        "Let me see what I have in the basket on {shop}",
        "Open my shopping basket at {shop}",
        "Check the contents of my cart on {shop}",
    )
    params = {"shop": SHOP}

    def check(self, scene: Scene, p: Params) -> bool:
        return scene.at(BROWSER, "cart", host=p["shop"])

    def oracle(self, hand: Hand, p: Params) -> None:
        Shopper(hand, p["shop"]).cart()


class ApplyCode(ShopTask):
    """A promo code is applied to the cart."""

    name = "apply_code"
    phrasings = (
        "Apply the promo code {code} to my cart on {shop}",
        "Use the discount code {code} in my {shop} cart",
        "I have a coupon for {shop}: enter {code} in the cart",
    )
    params = {"code": PROMO_CODE, "shop": SHOP}
    starts = ("tab", "shop", "shop")

    def prepare(self, control: Control, p: Params, rng: Random) -> None:
        fill_cart(control, p["shop"], others(p["shop"], "", rng, rng.choice((1, 2))))

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The code of this cart."""
        return (coupon_of(p["shop"]),)

    def check(self, scene: Scene, p: Params) -> bool:
        return bool(scene.data(BROWSER)["coupons"][p["shop"]] == p["code"])

    def oracle(self, hand: Hand, p: Params) -> None:
        enter_code(Shopper(hand, p["shop"]), p["code"])


def coupon_of(host: str) -> str:
    """The path of the promo code of a shop's cart."""
    return f"apps.{BROWSER}.coupons.{host}"


def enter_code(shopper: Shopper, code: str) -> None:
    """A code is applied to the cart, which gets something into it first if it is empty."""
    if shopper.hand.data(BROWSER)["coupons"][shopper.host] == code:
        return
    shopper.stock_anything()
    shopper.cart()
    shopper.hand.submit("code", code)


TEMPLATES: tuple[ShopTask, ...] = (
    ChangeQuantity(),
    RemoveItem(),
    RemoveDearer(),
    RemoveColor(),
    QuantityOfColor(),
    EmptyCart(),
    ShowCart(),
    ApplyCode(),
)
