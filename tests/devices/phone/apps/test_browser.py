"""The browser: addresses, tabs, private browsing, bookmarks and history."""

from __future__ import annotations

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.web import article_of, articles_of, current_tab
from distrl.types import Key

SITE, TITLE = "riverpost.com", "The River Post"
HINT = "Search or type an address"


@pytest.fixture(params=[1, 2], ids=["layout1", "layout2"])
def driver(request: pytest.FixtureRequest) -> Driver:
    phone = Driver(seed=3, layout=request.param)
    phone.open("browser")
    return phone


def go_to(driver: Driver, text: str, hint: str = HINT) -> None:
    driver.fill(hint, text)
    driver.press(Key.ENTER)


def history(driver: Driver) -> list[str]:
    return [visit["address"] for visit in driver.data("browser")["recent_history"].values()]


def choose(driver: Driver, item: str) -> None:
    driver.tap_icon("more")
    driver.tap(item)


@pytest.mark.parametrize("text", [SITE, f"https://www.{SITE}/", f" {SITE.upper()} "])
def test_an_address_leads_to_its_site_however_it_is_written(driver: Driver, text: str) -> None:
    go_to(driver, text)
    assert driver.page == "site"
    assert driver.sees(TITLE)
    assert history(driver)[-1] == SITE


def test_the_address_of_a_shop_leads_to_the_shop(driver: Driver) -> None:
    go_to(driver, "omnicrate.com")
    assert driver.page == "shop"


def test_a_search_shows_the_answer_and_links(driver: Driver) -> None:
    go_to(driver, "capital of Peru")
    assert driver.sees("Lima")
    assert driver.sees("Lima is the capital city of Peru.")
    links = [e for e in driver.elements if e.role == "item"]
    assert len(links) >= 5


def test_the_search_pill_of_the_home_screen_waits_for_a_query() -> None:
    driver = Driver(seed=3)
    driver.tap("Search the web")
    driver.type("capital of Peru")
    driver.press(Key.ENTER)
    assert driver.page == "results"
    assert driver.sees("Lima")


def test_a_recent_query_can_be_asked_again() -> None:
    driver = Driver(seed=3)
    driver.tap("Search the web")
    driver.press(Key.BACK)
    query = driver.data("browser")["recent_queries"][2]
    driver.tap(query)
    assert driver.page == "results"
    assert driver.data("browser")["recent_queries"][0] == query


def test_a_headline_opens_its_article(driver: Driver) -> None:
    go_to(driver, SITE)
    headline = article_of(articles_of(SITE)[5]).headline
    driver.tap(headline)
    assert driver.page == "article"
    assert driver.sees(headline)


def test_a_private_tab_leaves_no_history(driver: Driver) -> None:
    before = history(driver)
    choose(driver, "New private tab")
    assert driver.sees("You are browsing privately")
    go_to(driver, SITE)
    assert driver.page == "site"
    assert history(driver) == before
    tab = current_tab(driver.data("browser"))
    assert tab is not None
    assert tab["private"]
    assert tab["address"] == SITE


def test_every_tab_keeps_the_page_it_was_left_on(driver: Driver) -> None:
    go_to(driver, SITE)
    choose(driver, "New tab")
    assert driver.page == "main"
    driver.tap("Switch tabs")
    driver.tap(TITLE)
    assert driver.page == "site"
    assert driver.sees(TITLE)


def test_a_new_tab_takes_the_place_of_none(driver: Driver) -> None:
    before = set(driver.data("browser")["recent_tabs"])
    choose(driver, "New tab")
    after = set(driver.data("browser")["recent_tabs"])
    assert before < after
    assert len(after) == len(before) + 1


def test_the_cross_closes_one_tab(driver: Driver) -> None:
    driver.tap("Switch tabs")
    first, *others = driver.data("browser")["recent_tabs"]
    driver.tap_icon("close")
    assert list(driver.data("browser")["recent_tabs"]) == others
    assert first not in others


def test_all_tabs_can_be_closed_at_once(driver: Driver) -> None:
    go_to(driver, SITE)
    driver.tap("Switch tabs")
    choose(driver, "Close all tabs")
    assert driver.data("browser")["recent_tabs"] == {}
    assert driver.sees("No open tabs")
    driver.press(Key.BACK)
    assert driver.page == "main"


def test_the_star_of_layout_1_keeps_and_drops_a_bookmark() -> None:
    driver = Driver(seed=3)
    driver.open("browser")
    go_to(driver, SITE)
    driver.tap_icon("star")
    assert driver.data("browser")["bookmarks"][SITE]["title"] == TITLE
    driver.tap_icon("star_filled")
    assert SITE not in driver.data("browser")["bookmarks"]


def test_the_menu_keeps_a_bookmark_that_leads_back(driver: Driver) -> None:
    go_to(driver, SITE)
    choose(driver, "Add bookmark")
    choose(driver, "Bookmarks")
    driver.tap(TITLE)
    assert driver.page == "site"
    assert driver.sees(TITLE)


def test_a_long_press_removes_a_bookmark(driver: Driver) -> None:
    address, record = next(iter(driver.data("browser")["bookmarks"].items()))
    choose(driver, "Bookmarks")
    driver.long_press(record["title"])
    driver.tap("Remove")
    assert address not in driver.data("browser")["bookmarks"]


def test_an_empty_tab_cannot_be_bookmarked(driver: Driver) -> None:
    before = driver.data("browser")["bookmarks"]
    choose(driver, "Add bookmark")
    assert driver.data("browser")["bookmarks"] == before


def test_the_history_is_forgotten_only_after_a_question(driver: Driver) -> None:
    choose(driver, "History")
    driver.tap_icon("delete")
    assert history(driver)
    driver.tap("Clear")
    assert history(driver) == []
    assert driver.sees("No history")


def test_the_history_stays_short(driver: Driver) -> None:
    for _ in range(30):
        driver.open("browser")
        field = next(e for e in driver.elements if e.role == "field")
        go_to(driver, SITE, field.description)
    assert len(history(driver)) == 24


def test_a_page_can_be_downloaded(driver: Driver) -> None:
    go_to(driver, SITE)
    choose(driver, "Download page")
    choose(driver, "Downloads")
    assert driver.sees(f"{TITLE}.html")


def test_find_in_page_counts_what_is_on_the_page_below(driver: Driver) -> None:
    go_to(driver, SITE)
    choose(driver, "Find in page")
    driver.fill("Find", "Pictures of the day")
    assert driver.sees("1 found")


def test_a_picture_of_the_day_opens_large(driver: Driver) -> None:
    go_to(driver, SITE)
    driver.tap_paint("photo")
    assert driver.page == "picture"
