"""What every page inside the browser shares: the address bar, tabs, and going to an address.

Kinds of web pages, all of them pages of the browser's back stack:
    results(query)                     the search engine
    site(host), article(host, id)      plain sites
    shop(host) and what follows it     web shops, in `shops.py`
    library(host), library_book(...)   a library that few phones know, in `library.py`

A tab remembers the page it shows; the current one is brought up to date whenever somebody
leaves it. Tabs, history and queries are traces of use, so their keys begin with `recent`.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import Any

from distrl.devices.phone import content
from distrl.devices.phone.art import SUBJECTS
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import Ui
from distrl.devices.phone.ui.view import Handler

SHOPS = {shop.host: shop for shop in content.SHOPS}
SITES = {site.host: site for site in content.SITES}
SHOP_HOSTS = frozenset(SHOPS)
SITE_HOSTS = frozenset(SITES)
LIBRARY_HOST = "readinghall.org"
"""The library, on phones that have been given one."""
NEW_TAB = "New tab"
PRIVATE_INK = (58, 60, 68)
PICTURES = 6
"""Pictures of the day on the front page of every site."""
_HISTORY_LENGTH = 24
_QUERIES_LENGTH = 6
_OWN_PAGES = frozenset({"main", "search", "tabs", "bookmarks", "history", "downloads"})
"""Pages of the browser itself, which have no address."""


def scatter(*words: object) -> int:
    """A number that looks random but is the same for the same words in every process."""
    return zlib.crc32(" ".join(map(str, words)).encode())


# Addresses and titles


def address_of(page: State) -> str:
    """What the address bar shows on a page; empty for the browser's own pages."""
    name, arguments = page["name"], page["args"]
    if name in _OWN_PAGES:
        return ""
    if name == "results":
        return str(arguments["query"])
    host = str(arguments.get("host", ""))
    return f"{host}/{arguments['id']}" if "id" in arguments else host


def title_of(page: State) -> str:
    """What a tab calls a page."""
    name, arguments = page["name"], page["args"]
    if name in _OWN_PAGES:
        return NEW_TAB
    if name == "results":
        return f"{arguments['query']} - Search"
    if name == "article":
        return article_of(str(arguments["id"])).headline
    host = str(arguments.get("host", ""))
    if host in SHOPS:
        return SHOPS[host].name
    return SITES[host].title if host in SITES else host or "Web page"


@lru_cache(maxsize=256)
def articles_of(host: str) -> tuple[str, ...]:
    """Ids of what a site has published: its own topic first, then some of others."""
    topic = SITES[host].topic
    numbers = range(len(content.ARTICLES))
    own = [n for n in numbers if content.ARTICLES[n].topic == topic]
    others = [n for n in numbers if content.ARTICLES[n].topic != topic]
    for chosen in (own, others):
        chosen.sort(key=lambda n: scatter(host, n))
    return tuple(str(n) for n in (own + others)[:14])


def article_of(key: str) -> content.Article:
    """An article by its id; the first one for an id that is none."""
    number = int(key) if key.isdecimal() else 0
    return content.ARTICLES[number if number < len(content.ARTICLES) else 0]


@lru_cache(maxsize=1024)
def pictures_of(host: str, edition: int) -> tuple[str, ...]:
    """What the pictures of the day show on a site's front page, in their order."""
    return tuple(sorted(SUBJECTS, key=lambda subject: scatter(edition, host, subject))[:PICTURES])


# Tabs


def current_tab(data: State) -> State | None:
    """The tab in front, if any is open."""
    tab: State | None = data["recent_tabs"].get(data["recent_current"])
    return tab


def is_private(data: State) -> bool:
    """Whether the tab in front leaves no traces."""
    tab = current_tab(data)
    return tab is not None and bool(tab["private"])


def tab_of(page: State, *, private: bool) -> State:
    """The record of a tab that shows a page."""
    return {
        "title": title_of(page),
        "address": address_of(page),
        "private": private,
        "page": page["name"] if page["name"] not in _OWN_PAGES else "main",
        "args": page["args"] if page["name"] not in _OWN_PAGES else {},
    }


