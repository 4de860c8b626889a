from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import pytest
from tests.collect.test_batcher import Echo, Running
from tests.envs.fakes import FakeReferee, make_observation, make_task
from tests.weights.fakes import FakeChannel

from distrl import actions
from distrl.clock import RealClock, VirtualClock
from distrl.collect.batcher import Batcher
from distrl.collect.collector import (
    Acknowledged,
    CollectorParts,
    DeviceTime,
    FreeDevice,
    Wait,
    collect,
    run_collector,
)
from distrl.collect.driver import drive
from distrl.collect.episode import Decide, OnDevice
from distrl.collect.jobs import Job
from distrl.collect.retry_policy import FailureLimits
from distrl.devices.fault_causes import Cause
from distrl.devices.fleet.fleet import Fleet
from distrl.devices.fleet.health import Health
from distrl.envs.device_env import DeviceEnv
from distrl.errors import DeviceLost, PipelineError, StoreError
from distrl.interfaces import Device, Env
from distrl.types import Action, Choice, Episode, Kind, Observation, Outcome, Situation
from distrl.weights.newest_weights import NewestWeights


class Phone:
    """A device that is lost at given actions, counted over its whole life from 0."""

    kinds = frozenset(Kind)

    def __init__(self, name: str, lost_at: Sequence[int] = ()) -> None:
        self.id = name
        self._lost_at, self._done = set(lost_at), 0
        self.closed = False

    def reset(self, seed: int) -> None: ...

    def observe(self) -> Observation:
        return make_observation()

    def perform(self, action: Action) -> None:
        self._done += 1
        if self._done - 1 in self._lost_at:
            raise DeviceLost(f"{self.id} fell down")

    def close(self) -> None:
        self.closed = True


class Fixed:
    """So many jobs."""

    def __init__(self, count: int) -> None:
        self._jobs = [Job(task=make_task(), episode_id=f"e{n}", seed=n) for n in range(count)]

    def next(self) -> Job | None:
        return self._jobs.pop(0) if self._jobs else None


class Shelf:
    """A store that acknowledges when it is told to; at once unless `slow`."""

    def __init__(self, *, slow: bool = False) -> None:
        self.slow = slow
        self.episodes: list[Episode] = []
        self.futures: list[Future[None]] = []

    def add_later(self, episode: Episode) -> Future[None]:
        future: Future[None] = Future()
        self.episodes.append(episode)
        self.futures.append(future)
        if not self.slow:
            future.set_result(None)
        return future

    def outcomes(self) -> list[tuple[str, str, Outcome]]:
        return [(e.id, e.device, e.outcome) for e in self.episodes]


def make_env(device: Device) -> Env:
    return DeviceEnv(device, FakeReferee())


def make_parts(phones: Sequence[Phone], jobs: int, store: Shelf, **more: Any) -> CollectorParts:
    clock = VirtualClock()
    more.setdefault("acknowledged", lambda episode: None)
    return CollectorParts(
        fleet=Fleet(phones, clock=clock),
        jobs=Fixed(jobs),
        store=store,
        make_env=make_env,
        clock=clock,
        **more,
    )


def answering(parts: CollectorParts, seen: list[Wait] | None = None) -> Callable[[Wait], object]:
    """Answers every wait on the spot: taps first, and declares completion at the second step."""

    def answer(wait: Wait) -> object:
        if seen is not None:
            seen.append(wait)
        match wait:
            case FreeDevice():
                return parts.fleet.lease(timeout=wait.timeout)
            case OnDevice():
                return wait.run()
            case Decide():
                done = bool(wait.situation.history)
                action = actions.complete() if done else actions.tap(0.3, 0.25)
                return Choice(action=action, decision=(wait.situation.seed,))
            case Acknowledged():
                if not wait.future.done():
                    wait.future.set_result(None)
                return None

    return answer


def play_all(parts: CollectorParts) -> list[str]:
    """The kinds of waits, in order."""
    seen: list[Wait] = []
    drive(collect(parts, lambda: False), answering(parts, seen))
    return [type(wait).__name__ for wait in seen]


