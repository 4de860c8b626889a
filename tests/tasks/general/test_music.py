"""What the goals in Music accept, and that the player's icons must be looked at."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed, added, neighbour

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


def test_a_song_plays_from_wherever_it_was_chosen() -> None:
    artist = Posed("play_song", song=SONG).data("music")["songs"]["target"]["artist"]
    for tab in ("Songs", "Artists"):
        posed = Posed("play_song", song=SONG)
        posed.open("music")
        posed.tap(tab, role="tab")
        if tab == "Artists":
            posed.tap(artist, role="item")
        posed.tap(SONG, role="item")
        assert posed.reached
        assert posed.side_effects == ()


def test_another_song_that_plays_is_not_the_one() -> None:
    posed = Posed("play_song", song=SONG)
    _, other = neighbour(posed.data("music")["songs"])
    posed.open("music")
    posed.tap(other["title"], role="item")
    assert posed.data("music")["player"]["playing"]
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == ()


def test_turning_shuffle_or_repeat_on_while_it_plays_is_a_side_effect() -> None:
    posed = Posed("play_song", song=SONG)
    posed.solve()
    assert posed.page == "player"
    posed.tap_icon("shuffle")
    posed.tap_icon("repeat")
    assert posed.reached
    assert posed.side_effects == ("apps.music.player.repeat", "apps.music.player.shuffle")


def test_a_liked_song_must_play_as_well() -> None:
    posed = Posed("like_song", song=SONG)
    posed.change("apps", "music", "songs", "target", "liked", to=True)
    assert not posed.reached
    posed.open("music")
    posed.tap(SONG, role="item")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_heart_that_is_taken_back_does_not_count() -> None:
    posed = Posed("like_song", song=SONG)
    posed.solve()
    posed.tap_icon("heart_filled")
    assert not posed.reached


@pytest.mark.parametrize("switch", ["on", "off"])
def test_shuffle_that_was_pressed_twice_is_where_it_was(switch: str) -> None:
    posed = Posed("shuffle_music", switch=switch)
    music = posed.data("music")
    posed.open("music")
    posed.tap(music["songs"][music["player"]["song"]]["title"], role="button")
    posed.tap_icon("shuffle")
    assert posed.reached
    posed.tap_icon("shuffle")
    assert not posed.reached


def test_repeat_is_not_shuffle() -> None:
    posed = Posed("shuffle_music", switch="on")
    music = posed.data("music")
    posed.open("music")
    posed.tap(music["songs"][music["player"]["song"]]["title"], role="button")
    posed.tap_icon("repeat")
    assert not posed.reached
    assert posed.side_effects == ("apps.music.player.repeat",)


def test_a_song_can_be_added_from_the_player_too() -> None:
    posed = Posed("add_to_playlist", song=SONG, playlist="Focus")
    posed.open("music")
    posed.tap(SONG, role="item")
    posed.tap_icon("playlist")
    posed.tap("Focus")
    assert posed.reached
    assert posed.side_effects == ()


def test_another_song_on_the_playlist_is_a_side_effect() -> None:
    posed = Posed("add_to_playlist", song=SONG, playlist="Focus")
    key, other = neighbour(posed.data("music")["songs"])
    posed.open("music")
    posed.long_press(other["title"], role="item")
    posed.tap("Add to playlist")
    posed.tap("Focus")
    assert not posed.reached
    assert posed.side_effects == (f"apps.music.playlists.target.songs.{key}",)


def test_a_new_playlist_of_another_name_is_a_side_effect() -> None:
    posed = Posed("add_to_playlist", song=SONG, playlist="Focus")
    before = posed.data("music")["playlists"]
    posed.open("music")
    posed.tap("Playlists", role="tab")
    posed.tap("New playlist")
    posed.type("Mine")
    posed.tap("Create")
    assert not posed.reached
    assert posed.side_effects == (
        f"apps.music.playlists.{added(posed.data('music')['playlists'], before)}",
    )
