"""Reads a store's file, in the process that writes it or in any other, while it is written."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec

from distrl.errors import StoreError
from distrl.replay.store.packing import HEAD, Summary, summarise, unpack, unpack_for_learning
from distrl.replay.store.schema import COLUMNS, connect_reader, naming
from distrl.types import Episode, Outcome, StoredEpisode, Task

T = TypeVar("T")

_SUMMARY = ", ".join(("number", *COLUMNS))


class StoreReader:
    """Reads the episodes of a file; any thread may call, one at a time is served.

    Between two calls no transaction is open: an open one would keep the writer from checkpointing
    its write-ahead log, which would grow without bound.
    """

    def __init__(self, path: Path | str, *, deadline: float = 60.0) -> None:
        """Open a store that exists; StoreError when it does not or is damaged.

        No call waits longer than `deadline` seconds for a lock.
        """
        self.path = Path(path)
        self._deadline = deadline
        # One connection for all threads: its statements must not interleave within a transaction.
        self._turn = threading.Lock()
        self._database: sqlite3.Connection | None = connect_reader(self.path, deadline=deadline)

    def __enter__(self) -> Self:
        """The store itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def get(self, episode_id: str) -> Episode:
        """The stored episode, its screens decoded on first use; KeyError when there is none."""
        with self._reading() as database:
            row = database.execute(
                "SELECT number, head FROM episodes WHERE id = ?", (episode_id,)
            ).fetchone()
            if row is None:
                raise KeyError(episode_id)
            return _unpack(database, *row)

    def ids(self) -> Sequence[str]:
        """All ids in the order in which they became durable."""
        with self._reading() as database:
            return [id for (id,) in database.execute("SELECT id FROM episodes ORDER BY number")]

    def count(self) -> int:
        """How many episodes there are."""
        with self._reading() as database:
            (count,) = database.execute("SELECT count(*) FROM episodes").fetchone()
            return int(count)

    def read_after(self, number: int, limit: int) -> list[tuple[int, StoredEpisode]]:
        """The first `limit` episodes after a number, without anything that was seen in them."""
        with self._reading() as database:
            heads = database.execute(
                "SELECT number, head FROM episodes WHERE number > ? ORDER BY number LIMIT ?",
                (number, limit),
            ).fetchall()
            if not heads:
                return []
            rows = database.execute(
                "SELECT episode, data FROM steps WHERE episode BETWEEN ? AND ?"
                " ORDER BY episode, place",
                (heads[0][0], heads[-1][0]),
            ).fetchall()
        # Decoded after the connection is free again: others may read meanwhile.
        steps = {
            episode: tuple(data for _, data in group)
            for episode, group in groupby(rows, key=itemgetter(0))
        }
        with naming(self.path):
            return [
                (found, unpack_for_learning(head, steps.get(found, ()))) for found, head in heads
            ]

    def summaries(self, after: int = 0, limit: int = 1000) -> list[Summary]:
        """Lines about the first `limit` episodes after a number."""
        with self._reading() as database:
            rows = database.execute(
                f"SELECT {_SUMMARY} FROM episodes WHERE number > ? ORDER BY number LIMIT ?",  # noqa: S608 - names of columns
                (after, limit),
            ).fetchall()
            return [_summary(row) for row in rows]

    def columns(self, after: int = 0) -> dict[str, tuple[Any, ...]]:
        """Summaries of all episodes after a number as columns, by the fields of Summary, in order.

        The values are not checked, which takes half the time of `summaries`: for dashboards.
        """
        with self._reading() as database:
            rows = database.execute(
                f"SELECT {_SUMMARY} FROM episodes WHERE number > ? ORDER BY number",  # noqa: S608 - names of columns
                (after,),
            ).fetchall()
        names = ("number", *COLUMNS)
        return dict(zip(names, zip(*rows, strict=True), strict=True)) if rows else {}

    def tasks(self, numbers: Iterable[int]) -> dict[int, Task]:
        """The tasks that the episodes of some numbers were attempts at."""
        with self._reading() as database:
            found = {}
            for number in numbers:
                row = database.execute(
                    "SELECT head FROM episodes WHERE number = ?", (number,)
                ).fetchone()
                if row is not None:
                    found[number] = HEAD.decode(row[0]).task
            return found

    def picture(self, episode_id: str, place: int) -> bytes:
        """A screen as it is stored, PNG or WebP; the last place is what was shown at the end.

        KeyError when there is no such episode or place.
        """
        with self._reading() as database:
            row = database.execute(
                "SELECT head FROM episodes WHERE id = ?", (episode_id,)
            ).fetchone()
            screens = () if row is None else HEAD.decode(row[0]).screens
            if not 0 <= place < len(screens):
                raise KeyError((episode_id, place))
            digest = screens[place].picture
            found = _contents(database, "pictures", (digest,))
            if digest not in found:
                raise StoreError(f"episode {episode_id!r} is damaged: screen {place} is not there")
            return found[digest]

    def outcomes(
        self, *, suite: str | None = None, split: str | None = None, template: str | None = None
    ) -> Mapping[Outcome, int]:
        """How many episodes ended in which way, of all or of some."""
        wanted = {"suite": suite, "split": split, "template": template}
        given = {name: value for name, value in wanted.items() if value is not None}
        where = " AND ".join(["TRUE", *(f"{name} = ?" for name in given)])
        with self._reading() as database:
            rows = database.execute(
                f"SELECT outcome, count(*) FROM episodes WHERE {where} GROUP BY outcome",  # noqa: S608 - names of columns
                tuple(given.values()),
            ).fetchall()
            return _typed(dict(rows), dict[Outcome, int])

    def verify(self) -> None:
        """Look at every episode to the last pixel; StoreError when something is damaged."""
        with self._reading() as database:
            (found,) = database.execute("PRAGMA integrity_check").fetchone()
            if found != "ok":
                raise StoreError(f"the episode store is damaged ({found})")
        for summary in self.summaries(limit=-1):
            episode = self.get(summary.id)
            with naming(self.path):
                if summarise(episode, summary.number) != summary:
                    raise StoreError(f"the columns of episode {summary.id!r} are damaged")
                for step in episode.steps:
                    _ = step.observation.screen
                if episode.final is not None:
                    _ = episode.final.screen

    def close(self) -> None:
        """Let go of the file; a second call does nothing."""
        with self._own_turn():
            if self._database is not None:
                self._database.close()
            self._database = None

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._own_turn(), naming(self.path):
            if self._database is None:
                raise StoreError("the episode store is closed")
            yield self._database

    @contextmanager
    def _own_turn(self) -> Iterator[None]:
        if not self._turn.acquire(timeout=self._deadline):
            raise StoreError(f"{self.path}: no turn to read within {self._deadline} s")
        try:
            yield
        finally:
            self._turn.release()


def _unpack(database: sqlite3.Connection, number: int, head: bytes) -> Episode:
    screens = HEAD.decode(head).screens
    steps = database.execute("SELECT data FROM steps WHERE episode = ? ORDER BY place", (number,))
    return unpack(
        head,
        [data for (data,) in steps],
        _contents(database, "trees", (screen.elements for screen in screens)),
        _contents(database, "pictures", (screen.picture for screen in screens)),
    )


def _contents(
    database: sqlite3.Connection, table: str, digests: Iterable[bytes | None]
) -> dict[bytes, bytes]:
    found = {}
    for digest in {digest for digest in digests if digest is not None}:
        row = database.execute(f"SELECT data FROM {table} WHERE digest = ?", (digest,)).fetchone()  # noqa: S608 - one of two names
        if row is not None:
            found[digest] = row[0]
    return found


def _summary(row: tuple[Any, ...]) -> Summary:
    return _typed(dict(zip(("number", *COLUMNS), row, strict=True)), Summary)


def _typed(value: object, kind: type[T]) -> T:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as cause:
        raise StoreError(f"a row is damaged: {cause}") from cause
