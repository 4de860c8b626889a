from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import pytest
import torch
from tests.policies.pointer.fakes import (
    BUTTON,
    SCREEN,
    TINY,
    FakeTextEncoder,
    every_decision,
    make_model,
    make_preparer,
    noise,
    random_situation,
    situation,
)

from distrl.interfaces import Policy, SaysValue
from distrl.policies.pointer import decisions as d
from distrl.policies.pointer import policy as policy_module
from distrl.policies.pointer.acting import sample_index
from distrl.policies.pointer.inputs import options_of
from distrl.policies.pointer.model import PointerModel
from distrl.policies.pointer.packing import unpack
from distrl.policies.pointer.policy import PointerPolicy
from distrl.types import Choice, Kind


def make_policy(seed: int = 0, *, greedy: bool = False) -> PointerPolicy:
    return PointerPolicy(make_model(seed), make_preparer(), greedy=greedy)


CROWD = [random_situation(seed) for seed in range(40, 48)] + [situation(None), situation(())]


def decisions(choices: list[Choice]) -> list[tuple[int, ...] | None]:
    return [choice.decision for choice in choices]


def test_it_is_a_policy() -> None:
    policy: Policy = make_policy()
    policy.begin(0)
    assert len(policy.act([situation(), situation(None)])) == 2


def test_its_value_is_the_probability_of_success_of_the_more_cautious_critic() -> None:
    model = make_model(3)
    policy = PointerPolicy(model, make_preparer())
    assert isinstance(policy, SaysValue)
    for here in CROWD:
        scores, _ = model.scores([policy.prepare(here)])
        assert policy.value(here) == pytest.approx(
            torch.sigmoid(scores.values[0].detach()).min().item()
        )


# What a choice carries.


def test_a_choice_carries_the_value_of_its_situation_from_the_same_pass() -> None:
    policy = make_policy(3)
    values = [choice.value for choice in policy.act(CROWD)]
    assert values == pytest.approx([policy.value(here) for here in CROWD], abs=1e-5)


def test_where_every_decision_would_have_to_be_judged_a_choice_has_no_value() -> None:
    model = PointerModel(TINY, decision_critics=True)
    (choice,) = PointerPolicy(model, make_preparer()).act([situation()])
    assert choice.log_prob is not None
    assert choice.value is None


@pytest.mark.parametrize("greedy", [True, False])
def test_the_action_is_what_the_decision_does_there(greedy: bool) -> None:
    choices = make_policy(greedy=greedy).act(CROWD)
    for here, choice in zip(CROWD, choices, strict=True):
        assert choice.decision in every_decision(here)
        kind, target, extra = choice.decision or ()
        assert choice.action == options_of(here).action((kind, target, extra))


def test_a_learner_sees_the_same_log_prob_in_what_was_stored() -> None:
    """The stored inputs and decision are all that it needs, in whatever batch it puts them."""
    choices = make_policy().act(CROWD)
    encoder = FakeTextEncoder()
    stored = [unpack(choice.inputs, encoder) for choice in choices]
    seen = make_model().evaluate(stored[::-1], [c.decision or () for c in choices[::-1]])
    wanted = [choice.log_prob for choice in choices[::-1]]
    assert seen.log_prob.tolist() == pytest.approx(wanted, abs=1e-5)
    entropies = [choice.entropy for choice in choices[::-1]]
    assert seen.entropy.tolist() == pytest.approx(entropies, abs=1e-5)


def test_version_and_digest_are_those_of_the_weights_that_decided() -> None:
    policy, other = make_policy(0), make_model(1)
    here = situation()
    (before,) = policy.act([here])
    assert (before.version, before.digest) == (0, "")
    policy.load(other.state_dict(), 7, "abc")
    (after,) = policy.act([here])
    assert (after.version, after.digest) == (7, "abc")
    seen = other.evaluate([make_preparer().prepare(here)], [after.decision or ()])
    assert after.log_prob == pytest.approx(float(seen.log_prob.detach()), abs=1e-5)


# Greedy and drawn.


def test_greedy_takes_the_likeliest_kind_and_its_likeliest_parts() -> None:
    model = make_model()
    for here in CROWD:
        (choice,) = make_policy(greedy=True).act([here])
        with torch.no_grad():
            scores, _ = model.scores([make_preparer().prepare(here)])
        kind, target, extra = choice.decision or ()
        assert kind == int(scores.kind.argmax())
        if kind == d.TAP:
            assert target == int(scores.tap.argmax())
        if kind == d.SWIPE:
            assert (target, extra) == (int(scores.start.argmax()), int(scores.direction.argmax()))
        of_kind = [x for x in every_decision(here) if x[0] == kind]
        prepared = [make_preparer().prepare(here)] * len(of_kind)
        likeliest = float(model.evaluate(prepared, of_kind).log_prob.detach().max())
        assert choice.log_prob == pytest.approx(likeliest, abs=1e-5)


def test_greedy_does_not_depend_on_the_seed() -> None:
    choices = make_policy(greedy=True).act([situation(seed=seed) for seed in range(30)])
    assert len(set(decisions(choices))) == 1


