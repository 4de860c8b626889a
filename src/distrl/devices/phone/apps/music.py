"""Music: songs, artists, playlists, a player whose buttons are icons, and a small one below."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from functools import lru_cache
from random import Random

from distrl.devices.phone import content, phone_time
from distrl.devices.phone.app import App
from distrl.devices.phone.art import SUBJECTS
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import BODY, SMALL, TITLE, Ui
from distrl.devices.phone.ui.view import WIDTH, Handler

TABS = (
    ("songs", "Songs", "music"),
    ("artists", "Artists", "person"),
    ("playlists", "Playlists", "playlist"),
)
PLAYLISTS = ("Road trip", "Workout", "Focus", "Party", "Sleep", "Sunday")
BUTTONS = ("heart", "shuffle", "repeat", "playlist", "share")
"""The icons below the player; each phone has them in an order of its own."""
_SONGS = 24
_LENGTH = 200
_MINI = 34


@lru_cache(maxsize=512)
def cover_of(artist: str) -> tuple[str, int]:
    """The picture on an artist's records."""
    number = zlib.crc32(artist.encode())
    return SUBJECTS[number % len(SUBJECTS)], number // 16 % 50


def new_song(title: str, artist: str) -> State:
    """A song's record."""
    return {"title": title, "artist": artist, "liked": False}


def shuffled_buttons(rng: Random) -> list[str]:
    """The player's icons in any order."""
    return rng.sample(BUTTONS, len(BUTTONS))


def _to(page: str, key: str) -> Handler:
    return lambda c: c.open(page, id=key)


def _close(control: Control) -> None:
    control.back()


def _play(key: str, *, show: bool = True) -> Handler:
    def play(control: Control) -> None:
        player = {**control.data["player"], "song": key, "playing": True}
        control.write("player", to=player)
        control.write("recent_since", to=control.time)
        if show:
            control.open("player")

    return play


