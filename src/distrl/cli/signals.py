"""How commands end on Ctrl-C (SIGINT) and on SIGTERM, which service managers and kill send."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_ENDING = (signal.SIGINT, signal.SIGTERM)
_STDERR = 2
_TURN_SECONDS = 0.2
"""How often a command that only serves looks for a signal: too short to be noticed when it ends,
long enough to cost no CPU time."""


@contextmanager
def signals_noted() -> Iterator[Callable[[], None]]:
    """Note SIGINT and SIGTERM instead of acting on them; yields a function that waits for one.

    For commands that only serve. The handler appends to a list, and the wait polls it. A handler
    that sets a threading.Event could deadlock: it may run inside that event's own `wait`, which
    holds the lock that `set` needs.
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
def interruption_told(message: str) -> Iterator[None]:
    """Inside, Ctrl-C and SIGTERM print `message` at once, then raise KeyboardInterrupt.

    Whoever pressed it sees that it was heard, while `finally` blocks may take a minute.
    """

    def interrupt(_number: int, _frame: object) -> None:
        # Not by print: the handler may run while the same stream is being written to.
        os.write(_STDERR, f"\n{message}\n".encode())
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in _ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def terminated_like_interrupted() -> Iterator[None]:
    """Inside, SIGTERM raises KeyboardInterrupt as Ctrl-C does, so that `finally` blocks run."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
