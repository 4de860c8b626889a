"""What all pages of the web shops share: the bars around a page, and cards of products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from distrl.devices.phone.apps.shop_catalogue import (
    PRODUCTS,
    STYLES,
    Style,
    price_text,
    rating_text,
    swatch_order,
    usual_color,
)
from distrl.devices.phone.apps.web import SHOPS, chrome
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import BODY, TITLE, Ui
from distrl.devices.phone.ui.view import WIDTH, Handler, absorb

CARD = 62
OFFER = 100
_ROW = 24


def opener(page: str, **arguments: Any) -> Handler:
    """A handler that opens a page of the shop."""
    return lambda c: c.open(page, **arguments)


def shown_color(data: State, key: str) -> str:
    """The colour of a product's picture in this phone's shops."""
    return str(data["faces"].get(key) or usual_color(key))


def in_grid(ui: Ui, style: Style) -> bool:
    """Whether results stand in a grid; layout 2 has it the other way round."""
    return style.grid is (ui.version == 1)


def frame(ui: Ui, host: str) -> Style:
    """The address bar and the shop's own bars; every page of a shop begins with it."""
    chrome(ui, host)
    style = STYLES[host]
    ui.color = style.tint
    if style.compact:
        _compact_bars(ui, host)
    else:
        _full_bar(ui, host)
    return style


def _submit_search(host: str) -> Handler:
    def submit(control: Control) -> None:
        query = control.text("find")
        if query:
            control.open("listing", host=host, query=query)
            control.set_var("find", query)

    return submit


def _pieces(ui: Ui, host: str) -> int:
    return sum(line["quantity"] for line in ui.data["carts"][host].values())


def _full_bar(ui: Ui, host: str) -> None:
    y = ui.strip(2 * _ROW)
    tint = ui.color
    ui.pin(("fill", tint), (0, y, WIDTH, 2 * _ROW))
    ui.pin(
        ("glyph", "menu", "white", tint),
        (0, y, 24, _ROW),
        "button",
        "",
        "Menu",
        opener("shop_menu", host=host),
    )
    name = SHOPS[host].name
    logo = ("line", name, TITLE, "white", tint, "left", True)
    ui.pin(logo, (26, y, 90, _ROW), "button", name, "", opener("shop", host=host))
    heart = ("glyph", "heart", "white", tint)
    ui.pin(heart, (WIDTH - 52, y, 26, _ROW), "button", "", "", opener("wishlist", host=host))
    cart = ("badge", "cart", _pieces(ui, host), "white", tint)
    ui.pin(cart, (WIDTH - 26, y, 26, _ROW), "button", "", "Cart", opener("cart", host=host))
    box = (6, y + _ROW, WIDTH - 12, _ROW - 4)
    ui.pin_field(box, "find", f"Search {name}", _submit_search(host))


def _compact_bars(ui: Ui, host: str) -> None:
    y = ui.strip(_ROW)
    tint = ui.color
    ui.pin(("fill", tint), (0, y, WIDTH, _ROW))
    name = SHOPS[host].name
    logo = ("line", name, TITLE, "white", tint, "left", True)
    ui.pin(logo, (2, y, 72, _ROW), "button", name, "", opener("shop", host=host))
    ui.pin_field((76, y + 2, WIDTH - 80, _ROW - 4), "find", "Search", _submit_search(host))
    # Together with the keyboard the bar at the bottom would leave hardly any of the page.
    if ui.view.keyboard:
        return
    y = ui.strip(_ROW, bottom=True)
    ui.pin(("fill", "surface"), (0, y, WIDTH, _ROW), on_tap=absorb)
    for place, (icon, page) in enumerate(
        (("home", "shop"), ("heart", "wishlist"), ("cart", "cart"), ("person", "orders"))
    ):
        count = _pieces(ui, host) if page == "cart" else 0
        paint = ("badge", icon, count, "text", "surface")
        box = (place * WIDTH // 4, y, WIDTH // 4, _ROW)
        ui.pin(paint, box, "button", "", "", opener(page, host=host))


def shop_menu(ui: Ui) -> None:
    """The menu of a shop whose bar has one."""
    host = ui.args["host"]

    def leads_to(page: str) -> Handler:
        return lambda c: c.replace(page, host=host)

    ui.menu(
        [
            ("Home", leads_to("shop")),
            ("My orders", leads_to("orders")),
            ("Wishlist", leads_to("wishlist")),
            ("Cart", leads_to("cart")),
        ]
    )


def card(
    ui: Ui, key: str, color: str, note: str, on_tap: Handler | None, *, height: int = CARD
) -> None:
    """A named product over the whole width."""
    product = PRODUCTS[key]
    price = price_text(product.price_cents)
    paint = ("card", product.kind, color, product.name, price, note, "")
    said = f"{price} {note}".strip()
    ui.place(paint, height, "item", product.name, said, on_tap)


def results(ui: Ui, host: str, keys: Sequence[str], *, grid: bool, color: str = "") -> None:
    """Products to choose from; all in one colour if it is given."""
    if not grid:
        for key in keys:
            face = color or shown_color(ui.data, key)
            card(ui, key, face, rating_text(key), opener("product", host=host, id=key))
        return
    cells: list[tuple[Any, str, str, Handler | None]] = []
    for key in keys:
        product = PRODUCTS[key]
        face = color or shown_color(ui.data, key)
        price = price_text(product.price_cents)
        paint = ("offer", product.kind, face, price, rating_text(key))
        cells.append((paint, price, rating_text(key), opener("product", host=host, id=key)))
    ui.grid(cells, columns=2, height=OFFER, role="item")


def swatches(
    ui: Ui, colors: tuple[str, ...], chosen: str, salt: str, pick: Any, *, y: int | None = None
) -> None:
    """Round samples without words, in an order of this phone's own; `pick` makes handlers.

    They scroll with the page, or stand fixed from `y` on when it is given.
    """
    side, per_row, left = 24, 6, 8
    top = ui.y if y is None else y
    for index, color in enumerate(swatch_order(colors, ui.state["seed"], salt)):
        row, column = divmod(index, per_row)
        back = "bg" if y is None else "surface"
        x = (left if y is None else 20) + column * (27 if y is None else 23)
        box = (x, top + row * (side + 2), side if y is None else 22, side)
        place = ui.place_at if y is None else ui.pin
        place(("swatch", color, color == chosen, back), box, "button", "", "", pick(color))
    if y is None:
        ui.space(-(-len(colors) // per_row) * (side + 2) + 2)


def stepper(ui: Ui, y: int, x: int, quantity: int, change: Any) -> None:
    """A number between a minus and a plus that carry no words; `change` makes handlers."""
    back = "bg"
    ui.place_at(
        ("glyph", "remove", "text", back), (x, y, 24, 20), "button", "", "", change(quantity - 1)
    )
    shown = ("line", str(quantity), BODY, "text", back, "center", True)
    ui.place_at(shown, (x + 24, y, 20, 20), "text", str(quantity), "Quantity")
    ui.place_at(
        ("glyph", "add", "text", back), (x + 44, y, 24, 20), "button", "", "", change(quantity + 1)
    )
