"""One Chromium process for many pages: started on demand, restarted when it has died.

The connection to it belongs to one thread with an event loop. `call` hands work over from any other
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
import threading
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from distrl.devices.browser.drawing import drawing_flags, drawing_of
from distrl.devices.browser.launch import BrowserProcess, launch
from distrl.devices.browser.protocol import ProtocolError
from distrl.devices.browser.tabs import Browser, close_second_windows
from distrl.errors import ConfigError, DeviceLost, TaskError

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
        "apt-get install chromium; elsewhere: pip install playwright && playwright install "
        "chromium; "
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


class Chromium:
    """A browser that any thread may use."""

    def __init__(self, executable: Path | None = None) -> None:
        """Start the thread; the browser itself starts with its first page."""
        self._executable = executable or find_chromium()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="chromium", daemon=True)
        self._process: BrowserProcess | None = None
        self._browser: Browser | None = None
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
        future = asyncio.run_coroutine_threadsafe(_within(timeout, work), self._loop)
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
            if self._browser is None or self._killed or not self._browser.connected:
                await self._stop()
                await self._start()
            assert self._browser is not None
            return self._browser

    async def _start(self) -> None:
        self._process = await launch(self._executable, drawing_flags(self._executable))
        connection = self._process.connection
        try:
            async with asyncio.timeout(LAUNCH_SECONDS):
                info = await connection.browser.send("SystemInfo.getProcessInfo")
        except ProtocolError as error:
            raise DeviceLost(f"{error}: {self._process.last_words()}") from error
        close_second_windows(connection.browser)
        self.starts += 1
        # What was started may be a script around it.
        self.pid = next(p["id"] for p in info["processInfo"] if p["type"] == "browser")
        self._browser = Browser(connection, drawing_of(self._executable))
        _log.info("Chromium started, process %s", self.pid)

    async def _stop(self) -> None:
        self._killed = False
        process, self._process, self._browser, self.pid = self._process, None, None, None
        if process is not None:
            await process.end(_CLOSE_SECONDS)

    def answers(self) -> bool:
        """Whether the browser still says something when it is asked."""
        try:
            self.call(self._ask(), doing="asking the browser", timeout=_ANSWER_SECONDS)
        except DeviceLost:
            return False
        return True

    async def _ask(self) -> None:
        if self._browser is not None:
            await self._browser.connection.browser.send("Browser.getVersion")

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


async def _within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    async with asyncio.timeout(seconds):
        return await work


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
