"""Decisions in the numbering of a padded batch, and back."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from tests.policies.pointer.fakes import (
    DISABLED,
    every_decision,
    make_preparer,
    random_situation,
    situation,
    texts_of,
)

from distrl.policies.pointer import decisions as d
from distrl.policies.pointer.batch import Batch, collate, pad_decision, unpad_decision
from distrl.policies.pointer.inputs import options_of
from distrl.types import Situation

SITUATIONS = {
    "screen": situation(),
    "keyboard": situation(keyboard=True),
    "empty": situation(()),
    "alone": situation((DISABLED,)),
    "wordless": situation(goal="?!"),
    "grid": situation(None, goal="tap"),
    **{f"random {seed}": random_situation(seed) for seed in range(5)},
}
prepare = make_preparer().prepare


@pytest.mark.parametrize("here", SITUATIONS.values(), ids=SITUATIONS)
def test_numbers_of_texts_are_padded_and_unpadded_to_the_same(here: Situation) -> None:
    prepared = prepare(here)
    w, n = len(prepared.words), len(prepared.features)
    batch = collate([prepared, prepare(situation(None, goal="word " * 24))])
    for kind in (d.TYPE, d.ANSWER):
        seen = set()
        for extra in texts_of(options_of(here), kind):
            padded = pad_decision((kind, 0, extra), w, n, batch)
            assert padded[:2] == (kind, 0)
            assert unpad_decision(padded, w, n, batch) == (kind, 0, extra)
            seen.add(padded)
        assert len(seen) == len(list(texts_of(options_of(here), kind)))


def test_only_texts_are_numbered_anew() -> None:
    prepared = prepare(situation())
    batch = collate([prepared, prepare(situation(None))])
    for decision in every_decision(situation()):
        if decision[0] != d.TYPE:
            assert pad_decision(decision, len(prepared.words), 5, batch) == decision


def test_what_situations_share_is_in_a_batch_once() -> None:
    prepared = prepare(situation())
    once, often = collate([prepared]), collate([prepared] * 3)
    for name in ("texts", "crops", "goal_means"):
        assert getattr(often, name).shape == getattr(once, name).shape
    assert len(often.features) == 3 * len(once.features)


def test_other_vectors_of_the_same_goal_are_another_goal() -> None:
    prepared = prepare(situation())
    swapped = replace(prepared, words=prepared.words[::-1].copy())
    batch = collate([prepared, swapped, prepared])
    assert batch.goal_of.tolist() == [0, 1, 0]
    assert len(batch.goal_means) == 2


def test_a_batch_to_learn_from_groups_situations_by_length_and_rounds_rows_up() -> None:
    rows = [prepare(here) for here in SITUATIONS.values()]
    batch = collate(rows, to_learn=True)
    lengths = [group.seen.sum(1).tolist() for group in batch.groups]
    assert len(lengths) == 4
    every = [length for group in lengths for length in group]
    assert every == sorted(every)
    total = sum(every)
    assert total == len(collate(rows).places)
    assert total <= len(batch.places) < 1.25 * total + 16
    assert len(batch.places) % 16 == 0


@pytest.mark.parametrize("name", ["texts", "crops"])
def test_tables_of_a_batch_to_learn_from_have_spare_rows_of_zeros(name: str) -> None:
    rows = [prepare(here) for here in SITUATIONS.values()]
    table, padded = getattr(collate(rows), name), getattr(collate(rows, to_learn=True), name)
    assert len(padded) % 16 == 0
    assert torch.equal(padded[: len(table)], table)
    assert not padded[len(table) :].any()


def test_a_batch_is_made_of_its_tensors_again() -> None:
    batch = collate([prepare(here) for here in SITUATIONS.values()], to_learn=True)
    again = Batch.of_tensors(batch.tensors())
    assert len(again.groups) == len(batch.groups)
    assert all(a is b for a, b in zip(again.tensors(), batch.tensors(), strict=True))
