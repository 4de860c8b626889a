"""Addresses, titles, articles and pictures of the web inside the browser."""

from __future__ import annotations

import pytest

from distrl.devices.phone import content
from distrl.devices.phone.apps.web import (
    NEW_TAB,
    PICTURES,
    SHOPS,
    SITES,
    address_of,
    article_of,
    articles_of,
    is_private,
    pictures_of,
    scatter,
    tab_of,
    title_of,
)
from distrl.devices.phone.art import SUBJECTS
from distrl.devices.phone.control import new_page

OWN = pytest.mark.parametrize(
    "name", ["main", "search", "tabs", "bookmarks", "history", "downloads"]
)


@OWN
def test_the_browsers_own_pages_have_no_address(name: str) -> None:
    page = new_page(name, {})
    assert (address_of(page), title_of(page)) == ("", NEW_TAB)
    assert tab_of(page, private=False)["page"] == "main"


@pytest.mark.parametrize(
    ("name", "arguments", "address", "title"),
    [
        ("results", {"query": "rain"}, "rain", "rain - Search"),
        ("site", {"host": "riverpost.com"}, "riverpost.com", "The River Post"),
        ("shop", {"host": "omnicrate.com"}, "omnicrate.com", SHOPS["omnicrate.com"].name),
        ("product", {"host": "omnicrate.com", "id": "p1"}, "omnicrate.com/p1", "Omnicrate"),
        ("site", {"host": "nowhere.org"}, "nowhere.org", "nowhere.org"),
        ("shop_menu", {}, "", "Web page"),
    ],
)
def test_pages_of_the_web_have_an_address_and_a_title(
    name: str, arguments: dict[str, str], address: str, title: str
) -> None:
    page = new_page(name, arguments)
    assert (address_of(page), title_of(page)) == (address, title)


def test_an_article_is_called_by_its_headline() -> None:
    page = new_page("article", {"host": "riverpost.com", "id": "3"})
    assert title_of(page) == content.ARTICLES[3].headline
    assert address_of(page) == "riverpost.com/3"


@pytest.mark.parametrize("key", ["x", "-1", "99999", ""])
def test_an_id_that_is_none_leads_to_the_first_article(key: str) -> None:
    assert article_of(key) is content.ARTICLES[0]


@pytest.mark.parametrize("host", SITES)
def test_a_site_has_fourteen_articles_with_its_own_topic_first(host: str) -> None:
    keys = articles_of(host)
    assert len(set(keys)) == len(keys) == 14
    own = [article_of(key).topic == SITES[host].topic for key in keys]
    assert own == sorted(own, reverse=True)


@pytest.mark.parametrize("edition", [0, 7, 999])
def test_the_pictures_of_the_day_are_different_subjects(edition: int) -> None:
    for host in list(SITES)[:20]:
        found = pictures_of(host, edition)
        assert len(set(found)) == len(found) == PICTURES
        assert set(found) <= set(SUBJECTS)


def test_pictures_change_with_site_and_edition() -> None:
    one, two = list(SITES)[:2]
    assert pictures_of(one, 1) == pictures_of(one, 1)
    assert len({pictures_of(host, n) for host in (one, two) for n in range(5)}) == 10


def test_scattered_numbers_are_the_same_in_every_process() -> None:
    assert scatter("a", 1) == scatter("a 1") == 1_913_543_837
    assert scatter("a", 1) != scatter("a", 2)


def test_a_browser_without_tabs_is_not_private() -> None:
    assert not is_private({"recent_tabs": {}, "recent_current": ""})
    tab = tab_of(new_page("main", {}), private=True)
    assert is_private({"recent_tabs": {"t": tab}, "recent_current": "t"})
    assert not is_private({"recent_tabs": {"t": tab}, "recent_current": "other"})


def test_no_host_is_both_a_shop_and_a_site() -> None:
    assert not set(SHOPS) & set(SITES)
