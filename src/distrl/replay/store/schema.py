"""The tables of a store's file, and opening it: one writer, any number of readers beside it.

    episodes       a row per episode, numbered in the order in which they became durable: a column
                   for each thing a dashboard asks for, all of them indexed, and the head as a blob
    trajectories   a row per episode: its steps, with the policy's prepared inputs
    screens        a row per episode: what was seen, to be drawn again when somebody looks
    pieces         each distinct large piece of inputs once, by digest
    pictures       each distinct screen that cannot be drawn again once, by digest of its pixels

A file of format 1 has `steps` (a row per step) and `trees` instead of trajectories, screens and
pieces. It is read as it is. Whoever adds to it adds these tables, and leaves its episodes alone.

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
SCHEMA_VERSION = 2
"""The format that is written; files of older formats are read too."""

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
    "CREATE TABLE pictures (digest BLOB PRIMARY KEY NOT NULL, data BLOB NOT NULL)",
    "CREATE INDEX episodes_by_suite ON episodes (suite, split, template, outcome)",
    *(f"CREATE INDEX episodes_by_{name} ON episodes ({name})" for name in _INDEXED),
)
_SINCE_2 = (
    """
    CREATE TABLE trajectories (
        episode INTEGER PRIMARY KEY REFERENCES episodes (number),
        data BLOB NOT NULL
    )
    """,
    """
    CREATE TABLE screens (
        episode INTEGER PRIMARY KEY REFERENCES episodes (number),
        data BLOB NOT NULL
    )
    """,
    "CREATE TABLE pieces (digest BLOB PRIMARY KEY NOT NULL, data BLOB NOT NULL)",
)
_ALL = ("episodes", "steps", "trajectories", "screens", "pieces", "pictures", "trees")
"""The tables of all formats."""


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Whatever goes wrong inside is raised as a StoreError that begins with the file's name."""
    try:
        yield
    except StoreError as error:
        if str(error).startswith(f"{path}: "):
            raise
        raise StoreError(f"{path}: {error}") from error
    except UnicodeDecodeError as cause:  # a damaged name that SQLite wanted to complain of
        raise StoreError(f"{path}: the episode store is damaged ({cause})") from cause
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
            if _check(database) < SCHEMA_VERSION:
                _upgrade(database)
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
        for statement in (*_TABLES, *_SINCE_2):
            database.execute(statement)
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    database.execute("COMMIT")


def _upgrade(database: sqlite3.Connection) -> None:
    """Give a file of format 1 the tables of now; its episodes stay as they are."""
    database.execute("BEGIN IMMEDIATE")
    if format_of(database) < SCHEMA_VERSION:  # nobody else was faster
        for statement in _SINCE_2:
            database.execute(statement)
        database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    database.execute("COMMIT")


def format_of(database: sqlite3.Connection) -> int:
    """The format of a file, which grows when an older file is added to."""
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(version)


def tables_of(database: sqlite3.Connection) -> frozenset[str]:
    """The names of the tables in a file."""
    found = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return frozenset(name for (name,) in found)


def _is_new(database: sqlite3.Connection) -> bool:
    (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return bool(tables == 0)


def _check(database: sqlite3.Connection) -> int:
    """The format of a file; StoreError if it is something else, or damaged at an edge.

    Reading a large file to its end takes too long for every start; `verify` does that.
    """
    if _is_new(database):
        raise StoreError("there is no episode store yet, only an empty file")
    (application,) = database.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID:
        raise StoreError("this is not an episode store (but some other SQLite file)")
    version = format_of(database)
    if not 1 <= version <= SCHEMA_VERSION:
        raise StoreError(
            f"written in format {version}, but this version of distrl reads formats 1 to "
            f"{SCHEMA_VERSION}"
        )
    # Both ends of each table: a file that was cut off is noticed here, at the cost of a few pages.
    for table in tables_of(database).intersection(_ALL):
        for edge in ("min", "max"):
            database.execute(f"SELECT {edge}(rowid) FROM {table}").fetchone()  # noqa: S608 - fixed
    return version
