import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
import torch
from tests.learn.fakes import (
    ListSource,
    TinyModel,
    make_episode,
    make_task,
    make_trajectory,
    pack,
    unpack,
)

from distrl.clock import VirtualClock
from distrl.config.learn import AlgorithmConfig, LearnerConfig, SuccessPoolConfig
from distrl.config.replay import ReplayConfig
from distrl.errors import PipelineError
from distrl.interfaces import Clock
from distrl.learn.algorithms.a_ride import ARide, UpdateResult
from distrl.learn.ingest import Ingest, log_probs_of
from distrl.learn.learner import (
    PATIENCE_SECONDS,
    Budget,
    Learner,
    LearnerParts,
    SharedUpdate,
    Vary,
)
from distrl.learn.learner_state import Snapshot
from distrl.replay.buffer import ReplayBuffer, Sampled
from distrl.replay.index import Floats
from distrl.replay.trajectory import Trajectory
from distrl.tasks.sampling import SuccessPool
from distrl.weights.canary import CanaryCheck, read_canary
from distrl.weights.memory_channel import MemoryChannel
from distrl.weights.serialization import digest_of


class SpyBuffer(ReplayBuffer):
    """Remembers how it was asked and which slots got new priorities."""

    def __init__(self, config: ReplayConfig, rng: np.random.Generator) -> None:
        super().__init__(config, rng)
        self.importance: list[float] = []
        self.refreshed: list[list[int]] = []

    def sample(self, count: int, *, version: int, importance: float) -> Sampled:
        self.importance.append(importance)
        return super().sample(count, version=version, importance=importance)

    def update(self, slots: Any, priorities: Floats, *, version: int) -> None:
        self.refreshed.append(slots.tolist())
        super().update(slots, priorities, version=version)


class ListMonitor:
    def __init__(self) -> None:
        self.rows: list[tuple[int, dict[str, float]]] = []

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        self.rows.append((step, dict(numbers)))

    def close(self) -> None: ...


class Bench:
    """A learner and all that is around it."""

    def __init__(
        self,
        episodes: int = 20,
        *,
        clock: Clock | None = None,
        channel: MemoryChannel | None = None,
        algorithm: AlgorithmConfig | None = None,
        save: Callable[[Snapshot], object] | None = None,
        vary: Vary | None = None,
        **settings: Any,
    ) -> None:
        self.source = ListSource([make_episode(i) for i in range(episodes)])
        self.buffer = SpyBuffer(ReplayConfig(capacity=200, max_lag=20), np.random.default_rng(0))
        self.model = TinyModel()
        self.algorithm = ARide(
            self.model,
            algorithm or AlgorithmConfig(learning_rate=1e-3, imitation=0.0, critic_warmup=0),
        )
        self.ingest = Ingest(source=self.source, buffer=self.buffer, unpack=unpack)
        self.channel = channel or MemoryChannel()
        self.clock = clock or VirtualClock()
        self.monitor = ListMonitor()
        self.turns: list[SharedUpdate] = []
        parts = LearnerParts(
            algorithm=self.algorithm,
            ingest=self.ingest,
            channel=self.channel,
            clock=self.clock,
            pack=pack,
            monitor=self.monitor,
            save=save,
            vary=vary,
            extra=lambda: {"curriculum": {"tap": 0.25}},
            announce=self.turns.append,
        )
        around = {name: settings.pop(name) for name in ("budget", "seed") if name in settings}
        few = {"batch": 4, "min_episodes": 8, "replay_ratio": 1000.0, **settings}
        self.learner = Learner(parts, LearnerConfig(**few), **around)

    def run(self, updates: int) -> dict[str, float]:
        rows = [self.learner.step() for _ in range(updates)]
        assert rows[-1] is not None
        return rows[-1]

    @property
    def digest(self) -> str:
        return digest_of(self.model.state_dict())


def scaled(inputs: Sequence[Any], rng: np.random.Generator) -> Sequence[Any]:
    """The same steps, a little larger or smaller."""
    return [step * np.float32(rng.uniform(0.5, 2.0)) for step in inputs]