def test_an_episode_is_a_lease_a_start_its_steps_and_an_acknowledgement() -> None:
    store = Shelf(slow=True)
    waits = play_all(make_parts([Phone("p")], 1, store))
    assert waits == [
        *("FreeDevice", "OnDevice"),
        *("Decide", "OnDevice", "Decide", "OnDevice"),
        "Acknowledged",
    ]
    assert store.outcomes() == [("e0", "p", Outcome.SUCCEEDED)]


class Worded(DeviceEnv):
    """An environment that says what it wants only once it is set up."""

    goal = "press what is green"


def test_what_an_environment_wants_is_what_is_decided_on_and_kept() -> None:
    store = Shelf()
    parts = make_parts([Phone("p")], 1, store)
    parts = replace(parts, make_env=lambda device: Worded(device, FakeReferee()))
    seen: list[Wait] = []
    drive(collect(parts, lambda: False), answering(parts, seen))
    goals = {wait.situation.goal for wait in seen if isinstance(wait, Decide)}
    assert goals == {Worded.goal} == {episode.task.goal for episode in store.episodes}


def test_every_decision_has_a_seed_from_its_episode_and_place() -> None:
    store = Shelf()
    play_all(make_parts([Phone("p")], 2, store))
    seeds = [step.choice.decision for episode in store.episodes for step in episode.steps]
    assert len(set(seeds)) == 4
    again = Shelf()
    play_all(make_parts([Phone("q")], 2, again))
    assert seeds == [step.choice.decision for e in again.episodes for step in e.steps]


def test_the_device_is_free_before_the_acknowledgement_is_awaited() -> None:
    store = Shelf(slow=True)
    parts = make_parts([Phone("p")], 1, store)
    usual = answering(parts)
    free_then: list[float] = []

    def answer(wait: Wait) -> object:
        if isinstance(wait, Acknowledged):
            free_then.append(parts.fleet.gauges()["fleet/free"])
        return usual(wait)

    drive(collect(parts, lambda: False), answer)
    assert free_then == [1]


def test_a_slow_store_is_waited_for_only_when_too_much_is_pending() -> None:
    store = Shelf(slow=True)
    told: list[str] = []
    parts = make_parts(
        [Phone("p")], 5, store, most_pending=2, acknowledged=lambda e: told.append(e.id)
    )
    usual = answering(parts)
    held: list[int] = []

    def answer(wait: Wait) -> object:
        if isinstance(wait, Acknowledged):
            held.append(len(store.episodes) - len(told))
        return usual(wait)

    drive(collect(parts, lambda: False), answer)
    assert held == [3, 3, 3, 2, 1]
    assert told == ["e0", "e1", "e2", "e3", "e4"]


def test_an_acknowledgement_is_told_while_the_next_episode_is_played() -> None:
    store = Shelf(slow=True)
    told: list[str] = []
    parts = make_parts([Phone("p")], 2, store, acknowledged=lambda e: told.append(e.id))
    usual = answering(parts)
    told_at: list[list[str]] = []

    def answer(wait: Wait) -> object:
        told_at.append(list(told))
        if isinstance(wait, Decide) and len(store.futures) == 1 and not store.futures[0].done():
            store.futures[0].set_result(None)
        return usual(wait)

    drive(collect(parts, lambda: False), answer)
    # A lease, a start, two decisions with a step each: six waits for the first episode.
    assert told_at[8] == []
    assert told_at[9] == ["e0"]


def test_an_episode_is_finished_before_it_is_stored() -> None:
    store = Shelf()
    parts = make_parts([Phone("p")], 1, store, finish=lambda e: replace(e, fault="marked"))
    play_all(parts)
    assert [episode.fault for episode in store.episodes] == ["marked"]


def test_a_lost_device_is_retried_with_the_same_task() -> None:
    store = Shelf()
    play_all(make_parts([Phone("p", lost_at=[0])], 2, store))
    assert store.outcomes() == [
        ("e0", "p", Outcome.DEVICE_LOST),
        ("e0.1", "p", Outcome.SUCCEEDED),
        ("e1", "p", Outcome.SUCCEEDED),
    ]


