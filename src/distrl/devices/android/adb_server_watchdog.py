"""Looks after an adb server of our own: one that has ended or stands still is started again.

    its process is gone            -> it is started again on its port
    twice in a row no answer       -> it is ended by its process id, and started again

A server forgets which phones were connected over TCP. Each is connected again before its next
episode, or by the probe that ends its quarantine. A server that somebody else has started is never
watched: ending it would take phones from others.
"""

from __future__ import annotations

import logging
import subprocess
import threading

from distrl.devices.android.adb import AdbServer
from distrl.errors import ConfigError

_CHECK_SECONDS = 2.0
_STOP_SECONDS = 60.0
"""More than the start of a server may take."""
_MAX_UNANSWERED = 2
"""A server that is merely busy for a moment keeps its phones."""
_log = logging.getLogger(__name__)


def must_restart(*, ended: bool, unanswered: int) -> bool:
    """Whether a server is of no use any more: it has ended, or was silent so often in a row."""
    return ended or unanswered >= _MAX_UNANSWERED


class AdbServerWatchdog:
    """Looks at a server every few seconds, in a thread of its own."""

    def __init__(self, server: AdbServer, *, every: float = _CHECK_SECONDS) -> None:
        """Start looking."""
        self._server, self._every = server, every
        self._stopping = threading.Event()
        self._unanswered = 0
        self._said = ""
        self.restarts = 0
        """How often it was started again."""
        self._thread = threading.Thread(
            target=self._run, name=f"adb-watch-{server.adb.port}", daemon=True
        )
        self._thread.start()

    def _run(self) -> None:
        while not self._stopping.wait(self._every):
            self.check_once()

    def check_once(self) -> None:
        """Look once, and start the server again if it must be."""
        ended = self._server.ended
        # Who answers on the port of a server that has ended is another one.
        answered = not ended and self._server.adb.answers()
        self._unanswered = 0 if answered else self._unanswered + 1
        if must_restart(ended=ended, unanswered=self._unanswered):
            self._restart("has ended" if ended else "does not answer")

    def _restart(self, why: str) -> None:
        port = self._server.adb.port
        try:
            self._server.restart()
        except (ConfigError, OSError, subprocess.SubprocessError) as error:
            self._say(f"the adb server on port {port} {why} and cannot be started again: {error}")
            return
        self._unanswered, self._said = 0, ""
        self.restarts += 1
        _log.warning("the adb server on port %d %s: it was started again", port, why)

    def _say(self, message: str) -> None:
        """Warn, though not at every look of the same."""
        if message != self._said:
            _log.warning("%s", message)
        self._said = message

    def close(self) -> None:
        """Look no more; the server stays as it is."""
        self._stopping.set()
        self._thread.join(_STOP_SECONDS)
