"""One request to an adb server: a socket of its own, and one deadline for the whole call.

adb itself blocks forever when its server is stopped or a phone hangs, and a timeout per read would
let an answer that drips byte by byte run on without end.
"""

from __future__ import annotations

import socket
import time

_MAX_REST_BYTES = 2**20
"""Of what a service says before it closes: a sentence. Bounds memory."""


class Deadline:
    """The time that is left of one call, over all its reads and writes."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds that are left; TimeoutError when none are."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError(f"after {self.seconds:g} s")
        return left


class ServerConnection:
    """One request to the adb server on a connection of its own.

    adbutils has such a connection, too, but it blocks without a deadline, sleeps on close, and
    starts a server on the shared port when there is none.
    """

    def __init__(self, host: str, port: int, timer: Deadline) -> None:
        self._timer = timer
        self._socket = socket.create_connection((host, port), timeout=timer.left())
        # Requests are a few bytes: Nagle's algorithm would hold each back for up to 40 ms.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self) -> None:
        """End it; whoever reads meanwhile gets nothing more."""
        self._socket.close()

    def ask(self, request: str) -> None:
        """Send a request; DeviceError with what the server says when it refuses."""
        packed = request.encode()
        self._socket.settimeout(self._timer.left())
        self._socket.sendall(b"%04x" % len(packed) + packed)
        answer = self.read(4)
        if answer == b"FAIL":
            raise Refused(self.block())
        if answer != b"OKAY":
            raise Refused(f"protocol fault: {answer!r}")

    def block(self) -> str:
        """A text with its length in front."""
        length = self.read(4)
        try:
            return self.read(int(length, 16)).decode("utf-8", "replace")
        except ValueError:
            raise Refused(f"protocol fault: {length!r}") from None

    def read(self, count: int) -> bytes:
        """Exactly so many bytes."""
        found = bytearray()
        while len(found) < count:
            self._socket.settimeout(self._timer.left())
            piece = self._socket.recv(min(count - len(found), 2**20))
            if not piece:
                raise Refused("closed")
            found += piece
        return bytes(found)

    def rest(self) -> bytes:
        """All bytes until the other side closes, or loses, the connection."""
        found = bytearray()
        while len(found) < _MAX_REST_BYTES:
            self._socket.settimeout(self._timer.left())
            try:
                piece = self._socket.recv(2**16)
            except ConnectionResetError:
                piece = b""
            if not piece:
                break
            found += piece
        return bytes(found)

    def send(self, content: bytes) -> None:
        """Send bytes as they are."""
        self._socket.settimeout(self._timer.left())
        self._socket.sendall(content)


class Refused(Exception):  # noqa: N818 - what adb said, before it is given a cause
    """The server or the device said no."""
