"""Music: songs, the player with its wordless buttons, and playlists."""

from __future__ import annotations

from collections import Counter

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


def songs(driver: Driver) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = driver.data("music")["songs"]
    return found


def playing(layout: int = 1) -> tuple[Driver, str]:
    """The player with a song in it: the driver and the song's id."""
    driver = opened(layout)
    key, title = some_song(driver)
    driver.change("apps", "music", "songs", key, "liked", to=False)
    driver.tap(title, role="item")
    return driver, key


# Lists


@LAYOUTS
def test_all_songs_are_listed_by_title(layout: int) -> None:
    driver = opened(layout)
    assert driver.scroll_through() == sorted(str(song["title"]) for song in songs(driver).values())


def test_the_song_in_the_player_and_liked_songs_are_marked() -> None:
    driver = opened()
    marks = {title: mark for _, _, title, _, _, mark in driver.looks("media")}
    now = driver.data("music")["player"]["song"]
    for key, song in songs(driver).items():
        if song["title"] in marks:
            liked = "heart_filled" if song["liked"] else ""
            assert marks[str(song["title"])] == ("volume" if key == now else liked)


@LAYOUTS
def test_artists_are_listed_with_their_songs(layout: int) -> None:
    driver = opened(layout)
    driver.tap("Artists")
    counts = Counter(str(song["artist"]) for song in songs(driver).values())
    assert driver.scroll_through() == sorted(counts)
    artist, count = counts.most_common(1)[0]
    for _ in range(9):
        driver.swipe("down")
    driver.tap(artist, role="item")
    assert len(driver.scroll_through()) == count
    assert driver.page == "artist"


def test_one_song_is_not_called_songs() -> None:
    driver = opened()
    key, _ = some_song(driver)
    driver.change("apps", "music", "songs", to={key: songs(driver)[key]})
    driver.tap("Artists")
    assert driver.element(str(songs(driver)[key]["artist"])).description == "1 song"


def test_the_search_looks_at_titles_and_says_when_it_finds_nothing() -> None:
    driver = opened()
    _, title = some_song(driver)
    driver.tap_icon("search")
    assert driver.sees("What do you want to hear?")
    driver.type(title.lower())
    assert title in driver.of_role("item")
    driver.type("qqqq")
    assert driver.sees("Nothing found")


# The player


@LAYOUTS
@pytest.mark.parametrize("button", ["shuffle", "repeat"])
def test_shuffle_and_repeat_are_switched_alone(button: str, layout: int) -> None:
    driver, _ = playing(layout)
    with driver.changes(f"apps.music.player.{button}"):
        driver.tap_icon(button)
    with driver.changes(f"apps.music.player.{button}"):
        driver.tap_icon(button)


def test_the_heart_likes_the_song_in_the_player_alone() -> None:
    driver, key = playing()
    with driver.changes(f"apps.music.songs.{key}.liked"):
        driver.tap_icon("heart")
    driver.tap_icon("heart_filled")
    assert not songs(driver)[key]["liked"]


@LAYOUTS
def test_the_large_player_pauses_and_plays(layout: int) -> None:
    driver, _ = playing(layout)
    with driver.changes("apps.music.player.playing"):
        driver.tap_icon("pause")
    driver.tap_icon("play")
    assert driver.data("music")["player"]["playing"]


def test_the_bar_of_the_player_fills_while_it_plays() -> None:
    driver, _ = playing()
    start = driver.looks("progress")[0][0]
    driver.wait(20)
    later = driver.looks("progress")[0][0]
    assert start < later <= 100
    driver.tap_icon("pause")
    assert driver.looks("progress")[0][0] == 0


def test_songs_wrap_around_at_both_ends() -> None:
    driver = opened()
    keys = list(songs(driver))
    driver.tap(str(songs(driver)[keys[0]]["title"]), role="item")
    driver.tap_icon("previous")
    assert driver.data("music")["player"]["song"] == keys[-1]
    driver.tap_icon("next")
    assert driver.data("music")["player"]["song"] == keys[0]


