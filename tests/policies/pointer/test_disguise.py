from __future__ import annotations

import numpy as np
import pytest
from tests.policies.pointer.fakes import FakeTextEncoder, make_preparer, random_situation

from distrl.policies.pointer.disguise import Disguise
from distrl.policies.pointer.inputs import Inputs

GOALS = ["call Ada", "start a timer", "wipe the board"]
LABELS = ("Zebra", "Yonder", "Xylophone")


def disguise(share: float) -> Disguise:
    return Disguise(share, goals=GOALS, labels=lambda: LABELS, encoder=FakeTextEncoder())


def steps() -> list[Inputs]:
    preparer = make_preparer()
    return [preparer.prepare(random_situation(seed)) for seed in (3, 3, 5)]


def test_all_words_labels_and_crops_are_disguised_at_a_share_of_nearly_one() -> None:
    encoder = FakeTextEncoder()
    before = steps()
    after = disguise(0.999999)(before, np.random.default_rng(0))
    words = np.concatenate([encoder.goal(goal).words for goal in GOALS])
    labels = encoder.labels(LABELS)
    for step in after:
        assert all((words == word).all(1).any() for word in step.words)
        assert all((labels == label).all(1).any() for label in step.labels)
        assert not step.crops.any()


def test_how_words_and_labels_match_stays_as_it_was() -> None:
    before = steps()
    for old, new in zip(before, disguise(0.9)(before, np.random.default_rng(0)), strict=True):
        assert new.links is old.links
        assert new.alike is old.alike
        assert new.features is old.features


def test_the_steps_of_an_episode_are_disguised_alike() -> None:
    first, again, _ = disguise(0.5)(steps(), np.random.default_rng(1))
    assert (first.words == again.words).all()
    assert (first.labels == again.labels).all()
    assert first.names == again.names


def test_labels_with_other_vectors_have_other_names() -> None:
    """A batch knows the vector of a label by its name."""
    before = steps()
    for old, new in zip(before, disguise(0.5)(before, np.random.default_rng(2)), strict=True):
        same = (new.labels == old.labels).all(1)
        assert [a == b for a, b in zip(old.names, new.names, strict=True)] == same.tolist()


@pytest.mark.parametrize("share", [0.1, 0.3])
def test_the_share_is_that_of_the_words(share: float) -> None:
    rng, changed, total = np.random.default_rng(0), 0, 0
    vary, before = disguise(share), steps()
    for _ in range(300):
        (new,) = vary(before[:1], rng)
        changed += int((new.words != before[0].words).any(1).sum())
        total += len(new.words)
    assert abs(changed / total - share) < 0.05


def test_the_stored_steps_are_not_changed() -> None:
    before, untouched = steps(), steps()
    disguise(0.9)(before, np.random.default_rng(0))
    for old, new in zip(untouched, before, strict=True):
        assert (old.words == new.words).all()
        assert (old.labels == new.labels).all()
        assert (old.crops == new.crops).all()


def test_the_same_random_numbers_give_the_same_disguise() -> None:
    one, other = (disguise(0.4)(steps(), np.random.default_rng(7)) for _ in range(2))
    for a, b in zip(one, other, strict=True):
        assert (a.words == b.words).all()
        assert a.names == b.names
        assert (a.crops == b.crops).all()
