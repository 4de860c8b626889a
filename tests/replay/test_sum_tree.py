from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.replay.sum_tree import Floats, Indices, SumTree

every_size = pytest.mark.parametrize("slots", range(1, 71))


def filled(weights: Floats) -> SumTree:
    tree = SumTree(len(weights))
    tree.set_many(np.arange(len(weights)), weights)
    return tree


def random_weights(slots: int, rng: np.random.Generator) -> Floats:
    """Some of them 0, at least one above it."""
    weights = rng.random(slots) * (rng.random(slots) < 0.7)
    weights[rng.integers(slots)] = 0.5
    return weights


@every_size
def test_points_are_found_as_running_sums_find_them(slots: int) -> None:
    rng = np.random.default_rng(slots)
    weights = random_weights(slots, rng)
    tree = filled(weights)
    assert tree.total == pytest.approx(weights.sum(), abs=1e-12)
    points = rng.random(200) * weights.sum()
    assert (tree.locate(points) == np.searchsorted(np.cumsum(weights), points, "right")).all()


@every_size
def test_slots_without_weight_are_never_drawn_even_at_the_edges(slots: int) -> None:
    rng = np.random.default_rng(slots)
    weights = random_weights(slots, rng)
    tree = filled(weights)
    edges = np.concatenate([[0.0], np.cumsum(weights)])
    beyond = np.array([tree.total, np.nextafter(tree.total, 9e9), tree.total * 1.001])
    nearby = np.concatenate([edges, np.nextafter(edges, -1).clip(0), np.nextafter(edges, 9e9)])
    for points in (nearby, beyond, rng.random(500) * tree.total):
        assert (weights[tree.locate(points)] > 0).all()


def test_the_smallest_and_the_largest_weights_live_side_by_side() -> None:
    weights = np.array([1e-300, 0.0, 1e12, 0.0, 1e-12])
    drawn = filled(weights).sample(1000, np.random.default_rng(0))
    assert set(drawn) == {2}
    assert filled(weights[:2]).sample(5, np.random.default_rng(0)).tolist() == [0] * 5


# Sampling follows the weights. The statistic and its bound, and trees that are broken.

_DRAWS = 20_000
_BOUND = 31.83
"""Chi-square with 8 degrees of freedom exceeds this once in 10,000 times."""


def draws_follow(sample: Callable[[np.random.Generator], Indices], weights: Floats) -> bool:
    """Whether independent draws may come from these weights: Pearson's chi-square test."""
    rng = np.random.default_rng(7)
    drawn = np.concatenate([sample(rng) for _ in range(_DRAWS)])
    counts = np.bincount(drawn, minlength=len(weights))
    possible = weights > 0
    if counts[~possible].any():
        return False
    expected = len(drawn) * weights[possible] / weights.sum()
    assert expected.min() > 5, "too few draws for the test to mean anything"
    assert possible.sum() == 9
    return bool(((counts[possible] - expected) ** 2 / expected).sum() < _BOUND)


PRIORITIES = np.array([1.0, 5.0, 0.0, 2.0, 0.1, 3.0, 8.0, 0.0, 0.4, 1.5, 2.5])


def test_sampling_frequencies_follow_the_weights() -> None:
    tree = filled(PRIORITIES)
    assert draws_follow(lambda rng: tree.sample(1, rng), PRIORITIES)


def test_sampling_frequencies_follow_the_weights_after_they_have_changed() -> None:
    tree = filled(PRIORITIES[::-1].copy())
    tree.sample(3, np.random.default_rng(0))
    for slot, weight in enumerate(PRIORITIES):
        tree.set(slot, float(weight))
    assert draws_follow(lambda rng: tree.sample(1, rng), PRIORITIES)


class StaleTree(SumTree):
    """Forgets to bring its sums up to date."""

    def _refresh(self) -> None:
        if self._top[-1] == 0:
            super()._refresh()


class UniformTree(SumTree):
    """What was published with the paper: nothing samples by priority."""

    def sample(self, count: int, rng: np.random.Generator) -> Indices:
        return rng.integers(self.slots, size=count)


class LopsidedTree(SumTree):
    """Never reaches its right end."""

    def locate(self, points: Floats) -> Indices:
        return super().locate(points * 0.9)


def test_the_statistical_test_sees_a_tree_whose_sums_are_stale() -> None:
    tree = StaleTree(len(PRIORITIES))
    tree.set_many(np.arange(len(PRIORITIES)), np.ones(len(PRIORITIES)))
    tree.sample(1, np.random.default_rng(0))
    tree.set_many(np.arange(len(PRIORITIES)), PRIORITIES)
    assert not draws_follow(lambda rng: tree.sample(1, rng), PRIORITIES)


@pytest.mark.parametrize("broken", [UniformTree, LopsidedTree])
def test_the_statistical_test_sees_a_broken_tree(broken: type[SumTree]) -> None:
    tree = broken(len(PRIORITIES))
    tree.set_many(np.arange(len(PRIORITIES)), PRIORITIES)
    assert not draws_follow(lambda rng: tree.sample(1, rng), PRIORITIES)


