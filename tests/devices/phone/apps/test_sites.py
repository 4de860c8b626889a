"""Results, sites, articles and pictures of the day, as pages."""

from __future__ import annotations

from typing import Any

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps import engine
from distrl.devices.phone.apps.sites import BLUE, subject_of, tint_of
from distrl.devices.phone.apps.web import SITES, article_of, articles_of, pictures_of
from distrl.devices.phone.art import SUBJECTS
from distrl.devices.phone.control import Control

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])
HOST = "riverpost.com"


def at(page: str, layout: int = 1, **arguments: Any) -> Driver:
    driver = Driver(seed=3, layout=layout)
    control = Control(driver.state, driver.app)
    control.start("browser", page, **arguments)
    driver.device.restore(control.state)
    return driver


@LAYOUTS
def test_results_list_every_link_and_related_queries(layout: int) -> None:
    driver = at("results", layout, query="capital of Peru")
    found = engine.search("capital of Peru")
    listed = driver.scroll_through()
    assert {link.title for link in found.links} <= set(listed)
    assert listed[-len(found.related) :] == list(found.related)


def test_a_related_query_is_asked_by_a_tap() -> None:
    driver = at("results", query="capital of Peru")
    other = engine.search("capital of Peru").related[0]
    driver.tap(other)
    assert driver.page == "results"
    assert driver.data("browser")["recent_queries"][0] == other


def test_every_link_of_the_results_leads_to_its_page() -> None:
    found = engine.search("Omnicrate")
    for link in found.links[:4]:
        driver = at("results", query="Omnicrate")
        driver.tap(link.title, role="item")
        assert driver.page == link.page


def test_results_without_an_answer_begin_with_links() -> None:
    driver = at("results", query="zzzz")
    assert "People also search for" in driver.scroll_through("text")
    assert engine.search("zzzz").answer == ""


@LAYOUTS
@pytest.mark.parametrize("host", list(SITES)[:10])
def test_a_site_has_its_title_pictures_and_all_its_articles(host: str, layout: int) -> None:
    driver = at("site", layout, host=host)
    assert driver.sees(SITES[host].title)
    pictures = [subject for subject, _ in driver.looks("photo")]
    assert pictures == list(pictures_of(host, driver.data("browser")["edition"]))
    headlines = [article_of(key).headline for key in articles_of(host)]
    assert driver.scroll_through() == (headlines if layout == 1 else headlines[::-1])


def test_a_site_that_does_not_exist_cannot_be_reached() -> None:
    assert at("site", host="nowhere.org").sees("This site cannot be reached")
    assert at("article", host="nowhere.org", id="1").sees("This page cannot be reached")


@LAYOUTS
def test_an_article_leads_to_its_site_and_to_others(layout: int) -> None:
    key, other = articles_of(HOST)[:2]
    driver = at("article", layout, host=HOST, id=key)
    assert driver.sees(article_of(key).headline)
    driver.tap(article_of(other).headline)
    assert driver.sees(article_of(other).headline)
    driver.swipe("down")
    driver.swipe("down")
    driver.tap(SITES[HOST].title, role="item")
    assert driver.page == "site"


def test_more_from_a_site_does_not_repeat_the_article() -> None:
    key = articles_of(HOST)[0]
    listed = at("article", host=HOST, id=key).scroll_through()
    assert article_of(key).headline not in listed
    assert len(listed) == 1 + 5


def test_a_picture_of_the_day_is_large_and_leads_back_to_its_site() -> None:
    driver = at("site", host=HOST)
    subject = driver.looks("photo")[2][0]
    driver.tap_paint("photo", subject)
    assert driver.looks("photo")[0][0] == subject
    assert not driver.shows(subject)
    driver.tap(SITES[HOST].title, role="item")
    assert driver.page == "site"


def test_another_edition_has_other_pictures() -> None:
    driver = at("site", host=HOST)
    before = driver.looks("photo")
    driver.change("apps", "browser", "edition", to=driver.data("browser")["edition"] + 1)
    assert driver.looks("photo") != before


def test_sites_of_one_topic_share_a_colour_and_strangers_have_the_browsers() -> None:
    assert tint_of("nowhere.org") == BLUE
    by_topic: dict[str, set[tuple[int, int, int]]] = {}
    for host, site in SITES.items():
        by_topic.setdefault(site.topic, set()).add(tint_of(host))
    assert all(len(tints) == 1 for tints in by_topic.values())
    assert len({next(iter(tints)) for tints in by_topic.values()}) == len(by_topic)


def test_the_picture_of_some_words_never_changes() -> None:
    assert subject_of("a", "b") == subject_of("a", "b")
    assert subject_of("a", "b")[0] in SUBJECTS
    assert len({subject_of(HOST, key) for key in articles_of(HOST)}) > 5
