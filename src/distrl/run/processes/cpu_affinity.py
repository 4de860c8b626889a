"""Who has which core: the learner one of its own, or what the devices leave.

Devices inside the package are as quick as the machine. They would collect with every core there is,
and the learner, one thread among dozens, would get half of one: it is given a core of its own.
Slow devices need little, but need it at once, for a phone that waits for a decision stands still:
there the learner steps back and takes what is left. Where the system allows neither, nothing
happens.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_BACK = 10
"""How nice the learner is then: about a tenth of a core beside threads that want all of it."""
_GROUP = Path("/proc/self/autogroup")
"""Where Linux keeps the niceness of a session."""


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


def step_back() -> None:
    """Let everybody else go first from now on."""
    os.nice(_BACK)
    # Sessions are treated as groups of equal rights, whatever is nice inside of them.
    with suppress(OSError):
        _GROUP.write_text(f"{_BACK}\n")


def _cores() -> frozenset[int]:
    """Cores that this thread may use; none where the system does not tell."""
    return frozenset(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else frozenset()
