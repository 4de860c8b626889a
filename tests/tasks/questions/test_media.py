from __future__ import annotations

import pytest
from tests.tasks.general.posed import neighbour
from tests.tasks.questions.asked import Asked, Case, misjudged, unseen

from distrl.devices.phone.apps.music import PLAYLISTS
from distrl.tasks.questions.media import TEMPLATES

FILE = ("apps", "files", "files", "target")
CASES = (
    Case(
        "q_file_size",
        {"file": "morning_birds.mp3"},
        ("4.2 MB", "4.2 mb", "It is 4.2 MB"),
        ("4.2 KB", "42 MB", "4.3 MB", "4205 KB", "4.2 MB and 4.3 MB"),
        {(*FILE, "kb"): 4205},
    ),
    Case(
        "q_file_size",
        {"file": "exam_notes.txt"},
        ("940 KB", "940 kb.", "It is exactly 940 KB"),
        ("940 MB", "0.9 MB", "941 KB", "94 KB"),
        {(*FILE, "kb"): 940},
    ),
    Case(
        "q_file_date",
        {"file": "desert_road.jpg"},
        ("Mon, Jan 6", "January 6", "6 January", "Monday, January 6th", "on Jan 6"),
        ("Jan 5", "Jan 7", "Tue, Jan 6", "June 6", "Monday", "6"),
        {(*FILE, "day"): 0},
    ),
    Case(
        "q_song_artist",
        {"song": "Cloudless"},
        ("Bossa Kangaroo", "bossa kangaroo", "It is by Bossa Kangaroo."),
        ("Bossa", "Kangaroo Bossa", "Sable and Snow", "Bossa Kangaroo and Sable"),
        {("apps", "music", "songs", "target", "artist"): "Bossa Kangaroo"},
    ),
    Case(
        "q_note_text",
        {"title": "House rules"},
        ("Feed the grey cat", "feed grey cat", '"Feed the grey cat."'),
        ("Feed the grey dog", "Feed the cat", "the note says feed", "none"),
        {("apps", "notes", "notes", "target", "body"): "Feed the grey cat"},
    ),
)
every_case = pytest.mark.parametrize("case", CASES, ids=str)


def test_every_question_of_the_module_has_a_case_or_a_test() -> None:
    tested = {case.template for case in CASES} | {"q_playlist_count"}
    assert tested == {template.name for template in TEMPLATES}


@every_case
def test_the_right_answer_counts_in_any_spelling_and_a_near_miss_does_not(case: Case) -> None:
    assert not list(misjudged(case))


@every_case
def test_the_oracle_reads_the_answer_on_the_screen(case: Case) -> None:
    assert not list(unseen(case))


@pytest.mark.parametrize(("kb", "shown"), [(999, "999 KB"), (1000, "1.0 MB"), (1049, "1.0 MB")])
def test_a_size_has_the_unit_that_the_app_shows(kb: int, shown: str) -> None:
    asked = Asked("q_file_size", file="exam_notes.txt")
    asked.arrange(*FILE, "kb", to=kb)
    assert asked.find_out() == shown
    assert asked.shows(shown)


@pytest.mark.parametrize("playlist", PLAYLISTS)
def test_the_songs_of_a_playlist_are_counted(playlist: str) -> None:
    asked = Asked("q_playlist_count", playlist=playlist)
    held = asked.data("music")["playlists"]["target"]
    count = len(held["songs"])
    assert held["name"] == playlist
    assert len(set(held["songs"])) == count >= 2
    assert asked.find_out() == f"{count} songs"
    assert asked.sees(f"{count} songs")
    for right in (str(count), f"{count} songs", f"There are {count} songs in it"):
        assert asked.accepts(right), right
    for wrong in (str(count + 1), f"{count - 1} songs", f"{count} or 13", playlist, "none", ""):
        assert not asked.accepts(wrong), wrong


def test_one_playlist_has_the_name_that_is_asked_about() -> None:
    for seed in range(6):
        asked = Asked("q_playlist_count", seed, playlist="Party")
        names = [held["name"] for held in asked.data("music")["playlists"].values()]
        assert names.count("Party") == 1


def test_the_artist_of_another_song_is_no_answer() -> None:
    asked = Asked("q_song_artist", song="Cloudless")
    asked.arrange("apps", "music", "songs", "target", "artist", to="Bossa Kangaroo")
    other = next(
        song["artist"]
        for song in asked.data("music")["songs"].values()
        if song["artist"] != "Bossa Kangaroo"
    )
    assert not asked.accepts(other)


def test_the_text_of_another_note_is_no_answer() -> None:
    asked = Asked("q_note_text", title="House rules")
    asked.arrange("apps", "notes", "notes", "target", "body", to="Feed the grey cat")
    key, _ = neighbour(asked.data("notes")["notes"])
    asked.arrange("apps", "notes", "notes", key, "body", to="Water the red fern")
    assert not asked.accepts("Water the red fern")
    assert not asked.accepts(asked.data("notes")["notes"][key]["title"])
    assert asked.accepts("Feed the grey cat")


def test_reading_a_note_changes_nothing_and_writing_into_it_does() -> None:
    asked = Asked("q_note_text", title="House rules")
    asked.find_out()
    assert not asked.side_effects
    asked.change("apps", "notes", "notes", "target", "body", to="scribbled")
    assert asked.side_effects == ("apps.notes.notes.target.body",)
