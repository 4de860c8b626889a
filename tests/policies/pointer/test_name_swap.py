from __future__ import annotations

import numpy as np
import pytest
from tests.policies.pointer.fakes import FakeTextEncoder, make_preparer, situation

from distrl.policies.pointer.inputs import Inputs
from distrl.policies.pointer.name_swap import NameSwap

NAMES = [f"Person{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(300)]
GOALS = [f"Call {name} now" for name in NAMES]


@pytest.fixture
def swap() -> NameSwap:
    return NameSwap(GOALS, FakeTextEncoder())


def inputs_for(goal: str) -> Inputs:
    return make_preparer().prepare(situation((), goal=goal))


def test_a_word_of_one_goal_is_rare_and_a_word_of_all_is_not(swap: NameSwap) -> None:
    assert swap.rare(GOALS[0]).tolist() == [False, True, False]


def test_a_word_that_no_training_goal_has_keeps_its_meaning(swap: NameSwap) -> None:
    assert not swap.rare("Phone Somebody today").any()


@pytest.mark.parametrize(("goals", "rare"), [(99, False), (100, True), (200, True)])
def test_of_few_goals_every_word_matters(goals: int, rare: bool) -> None:
    assert NameSwap(GOALS[:goals], FakeTextEncoder()).rare(GOALS[0]).any() == rare


def test_a_goal_that_is_trained_on_twice_counts_once() -> None:
    swap = NameSwap([GOALS[0]] * 3 + GOALS[1:], FakeTextEncoder())
    assert swap.rare(GOALS[0]).any()


def test_rare_words_become_other_rare_words_and_nothing_else_changes(swap: NameSwap) -> None:
    before = inputs_for(GOALS[0])
    words = before.words.copy()
    (after,) = swap((before,), np.random.default_rng(0))
    others = {inputs_for(goal).words[1].tobytes() for goal in GOALS}
    assert after.words[1].tobytes() in others
    np.testing.assert_array_equal(after.words[[0, 2]], words[[0, 2]])
    np.testing.assert_array_equal(before.words, words, "what is stored must not change")
    for name in ("goal", "names", "labels", "features", "links", "word_features"):
        assert getattr(after, name) is getattr(before, name)


def test_all_steps_of_an_episode_get_the_same_words_and_the_next_time_others(
    swap: NameSwap,
) -> None:
    step, rng = inputs_for(GOALS[0]), np.random.default_rng(0)
    first, second = swap((step, step), rng)
    np.testing.assert_array_equal(first.words, second.words)
    drawn = {swap((step,), rng)[0].words[1].tobytes() for _ in range(20)}
    assert len(drawn) > 10


def test_every_rare_word_of_a_goal_gets_a_stand_in_of_its_own() -> None:
    pairs = list(zip(NAMES[::2], NAMES[1::2], strict=True))
    goals = [f"Tell {first} about {second}" for first, second in pairs]
    swap, step = NameSwap(goals, FakeTextEncoder()), inputs_for(goals[0])
    assert swap.rare(goals[0]).tolist() == [False, True, False, True]
    rng = np.random.default_rng(0)
    drawn = [swap((step,), rng)[0].words for _ in range(20)]
    # Drawn independently of 300, two are the same by chance once in 300 times.
    assert sum(np.array_equal(words[1], words[3]) for words in drawn) <= 1


def test_a_goal_of_common_words_is_left_alone(swap: NameSwap) -> None:
    steps = (inputs_for("Call now"),)
    assert swap(steps, np.random.default_rng(0)) is steps
