"""Browser contexts and the pages in them."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Any

from distrl.devices.browser.drawing import Drawing
from distrl.devices.browser.driver import QUIET_SECONDS, PageDriver
from distrl.devices.browser.interception import answer_requests, wall_around
from distrl.devices.browser.protocol import Connection, ProtocolError, Session
from distrl.devices.browser.site import Site

# Each open page keeps memory of the browser.
MAX_OPEN_PAGES = 32
"""Pages that are left loaded side by side; beyond, the one that was used longest ago is closed."""
# A browser without windows has another font for fixed widths than one that has them.
_FONTS = {"fixed": "Monospace"} if sys.platform.startswith("linux") else {}


@dataclass(frozen=True, slots=True)
class Browser:
    """A running browser, as pages need it."""

    connection: Connection
    drawing: Drawing

    @property
    def connected(self) -> bool:
        """Whether it still runs."""
        return not self.connection.ended.is_set()


@cache
def page_script() -> str:
    """What runs inside every page."""
    return (files("distrl.devices.browser") / "page.js").read_text("utf-8")


class Tabs:
    """Pages side by side in a context of their own. `open_page` makes them.

    One goes from site to site; each site that is left loaded has another.
    """

    def __init__(self, browser: Browser, context: str, first: Site, script: str) -> None:
        """Nothing is loaded yet; new pages are as large as `first` and begin with `script`."""
        self._browser, self._context, self._first = browser, context, first
        self._script = script
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
                await self._close_page(driver)
            driver = await self._open()
            await driver.visit(site)
        self._kept_pages[site.start] = driver
        while len(self._kept_pages) > MAX_OPEN_PAGES:
            longest_ago = next(iter(self._kept_pages))
            await self._close_page(self._kept_pages.pop(longest_ago))
        return driver

    async def _open(self) -> PageDriver:
        browser, drawing = self._browser.connection.browser, self._browser.drawing
        wanted = {
            "url": "about:blank",
            "browserContextId": self._context,
            **drawing.target_options,
        }
        target = (await browser.send("Target.createTarget", wanted))["targetId"]
        attached = await browser.send(
            "Target.attachToTarget", {"targetId": target, "flatten": True}
        )
        session = self._browser.connection.session(attached["sessionId"])
        driver = PageDriver(session, target, drawing, self._first)
        self._prepare(session, driver)
        # The others were sent before: an answer to the last one means that all were dealt with.
        await session.send("Emulation.setFocusEmulationEnabled", {"enabled": True})
        await session.send("Page.setFontFamilies", {"fontFamilies": _FONTS})
        await driver.resize(self._first)
        if not self._first.frozen:
            drawing.tick(session)
        return driver

    def _prepare(self, session: Session, driver: PageDriver) -> None:
        """Have a page, or a frame or a worker inside it, load what the site allows."""

        def prepare_inner(told: dict[str, Any]) -> None:
            inner = session.connection.session(told["sessionId"])
            self._prepare(inner, driver)
            inner.tell("Runtime.runIfWaitingForDebugger")

        driver.loading.follow(session)
        answer_requests(session, self._first)
        session.on("Target.attachedToTarget", prepare_inner)
        session.on("Page.javascriptDialogOpening", partial(_answer_dialog, session))
        inner = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
        session.tell("Fetch.enable")
        session.tell("Network.enable")
        session.tell("Network.setCacheDisabled", {"cacheDisabled": True})
        session.tell("Target.setAutoAttach", inner)
        # A worker has no page, and refuses these.
        session.tell("Page.enable")
        session.tell("Page.addScriptToEvaluateOnNewDocument", {"source": self._script})

    async def _close_page(self, driver: PageDriver) -> None:
        with suppress(ProtocolError):  # gone already
            wanted = {"targetId": driver.target}
            await self._browser.connection.browser.send("Target.closeTarget", wanted)

    async def close(self) -> None:
        """Close all pages and the context."""
        wanted = {"browserContextId": self._context}
        await self._browser.connection.browser.send("Target.disposeBrowserContext", wanted)


async def open_page(
    browser: Browser, site: Site, seed: int, *, stays: bool = False
) -> tuple[Tabs, PageDriver]:
    """The start of a site in a new context, which is for all sites that are like it."""
    told = {"frozen": site.frozen, "hidden": site.hidden, "start": site.clock}
    settings = json.dumps({**told, "patience": 1000 * QUIET_SECONDS})
    script = f"window.__distrlSeed={seed};{page_script()}({settings})"
    root = browser.connection.browser
    made = await root.send("Target.createBrowserContext", wall_around(site))
    context = made["browserContextId"]
    tabs = Tabs(browser, context, site, script)
    try:
        refused = {"behavior": "deny", "browserContextId": context}
        await root.send("Browser.setDownloadBehavior", refused)
        return tabs, await (tabs.switch_to(site) if stays else tabs.load(site))
    except BaseException:
        with suppress(ProtocolError):  # gone already
            await tabs.close()
        raise


def close_second_windows(browser: Session) -> None:
    """Close what pages open beside themselves: it would be out of sight."""

    def close(told: dict[str, Any]) -> None:
        opened = told["targetInfo"]
        if opened["type"] == "page" and opened.get("openerId"):
            browser.tell("Target.closeTarget", {"targetId": opened["targetId"]})

    browser.on("Target.targetCreated", close)
    browser.tell("Target.setDiscoverTargets", {"discover": True})


def _answer_dialog(session: Session, told: dict[str, Any]) -> None:
    """Nobody is there to read it; a page that asks whether to leave is left."""
    leaving = told["type"] == "beforeunload"
    session.tell("Page.handleJavaScriptDialog", {"accept": leaving})
