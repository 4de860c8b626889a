from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.envs.fakes import make_observation
from tests.weights.fakes import FakeChannel

from distrl import actions
from distrl.clock import RealClock
from distrl.collect.batcher import Batcher
from distrl.errors import PipelineError, ServiceError
from distrl.policies.base import ModelPolicy
from distrl.types import Choice, Situation
from distrl.weights.newest_weights import NewestWeights

SEEN = make_observation()


def situation(seed: int) -> Situation:
    return Situation(goal="g", observation=SEEN, history=(), steps_left=3, seed=seed)


class Weightless:
    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        del state_dict


class Echo(ModelPolicy[Weightless]):
    """Answers each situation with its own seed, and keeps the sizes of its batches."""

    def __init__(self) -> None:
        super().__init__(Weightless())
        self.batches: list[int] = []
        self.hold = threading.Event()
        self.hold.set()
        self.entered = threading.Event()
        self.fails = False

    def prepare(self, situation: Situation) -> int:
        return situation.seed

    def pack(self, prepared: int) -> bytes:
        return f"packed {prepared}".encode()

    def decide(self, situations: Sequence[Situation], prepared: Sequence[int]) -> list[Choice]:
        self.batches.append(len(situations))
        self.entered.set()
        assert self.hold.wait(60)
        if self.fails:
            raise ZeroDivisionError("no such thing")
        return [
            Choice(
                action=actions.wait(),
                decision=(seed,),
                version=self.version,
                digest=self.digest,
            )
            for seed in prepared
        ]


class Running:
    """A batcher with its thread, to be used in a `with`."""

    def __init__(self, batcher: Batcher) -> None:
        self.batcher = batcher
        self.stopping = threading.Event()
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        try:
            self.batcher.run(self.stopping)
        except ZeroDivisionError as error:
            self.error = error

    def __enter__(self) -> Running:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._thread.join(60)
        assert not self._thread.is_alive()


def make_batcher(policy: Echo, channel: FakeChannel | None = None, **options: Any) -> Batcher:
    return Batcher(policy, NewestWeights(channel or FakeChannel()), **options)


def ask(batcher: Batcher, seed: int) -> Choice:
    with batcher.slot():
        (choice,) = batcher.act((situation(seed),))
    return choice


def test_everybody_gets_the_answer_to_the_own_question() -> None:
    batcher = make_batcher(Echo())
    with Running(batcher), ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda seed: ask(batcher, seed), range(200)))
    assert [choice.decision for choice in answers] == [(seed,) for seed in range(200)]
    assert [choice.inputs for choice in answers] == [b"packed %d" % n for n in range(200)]
    assert batcher.decisions == 200


def test_all_that_wait_share_one_pass() -> None:
    policy = Echo()
    policy.hold.clear()
    batcher = make_batcher(policy)
    with Running(batcher), ThreadPoolExecutor(8) as pool:
        first = pool.submit(ask, batcher, 0)
        assert policy.entered.wait(60)
        others = [pool.submit(ask, batcher, seed) for seed in range(1, 6)]
        assert RealClock().wait_until(lambda: batcher.waiting == 5, timeout=60)
        policy.hold.set()
        for answer in (first, *others):
            answer.result(60)
    assert policy.batches == [1, 5]


def test_a_pass_has_a_largest_size() -> None:
    policy = Echo()
    policy.hold.clear()
    batcher = make_batcher(policy, most=2)
    with Running(batcher), ThreadPoolExecutor(8) as pool:
        first = pool.submit(ask, batcher, 0)
        assert policy.entered.wait(60)
        others = [pool.submit(ask, batcher, seed) for seed in range(1, 6)]
        assert RealClock().wait_until(lambda: batcher.waiting == 5, timeout=60)
        policy.hold.set()
        for answer in (first, *others):
            answer.result(60)
    assert policy.batches == [1, 2, 2, 1]


def test_it_never_waits_when_everybody_waits_for_it() -> None:
    # With an hour of patience, it would not end at all if it waited for more.
    policy = Echo()
    batcher = make_batcher(policy, patience=3600.0)
    with Running(batcher):
        assert [ask(batcher, seed).decision for seed in range(3)] == [(0,), (1,), (2,)]


def test_it_waits_a_moment_for_those_who_are_still_at_their_devices() -> None:
    policy = Echo()
    batcher = make_batcher(policy, patience=3600.0)
    with Running(batcher), ThreadPoolExecutor(2) as pool, batcher.slot():
        early = pool.submit(ask, batcher, 1)
        assert RealClock().wait_until(lambda: batcher.slots == 2, timeout=60)
        (late,) = batcher.act((situation(2),))
        assert early.result(60).decision == (1,)
        assert late.decision == (2,)
    assert policy.batches == [2]


