"""The apps of AndroidWorld on a device in memory, as far as its own code says what they keep.

Its task classes name their databases, tables and rows; the tables are made from those when it is
there. Nothing of it is kept here.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from tests.tasks.android_world.fake_android import FakeAndroid, screen_with

from distrl.tasks.android_world.checkout import AndroidWorldCheckout

_RETRIEVAL = "task_evals.information_retrieval"
_SMS = "/data/data/com.android.providers.telephony/databases/mmssms.db"
_PLAYLISTS = {
    "PlaylistEntity": ("playlist_id", "playlist_name"),
    "SongEntity": ("song_key", "playlist_creator_id", "title", "duration"),
}
_MEDIA = {
    "Playlist": ("id_playlist", "name"),
    "Media": ("id_media", "filename"),
    "PlaylistMediaRelation": ("playlist_id", "media_id", "position"),
}


def install_apps(phone: FakeAndroid, checkout: AndroidWorldCheckout) -> None:
    """Leave the phone as after AndroidWorld's own emulator set-up and one start of each app."""
    _make_tables(phone, checkout)
    # An app that finds its database gone makes a new one.
    phone.on_start = lambda package: _make_tables(phone, checkout)
    constants = checkout.module("env.device_constants")
    for name in ("AUDIORECORDER", "DOWNLOAD", "GALLERY", "MARKOR", "MUSIC", "PHOTOS", "VIDEOS"):
        phone.make(phone.real(getattr(constants, f"{name}_DATA")))
    phone.make("/data/media/0/Android/data/net.osmand/files/tracks")
    # Buttons of two apps, which some tasks press while they are set up.
    phone.screen = screen_with("SAVE", "SMS")


def _make_tables(phone: FakeAndroid, checkout: AndroidWorldCheckout) -> None:
    for chosen in checkout.classes.values():
        if isinstance(getattr(chosen, "db_path", None), str):
            _table(phone, chosen.db_path, chosen.table_name, _columns(chosen.row_type))
    rows = checkout.module("task_evals.utils.sqlite_schema_utils")
    sports = checkout.module(f"{_RETRIEVAL}.activity_app_utils")
    _table(phone, sports._DB_PATH, sports._TABLE, _columns(rows.SportsActivity))
    to_do = checkout.module(f"{_RETRIEVAL}.task_app_utils")
    _table(phone, to_do._DB_PATH, to_do._TASK_TABLE, _columns(rows.Task))
    _install_joplin(phone, checkout.module(f"{_RETRIEVAL}.joplin_app_utils"), rows)
    music = checkout.module("task_evals.single.retro_music")
    _table(phone, music._PLAYBACK_DB_PATH, "playing_queue", ("title",))
    for table, columns in _PLAYLISTS.items():
        _table(phone, music._PLAYLIST_DB_PATH, table, columns)
    for table, columns in _MEDIA.items():
        _table(phone, checkout.module("task_evals.single.vlc")._DB_PATH, table, columns)
    for table in ("sms", "threads"):
        _table(phone, _SMS, table, ("_id", "address", "body"))


def _install_joplin(phone: FakeAndroid, kept: Any, rows: Any) -> None:
    for table, row in (
        (kept._FOLDER_TABLE, rows.JoplinFolder),
        (kept._NOTES_TABLE, rows.JoplinNote),
        (kept._NOTES_NORMALIZED_TABLE, rows.JoplinNormalizedNote),
    ):
        _table(phone, kept._DB_PATH, table, _columns(row), numbered=False)


def _columns(row: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(row))


def _table(
    phone: FakeAndroid, path: str, name: str, columns: tuple[str, ...], *, numbered: bool = True
) -> None:
    """Make a table, whose key the app numbers by itself if it is `numbered`."""
    keys = {"id", "_id", "recipeId", "expense_id"} if numbered else set()
    told = ", ".join(
        f'"{column}"' + (" INTEGER PRIMARY KEY" if column in keys else "") for column in columns
    )
    phone.sql(path, f"CREATE TABLE IF NOT EXISTS {name} ({told})")