class Music(App):
    """Data: songs by id, playlists by id (name, songs), player, buttons."""

    name = "music"
    title = "Music"
    icon = "music"
    color = (214, 60, 90)
    permission = "access audio on this device"

    def create(self, rng: Random) -> State:
        """24 songs by title, four playlists, one song at rest in the player."""
        chosen = sorted(rng.sample(content.SONGS, _SONGS), key=lambda song: song.title)
        songs = {f"song{i}": new_song(song.title, song.artist) for i, song in enumerate(chosen)}
        for key in rng.sample(list(songs), 3):
            songs[key]["liked"] = True
        return {
            "songs": songs,
            "playlists": {
                f"list{i}": {"name": name, "songs": dict.fromkeys(rng.sample(list(songs), 4), True)}
                for i, name in enumerate(rng.sample(PLAYLISTS, 4))
            },
            "player": {
                "song": rng.choice(list(songs)),
                "playing": False,
                "shuffle": False,
                "repeat": False,
            },
            "buttons": shuffled_buttons(rng),
            "recent_since": 0,
        }

    def page_main(self, ui: Ui) -> None:
        """The chosen tab above the small player."""
        tab = str(ui.var("tab", "songs"))
        ui.bar("Music", [("search", "", self._search)])
        ui.tabs(TABS, tab, lambda key: lambda c: c.set_var("tab", key))
        self._mini(ui)
        songs = ui.data["songs"]
        if tab == "artists":
            self._artists(ui)
        elif tab == "playlists":
            for key, playlist in ui.data["playlists"].items():
                said = f"{len(playlist['songs'])} songs"
                ui.row(playlist["name"], said, icon="playlist", on_tap=_to("playlist", key))
            ui.button("New playlist", self._new_playlist, style="outlined", icon="add")
        else:
            self._list(ui, sorted(songs.items(), key=lambda item: item[1]["title"]))

    def _list(self, ui: Ui, songs: Iterable[tuple[str, State]]) -> None:
        now = ui.data["player"]["song"]
        for key, song in songs:
            mark = "volume" if key == now else "heart_filled" if song["liked"] else ""
            cover = cover_of(song["artist"])
            height = 32 if ui.version % 2 else 36
            paint = ("media", *cover, song["title"], song["artist"], 1.0, mark)
            widget = ui.place(paint, height, "item", song["title"], song["artist"], _play(key))
            if widget is not None:
                widget.on_long = _to("actions", key)

    def _artists(self, ui: Ui) -> None:
        counts: dict[str, int] = {}
        for song in ui.data["songs"].values():
            counts[song["artist"]] = counts.get(song["artist"], 0) + 1
        for artist, count in sorted(counts.items()):
            said = "1 song" if count == 1 else f"{count} songs"
            ui.row(artist, said, icon="person", on_tap=_to("artist", artist))

    def _mini(self, ui: Ui) -> None:
        """The song in the player, fixed at the bottom of the page."""
        player = ui.data["player"]
        song = ui.data["songs"].get(player["song"])
        if song is None:
            return
        y = ui.bottom_strip(_MINI)
        ui.pin(("photo", *cover_of(song["artist"])), (4, y + 3, 28, 28))
        ui.pin(
            ("line", song["title"], BODY, "text", "surface", "left", False),
            (34, y, WIDTH - 64, _MINI),
            "button",
            song["title"],
            "Now playing" if player["playing"] else "Paused",
            lambda c: c.open("player"),
        )
        icon = "pause" if player["playing"] else "play"
        box = (WIDTH - 30, y, 30, _MINI)
        ui.pin(("glyph", icon, "text", "surface"), box, "button", "", "", self._flip("playing"))

    def page_artist(self, ui: Ui) -> None:
        """The songs of one artist."""
        artist = ui.args["id"]
        ui.bar(artist)
        self._mini(ui)
        ui.picture(("photo", *cover_of(artist)), 90)
        self._list(ui, (item for item in ui.data["songs"].items() if item[1]["artist"] == artist))

    def page_playlist(self, ui: Ui) -> None:
        """The songs of one playlist."""
        playlist = ui.data["playlists"].get(ui.args["id"])
        if playlist is None:
            ui.bar("Playlist")
            ui.empty("This playlist was deleted", "playlist")
            return
        ui.bar(playlist["name"])
        self._mini(ui)
        songs = ui.data["songs"]
        held = [(key, songs[key]) for key in playlist["songs"] if key in songs]
        if not held:
            ui.empty("No songs yet", "playlist")
            return
        ui.button("Play", _play(held[0][0]), icon="play")
        self._list(ui, held)

    def page_search(self, ui: Ui) -> None:
        """Songs by title or artist."""
        ui.search_bar("query", "Songs and artists", lambda c: None)
        query = ui.text_of("query").lower()
        if not query:
            ui.empty("What do you want to hear?", "music")
            return
        found = [
            item
            for item in ui.data["songs"].items()
            if query in item[1]["title"].lower() or query in item[1]["artist"].lower()
        ]
        self._list(ui, found)
        if not found:
            ui.empty("Nothing found", "search")

    def _search(self, control: Control) -> None:
        control.open("search")
        control.focus("query")

    # The player

    def page_player(self, ui: Ui) -> None:
        """One song: its cover, the transport keys, and a row of icons in the phone's own order."""
        player = ui.data["player"]
        song = ui.data["songs"].get(player["song"])
        ui.bar("Now playing")
        if song is None:
            ui.empty("Nothing is playing", "music")
            return
        if ui.version % 2 == 0:
            self._buttons(ui, song, player)
        ui.picture(("photo", *cover_of(song["artist"])), 150)
        ui.space(4)
        ui.text(song["title"], TITLE, align="center", bold=True)
        ui.text(song["artist"], SMALL, ink="muted", align="center")
        since = int(ui.data["recent_since"])
        share = (ui.time - since) % _LENGTH * 20 // _LENGTH * 5 if player["playing"] else 0
        ui.place(("progress", share, ui.color), 14)
        self._transport(ui, playing=bool(player["playing"]))
        if ui.version % 2:
            self._buttons(ui, song, player)

    def _transport(self, ui: Ui, *, playing: bool) -> None:
        y = ui.y
        ui.space(42)
        for x, icon, handler in ((24, "previous", self._skip(-1)), (120, "next", self._skip(1))):
            box = (x, y + 4, 36, 34)
            ui.place_at(("glyph", icon, "text", "bg"), box, "button", "", "", handler)
        icon = "pause" if playing else "play"
        paint = ("round_button", icon, "white", ui.color)
        ui.place_at(paint, (70, y, 40, 40), "button", "", "", self._flip("playing"))

    def _buttons(self, ui: Ui, song: State, player: State) -> None:
        heart = "heart_filled" if song["liked"] else "heart"
        handlers: dict[str, tuple[str, Handler]] = {
            "heart": (heart, self._like(player["song"])),
            "shuffle": ("shuffle", self._flip("shuffle")),
            "repeat": ("repeat", self._flip("repeat")),
            "playlist": ("playlist", _to("add", player["song"])),
            "share": ("share", lambda c: c.toast("No device found")),
        }
        on = {"heart": song["liked"], "shuffle": player["shuffle"], "repeat": player["repeat"]}
        order = ui.data["buttons"]
        ui.icon_buttons(
            [(handlers[name][0], "", handlers[name][1]) for name in order],
            size=30,
            lit=[place for place, name in enumerate(order) if on.get(name)],
        )

    def _flip(self, key: str) -> Handler:
        return lambda c: c.write("player", key, to=not c.data["player"][key])

    def _like(self, key: str) -> Handler:
        return lambda c: c.write("songs", key, "liked", to=not c.data["songs"][key]["liked"])

    def _skip(self, step: int) -> Handler:
        def skip(control: Control) -> None:
            songs, player = list(control.data["songs"]), control.data["player"]
            # Unforeseeable for the user, but the same for the same phone time, so that an episode
            # can be replayed.
            if player["shuffle"]:
                place = phone_time.minute_of(control.time) * 7 + control.time
            else:
                place = songs.index(player["song"]) + step
            _play(songs[place % len(songs)], show=False)(control)

        return skip

    # Playlists

    def dialog_actions(self, ui: Ui) -> None:
        """The menu of a long press on a song."""
        key = ui.args["id"]
        song = ui.data["songs"].get(key)
        if song is None:
            ui.menu([("Close", _close)])
            return
        ui.menu(
            [
                ("Add to playlist", lambda c: c.replace("add", id=key)),
                ("Go to artist", lambda c: c.replace("artist", id=song["artist"])),
            ]
        )

    def dialog_add(self, ui: Ui) -> None:
        """Choose a playlist for a song."""
        key = ui.args["id"]
        choices = [
            (playlist["name"], key in playlist["songs"], self._add(key, name))
            for name, playlist in list(ui.data["playlists"].items())[:9]
        ]
        ui.dialog("Add to playlist", "", [("Cancel", _close)], choices=choices)

    def _add(self, key: str, playlist: str) -> Handler:
        def add(control: Control) -> None:
            control.write("playlists", playlist, "songs", key, to=True)
            control.back()
            control.toast("Added")

        return add

    def _new_playlist(self, control: Control) -> None:
        control.open("playlist_name")
        control.focus("name")

    def dialog_playlist_name(self, ui: Ui) -> None:
        """Name a new playlist."""
        name = ui.text_of("name")
        taken = any(playlist["name"] == name for playlist in ui.data["playlists"].values())
        buttons = [("Cancel", _close), ("Create", self._create if name and not taken else None)]
        ui.dialog("New playlist", "", buttons, fields=[("name", "Playlist name")])

    def _create(self, control: Control) -> None:
        playlist = {"name": control.text("name"), "songs": {}}
        control.write("playlists", control.new_id("list"), to=playlist)
        control.back()
        control.toast("Playlist created")
