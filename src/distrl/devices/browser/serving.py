"""Starts the commands that serve web apps: once per process, ended at its exit."""

from __future__ import annotations

import atexit
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from distrl.clock import RealClock
from distrl.errors import ConfigError

# A development server may compile its app before it answers.
_READY_SECONDS = 30.0
# Local servers answer at once; one that does not within this time counts as not ready yet.
_ASK_SECONDS = 2.0
# Between SIGTERM and SIGKILL.
_END_SECONDS = 5.0

_running: dict[str, subprocess.Popen[bytes]] = {}
# Devices of several threads may ask for the same app: the second waits until the first is ready.
_starting = threading.Lock()


def serve(command: Sequence[str], url: str, place: Path) -> None:
    """Have an address answered by a command, started in `place`; ConfigError if it is not.

    Whatever answers there already is left alone, as when several processes use one app.
    """
    with _starting:
        if answers(url):
            return
        try:
            process = subprocess.Popen(  # noqa: S603 - the user's own command, without a shell
                command,
                cwd=place,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise ConfigError(f"{' '.join(command)!r} cannot be started: {error}") from None
        _running[url] = process
        atexit.register(stop, url)

        def settled() -> bool:
            return process.poll() is not None or answers(url)

        RealClock().wait_until(settled, timeout=_READY_SECONDS, poll=0.05)
    if not answers(url):
        code = process.poll()
        stop(url)
        how = (
            f"did not answer at {url} within {_READY_SECONDS:g} s"
            if code is None
            else f"ended with code {code} and did not answer at {url}"
        )
        raise ConfigError(f"{' '.join(command)!r} {how}; run it by hand to see what it says")


def stop(url: str) -> None:
    """End what was started for an address; a second call does nothing."""
    process = _running.pop(url, None)
    if process is None:
        return
    process.terminate()
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(_END_SECONDS)


def answers(url: str) -> bool:
    """Whether somebody serves an address, however badly."""
    try:
        with urlopen(url, timeout=_ASK_SECONDS):  # noqa: S310 - Site has checked the scheme
            return True
    except HTTPError:
        return True
    except (URLError, OSError):
        return False
