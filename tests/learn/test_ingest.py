import dataclasses
import json
import math

import numpy as np
import pytest
from tests.learn.fakes import (
    ListSource,
    TinyModel,
    make_episode,
    make_step,
    make_task,
    make_trajectory,
    unpack,
)

from distrl.config.learn import SuccessPoolConfig
from distrl.config.replay import ReplayConfig
from distrl.errors import StoreError
from distrl.learn.ingest import Ingest, log_probs_of, trajectory_of
from distrl.replay.buffer import ReplayBuffer
from distrl.replay.trajectory import Trajectory
from distrl.tasks.sampling import SuccessPool
from distrl.types import Outcome, StoredEpisode, StoredStep


def make_ingest(
    source: ListSource, *, capacity: int = 100, pool: SuccessPool[Trajectory] | None = None
) -> Ingest:
    buffer = ReplayBuffer(ReplayConfig(capacity=capacity), np.random.default_rng(0))
    return Ingest(source=source, buffer=buffer, unpack=unpack, pool=pool)


def episode_of(*steps: StoredStep, outcome: Outcome = Outcome.SUCCEEDED) -> StoredEpisode:
    return StoredEpisode(id="e", task=make_task(), outcome=outcome, steps=steps)


def test_a_record_says_what_the_episode_says() -> None:
    episode = episode_of(
        make_step(1, decision=(2,), log_prob=-0.5, version=7),
        make_step(2, log_prob=None, version=5, penalties={"invalid": -0.1, "repeat": -0.25}),
        make_step(3, version=6, reward=1.0),
    )
    trajectory = trajectory_of(episode, unpack)
    assert trajectory is not None
    assert (trajectory.id, trajectory.goal, trajectory.template) == ("e", episode.task.goal, "tap")
    assert trajectory.decisions == ((2,), (1,), (1,))
    assert trajectory.log_mu[0] == -0.5
    assert math.isnan(trajectory.log_mu[1])
    assert trajectory.rewards.tolist() == [0.0, 0.0, 1.0]
    assert trajectory.penalties.tolist() == pytest.approx([0.0, -0.35, 0.0])
    assert trajectory.oldest_version == 5
    assert trajectory.terminated
    assert trajectory.succeeded
    assert np.array_equal(trajectory.inputs[2], unpack(episode.steps[2].inputs))


def test_values_are_kept_if_they_are_known_of_every_step_that_is_learned_from() -> None:
    steps = [dataclasses.replace(make_step(n), value=n / 10) for n in (1, 2, 3)]
    human, mistake = make_step(4), make_step(5, decision=None)
    whole, mixed, cut = (
        trajectory_of(episode_of(*some), unpack)
        for some in (steps, (*steps, human), (steps[0], mistake, *steps[1:]))
    )
    assert whole is not None
    assert whole.values is not None
    assert whole.values.tolist() == pytest.approx([0.1, 0.2, 0.3])
    assert mixed is not None
    assert mixed.values is None
    assert cut is not None
    assert cut.values is not None
    assert cut.values.tolist() == pytest.approx([0.2, 0.3])


def test_an_episode_arrives_with_the_priority_that_it_is_given_or_the_largest() -> None:
    ingest = make_ingest(ListSource([make_episode(n) for n in range(4)]))
    given = {"episode-0": 3.0, "episode-1": 0.5, "episode-2": None, "episode-3": 0.25}
    ingest.priority_of = lambda trajectory: given[trajectory.id]
    ingest.poll()
    ingest.add_demonstrations([make_trajectory(0)])
    wanted = [3.0, 0.5, 3.0, 0.25, 3.0]
    assert [priority for _, priority in ingest.buffer.contents()] == wanted


@pytest.mark.parametrize("outcome", [o for o in Outcome if not o.trainable])
def test_a_fault_is_never_learned_from(outcome: Outcome) -> None:
    assert trajectory_of(episode_of(make_step(1), outcome=outcome), unpack) is None


@pytest.mark.parametrize("outcome", [o for o in Outcome if o.trainable])
def test_every_other_ending_is(outcome: Outcome) -> None:
    trajectory = trajectory_of(episode_of(make_step(1), outcome=outcome), unpack)
    assert trajectory is not None
    assert trajectory.succeeded == (outcome is Outcome.SUCCEEDED)


def test_what_follows_the_last_step_without_a_decision_is_kept() -> None:
    mistake = make_step(2, decision=None)
    foreign = dataclasses.replace(make_step(4), inputs=b"")
    steps = (make_step(1), mistake, make_step(3), foreign, make_step(5), make_step(6, reward=1.0))
    trajectory = trajectory_of(episode_of(*steps), unpack)
    assert trajectory is not None
    assert len(trajectory) == 2
    assert trajectory.rewards.tolist() == [0.0, 1.0]
    assert trajectory_of(episode_of(make_step(1), mistake), unpack) is None
    assert trajectory_of(episode_of(), unpack) is None


def test_everything_new_is_taken_once_in_order() -> None:
    source = ListSource([make_episode(i) for i in range(150)])
    ingest = make_ingest(source, capacity=1000)
    assert ingest.poll() == 150
    assert ingest.poll() == 0
    source.episodes.append(make_episode(150, length=3))
    assert ingest.poll() == 1
    assert [name for name, _ in ingest.buffer.contents()] == [f"episode-{i}" for i in range(151)]
    assert ingest.episodes == 151
    assert ingest.steps == ingest.buffer.steps
    assert ingest.newest is not None
    assert ingest.newest.id == "episode-150"


