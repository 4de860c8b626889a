from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from tests.replay.trajectories import make_trajectory

from distrl.config.replay import ReplayConfig
from distrl.replay.buffer import ReplayBuffer


def make_buffer(
    capacity: int = 8,
    *,
    alpha: float = 0.5,
    max_lag: int = 100,
    old_share: float = 0.0,
    seed: int = 0,
) -> ReplayBuffer:
    settings = ReplayConfig(capacity=capacity, alpha=alpha, max_lag=max_lag, old_share=old_share)
    return ReplayBuffer(settings, np.random.default_rng(seed))


def fill(buffer: ReplayBuffer, priorities: list[float], *, first: int = 0) -> None:
    """Episodes e0, e1 and so on, of these priorities."""
    for index, priority in enumerate(priorities, start=first):
        buffer.add(make_trajectory(f"e{index}"), priority=priority)


def shares(buffer: ReplayBuffer, *, version: int = 0, batches: int = 400) -> dict[str, float]:
    """How often each episode is drawn."""
    drawn: Counter[str] = Counter()
    for _ in range(batches):
        sampled = buffer.sample(16, version=version, importance=0.5)
        drawn.update(trajectory.id for trajectory in sampled.trajectories)
    return {name: count / drawn.total() for name, count in drawn.items()}


# A circle of episodes.


def test_it_keeps_the_newest_episodes_and_counts_all() -> None:
    buffer = make_buffer(3)
    for index in range(5):
        assert len(buffer) == min(index, 3)
        assert buffer.add(make_trajectory(f"e{index}", steps=index + 1)) == index % 3
    assert [name for name, _ in buffer.contents()] == ["e2", "e3", "e4"]
    assert len(buffer) == 3
    assert buffer.steps == 3 + 4 + 5
    assert buffer.added == 5


def test_what_was_replaced_is_never_drawn_again() -> None:
    buffer = make_buffer(3)
    fill(buffer, [1e6, 1.0, 1.0])
    fill(buffer, [1.0], first=3)
    assert set(shares(buffer, batches=20)) == {"e1", "e2", "e3"}


def test_drawn_episodes_are_those_of_their_slots() -> None:
    buffer = make_buffer(5)
    fill(buffer, [1.0, 2.0, 3.0, 4.0, 5.0])
    sampled = buffer.sample(32, version=0, importance=1.0)
    assert [trajectory.id for trajectory in sampled.trajectories] == [
        f"e{slot}" for slot in sampled.slots
    ]


# Priorities.


@pytest.mark.parametrize("alpha", [0.3, 0.5, 1.0])
def test_sampling_frequencies_follow_powers_of_the_priorities(alpha: float) -> None:
    buffer = make_buffer(4, alpha=alpha)
    priorities = [0.5, 1.0, 4.0, 10.0]
    fill(buffer, priorities)
    powers = np.power(priorities, alpha)
    found = shares(buffer)
    # Each batch takes one draw from each of 16 strata, so this is closer than chance would be.
    for index, wanted in enumerate(powers / powers.sum()):
        assert found[f"e{index}"] == pytest.approx(wanted, abs=0.01)


def test_alpha_of_zero_draws_uniformly_whatever_the_priorities_are() -> None:
    buffer = make_buffer(4, alpha=0.0)
    fill(buffer, [1e-3, 1.0, 50.0, 1e6])
    assert all(share == pytest.approx(0.25, abs=0.01) for share in shares(buffer).values())
    sampled = buffer.sample(16, version=0, importance=1.0)
    assert (sampled.weights == 1.0).all()


def test_new_priorities_count_from_the_next_draw() -> None:
    buffer = make_buffer(3, alpha=1.0)
    fill(buffer, [1.0, 1.0, 1.0])
    buffer.sample(4, version=0, importance=0.5)
    buffer.update(np.array([0, 2]), np.array([8.0, 1e-9]), version=0)
    found = shares(buffer)
    assert found["e0"] == pytest.approx(8 / 9, abs=0.01)
    assert found["e1"] == pytest.approx(1 / 9, abs=0.01)


def test_the_last_priority_wins_for_an_episode_drawn_twice() -> None:
    buffer = make_buffer(2)
    fill(buffer, [1.0, 1.0])
    buffer.update(np.array([1, 1, 1]), np.array([3.0, 9.0, 4.0]), version=0)
    assert dict(buffer.contents()) == {"e0": 1.0, "e1": 4.0}


def test_a_new_episode_enters_with_the_largest_priority_that_is_held() -> None:
    buffer = make_buffer(3)
    buffer.add(make_trajectory("e0"))
    assert dict(buffer.contents()) == {"e0": 1.0}
    buffer.update(np.array([0]), np.array([7.0]), version=0)
    buffer.add(make_trajectory("e1"))
    buffer.add(make_trajectory("e2"), priority=9.0)
    assert dict(buffer.contents()) == {"e0": 7.0, "e1": 7.0, "e2": 9.0}
    buffer.add(make_trajectory("e3"))
    assert dict(buffer.contents())["e3"] == 9.0
    buffer.update(np.array([0, 1, 2]), np.array([0.3, 0.2, 0.1]), version=0)
    buffer.add(make_trajectory("e4"))
    assert dict(buffer.contents())["e4"] == 0.3


