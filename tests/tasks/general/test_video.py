"""What the goals in Videos accept, and that the icons below a video must be looked at."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed

from distrl.actions import to_text
from distrl.devices.phone.apps.video import channel_of, id_of
from distrl.types import Element

VIDEO = "Moss Lawn in Spring"


def without_clock(elements: tuple[Element, ...]) -> tuple[Element, ...]:
    return tuple(element for element in elements if element.role != "status")


def test_only_a_search_leads_to_a_video_that_the_feed_does_not_have() -> None:
    posed = Posed("play_video", video=VIDEO)
    assert id_of(VIDEO) not in posed.data("video")["feed"]
    posed.solve()
    assert posed.side_effects == ()


def test_another_video_of_the_channel_is_not_the_one_to_watch() -> None:
    posed = Posed("watch_from_home", video=VIDEO)
    posed.open("video")
    posed.tap(VIDEO, role="item")
    assert posed.reached
    posed.tap("Building a Tiny Pond", role="item")
    assert not posed.reached
    posed.solve()


@pytest.mark.parametrize("template", ["like_video", "watch_later"])
def test_the_right_icon_stands_in_five_places_of_equal_pages(template: str) -> None:
    taps: set[str] = set()
    screens: set[tuple[Element, ...]] = set()
    for seed in range(60):
        posed = Posed(template, seed, video=VIDEO)
        posed.open("video")
        posed.tap(VIDEO, role="item")
        screens.add(without_clock(posed.elements))
        taps.add(to_text(posed.next_action()))
    assert len(screens) == 1
    assert len(taps) == 5


def test_a_thumb_down_is_no_like_and_can_be_turned() -> None:
    posed = Posed("like_video", video=VIDEO)
    posed.open("video")
    posed.tap(VIDEO, role="item")
    posed.tap_icon("thumb_down")
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == ()


def test_the_channel_can_also_be_followed_on_its_own_page() -> None:
    posed = Posed("subscribe_channel", video=VIDEO)
    posed.open("video")
    posed.tap(VIDEO, role="item")
    posed.tap(channel_of(id_of(VIDEO)))
    posed.tap("Subscribe")
    assert posed.reached
    assert posed.side_effects == ()


def test_the_history_is_not_empty_at_the_start_and_is_at_the_end() -> None:
    posed = Posed("clear_watch_history")
    assert not posed.reached
    assert posed.data("video")["recent_history"]
    posed.solve()
    assert posed.data("video")["recent_history"] == []


def _watch(posed: Posed, title: str) -> None:
    posed.open("video")
    posed.tap_icon("search")
    posed.fill("Search videos", title)
    posed.press("enter")
    posed.tap(title, role="item")


def test_results_of_a_search_are_not_the_video() -> None:
    posed = Posed("play_video", video=VIDEO)
    posed.open("video")
    posed.tap_icon("search")
    posed.fill("Search videos", VIDEO)
    assert not posed.reached
    posed.press("enter")
    assert posed.page == "results"
    assert not posed.reached
    posed.tap(VIDEO, role="item")
    assert posed.reached


def test_a_video_of_the_feed_may_be_searched_for_as_well() -> None:
    posed = Posed("watch_from_home", video=VIDEO)
    assert id_of(VIDEO) in posed.data("video")["feed"][:5]
    _watch(posed, VIDEO)
    assert posed.reached
    assert posed.side_effects == ()


def test_a_thumb_that_is_taken_back_does_not_count() -> None:
    posed = Posed("like_video", video=VIDEO)
    _watch(posed, VIDEO)
    posed.tap_icon("thumb_up")
    assert posed.reached
    assert posed.side_effects == ()
    posed.tap_icon("thumb_up")
    assert not posed.reached
    assert posed.side_effects == ()


OTHER = "Building a Tiny Pond"


@pytest.mark.parametrize(
    ("template", "icon", "shelf"),
    [("like_video", "thumb_up", "likes"), ("watch_later", "bookmark", "later")],
)
def test_doing_it_to_another_video_is_a_side_effect(template: str, icon: str, shelf: str) -> None:
    posed = Posed(template, video=VIDEO)
    _watch(posed, OTHER)
    posed.tap_icon(icon)
    assert not posed.reached
    assert posed.side_effects == (f"apps.video.{shelf}.{id_of(OTHER)}",)


def test_losing_what_was_on_the_shelf_before_is_a_side_effect() -> None:
    posed = Posed("watch_later", video=VIDEO)
    lost = set(posed.data("video")["later"])
    assert lost
    posed.change("apps", "video", "later", to={id_of(VIDEO): True})
    assert posed.reached
    assert set(posed.side_effects) == {f"apps.video.later.{key}" for key in lost}


def test_a_download_is_no_bookmark() -> None:
    posed = Posed("watch_later", video=VIDEO)
    _watch(posed, VIDEO)
    posed.tap_icon("download")
    assert not posed.reached
    assert posed.side_effects == (f"apps.video.downloads.{id_of(VIDEO)}",)
    posed.tap_icon("bookmark")
    assert posed.reached
    posed.tap_icon("bookmark_filled")
    assert not posed.reached


def test_a_subscription_that_was_ended_again_does_not_count() -> None:
    posed = Posed("subscribe_channel", video=VIDEO)
    _watch(posed, VIDEO)
    posed.tap("Subscribe")
    assert posed.reached
    posed.tap("Subscribed")
    assert not posed.reached
    assert posed.side_effects == ()


def test_ending_another_subscription_is_a_side_effect() -> None:
    posed = Posed("subscribe_channel", video=VIDEO)
    channel = next(iter(posed.data("video")["subs"]))
    posed.solve()
    posed.open("video")
    posed.press("back")
    posed.tap("Subscriptions", role="tab")
    posed.tap(channel, role="item")
    posed.tap("Subscribed")
    assert posed.reached
    assert posed.side_effects == (f"apps.video.subs.{channel}",)


def test_a_history_that_is_asked_about_is_not_cleared_yet() -> None:
    posed = Posed("clear_watch_history")
    posed.open("video")
    posed.tap("Library", role="tab")
    posed.tap("History", role="item")
    posed.tap_icon("delete")
    posed.tap("Cancel")
    assert not posed.reached
    posed.tap_icon("delete")
    posed.tap("Clear")
    assert posed.reached
    assert posed.side_effects == ()
