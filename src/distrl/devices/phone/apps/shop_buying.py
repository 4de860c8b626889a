"""Pages of a web shop on which one buys: wishlist, cart and checkout."""

from __future__ import annotations

from distrl.devices.phone import content, phone_time
from distrl.devices.phone.apps.shop_catalogue import (
    ADDRESSES,
    CARDS,
    MOST_PIECES,
    PRODUCTS,
    SPEEDS,
    price_text,
)
from distrl.devices.phone.apps.shop_frame import card, frame, opener, shown_color, stepper
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import TITLE, Ui
from distrl.devices.phone.ui.view import WIDTH, Handler

_LINE, _CONTROLS = 56, 22


def subtotal(data: State, host: str) -> int:
    """What the things in a cart cost, in cents."""
    lines = data["carts"][host].values()
    return sum(PRODUCTS[line["product"]].price_cents * line["quantity"] for line in lines)


def discount(data: State, host: str) -> int:
    """What the applied code takes off, in cents."""
    code = data["coupons"][host]
    return subtotal(data, host) * int(code[-2:]) // 100 if code else 0


def size_note(line: State) -> str:
    """What a cart says of a line; its colour is only in the picture."""
    return f"Size {line['size']}" if line["size"] else ""


class BuyingPages:
    """Wishlist, cart and checkout."""

    def page_wishlist(self, ui: Ui) -> None:
        """What the customer likes, each with a heart to take it out."""
        host = ui.args["host"]
        frame(ui, host)
        ui.text("My wishlist", TITLE, bold=True)
        for key, wish in ui.data["wishlists"][host].items():
            y, product = ui.y, wish["product"]
            color = wish["color"] or shown_color(ui.data, product)
            card(ui, product, color, "", opener("product", host=host, id=product, color=color))
            paint = ("round_button", "heart_filled", "white", ui.color)
            box = (WIDTH - 34, y + 30, 26, 26)
            ui.place_at(paint, box, "button", "", "", self._unwish(host, key))
        if not ui.data["wishlists"][host]:
            ui.empty("Your wishlist is empty", "heart")

    def _unwish(self, host: str, key: str) -> Handler:
        def remove(control: Control) -> None:
            control.erase("wishlists", host, key)
            control.toast("Removed from wishlist")

        return remove

    def page_cart(self, ui: Ui) -> None:
        """Lines with their number of pieces, a field for a code, and the sum."""
        host = ui.args["host"]
        frame(ui, host)
        lines = ui.data["carts"][host]
        if not lines:
            ui.empty("Your cart is empty", "cart")
            return
        ui.bottom_buttons([("Checkout", opener("checkout", host=host))])
        ui.text("Shopping cart", TITLE, bold=True)
        for key, line in lines.items():
            self._line(ui, host, key, line)
        code = ui.data["coupons"][host]
        ui.field("code", "Promo code", self._apply_code(host), icon="tag")
        ui.button("Apply", self._apply_code(host), style="outlined")
        self._sums(ui, host, code)

    def _line(self, ui: Ui, host: str, key: str, line: State) -> None:
        product = line["product"]
        color = line["color"] or shown_color(ui.data, product)
        on_tap = opener("product", host=host, id=product, color=color)
        card(ui, product, color, size_note(line), on_tap, height=_LINE)
        y = ui.y

        def change(quantity: int) -> Handler:
            most = min(MOST_PIECES, PRODUCTS[product].stock)
            wanted = min(max(1, quantity), most)
            return lambda c: c.write("carts", host, key, "quantity", to=wanted)

        # The card's own line goes: what belongs to it still follows.
        ui.place_at(("fill", "bg"), (0, y - 2, WIDTH, 2))
        left = 62 if ui.version == 1 else 8
        stepper(ui, y, left, line["quantity"], change)
        bin_paint = ("glyph", "delete", "danger", "bg")
        ui.place_at(
            bin_paint, (left + 82, y, 26, 20), "button", "", "", self._remove_line(host, key)
        )
        ui.space(_CONTROLS)
        ui.divider()

    def _remove_line(self, host: str, key: str) -> Handler:
        def remove(control: Control) -> None:
            control.erase("carts", host, key)
            if not control.data["carts"][host]:
                control.write("coupons", host, to="")
            control.toast("Removed from cart")

        return remove

    def _apply_code(self, host: str) -> Handler:
        def apply(control: Control) -> None:
            code = control.text("code").upper()
            control.focus(None)
            if code in content.PROMO_CODES:
                control.write("coupons", host, to=code)
                control.toast("Code applied")
            else:
                control.toast("This code is not valid")

        return apply

    def _sums(self, ui: Ui, host: str, code: str, shipping: int = 0) -> None:
        before, off = subtotal(ui.data, host), discount(ui.data, host)
        sums = [("Subtotal", price_text(before), False)]
        if code:
            sums.append((f"Code {code}", f"-{price_text(off)}", False))
        if shipping:
            sums.append(("Delivery", price_text(shipping), False))
        sums.append(("Total", price_text(before - off + shipping), True))
        for label, amount, bold in sums:
            ui.place(("sum", label, amount, bold), 18, "text", label, amount)

    def page_checkout(self, ui: Ui) -> None:
        """Where to, how fast, and who pays."""
        host = ui.args["host"]
        frame(ui, host)
        if not ui.data["carts"][host]:
            ui.empty("There is nothing to pay for", "cart")
            return
        ui.bottom_buttons([("Place order", self._place_order)])
        ui.text("Checkout", TITLE, bold=True)
        fees = {name: price_text(fee) if fee else "Free" for name, fee in SPEEDS.items()}
        sections = [
            ("Deliver to", "address", ADDRESSES),
            ("Delivery", "speed", fees),
            ("Payment", "card", CARDS),
        ]
        if ui.version == 2:
            sections.reverse()
        for title, name, entries in sections:
            ui.header(title)
            chosen = ui.var(name, next(iter(entries)))
            for label, sub in entries.items():
                ui.radio(label, on=label == chosen, sub=sub, on_tap=_choose(name, label))
        shipping = SPEEDS[str(ui.var("speed", next(iter(SPEEDS))))]
        self._sums(ui, host, ui.data["coupons"][host], shipping)

    def _place_order(self, control: Control) -> None:
        host = control.page["args"]["host"]
        data = control.data
        speed = str(control.var("speed", next(iter(SPEEDS))))
        order = {
            "host": host,
            "lines": data["carts"][host],
            "total": subtotal(data, host) - discount(data, host) + SPEEDS[speed],
            "status": "Processing",
            "day": phone_time.day_of(control.time),
            "speed": speed,
            "address": str(control.var("address", next(iter(ADDRESSES)))),
            "card": str(control.var("card", next(iter(CARDS)))),
            "code": data["coupons"][host],
        }
        key = control.new_id("order")
        control.write("orders", key, to=order)
        control.write("carts", host, to={})
        control.write("coupons", host, to="")
        control.replace("order", host=host, id=key)
        control.toast("Order placed")


def _choose(name: str, label: str) -> Handler:
    return lambda c: c.set_var(name, label)
