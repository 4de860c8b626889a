"""Drives one page: turns actions into mouse and keyboard events, and reads what the page shows.

Everything here runs in the browser's thread. An action is complete when the page has handled its
events, has finished the requests that it started, and its virtual time has advanced.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from distrl.devices.browser.drawing import Drawing
from distrl.devices.browser.site import Access, Site, access, content_type
from distrl.errors import DeviceLost, TaskError
from distrl.types import Action, Key, Kind

if TYPE_CHECKING:
    from playwright.async_api import (
        Browser,
        BrowserContext,
        CDPSession,
        Page,
        Request,
        Route,
        WebSocketRoute,
    )

ACTION_MS = 500
"""How far an action moves the page's time on: what it set going comes to rest."""
# Longer than what pages usually debounce or animate, so that waiting shows something new.
WAIT_MS = 1500
# Above the 500 ms after which touch libraries count a press as long.
_HOLD_MS = 700
# Together with _QUIET_SECONDS at most the deadline of a call.
_LOAD_SECONDS = 15.0
_QUIET_SECONDS = 5.0
"""How long an action waits for what the page loads; what takes longer is seen later."""
_NEXT_FRAME_SECONDS = 0.004
"""How long a frame has to make its way to the events that wait for it."""
# Each open page keeps memory of the browser.
MAX_OPEN_PAGES = 32
"""Pages that are left loaded side by side; beyond, the one that was used longest ago is closed."""
# Several moves, since pages take a single jump for a click and not for a drag.
_DRAG_MOVES = 6
# Each keystroke is two events, and only key handlers notice the difference.
_MAX_KEYSTROKES = 64
"""Longer texts are put in at once instead of key by key."""


@dataclass(frozen=True, slots=True)
class PageSnapshot:
    """What a page showed at one moment, not yet unpacked."""

    listing: str
    """JSON: size, elements, keyboard, title and probe."""
    picture: bytes | None
    """PNG, if it was asked for."""


@cache
def page_script() -> str:
    """What runs inside every page."""
    return (files("distrl.devices.browser") / "page.js").read_text("utf-8")


