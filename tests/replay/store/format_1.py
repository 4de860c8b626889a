"""A store of format 1, written by a frozen copy of what wrote it."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Iterable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from distrl.replay.store.packing import summarise
from distrl.replay.store.picture_codec import digest_of, encode
from distrl.replay.store.schema import COLUMNS
from distrl.types import Episode, Observation, StoredStep

_TABLES = """
    CREATE TABLE episodes (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
        task_id TEXT NOT NULL, suite TEXT NOT NULL, split TEXT NOT NULL, template TEXT NOT NULL,
        outcome TEXT NOT NULL, steps INTEGER NOT NULL, reward REAL NOT NULL, started REAL NOT NULL,
        ended REAL NOT NULL, device TEXT NOT NULL, min_version INTEGER, max_version INTEGER,
        fault TEXT NOT NULL, head BLOB NOT NULL);
    CREATE TABLE steps (episode INTEGER NOT NULL REFERENCES episodes (number),
        place INTEGER NOT NULL, data BLOB NOT NULL, UNIQUE (episode, place));
    CREATE TABLE pictures (digest BLOB PRIMARY KEY NOT NULL, data BLOB NOT NULL);
    CREATE TABLE trees (digest BLOB PRIMARY KEY NOT NULL, data BLOB NOT NULL);
    PRAGMA application_id = 1683190863;
    PRAGMA user_version = 1;
"""


def write_format_1(path: Path, episodes: Iterable[Episode]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.executescript(_TABLES)
        for episode in episodes:
            _write(database, episode)


def _write(database: sqlite3.Connection, episode: Episode) -> None:
    seen = [step.observation for step in episode.steps]
    seen += [] if episode.final is None else [episode.final]
    head = {
        **{name: getattr(episode, name) for name in ("id", "task", "outcome", "verdicts")},
        **{name: getattr(episode, name) for name in ("device", "started", "ended", "fault")},
        "steps": len(episode.steps),
        "screens": [_screen(database, one) for one in seen],
    }
    columns = asdict(summarise(episode))
    added = database.execute(
        f"INSERT INTO episodes ({', '.join(COLUMNS)}, head) VALUES ({'?, ' * len(COLUMNS)}?)",  # noqa: S608
        (*(columns[name] for name in COLUMNS), _blob(head)),
    )
    for place, step in enumerate(episode.steps):
        data = _blob(StoredStep.of(step))
        database.execute("INSERT INTO steps VALUES (?, ?, ?)", (added.lastrowid, place, data))


def _screen(database: sqlite3.Connection, seen: Observation) -> dict[str, Any]:
    picture, tree = digest_of(seen.screen), None
    database.execute(
        "INSERT OR IGNORE INTO pictures VALUES (?, ?)", (picture, encode(seen.screen, "png"))
    )
    if seen.elements is not None:
        blob = _blob(seen.elements)
        tree = hashlib.sha256(blob).digest()[:16]
        database.execute("INSERT OR IGNORE INTO trees VALUES (?, ?)", (tree, blob))
    return {"app": seen.app, "keyboard": seen.keyboard, "elements": tree, "picture": picture}


def _blob(noun: object) -> bytes:
    data = msgspec.msgpack.encode(noun)
    return data + zlib.crc32(data).to_bytes(4, "big")
