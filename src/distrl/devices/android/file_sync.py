"""The sync service of a device, by which adb itself pushes and pulls files.

    SEND path,mode    DATA length bytes ... DONE time    the device answers OKAY, or FAIL and why
    RECV path                                            DATA length bytes ... DONE, or FAIL and why

Folders above a file that is pushed are made on the way.
"""

from __future__ import annotations

import struct
from typing import Protocol

from distrl.errors import DeviceError

_CHUNK = 64 * 1024
"""The protocol allows no more in one piece."""
_MAX_PATH_BYTES = 1024
_MAX_FILE_BYTES = 256 * 2**20
"""Bounds memory against a file that never ends."""
_MODE = 0o644


class SyncLine(Protocol):
    """A connection to a device."""

    def ask(self, request: str) -> None:
        """Open a service; raises when the device has none of its name."""
        ...

    def read(self, count: int) -> bytes:
        """Exactly so many bytes."""
        ...

    def send(self, content: bytes) -> None:
        """Send bytes as they are."""
        ...


def push(line: SyncLine, content: bytes, path: str) -> None:
    """Write a file; DeviceError when the device refuses."""
    line.ask("sync:")
    line.send(_request(b"SEND", f"{path},{_MODE}"))
    for start in range(0, len(content), _CHUNK):
        piece = content[start : start + _CHUNK]
        line.send(struct.pack("<4sI", b"DATA", len(piece)) + piece)
    line.send(struct.pack("<4sI", b"DONE", 0))
    name, length = _answer(line)
    if name != b"OKAY":
        raise DeviceError(f"push to {path}: {_why(line, name, length)}")


def pull(line: SyncLine, path: str) -> bytes:
    """What a file holds; DeviceError when the device refuses."""
    line.ask("sync:")
    line.send(_request(b"RECV", path))
    content = bytearray()
    while True:
        name, length = _answer(line)
        if name == b"DONE":
            return bytes(content)
        if name != b"DATA" or length > _CHUNK:
            raise DeviceError(f"pull of {path}: {_why(line, name, length)}")
        content += line.read(length)
        if len(content) > _MAX_FILE_BYTES:
            raise DeviceError(f"pull of {path}: it has more than {_MAX_FILE_BYTES} bytes")


def _request(name: bytes, path: str) -> bytes:
    said = path.encode()
    if len(said) > _MAX_PATH_BYTES:
        raise DeviceError(f"a path has at most {_MAX_PATH_BYTES} bytes, got {path[:80]!r}")
    return struct.pack("<4sI", name, len(said)) + said


def _answer(line: SyncLine) -> tuple[bytes, int]:
    name, length = struct.unpack("<4sI", line.read(8))
    return name, length


def _why(line: SyncLine, name: bytes, length: int) -> str:
    if name != b"FAIL" or length > _CHUNK:
        return f"it answered {name!r}"
    return line.read(length).decode("utf-8", "replace")
