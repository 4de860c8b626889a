"""One Chromium process for many pages: started on demand, restarted when it has died.

Playwright's objects belong to one thread with an event loop. `call` hands work over from any other
thread and waits for its result until a deadline. Every failure is raised as DeviceLost.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import os
import re
import shutil
import signal
import sys
import threading
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from distrl.devices.browser.drawing import (
    ContinuousDrawing,
    Drawing,
    OnDemandDrawing,
    context_id_of,
    drawing_flags,
    draws_on_demand,
)
from distrl.errors import ConfigError, DeviceLost, TaskError

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Playwright

T = TypeVar("T")

_log = logging.getLogger(__name__)

_WINDOWLESS = ("chromium-headless-shell",)
_FULL = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_DOWNLOADED_WINDOWLESS = (
    "chromium_headless_shell-*/*/headless_shell",
    "chromium_headless_shell-*/*/chrome-headless-shell",
)
_DOWNLOADED_FULL = (
    "chromium-*/*/chrome",
    "chromium-*/*/Chromium.app/Contents/MacOS/Chromium",
    "chromium-*/*/*.app/Contents/MacOS/Google Chrome for Testing",
)
"""Where Playwright puts the ones that it downloads."""
FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    "--disable-gpu",
    # The pages that a device keeps side by side are used one at a time: one process is enough.
    "--process-per-site",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--disable-lcd-text",
)
# A cold start on a loaded machine has to read the whole program from disk.
LAUNCH_SECONDS = 60.0
# A browser that does not close or answer a version request within this time hangs.
_CLOSE_SECONDS = 10.0
_ANSWER_SECONDS = 10.0
# The work's own timeout fires first and cancels it; this one covers a blocked event loop.
_GRACE_SECONDS = 5.0
"""How much later than the work itself the waiting thread gives up."""


def find_chromium(*, full: bool = False) -> Path:
    """The browser's executable; ConfigError says what to do where there is none.

    DISTRL_CHROMIUM names it, or else it is on PATH, or Playwright has downloaded one. A browser
    without windows is the same engine and draws faster; `full` wants one that has them.
    """
    named = os.environ.get("DISTRL_CHROMIUM")
    names = (named,) if named else (*(() if full else _WINDOWLESS), *_FULL)
    found = next(filter(None, map(shutil.which, names)), None)
    if found:
        return Path(found)
    patterns = (*(() if full else _DOWNLOADED_WINDOWLESS), *_DOWNLOADED_FULL)
    downloaded = None if named else next(_downloaded(patterns), None)
    if downloaded:
        return downloaded
    raise ConfigError(
        f"no Chromium was found (looked for: {', '.join(names)}); on Debian and Ubuntu: "
        "apt-get install chromium; elsewhere: playwright install chromium; "
        "or set DISTRL_CHROMIUM to the path of one"
    )


def _downloaded(patterns: Sequence[str]) -> Iterator[Path]:
    """Those that Playwright has downloaded, the newest of each kind first."""
    told = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    caches = (Path.home() / ".cache", Path.home() / "Library" / "Caches")
    folders = [*([Path(told)] if told else []), *(cache / "ms-playwright" for cache in caches)]
    for pattern in patterns:
        for folder in folders:
            yield from sorted(folder.glob(pattern), key=_revision, reverse=True)


def _revision(path: Path) -> int:
    """The number of what was downloaded, from the name of its folder."""
    return max(int(number) for number in re.findall(r"chromium\w*-(\d+)", path.as_posix()) or [0])


def require_playwright() -> None:
    """ConfigError where the package that drives the browser is not installed."""
    try:
        import playwright.async_api  # noqa: F401
    except ImportError:
        raise ConfigError(
            "browser devices need the package playwright: pip install 'distrl[browser]'"
        ) from None


class Chromium:
    """A browser that any thread may use."""

    def __init__(self, executable: Path | None = None) -> None:
        """Start the thread; the browser itself starts with its first page."""
        require_playwright()
        self._executable = executable or find_chromium()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="chromium", daemon=True)
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._session: CDPSession | None = None
        # One frame at a time in the whole browser; see OnDemandDrawing.
        self._drawing_turn = asyncio.Lock()
        # Devices that find the browser dead at the same time must not start it twice.
        self._starting = asyncio.Lock()
        self._closed = self._killed = False
        self.pid: int | None = None
        """Process id of the browser while it runs."""
        self.starts = 0
        """How often it was started."""
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def call(self, work: Coroutine[Any, Any, T], *, doing: str, timeout: float) -> T:
        """Have work done in the browser's thread; DeviceLost when it fails or takes too long.

        A script that a task brought along is the task's own fault, not the device's.
        """
        if self._closed:
            work.close()
            raise DeviceLost(f"{doing}: the browser is closed")
        future = asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, timeout), self._loop)
        try:
            return future.result(timeout + _GRACE_SECONDS)
        except (TimeoutError, FutureTimeout):
            future.cancel()
            raise DeviceLost(f"{doing}: no answer within {timeout:g} s") from None
        except TaskError:
            raise
        except Exception as error:
            first = str(error).partition("\n")[0]
            raise DeviceLost(f"{doing}: {first or type(error).__name__}") from error

    async def browser(self) -> Browser:
        """The running browser, started if need be; only inside `call`."""
        async with self._starting:
            if self._browser is None or self._killed or not self._browser.is_connected():
                await self._stop()
                await self._start()
            assert self._browser is not None
            return self._browser

    async def drawing(self, context: BrowserContext) -> Drawing:
        """What opens and draws the pages of a context of the running browser."""
        if not draws_on_demand(self._executable):
            return ContinuousDrawing(context)
        assert self._session is not None
        session, turn = self._session, self._drawing_turn
        return OnDemandDrawing(context, await context_id_of(context), session, turn)

    async def _start(self) -> None:
        from playwright.async_api import async_playwright

        self._playwright = await async_playwright().start()
        # A sandbox needs a user that is not root.
        root = sys.platform.startswith("linux") and os.geteuid() == 0
        self._browser = await self._playwright.chromium.launch(
            executable_path=self._executable,
            args=[
                *FLAGS,
                *drawing_flags(self._executable),
                *(["--no-sandbox"] if root else []),
            ],
            timeout=1000 * LAUNCH_SECONDS,
            # Signals are for the run, which closes its devices itself.
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )
        self.starts += 1
        self._session = await self._browser.new_browser_cdp_session()
        # A new lock: frames of the browser that died may never give the old one back.
        self._drawing_turn = asyncio.Lock()
        info = await self._session.send("SystemInfo.getProcessInfo")
        self.pid = next(p["id"] for p in info["processInfo"] if p["type"] == "browser")
        _log.info("Chromium started, process %s", self.pid)

    async def _stop(self) -> None:
        self._killed = False
        browser, playwright = self._browser, self._playwright
        self._browser = self._playwright = self._session = None
        if browser is not None and browser.is_connected():
            try:
                await asyncio.wait_for(browser.close(), _CLOSE_SECONDS)
            except Exception:  # noqa: BLE001 - it hangs, in whatever way
                self.kill()
        self.pid = None
        if playwright is not None:
            with suppress(Exception):  # its other end may be gone
                await asyncio.wait_for(playwright.stop(), _CLOSE_SECONDS)

    def answers(self) -> bool:
        """Whether the browser still says something when it is asked."""
        try:
            self.call(self._ask(), doing="asking the browser", timeout=_ANSWER_SECONDS)
        except DeviceLost:
            return False
        return True

    async def _ask(self) -> None:
        if self._browser is not None:
            session = await self._browser.new_browser_cdp_session()
            await session.send("Browser.getVersion")
            await session.detach()

    def kill(self) -> None:
        """The browser does not answer: end it, so that the next page starts another one."""
        self._killed = True
        if self.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the browser and the thread; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        stopping = asyncio.run_coroutine_threadsafe(self._finish(), self._loop)
        with suppress(FutureTimeout, TimeoutError):
            stopping.result(3 * _CLOSE_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_CLOSE_SECONDS)
        if not self._thread.is_alive():
            self._loop.close()

    async def _finish(self) -> None:
        await self._stop()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


_shared: Chromium | None = None
_sharing = threading.Lock()


def shared_chromium() -> Chromium:
    """The browser that all devices of this process share; it ends with the process."""
    global _shared
    with _sharing:
        if _shared is None:
            _shared = Chromium()
            atexit.register(_shared.close)
        return _shared
