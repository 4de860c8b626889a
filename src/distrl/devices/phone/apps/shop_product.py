"""The page of one product of a web shop."""

from __future__ import annotations

from typing import Any

from distrl.devices.phone import content
from distrl.devices.phone.apps.shop_catalogue import (
    MOST_PIECES,
    PRODUCTS,
    line_key,
    price_text,
    rating_text,
    similar,
    wish_key,
)
from distrl.devices.phone.apps.shop_frame import frame, opener, shown_color, stepper, swatches
from distrl.devices.phone.apps.web import SHOPS, scatter
from distrl.devices.phone.art.products import BACKGROUND
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import LARGE, TITLE, Ui
from distrl.devices.phone.ui.view import WIDTH, Handler, absorb


class ProductPage:
    """Choices of colour, size and number, and what to do with them."""

    def page_product(self, ui: Ui) -> None:
        """Picture, price, choices, and what others say."""
        host, key = ui.args["host"], ui.args["id"]
        style = frame(ui, host)
        product = PRODUCTS[key]
        line = chosen_line(ui, key)
        bar = style.buy_bar is (ui.version == 1)
        if bar:
            self._buy_bar(ui, host, line)
        face = line["color"] or shown_color(ui.data, key)
        top = ui.y
        ui.place(("product", product.kind, face), 104, "image")
        if not bar:
            self._heart(ui, host, line, (WIDTH - 32, top + 4, 26, 26))
        ui.text(product.name, TITLE, bold=True)
        ui.text(rating_text(key), ink="muted")
        ui.text(price_text(product.price_cents), LARGE, ink=style.tint, bold=True)
        if product.colors:
            ui.header("Color")
            swatches(ui, product.colors, face, key, lambda color: _set("color", color))
        if product.sizes:
            ui.header("Size")
            ui.chips([(s, s == line["size"], _set("size", s)) for s in product.sizes])
        y = ui.y
        stepper(ui, y + 2, 8, line["quantity"], lambda n: _set_quantity(key, n))
        ui.space(26)
        if not bar:
            ui.button("Add to cart", add_line(host, line), icon="cart")
        self._details(ui, host, key)

    def _buy_bar(self, ui: Ui, host: str, line: State) -> None:
        y = ui.strip(30, bottom=True)
        ui.pin(("fill", "bg"), (0, y, WIDTH, 30), on_tap=absorb)
        self._heart(ui, host, line, (4, y + 2, 28, 26), pinned=True)
        paint = ("button", "Add to cart", "filled", ui.color, True, "cart")
        box = (36, y + 3, WIDTH - 42, 24)
        ui.pin(paint, box, "button", "Add to cart", "", add_line(host, line))

    def _heart(
        self,
        ui: Ui,
        host: str,
        line: State,
        box: tuple[int, int, int, int],
        *,
        pinned: bool = False,
    ) -> None:
        key = wish_key(line["product"], line["color"])
        wished = key in ui.data["wishlists"][host]

        def toggle(control: Control) -> None:
            if key in control.data["wishlists"][host]:
                control.erase("wishlists", host, key)
                control.toast("Removed from wishlist")
            else:
                wish = {"product": line["product"], "color": line["color"]}
                control.write("wishlists", host, key, to=wish)
                control.toast("Added to wishlist")

        icon = "heart_filled" if wished else "heart"
        paint = ("round_button", icon, "white", ui.color, "bg" if pinned else BACKGROUND)
        (ui.pin if pinned else ui.place_at)(paint, box, "button", "", "", toggle)

    def _details(self, ui: Ui, host: str, key: str) -> None:
        product = PRODUCTS[key]
        ui.header("About this item")
        ui.text(f"{product.stock} left in stock. Ships from {SHOPS[host].name} in two days.")
        ui.text(f"The {product.kind} of the {product.brand} family, with a two year warranty.")
        ui.header("Customer reviews")
        number = scatter("review", key)
        for place in range(3):
            ui.text(f'"{content.REVIEWS[(number + 7 * place) % len(content.REVIEWS)]}"')
        ui.header("Similar items")
        cells: list[tuple[Any, str, str, Handler | None]] = [
            (
                ("product", product.kind, shown_color(ui.data, other)),
                "",
                "",
                opener("product", host=host, id=other),
            )
            for other in similar(host, key)
        ]
        ui.grid(cells, columns=3, height=56, gap=3)


def _set(name: str, value: Any) -> Handler:
    return lambda c: c.set_var(name, value)


def _set_quantity(key: str, quantity: int) -> Handler:
    return _set("quantity", min(max(1, quantity), MOST_PIECES, PRODUCTS[key].stock))


def chosen_line(ui: Ui, key: str) -> State:
    """The line that the product page would put into the cart now."""
    product = PRODUCTS[key]
    face = ui.args.get("color") or shown_color(ui.data, key)
    return {
        "product": key,
        "color": str(ui.var("color", face)) if product.colors else "",
        "size": str(ui.var("size", product.sizes[0])) if product.sizes else "",
        "quantity": int(ui.var("quantity", 1)),
    }


def add_line(host: str, line: State) -> Handler:
    """A handler that puts a line into the cart, on top of what is there of it."""
    key = line_key(line["product"], line["color"], line["size"])

    def add(control: Control) -> None:
        held = control.data["carts"][host].get(key, {"quantity": 0})["quantity"]
        most = min(MOST_PIECES, PRODUCTS[line["product"]].stock)
        quantity = min(most, held + line["quantity"])
        control.write("carts", host, key, to={**line, "quantity": quantity})
        control.toast("Added to cart")

    return add
