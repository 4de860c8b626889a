"""How commands end when they are told to: Ctrl-C, or SIGTERM, by which others end us."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_ENDING = frozenset({signal.SIGINT, signal.SIGTERM})
_TURN_SECONDS = 0.5


def _until_one_comes() -> None:
    # In turns, for a library's thread from before may have been given the signal: its handler
    # runs here, between two turns.
    while signal.sigtimedwait(_ENDING, _TURN_SECONDS) is None:
        pass


@contextmanager
def signals_held() -> Iterator[Callable[[], None]]:
    """Keep both signals back, here and in threads started inside; what is yielded awaits one.

    For commands that only serve. A handler that sets an event would not do: when it runs inside of
    that event's own `wait`, both want the same lock, and when it runs just before, nobody wakes up.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield _until_one_comes
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def terminated_like_interrupted() -> Iterator[None]:
    """Let SIGTERM stop in order as Ctrl-C does."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