def test_newest_weights_are_taken_between_two_passes() -> None:
    policy, channel = Echo(), FakeChannel()
    newest = NewestWeights(channel)
    batcher = Batcher(policy, newest)
    versions = []
    for published in (None, 1, None, 2, 5):
        if published is not None:
            channel.publish({"w": published}, published)
        newest.look()
        (choice,) = batcher.decide((situation(0),), (0,))
        assert isinstance(choice, Choice)
        versions.append((choice.version, choice.digest))
    assert versions == [
        (0, ""),
        *[(1, "digest-1")] * 2,
        (2, "digest-2"),
        (5, "digest-5"),
    ]
    assert batcher.loads == 3
    assert batcher.version == 5


def test_each_load_is_checked_with_its_notes() -> None:
    channel = FakeChannel()
    newest = NewestWeights(channel)
    checked: list[tuple[Mapping[str, str], int]] = []
    batcher = Batcher(Echo(), newest, canary=lambda notes, v: checked.append((notes, v)))
    channel.publish({}, 7)
    newest.look()
    batcher.decide((situation(0),), (0,))
    batcher.decide((situation(0),), (0,))
    assert checked == [({"of": "7"}, 7)]


def test_a_policy_that_fails_ends_the_loop_and_all_who_wait() -> None:
    policy = Echo()
    policy.hold.clear()
    policy.fails = True
    batcher = make_batcher(policy)
    with Running(batcher) as running, ThreadPoolExecutor(2) as pool:
        first = pool.submit(ask, batcher, 0)
        assert policy.entered.wait(60)
        second = pool.submit(ask, batcher, 1)
        assert RealClock().wait_until(lambda: batcher.waiting == 1, timeout=60)
        policy.hold.set()
        with pytest.raises(PipelineError, match="no such thing"):
            first.result(60)
        with pytest.raises(PipelineError, match="the policy failed"):
            second.result(60)
    assert isinstance(running.error, ZeroDivisionError)
    with pytest.raises(PipelineError, match="the policy failed"):
        ask(batcher, 2)


def test_nobody_is_answered_after_the_stop() -> None:
    batcher = make_batcher(Echo())
    with Running(batcher):
        ask(batcher, 1)
    with pytest.raises(PipelineError, match="stopping"):
        ask(batcher, 2)


def test_a_wait_for_a_decision_has_a_deadline() -> None:
    batcher = make_batcher(Echo(), answer_seconds=0.01)  # nobody runs it
    with pytest.raises(PipelineError, match=r"within 0\.01 s"):
        ask(batcher, 1)


def test_gauges_tell_how_many_share_a_pass() -> None:
    batcher = make_batcher(Echo())
    batcher.decide([situation(seed) for seed in range(6)], range(6))
    gauges = batcher.gauges()
    assert gauges["batcher/batch"] == 6
    assert gauges["batcher/decisions"] == 6
    assert gauges["batcher/pass_ms"] >= 0.0


class HalfDeaf(Echo):
    """A served model that gives no answer to odd seeds."""

    def decide(  # type: ignore[override]
        self, situations: Sequence[Situation], prepared: Sequence[int]
    ) -> list[Choice | ServiceError]:
        choices = super().decide(situations, prepared)
        return [
            ServiceError("no answer") if seed % 2 else choices[k] for k, seed in enumerate(prepared)
        ]


def test_a_situation_without_an_answer_is_the_only_one_that_suffers() -> None:
    batcher = make_batcher(HalfDeaf())
    with Running(batcher) as running:
        assert ask(batcher, 0).decision == (0,)
        with pytest.raises(ServiceError, match="no answer"):
            ask(batcher, 1)
        assert ask(batcher, 2).decision == (2,)
    assert running.error is None


class Loyal(Echo):
    """Keeps its first weights."""

    def load(self, weights: Mapping[str, Any], version: int, digest: str) -> None:
        if not self.version:
            super().load(weights, version, digest)


def test_weights_that_a_policy_does_not_take_are_not_its_version() -> None:
    channel = FakeChannel()
    newest = NewestWeights(channel)
    batcher = Batcher(Loyal(), newest)
    for version in (1, 2):
        channel.publish({}, version)
        newest.look()
        batcher.refresh()
    assert batcher.version == 1
