"""A page of Chromium behind the Device contract."""

from __future__ import annotations

import io
import json
import logging
import threading
import weakref
from collections.abc import Coroutine
from typing import Any, TypeVar

import numpy as np
from PIL import Image

from distrl.devices.browser.chromium import LAUNCH_SECONDS, Chromium, shared_chromium
from distrl.devices.browser.driver import PageDriver, PageSnapshot
from distrl.devices.browser.site import Site, alike
from distrl.devices.browser.tabs import Tabs, open_page
from distrl.errors import ActionError, DeviceLost
from distrl.types import Action, Element, Key, Kind, Observation, Picture, Pixels

T = TypeVar("T")

_log = logging.getLogger(__name__)

# An action waits up to 15 s for a page to load and 5 s for its requests; see driver.py.
_CALL_SECONDS = 20.0
# Opening may have to start the browser first.
_OPEN_SECONDS = LAUNCH_SECONDS + 30.0
_CLOSE_SECONDS = 10.0


class BrowserDevice:
    """One page in a browser context of its own; many devices share one browser.

    Screenshots are lazy: taken when somebody reads the picture, or before the page changes if an
    observation of it is still referenced. With `pictures` every look includes one, which is
    cheaper when all of them are read. A page that crashed, hung or lost its browser raises
    DeviceLost until the next reset.
    """

    device_kind = "page"
    kinds = frozenset(kind for kind in Kind if not kind.ends_episode) - {Kind.OPEN_APP}

    def __init__(
        self,
        name: str,
        site: Site,
        *,
        chromium: Chromium | None = None,
        pictures: bool = False,
    ) -> None:
        """Show nothing yet: the page is opened by the first call that needs it."""
        self._name, self._pictures = name, pictures
        self.site = site
        self._chromium = chromium or shared_chromium()
        self._tabs: Tabs | None = None
        self._driver: PageDriver | None = None
        self._look: PageSnapshot | None = None
        self._shown: _Moment | None = None
        self._kept: weakref.ref[_Moment] | None = None
        self._lost = ""
        self._closed = False

    @property
    def id(self) -> str:
        """Stable name of this device."""
        return self._name

    def reset(self, seed: int) -> None:
        """A new page at the start of the site, without anything that was stored before."""
        self._require_open()
        self._capture_before_change()
        self._drop_pages()
        self._open(seed)

    def visit(self, site: Site, *, seed: int, stays: bool = False) -> None:
        """Go to the start of a site: without a reset where that makes no difference.

        What pages stored stays then, and chance goes its own way until somebody seeds it. A page
        that `stays` is loaded once and shown as it was left from then on, whatever other sites were
        visited in between.
        """
        self._require_open()
        same = self._tabs is not None and not self._lost and alike(self.site, site)
        self.site = site
        if not same:
            self._capture_before_change()
            self._drop_pages()
            self._open(seed, stays=stays)
            return
        assert self._tabs is not None
        self._capture_before_change()
        going = self._tabs.switch_to(site) if stays else self._tabs.load(site)
        self._driver = self._call(going, f"loading {site.start}")

    def _open(self, seed: int, *, stays: bool = False) -> None:
        self._lost = ""
        doing = f"opening {self.site.start}"
        try:
            self._tabs, self._driver = self._call(self._opened(seed, stays), doing, _OPEN_SECONDS)
        except DeviceLost:
            # It may be the page, or a browser that hangs.
            if not self._chromium.answers():
                self._chromium.kill()
            raise

    async def _opened(self, seed: int, stays: bool) -> tuple[Tabs, PageDriver]:
        browser = await self._chromium.browser()
        try:
            return await open_page(browser, self.site, seed, stays=stays)
        except Exception:
            if browser.connected:
                raise
            # It died before anybody could know: that costs nobody an episode.
            return await open_page(await self._chromium.browser(), self.site, seed, stays=stays)

    def run(self, script: str) -> None:
        """Run JavaScript in the page, as its own scripts do, and let its time move on."""
        driver = self._page()
        self._capture_before_change()
        self._look = self._call(driver.run(script, picture=self._pictures), "running a script")

    def evaluate(self, expression: str) -> Any:
        """The value of JavaScript in the page; it should not change anything."""
        return self._call(self._page().evaluate(expression), "evaluating")

    def observe(self) -> Observation:
        """What the page shows now."""
        moment = self._moment()
        picture = Picture(moment.take)
        return Observation(picture, moment.elements, moment.keyboard, moment.app)

    @property
    def probe(self) -> Any:
        """What the site's probe said at the last look."""
        return self._moment().probe

    def perform(self, action: Action) -> None:
        """Carry out one action and wait until the page has dealt with it."""
        driver = self._page()
        if action.kind not in self.kinds:
            raise ActionError(f"{self._name} cannot {action.kind} (it can: {sorted(self.kinds)})")
        if action.key is Key.RECENTS:
            raise ActionError(f"{self._name} has no recent apps: it is a page")
        self._capture_before_change()
        self._look = self._call(
            driver.perform(action, picture=self._pictures), f"{action.kind} on {self.site.start}"
        )

    def close(self) -> None:
        """Close the page; a second call does nothing."""
        if self._closed:
            return
        self._capture_before_change()
        self._drop_pages()
        self._closed = True

    def _moment(self) -> _Moment:
        """What is shown now; cached until the page changes. Time passes by itself if not frozen."""
        driver = self._page()
        if self._look is None or not self.site.frozen:
            self._capture_before_change()
            self._look = self._call(
                driver.look(picture=self._pictures), f"looking at {self.site.start}"
            )
        if self._shown is None or self._shown.look is not self._look:
            self._shown = _Moment(self, self._look)
            # Weak: an observation that nobody holds any more needs no screenshot.
            self._kept = weakref.ref(self._shown)
        return self._shown

    def _capture_before_change(self) -> None:
        """Take the screenshot now if an observation of this page is still referenced."""
        self._shown, self._look = None, None
        moment = self._kept() if self._kept is not None else None
        if moment is not None:
            moment.take()
        self._kept = None

    def take(self) -> Pixels:
        """The page as it is now; black when it can no longer be seen, and lost then."""
        try:
            shot = self._call(self._page().screenshot(), f"taking the screen of {self.site.start}")
        except DeviceLost as error:
            _log.warning("%s", error)
            return np.zeros((self.site.height, self.site.width, 3), np.uint8)
        return decode(shot, self.site)

    def _page(self) -> PageDriver:
        self._require_open()
        if self._lost:
            raise DeviceLost(self._lost)
        if self._driver is None:
            self.reset(0)
        assert self._driver is not None
        return self._driver

    def _require_open(self) -> None:
        if self._closed:
            raise DeviceLost(f"{self._name} is closed")

    def _call(self, work: Coroutine[Any, Any, T], doing: str, timeout: float = _CALL_SECONDS) -> T:
        try:
            return self._chromium.call(work, doing=f"{self._name}: {doing}", timeout=timeout)
        except DeviceLost as error:
            self._lost = str(error)
            raise

    def _drop_pages(self) -> None:
        tabs, self._tabs, self._driver = self._tabs, None, None
        if tabs is None:
            return
        try:
            self._chromium.call(tabs.close(), doing="closing a page", timeout=_CLOSE_SECONDS)
        except DeviceLost as error:
            _log.info("%s", error)  # gone already


