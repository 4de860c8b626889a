"""Supervised loops: threads that must not end before the run does.

The first loop that fails, or ends without having been asked to, stops the run with its error. Every
wait has a deadline.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from distrl.errors import PipelineError

_log = logging.getLogger(__name__)

Loop = Callable[[threading.Event], None]
"""Runs until the event is set."""


class Supervisor:
    """Runs loops in threads and raises, where somebody waits, what one of them raised."""

    def __init__(self) -> None:
        """Start without a loop."""
        self.stopping = threading.Event()
        self._changed = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._running: dict[str, bool] = {}
        self._error: BaseException | None = None

    def start(self, name: str, loop: Loop, *, may_end: bool = False) -> None:
        """Run a loop in a thread of its own; with `may_end`, ending is no error of it."""
        with self._changed:
            if name in self._running:
                raise ValueError(f"two loops are named {name!r}")
            self._running[name] = may_end
        # A daemon: `stop` reports a loop that hangs, which must not keep the process alive.
        thread = threading.Thread(target=self._keep, args=(name, loop), name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _keep(self, name: str, loop: Loop) -> None:
        error: BaseException | None = None
        try:
            loop(self.stopping)
        except BaseException as caught:  # noqa: BLE001 - told to whoever waits, and raised there
            error = caught
        with self._changed:
            may_end = self._running.pop(name)
            if error is None and not may_end and not self.stopping.is_set():
                error = PipelineError(f"{name} ended while the run was still going")
            if error is not None:
                self._fail(name, error)
            self._changed.notify_all()

    def _fail(self, name: str, error: BaseException) -> None:
        # The first error is the cause; those that follow are mostly its consequences.
        if self._error is None:
            self._error = error
            error.add_note(f"in the loop {name!r}, which stopped the run")
            self.stopping.set()
        else:
            _log.warning("%s failed too while the run was stopping: %r", name, error)

    def running(self, prefix: str = "") -> int:
        """How many loops whose name starts so are still going."""
        with self._changed:
            return sum(name.startswith(prefix) for name in self._running)

    def check(self) -> None:
        """Raise the error that stopped the run, if there is one."""
        if self._error is not None:
            raise self._error

    def wait(self, done: Callable[[], bool], *, timeout: float, poll: float = 0.1) -> bool:
        """Wait until `done()`; False after `timeout`. Raises as soon as a loop has failed."""
        deadline = time.monotonic() + timeout
        while True:
            self.check()
            if done():
                return True
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            with self._changed:
                if self._error is None:
                    self._changed.wait(min(poll, left))

    def stop(self, *, timeout: float) -> None:
        """Ask all loops to end and wait for them; raises for a loop that does not, or failed."""
        self.stopping.set()
        deadline = time.monotonic() + timeout
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        with self._changed:
            left = sorted(self._running)
        if left and self._error is None:
            self._error = PipelineError(f"did not stop within {timeout:g} s: {', '.join(left)}")
        self.check()


def close_all(*closers: Callable[[], object]) -> None:
    """Call all of them in order, even if some fail; raises the first error and logs the others."""
    first: Exception | None = None
    for close in closers:
        try:
            close()
        except Exception as error:  # noqa: BLE001 - raised below, when all are closed
            if first is None:
                first = error
            elif error is not first:
                _log.warning("while closing after %r: %r", first, error)
    if first is not None:
        raise first
