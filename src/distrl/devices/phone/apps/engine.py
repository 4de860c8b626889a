"""The search engine of the browser: a pure function from a query to a page of results."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from distrl.devices.phone import content
from distrl.devices.phone.apps.shop_catalogue import IDS, PRODUCTS, assortment
from distrl.devices.phone.apps.web import SHOPS, SITES, articles_of, scatter

_RESULTS = 8
_RELATED = 3


@dataclass(frozen=True, slots=True)
class Link:
    """One result and the page it leads to."""

    title: str
    sub: str
    icon: str
    page: str
    args: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A page of results."""

    answer: str
    """Empty when the engine knows none."""
    snippet: str
    links: tuple[Link, ...]
    related: tuple[str, ...]


def _words(text: str) -> str:
    """Lower-case words between single blanks, with a blank at both ends."""
    kept = "".join(ch if ch.isalnum() else " " for ch in text.lower())
    return f" {' '.join(kept.split())} "


_FACTS = sorted(((_words(f.key), f) for f in content.FACTS), key=lambda pair: -len(pair[0]))
"""The longest first, so that the most exact one is found."""
_SHOPS = [(_words(words), shop) for shop in content.SHOPS for words in (shop.name, shop.host)]
_PRODUCTS = [(_words(name), key) for name, key in IDS.items()]
_KINDS = {_words(product.kind): product for product in content.PRODUCTS}
_TITLES = [(_words(site.title), host) for host, site in SITES.items()]
_HEADLINES = [(_words(article.headline), str(n)) for n, article in enumerate(content.ARTICLES)]
_FORMS = ("{s} explained", "All about {s}", "{s} - {t}", "{t}: {s}", "10 things about {s}")


def _site_link(host: str, title: str = "") -> Link:
    return Link(title or SITES[host].title, host, "globe", "site", (("host", host),))


def _shop_link(shop: content.Shop, title: str, page: str = "shop", **args: str) -> Link:
    return Link(title, shop.host, "cart", page, (("host", shop.host), *args.items()))


def _shop_links(query: str) -> list[Link]:
    """Shops that the query names, or that sell the product or kind that it names."""
    named = {shop.host: shop for words, shop in _SHOPS if words in query}
    if named:
        return [_shop_link(shop, f"{shop.name} - Official shop") for shop in named.values()]
    return _product_links(query) or _kind_links(query)


def _product_links(query: str) -> list[Link]:
    """The pages of a product in the shops that sell it."""
    key = next((key for words, key in _PRODUCTS if words in query), None)
    if key is None:
        return []
    return [
        _shop_link(shop, f"{PRODUCTS[key].name} - {shop.name}", "product", id=key)
        for shop in SHOPS.values()
        if key in assortment(shop.host)
    ]


def _kind_links(query: str) -> list[Link]:
    """What shops list for a kind of product."""
    named = next((product for words, product in _KINDS.items() if words in query), None)
    if named is None:
        return []
    return [
        _shop_link(shop, f"Buy {named.kind} online - {shop.name}", "listing", query=named.kind)
        for shop in SHOPS.values()
        if named.category in shop.categories
    ]


def _page_links(query: str) -> list[Link]:
    """Sites and articles that the query names."""
    links = [_site_link(host) for words, host in _TITLES if words in query]
    for words, key in _HEADLINES:
        if words in query:
            hosts = [host for host in SITES if key in articles_of(host)][:4]
            links += [
                Link(
                    content.ARTICLES[int(key)].headline,
                    host,
                    "news",
                    "article",
                    (("host", host), ("id", key)),
                )
                for host in hosts
            ]
    return links


def _filler(subject: str) -> list[Link]:
    """Sites that may or may not be of use."""
    links = []
    for host in sorted(SITES, key=lambda host: scatter(subject, host))[:_RESULTS]:
        form = _FORMS[scatter(host, subject) % len(_FORMS)]
        title = form.format(s=subject, t=SITES[host].title)
        links.append(_site_link(host, title[0].upper() + title[1:]))
    return links


@lru_cache(maxsize=4096)
def search(text: str) -> Found:
    """What the engine finds for a query."""
    query = _words(text)
    fact = next((fact for words, fact in _FACTS if words in query), None)
    subject = fact.key if fact else text.strip()
    links = [*_shop_links(query), *_page_links(query), *_filler(subject)]
    related = sorted(content.QUERIES, key=lambda other: scatter(query, other))
    return Found(
        answer=fact.answer if fact else "",
        snippet=fact.snippet if fact else "",
        links=tuple(links[:_RESULTS]),
        related=tuple(related[:_RELATED]),
    )