def test_what_is_learned_from_is_varied_anew_each_time_and_the_stored_stays() -> None:
    given = list[Any]()

    def vary(inputs: Sequence[Any], rng: np.random.Generator) -> Sequence[Any]:
        given.append((inputs[0].copy(), varied := scaled(inputs, rng)))
        return varied

    plain, bench = Bench(), Bench(vary=vary)
    for each in (plain, bench):
        each.learner.begin()
        each.run(3)
    assert len(given) == 3 * bench.learner.config.batch
    assert len({float(after[0][0] / before[0]) for before, after in given}) == len(given)
    assert bench.digest != plain.digest
    stored = {
        step.tobytes()
        for slot in bench.buffer.held
        for step in bench.buffer.look(np.array([slot]), version=1).trajectories[0].inputs
    }
    assert {before.tobytes() for before, _ in given} <= stored


def test_variation_follows_from_the_seed_and_the_update() -> None:
    first, second, other = (Bench(vary=scaled, seed=seed) for seed in (1, 1, 2))
    for bench in (first, second, other):
        bench.learner.begin()
        bench.run(4)
    assert first.digest == second.digest
    assert first.digest != other.digest


def test_the_first_weights_are_published_before_anything_is_collected() -> None:
    bench = Bench(episodes=0)
    assert bench.channel.latest() == 0
    bench.learner.begin()
    assert bench.channel.latest() == 1
    assert bench.channel.fetch(1).digest == bench.digest
    assert read_canary(bench.channel.fetch(1).notes) is None


def test_it_waits_for_the_first_episodes() -> None:
    bench = Bench(episodes=7)
    bench.ingest.add_demonstrations([make_trajectory(i) for i in range(5)])
    before = bench.digest
    assert bench.learner.step() is None
    assert bench.learner.waiting_for == "episodes"
    assert bench.clock.now() == pytest.approx(PATIENCE_SECONDS)
    bench.source.episodes.append(make_episode(7))
    assert bench.learner.step() is not None
    assert bench.digest != before


def test_it_wakes_up_as_soon_as_there_is_enough() -> None:
    bench = Bench(episodes=7)

    class Arriving(VirtualClock):
        def sleep(self, seconds: float) -> None:
            super().sleep(seconds)
            if self.now() > 0.1 and len(bench.source.episodes) == 7:
                bench.source.episodes.append(make_episode(7))

    late = Bench(episodes=0, clock=Arriving())
    late.source.episodes = bench.source.episodes
    assert late.learner.step() is not None
    assert late.clock.now() < 0.2


def test_it_waits_while_the_replay_ratio_is_spent() -> None:
    bench = Bench(episodes=10, replay_ratio=2.0)
    updates = 0
    while bench.learner.step() is not None:
        updates += 1
    collected = bench.ingest.steps
    longest = max(len(episode.steps) for episode in bench.source.episodes)
    assert bench.learner.waiting_for == "replay_ratio"
    assert 2.0 * collected <= bench.learner.trained_steps < 2.0 * collected + 4 * longest
    bench.source.episodes.append(make_episode(10, length=5))
    assert bench.learner.step() is not None
    assert bench.learner.updates == updates + 1


def test_a_step_is_one_update() -> None:
    bench = Bench()
    metrics = bench.run(3)
    assert bench.learner.updates == 3
    assert bench.algorithm.updates == 3
    assert metrics["learner/updates"] == 3.0
    assert [step for step, _ in bench.monitor.rows] == [1, 2, 3]


def test_what_an_update_used_gets_new_priorities() -> None:
    bench = Bench(sweep_share=0.0)
    bench.run(1)
    (used,) = bench.buffer.refreshed
    fresh = dict(enumerate(priority for _, priority in bench.buffer.contents()))
    assert {slot for slot, priority in fresh.items() if priority != 1.0} == set(used)


def test_the_sweep_refreshes_the_rest_in_turn_with_its_share_of_the_work() -> None:
    share = 0.2
    bench = Bench(episodes=60, sweep_share=share)
    bench.run(100)
    swept = [slots for slots in bench.buffer.refreshed if len(slots) != 4]
    assert bench.learner.gauges()["learner/swept_steps"] > 200
    # An update costs four forward passes per step, a sweep two.
    work = 4 * bench.learner.trained_steps
    sweep = 2 * bench.learner.gauges()["learner/swept_steps"]
    assert sweep / (work + sweep) == pytest.approx(share, abs=0.01)
    turns = [slot for slots in swept for slot in slots]
    assert turns[:60] == list(range(60))
    assert set(turns) == set(range(60))


