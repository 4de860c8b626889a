"""A core for the learner: dozens of collecting threads wake up more often than one thread can bear.

The scheduler of the system is fair to threads, and the learner is one among many: without a core
of its own it gets about half of one. Where affinity cannot be set, nothing happens.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


def learners_core(cores: frozenset[int]) -> int | None:
    """The core that is the learner's; None where there is only one for all."""
    return max(cores) if len(cores) > 1 else None


def take_learners_core() -> None:
    """Let this process, which has one thread that matters, be the only one on its core."""
    core = learners_core(_cores())
    if core is not None:
        os.sched_setaffinity(0, {core})


@contextmanager
def leaving_learners_core() -> Iterator[None]:
    """Threads that are started inside stay away from the learner's core for good."""
    cores = _cores()
    core = learners_core(cores)
    if core is None:
        yield
        return
    os.sched_setaffinity(0, cores - {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def _cores() -> frozenset[int]:
    """Cores that this thread may use; none where the system does not tell."""
    return frozenset(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else frozenset()
