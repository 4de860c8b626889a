"""The DevTools protocol over a pair of pipes: one connection to a browser, a session per target.

A message is a JSON object, and a zero byte ends it. A request is written at once and its answer
awaited whenever somebody likes, so requests that belong together leave together. Everything here
runs in the browser's thread; deadlines are those of whoever awaits.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

Given = Mapping[str, Any]
Answer = dict[str, Any]
Handler = Callable[[Answer], None]

LOST = "lost"
"""The event of a session whose target is gone; the browser itself sends none for all cases."""
_END = b"\0"


class ProtocolError(Exception):
    """The browser refused a request, or whoever should have answered is gone."""


class Connection(asyncio.Protocol):
    """Reads answers and events. `write` sends what is asked for."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        """Nothing has been asked yet."""
        self._write = write
        self._unfinished = bytearray()
        self._last_id = 0
        self._waiting: dict[int, tuple[str, asyncio.Future[Answer]]] = {}
        self._sessions: dict[str, Session] = {}
        self.ended = asyncio.Event()
        """The browser has gone."""
        self.browser = self.session("")
        """Requests to the browser itself."""

    def session(self, name: str) -> Session:
        """The requests to a target that was attached to by this name, and its events."""
        if name not in self._sessions:
            self._sessions[name] = Session(self, name)
        return self._sessions[name]

    def ask(self, session: str, method: str, given: Given) -> asyncio.Future[Answer]:
        """Write a request."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[self.tell(session, method, given)] = session, future
        return future

    def tell(self, session: str, method: str, given: Given) -> int:
        """Write a request whose answer nobody waits for; returns its number."""
        self._last_id += 1
        message: dict[str, Any] = {"id": self._last_id, "method": method, "params": given}
        if session:
            message["sessionId"] = session
        self._write(json.dumps(message, separators=(",", ":")).encode() + _END)
        return self._last_id

    def data_received(self, data: bytes) -> None:
        """Deal with all messages that are complete."""
        self._unfinished += data
        *messages, self._unfinished = self._unfinished.split(_END)
        for message in messages:
            self._take(json.loads(message))

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody will answer any more."""
        del exc
        self.ended.set()
        for name in list(self._sessions):
            self._lose(name, "the browser has ended")

    def _take(self, message: Answer) -> None:
        if "id" in message:
            _, future = self._waiting.pop(message["id"], ("", None))
            # Whoever asked may have given up.
            if future is not None and not future.done():
                _settle(future, message)
            return
        session = self._sessions.get(message.get("sessionId", ""))
        if session is None:
            return
        method, told = message["method"], message["params"]
        if method == "Inspector.targetCrashed":
            self._lose(session.name, "the page crashed")
        elif method == "Target.detachedFromTarget":
            self._lose(told["sessionId"], "the page is closed")
            self._sessions.pop(told["sessionId"], None)
        session.hear(method, told)

    def _lose(self, name: str, why: str) -> None:
        """Fail what a session was asked for, and let it know."""
        for number, (session, future) in list(self._waiting.items()):
            if session == name:
                del self._waiting[number]
                if not future.done():
                    future.set_exception(ProtocolError(why))
        if name in self._sessions:
            self._sessions[name].lose(why)


class Session:
    """One target of the browser: a page, a frame, a worker, or the browser itself."""

    def __init__(self, connection: Connection, name: str) -> None:
        """`Connection.session` makes them."""
        self.connection, self.name = connection, name
        self._handlers: dict[str, Handler] = {}
        self.lost = ""
        """Why it can no longer be used; empty while it can."""

    def on(self, event: str, handler: Handler) -> None:
        """Have an event handled, by one handler alone."""
        self._handlers[event] = handler

    def lose(self, why: str) -> None:
        """It cannot be used any more: its handler of `LOST` is told, once."""
        if not self.lost:
            self.lost = why
            self.hear(LOST, {})

    def hear(self, event: str, told: Answer) -> None:
        """Pass an event on."""
        if event in self._handlers:
            self._handlers[event](told)

    def ask(self, method: str, given: Given | None = None) -> asyncio.Future[Answer]:
        """Write a request now; await the answer, or the ProtocolError, later."""
        if self.lost:
            raise ProtocolError(f"{method}: {self.lost}")
        return self.connection.ask(self.name, method, given or {})

    def tell(self, method: str, given: Given | None = None) -> None:
        """Write a request whose answer does not matter; nothing where the target is gone."""
        if not self.lost:
            self.connection.tell(self.name, method, given or {})

    async def send(self, method: str, given: Given | None = None) -> Answer:
        """Write a request and wait for its answer; ProtocolError when it fails."""
        return await self.ask(method, given)


def _settle(future: asyncio.Future[Answer], message: Answer) -> None:
    if "error" in message:
        future.set_exception(ProtocolError(str(message["error"].get("message", "refused"))))
    else:
        future.set_result(message["result"])
