"""Starts a Chromium whose only connection is a pair of pipes, and ends it."""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import signal
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from distrl.devices.browser.protocol import Connection

FLAGS = (
    "--headless",
    "--remote-debugging-pipe",
    "--no-startup-window",
    # The sandbox needs what neither root nor most containers have. A page loads only what its
    # site names.
    "--no-sandbox",
    # Nothing goes to the network that no page has asked for.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-quic",
    "--disable-breakpad",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--metrics-recording-only",
    # What pages write to their consoles would fill the disk.
    "--enable-logging=none",
    "--password-store=basic",
    "--use-mock-keychain",
    # The same pages on every machine, however long they are out of sight.
    "--disable-field-trial-config",
    "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,MediaRouter,PaintHolding,"
    "OptimizationHints,NetworkTimeServiceQuerying,AvoidCorsURLLoaderRestartOnRedirect,"
    "ThirdPartyStoragePartitioning",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-back-forward-cache",
    "--disable-hang-monitor",
    "--disable-ipc-flooding-protection",
    "--disable-popup-blocking",
    "--disable-dev-shm-usage",
    "--allow-pre-commit-input",
    "--mute-audio",
    "--lang=en-US",
    "--accept-lang=en-US",
    "--disable-gpu",
    # Without a GPU its process only adds a hop to every frame.
    "--in-process-gpu",
    "--enable-unsafe-swiftshader",
    # The pages that a device keeps side by side are used one at a time: one process is enough.
    "--process-per-site",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    # A mouse, whatever the machine has.
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,"
    "primaryPointerType=4,availablePointerTypes=4",
)
_REQUESTS_FD, _ANSWERS_FD = 3, 4
"""Where Chromium looks for its pipes."""
_FREE_FD = 10
"""Above those: what is moved there cannot stand in their way."""


@dataclass(frozen=True, slots=True)
class BrowserProcess:
    """A browser that was started; it ends by itself when nobody holds its pipes any more."""

    pid: int
    """Of what was started, which may be a script around the browser; it leads a group."""
    folder: Path
    """Its profile and whatever else it writes."""
    connection: Connection
    transports: tuple[asyncio.BaseTransport, asyncio.BaseTransport]

    def last_words(self) -> str:
        """What it wrote last to its error output, such as a library that is missing."""
        lines = (self.folder / "stderr").read_text("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")

    async def end(self, patience: float) -> None:
        """Ask it to close, end it if it does not, and remove what it wrote."""
        if not self.connection.ended.is_set():
            self.connection.browser.tell("Browser.close")
            with suppress(TimeoutError):
                await asyncio.wait_for(self.connection.ended.wait(), patience)
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        for transport in self.transports:
            transport.close()
        # Not in a thread: this may be while the interpreter exits. What was killed ends at once.
        self._clean_up()

    def _clean_up(self) -> None:
        os.waitpid(self.pid, 0)
        shutil.rmtree(self.folder, ignore_errors=True)


async def launch(executable: Path, flags: Sequence[str]) -> BrowserProcess:
    """Start a browser; OSError when there is no such program."""
    folder = Path(tempfile.mkdtemp(prefix="distrl-chromium-"))
    theirs_in, ours_out = _pipe()
    ours_in, theirs_out = _pipe()
    try:
        pid = _spawn(executable, flags, folder, theirs_in, theirs_out)
    except OSError:
        for end in (ours_in, ours_out):
            os.close(end)
        shutil.rmtree(folder)
        raise
    finally:
        os.close(theirs_in)
        os.close(theirs_out)
    loop = asyncio.get_running_loop()
    writing, _ = await loop.connect_write_pipe(asyncio.Protocol, os.fdopen(ours_out, "wb", 0))
    connection = Connection(writing.write)
    reading, _ = await loop.connect_read_pipe(lambda: connection, os.fdopen(ours_in, "rb", 0))
    return BrowserProcess(pid, folder, connection, (reading, writing))


def _pipe() -> tuple[int, int]:
    """A pipe's two ends, none of them where Chromium expects its own."""
    found = []
    for end in os.pipe():
        found.append(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _FREE_FD))
        os.close(end)
    return found[0], found[1]


def _spawn(
    executable: Path, flags: Sequence[str], folder: Path, requests: int, answers: int
) -> int:
    # Not by subprocess, which cannot place the pipes without running Python in a forked thread.
    arguments = [str(executable), *FLAGS, *flags, f"--user-data-dir={folder / 'profile'}"]
    written = os.O_WRONLY | os.O_CREAT
    return os.posix_spawn(
        executable,
        arguments,
        # A page's clock says the same everywhere; temporary files go with the folder.
        {**os.environ, "TZ": "UTC", "TMPDIR": str(folder)},
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, str(folder / "stderr"), written, 0o600),
            (os.POSIX_SPAWN_DUP2, requests, _REQUESTS_FD),
            (os.POSIX_SPAWN_DUP2, answers, _ANSWERS_FD),
        ],
        # Signals of a terminal are for the run, which closes its devices itself.
        setpgroup=0,
    )