def test_the_priority_of_the_episode_that_makes_room_does_not_live_on() -> None:
    buffer = make_buffer(3)
    fill(buffer, [100.0, 2.0, 3.0])
    buffer.add(make_trajectory("e3"))
    assert dict(buffer.contents()) == {"e1": 2.0, "e2": 3.0, "e3": 3.0}


def test_the_weight_of_one_episode_is_that_of_many() -> None:
    one, many = make_buffer(4, alpha=0.37), make_buffer(4, alpha=0.37)
    priorities = [0.0, 1e-9, 0.3, 17.0]
    fill(one, priorities)
    fill(many, [1.0] * 4)
    many.update(np.arange(4), np.array(priorities), version=0)
    assert one.state()["weights"] == pytest.approx(many.state()["weights"], rel=1e-12)
    assert one.state()["priorities"] == many.state()["priorities"]


# Importance weights.


@pytest.mark.parametrize("importance", [0.0, 0.4, 1.0])
def test_importance_weights_are_those_of_the_formula(importance: float) -> None:
    """(N * P)^-b over the batch maximum, with P proportional to p^alpha."""
    buffer = make_buffer(8, alpha=0.5)
    priorities = np.array([0.2, 1.0, 3.0, 9.0, 2.0])
    fill(buffer, priorities.tolist())
    sampled = buffer.sample(40, version=0, importance=importance)
    probability = priorities**0.5 / (priorities**0.5).sum()
    raw = (5 * probability[sampled.slots]) ** -importance
    assert sampled.weights == pytest.approx(raw / raw.max(), rel=1e-6)
    assert sampled.weights.max() == 1.0
    assert sampled.weights.dtype == np.float32


def test_full_importance_makes_up_for_the_frequencies() -> None:
    buffer = make_buffer(4, alpha=1.0)
    fill(buffer, [1.0, 2.0, 5.0, 8.0])
    weight: dict[str, float] = dict.fromkeys(("e0", "e1", "e2", "e3"), 0.0)
    for _ in range(400):
        sampled = buffer.sample(64, version=0, importance=1.0)
        for trajectory, w in zip(sampled.trajectories, sampled.weights, strict=True):
            weight[trajectory.id] += float(w)
    total = sum(weight.values())
    assert all(w / total == pytest.approx(0.25, abs=0.01) for w in weight.values())


# Age.


def test_episodes_beyond_the_bound_are_drawn_for_the_critics_only() -> None:
    buffer = make_buffer(4, max_lag=10, old_share=0.25)
    for index, version in enumerate((0, 5, 19, 20)):
        buffer.add(make_trajectory(f"e{index}", version=version), priority=1.0)
    assert buffer.eligible(20) == 2
    for _ in range(50):
        sampled = buffer.sample(16, version=20, importance=0.5)
        fresh = [trajectory.id in ("e2", "e3") for trajectory in sampled.trajectories]
        assert sampled.fresh.tolist() == fresh
        assert all(fresh[:12])
    assert set(shares(buffer, version=20)) == {"e0", "e1", "e2", "e3"}


def test_age_is_counted_from_the_oldest_step_and_the_bound_itself_is_still_young() -> None:
    buffer = make_buffer(2, max_lag=10)
    buffer.add(make_trajectory("e0", version=5))
    assert buffer.sample(1, version=15, importance=0.5).fresh.tolist() == [True]
    assert buffer.eligible(15) == 1
    assert buffer.sample(1, version=16, importance=0.5).fresh.tolist() == [False]
    assert buffer.eligible(16) == 0


@pytest.mark.parametrize("late", [False, True])
def test_the_policy_is_given_what_is_at_the_bound_and_not_the_next_older(late: bool) -> None:
    """Whether they are there when the bound moves or arrive after it has."""
    buffer = make_buffer(3, max_lag=10)
    buffer.add(make_trajectory("new", version=50), priority=1.0)
    if late:
        buffer.sample(4, version=50, importance=0.5)
    buffer.add(make_trajectory("at the bound", version=40), priority=1.0)
    buffer.add(make_trajectory("beyond it", version=39), priority=1.0)
    assert buffer.eligible(50) == 2
    assert set(shares(buffer, version=50, batches=10)) == {"new", "at the bound"}
    assert set(shares(buffer, version=51, batches=10)) == {"new"}


def test_an_episode_is_too_old_at_once_if_it_arrives_late() -> None:
    buffer = make_buffer(2, max_lag=10)
    buffer.add(make_trajectory("late", version=0), priority=1e6)
    buffer.add(make_trajectory("new", version=50), priority=1.0)
    assert set(shares(buffer, version=50, batches=10)) == {"new"}


