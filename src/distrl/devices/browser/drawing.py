"""When pages are drawn: continuously by Chromium, or one frame at a time on demand.

The headless shell can be told when to draw (begin frame control) and is idle between frames. A full
Chromium draws by itself, without a frame rate limit, so that a screenshot does not wait for the
next sixtieth of a second.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from distrl.errors import DeviceLost

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Page

_PNG = {"format": "png", "optimizeForSpeed": True}
_ON_DEMAND_FLAGS = ("--enable-begin-frame-control", "--run-all-compositor-stages-before-draw")
_CONTINUOUS_FLAGS = ("--disable-gpu-vsync", "--disable-frame-rate-limit")
# The rate of a real display, which pages with running time expect.
_TICK_SECONDS = 1 / 60
# Below the deadline of a call, so that the error says that it was the frame.
_FRAME_SECONDS = 10.0
_MAX_FRAMES = 3
"""Frames until one has a picture: the first after a page was loaded may have none."""


def draws_on_demand(executable: Path) -> bool:
    """Whether a browser can be told when to draw: one without windows can, by its name."""
    return "headless" in executable.name


def drawing_flags(executable: Path) -> tuple[str, ...]:
    """What the browser has to be started with."""
    return _ON_DEMAND_FLAGS if draws_on_demand(executable) else _CONTINUOUS_FLAGS


class Drawing(Protocol):
    """Opens the pages of one context, and has them drawn."""

    async def open(self, *, ticking: bool) -> tuple[Page, CDPSession]:
        """A new page; frames of one that is `ticking` come by themselves."""
        ...

    async def frame(self, session: CDPSession) -> None:
        """Have a page do what it does once a frame; nothing where it has gone on meanwhile."""
        ...

    async def screenshot(self, session: CDPSession) -> bytes:
        """A page as it is now, as a PNG."""
        ...


class ContinuousDrawing:
    """Chromium draws by itself."""

    def __init__(self, context: BrowserContext) -> None:
        """Have pages of a context."""
        self._context = context

    async def open(self, *, ticking: bool) -> tuple[Page, CDPSession]:
        """A new page."""
        del ticking
        page = await self._context.new_page()
        return page, await self._context.new_cdp_session(page)

    async def frame(self, session: CDPSession) -> None:
        """Wait for the next one."""
        from playwright.async_api import Error

        wanted = {"expression": "__distrl.frame()", "awaitPromise": True}
        with suppress(Error):  # another document has taken its place
            await session.send("Runtime.evaluate", wanted)

    async def screenshot(self, session: CDPSession) -> bytes:
        """Have the page drawn and packed."""
        shot = await session.send("Page.captureScreenshot", _PNG)
        return base64.b64decode(shot["data"])


class OnDemandDrawing:
    """Chromium draws one frame of one page when it is told to."""

    def __init__(
        self, context: BrowserContext, context_id: str, browser: CDPSession, turn: asyncio.Lock
    ) -> None:
        """Have pages of a context, which `browser` knows as `context_id`.

        Only who has the `turn` may draw: a browser that is asked for two frames at once dies.
        """
        self._context, self._context_id, self._browser, self._turn = (
            context,
            context_id,
            browser,
            turn,
        )
        self._ticking: set[asyncio.Task[None]] = set()

    async def open(self, *, ticking: bool) -> tuple[Page, CDPSession]:
        """A new page."""
        wanted = {
            "url": "about:blank",
            "browserContextId": self._context_id,
            "enableBeginFrameControl": True,
        }
        async with self._context.expect_page() as opened:
            await self._browser.send("Target.createTarget", wanted)
        page = await opened.value
        session = await self._context.new_cdp_session(page)
        if ticking:
            self._tick(page, session)
        return page, session

    def _tick(self, page: Page, session: CDPSession) -> None:
        task = asyncio.create_task(self._keep_drawing(session))
        self._ticking.add(task)
        task.add_done_callback(self._ticking.discard)

        def stop(_: Page) -> None:
            task.cancel()

        page.on("close", stop)
        page.on("crash", stop)

    async def _keep_drawing(self, session: CDPSession) -> None:
        from playwright.async_api import Error

        try:
            while True:
                await self.frame(session)
                await asyncio.sleep(_TICK_SECONDS)
        except (Error, DeviceLost):
            return  # the page is gone, which whoever uses it learns by itself

    async def frame(self, session: CDPSession) -> None:
        """Have one frame drawn."""
        await self._draw(session, {})

    async def screenshot(self, session: CDPSession) -> bytes:
        """Have one frame drawn and packed."""
        for _ in range(_MAX_FRAMES):
            drawn = await self._draw(session, {"screenshot": _PNG})
            if "screenshotData" in drawn:
                return base64.b64decode(drawn["screenshotData"])
        raise DeviceLost(f"{_MAX_FRAMES} frames were drawn, and none has a picture")

    async def _draw(self, session: CDPSession, wanted: Mapping[str, Any]) -> dict[str, Any]:
        # Shielded: a caller that times out must not cancel the request. The browser still draws
        # that frame, so the lock is released when it has arrived, not when the caller gives up.
        frame = asyncio.ensure_future(self._in_turn(session, dict(wanted)))
        frame.add_done_callback(_look_at)
        try:
            return await asyncio.wait_for(asyncio.shield(frame), _FRAME_SECONDS)
        except TimeoutError:
            raise DeviceLost(f"no frame within {_FRAME_SECONDS:g} s") from None

    async def _in_turn(self, session: CDPSession, wanted: dict[str, Any]) -> dict[str, Any]:
        async with self._turn:
            drawn: dict[str, Any] = await session.send("HeadlessExperimental.beginFrame", wanted)
            return drawn


def _look_at(frame: asyncio.Future[dict[str, Any]]) -> None:
    """Nobody may be there any more to hear of an error."""
    if not frame.cancelled():
        frame.exception()


async def context_id_of(context: BrowserContext) -> str:
    """What the browser calls a context; only its pages tell."""
    page = await context.new_page()
    session = await context.new_cdp_session(page)
    told = await session.send("Target.getTargetInfo")
    await page.close()
    place: str = told["targetInfo"]["browserContextId"]
    return place
