"""A weight channel through files, between processes of one machine.

    FOLDER/v12.safetensors     one file per version, the last few of them
    FOLDER/latest              the number of the newest

A file is written aside, synced and renamed before `latest` names it: readers see all of a version
or none of it, also after a crash or a power cut.
"""

from __future__ import annotations

import logging
import mmap
import os
import re
from collections.abc import Mapping
from pathlib import Path

from torch import Tensor

from distrl.errors import WeightsError
from distrl.interfaces import Published
from distrl.weights.atomic_files import sync_folder as sync_folder
from distrl.weights.atomic_files import write_whole as write_whole
from distrl.weights.memory_channel import KEEP, require_newer
from distrl.weights.serialization import seal, unseal

_log = logging.getLogger(__name__)

_LATEST = "latest"
_NAME = re.compile(r"v(\d+)\.safetensors")


class FileChannel:
    """One writer, any number of readers."""

    def __init__(self, folder: Path, *, keep: int = KEEP) -> None:
        """Use a folder; it is made if need be."""
        self._folder = folder
        self._keep = keep
        folder.mkdir(parents=True, exist_ok=True)

    def publish(
        self, weights: Mapping[str, Tensor], version: int, *, notes: Mapping[str, str] | None = None
    ) -> str:
        """Make a version visible; ValueError when it is not newer than the latest."""
        require_newer(version, self.latest())
        data, digest = seal(weights, version, notes)
        self._write(data, version)
        return digest

    def _write(self, data: bytes, version: int) -> None:
        write_whole(self._path(version), data)
        write_whole(self._folder / _LATEST, f"{version}\n".encode())
        for old in self._versions()[: -self._keep]:
            self._path(old).unlink(missing_ok=True)

    def latest(self) -> int:
        """The newest whole version; 0 before the first."""
        named, before = self._named(), -1
        while named > 0 and named != before:
            if self._path(named).exists():
                return named
            # Pruned between the two looks: then the pointer has moved on, and so do we.
            named, before = self._named(), named
        # The pointer is damaged, or what it names was removed: names of files are whole versions.
        return max(self._versions(), default=0)

    def _named(self) -> int:
        try:
            return int((self._folder / _LATEST).read_text())
        except (FileNotFoundError, ValueError):
            return 0

    def fetch(self, version: int) -> Published:
        """A version, read and checked; LookupError when it is gone, WeightsError when damaged."""
        return unseal(self.sealed(version), version)

    def sealed(self, version: int) -> memoryview:
        """A version as it is, to be sent on, not copied; LookupError when it is gone."""
        try:
            with self._path(version).open("rb") as file:
                if not os.fstat(file.fileno()).st_size:
                    return memoryview(b"")  # which cannot be mapped
                # The file itself, which stays readable when it is pruned; nobody changes it.
                return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except FileNotFoundError:
            raise LookupError(f"version {version} is not in {self._folder}") from None

    def _path(self, version: int) -> Path:
        return self._folder / f"v{version}.safetensors"

    def _versions(self) -> list[int]:
        return _versions_in(self._folder)


def newest_whole(folder: Path) -> Published | None:
    """The newest version in a folder that is not damaged; None when there is none."""
    for version in reversed(_versions_in(folder) if folder.is_dir() else []):
        try:
            return FileChannel(folder).fetch(version)
        except (LookupError, WeightsError):
            continue
    return None


def set_damaged_versions_aside(folder: Path) -> None:
    """Rename versions that cannot be read, so that nobody takes one for the newest."""
    for version in _versions_in(folder) if folder.is_dir() else []:
        try:
            FileChannel(folder).fetch(version)
        except LookupError:  # pruned meanwhile
            continue
        except WeightsError as error:
            path = folder / f"v{version}.safetensors"
            path.replace(path.with_suffix(".damaged"))
            _log.warning("%s was set aside: %s", path, error)


def _versions_in(folder: Path) -> list[int]:
    matches = (_NAME.fullmatch(path.name) for path in folder.iterdir())
    return sorted(int(match[1]) for match in matches if match)
