"""Decisions in the numbering of a padded batch, and back."""

from __future__ import annotations

import pytest
from tests.policies.pointer.fakes import (
    DISABLED,
    every_decision,
    make_preparer,
    random_situation,
    situation,
    texts_of,
)

from distrl.policies.pointer import decisions as d
from distrl.policies.pointer.batch import collate, pad_decision, unpad_text
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
    seen = set()
    for extra in texts_of(options_of(here)):
        kind, target, padded = pad_decision((d.TYPE, 0, extra), w, n, batch)
        assert (kind, target) == (d.TYPE, 0)
        assert unpad_text(padded, w, n, batch) == extra
        seen.add(padded)
    assert len(seen) == len(list(texts_of(options_of(here))))


def test_only_texts_are_numbered_anew() -> None:
    prepared = prepare(situation())
    batch = collate([prepared, prepare(situation(None))])
    for decision in every_decision(situation()):
        if decision[0] != d.TYPE:
            assert pad_decision(decision, len(prepared.words), 5, batch) == decision