def test_drawn_decisions_depend_on_the_seed_alone() -> None:
    here = [situation(seed=seed) for seed in range(30)]
    first, second = make_policy().act(here), make_policy().act(here)
    assert decisions(first) == decisions(second)
    assert len(set(decisions(first))) > 5


@pytest.mark.parametrize("greedy", [True, False])
def test_the_same_seed_gives_the_same_choice_in_any_batch(greedy: bool) -> None:
    policy = make_policy(greedy=greedy)
    together = policy.act(CROWD)
    backwards = policy.act(CROWD[::-1])[::-1]
    alone = [policy.act([here])[0] for here in CROWD]
    assert decisions(together) == decisions(backwards) == decisions(alone)
    for first, second in zip(together, alone, strict=True):
        assert first.action == second.action
        assert first.inputs == second.inputs
        assert first.log_prob == pytest.approx(second.log_prob, abs=1e-5)


def chi_square_bound(freedom: int) -> float:
    """What chi-square exceeds once in 10,000 times (Wilson and Hilferty, good to a percent)."""
    z = 3.719
    return freedom * (1 - 2 / (9 * freedom) + z * math.sqrt(2 / (9 * freedom))) ** 3


def test_drawn_frequencies_follow_the_probabilities() -> None:
    draws = 6_000
    here = situation(SCREEN[:3], goal="Save Ada", keyboard=True)
    policy = make_policy(4)
    counts: Counter[tuple[int, ...] | None] = Counter()
    for first in range(0, draws, 1000):
        batch = [replace(here, seed=seed) for seed in range(first, first + 1000)]
        counts.update(decisions(policy.act(batch)))
    every = every_decision(here)
    prepared = make_preparer().prepare(here)
    log_probs = make_model(4).evaluate([prepared] * len(every), every).log_prob.tolist()
    expected = {x: draws * math.exp(lp) for x, lp in zip(every, log_probs, strict=True)}
    assert set(counts) <= set(expected)
    # Rare ones together, as the test needs at least a handful of each.
    common = {x: n for x, n in expected.items() if n >= 8}
    rest = draws - sum(common.values())
    statistic = sum((counts[x] - n) ** 2 / n for x, n in common.items())
    if rest >= 8:
        others = draws - sum(counts[x] for x in common)
        statistic += (others - rest) ** 2 / rest
    assert len(common) > 10
    assert statistic < chi_square_bound(len(common))
    # The same statistic tells a policy that draws evenly from this one.
    even = draws / len(every)
    assert sum((even - n) ** 2 / n for n in common.values()) > 10 * chi_square_bound(len(common))


@pytest.mark.parametrize("draw", [0.0, 0.5, 1 - 2**-53])
def test_the_ends_of_the_range_draw_something_that_is_there(
    draw: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Padding stands behind the last place, and the largest draw must not reach it."""
    monkeypatch.setattr(policy_module, "_uniforms", lambda seed: (draw, draw, draw))
    for seed in range(10):
        for here, choice in zip(CROWD, make_policy(seed).act(CROWD), strict=True):
            assert choice.decision in every_decision(here)
            assert choice.log_prob is not None
            assert choice.log_prob > -100


def test_the_largest_draw_never_rounds_up_to_one() -> None:
    largest = 1 - 2**-53
    log_probs = torch.tensor([[0.3, 0.3, 0.4, 0.0, 0.0]]).log()
    for draw in (largest, 1.0):
        picked = sample_index(log_probs, torch.tensor([draw], dtype=torch.float64))
        assert picked.tolist() == [2]


# Screens that are hard.


def test_an_empty_screen_never_breaks_it() -> None:
    empty = [situation((), seed=seed) for seed in range(200)]
    touched = {choice.action.kind for choice in make_policy(2).act(empty)}
    assert Kind.TAP in touched, "cells take the place of elements"


def test_a_goal_without_words_never_breaks_it() -> None:
    silent = [situation(goal="?!", seed=seed) for seed in range(200)]
    kinds = {(choice.decision or (0,))[0] for choice in make_policy(2).act(silent)}
    assert d.TYPE in kinds


def test_without_elements_it_points_at_cells() -> None:
    choices = make_policy().act([situation(None, seed=seed) for seed in range(100)])
    middles = {cell.center for cell in d.grid()}
    taps = [choice.action for choice in choices if (choice.decision or (9,))[0] == d.TAP]
    assert taps
    assert {(tap.x, tap.y) for tap in taps} <= middles


def test_a_policy_that_is_blind_decides_by_what_it_reads() -> None:
    screens = [situation(pixels=noise(seed=seed)) for seed in (0, 1)]
    blind = PointerPolicy(make_model(), make_preparer(pixels=False))
    first, second = blind.act(screens)
    assert (first.decision, first.inputs) == (second.decision, second.inputs)
    assert first.log_prob == pytest.approx(second.log_prob, abs=1e-5)
    first, second = make_policy().act(screens)
    assert first.log_prob != pytest.approx(second.log_prob, abs=1e-5)


def test_it_may_be_told_of_an_element_that_nobody_has_described() -> None:
    bare = replace(BUTTON, text="", description="")
    (choice,) = make_policy(greedy=True).act([situation((bare,))])
    assert choice.log_prob is not None
