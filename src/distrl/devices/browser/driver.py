"""Drives one page: carries out actions, and reads what the page shows.

Everything here runs in the browser's thread. An action is complete when the page has handled its
events, has finished the requests that it started, and its virtual time has advanced.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from distrl.devices.browser import gestures
from distrl.devices.browser.drawing import Drawing
from distrl.devices.browser.gestures import Event
from distrl.devices.browser.loading import Loading
from distrl.devices.browser.protocol import ProtocolError, Session
from distrl.devices.browser.site import Site
from distrl.errors import DeviceLost, TaskError
from distrl.types import Action, Key, Kind

ACTION_MS = 500
"""How far an action moves the page's time on: what it set going comes to rest."""
# Longer than what pages usually debounce or animate, so that waiting shows something new.
WAIT_MS = 1500
# Above the 500 ms after which touch libraries count a press as long.
_HOLD_MS = 700
# Together with QUIET_SECONDS at most the deadline of a call.
_LOAD_SECONDS = 15.0
QUIET_SECONDS = 5.0
"""How long an action waits for what the page loads; what takes longer is seen later."""
_MAX_DOCUMENTS = 5
"""How many documents may take each other's place while they are being looked at."""


@dataclass(frozen=True, slots=True)
class PageSnapshot:
    """What a page showed at one moment, not yet unpacked."""

    listing: str
    """JSON: size, elements, keyboard, title and probe."""
    picture: bytes | None
    """PNG, if it was asked for."""


class ScriptError(Exception):
    """JavaScript that failed."""


