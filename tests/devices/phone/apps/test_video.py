"""Videos: the feed, search below advertisements, likes, subscriptions and the library."""

from __future__ import annotations

from typing import Any

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


def opened(layout: int = 1) -> Driver:
    driver = Driver(seed=3, layout=layout)
    driver.open("video")
    return driver


# The feed and the library


@LAYOUTS
def test_the_whole_feed_is_reached_by_scrolling(layout: int) -> None:
    driver = opened(layout)
    assert [id_of(title) for title in driver.scroll_through()] == driver.data("video")["feed"]


@LAYOUTS
def test_a_video_of_the_feed_opens_and_leads_the_history(layout: int) -> None:
    driver = opened(layout)
    title = driver.of_role("item")[0]
    with driver.changes():
        driver.tap(title)
    history = driver.data("video")["recent_history"]
    assert history[0] == id_of(title)
    assert len(set(history)) == len(history) <= 12


def test_the_history_keeps_the_last_twelve() -> None:
    driver = opened()
    seen = [f"v{n}" for n in range(12)]
    driver.change("apps", "video", "recent_history", to=seen)
    title = driver.of_role("item")[0]
    driver.tap(title)
    assert len(driver.data("video")["recent_history"]) == 12


@pytest.mark.parametrize(
    ("shelf", "keys"),
    [
        ("Watch later", lambda data: list(data["later"])),
        ("Liked videos", lambda data: [k for k, way in data["likes"].items() if way == "up"]),
        ("History", lambda data: data["recent_history"]),
    ],
)
def test_each_shelf_holds_its_videos(shelf: str, keys: Any) -> None:
    driver = opened()
    driver.tap("Library")
    driver.tap(shelf)
    assert [id_of(title) for title in driver.scroll_through()] == keys(driver.data("video"))
    driver.tap(driver.of_role("item")[0])
    assert driver.page == "video"


def test_a_disliked_video_is_not_on_the_shelf_of_liked_ones() -> None:
    driver = opened()
    driver.change("apps", "video", "likes", to={"v0": "down"})
    driver.tap("Library")
    driver.tap("Liked videos")
    assert driver.sees("Nothing here")


def test_following_nobody_is_said() -> None:
    driver = opened()
    driver.change("apps", "video", "subs", to={})
    driver.tap("Subscriptions")
    assert driver.sees("You follow no channels yet")


# Search


def test_enter_with_nothing_typed_stays_where_it_is() -> None:
    driver = opened()
    driver.tap_icon("search")
    assert driver.sees("Find videos and channels")
    driver.press("enter")
    assert driver.page == "search"


def test_a_search_without_a_result_repeats_the_words() -> None:
    driver = opened()
    driver.tap_icon("search")
    driver.type("qqqq")
    driver.press("enter")
    assert driver.sees("Nothing found for qqqq")
    driver.tap_icon("search")
    assert driver.page == "search"


def test_a_search_for_a_channel_finds_its_videos() -> None:
    channel = channel_of(id_of(TITLE))
    assert id_of(TITLE) in search(channel.upper())


def test_a_search_finds_at_most_ten() -> None:
    assert len(search("e")) == 10
    assert search("") == search("")


# One video


@LAYOUTS
@pytest.mark.parametrize(
    ("icon", "path"),
    [
        ("thumb_up", "likes"),
        ("thumb_down", "likes"),
        ("bookmark", "later"),
        ("download", "downloads"),
    ],
)
def test_each_icon_changes_this_video_and_takes_it_back(icon: str, path: str, layout: int) -> None:
    driver = watching(layout)
    with driver.changes(f"apps.video.{path}.{id_of(TITLE)}"):
        driver.tap_icon(icon)
    driver.tap_icon("bookmark_filled" if icon == "bookmark" else icon)
    assert id_of(TITLE) not in driver.data("video")[path]


def test_sharing_copies_a_link_and_changes_nothing() -> None:
    driver = watching()
    with driver.changes():
        driver.tap_icon("share")
    assert driver.sees("Link copied")


def test_an_icon_that_is_on_is_lit() -> None:
    driver = watching()
    inks = {icon: ink for icon, ink, *_ in driver.looks("glyph")}
    driver.tap_icon("thumb_up")
    lit = {icon: ink for icon, ink, *_ in driver.looks("glyph")}
    assert {icon for icon in lit if lit[icon] != inks.get(icon)} == {"thumb_up"}


def test_the_icons_stand_in_the_order_of_the_phone() -> None:
    driver = watching()
    order = ["download", "share", "thumb_down", "bookmark", "thumb_up"]
    driver.change("apps", "video", "buttons", to=order)
    assert [icon for icon in driver.icons() if icon != "back"] == order


def test_a_video_leads_to_its_channel_and_the_channel_to_its_videos() -> None:
    driver = watching()
    channel = channel_of(id_of(TITLE))
    driver.tap(channel, role="item")
    assert driver.page == "channel"
    assert TITLE in driver.scroll_through()
    with driver.changes(f"apps.video.subs.{channel}"):
        driver.tap("Subscribe")


def test_more_from_the_channel_does_not_repeat_the_video() -> None:
    driver = watching()
    listed = driver.scroll_through()
    assert TITLE not in listed
    others = [text for text in listed if text != channel_of(id_of(TITLE))]
    assert all(channel_of(id_of(title)) == channel_of(id_of(TITLE)) for title in others)


def test_a_video_that_does_not_exist_is_not_available() -> None:
    driver = watching()
    stack = driver.state["ui"]["stacks"]["video"]
    driver.change("ui", "stacks", "video", to=[*stack[:-1], {**stack[-1], "args": {"id": "v999"}}])
    assert driver.sees("This video is not available")


def test_a_subscribed_channel_opens_from_the_list() -> None:
    driver = opened()
    driver.tap("Subscriptions")
    channel = next(iter(driver.data("video")["subs"]))
    driver.tap(channel)
    assert driver.page == "channel"
    assert driver.sees("Subscribed")
