"""What every page inside the browser shares: the address bar, and going to an address.

Kinds of web pages, all of them pages of the browser's back stack:
    results(query)                     the search engine
    site(host), article(host, id)      plain sites
    shop(host) and what follows it     web shops, in `shops.py`
"""

from __future__ import annotations

from distrl.devices.phone import content
from distrl.devices.phone.control import Control
from distrl.devices.phone.ui import Ui

SHOP_HOSTS = frozenset(shop.host for shop in content.SHOPS)
SITE_HOSTS = frozenset(site.host for site in content.SITES)


def browse(control: Control, text: str) -> None:
    """Go where the words of the address bar lead: a site, a shop, or the search engine."""
    host = text.strip().lower().removeprefix("https://").removeprefix("www.").rstrip("/")
    if host in SHOP_HOSTS:
        control.open("shop", host=host)
    elif host in SITE_HOSTS:
        control.open("site", host=host)
    elif host:
        control.open("results", query=text.strip())


def submit_address(control: Control) -> None:
    """What Enter does in the address bar."""
    text = control.text("address")
    control.set_var("address", "")
    browse(control, text)


def chrome(ui: Ui, address: str) -> None:
    """The bar above every web page: an address field that shows where one is, tabs, menu.

    The field's own text is empty until somebody types; the address is its description.
    """
    ui.search_bar(
        "address",
        address or "Search or type an address",
        submit_address,
        [
            ("tabs", "Switch tabs", lambda c: c.open("tabs")),
            ("more", "", lambda c: c.open("menu")),
        ],
        up=False,
    )
