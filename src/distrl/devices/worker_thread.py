"""A thread for work that must all be done by the same one, each piece with a deadline."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any, TypeVar

from distrl.errors import DeviceLost, DistrlError

T = TypeVar("T")


class WorkerThread:
    """Does what it is given, one piece after another.

    For what belongs to the thread that made it, such as pages of Playwright or an event loop. It is
    a daemon, so one that hangs does not keep the program from ending.
    """

    def __init__(self, name: str) -> None:
        """Start it."""
        self._waiting: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None]
        self._waiting = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def call(self, work: Callable[[], T], *, doing: str, timeout: float) -> T:
        """What `work` gives; DeviceLost when it fails or takes too long."""
        future: Future[T] = Future()
        self._waiting.put((future, work))
        try:
            return future.result(timeout)
        except (TimeoutError, FutureTimeout) as error:
            if future.done():  # its own timeout, not that of this call
                raise DeviceLost(f"{doing}: {_first_line(error)}") from error
            future.cancel()
            raise DeviceLost(f"{doing}: no answer within {timeout:g} s") from None
        except DistrlError:
            raise
        except Exception as error:
            raise DeviceLost(f"{doing}: {_first_line(error)}") from error

    def end(self, patience: float) -> None:
        """Have it end when it has done what it was given; wait for it that long."""
        self._waiting.put(None)
        self._thread.join(patience)

    def _run(self) -> None:
        while (given := self._waiting.get()) is not None:
            future, work = given
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(work())
            except BaseException as error:  # noqa: BLE001 - whoever asked is told
                future.set_exception(error)


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
