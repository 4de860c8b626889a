"""How commands end when they are told to: Ctrl-C, or SIGTERM, by which others end us."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_ENDING = (signal.SIGINT, signal.SIGTERM)
_TURN_SECONDS = 0.2


@contextmanager
def signals_noted() -> Iterator[Callable[[], None]]:
    """Let both signals only be noted inside; what is yielded returns once one has come.

    For commands that only serve. A handler that sets an event would not do: when it runs inside of
    that event's own `wait`, both want the same lock, and when it runs just before, nobody wakes up.
    """
    came: list[int] = []

    def until_one_came() -> None:
        while not came:
            time.sleep(_TURN_SECONDS)

    before = {number: signal.signal(number, lambda n, _: came.append(n)) for number in _ENDING}
    try:
        yield until_one_came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
