"""The tables of a store's file, and opening it: one writer, any number of readers beside it.

    episodes   a row per episode, numbered in the order in which they became durable: a column for
               each thing a dashboard asks for, all of them indexed, and the head as a blob
    steps      a row per step, with the policy's prepared inputs
    pictures   each distinct screen once, by the digest of its pixels
    trees      each distinct element tree once, by the digest of its blob

Write-ahead logging lets readers of other processes go on while the writer commits; it needs a
local disk. Rows are only ever added.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from distrl.errors import StoreError

APPLICATION_ID = 0x6453744F
"""Marks a SQLite file as an episode store; no other program writes this number."""
# Increased when older files can no longer be read.
SCHEMA_VERSION = 1

COLUMNS = (
    "id",
    "task_id",
    "suite",
    "split",
    "template",
    "outcome",
    "steps",
    "reward",
    "started",
    "ended",
    "device",
    "min_version",
    "max_version",
    "fault",
)
"""The fields of a Summary, without its number."""

_INDEXED = tuple(name for name in COLUMNS if name not in ("id", "suite", "fault"))
_TABLES = (
    """
    CREATE TABLE episodes (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        task_id TEXT NOT NULL,
        suite TEXT NOT NULL,
        split TEXT NOT NULL,
        template TEXT NOT NULL,
        outcome TEXT NOT NULL,
        steps INTEGER NOT NULL,
        reward REAL NOT NULL,
        started REAL NOT NULL,
        ended REAL NOT NULL,
        device TEXT NOT NULL,
        min_version INTEGER,
        max_version INTEGER,
        fault TEXT NOT NULL,
        head BLOB NOT NULL
    )
    """,
    """
    CREATE TABLE steps (
        episode INTEGER NOT NULL REFERENCES episodes (number),
        place INTEGER NOT NULL,
        data BLOB NOT NULL,
        UNIQUE (episode, place)
    )
    """,
    "CREATE TABLE pictures (digest BLOB PRIMARY KEY NOT NULL, data BLOB NOT NULL)",
    "CREATE TABLE trees (digest BLOB PRIMARY KEY NOT NULL, data BLOB NOT NULL)",
    "CREATE INDEX episodes_by_suite ON episodes (suite, split, template, outcome)",
    *(f"CREATE INDEX episodes_by_{name} ON episodes ({name})" for name in _INDEXED),
)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Whatever goes wrong inside is raised as a StoreError that begins with the file's name."""
    try:
        yield
    except StoreError as error:
        if str(error).startswith(f"{path}: "):
            raise
        raise StoreError(f"{path}: {error}") from error
    except (sqlite3.Error, OSError) as cause:
        raise StoreError(f"{path}: {_explain(cause)}") from cause


def _explain(cause: Exception) -> str:
    code = getattr(cause, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if primary == sqlite3.SQLITE_NOTADB:
        return "this is not an episode store (not a SQLite file)"
    if primary == sqlite3.SQLITE_CORRUPT:
        return f"the episode store is damaged ({cause})"
    if primary == sqlite3.SQLITE_FULL:
        return "no room is left on the disk; what was stored before is whole"
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
        return f"the episode store cannot be written ({cause}); look at its permissions"
    if primary == sqlite3.SQLITE_BUSY:
        return "the episode store is held by somebody else, for longer than the deadline"
    return f"the episode store cannot be used ({cause})"


def connect_writer(path: Path, *, deadline: float) -> sqlite3.Connection:
    """Open a store for adding, and make it if there is none."""
    with naming(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with _closing_on_error(_connect(path, "rwc", deadline)) as database:
            _create(database)
            _check(database)
            (mode,) = database.execute("PRAGMA journal_mode = WAL").fetchone()
            if mode != "wal":
                raise StoreError("an episode store needs a local disk, for its log")
            # A commit is on the disk before it returns.
            database.execute("PRAGMA synchronous = FULL")
            return database


def connect_reader(path: Path, *, deadline: float) -> sqlite3.Connection:
    """Open a store that exists, for looking only."""
    if not path.is_file():
        raise StoreError(f"{path}: there is no episode store")
    with naming(path), _closing_on_error(_connect(path, "ro", deadline)) as database:
        _check(database)
        return database


def _connect(path: Path, mode: str, deadline: float) -> sqlite3.Connection:
    # Transactions begin and end where the code says so (isolation_level=None).
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=deadline,
        isolation_level=None,
        check_same_thread=False,
    )


@contextmanager
def _closing_on_error(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield database
    except BaseException:
        database.close()
        raise


def _create(database: sqlite3.Connection) -> None:
    """Make the tables in a new file; whoever is killed here leaves a file without any."""
    if not _is_new(database):
        return
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("BEGIN IMMEDIATE")
    if _is_new(database):  # nobody else was faster
        for statement in _TABLES:
            database.execute(statement)
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    database.execute("COMMIT")


def _is_new(database: sqlite3.Connection) -> bool:
    (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return bool(tables == 0)


def _check(database: sqlite3.Connection) -> None:
    """Refuse a file that is something else, or damaged where a look at it begins.

    Reading a large file to its end takes too long for every start; `verify` does that.
    """
    if _is_new(database):
        raise StoreError("there is no episode store yet, only an empty file")
    (application,) = database.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID:
        raise StoreError("this is not an episode store (but some other SQLite file)")
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"written in format {version}, but this version of distrl reads format {SCHEMA_VERSION}"
        )
    # Both ends of each table: a file that was cut off is noticed here, at the cost of a few pages.
    for table in ("episodes", "steps", "pictures", "trees"):
        for edge in ("min", "max"):
            database.execute(f"SELECT {edge}(rowid) FROM {table}").fetchone()  # noqa: S608 - fixed
