"""Stored episodes, wherever they are: in a run, in a store's file or in an exported one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from distrl.config.devices import PhoneConfig
from distrl.errors import ConfigError, StoreError
from distrl.replay.parquet import ParquetEpisodes
from distrl.replay.store.sqlite import SqliteStore, StoreReader
from distrl.run.state.folder import RunFolder
from distrl.types import Episode

_STORE_SECONDS = 600.0
"""How long one episode may take to get onto the disk."""


class Episodes(Protocol):
    """Episodes in the order in which they were stored."""

    def __len__(self) -> int:
        """How many there are."""
        ...

    def __iter__(self) -> Iterator[Episode]:
        """One after the other, read when it is asked for."""
        ...


@dataclass(frozen=True, slots=True)
class Source:
    """Where episodes come from."""

    episodes: Episodes
    phone: PhoneConfig
    """The phones that they were played on; the usual ones where nobody noted it."""


class _InStore:
    def __init__(self, reader: StoreReader) -> None:
        self._reader = reader
        self._ids = reader.ids()

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[Episode]:
        return (self._reader.get(id) for id in self._ids)


@contextmanager
def open_episodes(where: str | Path) -> Iterator[Source]:
    """The episodes of a run's folder or of a file; ConfigError when there are none."""
    path, phone = _file_of(where), PhoneConfig()
    if path != Path(where) and RunFolder(Path(where)).config.exists():
        phone = RunFolder(Path(where)).load_config().phone
    try:
        if path.suffix == ".parquet":
            yield Source(ParquetEpisodes(path), phone)
            return
        with StoreReader(path) as reader:
            yield Source(_InStore(reader), phone)
    except StoreError as error:
        raise ConfigError(str(error)) from error


def digest_of_episodes(where: str | Path) -> str:
    """Changes when the episodes of a run's folder or of a file do; ConfigError for none."""
    path, total = _file_of(where), hashlib.sha256()
    # What was stored last may not have left the log for the store's own file yet. An empty log says
    # nothing: whoever reads a store leaves one behind.
    for part in (path, path.with_name(f"{path.name}-wal")):
        if part.is_file() and part.stat().st_size:
            with part.open("rb") as file:
                total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()


def _file_of(where: str | Path) -> Path:
    path = Path(where)
    if path.is_dir():
        path = RunFolder(path).episodes
    if not path.is_file():
        raise ConfigError(f"there are no episodes in {where}: name a run's folder, or a file")
    return path


def write_store(episodes: Iterable[Episode], path: Path) -> tuple[int, int]:
    """Write episodes to a store's file and return how many they are, and their steps."""
    count = steps = 0
    waiting = []
    with SqliteStore(path) as store:
        for episode in episodes:
            # All are handed in before any is waited for, so that many share a commit.
            waiting.append(store.add_later(episode))
            count, steps = count + 1, steps + len(episode.steps)
        for stored in waiting:
            stored.result(_STORE_SECONDS)
    return count, steps
