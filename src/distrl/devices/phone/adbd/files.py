"""The storage of a served phone: what was pushed to it, in memory, and nothing of the host."""

from __future__ import annotations

import posixpath
import stat
import threading
from dataclasses import dataclass

# The storage is in memory: these bound what clients can fill it with.
_MAX_BYTES = 64 * 2**20
_MAX_FILES = 4096
_ALWAYS = ("/", "/storage", "/storage/emulated", "/storage/emulated/0", "/data",
           "/data/local", "/data/local/tmp", "/dev", "/proc", "/system")  # fmt: skip
_LINK, _TARGET = "/sdcard", "/storage/emulated/0"


@dataclass(frozen=True, slots=True)
class Entry:
    """One file or folder."""

    name: str
    mode: int
    size: int
    time: int

    @property
    def is_folder(self) -> bool:
        """Whether it holds others."""
        return stat.S_ISDIR(self.mode)


class Storage:
    """Files by their whole path. Any thread may call."""

    def __init__(self) -> None:
        """Start with the folders that every phone has."""
        self._lock = threading.Lock()
        self._files: dict[str, tuple[bytes, int, int]] = {}
        self._folders = set(_ALWAYS)

    def read(self, path: str) -> bytes | None:
        """What a file holds; None when there is none."""
        with self._lock:
            found = self._files.get(_canonical(path))
        return None if found is None else found[0]

    def write(self, path: str, content: bytes, mode: int = 0o660, time: int = 0) -> bool:
        """Make or replace a file and the folders above it; False when there is no room for it."""
        whole = _canonical(path)
        with self._lock:
            held = sum(len(data) for name, (data, _, _) in self._files.items() if name != whole)
            full = held + len(content) > _MAX_BYTES or len(self._files) >= _MAX_FILES
            if full or whole in self._folders:
                return False
            self._files[whole] = (content, stat.S_IFREG | (mode & 0o777), time)
            folder = posixpath.dirname(whole)
            while folder not in self._folders:
                self._folders.add(folder)
                folder = posixpath.dirname(folder)
        return True

    def make_folder(self, path: str) -> None:
        """Make a folder and those above it."""
        with self._lock:
            folder = _canonical(path)
            while folder not in self._folders:
                self._folders.add(folder)
                folder = posixpath.dirname(folder)

    def remove(self, path: str, *, deep: bool = False) -> bool:
        """Remove a file, or with `deep` a folder; False when there is none."""
        whole = _canonical(path)
        with self._lock:
            if self._files.pop(whole, None) is not None:
                return True
            if not deep or whole not in self._folders or whole in _ALWAYS:
                return False
            inside = f"{whole}/"
            self._files = {n: f for n, f in self._files.items() if not n.startswith(inside)}
            self._folders = {
                n
                for n in self._folders
                if n in _ALWAYS or (n != whole and not n.startswith(inside))
            }
        return True

    def look(self, path: str) -> Entry | None:
        """What is at a path; None when there is nothing."""
        whole = _canonical(path)
        name = posixpath.basename(whole)
        with self._lock:
            if whole in self._files:
                data, mode, time = self._files[whole]
                return Entry(name, mode, len(data), time)
            if whole in self._folders:
                return Entry(name, stat.S_IFDIR | 0o771, 4096, 0)
        return None

    def inside(self, path: str) -> tuple[Entry, ...] | None:
        """What a folder holds, by name; None when there is no such folder."""
        whole = _canonical(path)
        with self._lock:
            if whole not in self._folders:
                return None
            names = sorted(
                name
                for name in (*self._files, *self._folders)
                if name != "/" and posixpath.dirname(name) == whole
            )
        return tuple(entry for name in names if (entry := self.look(name)) is not None)


def _canonical(path: str) -> str:
    whole = posixpath.normpath(posixpath.join("/", path))
    whole = f"/{whole.lstrip('/')}"
    if whole == _LINK or whole.startswith(f"{_LINK}/"):
        return _TARGET + whole.removeprefix(_LINK)
    return whole
