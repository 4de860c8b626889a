"""Music: songs, the player with its wordless buttons, and playlists."""

from __future__ import annotations

import pytest
from tests.devices.phone.driver import Driver

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])


def opened(layout: int = 1) -> Driver:
    driver = Driver(seed=3, layout=layout)
    driver.open("music")
    return driver


def some_song(driver: Driver) -> tuple[str, str]:
    """A song that is not in the player: its id and title."""
    now = driver.data("music")["player"]["song"]
    songs = driver.data("music")["songs"]
    return next((key, song["title"]) for key, song in songs.items() if key != now)


@LAYOUTS
def test_tapping_a_song_plays_it_and_shows_the_player(layout: int) -> None:
    driver = opened(layout)
    key, title = some_song(driver)
    driver.tap(title, role="item")
    assert driver.page == "player"
    player = driver.data("music")["player"]
    assert (player["song"], player["playing"]) == (key, True)


def test_a_search_by_artist_finds_their_songs() -> None:
    driver = opened()
    song = driver.data("music")["songs"]["song0"]
    driver.tap_icon("search")
    driver.type(song["artist"].upper())
    assert song["title"] in [e.text for e in driver.elements if e.role == "item"]


@LAYOUTS
def test_the_small_player_pauses_and_leads_to_the_large_one(layout: int) -> None:
    driver = opened(layout)
    driver.tap_icon("play")
    assert driver.data("music")["player"]["playing"]
    driver.tap_icon("pause")
    assert not driver.data("music")["player"]["playing"]
    driver.tap("Paused")
    assert driver.page == "player"


def test_the_icons_of_the_player_stand_in_the_order_of_the_phone() -> None:
    order = ["share", "heart", "playlist", "repeat", "shuffle"]
    driver = opened()
    driver.change("apps", "music", "buttons", to=order)
    key, title = some_song(driver)
    driver.change("apps", "music", "songs", key, "liked", to=False)
    driver.tap(title, role="item")
    assert [icon for icon in driver.icons() if icon in order] == order
    driver.tap_icon("heart")
    driver.tap_icon("shuffle")
    driver.tap_icon("repeat")
    assert driver.data("music")["songs"][key]["liked"]
    assert driver.data("music")["player"]["shuffle"]
    assert driver.data("music")["player"]["repeat"]


def test_next_and_previous_undo_each_other() -> None:
    driver = opened()
    key, title = some_song(driver)
    driver.tap(title, role="item")
    driver.tap_icon("next")
    assert driver.data("music")["player"]["song"] != key
    driver.tap_icon("previous")
    assert driver.data("music")["player"]["song"] == key


def test_a_song_goes_to_a_new_playlist() -> None:
    driver = opened()
    key, title = some_song(driver)
    driver.tap("Playlists")
    driver.tap("New playlist")
    driver.type("Rainy days")
    driver.tap("Create")
    driver.tap("Songs")
    driver.long_press(title, role="item")
    driver.tap("Add to playlist")
    driver.tap("Rainy days")
    lists = driver.data("music")["playlists"].values()
    assert next(entry for entry in lists if entry["name"] == "Rainy days")["songs"] == {key: True}