def test_an_episode_that_arrives_too_old_is_drawn_for_the_critics_only() -> None:
    buffer = make_buffer(3, max_lag=10, old_share=0.25)
    buffer.add(make_trajectory("new", version=50), priority=1.0)
    buffer.sample(4, version=50, importance=0.5)
    buffer.add(make_trajectory("late", version=39), priority=1e6)
    buffer.add(make_trajectory("just in time", version=40), priority=1.0)
    for _ in range(20):
        drawn = [r.id for r in buffer.sample(16, version=50, importance=0.5).trajectories]
        assert "late" not in drawn[:12]
        assert "late" in drawn[12:]


def test_a_new_priority_does_not_make_an_episode_young_again() -> None:
    buffer = make_buffer(2, max_lag=10)
    buffer.add(make_trajectory("old", version=0))
    buffer.add(make_trajectory("new", version=50))
    buffer.sample(4, version=50, importance=0.5)
    buffer.update(np.array([0, 1]), np.array([1e6, 1.0]), version=50)
    assert set(shares(buffer, version=50, batches=10)) == {"new"}


def test_with_nothing_young_left_the_critics_go_on() -> None:
    buffer = make_buffer(2, max_lag=10)
    fill(buffer, [1.0, 1.0])
    sampled = buffer.sample(8, version=99, importance=0.5)
    assert len(sampled.trajectories) == 8
    assert not sampled.fresh.any()


def test_an_empty_buffer_has_nothing_to_draw() -> None:
    with pytest.raises(ValueError, match="nothing to sample"):
        make_buffer().sample(1, version=0, importance=0.5)


# Looking, and going on from a checkpoint.


def test_looking_at_slots_draws_nothing() -> None:
    buffer, twin = make_buffer(4, max_lag=10), make_buffer(4, max_lag=10)
    for one in (buffer, twin):
        one.add(make_trajectory("e0", version=0))
        one.add(make_trajectory("e1", version=9))
    assert buffer.held.tolist() == [0, 1]
    seen = buffer.look(np.array([1, 0]), version=15)
    assert [trajectory.id for trajectory in seen.trajectories] == ["e1", "e0"]
    assert seen.fresh.tolist() == [True, False]
    assert seen.weights.tolist() == [1.0, 1.0]
    drawn = [one.sample(9, version=9, importance=0.5).slots.tolist() for one in (buffer, twin)]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("added", [0, 3, 5, 12])
def test_contents_go_from_the_oldest_to_the_newest_and_rebuild_the_buffer(added: int) -> None:
    buffer = make_buffer(5)
    fill(buffer, [float(index + 1) for index in range(added)])
    contents = list(buffer.contents())
    assert contents == [(f"e{i}", i + 1.0) for i in range(max(0, added - 5), added)]
    again = make_buffer(5)
    for name, priority in contents:
        again.add(make_trajectory(name), priority=priority)
    assert list(again.contents()) == contents


@pytest.mark.parametrize("added", [3, 5, 12])
def test_a_restored_buffer_draws_as_the_first_would_have(added: int) -> None:
    buffer = make_buffer(5, max_lag=6, old_share=0.25, seed=1)
    for index in range(added):
        buffer.add(make_trajectory(f"e{index}", version=index), priority=1.0 + index % 3)
    buffer.sample(4, version=added, importance=0.5)
    buffer.update(buffer.held[:2], np.array([0.3, 4.0]), version=added)
    state = json.loads(json.dumps(buffer.state()))
    trajectories = {f"e{i}": make_trajectory(f"e{i}", version=i) for i in range(added)}
    again = make_buffer(5, max_lag=6, old_share=0.25, seed=99)
    again.restore(state, trajectories)
    assert again.added == buffer.added
    assert len(again) == len(buffer)
    for turn in range(5):
        for one in (buffer, again):
            one.add(make_trajectory(f"new{turn}", version=added + turn))
        drawn = [one.sample(8, version=added + turn, importance=0.7) for one in (buffer, again)]
        assert [r.id for r in drawn[0].trajectories] == [r.id for r in drawn[1].trajectories]
        assert (drawn[0].weights == drawn[1].weights).all()
        assert (drawn[0].fresh == drawn[1].fresh).all()
    assert list(again.contents()) == list(buffer.contents())


def test_a_state_of_another_capacity_keeps_the_newest() -> None:
    buffer = make_buffer(5)
    fill(buffer, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
    trajectories = {f"e{index}": make_trajectory(f"e{index}") for index in range(7)}
    smaller, larger = make_buffer(3), make_buffer(9)
    smaller.restore(buffer.state(), trajectories)
    larger.restore(buffer.state(), trajectories)
    assert list(smaller.contents()) == [("e4", 5.0), ("e5", 6.0), ("e6", 7.0)]
    assert list(larger.contents()) == list(buffer.contents())
    assert smaller.added == larger.added == 7


def test_a_state_that_names_an_unknown_episode_is_refused() -> None:
    buffer = make_buffer(2)
    fill(buffer, [1.0])
    with pytest.raises(KeyError, match="e0"):
        make_buffer(2).restore(buffer.state(), {})
