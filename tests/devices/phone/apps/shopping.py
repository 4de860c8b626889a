"""Steps that the tests of the web shops share."""

from __future__ import annotations

from typing import Any

from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.shop_catalogue import IDS, PRODUCTS, STYLES, assortment
from distrl.devices.phone.apps.web import SHOPS
from distrl.devices.phone.control import Control
from distrl.types import Key

WATTBARROW, OMNICRATE, THREADMOOR = "wattbarrow.com", "omnicrate.com", "threadmoor.com"
HOBNOOK, STRIDEFELL, REWANDER = "hobnook.com", "stridefell.com", "rewander.com"
HEADPHONES = "Norvik Pulse headphones"


def visit(driver: Driver, page: str, host: str, **arguments: Any) -> None:
    """Open a page of a shop, with nothing in its cart or on its wishlist."""
    for collection in ("carts", "wishlists"):
        driver.change("apps", "browser", collection, host, to={})
    show(driver, page, host, **arguments)


def show(driver: Driver, page: str, host: str, **arguments: Any) -> None:
    control = Control(driver.state, driver.app)
    control.start("browser", page, host=host, **arguments)
    driver.device.restore(control.state)


def put_in_cart(driver: Driver, host: str, name: str, **chosen: Any) -> None:
    line = {"product": IDS[name], "color": "", "size": "", "quantity": 1, **chosen}
    driver.change("apps", "browser", "carts", host, f"line-{name}", to=line)


def cart(driver: Driver, host: str) -> list[dict[str, Any]]:
    return list(driver.data("browser")["carts"][host].values())


def find(driver: Driver, host: str, query: str) -> None:
    driver.fill("Search" if STYLES[host].compact else f"Search {SHOPS[host].name}", query)
    driver.press(Key.ENTER)


def well_stocked(host: str) -> str:
    """A product of a shop of which there are more pieces than anybody may buy."""
    return next(key for key in assortment(host) if PRODUCTS[key].stock > 9)