def test_a_device_that_stays_lost_goes_into_quarantine() -> None:
    store = Shelf()
    parts = make_parts([Phone("bad", lost_at=range(9)), Phone("good")], 3, store)
    play_all(parts)
    assert store.outcomes() == [
        ("e0", "bad", Outcome.DEVICE_LOST),
        ("e0.1", "bad", Outcome.DEVICE_LOST),  # retried once, then given back
        ("e0.2", "good", Outcome.SUCCEEDED),
        ("e1", "good", Outcome.SUCCEEDED),
        ("e2", "good", Outcome.SUCCEEDED),
    ]
    bad = parts.fleet.report()[0]
    assert (bad.condition.health, bad.reason) == (Health.QUARANTINED, "bad fell down")


def test_a_lost_episode_has_no_verdict_and_is_never_a_failure_of_the_policy() -> None:
    store = Shelf()
    play_all(make_parts([Phone("p", lost_at=[0])], 1, store))
    lost = store.episodes[0]
    assert lost.outcome is Outcome.DEVICE_LOST
    assert not lost.outcome.trainable
    assert (lost.verdicts, lost.final) == ((), None)
    assert lost.fault == "p fell down"


@pytest.mark.parametrize("when", [OnDevice, Decide])
def test_whoever_shows_no_sign_of_life_loses_the_device_and_the_episode(when: type[Wait]) -> None:
    """The user sleeps through the lease, in a device call or while it waits for the policy."""
    store = Shelf()
    parts = make_parts([Phone("p")], 1, store)
    usual = answering(parts)
    slept = False

    def answer(wait: Wait) -> object:
        nonlocal slept
        answered = usual(wait)
        if isinstance(wait, when) and not slept:
            slept = True
            parts.clock.sleep(601.0)
            assert parts.fleet.reclaim()
        return answered

    drive(collect(parts, lambda: False), answer)
    assert [e.outcome for e in store.episodes] == [Outcome.DEVICE_LOST, Outcome.SUCCEEDED]
    assert "taken away" in store.episodes[0].fault
    assert parts.fleet.report()[0].causes == {Cause.ABANDONED: 1}


def test_the_device_lives_as_long_as_its_user_does_something() -> None:
    store = Shelf()
    parts = make_parts([Phone("p")], 3, store)
    usual = answering(parts)

    def answer(wait: Wait) -> object:
        parts.clock.sleep(400.0)
        return usual(wait)

    drive(collect(parts, lambda: False), answer)
    assert [e.outcome for e in store.episodes] == [Outcome.SUCCEEDED] * 3


def test_a_task_that_takes_devices_down_is_given_up() -> None:
    store = Shelf()
    phones = [Phone("a", lost_at=[0, 1]), Phone("b", lost_at=[0])]
    limits = FailureLimits(retries=1, attempts=3)
    play_all(make_parts(phones, 2, store, limits=limits))
    assert [name for name, _, _ in store.outcomes()] == ["e0", "e0.1", "e0.2", "e1"]


def test_no_device_left_is_an_error() -> None:
    parts = make_parts([Phone("bad", lost_at=range(99))], 20, Shelf())
    with pytest.raises(PipelineError, match="no device is left: bad: bad fell down"):
        play_all(parts)


def test_closing_it_in_the_middle_gives_the_device_back() -> None:
    store = Shelf()
    parts = make_parts([Phone("p")], 3, store)
    machine = collect(parts, lambda: False)
    usual = answering(parts)
    wait = next(machine)
    while not isinstance(wait, Decide):
        wait = machine.send(usual(wait))
    assert parts.fleet.gauges()["fleet/leased"] == 1
    machine.close()
    assert parts.fleet.gauges()["fleet/leased"] == 0
    assert store.episodes == []