class PageDriver:
    """One page. `Tabs` opens it."""

    def __init__(self, page: Page, session: CDPSession, drawing: Drawing, site: Site):
        """Take over a page that has just been opened."""
        self.page, self.site = page, site
        self._session, self._drawing = session, drawing
        self._loading: set[Request] = set()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._first_entry = 0
        self._crashed = False
        page.on("crash", self._on_crash)
        page.on("popup", _close_other)
        page.on("request", self._on_request)
        page.on("requestfinished", self._on_answer)
        page.on("requestfailed", self._on_answer)

    def _on_crash(self, _: object) -> None:
        self._crashed = True

    def _on_request(self, request: Request) -> None:
        self._loading.add(request)
        self._quiet.clear()

    def _on_answer(self, request: Request) -> None:
        self._loading.discard(request)
        if not self._loading:
            self._quiet.set()

    async def visit(self, site: Site) -> None:
        """Load the start of a site; an error when it does not answer or cannot be loaded."""
        if site.viewport != self.site.viewport:
            width, height = site.viewport
            await self.page.set_viewport_size({"width": width, "height": height})
        self.site, url = site, site.start
        answer = await self.page.goto(url, wait_until="load", timeout=1000 * _LOAD_SECONDS)
        if answer is not None and answer.status >= 400:
            raise DeviceLost(f"{url} cannot be loaded: status {answer.status}")
        await self._await_quiet()
        self._first_entry = await self.evaluate("navigation.currentEntry?.index ?? 0")

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
                await self.page.mouse.click(x, y)
            case Kind.LONG_PRESS:
                await self._mouse(("mouseMoved", x, y), ("mousePressed", x, y))
                await self.evaluate(f"__distrl.advance({_HOLD_MS})")
                await self._mouse(("mouseReleased", x, y))
            case Kind.SWIPE:
                await self._swipe(x, y, *self._point(action.x2, action.y2))
            case Kind.TYPE:
                await self._type(action.text)
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
        return not self._crashed and not self.page.is_closed()

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
        if not self._quiet.is_set():
            await self._await_quiet()
            framed = True
        if framed:
            listing, _ = await self._in_any_document(f"Promise.resolve().then({self._looking})")
        return PageSnapshot(listing, await self.screenshot() if picture else None)

    @property
    def _looking(self) -> str:
        site = self.site
        size = f"[{site.width},{site.height}]"
        look = f"__distrl.look({json.dumps(site.ignored)},{size},()=>({site.probe}))"
        return f"()=>[{look},__distrl.framed()]"

    async def _in_any_document(self, expression: str) -> tuple[str, bool]:
        """What is listed, and whether frames matter; in the next document, if this goes away."""
        from playwright.async_api import Error

        self._require_alive()
        try:
            listing, framed = await self.evaluate(expression)
        except Error:
            self._require_alive()
            await self.page.wait_for_load_state("load", timeout=1000 * _LOAD_SECONDS)
            listing, framed = await self.evaluate(
                f"Promise.resolve(__distrl.ready()).then({self._looking})"
            )
        return listing, framed

    async def _await_quiet(self) -> None:
        try:
            await asyncio.wait_for(self._quiet.wait(), _QUIET_SECONDS)
        except TimeoutError:
            # A page may keep a connection open for ever; it is looked at as it is.
            self._loading.clear()
            self._quiet.set()
        await self.page.wait_for_load_state("load", timeout=1000 * _LOAD_SECONDS)

    def _require_alive(self) -> None:
        if not self.alive:
            raise DeviceLost("the page crashed")

    async def _mouse(self, *events: tuple[str, float, float]) -> None:
        """Send mouse events in order, without waiting for each answer.

        Chromium answers some events with the next frame only: waiting for each answer would be
        slow, or wait for a frame that nobody draws.
        """
        await _gather(
            self._session.send(
                "Input.dispatchMouseEvent",
                {
                    "type": kind,
                    "x": x,
                    "y": y,
                    "button": "none" if kind == "mouseMoved" and not held else "left",
                    "buttons": int(held or kind == "mousePressed"),
                    "clickCount": 1,
                },
            )
            for kind, x, y, held in _with_button(events)
        )

    async def _leave(self) -> None:
        """Take the mouse away: what it was used for is over, nothing should light up under it.

        A move alone is dealt with at the next frame.
        """
        width, height = self.site.viewport
        move = asyncio.ensure_future(self._mouse(("mouseMoved", width - 1, height - 1)))
        while not move.done():
            await self._drawing.frame(self._session)
            await asyncio.wait({move}, timeout=_NEXT_FRAME_SECONDS)
        await move

    async def _swipe(self, x: float, y: float, x2: float, y2: float) -> None:
        if await self.evaluate(f"__distrl.scroll({x},{y},{x2 - x},{y2 - y})"):
            return
        way = [
            (x + (x2 - x) * share / _DRAG_MOVES, y + (y2 - y) * share / _DRAG_MOVES)
            for share in range(1, _DRAG_MOVES + 1)
        ]
        await self._mouse(
            ("mouseMoved", x, y),
            ("mousePressed", x, y),
            *(("mouseMoved", *point) for point in way),
            ("mouseReleased", x2, y2),
        )

    async def _type(self, text: str) -> None:
        if not text or await self.evaluate(f"__distrl.fill({json.dumps(text)})"):
            return
        if len(text) > _MAX_KEYSTROKES or not (text.isascii() and text.isprintable()):
            await self._session.send("Input.insertText", {"text": text})
            return
        await _gather(
            self._session.send("Input.dispatchKeyEvent", event)
            for character in text
            for event in _strokes(character)
        )

    async def _press(self, key: Key | None) -> None:
        if key is Key.ENTER:
            for kind in ("keyDown", "keyUp"):
                down = {"text": "\r"} if kind == "keyDown" else {}
                await self._session.send(
                    "Input.dispatchKeyEvent",
                    {
                        "type": kind,
                        "key": "Enter",
                        "code": "Enter",
                        "windowsVirtualKeyCode": 13,
                        **down,
                    },
                )
        elif key is Key.BACK:
            await self.evaluate(f"__distrl.back({self._first_entry})")
        elif self.site.home:
            await self.visit(self.site)


class ScriptError(Exception):
    """JavaScript that failed."""


