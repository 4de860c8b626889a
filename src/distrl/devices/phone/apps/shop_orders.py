"""Pages of a web shop about what was bought: all orders, and one of them."""

from __future__ import annotations

from distrl.devices.phone import phone_time
from distrl.devices.phone.apps.shop_catalogue import PRODUCTS, price_text
from distrl.devices.phone.apps.shop_frame import card, frame, opener, shown_color
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import TITLE, Ui

_LINE = 50


def order_title(order: State) -> str:
    """The first thing of an order, and how many more there are."""
    lines = list(order["lines"].values())
    name = PRODUCTS[lines[0]["product"]].name
    return name if len(lines) == 1 else f"{name} and {len(lines) - 1} more"


class OrderPages:
    """The list of orders, and what can be done to one."""

    def page_orders(self, ui: Ui) -> None:
        """All orders in this shop, the newest first."""
        host = ui.args["host"]
        frame(ui, host)
        ui.text("My orders", TITLE, bold=True)
        orders = [(key, o) for key, o in ui.data["orders"].items() if o["host"] == host]
        for key, order in sorted(orders, key=lambda item: -item[1]["day"]):
            ui.row(
                order_title(order),
                f"Ordered {phone_time.date_text(order['day'])}",
                icon="truck",
                trailing=">",
                on_tap=opener("order", host=host, id=key),
            )
        if not orders:
            ui.empty("No orders yet", "truck")

    def page_order(self, ui: Ui) -> None:
        """What was bought, where it is, and what it cost."""
        host, key = ui.args["host"], ui.args["id"]
        frame(ui, host)
        order = ui.data["orders"].get(key)
        if order is None:
            ui.empty("This order does not exist", "truck")
            return
        ui.text("Order details", TITLE, bold=True)
        for line in order["lines"].values():
            color = line["color"] or shown_color(ui.data, line["product"])
            note = f"{line['quantity']} x"
            to = opener("product", host=host, id=line["product"], color=color)
            card(ui, line["product"], color, note, to, height=_LINE)
        facts = (
            ("Status", order["status"]),
            ("Ordered", phone_time.date_text(order["day"])),
            ("Deliver to", order["address"]),
            ("Delivery", order["speed"]),
            ("Payment", order["card"]),
        )
        for label, value in facts:
            ui.place(("sum", label, value, False), 18, "text", label, value)
        total = price_text(order["total"])
        ui.place(("sum", "Total", total, True), 20, "text", "Total", total)
        ui.button("Buy again", self._buy_again, icon="repeat")
        if order["status"] == "Processing":
            ui.button("Cancel order", opener("cancel", host=host, id=key), style="outlined")

    def _buy_again(self, control: Control) -> None:
        arguments = control.page["args"]
        host = arguments["host"]
        for key, line in control.data["orders"][arguments["id"]]["lines"].items():
            control.write("carts", host, key, to=line)
        control.open("cart", host=host)

    def dialog_cancel(self, ui: Ui) -> None:
        """Ask before an order is cancelled."""
        key = ui.args["id"]

        def cancel(control: Control) -> None:
            control.write("orders", key, "status", to="Cancelled")
            control.back()
            control.toast("Order cancelled")

        ui.dialog(
            "Cancel order?",
            "You will get your money back.",
            [("Keep order", lambda c: c.back()), ("Cancel order", cancel)],
        )
