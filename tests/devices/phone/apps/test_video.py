"""Videos: the feed, search below advertisements, likes, subscriptions and the library."""

from __future__ import annotations

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.video import channel_of, id_of, search

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])
TITLE = "Moss Lawn in Spring"


def watching(layout: int = 1) -> Driver:
    """The page of one video, found by search."""
    driver = Driver(seed=3, layout=layout)
    driver.change("apps", "video", "subs", to={})
    driver.open("video")
    driver.tap_icon("search")
    driver.type(TITLE)
    driver.press("enter")
    driver.tap(TITLE, role="item")
    return driver


@LAYOUTS
def test_a_search_leads_to_the_video_and_remembers_it(layout: int) -> None:
    driver = watching(layout)
    assert driver.page == "video"
    assert driver.data("video")["recent_history"][0] == id_of(TITLE)


def test_a_search_puts_what_holds_all_words_before_what_shares_one() -> None:
    found = search(TITLE.lower())
    assert found[0] == id_of(TITLE)
    assert search("zzz") == ()


def test_advertisements_stand_above_the_results() -> None:
    driver = Driver(seed=3)
    driver.change("nuisance", "promo", to=True)
    driver.open("video")
    driver.tap_icon("search")
    driver.type(TITLE)
    driver.press("enter")
    items = [e for e in driver.elements if e.role == "item"]
    assert items[0].description == "Ad"
    driver.tap(TITLE, role="item")
    assert driver.page == "video"


@LAYOUTS
def test_a_video_is_liked_or_disliked_but_never_both(layout: int) -> None:
    driver = watching(layout)
    driver.tap_icon("thumb_up")
    assert driver.data("video")["likes"][id_of(TITLE)] == "up"
    driver.tap_icon("thumb_down")
    assert driver.data("video")["likes"][id_of(TITLE)] == "down"
    driver.tap_icon("thumb_down")
    assert id_of(TITLE) not in driver.data("video")["likes"]


def test_a_bookmarked_video_is_on_the_watch_later_shelf() -> None:
    driver = watching()
    driver.tap_icon("bookmark")
    driver.press("home")
    driver.open("video")
    while driver.page != "main":
        driver.press("back")
    driver.tap("Library")
    driver.tap("Watch later")
    assert driver.sees(TITLE)


@LAYOUTS
def test_subscribing_puts_the_channel_among_the_subscriptions(layout: int) -> None:
    driver = watching(layout)
    driver.tap("Subscribe")
    channel = channel_of(id_of(TITLE))
    assert driver.data("video")["subs"] == {channel: True}
    driver.tap("Subscribed")
    assert driver.data("video")["subs"] == {}


def test_the_history_is_cleared_only_after_asking() -> None:
    driver = Driver(seed=3)
    driver.open("video")
    driver.tap("Library")
    driver.tap("History")
    driver.tap_icon("delete")
    driver.tap("Cancel")
    assert driver.data("video")["recent_history"]
    driver.tap_icon("delete")
    driver.tap("Clear")
    assert driver.data("video")["recent_history"] == []
    assert driver.sees("Nothing here")