def _with_button(
    events: tuple[tuple[str, float, float], ...],
) -> list[tuple[str, float, float, bool]]:
    """Each event with whether the button was held before it."""
    held, found = False, []
    for kind, x, y in events:
        found.append((kind, x, y, held))
        held = kind == "mousePressed" or (held and kind != "mouseReleased")
    return found


def _strokes(character: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The events of one key."""
    code = ord(character.upper())
    named = {"key": character, "windowsVirtualKeyCode": code if character.isalnum() else 0}
    return {"type": "keyDown", "text": character, **named}, {"type": "keyUp", **named}


async def _gather(sent: Any) -> None:
    await asyncio.gather(*sent)


class Tabs:
    """Pages side by side in a context of their own. `open_page` makes them.

    One goes from site to site; each site that is left loaded has another.
    """

    def __init__(self, context: BrowserContext, drawing: Drawing, first: Site) -> None:
        """Nothing is loaded yet; new pages of the context are as large as `first`."""
        self._context, self._drawing, self._first = context, drawing, first
        self._roaming_page: PageDriver | None = None
        self._kept_pages: dict[str, PageDriver] = {}

    async def load(self, site: Site) -> PageDriver:
        """The start of a site, loaded anew."""
        if self._roaming_page is None:
            self._roaming_page = await self._open()
        await self._roaming_page.visit(site)
        return self._roaming_page

    async def switch_to(self, site: Site) -> PageDriver:
        """The page of a site as it was left; its start, when it is turned to for the first time."""
        driver = self._kept_pages.pop(site.start, None)
        if driver is None or driver.site != site or not driver.alive:
            if driver is not None:
                await _close_quietly(driver.page.close())
            driver = await self._open()
            await driver.visit(site)
        self._kept_pages[site.start] = driver
        while len(self._kept_pages) > MAX_OPEN_PAGES:
            longest_ago = next(iter(self._kept_pages))
            await _close_quietly(self._kept_pages.pop(longest_ago).page.close())
        return driver

    async def _open(self) -> PageDriver:
        page, session = await self._drawing.open(ticking=not self._first.frozen)
        return PageDriver(page, session, self._drawing, self._first)

    async def close(self) -> None:
        """Close all pages and the context."""
        await self._context.close()


async def open_page(
    browser: Browser,
    site: Site,
    seed: int,
    *,
    drawn: Callable[[BrowserContext], Awaitable[Drawing]],
    stays: bool = False,
) -> tuple[Tabs, PageDriver]:
    """The start of a site in a new context, which is for all sites that are like it."""
    width, height = site.viewport
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=1,
        service_workers="block",
        accept_downloads=False,
        locale="en-US",
        timezone_id="UTC",
    )
    try:
        await context.route("**/*", _answering(site))
        await context.route_web_socket("**/*", _connecting(site))
        settings = json.dumps(
            {"frozen": site.frozen, "hidden": site.hidden, "patience": 1000 * _QUIET_SECONDS}
        )
        await context.add_init_script(f"window.__distrlSeed={seed};{page_script()}({settings})")
        tabs = Tabs(context, await drawn(context), site)
        return tabs, await (tabs.switch_to(site) if stays else tabs.load(site))
    except BaseException:
        await _close_quietly(context.close())
        raise


def _answering(site: Site) -> Any:
    """What answers the page's requests: a folder, the network, or nobody."""

    async def answer(route: Route) -> None:
        from playwright.async_api import Error

        found = access(site, route.request.url)
        try:
            if isinstance(found, Path):
                await route.fulfill(path=found, content_type=content_type(found))
            elif found is Access.ALLOWED:
                await route.continue_()
            elif found is Access.MISSING:
                await route.fulfill(status=404, body="there is no such file")
            else:
                await route.abort("blockedbyclient")
        except Error:
            return  # the page went away meanwhile

    return answer


def _connecting(site: Site) -> Any:
    async def connect(socket: WebSocketRoute) -> None:
        if access(site, socket.url) is Access.ALLOWED:
            socket.connect_to_server()
        else:
            await socket.close()

    return connect


async def _close_other(page: Page) -> None:
    """A second window would be out of sight."""
    await _close_quietly(page.close())


async def _close_quietly(closing: Awaitable[None]) -> None:
    from playwright.async_api import Error

    try:
        await closing
    except Error:
        return  # gone already