def test_without_a_share_nothing_is_swept() -> None:
    bench = Bench(sweep_share=0.0)
    bench.run(30)
    assert bench.learner.gauges()["learner/swept_steps"] == 0.0
    assert len(bench.buffer.refreshed) == 30


def test_a_sweep_changes_priorities_and_not_the_weights() -> None:
    with_sweep, without = Bench(sweep_share=0.5), Bench(sweep_share=0.0)
    with_sweep.run(1)
    without.run(1)
    assert len(with_sweep.buffer.refreshed) == 2
    assert with_sweep.digest == without.digest


def test_every_few_updates_are_a_version() -> None:
    bench = Bench(publish_every=3)
    bench.learner.begin()
    bench.run(7)
    assert bench.channel.latest() == bench.learner.version == 3
    published = bench.channel.fetch(3)
    assert published.digest == digest_of(published.weights)
    assert published.digest != bench.digest
    bench.run(2)
    assert bench.channel.fetch(4).digest == bench.digest


def test_who_acts_recomputes_the_canaries_of_every_publish() -> None:
    bench = Bench(publish_every=1, canaries=3)
    bench.source.episodes.append(make_episode(99, length=5))
    bench.run(2)
    acting = TinyModel(seed=5)
    check = CanaryCheck(log_probs_of(acting, unpack))
    check.check(bench.channel.fetch(2).notes, 2)
    assert check.mismatches == 1
    acting.load_state_dict(dict(bench.channel.fetch(2).weights))
    assert check.check(bench.channel.fetch(2).notes, 2) < 1e-6
    canary = read_canary(bench.channel.fetch(2).notes)
    assert canary is not None
    assert [len(canary.inputs), len(canary.decisions), len(canary.log_probs)] == [3, 3, 3]


def test_canaries_can_be_switched_off() -> None:
    bench = Bench(publish_every=1, canaries=0)
    bench.run(1)
    assert bench.channel.fetch(1).notes == {}


def test_importance_goes_from_start_to_end_with_the_budget() -> None:
    clock = VirtualClock()
    bench = Bench(clock=clock, budget=Budget(seconds=100.0))
    bench.learner.begin()
    for _ in range(4):
        bench.run(1)
        clock.sleep(50.0)
    assert bench.buffer.importance == pytest.approx([0.4, 0.7, 1.0, 1.0])


def test_the_budget_that_is_nearer_to_its_end_counts() -> None:
    bench = Bench(episodes=20, budget=Budget(seconds=1000.0, episodes=40))
    bench.run(1)
    assert bench.learner.progress == pytest.approx(0.5)
    assert Bench().learner.progress == 0.0


def test_the_numbers_of_an_update() -> None:
    clock = VirtualClock()
    bench = Bench(clock=clock, publish_every=1)
    bench.learner.begin()
    for _ in range(10):
        clock.sleep(0.5)
        metrics = bench.run(1)
    named = {
        "loss/policy",
        "loss/critic",
        "entropy",
        "ratio/effective",
        "ratio/clipped",
        "lag/mean",
        "lag/max",
        "replay/episodes",
        "replay/eligible",
        "replay/ratio",
        "learner/trained_steps",
        "learner/updates_per_second",
    }
    assert named <= metrics.keys()
    assert all(type(number) is float for number in metrics.values())
    assert metrics["replay/episodes"] == metrics["replay/eligible"] == 20.0
    assert metrics["lag/max"] == metrics["lag/mean"] == 10.0
    assert metrics["learner/updates_per_second"] == pytest.approx(2.0)
    assert metrics["replay/ratio"] == bench.learner.trained_steps / bench.ingest.steps


def test_episodes_beyond_the_age_bound_are_no_longer_eligible() -> None:
    bench = Bench(publish_every=1)
    bench.learner.begin()
    assert bench.run(21)["replay/eligible"] == 0.0


def test_the_policy_learns_up_to_the_age_bound_and_not_a_version_longer() -> None:
    """Acted by version 1, with a bound of 20; the k-th update is made at version k."""
    bench = Bench(publish_every=1)
    bench.learner.begin()
    rows = [bench.run(1) for _ in range(23)]
    assert [row["loss/policy"] != 0.0 for row in rows] == [True] * 21 + [False] * 2


def test_the_same_episodes_give_the_same_bits() -> None:
    first, second = Bench(sweep_share=0.2), Bench(sweep_share=0.2)
    numbers = [first.run(20), second.run(20)]
    assert first.digest == second.digest
    assert numbers[0] == numbers[1]


