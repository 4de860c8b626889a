"""Reads a store's file, in the process that writes it or in any other, while it is written."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec

from distrl.errors import StoreError
from distrl.replay.store import format_1, picture_codec, screen_lists, trajectories
from distrl.replay.store.packing import (
    HEAD,
    Head,
    Summary,
    summarise,
    unpack,
    unpack_for_learning,
)
from distrl.replay.store.schema import COLUMNS, connect_reader, naming, tables_of
from distrl.replay.store.screen_lists import SCREENS, Drawn, Screen, Screens
from distrl.replay.store.trajectories import TRAJECTORY
from distrl.types import Episode, Observation, Outcome, Picture, StoredEpisode, StoredStep, Task

T = TypeVar("T")

_PIECES = 50_000
"""Pieces of inputs that a reader remembers, some 50 MB: most come again in the next episodes."""
_AT_ONCE = 500
"""Digests in one question: SQLite takes 999 at least."""
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
        self._pieces_turn = threading.Lock()
        self._pieces: dict[bytes, bytes] = {}
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
            number, head = row[0], HEAD.decode(row[1])
            rows, seen = _step_rows(database, number, number), _seen(database, number, head)
        with naming(self.path):
            return unpack(head, self._decode_steps(rows).get(number, ()), seen)

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
            rows = _step_rows(database, heads[0][0], heads[-1][0])
        # Decoded after the connection is free again: others may read meanwhile.
        with naming(self.path):
            steps = self._decode_steps(rows)
            return [
                (found, unpack_for_learning(HEAD.decode(head), steps.get(found, ())))
                for found, head in heads
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
        """A screen as PNG or WebP; the last place is what was shown at the end.

        KeyError when there is no such episode or place.
        """
        with self._reading() as database:
            row = database.execute(
                "SELECT number, head FROM episodes WHERE id = ?", (episode_id,)
            ).fetchone()
            if row is None:
                raise KeyError((episode_id, place))
            stored = _stored_picture(database, row[0], HEAD.decode(row[1]), place)
        if isinstance(stored, bytes):
            return stored
        with naming(self.path):
            return picture_codec.encode(stored.pixels, "png")

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
                seen = [step.observation.picture for step in episode.steps]
                seen += [episode.final.picture] if episode.final is not None else []
                for picture in seen:
                    _ = picture.pixels
                    if picture.doubt:
                        raise StoreError(f"episode {summary.id!r}: {picture.doubt}")

    def close(self) -> None:
        """Let go of the file; a second call does nothing."""
        with self._own_turn():
            if self._database is not None:
                self._database.close()
            self._database = None

    def _decode_steps(self, rows: _StepRows) -> dict[int, tuple[StoredStep, ...]]:
        """The steps of each episode."""
        opened = {number: TRAJECTORY.decode(blob) for number, blob in rows.trajectories}
        wanted = {digest for one in opened.values() for digest in one.large}
        with self._pieces_turn:
            # Before it is asked what is missing: what is wanted now must not be forgotten then.
            if len(self._pieces) > _PIECES:
                self._pieces.clear()
            if missing := wanted - self._pieces.keys():
                with self._reading() as database:
                    found = _contents(database, "pieces", missing)
                self._pieces.update(trajectories.inflated(found))
            pieces = {digest: self._pieces[digest] for digest in wanted & self._pieces.keys()}
        steps = {number: trajectories.unpack(one, pieces) for number, one in opened.items()}
        for number, group in groupby(rows.steps, key=itemgetter(0)):
            steps[number] = format_1.unpack_steps([data for _, data in group])
        return steps

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


@dataclass(frozen=True, slots=True)
class _StepRows:
    """Steps as they are stored, with the numbers of their episodes."""

    trajectories: list[tuple[int, bytes]]
    steps: list[tuple[int, bytes]]
    """Those of format 1, one by one, in order."""


def _step_rows(database: sqlite3.Connection, first: int, last: int) -> _StepRows:
    tables, between = tables_of(database), (first, last)
    new, old = [], []
    if "trajectories" in tables:
        question = "SELECT episode, data FROM trajectories WHERE episode BETWEEN ? AND ?"
        new = database.execute(question, between).fetchall()
    if "steps" in tables:
        question = "SELECT episode, data FROM steps WHERE episode BETWEEN ? AND ?"
        old = database.execute(f"{question} ORDER BY episode, place", between).fetchall()
    return _StepRows(new, old)


def _screens(database: sqlite3.Connection, number: int) -> Screens | None:
    """What was seen in an episode; None if it is of format 1."""
    if "screens" not in tables_of(database):
        return None
    row = database.execute("SELECT data FROM screens WHERE episode = ?", (number,)).fetchone()
    return None if row is None else SCREENS.decode(row[0])


def _seen(database: sqlite3.Connection, number: int, head: Head) -> list[Observation]:
    screens = _screens(database, number)
    if screens is not None:
        return screen_lists.unpack(screens, _contents(database, "pictures", screens.pictures))
    trees = [screen.elements for screen in head.screens if screen.elements is not None]
    return format_1.unpack_screens(
        head.screens,
        _contents(database, "trees", trees) if trees else {},
        _contents(database, "pictures", (screen.picture for screen in head.screens)),
    )


def _stored_picture(
    database: sqlite3.Connection, number: int, head: Head, place: int
) -> bytes | Picture:
    """A screen as it is stored, or to be drawn; KeyError when there is none at the place."""
    screens = _screens(database, number)
    listed = head.screens if screens is None else screens.screens
    if not 0 <= place < len(listed):
        raise KeyError((head.id, place))
    screen = listed[place]
    if screens is not None and isinstance(screen, Screen) and isinstance(screen.shown, Drawn):
        return screen_lists.picture_of(screens, screen, {})
    digest = screen.shown if isinstance(screen, Screen) else screen.picture
    assert isinstance(digest, bytes)
    found = _contents(database, "pictures", (digest,))
    if digest not in found:
        raise StoreError(f"episode {head.id!r} is damaged: screen {place} is not there")
    return found[digest]


def _contents(
    database: sqlite3.Connection, table: str, digests: Iterable[bytes]
) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    wanted = list(set(digests))
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        places = ", ".join("?" * len(some))
        question = f"SELECT digest, data FROM {table} WHERE digest IN ({places})"  # noqa: S608 - one of three names
        found.update(database.execute(question, some).fetchall())
    return found


def _summary(row: tuple[Any, ...]) -> Summary:
    return _typed(dict(zip(("number", *COLUMNS), row, strict=True)), Summary)


def _typed(value: object, kind: type[T]) -> T:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as cause:
        raise StoreError(f"a row is damaged: {cause}") from cause