def test_reading_can_end_at_a_number() -> None:
    source = ListSource([make_episode(k) for k in range(200)])
    numbers = [number for number, _ in source.read_after(0, 200)]
    ingest = make_ingest(source)
    assert ingest.poll(until=numbers[2]) == 3
    assert ingest.poll(until=numbers[2]) == 0
    assert ingest.poll(until=numbers[149]) == 147
    assert ingest.number == numbers[149]
    for missing in (numbers[150] - 1, numbers[-1] + 1):
        with pytest.raises(StoreError, match=f"no episode {missing}; the last one is"):
            ingest.poll(until=missing)


def test_what_cannot_be_learned_from_is_counted_and_passed() -> None:
    lost = dataclasses.replace(make_episode(1), outcome=Outcome.DEVICE_LOST)
    ingest = make_ingest(ListSource([make_episode(0), lost, make_episode(2)]))
    assert ingest.poll() == 2
    assert (ingest.skipped, ingest.episodes) == (1, 2)
    assert ingest.poll() == 0


def test_demonstrations_are_replayed_but_not_counted() -> None:
    ingest = make_ingest(ListSource())
    ingest.add_demonstrations([make_trajectory(0), make_trajectory(1)])
    assert (ingest.episodes, ingest.steps, ingest.newest) == (0, 0, None)
    assert len(ingest.buffer) == 2


def test_the_pool_hears_of_every_attempt() -> None:
    pool: SuccessPool[Trajectory] = SuccessPool()
    task = make_task(5)
    source = ListSource(
        [
            make_episode(0, succeeded=True, task=task),
            make_episode(1, succeeded=False, task=task),
            make_episode(2, succeeded=True, task=make_task(6)),
        ]
    )
    make_ingest(source, pool=pool).poll()
    assert [trajectory.id for trajectory in pool.wanted()] == ["episode-0"]


def test_demonstrations_are_in_the_pool_beside_what_is_collected_of_their_tasks() -> None:
    pool: SuccessPool[Trajectory] = SuccessPool(SuccessPoolConfig(only_failing=False))
    ingest = make_ingest(ListSource([make_episode(0, succeeded=True, length=5)]), pool=pool)
    ingest.add_demonstrations([make_trajectory(0, length=1)])
    ingest.poll()
    assert [trajectory.id for trajectory in pool.wanted()] == ["demonstration-0", "episode-0"]


@pytest.mark.parametrize("episodes", [30, 100, 333])
def test_a_restored_ingest_goes_on_as_the_first_would_have(episodes: int) -> None:
    source = ListSource([make_episode(i) for i in range(episodes)])
    demonstrations = [make_trajectory(0), make_trajectory(1)]
    first_pool: SuccessPool[Trajectory] = SuccessPool()
    first = make_ingest(source, capacity=100, pool=first_pool)
    first.add_demonstrations(demonstrations)
    first.poll()
    first.buffer.update(np.array([3, 5, 8]), np.array([9.0, 0.001, 2.5]), version=4)
    first.buffer.sample(10, version=4, importance=0.5)

    state = json.loads(json.dumps(first.state()))
    second_pool: SuccessPool[Trajectory] = SuccessPool()
    second = make_ingest(source, capacity=100, pool=second_pool)
    second.restore(state, demonstrations)

    assert second.buffer.contents() == first.buffer.contents()
    assert [r.id for r in second_pool.wanted()] == [r.id for r in first_pool.wanted()]
    assert second_pool.items().keys() == first_pool.items().keys()
    assert json.dumps(second.state()) == json.dumps(state)
    source.episodes.append(make_episode(episodes))
    for ingest in (first, second):
        assert ingest.poll() == 1
    one = first.buffer.sample(40, version=6, importance=0.5)
    two = second.buffer.sample(40, version=6, importance=0.5)
    assert one.slots.tolist() == two.slots.tolist()
    assert one.weights.tolist() == two.weights.tolist()


def test_another_capacity_keeps_the_newest() -> None:
    source = ListSource([make_episode(i) for i in range(130)])
    first = make_ingest(source, capacity=100)
    first.poll()
    second = make_ingest(source, capacity=20)
    second.restore(json.loads(json.dumps(first.state())))
    names = [name for name, _ in second.buffer.contents()]
    assert names == [f"episode-{i}" for i in range(110, 130)]


def test_an_episode_that_is_no_longer_stored_is_an_error() -> None:
    source = ListSource([make_episode(i) for i in range(5)])
    ingest = make_ingest(source)
    ingest.poll()
    state = ingest.state()
    del source.episodes[3:]
    with pytest.raises(StoreError, match=r"2 episodes .* not stored, such as 'episode-3'"):
        make_ingest(source).restore(state)


def test_numbers_of_episodes_long_gone_are_forgotten() -> None:
    source = ListSource([make_episode(i, length=1) for i in range(1500)])
    ingest = make_ingest(source, capacity=10)
    ingest.poll()
    assert len(ingest._numbers) < 1100
    restored = make_ingest(source, capacity=10)
    restored.restore(json.loads(json.dumps(ingest.state())))
    assert restored.buffer.contents() == ingest.buffer.contents()


def test_log_probs_of_a_model_are_those_that_it_learns_with() -> None:
    model, step = TinyModel(), make_step(1)
    (computed,) = log_probs_of(model, unpack)([step.inputs], [(2,)])
    expected = model.evaluate([unpack(step.inputs)], [(2,)]).log_prob
    assert computed == expected.item()
