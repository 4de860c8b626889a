"""Follows what a page loads: its document, and the requests of all its frames and workers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from distrl.devices.browser.protocol import LOST, ProtocolError, Session

Told = dict[str, Any]


class Loading:
    """The state of one page, kept up by its events."""

    def __init__(self, session: Session, frame: str) -> None:
        """Follow the page whose main frame is `frame`; nothing is being loaded yet."""
        self._session, self._frame = session, frame
        self._requests: dict[str, str] = {}
        """Those without an end, each with the document that it belongs to."""
        self._coming: set[str] = set()
        """Why another document is about to take this one's place."""
        self._document = ""
        self._complete = True
        self._status: tuple[str, int] = ("", 0)
        self._moved = asyncio.Event()
        for event, handler in {
            "Page.frameNavigated": self._on_document,
            "Page.navigatedWithinDocument": self._on_no_document,
            "Page.frameStoppedLoading": self._on_no_document,
            "Page.frameScheduledNavigation": self._on_scheduled,
            "Page.frameClearedScheduledNavigation": self._on_cleared,
            "Page.frameRequestedNavigation": self._on_requested,
            "Page.loadEventFired": self._on_load,
            LOST: self._on_lost,
        }.items():
            session.on(event, handler)
        self.follow(session)

    def follow(self, session: Session) -> None:
        """Count the requests of a session too: the page's own, or that of a frame or worker."""
        session.on("Network.requestWillBeSent", self._on_request)
        session.on("Network.responseReceived", self._on_response)
        session.on("Network.loadingFinished", self._on_answered)
        session.on("Network.loadingFailed", self._on_answered)

    @property
    def quiet(self) -> bool:
        """Whether nothing is under way: no request, and no other document."""
        return not self._requests and not self._coming

    def is_complete(self, document: str | None = None) -> bool:
        """Whether the load event of the document, of this one if it is named, has come."""
        return self._complete and document in (None, self._document)

    def status_of(self, document: str) -> int | None:
        """What the server said when a document was asked for; None where there was no server."""
        name, status = self._status
        return status if name == document else None

    def forget(self) -> None:
        """Wait no longer for what is under way."""
        self._requests.clear()
        self._coming.clear()

    async def until(self, holds: Callable[[], bool], seconds: float) -> None:
        """Wait for something to hold; TimeoutError, or ProtocolError when the page is gone."""
        async with asyncio.timeout(seconds):
            while not holds():
                if self._session.lost:
                    raise ProtocolError(self._session.lost)
                self._moved.clear()
                await self._moved.wait()

    def _on_document(self, told: Told) -> None:
        frame = told["frame"]
        if frame["id"] != self._frame:
            return
        self._document, self._complete = frame["loaderId"], False
        self._coming.clear()
        # Nobody tells how requests of the old document ended.
        self._requests = {
            request: document
            for request, document in self._requests.items()
            if document == self._document
        }
        self._moved.set()

    def _on_no_document(self, told: Told) -> None:
        if told["frameId"] == self._frame:
            self._coming.clear()
            self._moved.set()

    def _on_scheduled(self, told: Told) -> None:
        # What is to come only later, such as a refresh, is not waited for.
        if told["frameId"] == self._frame and told["delay"] == 0:
            self._coming.add("scheduled")

    def _on_cleared(self, told: Told) -> None:
        if told["frameId"] == self._frame:
            self._coming.discard("scheduled")
            self._moved.set()

    def _on_requested(self, told: Told) -> None:
        if told["frameId"] == self._frame and told["disposition"] == "currentTab":
            self._coming.add("requested")

    def _on_load(self, _: Told) -> None:
        self._complete = True
        self._moved.set()

    def _on_lost(self, _: Told) -> None:
        self._moved.set()

    def _on_request(self, told: Told) -> None:
        # Data is there already; of the questions before a request, only the request has an end.
        if told.get("type") != "Preflight" and not told["request"]["url"].startswith("data:"):
            self._requests[told["requestId"]] = told["loaderId"]

    def _on_response(self, told: Told) -> None:
        if told["requestId"] == told["loaderId"] and told.get("frameId") == self._frame:
            self._status = told["loaderId"], told["response"]["status"]

    def _on_answered(self, told: Told) -> None:
        self._requests.pop(told["requestId"], None)
        self._moved.set()
