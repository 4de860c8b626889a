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
from typing import Any, Protocol

from distrl.devices.browser.protocol import ProtocolError, Session
from distrl.errors import DeviceLost

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
    """Has the pages of one browser drawn."""

    @property
    def target_options(self) -> Mapping[str, Any]:
        """What new pages have to be opened with."""
        ...

    def tick(self, session: Session) -> None:
        """Have frames of a page come by themselves, as its time does."""
        ...

    async def frame(self, session: Session) -> None:
        """Have a page do what it does once a frame; nothing where it has gone on meanwhile."""
        ...

    async def screenshot(self, session: Session) -> bytes:
        """A page as it is now, as a PNG."""
        ...


def drawing_of(executable: Path) -> Drawing:
    """How a browser that has just been started draws."""
    return OnDemandDrawing() if draws_on_demand(executable) else ContinuousDrawing()


class ContinuousDrawing:
    """Chromium draws by itself."""

    target_options: Mapping[str, Any] = {}

    def tick(self, session: Session) -> None:
        """Nothing is needed."""

    async def frame(self, session: Session) -> None:
        """Wait for the next one."""
        wanted = {"expression": "__distrl.frame()", "awaitPromise": True}
        with suppress(ProtocolError):  # another document has taken its place
            await session.send("Runtime.evaluate", wanted)

    async def screenshot(self, session: Session) -> bytes:
        """Have the page drawn and packed."""
        shot = await session.send("Page.captureScreenshot", _PNG)
        return base64.b64decode(shot["data"])


class OnDemandDrawing:
    """Chromium draws one frame of one page when it is told to."""

    target_options: Mapping[str, Any] = {"enableBeginFrameControl": True}

    def __init__(self) -> None:
        """Nothing is being drawn."""
        # A browser that is asked for two frames at once dies.
        self._turn = asyncio.Lock()
        self._ticking: set[asyncio.Task[None]] = set()

    def tick(self, session: Session) -> None:
        """Draw it at the rate of a display, until it is gone."""
        task = asyncio.create_task(self._keep_drawing(session))
        self._ticking.add(task)
        task.add_done_callback(self._ticking.discard)

    async def _keep_drawing(self, session: Session) -> None:
        # Whoever uses the page learns by itself that it is gone.
        with suppress(ProtocolError, DeviceLost):
            while True:
                await self.frame(session)
                await asyncio.sleep(_TICK_SECONDS)

    async def frame(self, session: Session) -> None:
        """Have one frame drawn."""
        await self._draw(session, {})

    async def screenshot(self, session: Session) -> bytes:
        """Have one frame drawn and packed."""
        for _ in range(_MAX_FRAMES):
            drawn = await self._draw(session, {"screenshot": _PNG})
            if "screenshotData" in drawn:
                return base64.b64decode(drawn["screenshotData"])
        raise DeviceLost(f"{_MAX_FRAMES} frames were drawn, and none has a picture")

    async def _draw(self, session: Session, wanted: Mapping[str, Any]) -> dict[str, Any]:
        # Shielded: a caller that times out must not cancel the request. The browser still draws
        # that frame, so the lock is released when it has arrived, not when the caller gives up.
        frame = asyncio.ensure_future(self._in_turn(session, wanted))
        frame.add_done_callback(_look_at)
        try:
            return await asyncio.wait_for(asyncio.shield(frame), _FRAME_SECONDS)
        except TimeoutError:
            raise DeviceLost(f"no frame within {_FRAME_SECONDS:g} s") from None

    async def _in_turn(self, session: Session, wanted: Mapping[str, Any]) -> dict[str, Any]:
        async with self._turn:
            return await session.send("HeadlessExperimental.beginFrame", wanted)


def _look_at(frame: asyncio.Future[dict[str, Any]]) -> None:
    """Nobody may be there any more to hear of an error."""
    if not frame.cancelled():
        frame.exception()
