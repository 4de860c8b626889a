import math
from collections import Counter

import pytest
from tests.envs.fakes import BUTTON, FIELD, make_observation

from distrl import actions
from distrl.actions import Direction
from distrl.policies.random import RandomPolicy, options_of
from distrl.types import BASIC_KINDS, Choice, Element, Key, Kind, Situation


def situation(elements: tuple[Element, ...] | None = (BUTTON, FIELD)) -> Situation:
    return Situation(
        goal="Add oat milk", observation=make_observation(elements), history=(), steps_left=9
    )


def play(policy: RandomPolicy, count: int) -> list[Choice]:
    return [policy.act([situation()])[0] for _ in range(count)]


def test_every_kind_is_as_likely() -> None:
    policy = RandomPolicy()
    policy.begin(0)
    counts = Counter(choice.action.kind for choice in play(policy, 8000))
    assert set(counts) == BASIC_KINDS
    assert all(850 <= count <= 1150 for count in counts.values())


def test_kinds_beyond_the_basic_ones_are_chosen_by_who_is_told_of_them() -> None:
    policy = RandomPolicy(frozenset(Kind))
    policy.begin(0)
    choices = play(policy, 6000)
    assert {choice.action.kind for choice in choices} == set(Kind)
    assert {choice.action.key for choice in choices if choice.action.key} == set(Key)
    answers = {choice.action.text for choice in choices if choice.action.kind is Kind.ANSWER}
    assert {"yes", "no", "none", "0", "oat", BUTTON.text} <= answers


def test_only_kinds_that_the_device_has_are_chosen() -> None:
    policy = RandomPolicy(frozenset({Kind.TAP, Kind.WAIT}))
    assert {choice.action.kind for choice in play(policy, 100)} == {Kind.TAP, Kind.WAIT}


def test_targets_are_the_elements_the_words_the_keys_and_the_directions() -> None:
    here = situation()
    centers = [BUTTON.center, FIELD.center]
    assert [(a.x, a.y) for a in options_of(Kind.TAP, here)] == centers
    assert [(a.x, a.y) for a in options_of(Kind.LONG_PRESS, here)] == centers
    assert [a.text for a in options_of(Kind.TYPE, here)] == ["Add", "oat", "milk"]
    assert [a.key for a in options_of(Kind.PRESS, here)] == [Key.BACK, Key.HOME, Key.ENTER]
    assert [actions.direction_of(a) for a in options_of(Kind.SWIPE, here)] == list(Direction)


@pytest.mark.parametrize("elements", [None, ()])
def test_without_elements_it_touches_points_all_over_the_screen(
    elements: tuple[Element, ...] | None,
) -> None:
    taps = options_of(Kind.TAP, situation(elements))
    assert len(set(taps)) == len(taps) == 128
    assert min(a.x for a in taps) < 0.1 < 0.9 < max(a.y for a in taps)


def test_log_probabilities_are_those_of_the_decisions() -> None:
    (choice,) = RandomPolicy(frozenset({Kind.TYPE})).act([situation()])
    assert choice.log_prob == pytest.approx(math.log(1 / 3))
    assert choice.entropy == pytest.approx(math.log(3))
    policy = RandomPolicy()
    seen = {c.decision: math.exp(c.log_prob or 0.0) for c in play(policy, 20000)}
    assert sum(seen.values()) == pytest.approx(1.0)


def test_the_same_seeds_give_the_same_choices() -> None:
    def line(own: int, episode: int) -> list[Choice]:
        policy = RandomPolicy(seed=own)
        policy.begin(episode)
        return play(policy, 30)

    assert line(0, 1) == line(0, 1)
    assert line(0, 1) != line(0, 2)
    assert line(0, 1) != line(1, 1)
