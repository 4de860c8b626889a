"""Restarts a command whenever it ends: `python -m distrl.run.ray_cluster.watchdog COMMAND...`.

    watchdog --starts--> command --starts--> descendants
      ^                                          |
      +--- inherits orphans (child subreaper) ---+

When the command ends by itself, all its descendants are killed by process id, and it is started
again, with backoff. SIGTERM ends everything in order. The command dies with its watchdog. While it
runs, orphans are killed too: processes that outlive whoever owned them, such as the adb server of a
collector that was killed. The owner of a process is its parent, and after the parent's end the
nearest ancestor that called `adopt_orphans`. A daemon of such an ancestor lives as long as that.
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
"""What a node logs when it has started."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 8.0
"""Seconds before a restart, doubled each time. Short: while a head is away, its cluster waits."""
_SETTLED_SECONDS = 20.0
"""A command that ran for so long did start: the next pause is the shortest again."""
_END_SECONDS = 10.0
_POLL = 0.1
_LOOK_SECONDS = 1.0
"""Between two looks for orphans: each reads all of /proc."""
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_log = logging.getLogger(__name__)


def die_with_parent() -> None:
    """Have the kernel send this process SIGTERM when its parent ends; only on Linux."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def adopt_orphans() -> None:
    """Have the kernel make this process the parent of its descendants' orphans; only on Linux."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def descendants(pid: int) -> list[int]:
    """Process ids of all descendants of a process; empty without /proc."""
    return sorted(parents_below(pid))


def parents_below(pid: int) -> dict[int, int]:
    """The parent of each descendant of a process."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError, ValueError):
            # The name of a process is in brackets and may hold anything.
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            parents[int(folder.name)] = int(fields[1])
    # From the root down, level by level: /proc tells parents, not children.
    known = {pid}
    while new := {child for child, parent in parents.items() if parent in known} - known:
        known |= new
    return {child: parents[child] for child in known - {pid}}


class Watchdog:
    """Starts a command again whenever it ends, until it is told to stop."""

    def __init__(self, command: list[str]) -> None:
        """Start nothing yet."""
        self._command = command
        # Not an event: handlers of signals call `stop`, and one that runs inside of the event's
        # own `wait` would want the lock that `wait` holds.
        self._stopping = False

    def stop(self) -> None:
        """Let `run` return; safe in a signal handler."""
        self._stopping = True

    @property
    def stopping(self) -> bool:
        """Whether it was told to stop."""
        return self._stopping

    def run(self) -> None:
        """Run the command, again and again; returns after `stop`, when all descendants are gone."""
        # So that orphans become children of this process, and not of init, and can be found.
        adopt_orphans()
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
        """Kill all children of this process but the command: nobody else is left to own them."""
        parents = parents_below(os.getpid())
        for pid in (pid for pid, parent in parents.items() if parent == os.getpid()):
            # The command is left to `Popen`, which wants its exit code. A child keeps its process
            # id until it is reaped here, so no other process can be hit.
            with suppress(ChildProcessError):
                if pid != command and os.waitpid(pid, os.WNOHANG) == (0, 0):
                    _log.warning("process %d outlived whoever started it, and is ended", pid)
                    os.kill(pid, signal.SIGKILL)

    def _end_all(self) -> None:
        """Kill all descendants, until none is left."""
        deadline = time.monotonic() + _END_SECONDS
        while (left := descendants(os.getpid())) and time.monotonic() < deadline:
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            # Reap them, or they stay in /proc as zombies and are found for ever.
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            # Shorter than the usual poll: they were killed, and are gone in milliseconds.
            time.sleep(0.02)


def main(argv: list[str]) -> int:
    """Run a command, again and again, until SIGTERM or SIGINT."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    watchdog = Watchdog(argv)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: watchdog.stop())
    watchdog.run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
