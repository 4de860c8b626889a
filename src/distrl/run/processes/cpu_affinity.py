"""How the learner and the devices share a machine's cores.

    quick devices   (embedded phones) use every core that they get. The learner, one thread among
                    dozens, would get a fraction of one: it is pinned to a core of its own
    slow devices    (emulators, phones) use little, but a phone that waits for a decision stands
                    still: the learner lowers its priority and takes what they leave

Where the system supports neither, nothing happens.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_BACK = 10
"""The learner's niceness beside slow devices: a tenth of a core where others want all of it."""
_GROUP = Path("/proc/self/autogroup")
"""Where Linux keeps the niceness of a session; see `step_back`."""


def learners_core(cores: frozenset[int]) -> int | None:
    """The learner's core, the last one; None on a machine with a single core."""
    return max(cores) if len(cores) > 1 else None


def take_learners_core() -> None:
    """Pin this process, the learner's, to the learner's core."""
    core = learners_core(_cores())
    if core is not None:
        os.sched_setaffinity(0, {core})


@contextmanager
def leaving_learners_core() -> Iterator[None]:
    """Threads started inside never run on the learner's core: they inherit the affinity."""
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
    """Lower the priority of this process, and of its session."""
    os.nice(_BACK)
    # The kernel's autogroups share time between sessions first, whatever the niceness inside them.
    with suppress(OSError):
        _GROUP.write_text(f"{_BACK}\n")


def _cores() -> frozenset[int]:
    """The cores that this thread may use; empty where the system does not tell."""
    return frozenset(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else frozenset()
