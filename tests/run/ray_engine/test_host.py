"""A collecting host and the coordinator, without Ray: calls are lost and repeated at will."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.run.conftest import small_config

from distrl.clock import RealClock
from distrl.collect.jobs import Job, SampledJobs
from distrl.config import RunConfig
from distrl.errors import WeightsError
from distrl.replay.store.sqlite import SqliteStore
from distrl.run.builders.pointer import Pointer, build_pointer
from distrl.run.ray_engine.coordinator import Coordinator
from distrl.run.ray_engine.host import CollectingHost
from distrl.run.ray_engine.protocol import REQUEST, RESPONSE, HostRequest, HostResponse
from distrl.tasks.suites import load_suite
from distrl.types import Episode, Task
from distrl.weights.serialization import seal

DEADLINE = 100.0


@pytest.fixture(scope="module")
def config() -> RunConfig:
    return small_config("collect.devices=2")


@pytest.fixture(scope="module")
def shared(config: RunConfig) -> Pointer:
    pointer = build_pointer(config)
    pointer.encoder.load()
    return pointer


@pytest.fixture
def pointer(shared: Pointer) -> Pointer:
    return shared.copy()


@pytest.fixture
def start(config: RunConfig, pointer: Pointer) -> Iterator[Callable[..., CollectingHost]]:
    opened: list[CollectingHost] = []

    def start(**cluster: float) -> CollectingHost:
        changed = config.changed(cluster=config.cluster.changed(**cluster))
        host = CollectingHost("h", changed, pointer)
        opened.append(host)
        return host

    yield start
    for host in opened:
        host.close()


def weights(pointer: Pointer, version: int) -> bytes:
    return seal(pointer.model.state_dict(), version)[0]


class RoundRobin:
    def __init__(self) -> None:
        self._tasks = load_suite("general").tasks("train")
        self._number = 0

    def next(self) -> Task:
        self._number += 1
        return self._tasks[self._number % len(self._tasks)]

    def report(self, task: Task, succeeded: bool) -> None:
        pass


def request(
    after: int = 0, durable: int = 0, *jobs: Job, patience: float = 0.0, version: int = 0
) -> HostRequest:
    return HostRequest(after=after, durable=durable, jobs=jobs, version=version, patience=patience)


def some_jobs(count: int) -> tuple[Job, ...]:
    tasks = RoundRobin()
    return tuple(Job(task=tasks.next(), episode_id=f"j{n}", seed=n) for n in range(count))


def test_a_host_wants_nothing_before_it_has_weights(
    start: Callable[..., CollectingHost], pointer: Pointer
) -> None:
    host = start()
    assert host.exchange(request()).wanted == 0
    assert host.load(weights(pointer, 1), 1)
    response = host.exchange(request())
    assert (response.wanted, response.version, response.failed) == (2, 1, "")


def test_all_jobs_are_stored_once_though_orders_and_answers_get_lost(
    start: Callable[..., CollectingHost], pointer: Pointer, tmp_path: Path
) -> None:
    host = start()
    host.load(weights(pointer, 3), 3)
    told: list[str] = []
    with SqliteStore(tmp_path / "episodes.sqlite") as store:
        jobs = SampledJobs(RoundRobin(), seed=1, prefix="p", limit=12)
        coordinator = Coordinator(
            store.add_packed_later, jobs, acknowledged=lambda episode: told.append(episode.id)
        )
        coordinator.join("h")
        calls = 0

        def exchange() -> bool:
            nonlocal calls
            calls += 1
            sent = REQUEST.encode(coordinator.request("h", patience=0.1))
            if calls % 4 == 1:  # the request never arrives
                return coordinator.done
            answer = RESPONSE.encode(host.exchange(REQUEST.decode(sent)))
            if calls % 4 == 3:  # the answer never arrives
                return coordinator.done
            coordinator.take("h", RESPONSE.decode(answer))
            return coordinator.done

        assert RealClock().wait_until(exchange, timeout=DEADLINE)
        names = sorted(f"p-{n}" for n in range(12))
        assert sorted(told) == sorted(store.ids()) == names
        found = [store.get(name) for name in names]
    assert {episode.device for episode in found} == {"h/phone-0", "h/phone-1"}
    steps = [step for episode in found for step in episode.steps]
    assert {step.choice.version for step in steps} == {3}
    assert all(step.choice.inputs for step in steps)


def test_a_host_with_a_judge_sends_what_it_has_judged(pointer: Pointer, tmp_path: Path) -> None:
    judged = small_config("collect.devices=2", "judge.name=state")
    host = CollectingHost("h", judged, pointer)
    told: list[Episode] = []
    try:
        host.load(weights(pointer, 1), 1)
        with SqliteStore(tmp_path / "episodes.sqlite") as store:
            jobs = SampledJobs(RoundRobin(), seed=1, prefix="p", limit=6)
            coordinator = Coordinator(store.add_packed_later, jobs, acknowledged=told.append)
            coordinator.join("h")

            def exchange() -> bool:
                coordinator.take("h", host.exchange(coordinator.request("h", patience=0.1)))
                return coordinator.done

            assert RealClock().wait_until(exchange, timeout=DEADLINE)
            assert coordinator.gauges()["judge/verdicts"] == 6
    finally:
        host.close()
    assert [[v.judge for v in episode.verdicts] for episode in told] == [["state", "state"]] * 6
    assert {episode.device.partition("/")[0] for episode in told} == {"h"}


def test_new_weights_act_and_older_ones_do_not(
    start: Callable[..., CollectingHost], pointer: Pointer
) -> None:
    host = start()
    assert host.load(weights(pointer, 5), 5)
    assert not host.load(weights(pointer, 4), 4)
    assert not host.load(weights(pointer, 5), 5)
    assert host.load(weights(pointer, 6), 6)
    host.exchange(request(0, 0, *some_jobs(2)))

    def acts() -> bool:
        return host.exchange(request()).version == 6

    assert RealClock().wait_until(acts, timeout=DEADLINE)


def test_an_exchange_tells_at_once_of_the_version_that_acts(
    config: RunConfig, pointer: Pointer
) -> None:
    # Steps are so slow that the first decision comes long before the first episode.
    slow = config.changed(collect=config.collect.changed(latency=2.0))
    host = CollectingHost("h", slow, pointer)
    with ThreadPoolExecutor(1) as caller:
        try:
            for version, jobs in ((1, ()), (2, some_jobs(2))):
                asked = request(0, 0, *jobs, version=version - 1, patience=10 * DEADLINE)
                host.load(weights(pointer, version), version)
                response = caller.submit(host.exchange, asked).result(DEADLINE)
                assert (response.version, response.episodes) == (version, ())
        finally:
            host.close()


def test_damaged_weights_are_refused_and_counted(
    start: Callable[..., CollectingHost], pointer: Pointer
) -> None:
    host = start()
    data = bytearray(weights(pointer, 1))
    data[-1] ^= 1
    with pytest.raises(WeightsError):
        host.load(bytes(data), 1)
    assert host.gauges()["cluster/weights_refused"] == 1
    assert host.exchange(request()).version == 0
    assert host.load(weights(pointer, 1), 1)


def test_a_host_that_nobody_acknowledges_stops_at_its_limit(
    start: Callable[..., CollectingHost], pointer: Pointer
) -> None:
    host = start(max_unacknowledged=3)
    host.load(weights(pointer, 1), 1)
    host.exchange(request(0, 0, *some_jobs(20)))

    def full() -> bool:
        gauges = host.gauges()
        assert gauges["cluster/unacknowledged"] <= 3
        return gauges["cluster/collectors_waiting"] == 2

    assert RealClock().wait_until(full, timeout=DEADLINE)
    assert host.gauges()["fleet/leased"] == 0  # who waits for the store holds no device
    response = host.exchange(request(patience=5.0))
    assert len(response.episodes) == 3
    host.exchange(request(3, 3))

    def more() -> bool:
        return bool(host.exchange(request(3, 3)).episodes)

    assert RealClock().wait_until(more, timeout=DEADLINE)


def test_a_host_that_fails_says_why(
    start: Callable[..., CollectingHost], pointer: Pointer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the network is broken")

    host = start()
    host.load(weights(pointer, 1), 1)
    monkeypatch.setattr("distrl.policies.pointer.policy.PointerPolicy.decide", broken)
    host.exchange(request(0, 0, *some_jobs(1)))
    found: list[HostResponse] = []

    def failed() -> bool:
        found.append(host.exchange(request()))
        return bool(found[-1].failed)

    assert RealClock().wait_until(failed, timeout=DEADLINE)
    assert "the network is broken" in found[-1].failed
    with pytest.raises(RuntimeError, match="the network is broken"):
        host.close()
    host.close = lambda: None  # type: ignore[method-assign]
