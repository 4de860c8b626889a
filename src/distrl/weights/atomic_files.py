"""Files that are there as a whole or not at all, whoever is killed when."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Put a file in place as a whole: readers see the old one or the new one."""
    aside = path.with_name(f".{path.name}.partial")
    try:
        with aside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError:  # most likely a full disk, which the rest of the file would keep full
        aside.unlink(missing_ok=True)
        raise
    # Synced before the rename: after a power cut the new name must not lead to missing content.
    aside.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make renames in a folder durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
