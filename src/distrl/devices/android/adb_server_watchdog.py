"""Watchdog of our own adb server: restarts it when it has ended or no longer answers.

    its process has ended          -> restart on the same port
    twice in a row no answer       -> kill by process id, restart on the same port

A restarted server has lost its TCP connections to phones. Each phone is reconnected before its next
episode, or by the probe that ends its quarantine. A server that somebody else started is never
watched: killing it would disconnect phones of others.
"""

from __future__ import annotations

import logging
import subprocess
import threading

from distrl.devices.android.adb import AdbServer
from distrl.errors import ConfigError

# Much shorter than the deadline of a call, so that a dead server costs at most one call.
_CHECK_SECONDS = 2.0
_STOP_SECONDS = 60.0
"""More than the start of a server may take."""
# One missed answer may be a busy machine, and a restart disconnects every phone over TCP.
_MAX_UNANSWERED = 2
_log = logging.getLogger(__name__)


def must_restart(*, ended: bool, unanswered: int) -> bool:
    """Whether to restart a server: its process has ended, or it missed too many checks in a row."""
    return ended or unanswered >= _MAX_UNANSWERED


class AdbServerWatchdog:
    """Checks a server every few seconds, in a thread of its own."""

    def __init__(self, server: AdbServer, *, every: float = _CHECK_SECONDS) -> None:
        """Start the thread, which checks every `every` seconds."""
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
        """Check once, and restart the server if needed."""
        ended = self._server.ended
        # An answer on the port of a process that has ended comes from somebody else's server.
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
        """Log a warning, unless it repeats the last one: checks come every two seconds."""
        if message != self._said:
            _log.warning("%s", message)
        self._said = message

    def close(self) -> None:
        """Stop checking; the server is left as it is."""
        self._stopping.set()
        self._thread.join(_STOP_SECONDS)
