"""The episode store of a run: one SQLite file that outlives whoever writes it.

    with SqliteStore(run_folder / "episodes.sqlite") as store:
        store.add(episode)                    # returns when it is on the disk
        done = store.add_later(episode)       # returns at once; done.result() when it is
    ...
    with StoreReader(path) as reader:         # in any process, while the store is written
        new = reader.read_after(number, 100)

What was acknowledged is there exactly once, even if the process is killed in the next instant.
"""

from __future__ import annotations

from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotDoneError
from pathlib import Path

from distrl.errors import StoreError
from distrl.replay.store.packing import PackedEpisode
from distrl.replay.store.reader import StoreReader
from distrl.replay.store.writer import StoreWriter, WriterSettings
from distrl.types import Episode

__all__ = ["SqliteStore", "StoreReader", "WriterSettings"]


class SqliteStore(StoreReader):
    """Keeps episodes for ever; any thread may add and read. One process writes, others read."""

    def __init__(self, path: Path | str, settings: WriterSettings | None = None) -> None:
        """Open a store, or make it if there is none; StoreError when it is damaged."""
        self._settings = settings or WriterSettings()
        self._writer = StoreWriter(Path(path), self._settings)
        super().__init__(path, deadline=self._settings.deadline)

    def add(self, episode: Episode) -> None:
        """Return once the episode is durable. Adding the same id again changes nothing."""
        try:
            self.add_later(episode).result(self._settings.deadline)
        except NotDoneError:
            raise StoreError(
                f"{self.path}: episode {episode.id!r} was not durable within "
                f"{self._settings.deadline} s; it may still become so"
            ) from None

    def add_later(self, episode: Episode) -> Future[None]:
        """Return at once; the future is done when the episode is durable, and fails if not.

        Episodes become durable in the order in which they were handed in. Returning takes longer
        only while too many are waiting for the disk.
        """
        return self._writer.add_later(episode)

    def add_packed_later(self, packed: PackedEpisode) -> Future[None]:
        """The same for an episode that came packed, from another machine; see `check_packed`."""
        return self._writer.add_packed_later(packed)

    def gauges(self) -> dict[str, float]:
        """How many episodes wait, are stored, and in how many commits."""
        return self._writer.gauges()

    def close(self) -> None:
        """Finish what was handed in, then let go of the file; a second call does nothing."""
        self._writer.finish()
        super().close()
        self._writer.close()