def test_a_loss_that_is_no_number_stops_everything_before_it_is_published() -> None:
    bench = Bench(publish_every=1)
    bench.run(1)
    with torch.no_grad():
        bench.model.weight.fill_(float("nan"))
    with pytest.raises(PipelineError, match=r"update 2 went wrong: no finite .*loss/policy"):
        bench.learner.step()
    assert bench.channel.latest() == 1


def test_checkpoints_are_saved_every_so_often() -> None:
    saved: list[Snapshot] = []
    bench = Bench(save=saved.append, checkpoint_every=4)
    bench.run(10)
    assert [snapshot.step for snapshot in saved] == [4, 8]
    assert saved[0].state["extra"] == {"curriculum": {"tap": 0.25}}


def revive(snapshot: Snapshot, bench: Bench, demonstrations: Sequence[Trajectory] = ()) -> None:
    state = json.loads(json.dumps(snapshot.state))
    bench.learner.restore(Snapshot(snapshot.step, snapshot.tensors, state), demonstrations)


def test_a_restored_learner_goes_on_bit_by_bit() -> None:
    def make() -> Bench:
        algorithm = AlgorithmConfig(
            learning_rate=1e-3, critic_warmup=5, self_imitation=0.1, imitation=0.1
        )
        bench = Bench(algorithm=algorithm, publish_every=3, sweep_share=0.2)
        bench.ingest.pool = SuccessPool()
        return bench

    shown = [make_trajectory(0), make_trajectory(1)]
    first, second = make(), make()
    first.ingest.add_demonstrations(shown)
    first.run(11)
    snapshot = first.learner.snapshot()
    revive(snapshot, second, shown)
    assert second.digest == first.digest
    for bench in (first, second):
        bench.source.episodes.extend(make_episode(i) for i in range(30, 40))
    numbers = [first.run(11), second.run(11)]
    assert second.digest == first.digest
    assert numbers[0] == numbers[1]
    assert second.buffer.contents() == first.buffer.contents()
    assert second.learner.snapshot().state == first.learner.snapshot().state


def test_what_was_published_with_the_checkpoint_stays() -> None:
    bench = Bench(publish_every=1)
    bench.learner.begin()
    bench.run(2)
    revived = Bench(channel=bench.channel, publish_every=1)
    revive(bench.learner.snapshot(), revived)
    revived.learner.begin()
    assert bench.channel.latest() == revived.learner.version == 3


def test_time_before_a_restart_counts_towards_the_budget() -> None:
    clock = VirtualClock()
    bench = Bench(clock=clock, budget=Budget(seconds=100.0))
    bench.learner.begin()
    clock.sleep(30.0)
    bench.run(1)
    later = VirtualClock()
    later.sleep(1000.0)
    revived = Bench(clock=later, budget=Budget(seconds=100.0))
    revive(bench.learner.snapshot(), revived)
    revived.learner.begin()
    later.sleep(20.0)
    assert revived.learner.progress == pytest.approx(0.5)


def test_weights_newer_than_the_checkpoint_are_taken_back_under_a_new_version() -> None:
    channel = MemoryChannel()
    bench = Bench(channel=channel, publish_every=1)
    bench.learner.begin()
    bench.run(2)
    snapshot, digest = bench.learner.snapshot(), bench.digest
    bench.run(3)
    assert channel.latest() == 6
    revived = Bench(channel=channel, publish_every=1)
    revive(snapshot, revived)
    revived.learner.begin()
    assert channel.latest() == revived.learner.version == 7
    assert channel.fetch(7).digest == digest


def test_a_lost_channel_is_filled_again() -> None:
    bench = Bench(publish_every=1)
    bench.learner.begin()
    bench.run(2)
    revived = Bench(publish_every=1)
    revive(bench.learner.snapshot(), revived)
    revived.learner.begin()
    assert revived.channel.latest() == 4
    assert revived.channel.fetch(4).digest == bench.digest


class PoolSpy:
    """An algorithm that only remembers what it was given from the pool."""

    def __init__(self, inner: ARide) -> None:
        self.inner, self.model, self.pools = inner, inner.model, list[Sequence[Trajectory]]()

    def update(
        self, sampled: Sampled, pool: Sequence[Trajectory] = (), progress: float = 0.0
    ) -> UpdateResult:
        self.pools.append(pool)
        return self.inner.update(sampled, pool, progress)

    def terms(self, sampled: Sampled) -> Floats:
        return self.inner.terms(sampled)

    def state_dict(self) -> dict[str, Any]:
        return self.inner.state_dict()

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.inner.load_state_dict(state)