class _Moment:
    """What a page showed between two actions. Its screen is taken once, by whoever needs it."""

    def __init__(self, device: BrowserDevice, look: PageSnapshot) -> None:
        self.look = look
        seen = json.loads(look.listing)
        self.elements = elements_of(seen)
        self.keyboard, self.app, self.probe = seen["keyboard"], seen["app"], seen["probe"]
        self._device = device
        # Several threads may read the picture of one observation: it is taken once.
        self._taking = threading.Lock()
        self._pixels = None if look.picture is None else decode(look.picture, device.site)

    def take(self) -> Pixels:
        with self._taking:
            if self._pixels is None:
                self._pixels = self._device.take()
            return self._pixels


def elements_of(seen: dict[str, Any]) -> tuple[Element, ...]:
    """Elements from what the page listed, in the order in which they are painted."""
    width, height = seen["width"], seen["height"]
    found = []
    for role, text, description, left, top, right, bottom, *states in seen["elements"]:
        enabled, checked, focused, editable = states
        bounds = (
            _share(left, width),
            _share(top, height),
            _share(right, width),
            _share(bottom, height),
        )
        if bounds[0] < bounds[2] and bounds[1] < bounds[3]:
            found.append(
                Element(role, text, description, bounds, enabled, checked, focused, editable)
            )
    return tuple(found)


def _share(pixels: float, size: float) -> float:
    return round(min(1.0, max(0.0, pixels / size)), 4)


def decode(picture: bytes, site: Site) -> Pixels:
    """The pixels of a PNG, as far as the site shows them."""
    with Image.open(io.BytesIO(picture), formats=("PNG",)) as image:
        pixels = np.array(image.convert("RGB").crop((0, 0, site.width, site.height)))
    pixels.setflags(write=False)
    return pixels
