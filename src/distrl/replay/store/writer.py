"""One thread that makes episodes durable, as many at a time as are waiting.

    add_later --> pack (encoder threads) --> in order --> one transaction --> done

A commit waits for the disk, some milliseconds; the episodes that are packed meanwhile share the
next one. At most `most_waiting` episodes are on the way: whoever hands in more has to wait.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import takewhile
from operator import attrgetter
from pathlib import Path

from distrl.errors import StoreError, boundary
from distrl.replay.store.packing import PackedEpisode, pack
from distrl.replay.store.picture_codec import Codec
from distrl.replay.store.schema import COLUMNS, connect_writer, naming
from distrl.types import Episode

_KNOWN = 200_000
"""Digests of stored content that are remembered, so that it is not encoded again: some 20 MB.
Beyond that all are forgotten at once, which costs encoding again and nothing else."""

_INSERT = (
    f"INSERT INTO episodes ({', '.join(COLUMNS)}, head) "  # noqa: S608 - names of columns
    f"VALUES ({'?, ' * len(COLUMNS)}?) ON CONFLICT (id) DO NOTHING"
)
_values = attrgetter(*COLUMNS)


@dataclass(frozen=True, slots=True)
class WriterSettings:
    """How a writer works."""

    codec: Codec = "png"
    """Lossless either way. On phone screens WebP's fastest setting takes four times the CPU of
    this PNG for the same size, which two cores cannot spare."""
    encoders: int = 2
    """Threads that pack; encoding a picture lets other threads run."""
    most_waiting: int = 256
    """Episodes on the way to the disk (backpressure): each holds its pictures in memory."""
    deadline: float = 60.0
    """Seconds after which a wait for a lock, for room or for the disk is an error."""


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    id: str
    packing: Future[PackedEpisode]
    stored: Future[None]


class StoreWriter:
    """Adds episodes to a file."""

    def __init__(self, path: Path, settings: WriterSettings) -> None:
        """Open or make the file and start the threads."""
        self._path = path
        self._settings = settings
        self._database = connect_writer(path, deadline=settings.deadline)
        self._encoders = ThreadPoolExecutor(settings.encoders, thread_name_prefix="encode")
        self._changed = threading.Condition()
        self._waiting: deque[_Waiting] = deque()
        self._closing = False
        # Written by the store thread, read by the encoders without a lock: what is not known yet
        # is encoded once more, and the insert ignores it.
        self._known: set[bytes] = set()
        self._commits = 0
        self._stored = 0
        # A process that ends without `close` must not hang on it; what it acknowledged is safe.
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def add_later(self, episode: Episode) -> Future[None]:
        """Hand an episode in; the future is done once it is durable."""

        def submit() -> Future[PackedEpisode]:
            # Threads that outlive the main one are refused by the pool.
            with boundary(StoreError, f"{self._path}: no episode can be taken"):
                return self._encoders.submit(
                    pack, episode, codec=self._settings.codec, known=self._known.__contains__
                )

        return self._hand_in(episode.id, submit)

    def add_packed_later(self, packed: PackedEpisode) -> Future[None]:
        """The same for an episode that somebody else has packed."""
        done: Future[PackedEpisode] = Future()
        done.set_result(packed)
        return self._hand_in(packed.summary.id, lambda: done)

    def _hand_in(self, name: str, submit: Callable[[], Future[PackedEpisode]]) -> Future[None]:
        stored: Future[None] = Future()
        stored.set_running_or_notify_cancel()  # from here on it cannot be called off
        with self._changed:
            # Submitted under the lock, so that the order of packing is the order of handing in.
            free = self._changed.wait_for(
                lambda: self._closing or len(self._waiting) < self._settings.most_waiting,
                timeout=self._settings.deadline,
            )
            if self._closing:
                raise StoreError(f"{self._path}: the episode store is closed")
            if not free:
                raise StoreError(
                    f"{self._path}: {len(self._waiting)} episodes are waiting for the disk and "
                    f"none was finished within {self._settings.deadline} s"
                )
            self._waiting.append(_Waiting(name, submit(), stored))
            self._changed.notify_all()
        return stored

    def gauges(self) -> dict[str, float]:
        """How it is going."""
        with self._changed:
            packed = sum(waiting.packing.done() for waiting in self._waiting)
            return {
                "store/waiting": len(self._waiting),
                "store/packed": packed,
                "store/stored": self._stored,
                "store/commits": self._commits,
            }

    def finish(self) -> None:
        """Refuse more, and return once all that was handed in is settled."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(self._settings.deadline)
        if self._thread.is_alive():
            raise StoreError(
                f"{self._path}: could not be closed within {self._settings.deadline} s; "
                f"{len(self._waiting)} episodes are not stored yet"
            )
        self._encoders.shutdown(wait=False)  # nothing is left to pack, or it is stuck

    def close(self) -> None:
        """Finish, and let go of the file; the last one who does folds the log into it."""
        self.finish()
        self._database.close()

    def _run(self) -> None:
        # Group commit: the next batch is whatever was packed while the last one was written.
        while batch := self._next_batch():
            errors = self._store(batch)
            with self._changed:
                for _ in batch:
                    self._waiting.popleft()
                self._changed.notify_all()
            # Outside the lock: whoever listens to a future may add the next episode from there.
            for waiting, error in zip(batch, errors, strict=True):
                if error is None:
                    waiting.stored.set_result(None)
                else:
                    waiting.stored.set_exception(error)

    def _next_batch(self) -> list[_Waiting]:
        """The oldest episode that waits and those behind it that are packed; none at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing or bool(self._waiting))
            if not self._waiting:
                return []
            oldest = self._waiting[0]
        wait([oldest.packing], timeout=self._settings.deadline)
        with self._changed:
            ready = takewhile(lambda w: w is oldest or w.packing.done(), self._waiting)
            return list(ready)

    def _store(self, batch: Sequence[_Waiting]) -> list[BaseException | None]:
        """Commit what could be packed; what went wrong, for each episode of the batch."""
        errors = [self._packing_error(waiting) for waiting in batch]
        packed = [w.packing.result() for w, error in zip(batch, errors, strict=True) if not error]
        failure: StoreError | None = None
        try:
            with boundary(StoreError, f"{self._path}: episodes cannot be stored"):
                self._commit(packed)
        except StoreError as error:
            failure = error
        return [error or failure for error in errors]

    def _packing_error(self, waiting: _Waiting) -> BaseException | None:
        if waiting.packing.done():
            return waiting.packing.exception()
        deadline = self._settings.deadline
        return StoreError(f"episode {waiting.id!r} was not packed within {deadline} s")

    def _commit(self, episodes: Sequence[PackedEpisode]) -> None:
        """One transaction: all of them are durable afterwards, or none."""
        if not episodes:
            return
        database = self._database
        with naming(self._path):
            # IMMEDIATE takes the write lock now: a deferred one could fail in the middle.
            database.execute("BEGIN IMMEDIATE")
            try:
                new = [episode for episode in episodes if self._insert(episode)]
                database.execute("COMMIT")
            finally:
                if database.in_transaction:
                    database.execute("ROLLBACK")
        self._commits += 1
        self._stored += len(new)
        # Only what is committed may be left out of a later episode.
        if len(self._known) > _KNOWN:
            self._known.clear()
        for episode in new:
            self._known.update(episode.shared)

    def _insert(self, episode: PackedEpisode) -> bool:
        """Write all rows of an episode; False when its id is there already."""
        database = self._database
        # ON CONFLICT makes adding idempotent: a host may hand the same episode in again after a
        # lost response.
        added = database.execute(_INSERT, (*_values(episode.summary), episode.head))
        if added.rowcount == 0:
            return False
        number = added.lastrowid
        for table, blob in (("trajectories", episode.trajectory), ("screens", episode.screens)):
            database.execute(
                f"INSERT INTO {table} (episode, data) VALUES (?, ?)",  # noqa: S608 - one of two names
                (number, blob),
            )
        for table, contents in (("pictures", episode.pictures), ("pieces", episode.pieces)):
            database.executemany(
                f"INSERT OR IGNORE INTO {table} (digest, data) VALUES (?, ?)",  # noqa: S608 - one of two names
                contents.items(),
            )
        return True
