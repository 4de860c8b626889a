"""What the goals in the Browser accept and what they do not."""

from __future__ import annotations

from tests.tasks.general.posed import Posed

from distrl.devices.phone.apps.web import pictures_of
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
