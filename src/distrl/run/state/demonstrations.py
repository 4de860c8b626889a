"""Folders of demonstrations: episodes that somebody played, for policies to learn from.

    FOLDER/episodes.sqlite       the store, named as in the folder of a run

`distrl demo record` and `distrl play` write them; `warm_start.episodes=FOLDER` clones them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from distrl.errors import ConfigError, StoreError
from distrl.replay.store.sqlite import SqliteStore, StoreReader
from distrl.run.state.folder import RunFolder


def require_demonstrations_folder(folder: Path) -> None:
    """ConfigError unless a folder can hold demonstrations."""
    if RunFolder(folder).config.exists():
        raise ConfigError(f"{folder} is the folder of a run; demonstrations need one of their own")
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"demonstrations are kept in a folder, and {folder} is none")


@contextmanager
def open_demonstrations(folder: Path) -> Iterator[SqliteStore]:
    """The store of a folder, which is made if need be; ConfigError when that cannot be."""
    require_demonstrations_folder(folder)
    with _told_plainly():
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"cannot make the folder {folder}: {error.strerror}") from error
        with SqliteStore(RunFolder(folder).episodes) as store:
            yield store


@contextmanager
def read_demonstrations(folder: Path) -> Iterator[StoreReader]:
    """The store of a folder, for reading alone; ConfigError when there is none."""
    if not has_demonstrations(folder):
        raise ConfigError(f"there are no demonstrations in {folder}")
    with _told_plainly(), StoreReader(RunFolder(folder).episodes) as store:
        yield store


def has_demonstrations(folder: Path) -> bool:
    """Whether a folder has a store of demonstrations."""
    return RunFolder(folder).episodes.is_file()


@contextmanager
def _told_plainly() -> Iterator[None]:
    """A store that is damaged is the user's to deal with."""
    try:
        yield
    except StoreError as error:
        raise ConfigError(str(error)) from error
