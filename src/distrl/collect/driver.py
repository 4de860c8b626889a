"""The one way to advance an episode machine: a generator that yields waits and is sent replies.

    machine --Wait--> driver: carries the wait out --Reply--> machine --Wait--> ... --> Ended

`play` (one episode) and `collect` (a collector's endless rollout) are such machines. Threads, the
vectorized rollout and the virtual engine differ in when they carry a wait out, and in nothing
else: all of them start, answer, fail and end a machine with `advance`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar

from distrl.errors import DistrlError

T = TypeVar("T")
W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class Answer:
    """The value that a machine waited for."""

    value: Any = None


@dataclass(frozen=True, slots=True)
class Failure:
    """The error that came instead of a value; it is raised inside the machine, at its wait."""

    error: DistrlError


Reply: TypeAlias = Answer | Failure

START = Answer(None)
"""The first reply to a machine: a generator that has not started accepts nothing but None."""


@dataclass(frozen=True, slots=True)
class Ended(Generic[T]):
    """A machine has returned."""

    result: T


def advance(machine: Generator[W, Any, T], reply: Reply) -> W | Ended[T]:
    """Give a machine a reply; returns what it waits for next, or its end.

    An error that the machine does not handle is raised here.
    """
    try:
        match reply:
            case Answer(value):
                return machine.send(value)
            case Failure(error):
                return machine.throw(error)
    except StopIteration as end:
        return Ended(end.value)


def attempt(call: Callable[[], object]) -> Reply:
    """Call something and turn what came of it into a reply.

    Only errors of this package are replies. A machine decides which of them end an episode and
    which a run; anything else is a bug, and must not be taken for a device that failed.
    """
    try:
        return Answer(call())
    except DistrlError as error:
        return Failure(error)


def drive(machine: Generator[W, Any, T], answer: Callable[[W], object]) -> T:
    """Carry out every wait of a machine on the spot, in this thread; returns its result."""
    try:
        wait = advance(machine, START)
        while not isinstance(wait, Ended):
            wait = advance(machine, attempt(partial(answer, wait)))
        return wait.result
    finally:
        # However this ends, the machine's own `finally` runs now: its device goes back at once.
        machine.close()


def relay(machine: Generator[W, Any, T], between: Callable[[], None]) -> Generator[W, Any, T]:
    """Run a machine inside another, as `yield from` does, and call `between` after each answer."""
    try:
        wait = advance(machine, START)
        while not isinstance(wait, Ended):
            try:
                reply: Reply = Answer((yield wait))
            except DistrlError as error:
                reply = Failure(error)
            else:
                between()
            wait = advance(machine, reply)
        return wait.result
    finally:
        machine.close()
