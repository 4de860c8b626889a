"""One bad device among eight, in virtual time: real collectors and a real fleet."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from itertools import count

import pytest
from tests.envs.fakes import FakeReferee, make_observation, make_task

from distrl import actions
from distrl.collect.collector import CollectorParts, FreeDevice, Wait, collect
from distrl.collect.driver import Ended, advance, attempt
from distrl.collect.episode import Decide, OnDevice
from distrl.collect.jobs import Job
from distrl.devices.fleet.fleet import Fleet
from distrl.devices.fleet.health import Health
from distrl.envs.device_env import DeviceEnv
from distrl.errors import DeviceLost
from distrl.types import Action, Choice, Episode, Kind, Observation, Outcome

DEVICES = 8
HOURS = 4.0
STEP, RESET, STEPS = 10.0, 30.0, 8
POLL = 0.5


class ActorClock:
    """Time as it is for the one who acts now; everybody else's goes on at their own next turn."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += max(0.0, seconds)

    def wait_until(
        self, condition: Callable[[], bool], *, timeout: float, poll: float = 0.01
    ) -> bool:
        """Look once: who has to wait looks again at their next turn."""
        return condition()


class TimedPhone:
    """Takes its time, and is lost where `fate` says so, by the number of its action."""

    kinds = frozenset(Kind)

    def __init__(self, name: str, clock: ActorClock, fate: Callable[[int], float | None]) -> None:
        self.id = name
        self._clock, self._fate, self._done = clock, fate, 0

    def reset(self, seed: int) -> None:
        self._clock.sleep(RESET)

    def observe(self) -> Observation:
        return make_observation()

    def perform(self, action: Action) -> None:
        self._done += 1
        hang = self._fate(self._done)
        self._clock.sleep(STEP if hang is None else hang)
        if hang is not None:
            raise DeviceLost(f"{self.id} did not answer within {hang:g} s")

    def close(self) -> None: ...


class Endless:
    def __init__(self) -> None:
        self._numbers = count()

    def next(self) -> Job:
        number = next(self._numbers)
        return Job(task=make_task(step_limit=STEPS + 1), episode_id=f"e{number}", seed=number)


class Shelf:
    def __init__(self) -> None:
        self.episodes: list[Episode] = []

    def add_later(self, episode: Episode) -> Future[None]:
        self.episodes.append(episode)
        done: Future[None] = Future()
        done.set_result(None)
        return done


class ResettingReferee(FakeReferee):
    """Begins a task with a reset of the device."""

    def __init__(self, device: TimedPhone) -> None:
        super().__init__()
        self._phone = device

    def begin(self, task: object) -> None:
        self._phone.reset(0)


def simulate(fate: Callable[[int], float | None]) -> tuple[Fleet, list[Episode]]:
    """Four hours of eight collectors on eight devices, the first of which has this fate."""
    clock, shelf = ActorClock(), Shelf()
    phones = [
        TimedPhone(f"phone-{n}", clock, (lambda _: None) if n else fate) for n in range(DEVICES)
    ]
    fleet = Fleet(phones, clock=clock)

    def make_env(device: object) -> DeviceEnv:
        assert isinstance(device, TimedPhone)
        return DeviceEnv(device, ResettingReferee(device))

    parts = CollectorParts(fleet=fleet, jobs=Endless(), store=shelf, make_env=make_env, clock=clock)

    def answer(wait: Wait) -> object:
        match wait:
            case FreeDevice():
                lease = fleet.lease(timeout=0.0)
                if lease is None:
                    clock.sleep(POLL)
                return lease
            case OnDevice():
                return wait.run()
            case Decide():
                declared = len(wait.situation.history) >= STEPS
                return Choice(action=actions.complete() if declared else actions.tap(0.5, 0.5))
        raise AssertionError(f"the store never keeps anybody waiting: {wait}")

    machines = [collect(parts, lambda: False) for _ in range(DEVICES)]
    turns = [(0.0, number, next(machine)) for number, machine in enumerate(machines)]
    heapq.heapify(turns)
    while turns[0][0] < HOURS * 3600:
        clock.time, number, wait = heapq.heappop(turns)
        following = advance(machines[number], attempt(partial(answer, wait)))
        assert not isinstance(following, Ended)
        heapq.heappush(turns, (clock.time, number, following))
    return fleet, shelf.episodes


def good(episodes: list[Episode]) -> int:
    return sum(episode.outcome.trainable for episode in episodes)


@pytest.fixture(scope="module")
def undisturbed() -> int:
    _, episodes = simulate(lambda _: None)
    assert good(episodes) == len(episodes) > 800
    return len(episodes)


FATES: dict[str, Callable[[int], float | None]] = {
    "every other episode is lost": lambda done: 5.0 if done % 12 == 0 else None,
    "every step is lost at once": lambda _: 0.0,
    "every step is lost after a long silence": lambda _: 120.0,
    "good and bad by the hour": lambda done: 120.0 if (done // 50) % 2 else None,
}


@pytest.mark.parametrize("fate", FATES.values(), ids=FATES)
def test_a_flapping_device_costs_its_own_share_and_little_more(
    fate: Callable[[int], float | None], undisturbed: int
) -> None:
    _, episodes = simulate(fate)
    lost = [episode for episode in episodes if not episode.outcome.trainable]
    assert lost
    assert {episode.outcome for episode in lost} == {Outcome.DEVICE_LOST}
    assert {episode.device for episode in lost} == {"phone-0"}
    assert good(episodes) >= undisturbed * (1 - 1 / DEVICES - 0.05)


def test_its_neighbours_work_on_as_if_nothing_had_happened(undisturbed: int) -> None:
    _, episodes = simulate(FATES["every step is lost after a long silence"])
    theirs = sum(episode.device != "phone-0" for episode in episodes)
    assert theirs >= 0.99 * undisturbed * 7 / 8


def test_a_device_that_never_comes_through_is_given_up() -> None:
    fleet, _ = simulate(FATES["every step is lost at once"])
    assert fleet.report()[0].condition.health is Health.RETIRED


def test_a_device_that_has_recovered_is_as_good_as_any() -> None:
    """It is silent for its first few steps, as a phone is that starts anew."""
    fleet, episodes = simulate(lambda done: 30.0 if done <= 5 else None)
    assert fleet.report()[0].condition.health is Health.HEALTHY
    own = [episode for episode in episodes if episode.device == "phone-0"]
    assert sum(episode.outcome.trainable for episode in own) > 0.9 * len(own)
    assert len(own) > 90