def pooling_learner(bench: Bench, *, vary: Vary | None = None) -> tuple[Learner, PoolSpy]:
    """Learns with a pool that has one episode: the success of a task that now fails."""
    task = make_task(50)
    bench.ingest.pool = SuccessPool(SuccessPoolConfig(batch=2))
    bench.source.episodes = [
        make_episode(0, succeeded=True, task=task),
        make_episode(1, succeeded=False, task=task),
        *(make_episode(i, succeeded=False) for i in range(2, 12)),
    ]
    spy = PoolSpy(bench.algorithm)
    parts = LearnerParts(
        algorithm=spy,
        ingest=bench.ingest,
        channel=bench.channel,
        clock=bench.clock,
        pack=pack,
        vary=vary,
    )
    return Learner(parts, bench.learner.config), spy


def test_successes_of_tasks_that_now_fail_go_along_with_every_update() -> None:
    learner, spy = pooling_learner(Bench())
    learner.step()
    learner.step()
    assert [[r.id for r in pool] for pool in spy.pools] == [["episode-0"], ["episode-0"]]


def test_what_is_imitated_from_the_pool_is_varied_anew_each_time() -> None:
    bench = Bench()
    learner, spy = pooling_learner(bench, vary=scaled)
    learner.step()
    learner.step()
    stored = unpack(bench.source.episodes[0].steps[0].inputs)
    sizes = {float(pool[0].inputs[0][0] / stored[0]) for pool in spy.pools}
    assert len(sizes - {1.0}) == 2


def test_self_imitation_makes_the_pooled_decisions_likelier() -> None:
    def likelihood_after(weight: float) -> float:
        bench = Bench(
            algorithm=AlgorithmConfig(self_imitation=weight, learning_rate=0.05, imitation=0.0)
        )
        bench.ingest.poll()
        pool = [make_trajectory(0, length=3)]
        for _ in range(20):
            sampled = bench.buffer.sample(4, version=1, importance=1.0)
            bench.algorithm.update(sampled, pool)
        seen = bench.model.evaluate(pool[0].inputs, pool[0].decisions)
        return float(seen.log_prob.detach().mean())

    assert likelihood_after(1.0) > likelihood_after(0.0) + 0.1


def test_terms_are_those_that_an_update_reports() -> None:
    bench = Bench()
    bench.ingest.poll()
    sampled = bench.buffer.sample(6, version=1, importance=1.0)
    before = bench.digest
    terms = bench.algorithm.terms(sampled)
    assert bench.digest == before
    np.testing.assert_array_equal(terms, bench.algorithm.update(sampled).terms)


def test_a_batch_of_groups_has_attempts_at_the_same_task_side_by_side(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench(0, batch=4, group=2, min_episodes=4)
    for number in range(8):
        bench.source.episodes.append(make_episode(number, task=make_task(number // 2)))
    seen = list[Sampled]()
    update = bench.algorithm.update

    def spy(sampled: Sampled, *rest: Any) -> UpdateResult:
        seen.append(sampled)
        return update(sampled, *rest)

    monkeypatch.setattr(bench.algorithm, "update", spy)
    bench.learner.begin()
    bench.run(3)
    for sampled in seen:
        goals = [trajectory.goal for trajectory in sampled.trajectories]
        assert len(goals) == 4
        assert goals[0::2] == goals[1::2]
        assert len({int(slot) for slot in sampled.slots[:2]}) == 2


def test_who_follows_what_is_announced_learns_the_same() -> None:
    """Though its own clock stands still, and more episodes are there than were read."""
    clock = VirtualClock()
    first = Bench(clock=clock, vary=scaled, budget=Budget(seconds=10.0))
    second = Bench(episodes=30, vary=scaled, budget=Budget(seconds=10.0))
    first.learner.begin()
    for _ in range(9):
        clock.sleep(0.7)
        first.run(1)
    for turn in first.turns:
        second.learner.follow(turn)
    assert first.turns[0].progress < first.turns[-1].progress
    assert first.digest == second.digest
    assert first.learner.version == second.learner.version == 3
    assert first.buffer.refreshed == second.buffer.refreshed
