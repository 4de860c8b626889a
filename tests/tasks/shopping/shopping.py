"""A task of the shopping suite on a quiet phone, and short ways through its shop."""

from __future__ import annotations

from typing import Any

from tests.tasks.general.posed import Posed

from distrl.devices.phone.apps.shop_catalogue import IDS
from distrl.devices.phone.control import Control

WATT, OMNI, STRIDE = "wattbarrow.com", "omnicrate.com", "stridefell.com"
HEADPHONES = "Norvik Pulse headphones"
OTHER = "Norvik Aria headphones"


class Shopping(Posed):
    """A task of the shopping suite on a quiet phone."""

    suite = "shopping"

    def __init__(self, template: str, seed: int = 5, **parameters: Any) -> None:
        super().__init__(template, seed, **parameters)
        self.host: str = parameters["shop"]

    def walk_to(self, page: str) -> None:
        """Let the oracle go on until a page is in front."""
        for _ in range(15):
            if self.page == page:
                return
            self.perform(self.next_action())
        raise AssertionError(f"the oracle never came to {page}")

    def show(self, page: str, host: str = "", **arguments: object) -> None:
        """Put a page of the shop, or of another, in front."""
        control = Control(self.state, "browser")
        control.start("browser")
        control.open(page, host=host or self.host, **arguments)
        self.device.restore(control.state)

    def show_product(self, name: str, host: str = "") -> None:
        """Put the page of a product in front."""
        self.show("product", host, id=IDS[name])

    def search(self, query: str, host: str = "") -> None:
        """Put the results of a search in front."""
        self.show("listing", host, query=query)

    @property
    def cart(self) -> dict[str, Any]:
        """The lines of the shop's cart."""
        cart: dict[str, Any] = self.data("browser")["carts"][self.host]
        return cart

    @property
    def wishlist(self) -> dict[str, Any]:
        """The entries of the shop's wishlist."""
        wishes: dict[str, Any] = self.data("browser")["wishlists"][self.host]
        return wishes

    @property
    def orders(self) -> dict[str, Any]:
        """All orders of all shops."""
        orders: dict[str, Any] = self.data("browser")["orders"]
        return orders

    def write(self, *path: str, to: Any) -> None:
        """Change the browser's data behind its back."""
        self.change("apps", "browser", *path, to=to)


def path_of(*keys: str) -> str:
    """A path in the browser's data, as a verdict names it."""
    return ".".join(("apps.browser", *keys))


def line_of(name: str, quantity: int = 1, color: str = "", size: str = "") -> dict[str, Any]:
    """A line of a cart."""
    return {"product": IDS[name], "color": color, "size": size, "quantity": quantity}
