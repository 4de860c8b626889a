"""Keeps a command going: `python -m distrl.run.ray_cluster.watchdog COMMAND...`.

    watchdog --starts--> command --starts--> whatever it starts
      ^                                          |
      +------- inherits who loses its parent ----+

When the command ends by itself, everything that it left behind is ended by process id, and it is
started again. SIGTERM ends all of it in order. The command dies with its watchdog. While it runs,
whoever outlives the process that started it is ended too, such as the adb server of a collector
that was killed; daemons, which leave their parent within moments, are not.
"""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

UP = "the node is up"
"""What a node says when it is."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 8.0
_SETTLED_SECONDS = 20.0
"""A command that lasted so long is started again at once."""
_END_SECONDS = 10.0
_POLL = 0.1
_LOOK_SECONDS = 1.0
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_log = logging.getLogger(__name__)


def die_with_parent() -> None:
    """Get a SIGTERM when whoever started this process is gone; only Linux can."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def descendants(pid: int) -> list[int]:
    """Process ids of all that a process has started, and they in turn; empty without /proc."""
    return sorted(parents_below(pid))


def parents_below(pid: int) -> dict[int, int]:
    """The same, and the parent of each."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError, ValueError):
            # The name of a process is in brackets and may hold anything.
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            parents[int(folder.name)] = int(fields[1])
    known = {pid}
    while new := {child for child, parent in parents.items() if parent in known} - known:
        known |= new
    return {child: parents[child] for child in known - {pid}}


class Watchdog:
    """Starts a command, again and again, until it is told to stop."""

    def __init__(self, command: list[str]) -> None:
        """Nothing runs yet."""
        self._command = command
        # Not an event: handlers of signals call `stop`, and one that runs inside of the event's
        # own `wait` would want the lock that `wait` holds.
        self._stopping = False
        self._parents: dict[int, int] = {}
        """Who was last seen below whom, but for what is ours by inheritance."""

    def stop(self) -> None:
        """Let `run` come to its end; handlers of signals may call it."""
        self._stopping = True

    @property
    def stopping(self) -> bool:
        """Whether it was told to stop."""
        return self._stopping

    def run(self) -> None:
        """Keep the command going."""
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
        pause = _FIRST_PAUSE
        while not self._stopping:
            began = time.monotonic()
            process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL)  # noqa: S603 - ours
            looked = began
            while process.poll() is None and not self._stopping:
                time.sleep(_POLL)
                if time.monotonic() - looked > _LOOK_SECONDS:
                    looked = time.monotonic()
                    self._end_orphans(process.pid)
            if self._stopping:
                process.terminate()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_END_SECONDS)
            self._end_all()
            if time.monotonic() - began > _SETTLED_SECONDS:
                pause = _FIRST_PAUSE
            if not self._stopping:
                _log.warning("it ended with code %s and is started again", process.returncode)
                again = time.monotonic() + pause
                while not self._stopping and time.monotonic() < again:
                    time.sleep(_POLL)
                pause = min(2 * pause, _LONGEST_PAUSE)

    def _end_orphans(self, command: int) -> None:
        """Kill whoever was seen below another process and is ours now: that process is gone."""
        parents = parents_below(os.getpid())
        ours = {pid for pid, parent in parents.items() if parent == os.getpid()} - {command}
        for pid in ours:
            if pid in self._parents:
                _log.warning("process %d outlived %d, and is ended", pid, self._parents[pid])
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        seen = {pid: parent for pid, parent in parents.items() if parent != os.getpid()}
        self._parents = {**{pid: self._parents[pid] for pid in ours & self._parents.keys()}, **seen}

    def _end_all(self) -> None:
        """Kill whatever the command left behind, until nothing is left."""
        deadline = time.monotonic() + _END_SECONDS
        while (left := descendants(os.getpid())) and time.monotonic() < deadline:
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            time.sleep(0.02)


def main(argv: list[str]) -> int:
    """Keep a command going until SIGTERM or SIGINT."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    watchdog = Watchdog(argv)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: watchdog.stop())
    watchdog.run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
