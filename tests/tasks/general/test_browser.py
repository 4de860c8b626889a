"""What the goals in the Browser accept and what they do not."""

from __future__ import annotations

from tests.tasks.general.posed import Posed

from distrl.devices.phone import content
from distrl.devices.phone.apps.web import articles_of, pictures_of
from distrl.types import Key

SITE = "riverpost.com"
HINT = "Search or type an address"


def go_to(posed: Posed, text: str) -> None:
    posed.fill(HINT, text)
    posed.press(Key.ENTER)


def test_a_fact_is_known_once_its_answer_is_on_the_screen() -> None:
    posed = Posed("search_fact", fact="capital of Peru")
    posed.open("browser")
    go_to(posed, "capital of Chile")
    assert not posed.reached
    posed.open("browser")
    posed.press(Key.BACK)
    go_to(posed, "which city is the capital of Peru")
    assert posed.reached
    posed.press(Key.HOME)
    assert not posed.reached


def test_a_private_tab_is_no_plain_new_tab() -> None:
    posed = Posed("new_tab", kind="new tab")
    posed.open("browser")
    posed.tap_icon("more")
    posed.tap("New private tab")
    assert not posed.reached
    posed.tap_icon("more")
    posed.tap("New tab")
    assert posed.reached


def test_the_tab_that_was_open_all_along_is_no_new_tab() -> None:
    posed = Posed("new_tab", kind="new tab")
    posed.open("browser")
    posed.tap("Switch tabs")
    posed.press(Key.BACK)
    assert not posed.reached


def test_a_search_in_a_plain_tab_is_not_private() -> None:
    posed = Posed("private_search", query="city bike sharing")
    posed.open("browser")
    go_to(posed, "city bike sharing")
    assert not posed.reached
    assert posed.solve() <= 8


def test_bookmarking_another_site_is_a_side_effect() -> None:
    posed = Posed("bookmark_site", site=SITE)
    posed.open("browser")
    go_to(posed, "orbitnotes.org")
    posed.tap_icon("star")
    assert not posed.reached
    assert posed.side_effects == ("apps.browser.bookmarks.orbitnotes.org",)


def test_browsing_alone_has_no_side_effect() -> None:
    posed = Posed("open_site", site=SITE)
    posed.solve()
    posed.tap("Switch tabs")
    posed.tap_icon("add")
    assert posed.side_effects == ()


def test_the_history_is_cleared_by_its_bin() -> None:
    posed = Posed("clear_history")
    assert not posed.reached
    assert posed.solve() == 6
    assert posed.data("browser")["recent_history"] == {}


def test_only_the_picture_that_shows_it_counts() -> None:
    posed = Posed("open_picture", site=SITE, subject="dog")
    posed.open("browser")
    go_to(posed, SITE)
    shown = pictures_of(SITE, posed.data("browser")["edition"])
    other = next(subject for subject in shown if subject != "dog")
    posed.tap_paint("photo", other)
    assert not posed.reached
    posed.press(Key.BACK)
    posed.tap_paint("photo", "dog")
    assert posed.reached


def test_pictures_stand_in_another_order_in_another_episode() -> None:
    orders = {
        pictures_of(
            SITE, Posed("open_picture", seed, site=SITE, subject="dog").data("browser")["edition"]
        )
        for seed in range(5)
    }
    assert len({order.index("dog") for order in orders}) > 1


def test_the_question_of_another_fact_is_no_answer_and_a_site_neither() -> None:
    posed = Posed("search_fact", fact="capital of Peru")
    posed.open("browser")
    go_to(posed, SITE)
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == ()


def test_a_fact_can_be_asked_from_the_home_screen() -> None:
    posed = Posed("search_fact", fact="capital of Peru")
    posed.press(Key.HOME)
    posed.tap("Search the web")
    go_to(posed, "capital of Peru")
    assert posed.reached


