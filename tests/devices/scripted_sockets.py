"""Sockets that answer from a script, so that the adb protocol is tested without a server."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import pytest

Piece: TypeAlias = bytes | Exception
"""What one `recv` brings: bytes, or what it raises. After the last piece the peer has closed."""

OKAY = b"OKAY"


def block(text: str) -> bytes:
    """A text with its length in front, as the adb server sends it."""
    packed = text.encode()
    return b"%04x" % len(packed) + packed


def fail(text: str) -> bytes:
    """A request that the adb server refuses."""
    return b"FAIL" + block(text)


def shell_packet(number: int, content: bytes) -> bytes:
    """One packet of the shell protocol, version 2."""
    return struct.pack("<BI", number, len(content)) + content


def shell_output(stdout: bytes = b"", stderr: bytes = b"", code: int = 0) -> bytes:
    """What a program sends that prints and ends."""
    return shell_packet(1, stdout) + shell_packet(2, stderr) + shell_packet(3, bytes([code]))


@dataclass
class ScriptedSocket:
    """One connection: sends what it was given, in pieces no larger than those of the script."""

    pieces: list[Piece]
    sent: bytes = b""
    closed: bool = False
    timeouts: list[float] = field(default_factory=list)

    def setsockopt(self, *_: int) -> None:
        """Nothing is really sent, so nothing can be delayed."""

    def settimeout(self, seconds: float) -> None:
        self.timeouts.append(seconds)

    def sendall(self, content: bytes) -> None:
        self.sent += content

    def recv(self, count: int) -> bytes:
        if not self.pieces:
            return b""
        piece = self.pieces.pop(0)
        if isinstance(piece, Exception):
            raise piece
        if len(piece) > count:
            self.pieces.insert(0, piece[count:])
        return piece[:count]

    def close(self) -> None:
        self.closed = True

    @property
    def requests(self) -> list[str]:
        """What was asked, request by request."""
        return list(self._requests())

    def _requests(self) -> Iterator[str]:
        left = self.sent
        while left:
            length = int(left[:4], 16)
            yield left[4 : 4 + length].decode()
            left = left[4 + length :]


@dataclass
class ScriptedServer:
    """Connections in the order in which they are opened; the last script is used again."""

    scripts: list[Sequence[Piece] | Exception]
    opened: list[ScriptedSocket] = field(default_factory=list)

    def connect(self, address: tuple[str, int], timeout: float) -> ScriptedSocket:
        script = self.scripts.pop(0) if len(self.scripts) > 1 else self.scripts[0]
        if isinstance(script, Exception):
            raise script
        self.opened.append(ScriptedSocket([*script], timeouts=[timeout]))
        return self.opened[-1]


def serve(monkeypatch: pytest.MonkeyPatch, *scripts: Sequence[Piece] | Exception) -> ScriptedServer:
    """Answer the next connections of the adb client from scripts."""
    server = ScriptedServer(list(scripts))
    monkeypatch.setattr(
        "distrl.devices.android.adb.connection.socket.create_connection", server.connect
    )
    return server
