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


# The bar


@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_address_leads_nowhere(driver: Driver, text: str) -> None:
    driver.tap_field(HINT)
    if text:
        driver.type(text)
    driver.press(Key.ENTER)
    assert driver.page == "main"


def test_the_bar_tells_the_address_and_takes_a_new_one(driver: Driver) -> None:
    go_to(driver, SITE)
    field = driver.element(SITE, "field")
    assert (field.text, field.description) == ("", SITE)
    go_to(driver, "capital of Peru", SITE)
    assert driver.page == "results"
    assert driver.element("capital of Peru", "field")


def test_what_is_no_address_is_searched_for(driver: Driver) -> None:
    go_to(driver, "riverpost.comx")
    assert driver.page == "results"
    assert driver.data("browser")["recent_queries"][0] == "riverpost.comx"


def test_browsing_leaves_traces_but_nothing_that_lasts(driver: Driver) -> None:
    with driver.changes():
        go_to(driver, SITE)
        driver.back()
        go_to(driver, "capital of Peru")
        choose(driver, "New tab")


def test_back_leads_through_the_pages_that_were_visited(driver: Driver) -> None:
    go_to(driver, SITE)
    go_to(driver, "omnicrate.com", SITE)
    assert driver.page == "shop"
    driver.back()
    assert driver.page == "site"
    driver.back()
    assert driver.page == "main"


def test_the_bar_has_a_star_only_in_the_first_layout_and_only_on_pages() -> None:
    for layout in (1, 2):
        driver = Driver(seed=3, layout=layout)
        driver.open("browser")
        assert "star" not in driver.icons()
        go_to(driver, SITE)
        assert ("star" in driver.icons()) == (layout == 1)


# The first page


def test_a_new_tab_shows_bookmarks_and_recent_sites(driver: Driver) -> None:
    bookmarks = [b["title"] for b in driver.data("browser")["bookmarks"].values()]
    assert all(driver.sees(title) for title in bookmarks)
    assert driver.sees("Recent sites")
    driver.tap(bookmarks[0])
    assert driver.page == "site"


def test_recent_sites_are_the_last_five_different_ones() -> None:
    driver = Driver(seed=3)
    driver.change("apps", "browser", "bookmarks", to={})
    driver.open("browser")
    for _ in range(2):
        go_to(driver, SITE)
        driver.back()
    shown = driver.of_role("item")
    assert shown[0] == TITLE
    assert shown.count(TITLE) == 1
    assert len(shown) == 5
    assert driver.sees("No bookmarks yet")


def test_searches_are_no_recent_sites(driver: Driver) -> None:
    go_to(driver, "capital of Peru")
    driver.back()
    assert not driver.sees("capital of Peru - Search")


def test_the_search_page_of_a_private_tab_knows_no_queries() -> None:
    driver = Driver(seed=3)
    driver.open("browser")
    choose(driver, "New private tab")
    driver.press(Key.HOME)
    driver.tap("Search the web")
    driver.back()
    assert driver.of_role("item") == []


# Tabs


@pytest.mark.parametrize("private", [False, True])
def test_the_list_of_tabs_opens_new_ones(driver: Driver, private: bool) -> None:
    driver.tap("Switch tabs")
    count = len(driver.data("browser")["recent_tabs"])
    assert driver.sees(f"{count} open tabs")
    choose(driver, "New private tab" if private else "New tab")
    assert driver.page == "main"
    assert driver.sees("You are browsing privately") == private
    driver.tap("Switch tabs")
    assert driver.sees(f"{count + 1} open tabs")
    assert driver.sees("Private tab") == private


def test_the_plus_opens_a_tab(driver: Driver) -> None:
    driver.tap("Switch tabs")
    before = len(driver.data("browser")["recent_tabs"])
    driver.tap_icon("add")
    assert len(driver.data("browser")["recent_tabs"]) == before + 1
    assert driver.page == "main"


def test_one_tab_is_not_called_tabs(driver: Driver) -> None:
    driver.tap("Switch tabs")
    for _ in range(len(driver.data("browser")["recent_tabs"]) - 1):
        driver.tap_icon("close")
    assert driver.sees("1 open tab")


def test_closing_the_current_tab_brings_another_to_the_front(driver: Driver) -> None:
    go_to(driver, SITE)
    current = driver.data("browser")["recent_current"]
    driver.tap("Switch tabs")
    order = list(driver.data("browser")["recent_tabs"])
    driver.tap_icon("close", nth=order.index(current))
    data = driver.data("browser")
    assert current not in data["recent_tabs"]
    assert data["recent_current"] in data["recent_tabs"]
    assert driver.page == "tabs"


def test_a_tab_opens_when_none_is_left_and_somebody_browses(driver: Driver) -> None:
    driver.tap("Switch tabs")
    choose(driver, "Close all tabs")
    driver.back()
    go_to(driver, SITE)
    tab = current_tab(driver.data("browser"))
    assert tab is not None
    assert tab["address"] == SITE
    assert not tab["private"]


