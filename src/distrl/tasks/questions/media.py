"""Questions about files, music and notes."""

from __future__ import annotations

from random import Random

from distrl.devices.phone import content, phone_time
from distrl.devices.phone.apps.music import PLAYLISTS
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.tasks.answers import same_answer
from distrl.tasks.general import files, music, notes
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import closed
from distrl.tasks.question import Question
from distrl.tasks.template import Params, Scene, Template


class FileSize(Question):
    """The size of a file."""

    name = "q_file_size"
    phrasings = (
        "How large is the file {file}?",
        "What is the size of {file}?",
        "How much space does {file} take?",
    )
    place = files.OpenFile()

    def right(self, state: State, p: Params) -> str:
        """Its size with the unit."""
        kb = state["apps"]["files"]["files"]["target"]["kb"]
        return f"{kb} KB" if kb < 1000 else f"{kb / 1000:.1f} MB"


class FileDate(Question):
    """When a file was changed."""

    name = "q_file_date"
    phrasings = (
        "When was {file} last modified?",
        "On which day was the file {file} changed?",
        "What is the date of the file {file}?",
    )
    place = files.OpenFile()

    def right(self, state: State, p: Params) -> str:
        """Its date."""
        return phone_time.date_text(state["apps"]["files"]["files"]["target"]["day"])


class SongArtist(Question):
    """Who sings a song."""

    name = "q_song_artist"
    phrasings = (
        "Who sings {song}?",
        "Which artist is the song {song} by?",
        "Look up {song} in Music and tell me the artist",
    )
    params = music.PlaySong.params

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The phone has it, by anybody."""
        music.PlaySong().setup(control, p, rng)
        artist = rng.choice(sorted({song.artist for song in content.SONGS}))
        control.write_root("apps", "music", "songs", "target", "artist", to=artist)

    def look(self, hand: Hand, p: Params) -> None:
        """A search for it is in front."""
        hand.open("music")
        if hand.at("search"):
            hand.type("query", p["song"])
            return
        hand.on("main")
        hand.tap_icon("search")

    def right(self, state: State, p: Params) -> str:
        """The artist's name."""
        return str(state["apps"]["music"]["songs"]["target"]["artist"])


class PlaylistCount(Question):
    """How many songs a playlist has."""

    name = "q_playlist_count"
    weight = 0.5
    phrasings = (
        "How many songs are in my playlist {playlist}?",
        "Count the songs of the playlist {playlist}",
        "How long is the {playlist} playlist, in songs?",
        "Tell me the number of songs in {playlist}",
        "What number of songs does the playlist {playlist} have?",
    )
    params = {"playlist": closed("playlist", *PLAYLISTS)}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It has a few."""
        held = control.state["apps"]["music"]
        key = next(iter(held["playlists"]))
        songs = rng.sample(list(held["songs"]), rng.randint(2, 12))
        others = {
            k: playlist
            for k, playlist in held["playlists"].items()
            if playlist["name"] != p["playlist"]
        }
        playlist = {**held["playlists"][key], "name": p["playlist"], "songs": songs}
        control.write_root("apps", "music", "playlists", to={**others, "target": playlist})

    def look(self, hand: Hand, p: Params) -> None:
        """The list of playlists is in front."""
        hand.open("music")
        hand.on("main")
        hand.tab("Playlists")
        if not hand.sees(p["playlist"]):
            hand.scroll_to(p["playlist"])

    def right(self, state: State, p: Params) -> str:
        """Its songs."""
        return f"{self._count(state)} songs"

    def check(self, scene: Scene, p: Params) -> bool:
        """The number alone is enough."""
        said = scene.answer
        return said is not None and same_answer(said, str(self._count(scene.before)))

    def _count(self, state: State) -> int:
        return len(state["apps"]["music"]["playlists"]["target"]["songs"])


class NoteText(Question):
    """What a note says."""

    name = "q_note_text"
    phrasings = (
        "What does my note {title} say?",
        "What is written in the note {title}?",
        "Read me the text of the note called {title}",
    )
    params = notes.OpenNote.params

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It says something."""
        notes.OpenNote().setup(control, p, rng)
        body = rng.choice(content.REMINDERS)
        control.write_root("apps", "notes", "notes", "target", "body", to=body)

    def look(self, hand: Hand, p: Params) -> None:
        """It is open."""
        hand.open("notes")
        if not hand.at("note", id="target"):
            notes.OpenNote().oracle(hand, p)

    def right(self, state: State, p: Params) -> str:
        """Its text."""
        return str(state["apps"]["notes"]["notes"]["target"]["body"])


TEMPLATES: tuple[Template, ...] = (
    FileSize(),
    FileDate(),
    SongArtist(),
    PlaylistCount(),
    NoteText(),
)
