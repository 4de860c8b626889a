"""Goals in the Music app. The player's icons stand in an order that differs by phone."""

from __future__ import annotations

from random import Random

from distrl.devices.phone import content
from distrl.devices.phone.apps.music import PLAYLISTS, new_song, shuffled_buttons
from distrl.devices.phone.control import Control
from distrl.tasks.allowed_changes import fields_of
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import SONG, SWITCH, closed
from distrl.tasks.template import Params, Scene, Template

PLAYLIST = closed("playlist", *PLAYLISTS)
_PLAYED = fields_of("apps.music.player", "song", "playing")
_ARTIST_OF = {song.title: song.artist for song in content.SONGS}


def _put_song(control: Control, title: str, rng: Random) -> None:
    """The phone has exactly one song of this title, with the id `target`; another one rests."""
    songs = control.state["apps"]["music"]["songs"]
    kept = {k: s for k, s in songs.items() if s["title"] != title}
    now = rng.choice(list(kept))
    kept["target"] = new_song(title, _ARTIST_OF[title])
    control.write_root("apps", "music", "songs", to=kept)
    control.write_root("apps", "music", "player", "song", to=now)
    control.write_root("apps", "music", "buttons", to=shuffled_buttons(rng))


class PlaySong(Template):
    """A song plays."""

    name = "play_song"
    phrasings = (
        "Play the song {song}",
        "Put on {song}",
        "I want to hear {song}",
        "Search for {song} in Music and play it",
    )
    params = {"song": SONG}
    allows = _PLAYED

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The phone has it, and it does not play."""
        _put_song(control, p["song"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It plays."""
        player = scene.data("music")["player"]
        return player["song"] == "target" and bool(player["playing"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Search for it and tap it."""
        hand.open("music")
        if hand.at("search"):
            hand.type("query", p["song"])
            hand.tap(p["song"], role="item")
        hand.on("main")
        hand.tap_icon("search")


class LikeSong(Template):
    """A song is liked, by a heart among icons in any order."""

    name = "like_song"
    unseen = True
    phrasings = (
        "Play {song} and like it",
        "Give the song {song} a heart while it plays",
        "Start {song} in Music and mark it as liked",
    )
    params = {"song": SONG}
    allows = (*_PLAYED, "apps.music.songs.target.liked")
    visual = True

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The phone has it, and it is not liked."""
        _put_song(control, p["song"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It plays and is liked."""
        music = scene.data("music")
        playing = music["player"]["song"] == "target" and music["player"]["playing"]
        return bool(playing and music["songs"]["target"]["liked"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap the song, then the heart."""
        hand.open("music")
        player = hand.data("music")["player"]
        if hand.at("player") and player["song"] == "target":
            if not player["playing"]:
                hand.tap_icon("play")
            hand.tap_icon("heart")
        hand.on("main")
        hand.tab("Songs")
        hand.tap(p["song"], role="item")


class ShuffleMusic(Template):
    """Shuffle is on or off, by an icon among others in any order."""

    name = "shuffle_music"
    unseen = True
    phrasings = (
        "Turn {switch} shuffle in the music player",
        "Switch shuffle {switch} for my music",
        "Set shuffle to {switch} in Music",
        "I want the player's shuffle mode {switch}",
        "Open Music and turn its shuffle {switch}",
        "Make the music player's random order {switch}",
        "Music shuffle {switch}",
    )
    params = {"switch": SWITCH}
    allows = ("apps.music.player.shuffle",)
    visual = True

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is the other way round."""
        music = control.state["apps"]["music"]
        player = {**music["player"], "shuffle": p["switch"] == "off"}
        control.write_root("apps", "music", "player", to=player)
        control.write_root("apps", "music", "buttons", to=shuffled_buttons(rng))

    def check(self, scene: Scene, p: Params) -> bool:
        """It is as asked."""
        on = bool(scene.data("music")["player"]["shuffle"])
        return on is (p["switch"] == "on")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the player from the small one and press the crossed arrows."""
        hand.open("music")
        if hand.at("player"):
            hand.tap_icon("shuffle")
        hand.on("main")
        music = hand.data("music")
        hand.tap(music["songs"][music["player"]["song"]]["title"], role="button")


class AddToPlaylist(Template):
    """A playlist holds a song."""

    name = "add_to_playlist"
    unseen = True
    phrasings = (
        "Add the song {song} to my {playlist} playlist",
        "Put {song} on the playlist {playlist}",
        "I would like {song} in my playlist called {playlist}",
    )
    params = {"song": SONG, "playlist": PLAYLIST}
    # The player has a button for it too, and only the song that plays can be added there.
    allows = ("apps.music.playlists.target.songs.target", *_PLAYED)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The playlist exists without the song."""
        _put_song(control, p["song"], rng)
        lists = control.state["apps"]["music"]["playlists"]
        kept = {k: entry for k, entry in lists.items() if entry["name"] != p["playlist"]}
        kept["target"] = {"name": p["playlist"], "songs": {}}
        control.write_root("apps", "music", "playlists", to=kept)

    def check(self, scene: Scene, p: Params) -> bool:
        """It holds the song."""
        return "target" in scene.data("music")["playlists"]["target"]["songs"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Hold the song, choose the menu's entry, choose the playlist."""
        hand.open("music")
        if hand.at("add", id="target"):
            hand.tap(p["playlist"], role="radio")
        if hand.at("actions", id="target"):
            hand.tap("Add to playlist")
        hand.on("main")
        hand.tab("Songs")
        hand.tap(p["song"], role="item", hold=True)


TEMPLATES: tuple[Template, ...] = (PlaySong(), LikeSong(), ShuffleMusic(), AddToPlaylist())
