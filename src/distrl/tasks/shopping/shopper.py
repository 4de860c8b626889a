"""The oracle's way through a shop."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from distrl.actions import Direction
from distrl.devices.phone.apps.shop_buying import size_note
from distrl.devices.phone.apps.shop_catalogue import (
    IDS,
    PRODUCTS,
    STYLES,
    WISHES,
    price_text,
)
from distrl.devices.phone.apps.shop_frame import shown_color
from distrl.devices.phone.apps.web import SHOPS
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.view import Widget
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.shopping.common import BROWSER, pieces

PAGES = frozenset(
    {"shop", "listing", "product", "cart", "checkout", "order", "orders", "wishlist", "filters"}
)


class Shopper:
    """The oracle's hand in one shop: each method makes sure of one thing, as `Hand` does."""

    def __init__(self, hand: Hand, host: str) -> None:
        self.hand, self.host = hand, host

    @property
    def held(self) -> State:
        """The lines in the cart."""
        lines: State = self.hand.data(BROWSER)["carts"][self.host]
        return lines

    def enter(self) -> None:
        """Some page of the shop is in front."""
        hand = self.hand
        hand.open(BROWSER)
        if hand.at(*PAGES, host=self.host):
            return
        if hand.field("address") is None:
            hand.back()
        hand.submit("address", self.host)

    def search(self, query: str) -> None:
        """The results of a search are in front."""
        self.enter()
        if not self._lists(query):
            self.hand.submit("find", query)

    def _lists(self, query: str) -> bool:
        asked = str(self.hand.args.get("query", ""))
        return self.hand.at("listing") and asked.lower() == query.lower()

    def narrow(self, query: str, name: str, value: str) -> None:
        """The results of a search are sorted or filtered in one way and in no other."""
        hand = self.hand
        if hand.at("choose", host=self.host, name=name):
            hand.tap(value, role="radio")
        if hand.at("colors", host=self.host) and name == "color":
            hand.tap_paint("swatch", value)
        if hand.at("filters", host=self.host) and name != "sort":
            self._draft(name, value)
        self.search(query)
        if any(hand.var(other) for other in WISHES if other != name):
            hand.submit("find", query)
        if hand.var(name) == value:
            return
        if STYLES[self.host].filter_page:
            hand.tap("Sort" if name == "sort" else "Filter")
        hand.tap(name.capitalize(), role="button")

    def _draft(self, name: str, value: str) -> NoReturn:
        hand = self.hand
        if any(hand.var(other) for other in WISHES if other != name):
            hand.tap("Clear")
        if hand.var(name) == value:
            hand.tap("Show results")
        if name == "color":
            hand.tap_paint("swatch", value)
        hand.tap(value, role="button")

    def open_result(self, key: str) -> NoReturn:
        """Touch a product among the results, by its name or by its price."""
        hand, product = self.hand, PRODUCTS[key]
        price = price_text(product.price_cents)
        for widget in hand.view.widgets:
            paint = widget.paint or ("",)
            named = paint[0] == "card" and paint[3] == product.name
            priced = paint[0] == "offer" and paint[1] == product.kind and paint[3] == price
            if (named or priced) and widget.element() is not None:
                hand.touch(widget)
        hand.scroll_to(product.name)
        hand.scroll_to(price)
        hand.back()

    def product(self, name: str) -> None:
        """A product's page is in front."""
        key = IDS[name]
        if self.hand.at("product", host=self.host, id=key):
            return
        self.search(name)
        self.open_result(key)

    def choose(self, name: str, color: str = "", size: str = "", count: int = 0) -> None:
        """The page of a product, which is in front, has these choices made."""
        hand, product = self.hand, PRODUCTS[IDS[name]]
        face = hand.args.get("color") or shown_color(hand.data(BROWSER), IDS[name])
        if color and hand.var("color", face) != color:
            hand.tap_paint("swatch", color)
        if size and hand.var("size", product.sizes[0]) != size:
            hand.tap(size, role="button")
        quantity = int(hand.var("quantity", 1))
        if count and quantity != count:
            hand.tap_paint("glyph", "add" if quantity < count else "remove", "text")

    def _icon_page(self, page: str, *paints: tuple[str, str]) -> None:
        if self.hand.at(page, host=self.host):
            return
        self.enter()
        for paint in paints:
            widget = self.hand.find_paint(*paint)
            if widget is not None:
                self.hand.touch(widget)
        self.hand.back()

    def cart(self) -> None:
        """The cart is in front."""
        self._icon_page("cart", ("badge", "cart"))

    def wishlist(self) -> None:
        """The wishlist is in front."""
        self._icon_page("wishlist", ("glyph", "heart"), ("badge", "heart"))

    def orders(self) -> None:
        """The list of orders is in front."""
        if self.hand.at("shop_menu", host=self.host):
            self.hand.tap("My orders")
        self._icon_page("orders", ("badge", "person"), ("glyph", "menu"))

    def order(self, key: str) -> None:
        """The page of an order is in front."""
        if self.hand.at("order", host=self.host, id=key):
            return
        self.orders()
        first = next(iter(self.hand.data(BROWSER)["orders"][key]["lines"].values()))
        self.hand.tap(PRODUCTS[first["product"]].name, role="item")

    def press_beside(self, line: State, icon: str) -> NoReturn:
        """Touch an icon that belongs to a card of the cart or wishlist, which is in front."""
        hand, product = self.hand, PRODUCTS[line["product"]]
        color = line["color"] or shown_color(hand.data(BROWSER), line["product"])
        note = size_note(line) if "size" in line else ""
        price = price_text(product.price_cents)
        card = hand.find_paint("card", product.kind, color, product.name, price, note)
        if card is None:
            hand.scroll_to(product.name)
            hand.back()
        below = [w for w in hand.view.widgets if _shows_icon(w, icon) and 0 < w.y - card.y < 80]
        button = min(below, key=lambda w: w.y, default=None)
        if button is None or button.element() is None:
            hand.swipe(Direction.UP)
        hand.touch(button)

    def stock(
        self,
        name: str,
        count: int = 1,
        *,
        color: str = "",
        size: str = "",
        reach: Callable[[], None] | None = None,
    ) -> None:
        """The cart holds exactly this many pieces of a product, all in this colour and size.

        `reach` brings the product's page in front; a search does where it is not given.
        """
        hand = self.hand
        lines = [line for line in self.held.values() if line["product"] == IDS[name]]
        fit = [
            line for line in lines if color in ("", line["color"]) and size in ("", line["size"])
        ]
        wrong = [line for line in lines if line not in fit]
        missing = count - pieces(fit)
        if wrong or missing < 0:
            self.cart()
            line = (wrong or fit)[0]
            self.press_beside(line, "delete" if wrong or line["quantity"] == 1 else "remove")
        if missing > 0 and fit and hand.at("cart"):
            self.press_beside(fit[0], "add")
        if missing > 0:
            if not hand.at("product", host=self.host, id=IDS[name]):
                (reach or (lambda: self.product(name)))()
            self.choose(name, color, size, missing)
            hand.tap("Add to cart")

    def stock_anything(self) -> None:
        """The cart is not empty."""
        if self.held:
            return
        self.enter()
        if self.hand.at("product"):
            self.hand.tap("Add to cart")
        self.front()
        self.hand.tap_paint("product")

    def front(self) -> None:
        """The shop's front page is in front."""
        self.enter()
        if not self.hand.at("shop"):
            self.hand.tap(SHOPS[self.host].name, role="button")

    def check_out(self, name: str, **choices: str) -> None:
        """What is in the cart is bought, with the product among it and these choices made."""
        hand = self.hand
        if hand.at("checkout", host=self.host) and self.held:
            for label in choices.values():
                hand.switch(label, on=True)
            hand.tap("Place order")
        if not any(line["product"] == IDS[name] for line in self.held.values()):
            self.stock(name)
        self.cart()
        hand.tap("Checkout")


def _shows_icon(widget: Widget, icon: str) -> bool:
    paint = widget.paint
    return paint is not None and paint[0] in ("glyph", "round_button") and paint[1] == icon
