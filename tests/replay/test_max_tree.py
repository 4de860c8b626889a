from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.replay.max_tree import MaxTree


def held(numbers: list[float], slots: int = 600) -> MaxTree:
    largest = MaxTree(slots)
    largest.put_many(np.arange(len(numbers)), np.array(numbers, np.float64))
    return largest


def test_nothing_is_held_at_first() -> None:
    largest = MaxTree(3)
    assert largest.largest == -np.inf
    assert largest.get(np.arange(3)).tolist() == [-np.inf] * 3


def test_the_largest_is_followed_up_and_down() -> None:
    largest = held([1.0, 2.0, 3.0])
    assert largest.largest == 3.0
    largest.put(1, 7.0)
    assert largest.largest == 7.0
    largest.put(1, 0.5)
    assert largest.largest == 3.0
    largest.forget(2)
    assert largest.largest == 1.0
    largest.put_many(np.array([0, 1]), np.array([0.1, 0.2]))
    assert largest.largest == 0.2
    largest.forget(1)
    largest.forget(0)
    assert largest.largest == -np.inf


def test_it_is_still_there_when_one_of_several_has_gone() -> None:
    largest = held([4.0, 4.0, 4.0])
    for slot in range(2):
        largest.forget(slot)
        assert largest.largest == 4.0
    largest.forget(2)
    assert largest.largest == -np.inf


def test_the_last_number_wins_for_a_slot_named_twice() -> None:
    largest = held([1.0, 1.0])
    largest.put_many(np.array([0, 0]), np.array([9.0, 2.0]))
    assert largest.largest == 2.0


def test_writing_nothing_changes_nothing() -> None:
    largest = held([1.0])
    largest.put_many(np.zeros(0, np.int64), np.zeros(0))
    assert largest.largest == 1.0


few = st.sampled_from([0.0, 1.0, 1.5, 2.0, 3.0])
"""So that the largest is often held more than once."""
slot = st.sampled_from([0, 1, 2, 255, 256, 299])
changes = st.lists(
    st.one_of(
        st.tuples(slot, few),
        slot,
        st.lists(st.tuples(slot, few), min_size=1, max_size=5),
        st.none(),
    ),
    max_size=30,
)


@given(changes)
def test_any_order_of_changes_and_looks_finds_the_largest(
    changes: list[tuple[int, float] | int | list[tuple[int, float]] | None],
) -> None:
    largest, plain = MaxTree(300), np.full(300, -np.inf)
    for change in changes:
        if change is None:
            assert largest.largest == plain.max()
        elif isinstance(change, int):
            largest.forget(change)
            plain[change] = -np.inf
        elif isinstance(change, tuple):
            largest.put(*change)
            plain[change[0]] = change[1]
        else:
            slots, numbers = np.array([s for s, _ in change]), np.array([n for _, n in change])
            largest.put_many(slots, numbers)
            plain[slots] = numbers
    assert largest.largest == plain.max()
    assert (largest.get(np.arange(300)) == plain).all()


@pytest.mark.parametrize("slots", [1, 255, 256, 257, 1000])
def test_every_slot_of_every_block_counts(slots: int) -> None:
    largest = MaxTree(slots)
    rng = np.random.default_rng(slots)
    numbers = rng.random(slots)
    largest.put_many(np.arange(slots), numbers)
    for gone in np.argsort(numbers)[::-1][:50]:
        assert largest.largest == numbers[gone]
        largest.forget(int(gone))
