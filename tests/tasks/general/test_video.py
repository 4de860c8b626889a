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