def test_the_statistical_test_sees_a_weight_that_is_a_tenth_too_large() -> None:
    wrong = PRIORITIES.copy()
    wrong[6] *= 1.1
    tree = filled(wrong)
    assert not draws_follow(lambda rng: tree.sample(1, rng), PRIORITIES)


@pytest.mark.parametrize("count", [1, 2, 7, 64])
def test_a_batch_takes_one_from_each_stratum(count: int) -> None:
    """So that counts in a batch are off by less than one draw at either end of a slot's range."""
    weights = np.array([1.0, 2.0, 3.0, 4.0, 0.0])
    tree, rng = filled(weights), np.random.default_rng(3)
    for _ in range(50):
        drawn = np.bincount(tree.sample(count, rng), minlength=5)
        assert (np.abs(drawn - count * weights / 10) < 2).all()


# Writing.


def test_writing_touches_leaves_only_and_sums_follow_before_they_are_read() -> None:
    tree = SumTree(5)
    for slot in range(5):
        tree.set(slot, 1.0)
    tree.set(2, 4.0)
    assert tree.total == 8.0
    tree.set_many(np.array([0, 4]), np.array([0.0, 0.5]))
    assert tree.locate(np.array([0.5, 1.0, 5.0, 6.0, 6.49])).tolist() == [1, 2, 3, 4, 4]


def test_the_last_of_several_weights_for_a_slot_wins() -> None:
    tree = SumTree(4)
    tree.set_many(np.array([1, 1, 3, 1]), np.array([5.0, 7.0, 1.0, 2.0]))
    tree.set(3, 9.0)
    tree.set(3, 6.0)
    assert tree.get(np.arange(4)).tolist() == [0.0, 2.0, 0.0, 6.0]
    assert tree.total == 8.0


def test_a_slot_may_be_named_by_a_number_of_numpy() -> None:
    tree = SumTree(3)
    for slot in np.arange(3):
        tree.set(slot, 1.0)  # type: ignore[arg-type]
    assert tree.total == 3.0


writes = st.lists(
    st.one_of(
        st.tuples(st.integers(0, 12), st.floats(0, 100)),
        st.lists(st.tuples(st.integers(0, 12), st.floats(0, 100)), min_size=1, max_size=5),
        st.none(),
    ),
    max_size=20,
)


@given(writes)
def test_any_order_of_writes_and_reads_keeps_the_sums(
    writes: list[tuple[int, float] | list[tuple[int, float]] | None],
) -> None:
    tree, plain = SumTree(13), np.zeros(13)
    for write in writes:
        if write is None:
            assert tree.total == pytest.approx(plain.sum(), abs=1e-9)
        elif isinstance(write, tuple):
            tree.set(*write)
            plain[write[0]] = write[1]
        else:
            slots, weights = np.array([s for s, _ in write]), np.array([w for _, w in write])
            tree.set_many(slots, weights)
            plain[slots] = weights
    assert (tree.get(np.arange(13)) == plain).all()
    assert tree.total == pytest.approx(plain.sum(), abs=1e-9)


def test_a_tree_that_is_emptied_has_nothing_left_of_its_weights() -> None:
    tree, rng = filled(np.random.default_rng(0).random(37)), np.random.default_rng(1)
    tree.sample(10, rng)
    tree.set_many(np.arange(37), np.zeros(37))
    assert tree.total == 0.0
    with pytest.raises(ValueError, match="nothing to sample"):
        tree.sample(1, rng)


# Trees of several levels: 16 children to a node, and a top of at most 8,192 nodes.


@pytest.mark.parametrize("slots", [131_072, 131_073, 300_000])
def test_points_are_found_through_every_level(slots: int) -> None:
    rng = np.random.default_rng(slots)
    weights = random_weights(slots, rng)
    tree = filled(weights)
    assert tree.total == pytest.approx(weights.sum(), rel=1e-12)
    sums = np.cumsum(weights)
    points = np.concatenate([rng.random(3000) * sums[-1], [0.0, sums[-1], 2 * sums[-1]]])
    found = tree.locate(points)
    assert (weights[found] > 0).all()
    assert (found[:3000] == np.searchsorted(sums, points[:3000], "right")).all()


def test_a_tree_that_was_changed_is_the_same_as_one_made_of_its_weights() -> None:
    """Bit for bit, so that a buffer that is restored draws what the first would have drawn."""
    rng = np.random.default_rng(5)
    changed = SumTree(200_000)
    changed.set_many(np.arange(200_000), rng.random(200_000))
    for _ in range(20):
        changed.set(int(rng.integers(200_000)), rng.random())
        slots = rng.integers(200_000, size=300)
        changed.set_many(slots, rng.random(300) * (rng.random(300) < 0.5))
        changed.sample(8, rng)
    made = filled(changed.get(np.arange(200_000)))
    assert made.total == changed.total
    points = rng.random(5000) * made.total
    assert (made.locate(points) == changed.locate(points)).all()


def test_a_tree_needs_a_slot() -> None:
    with pytest.raises(ValueError, match="got 0"):
        SumTree(0)