def test_an_article_of_the_site_is_not_its_front_page() -> None:
    posed = Posed("open_site", site=SITE)
    posed.open("browser")
    go_to(posed, SITE)
    assert posed.reached
    posed.tap(content.ARTICLES[int(articles_of(SITE)[0])].headline, role="item")
    assert not posed.reached


def test_another_site_is_not_the_one() -> None:
    posed = Posed("open_site", site=SITE)
    posed.open("browser")
    go_to(posed, "orbitnotes.org")
    assert not posed.reached
    posed.solve()


def test_a_bookmark_leads_to_the_site_as_well() -> None:
    posed = Posed("open_site", site=SITE)
    page = {"title": "Riverpost", "page": "site", "args": {"host": SITE}}
    posed.change("apps", "browser", "bookmarks", SITE, to=page)
    posed.open("browser")
    posed.tap("Riverpost", role="item")
    assert posed.reached


def test_a_new_tab_counts_from_the_list_of_tabs_too() -> None:
    posed = Posed("new_tab", kind="new tab")
    posed.open("browser")
    posed.tap("Switch tabs")
    posed.tap_icon("add")
    assert posed.reached
    go_to(posed, SITE)
    assert not posed.reached


def test_a_plain_tab_is_not_private() -> None:
    posed = Posed("new_tab", kind="new private tab")
    posed.open("browser")
    posed.tap_icon("more")
    posed.tap("New tab")
    assert not posed.reached
    posed.solve()


def test_tabs_may_be_closed_one_by_one() -> None:
    posed = Posed("close_all_tabs")
    count = len(posed.data("browser")["recent_tabs"])
    assert count >= 4
    posed.open("browser")
    posed.tap("Switch tabs")
    for left in range(count, 0, -1):
        assert not posed.reached
        assert len(posed.data("browser")["recent_tabs"]) == left
        posed.tap_icon("close")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_bookmark_that_is_removed_again_is_none() -> None:
    posed = Posed("bookmark_site", site=SITE)
    posed.open("browser")
    go_to(posed, SITE)
    posed.tap_icon("more")
    posed.tap("Add bookmark")
    assert posed.reached
    assert posed.side_effects == ()
    posed.tap_icon("more")
    posed.tap("Remove bookmark")
    assert not posed.reached
    assert posed.side_effects == ()


def test_losing_another_bookmark_is_a_side_effect() -> None:
    posed = Posed("bookmark_site", site=SITE)
    lost = next(iter(posed.data("browser")["bookmarks"]))
    posed.solve()
    posed.open("browser")
    posed.tap_icon("more")
    posed.tap("Bookmarks")
    posed.long_press(posed.data("browser")["bookmarks"][lost]["title"], role="item")
    posed.tap("Remove")
    assert posed.reached
    assert set(posed.side_effects) == {f"apps.browser.bookmarks.{lost}"}


def test_another_search_in_a_private_tab_is_not_the_one() -> None:
    posed = Posed("private_search", query="city bike sharing")
    posed.open("browser")
    posed.tap_icon("more")
    posed.tap("New private tab")
    go_to(posed, "city bike")
    assert not posed.reached
    posed.press(Key.BACK)
    go_to(posed, "city bike sharing")
    assert posed.reached


def test_a_history_that_is_asked_about_is_not_cleared_yet() -> None:
    posed = Posed("clear_history")
    posed.open("browser")
    posed.tap_icon("more")
    posed.tap("History")
    posed.tap_icon("delete")
    posed.tap("Cancel")
    assert not posed.reached
    posed.tap_icon("delete")
    posed.tap("Clear")
    assert posed.reached
    assert posed.side_effects == ()


def test_another_article_of_the_site_is_not_the_one() -> None:
    first, second = (content.ARTICLES[int(key)].headline for key in articles_of(SITE)[:2])
    posed = Posed("open_article", site=SITE, article=first)
    posed.open("browser")
    go_to(posed, SITE)
    assert not posed.reached
    posed.tap(second, role="item")
    assert not posed.reached
    posed.press(Key.BACK)
    posed.tap(first, role="item")
    assert posed.reached
