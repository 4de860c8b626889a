"""A page of Playwright behind the Device contract."""

from __future__ import annotations

import io
import json
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from PIL import Image

from distrl.devices.browser import gestures
from distrl.devices.browser.chromium import LAUNCH_SECONDS, find_chromium
from distrl.devices.browser.device import elements_of
from distrl.devices.playwright.browser import PageSettings, PlaywrightBrowser
from distrl.devices.worker_thread import WorkerThread
from distrl.errors import ActionError, DeviceLost
from distrl.types import Action, Key, Kind, Observation, Picture, Pixels

T = TypeVar("T")

CALL_SECONDS = 30.0
"""An action waits up to 5 s for requests, and as long for a document."""
_CLOSE_SECONDS = 10.0
# Above the 500 ms after which touch libraries count a press as long.
_HOLD_MS = 700


class PlaywrightDevice:
    """The page in front of a browser of its own, which tasks may use through Playwright.

    Time passes by itself, and pages reach whatever the machine reaches. A second page that opens
    comes to the front, and goes with `back` when it has nothing to go back to.
    """

    device_kind = "browsergym"
    kinds = frozenset(kind for kind in Kind if not kind.ends_episode) - {Kind.OPEN_APP}

    def __init__(
        self, name: str, *, executable: Path | None = None, start: str = "about:blank"
    ) -> None:
        """`start` is what a reset shows; the browser starts with the first call that needs it."""
        self._name, self._start = name, start
        self._executable = executable or find_chromium()
        self._settings = PageSettings()
        self.before_close: Callable[[], None] = _nothing
        """What whoever uses the page still has to do there before it is closed."""
        self._thread: WorkerThread | None = None
        self._browser: PlaywrightBrowser | None = None
        self._shown: _Moment | None = None
        self._kept: weakref.ref[_Moment] | None = None
        self._lost, self._closed = "", False

    @property
    def id(self) -> str:
        """Stable name of this device."""
        return self._name

    def reset(self, seed: int) -> None:
        """A new page without anything that was stored before."""
        self.open(PageSettings(), seed)
        if self._start != "about:blank":
            self.ask(lambda page: page.goto(self._start), doing=f"opening {self._start}")
        self.settle()

    def open(self, settings: PageSettings, seed: int) -> None:
        """An empty page as a task wants it; a browser that was lost is replaced."""
        self._require_open()
        self._capture_before_change()
        if self._lost:
            self._end_browser()
        self._lost, self._settings = "", settings
        browser = self._running()
        self._call(lambda: browser.open(settings, seed), "opening a page")

    def ask(self, work: Callable[[Any], T], *, doing: str, timeout: float = CALL_SECONDS) -> T:
        """What `work` gives for Playwright's page in front, in the thread that it belongs to."""
        browser = self._ready()
        self._capture_before_change()
        return self._call(lambda: work(browser.page), doing, timeout)

    def settle(self, *, longer: bool = False) -> None:
        """Wait until the page has loaded what it asked for."""
        browser = self._ready()
        self._call(lambda: browser.settle(longer=longer), "waiting for the page")

    def observe(self) -> Observation:
        """What the page in front shows now."""
        moment = self._moment()
        return Observation(Picture(moment.take), moment.elements, moment.keyboard, moment.app)

    def perform(self, action: Action) -> None:
        """Carry out one action and wait until the page has dealt with it."""
        browser = self._ready()
        if action.kind not in self.kinds:
            raise ActionError(f"{self._name} cannot {action.kind} (it can: {sorted(self.kinds)})")
        if action.key is Key.RECENTS:
            raise ActionError(f"{self._name} has no recent apps: it is a page")
        self._capture_before_change()
        self._call(lambda: self._act(browser, action), f"{action.kind}")
        self.settle(longer=action.kind is Kind.WAIT)

    def close(self) -> None:
        """End the browser; a second call does nothing."""
        if self._closed:
            return
        self.before_close()
        with suppress(DeviceLost):
            self._capture_before_change()
        self._closed = True
        self._end_browser()

    def take(self) -> Pixels:
        """The pixels of the page as it is now."""
        browser = self._ready()
        packed = self._call(browser.picture, "taking the screen")
        with Image.open(io.BytesIO(packed), formats=("PNG",)) as image:
            pixels = np.array(image.convert("RGB"))
        pixels.setflags(write=False)
        return pixels

    def _act(self, browser: PlaywrightBrowser, action: Action) -> None:
        x, y = self._point(action.x, action.y)
        match action.kind:
            case Kind.TAP:
                browser.send(gestures.tap(x, y))
            case Kind.DOUBLE_TAP:
                browser.send(gestures.double_tap(x, y))
            case Kind.LONG_PRESS:
                browser.send((gestures.move(x, y), gestures.press(x, y)))
                browser.page.wait_for_timeout(_HOLD_MS)
                browser.send((gestures.release(x, y),))
            case Kind.SWIPE | Kind.DRAG:
                x2, y2 = self._point(action.x2, action.y2)
                scroll = f"__distrl.scroll({x},{y},{x2 - x},{y2 - y})"
                if action.kind is Kind.DRAG or not browser.evaluate(scroll):
                    browser.send(gestures.drag(x, y, x2, y2))
            case Kind.TYPE:
                if not browser.evaluate(f"__distrl.fill({json.dumps(action.text)})"):
                    browser.send(gestures.typing(action.text))
            case Kind.PRESS:
                self._press(browser, action.key)
            case _:
                pass  # waiting is done while the page settles

    @staticmethod
    def _press(browser: PlaywrightBrowser, key: Key | None) -> None:
        if key is Key.ENTER:
            browser.send(gestures.enter())
        elif key is Key.BACK:
            page = browser.page
            if browser.evaluate("navigation.canGoBack"):
                page.go_back()
            elif len(page.context.pages) > 1:
                page.close()

    def _point(self, x: float, y: float) -> tuple[float, float]:
        width, height = self._settings.width, self._settings.height
        return min(width - 0.5, x * width), min(height - 0.5, y * height)

    def _moment(self) -> _Moment:
        browser = self._ready()
        if self._shown is None:
            listing = self._call(lambda: browser.look(self._settings), "looking at the page")
            self._shown = _Moment(self, listing)
            self._kept = weakref.ref(self._shown)
        return self._shown

    def _capture_before_change(self) -> None:
        """Take the screen now if an observation of it is still referenced."""
        self._shown = None
        moment = self._kept() if self._kept is not None else None
        if moment is not None and not self._lost:
            moment.take()
        self._kept = None

    def _running(self) -> PlaywrightBrowser:
        if self._browser is None:
            self._thread = WorkerThread(self._name)
            self._browser = self._call(
                lambda: PlaywrightBrowser(self._executable), "starting Chromium", LAUNCH_SECONDS
            )
        return self._browser

    def _ready(self) -> PlaywrightBrowser:
        self._require_open()
        if self._lost:
            raise DeviceLost(self._lost)
        if self._browser is None:
            self.reset(0)
        assert self._browser is not None
        return self._browser

    def _require_open(self) -> None:
        if self._closed:
            raise DeviceLost(f"{self._name} is closed")

    def _call(self, work: Callable[[], T], doing: str, timeout: float = CALL_SECONDS) -> T:
        assert self._thread is not None
        try:
            return self._thread.call(work, doing=f"{self._name}: {doing}", timeout=timeout)
        except DeviceLost as error:
            self._lost = str(error)
            raise

    def _end_browser(self) -> None:
        browser, self._browser = self._browser, None
        thread, self._thread = self._thread, None
        if thread is None:
            return
        if browser is not None:
            try:
                thread.call(browser.close, doing="closing a browser", timeout=_CLOSE_SECONDS)
            except DeviceLost:
                browser.kill()
        thread.end(_CLOSE_SECONDS)


def _nothing() -> None:
    """Nobody uses the page."""


class _Moment:
    """What a page showed between two actions. Its screen is taken once, by whoever needs it."""

    def __init__(self, device: PlaywrightDevice, listing: str) -> None:
        seen = json.loads(listing)
        self.elements = elements_of(seen)
        self.keyboard, self.app = seen["keyboard"], seen["app"]
        self._device = device
        self._taking = threading.Lock()
        self._pixels: Pixels | None = None

    def take(self) -> Pixels:
        with self._taking:
            if self._pixels is None:
                self._pixels = self._device.take()
            return self._pixels
