from __future__ import annotations

import gc
import weakref

import pytest

from distrl.run.processes.garbage_collection import frozen_objects


class Ring:
    """An object that only the garbage collector can free."""

    def __init__(self) -> None:
        self.itself = self


def test_what_is_there_at_the_beginning_is_not_visited_until_the_end() -> None:
    gc.disable()  # no collection but those below
    try:
        ring = Ring()
        gone = weakref.ref(ring)
        with frozen_objects():
            assert gc.get_freeze_count() > 0
            del ring
            gc.collect()
            assert gone() is not None
        gc.collect()
        assert gone() is None
    finally:
        gc.enable()


def test_cycles_that_are_made_meanwhile_are_freed() -> None:
    with frozen_objects():
        gone = weakref.ref(Ring())
        gc.collect()
        assert gone() is None


def test_collections_are_rarer_inside_and_as_before_afterwards() -> None:
    before = gc.get_threshold()
    with pytest.raises(ValueError, match="of the run"), frozen_objects():
        assert gc.get_threshold()[0] > before[0]
        raise ValueError("of the run")
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
