"""A Chromium that Playwright started, and the page in front. Only for its own thread."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from distrl.devices.browser.driver import QUIET_SECONDS, WAIT_MS
from distrl.devices.browser.gestures import Event
from distrl.devices.browser.tabs import page_script
from distrl.errors import ConfigError

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, Playwright, Request

_FLAGS = ("--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio")
_POLL_MS = 20
TIMEOUT_MS = 5000
"""How long Playwright waits for something on a page that asks for nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSettings:
    """What a page is opened with."""

    width: int = 1280
    height: int = 720
    timeout_ms: int = TIMEOUT_MS
    """How long Playwright waits for something on the page."""
    locale: str | None = None
    timezone: str | None = None


class PlaywrightBrowser:
    """One browser, and a context in it that is made anew for every task."""

    def __init__(self, executable: Path) -> None:
        """Start it; ConfigError without the package."""
        try:
            from playwright.sync_api import sync_playwright
        except ModuleNotFoundError as cause:
            raise ConfigError(
                f"pages of Playwright need pip install 'distrl[browsergym]' ({cause.name} is "
                "missing)"
            ) from cause
        self._playwright: Playwright = sync_playwright().start()
        try:
            self._browser: Browser = self._playwright.chromium.launch(
                executable_path=executable, args=[*_FLAGS]
            )
            asked = self._browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
        except BaseException:
            self._playwright.stop()
            raise
        self.pid: int = next(p["id"] for p in asked["processInfo"] if p["type"] == "browser")
        self._context: BrowserContext | None = None
        self._session: tuple[Page, CDPSession] | None = None
        self._open_requests: set[Request] = set()

    @property
    def page(self) -> Page:
        """The page in front: the one that was opened last."""
        assert self._context is not None
        pages = self._context.pages
        return pages[-1] if pages else self._context.new_page()

    def open(self, settings: PageSettings, seed: int) -> Page:
        """An empty page in a new context; whatever was open before is closed."""
        self.close_pages()
        self._context = context = self._browser.new_context(
            viewport={"width": settings.width, "height": settings.height},
            locale=settings.locale,
            timezone_id=settings.timezone,
        )
        context.set_default_timeout(settings.timeout_ms)
        told = json.dumps({"frozen": False, "hidden": "", "patience": 1000 * QUIET_SECONDS})
        context.add_init_script(f"window.__distrlSeed={seed};{page_script()}({told})")
        # Playwright writes on the functions that it is given, and methods of a set take no notes.
        context.on("request", lambda request: self._open_requests.add(request))
        context.on("requestfinished", lambda request: self._open_requests.discard(request))
        context.on("requestfailed", lambda request: self._open_requests.discard(request))
        return context.new_page()

    def close_pages(self) -> None:
        """Close the context."""
        context, self._context, self._session = self._context, None, None
        self._open_requests.clear()
        if context is not None:
            context.close()

    def close(self) -> None:
        """End the browser, and Playwright's own process."""
        with suppress(Exception):  # gone already
            self._browser.close()
        self._playwright.stop()

    def evaluate(self, expression: str) -> Any:
        """The value of JavaScript in the page in front, of a promise too."""
        return self.page.evaluate(expression)

    def send(self, events: Iterable[Event]) -> None:
        """Input events to the page in front."""
        page = self.page
        if self._session is None or self._session[0] is not page:
            self._session = page, page.context.new_cdp_session(page)
        for name, given in events:
            self._session[1].send(name, given)

    def settle(self, *, longer: bool = False) -> None:
        """Wait until the page has loaded what it asked for; what takes longer is seen later."""
        page, end = self.page, monotonic() + QUIET_SECONDS
        if longer:
            page.wait_for_timeout(WAIT_MS)
        # Playwright hears of requests only while it waits for something itself.
        page.wait_for_timeout(_POLL_MS)
        while self._open_requests and monotonic() < end:
            page.wait_for_timeout(_POLL_MS)
        self._open_requests.clear()
        with suppress(self._timeout()):
            page.wait_for_load_state("load")
        page.evaluate("window.__distrl&&__distrl.ready().then(()=>__distrl.frame())")

    def look(self, settings: PageSettings) -> str:
        """What can be seen and touched on the page in front, as JSON."""
        size = f"[{settings.width},{settings.height}]"
        said = self.page.evaluate(f"()=>__distrl.look('',{size},()=>null)")
        assert isinstance(said, str)
        return said

    def picture(self) -> bytes:
        """The page in front as a PNG."""
        return self.page.screenshot(type="png", animations="allow", scale="css")

    def kill(self) -> None:
        """End a browser that hangs; any thread may."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    @staticmethod
    def _timeout() -> type[Exception]:
        from playwright.sync_api import TimeoutError as PlaywrightTimeout

        return PlaywrightTimeout