def remember(control: Control) -> None:
    """Bring the current tab up to date with the page in front; open one if there is none."""
    data = control.data
    key = data["recent_current"]
    if key not in data["recent_tabs"]:
        key = control.new_id("tab")
        control.write("recent_current", to=key)
    control.write("recent_tabs", key, to=tab_of(control.page, private=is_private(data)))


def new_tab(control: Control, *, private: bool) -> None:
    """Open an empty tab and go to it."""
    key = control.new_id("tab")
    control.back_to("main")
    control.set_var("address", "")
    control.write("recent_tabs", key, to=tab_of(control.page, private=private))
    control.write("recent_current", to=key)


def show_tab(control: Control, key: str) -> None:
    """Go to a tab that is open."""
    tab = control.data["recent_tabs"][key]
    control.write("recent_current", to=key)
    control.back_to("main")
    control.set_var("address", "")
    if tab["page"] != "main":
        control.open(tab["page"], **tab["args"])


# Going somewhere


def visit(control: Control, page: str, **arguments: Any) -> None:
    """Open a web page in the current tab and note it in the history, unless it is private."""
    control.open(page, **arguments)
    remember(control)
    if is_private(control.data):
        return
    record = {"title": title_of(control.page), "page": page, "args": arguments}
    record["address"] = address_of(control.page)
    history = control.data["recent_history"]
    kept = dict(list(history.items())[-(_HISTORY_LENGTH - 1) :])
    control.write("recent_history", to={**kept, control.new_id("visit"): record})
    if page == "results":
        queries = [q for q in control.data["recent_queries"] if q != arguments["query"]]
        newest = [arguments["query"], *queries][:_QUERIES_LENGTH]
        control.write("recent_queries", to=newest)


def visitor(page: str, **arguments: Any) -> Handler:
    """A link to a web page."""
    return lambda c: visit(c, page, **arguments)


def browse(control: Control, text: str) -> None:
    """Go where the words of the address bar lead: a site, a shop, or the search engine."""
    host = text.strip().lower().removeprefix("https://").removeprefix("www.").rstrip("/")
    if host in SHOP_HOSTS:
        visit(control, "shop", host=host)
    elif host in SITE_HOSTS:
        visit(control, "site", host=host)
    elif host == LIBRARY_HOST and "library" in control.data:
        visit(control, "library", host=host)
    elif host:
        visit(control, "results", query=text.strip())


def submit_address(control: Control) -> None:
    """What Enter does in the address bar."""
    text = control.text("address")
    control.set_var("address", "")
    browse(control, text)


def open_tabs(control: Control) -> None:
    """Leave the current tab for the list of all."""
    remember(control)
    control.open("tabs")


def toggle_bookmark(control: Control, page: State) -> None:
    """Keep a page among the bookmarks, or take it out."""
    address = address_of(page)
    if not address:
        control.toast("Nothing to bookmark here")
    elif address in control.data["bookmarks"]:
        control.erase("bookmarks", address)
        control.toast("Bookmark removed")
    else:
        record = {"title": title_of(page), "page": page["name"], "args": page["args"]}
        control.write("bookmarks", address, to=record)
        control.toast("Bookmark added")


def chrome(ui: Ui, address: str) -> None:
    """The bar above every web page: an address field that shows where one is, tabs, menu.

    The field's own text is empty until somebody types; the address is its description. Layout 1
    has a star without words for bookmarks; layout 2 keeps them in the menu.
    """
    color = ui.color
    actions: list[tuple[str, str, Handler]] = []
    if is_private(ui.data):
        ui.color = PRIVATE_INK
        actions.append(("incognito", "", lambda c: c.toast("This tab is private")))
    elif address and ui.version == 1:
        kept = address_of(ui.page) in ui.data["bookmarks"]
        star = "star_filled" if kept else "star"
        actions.append((star, "", lambda c: toggle_bookmark(c, c.page)))
    actions.append(("tabs", "Switch tabs", open_tabs))
    actions.append(("more", "", lambda c: c.open("menu")))
    hint = address or "Search or type an address"
    ui.search_bar("address", hint, submit_address, actions, up=False)
    ui.color = color
