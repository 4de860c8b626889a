"""One HTTP POST with a deadline over the whole exchange: connect, send, and read the reply."""

from __future__ import annotations

import http.client
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from typing import IO, Any

from distrl.errors import ServiceError

_MAX_REPLY = 16 * 2**20
"""Bytes. Answers are kilobytes; the limit keeps a faulty server from filling the memory."""
_LEAST_TIMEOUT = 0.001
"""Seconds. A socket timeout of 0 would mean non-blocking, not expired."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The HTTP reply, whatever its status."""

    status: int
    body: bytes
    retry_after: str | None


def post(url: str, body: bytes, headers: Mapping[str, str], *, seconds: float) -> Reply:
    """Send `body` and return the reply; ServiceError if it is not complete within `seconds`.

    Proxies are read from the environment. Redirects are not followed: they would send the key to
    another host. The error contains nothing of the request.
    """
    deadline = _Deadline(seconds)
    opener = urllib.request.build_opener(_Plain(deadline), _Secure(deadline), _NoRedirect())
    request = urllib.request.Request(url, data=body, headers=dict(headers), method="POST")  # noqa: S310 - the settings allow http and https alone
    try:
        with deadline:
            try:
                with opener.open(request, timeout=seconds) as reply:
                    return _read(reply)
            except urllib.error.HTTPError as refused:
                with refused:
                    return _read(refused)
    # `from None`: the error must carry nothing of the request, which holds the key.
    except (OSError, http.client.HTTPException, ValueError) as cause:
        if deadline.expired:
            raise ServiceError(f"no whole answer within {seconds:.1f} s") from None
        raise ServiceError(f"no answer: {_brief(cause)}") from None


def _read(reply: Any) -> Reply:
    body: bytes = reply.read(_MAX_REPLY + 1)
    if len(body) > _MAX_REPLY:
        raise ServiceError(f"the answer is over {_MAX_REPLY} bytes long")
    # `read(n)` returns a short body without an error when the connection closes early.
    promised = reply.headers.get("Content-Length", "")
    if promised.isdigit() and int(promised) > len(body):
        raise ServiceError(f"the answer broke off after {len(body)} of {promised} bytes")
    return Reply(reply.status, body, reply.headers.get("Retry-After"))


def _brief(cause: Exception) -> str:
    reason = getattr(cause, "reason", cause)
    return f"{type(reason).__name__}: {reason}"


class _Deadline:
    """Shuts the connection down when the time is up.

    A socket timeout applies to each read on its own, so a server that sends a byte at a time would
    never trip it.
    """

    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds
        self._timer = threading.Timer(seconds, self._expire)
        self._timer.daemon = True
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self.expired = False

    @property
    def left(self) -> float:
        return max(_LEAST_TIMEOUT, self._ends - time.monotonic())

    def watch(self, connection: socket.socket | None) -> None:
        with self._lock:
            self._socket = connection
        # The timer may have fired while the connection was being made.
        if self.expired:
            self._cut()

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        if time.monotonic() >= self._ends:
            self.expired = True

    def _expire(self) -> None:
        self.expired = True
        self._cut()

    def _cut(self) -> None:
        with self._lock:
            if self._socket is not None:
                # `shutdown`, not `close`: it wakes the thread that is blocked in `recv`.
                try:
                    self._socket.shutdown(socket.SHUT_RDWR)
                except OSError:
                    return  # already closed


class _PlainConnection(http.client.HTTPConnection):
    deadline: _Deadline

    def connect(self) -> None:
        self.timeout = self.deadline.left
        super().connect()
        self.deadline.watch(self.sock)


class _SecureConnection(http.client.HTTPSConnection):
    deadline: _Deadline

    def connect(self) -> None:
        self.timeout = self.deadline.left
        super().connect()
        self.deadline.watch(self.sock)


class _Plain(urllib.request.HTTPHandler):
    def __init__(self, deadline: _Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        kind: Any = type("_Connection", (_PlainConnection,), {"deadline": self._deadline})
        return self.do_open(kind, req)


class _Secure(urllib.request.HTTPSHandler):
    def __init__(self, deadline: _Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        kind: Any = type("_Connection", (_SecureConnection,), {"deadline": self._deadline})
        return self.do_open(kind, req)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Message | Any,
        newurl: str,
    ) -> None:
        """Return the redirect itself as the reply."""