def test_a_private_tab_says_so_when_asked() -> None:
    driver = Driver(seed=3)
    driver.open("browser")
    choose(driver, "New private tab")
    driver.tap_icon("incognito")
    assert driver.sees("This tab is private")


def test_queries_of_a_private_tab_are_forgotten(driver: Driver) -> None:
    before = driver.data("browser")["recent_queries"]
    choose(driver, "New private tab")
    go_to(driver, "capital of Peru")
    assert driver.data("browser")["recent_queries"] == before


# Bookmarks, history, downloads


def test_a_bookmark_is_kept_once_and_alone(driver: Driver) -> None:
    go_to(driver, SITE)
    driver.tap_icon("more")
    with driver.changes(f"apps.browser.bookmarks.{SITE}"):
        driver.tap("Add bookmark")
    assert driver.sees("Bookmark added")
    driver.tap_icon("more")
    with driver.changes(f"apps.browser.bookmarks.{SITE}"):
        driver.tap("Remove bookmark")
    assert driver.sees("Bookmark removed")


def test_removing_a_bookmark_can_be_cancelled(driver: Driver) -> None:
    choose(driver, "Bookmarks")
    driver.long_press(driver.of_role("item")[0])
    with driver.changes():
        driver.tap("Cancel")
    assert driver.page == "bookmarks"


@pytest.mark.parametrize(
    ("entry", "collection", "said"),
    [
        ("Bookmarks", "bookmarks", "No bookmarks"),
        ("History", "recent_history", "No history"),
        ("Downloads", "downloads", "No downloads"),
    ],
)
def test_empty_lists_say_so(driver: Driver, entry: str, collection: str, said: str) -> None:
    driver.change("apps", "browser", collection, to={})
    choose(driver, entry)
    assert driver.sees(said)
    driver.back()
    assert driver.page == "main"


def test_the_history_is_newest_first_and_leads_back(driver: Driver) -> None:
    go_to(driver, SITE)
    choose(driver, "History")
    assert driver.of_role("item")[0] == TITLE
    driver.tap(TITLE)
    assert driver.page == "site"


def test_the_history_is_kept_when_the_question_is_cancelled(driver: Driver) -> None:
    before = history(driver)
    choose(driver, "History")
    driver.tap_icon("delete")
    driver.tap("Cancel")
    assert history(driver) == before


def test_downloads_open_on_a_tap_and_go_on_a_long_press(driver: Driver) -> None:
    choose(driver, "Downloads")
    name = driver.of_role("item")[0]
    with driver.changes():
        driver.tap(name)
    assert driver.sees("Opened")
    with driver.changes("apps.browser.downloads.download0"):
        driver.long_press(name)
    assert name not in driver.of_role("item")


def test_an_empty_tab_cannot_be_downloaded(driver: Driver) -> None:
    with driver.changes():
        choose(driver, "Download page")
    assert driver.sees("Nothing to download here")


@pytest.mark.parametrize(("words", "said"), [("qqqq", "0 found"), ("", "Type what to look for")])
def test_find_in_page_tells_what_it_found(driver: Driver, words: str, said: str) -> None:
    go_to(driver, SITE)
    choose(driver, "Find in page")
    if words:
        driver.fill("Find", words)
    assert driver.sees(said)
    driver.tap("Close")
    assert driver.page == "site"


def test_the_desktop_site_makes_pictures_smaller_and_is_switched_back(driver: Driver) -> None:
    def height() -> float:
        picture = next(e for e in driver.elements if e.role == "image")
        return picture.bounds[3] - picture.bounds[1]

    go_to(driver, SITE)
    mobile = height()
    choose(driver, "Desktop site")
    assert height() < mobile
    choose(driver, "Mobile site")
    assert height() == mobile


def test_both_layouts_have_the_same_menu() -> None:
    menus = []
    for layout in (1, 2):
        driver = Driver(seed=3, layout=layout)
        driver.open("browser")
        driver.tap_icon("more")
        menus.append(driver.of_role("button"))
    assert sorted(menus[0]) == sorted(menus[1])
    assert menus[0] != menus[1]
    assert len(menus[0]) == 9


def test_a_new_tab_is_the_one_in_front(driver: Driver) -> None:
    before = set(driver.data("browser")["recent_tabs"])
    choose(driver, "New tab")
    (new,) = set(driver.data("browser")["recent_tabs"]) - before
    assert driver.data("browser")["recent_current"] == new
    driver.tap("Switch tabs")
    other = next(iter(driver.data("browser")["recent_tabs"]))
    driver.tap(driver.data("browser")["recent_tabs"][other]["title"], role="item")
    assert driver.data("browser")["recent_current"] == other
