"""Python's cyclic garbage collector beside dozens of threads: it holds the interpreter lock.

    by default    a collection every 700 objects, and every so often one that visits all objects:
                  torch, the tasks and their cached texts are a million of them, so that it takes
                  half a second in which no device acts
    frozen        what is there when training begins is never visited, and young objects less often

Reference counts still free nearly everything at once; only cycles wait longer.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_THRESHOLDS = (20_000, 20, 10)
"""Of the three generations. A step allocates some hundred tracked objects: a collection of the
youngest comes after about a hundred steps, and its pause stays below a few milliseconds."""


@contextmanager
def frozen_objects() -> Iterator[None]:
    """Exempt all objects that exist now from garbage collection, and collect young ones rarely."""
    before = gc.get_threshold()
    freeze_objects()
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def freeze_objects() -> None:
    """The same, for the rest of this process."""
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