def test_it_ends_at_the_next_episode_when_it_should_stop() -> None:
    store = Shelf()
    parts = make_parts([Phone("p")], 5, store)
    drive(collect(parts, lambda: bool(store.episodes)), answering(parts))
    assert [episode.id for episode in store.episodes] == ["e0"]


class Player(Echo):
    """Taps, then declares completion."""

    def decide(self, situations: Sequence[Situation], prepared: Sequence[int]) -> list[Choice]:
        return [
            replace(
                choice,
                action=actions.complete() if s.history else actions.tap(0.3, 0.25),
            )
            for s, choice in zip(situations, super().decide(situations, prepared), strict=True)
        ]


def run_threads(
    parts: CollectorParts, batcher: Batcher, count: int, stopping: threading.Event
) -> list[BaseException]:
    """Errors of so many collectors in threads, when all have ended."""
    errors: list[BaseException] = []
    device_time = DeviceTime(RealClock())

    def run() -> None:
        try:
            run_collector(parts, batcher, device_time, stopping)
        except (PipelineError, StoreError) as error:
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    return errors


def test_threads_with_a_device_each_play_all_jobs_once() -> None:
    store = Shelf()
    parts = make_parts([Phone(f"p{n}") for n in range(4)], 60, store)
    batcher = Batcher(Player(), NewestWeights(FakeChannel()))
    with Running(batcher):
        assert run_threads(parts, batcher, 4, threading.Event()) == []
    assert sorted(e.id for e in store.episodes) == sorted(f"e{n}" for n in range(60))
    assert all(episode.succeeded for episode in store.episodes)
    assert parts.fleet.gauges()["fleet/free"] == 4


def test_a_thread_leaves_its_episode_when_the_run_stops() -> None:
    store, policy = Shelf(), Player()
    policy.hold.clear()
    parts = make_parts([Phone("p")], 3, store)
    batcher = Batcher(policy, NewestWeights(FakeChannel()))
    with Running(batcher) as running:
        stopping = running.stopping

        def stop_once_it_waits() -> None:
            assert policy.entered.wait(60)
            stopping.set()
            policy.hold.set()

        stopper = threading.Thread(target=stop_once_it_waits)
        stopper.start()
        assert run_threads(parts, batcher, 1, stopping) == []
        stopper.join(60)
    assert store.episodes == []
    assert parts.fleet.gauges()["fleet/free"] == 1


def test_a_batcher_that_fails_is_the_collector_s_error_too() -> None:
    policy = Player()
    policy.fails = True
    parts = make_parts([Phone("p")], 3, Shelf())
    batcher = Batcher(policy, NewestWeights(FakeChannel()))
    with Running(batcher):
        (error,) = run_threads(parts, batcher, 1, threading.Event())
    assert "no such thing" in str(error)


def test_a_store_that_fails_is_the_collector_s_error() -> None:
    class Broken(Shelf):
        def add_later(self, episode: Episode) -> Future[None]:
            future = super().add_later(episode)
            future.set_exception(StoreError("the disk is full"))
            return future

    parts = make_parts([Phone("p")], 3, Broken(slow=True))
    batcher = Batcher(Player(), NewestWeights(FakeChannel()))
    with Running(batcher):
        (error,) = run_threads(parts, batcher, 1, threading.Event())
    assert "the disk is full" in str(error)


def test_a_store_that_never_answers_is_an_error() -> None:
    parts = make_parts([Phone("p")], 1, Shelf(slow=True), store_seconds=0.01)
    batcher = Batcher(Player(), NewestWeights(FakeChannel()))
    with Running(batcher):
        (error,) = run_threads(parts, batcher, 1, threading.Event())
    assert "the store took longer than 0.01 s" in str(error)


def test_device_time_counts_calls_that_are_still_going_on() -> None:
    clock = VirtualClock()
    time = DeviceTime(clock)
    with time.inside():
        clock.sleep(2.0)
    assert time.seconds() == pytest.approx(2.0)
    with time.inside():
        clock.sleep(1.0)
        assert time.seconds() == pytest.approx(3.0)
    clock.sleep(5.0)
    assert time.seconds() == pytest.approx(3.0)