def test_skipping_starts_a_song_that_was_paused() -> None:
    driver, _ = playing()
    driver.tap_icon("pause")
    driver.tap_icon("next")
    assert driver.data("music")["player"]["playing"]


def test_shuffled_skipping_stays_among_the_songs() -> None:
    driver, _ = playing()
    driver.tap_icon("shuffle")
    heard = set()
    for _ in range(12):
        driver.tap_icon("next")
        heard.add(driver.data("music")["player"]["song"])
    assert heard <= set(songs(driver))
    assert len(heard) > 3


def test_music_plays_on_behind_another_app() -> None:
    driver, key = playing()
    driver.press("home")
    driver.wait(3)
    player = driver.data("music")["player"]
    assert (player["song"], player["playing"]) == (key, True)
    driver.open("music")
    driver.back()
    assert driver.sees("Now playing")


def test_a_player_without_a_song_says_so_and_the_small_one_is_gone() -> None:
    driver, _ = playing()
    driver.change("apps", "music", "songs", to={})
    assert driver.sees("Nothing is playing")
    driver.back()
    assert not driver.shows("Now playing")


def test_sharing_finds_no_device() -> None:
    driver, _ = playing()
    with driver.changes():
        driver.tap_icon("share")
    assert driver.sees("No device found")


# Playlists


def test_a_song_goes_to_a_playlist_from_the_player() -> None:
    driver, key = playing()
    name = next(
        entry["name"]
        for entry in driver.data("music")["playlists"].values()
        if key not in entry["songs"]
    )
    driver.tap_icon("playlist")
    assert not driver.element(name, "radio").checked
    with driver.changes(f"apps.music.playlists.*.songs.{key}"):
        driver.tap(name, role="radio")
    assert driver.sees("Added")
    driver.tap_icon("playlist")
    assert driver.element(name, "radio").checked
    with driver.changes():
        driver.tap("Cancel")


@LAYOUTS
def test_a_playlist_plays_from_its_first_song(layout: int) -> None:
    driver = opened(layout)
    driver.tap("Playlists")
    entry = driver.data("music")["playlists"]["list0"]
    driver.tap(entry["name"], role="item")
    titles = [songs(driver)[key]["title"] for key in entry["songs"]]
    assert driver.of_role("item") == titles
    driver.tap("Play")
    assert driver.data("music")["player"]["song"] == next(iter(entry["songs"]))


def test_an_empty_playlist_and_one_that_is_gone_say_so() -> None:
    driver = opened()
    driver.change("apps", "music", "playlists", to={"x": {"name": "Silence", "songs": {}}})
    driver.tap("Playlists")
    assert driver.element("Silence").description == "0 songs"
    driver.tap("Silence")
    assert driver.sees("No songs yet")
    driver.change("apps", "music", "playlists", to={})
    assert driver.sees("This playlist was deleted")


def test_a_playlist_needs_a_name_of_its_own() -> None:
    driver = opened()
    driver.tap("Playlists")
    driver.tap("New playlist")
    assert not driver.can_tap("Create")
    driver.type(driver.data("music")["playlists"]["list0"]["name"])
    assert not driver.can_tap("Create")
    with driver.changes():
        driver.tap("Cancel")
    driver.tap("New playlist")
    driver.type("Rainy days")
    with driver.changes("apps.music.playlists.list-*"):
        driver.tap("Create")
    assert driver.sees("Playlist created")


def test_the_menu_of_a_song_leads_to_its_artist() -> None:
    driver = opened()
    key, title = some_song(driver)
    driver.long_press(title, role="item")
    driver.tap("Go to artist")
    assert driver.page == "artist"
    assert driver.sees(str(songs(driver)[key]["artist"]))
    driver.back()
    assert driver.page == "main"


def test_the_menu_of_a_song_that_is_gone_can_only_be_closed() -> None:
    driver = opened()
    _, title = some_song(driver)
    driver.long_press(title, role="item")
    driver.change("apps", "music", "songs", to={})
    driver.tap("Close")
    assert driver.page == "main"
