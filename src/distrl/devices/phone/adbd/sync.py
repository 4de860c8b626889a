"""The sync service, by which adb pushes, pulls and lists files.

Every request is a name of four letters and a length, then a path:

    STAT path          STAT mode size time
    LIST path          DENT mode size time name ... DONE
    RECV path          DATA length bytes ... DONE, or FAIL with a message
    SEND path,mode     DATA length bytes ... DONE time, answered by OKAY or FAIL
    QUIT
"""

from __future__ import annotations

import struct
from typing import Protocol

from distrl.devices.phone.adbd.files import Storage

# Both are limits of the protocol: adb refuses larger chunks and longer paths, too.
_CHUNK = 64 * 1024
_MAX_PATH_BYTES = 1024
_MAX_FILE_BYTES = 64 * 2**20
_NOTHING = struct.pack("<III", 0, 0, 0)


class SyncStream(Protocol):
    """Where requests come from and answers go."""

    def exactly(self, count: int) -> bytes:
        """So many bytes; raises when the stream ends before."""
        ...

    def write(self, content: bytes) -> None:
        """Send."""
        ...


def serve(stream: SyncStream, storage: Storage) -> None:
    """Answer requests until the other side quits."""
    while True:
        name, length = struct.unpack("<4sI", stream.exactly(8))
        if name == b"QUIT":
            return
        if length > _MAX_PATH_BYTES:
            _fail(stream, "path too long")
            return
        path = stream.exactly(length).decode("utf-8", "surrogateescape")
        if name == b"STAT":
            _stat(stream, storage, path)
        elif name == b"LIST":
            _list(stream, storage, path)
        elif name == b"RECV":
            _receive(stream, storage, path)
        elif name == b"SEND":
            _send(stream, storage, path)
        else:
            _fail(stream, f"unknown request {name!r}")
            return


def _stat(stream: SyncStream, storage: Storage, path: str) -> None:
    entry = storage.look(path)
    found = _NOTHING if entry is None else struct.pack("<III", entry.mode, entry.size, entry.time)
    stream.write(b"STAT" + found)


def _list(stream: SyncStream, storage: Storage, path: str) -> None:
    answer = b""
    for entry in storage.inside(path) or ():
        name = entry.name.encode("utf-8", "surrogateescape")
        answer += struct.pack("<4sIIII", b"DENT", entry.mode, entry.size, entry.time, len(name))
        answer += name
    stream.write(answer + b"DONE" + _NOTHING + struct.pack("<I", 0))


def _receive(stream: SyncStream, storage: Storage, path: str) -> None:
    content = storage.read(path)
    if content is None:
        _fail(stream, f"open failed: No such file or directory: {path}")
        return
    answer = b"".join(
        struct.pack("<4sI", b"DATA", len(content[start : start + _CHUNK]))
        + content[start : start + _CHUNK]
        for start in range(0, len(content), _CHUNK)
    )
    stream.write(answer + struct.pack("<4sI", b"DONE", 0))


def _send(stream: SyncStream, storage: Storage, target: str) -> None:
    path, _, mode = target.rpartition(",")
    content = bytearray()
    too_large = False
    while True:
        name, number = struct.unpack("<4sI", stream.exactly(8))
        if name == b"DONE":
            break
        if name != b"DATA" or number > _CHUNK:
            _fail(stream, f"unexpected {name!r} of {number} bytes")
            return
        piece = stream.exactly(number)
        # The rest is read and dropped: the client sends all of it before it reads our answer.
        too_large = too_large or len(content) + number > _MAX_FILE_BYTES
        if not too_large:
            content += piece
    bits = int(mode) if mode.isdecimal() else 0o644
    if too_large or not storage.write(path, bytes(content), bits, number):
        _fail(stream, f"no room for {path}")
        return
    stream.write(struct.pack("<4sI", b"OKAY", 0))


def _fail(stream: SyncStream, why: str) -> None:
    message = why.encode("utf-8", "surrogateescape")
    stream.write(struct.pack("<4sI", b"FAIL", len(message)) + message)
