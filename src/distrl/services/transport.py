"""One HTTP request with a deadline over all of it, whatever the server does."""

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

_LARGEST = 16 * 2**20
"""Bytes of the longest answer that is read."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, good or bad."""

    status: int
    body: bytes
    retry_after: str | None


def post(url: str, body: bytes, headers: Mapping[str, str], *, seconds: float) -> Reply:
    """Send a body and read the reply within `seconds`; ServiceError when there is none.

    Proxies are taken from the environment, as everywhere. Redirects are not followed: they would
    carry the key to another host. Nothing of the request is in the error.
    """
    guard = _Guard(seconds)
    opener = urllib.request.build_opener(_Plain(guard), _Secure(guard), _NoRedirect())
    request = urllib.request.Request(url, data=body, headers=dict(headers), method="POST")  # noqa: S310 - the settings allow http and https alone
    try:
        with guard:
            try:
                with opener.open(request, timeout=seconds) as reply:
                    return _read(reply)
            except urllib.error.HTTPError as refused:
                with refused:
                    return _read(refused)
    except (OSError, http.client.HTTPException, ValueError) as cause:
        if guard.struck:
            raise ServiceError(f"no whole answer within {seconds:.1f} s") from None
        raise ServiceError(f"no answer: {_brief(cause)}") from None


def _read(reply: Any) -> Reply:
    body: bytes = reply.read(_LARGEST + 1)
    if len(body) > _LARGEST:
        raise ServiceError(f"the answer is over {_LARGEST} bytes long")
    promised = reply.headers.get("Content-Length", "")
    if promised.isdigit() and int(promised) > len(body):
        raise ServiceError(f"the answer broke off after {len(body)} of {promised} bytes")
    return Reply(reply.status, body, reply.headers.get("Retry-After"))


def _brief(cause: Exception) -> str:
    reason = getattr(cause, "reason", cause)
    return f"{type(reason).__name__}: {reason}"


class _Guard:
    """Cuts the connection when the time is up: a time limit per read lets a slow drip go on."""

    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds
        self._timer = threading.Timer(seconds, self._strike)
        self._timer.daemon = True
        self._turn = threading.Lock()
        self._socket: socket.socket | None = None
        self.struck = False

    @property
    def left(self) -> float:
        return max(0.001, self._ends - time.monotonic())

    def watch(self, connection: socket.socket | None) -> None:
        with self._turn:
            self._socket = connection
        if self.struck:
            self._cut()

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        if time.monotonic() >= self._ends:
            self.struck = True

    def _strike(self) -> None:
        self.struck = True
        self._cut()

    def _cut(self) -> None:
        with self._turn:
            if self._socket is not None:
                try:
                    self._socket.shutdown(socket.SHUT_RDWR)
                except OSError:
                    return  # it has gone already, which is what is wanted


class _PlainConnection(http.client.HTTPConnection):
    guard: _Guard

    def connect(self) -> None:
        self.timeout = self.guard.left
        super().connect()
        self.guard.watch(self.sock)


class _SecureConnection(http.client.HTTPSConnection):
    guard: _Guard

    def connect(self) -> None:
        self.timeout = self.guard.left
        super().connect()
        self.guard.watch(self.sock)


class _Plain(urllib.request.HTTPHandler):
    def __init__(self, guard: _Guard) -> None:
        super().__init__()
        self._guard = guard

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        kind: Any = type("_Connection", (_PlainConnection,), {"guard": self._guard})
        return self.do_open(kind, req)


class _Secure(urllib.request.HTTPSHandler):
    def __init__(self, guard: _Guard) -> None:
        super().__init__()
        self._guard = guard

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        kind: Any = type("_Connection", (_SecureConnection,), {"guard": self._guard})
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
        """Leave the redirect as the answer."""