class PageDriver:
    """One page. `Tabs` opens it."""

    def __init__(self, session: Session, target: str, drawing: Drawing, site: Site):
        """Take over a page that has just been opened, as large as `site`."""
        self.site, self.target = site, target
        self.loading = Loading(session, target)
        self._session, self._drawing = session, drawing
        self._first_entry = 0

    async def visit(self, site: Site) -> None:
        """Load the start of a site; an error when it does not answer or cannot be loaded."""
        if site.viewport != self.site.viewport:
            await self.resize(site)
        self.site = site
        try:
            async with asyncio.timeout(_LOAD_SECONDS):
                await self._load(site.start)
        except TimeoutError:
            raise DeviceLost(f"Timeout {1000 * _LOAD_SECONDS:g}ms exceeded") from None
        await self._await_quiet()
        self._first_entry = await self.evaluate("navigation.currentEntry?.index ?? 0")

    async def resize(self, site: Site) -> None:
        """Take the size of a site's window."""
        width, height = site.viewport
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        await self._session.send("Emulation.setDeviceMetricsOverride", size)

    async def _load(self, url: str) -> None:
        answer = await self._session.send("Page.navigate", {"url": url})
        if answer.get("errorText"):
            raise DeviceLost(f"{url} cannot be loaded: {answer['errorText']}")
        document = answer.get("loaderId")
        await self.loading.until(lambda: self.loading.is_complete(document), _LOAD_SECONDS)
        status = self.loading.status_of(document) if document else None
        if status is not None and status >= 400:
            raise DeviceLost(f"{url} cannot be loaded: status {status}")

    async def look(self, *, picture: bool) -> PageSnapshot:
        """What the page shows now."""
        return await self._after("0", picture=picture)

    async def run(self, script: str, *, picture: bool) -> PageSnapshot:
        """Run JavaScript, let the page's time move on, and look."""
        expression = f"(async()=>{{{script}}})().then(()=>{ACTION_MS})"
        await self._leave()
        try:
            return await self._after(expression, picture=picture)
        except ScriptError as error:
            raise TaskError(f"a script for {self.site.start} failed: {error}") from None

    async def perform(self, action: Action, *, picture: bool) -> PageSnapshot:
        """Carry out an action and look at what became of it."""
        x, y = self._point(action.x, action.y)
        span = ACTION_MS
        match action.kind:
            case Kind.TAP:
                await self._input(gestures.tap(x, y))
            case Kind.DOUBLE_TAP:
                await self._input(gestures.double_tap(x, y))
            case Kind.LONG_PRESS:
                await self._input((gestures.move(x, y), gestures.press(x, y)))
                await self.evaluate(f"__distrl.advance({_HOLD_MS})")
                await self._input((gestures.release(x, y),))
            case Kind.SWIPE:
                await self._swipe(x, y, *self._point(action.x2, action.y2))
            case Kind.DRAG:
                await self._input(gestures.drag(x, y, *self._point(action.x2, action.y2)))
            case Kind.TYPE:
                if action.text and not await self.evaluate(
                    f"__distrl.fill({json.dumps(action.text)})"
                ):
                    await self._input(gestures.typing(action.text))
            case Kind.PRESS:
                await self._press(action.key)
            case _:
                span = WAIT_MS
                if not self.site.frozen:
                    await asyncio.sleep(WAIT_MS / 1000)
        return await self._after(str(span), picture=picture)

    async def evaluate(self, expression: str) -> Any:
        """The value of JavaScript in the page, of a promise too."""
        answer = await self._session.send(
            "Runtime.evaluate",
            {"expression": expression, "returnByValue": True, "awaitPromise": True},
        )
        failed = answer.get("exceptionDetails")
        if failed is not None:
            said = failed.get("exception", {}).get("description") or failed.get("text", "")
            raise ScriptError(said.partition("\n")[0])
        return answer["result"].get("value")

    async def screenshot(self) -> bytes:
        """The page as a PNG."""
        self._require_alive()
        return await self._drawing.screenshot(self._session)

    @property
    def alive(self) -> bool:
        """Whether it can still be used."""
        return not self._session.lost

    def _point(self, x: float, y: float) -> tuple[float, float]:
        """Pixels, all of them inside the page."""
        width, height = self.site.width, self.site.height
        return min(width - 0.5, x * width), min(height - 0.5, y * height)

    async def _after(self, span: str, *, picture: bool) -> PageSnapshot:
        """Let time pass, and whatever is being loaded arrive; then look."""
        listing, framed = await self._in_any_document(
            f"Promise.resolve({span}).then(span=>__distrl.advance(span))"
            f".then(()=>__distrl.ready()).then({self._looking})"
        )
        # What a page does with its next frame, such as hearing that it was scrolled, is done now.
        if framed:
            await self._drawing.frame(self._session)
        if not self.loading.quiet:
            await self._await_quiet()
            framed = True
        if framed:
            listing, _ = await self._in_any_document(
                f"Promise.resolve(__distrl.told()).then({self._looking})"
            )
        return PageSnapshot(listing, await self.screenshot() if picture else None)

    @property
    def _looking(self) -> str:
        site = self.site
        size = f"[{site.width},{site.height}]"
        look = f"__distrl.look({json.dumps(site.ignored)},{size},()=>({site.probe}))"
        return f"()=>[{look},__distrl.framed()]"

    async def _in_any_document(self, expression: str) -> tuple[str, bool]:
        """What is listed, and whether frames matter; in the next document, if this goes away."""
        for _ in range(_MAX_DOCUMENTS - 1):
            self._require_alive()
            try:
                listing, framed = await self.evaluate(expression)
            except ProtocolError:
                self._require_alive()
                await self._await_load()
                expression = f"Promise.resolve(__distrl.ready()).then({self._looking})"
            else:
                return listing, framed
        listing, framed = await self.evaluate(expression)
        return listing, framed

    async def _await_quiet(self) -> None:
        try:
            await self.loading.until(lambda: self.loading.quiet, QUIET_SECONDS)
        except TimeoutError:
            # A page may keep a connection open for ever; it is looked at as it is.
            self.loading.forget()
        await self._await_load()

    async def _await_load(self) -> None:
        try:
            await self.loading.until(self.loading.is_complete, _LOAD_SECONDS)
        except TimeoutError:
            raise DeviceLost(f"Timeout {1000 * _LOAD_SECONDS:g}ms exceeded") from None

    def _require_alive(self) -> None:
        if not self.alive:
            raise DeviceLost(self._session.lost)

    async def _input(self, events: Iterable[Event]) -> None:
        """Send events in order, without waiting for each answer.

        Chromium answers some events with the next frame only: waiting for each answer would be
        slow, or wait for a frame that nobody draws.
        """
        await asyncio.gather(*[self._session.ask(*event) for event in events])

    async def _leave(self) -> None:
        """Take the mouse away: what it was used for is over, nothing should light up under it.

        A move alone is dealt with at a frame that is begun after it has reached the page.
        """
        width, height = self.site.viewport
        left = self._session.ask(*gestures.move(width - 1, height - 1))
        while not left.done():
            with suppress(ProtocolError):  # a document that goes away has no answer
                await self.evaluate("0")
            await self._drawing.frame(self._session)
        await left

    async def _swipe(self, x: float, y: float, x2: float, y2: float) -> None:
        if not await self.evaluate(f"__distrl.scroll({x},{y},{x2 - x},{y2 - y})"):
            await self._input(gestures.drag(x, y, x2, y2))

    async def _press(self, key: Key | None) -> None:
        if key is Key.ENTER:
            await self._input(gestures.enter())
        elif key is Key.BACK:
            await self._go_back()
        elif self.site.home:
            await self.visit(self.site)

    async def _go_back(self) -> None:
        try:
            await self.evaluate(f"__distrl.back({self._first_entry})")
        except ProtocolError:
            self._require_alive()  # what was asked has gone, as it should
