"""What the goals in Music accept, and that the player's icons must be looked at."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed

from distrl.actions import to_text
from distrl.types import Element

SONG = "Glass Umbrella"


def without_clock(elements: tuple[Element, ...]) -> tuple[Element, ...]:
    return tuple(element for element in elements if element.role != "status")


def test_a_paused_song_does_not_play() -> None:
    posed = Posed("play_song", song=SONG)
    posed.open("music")
    posed.tap(SONG, role="item")
    assert posed.reached
    posed.tap_icon("pause")
    assert not posed.reached
    posed.solve()


def test_the_heart_stands_in_five_places_of_equal_players() -> None:
    taps: set[str] = set()
    screens: set[tuple[Element, ...]] = set()
    for seed in range(60):
        posed = Posed("like_song", seed, song=SONG)
        posed.open("music")
        posed.tap(SONG, role="item")
        screens.add(without_clock(posed.elements))
        taps.add(to_text(posed.next_action()))
    assert len(screens) == 1
    assert len(taps) == 5


def test_liking_another_song_is_a_side_effect() -> None:
    posed = Posed("like_song", song=SONG)
    now = posed.data("music")["player"]["song"]
    posed.change("apps", "music", "songs", now, "liked", to=False)
    title = posed.data("music")["songs"][now]["title"]
    posed.open("music")
    posed.tap(title, role="item")
    posed.tap_icon("heart")
    assert not posed.reached
    posed.solve()
    assert set(posed.side_effects) <= {f"apps.music.songs.{now}.liked"}


@pytest.mark.parametrize("switch", ["on", "off"])
def test_shuffle_ends_as_asked_without_starting_the_music(switch: str) -> None:
    posed = Posed("shuffle_music", switch=switch)
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == ()
    assert not posed.data("music")["player"]["playing"]


def test_the_song_must_go_to_the_playlist_that_was_named() -> None:
    posed = Posed("add_to_playlist", song=SONG, playlist="Focus")
    other = next(
        entry["name"]
        for entry in posed.data("music")["playlists"].values()
        if entry["name"] != "Focus"
    )
    posed.open("music")
    posed.long_press(SONG, role="item")
    posed.tap("Add to playlist")
    posed.tap(other)
    assert not posed.reached
    assert len(posed.side_effects) == 1
    posed.solve()


def test_a_song_that_already_plays_can_still_be_added() -> None:
    posed = Posed("add_to_playlist", song=SONG, playlist="Focus")
    posed.open("music")
    posed.tap(SONG, role="item")
    posed.solve()
