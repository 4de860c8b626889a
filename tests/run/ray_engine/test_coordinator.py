from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from tests.contracts.store import make_episode, make_task

from distrl.clock import RealClock
from distrl.collect.jobs import Job
from distrl.errors import StoreError
from distrl.replay.store.packing import PACKED, PackedEpisode, pack
from distrl.replay.store.sqlite import SqliteStore
from distrl.run.ray_engine.coordinator import Coordinator
from distrl.run.ray_engine.protocol import REQUEST, RESPONSE, HostRequest, HostResponse
from distrl.types import Episode

DEADLINE = 20.0


class Numbered:
    """Jobs j0, j1 and so on."""

    def __init__(self, limit: int) -> None:
        self._names = iter(f"j{n}" for n in range(limit))

    def next(self) -> Job | None:
        name = next(self._names, None)
        return None if name is None else Job(task=make_task(), episode_id=name, seed=0)


class SlowStore:
    """Nothing is durable until somebody says so."""

    def __init__(self) -> None:
        self.waiting: list[tuple[str, Future[None]]] = []

    def add_packed_later(self, packed: PackedEpisode) -> Future[None]:
        stored: Future[None] = Future()
        self.waiting.append((packed.summary.id, stored))
        return stored

    def finish(self) -> None:
        for _, stored in self.waiting:
            if not stored.done():
                stored.set_result(None)


def blob(name: str) -> bytes:
    return PACKED.encode(pack(make_episode(name), codec="png"))


def response(
    first: int, *names: str, wanted: int = 0, gauges: dict[str, float] | None = None
) -> HostResponse:
    return HostResponse(
        first=first,
        episodes=tuple(blob(name) for name in names),
        wanted=wanted,
        version=1,
        gauges=gauges or {},
    )


@pytest.fixture
def store() -> SlowStore:
    return SlowStore()


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def coordinator(store: SlowStore, told: list[str]) -> Iterator[Coordinator]:
    coordinator = Coordinator(
        store.add_packed_later, Numbered(6), acknowledged=lambda episode: told.append(episode.id)
    )
    coordinator.join("a")
    yield coordinator


def jobs(request: HostRequest) -> list[str]:
    return [job.episode_id for job in request.jobs]


def test_a_host_gets_as_many_jobs_as_it_wants(coordinator: Coordinator) -> None:
    assert jobs(coordinator.request("a", patience=0.0)) == []
    coordinator.take("a", response(1, wanted=2))
    assert jobs(coordinator.request("a", patience=0.0)) == ["j0", "j1"]


def test_an_order_is_repeated_until_the_host_answers(coordinator: Coordinator) -> None:
    coordinator.take("a", response(1, wanted=2))
    first, again = coordinator.request("a", patience=0.0), coordinator.request("a", patience=0.0)
    assert first == again
    assert REQUEST.decode(REQUEST.encode(first)) == first
    coordinator.take("a", response(1))
    assert jobs(coordinator.request("a", patience=0.0)) == []


def test_a_host_is_told_which_version_is_known_to_act_there(coordinator: Coordinator) -> None:
    assert coordinator.request("a", patience=0.0).version == 0
    coordinator.take("a", replace(response(1), version=7))
    assert coordinator.request("a", patience=0.0).version == 7


def test_only_what_is_durable_is_acknowledged(
    coordinator: Coordinator, store: SlowStore, told: list[str]
) -> None:
    coordinator.take("a", response(1, wanted=2))
    coordinator.request("a", patience=0.0)
    coordinator.take("a", response(1, "j0", "j1"))
    request = coordinator.request("a", patience=0.0)
    assert (request.after, request.durable, told) == (2, 0, [])
    store.waiting[0][1].set_result(None)
    request = coordinator.request("a", patience=0.0)
    assert (request.after, request.durable, told) == (2, 1, ["j0"])
    store.finish()
    request = coordinator.request("a", patience=0.0)
    assert (request.after, request.durable, told) == (2, 2, ["j0", "j1"])


def test_a_store_that_fails_is_told(coordinator: Coordinator, store: SlowStore) -> None:
    coordinator.take("a", response(1, "j0"))
    store.waiting[0][1].set_exception(StoreError("the disk is full"))
    with pytest.raises(StoreError, match="the disk is full"):
        coordinator.request("a", patience=0.0)


def test_a_lost_hosts_jobs_go_to_others_under_the_same_names(
    coordinator: Coordinator, store: SlowStore, told: list[str]
) -> None:
    coordinator.join("b")
    coordinator.take("a", response(1, wanted=3))
    coordinator.request("a", patience=0.0)
    coordinator.take("a", response(1, "j0"))
    store.finish()
    coordinator.leave("a")
    assert told == ["j0"]
    coordinator.take("b", response(1, wanted=3))
    assert jobs(coordinator.request("b", patience=0.0)) == ["j1", "j2", "j3"]
    assert coordinator.gauges()["cluster/jobs_lost"] == 2


def test_a_host_that_comes_back_is_a_new_one(coordinator: Coordinator) -> None:
    with pytest.raises(ValueError, match="already"):
        coordinator.join("a")
    coordinator.leave("a")
    coordinator.join("a")
    assert coordinator.request("a", patience=0.0).after == 0


def test_another_attempt_at_a_job_is_part_of_it(coordinator: Coordinator, store: SlowStore) -> None:
    coordinator.take("a", response(1, wanted=6))
    coordinator.request("a", patience=0.0)
    names = ["j0", "j0.1", *(f"j{n}" for n in range(1, 6))]
    coordinator.take("a", response(1, *names, wanted=1))
    coordinator.request("a", patience=0.0)
    assert not coordinator.done
    store.finish()
    coordinator.request("a", patience=0.0)
    assert coordinator.done


def test_it_is_done_when_all_is_played_and_durable(
    coordinator: Coordinator, store: SlowStore
) -> None:
    for n in range(6):
        coordinator.take("a", response(n + 1, wanted=1))
        assert jobs(coordinator.request("a", patience=0.0)) == [f"j{n}"]
        coordinator.take("a", response(n + 1, f"j{n}"))
    assert not coordinator.done
    store.finish()
    coordinator.take("a", response(7, wanted=1))
    coordinator.request("a", patience=0.0)
    assert coordinator.done


def test_a_lost_job_is_done_once_somebody_has_played_it(
    coordinator: Coordinator, store: SlowStore
) -> None:
    coordinator.take("a", response(1, wanted=7))
    coordinator.request("a", patience=0.0)
    coordinator.leave("a")
    assert not coordinator.done
    coordinator.join("b")
    coordinator.take("b", response(1, wanted=6))
    coordinator.request("b", patience=0.0)
    coordinator.take("b", response(1, *(f"j{n}" for n in range(6))))
    store.finish()
    coordinator.settle("b")
    assert coordinator.done


def test_episodes_with_a_gap_are_refused(coordinator: Coordinator) -> None:
    with pytest.raises(StoreError, match="from 3 on, not from 1"):
        coordinator.take("a", response(3, "j0"))


def test_what_is_no_episode_is_refused(coordinator: Coordinator, store: SlowStore) -> None:
    broken = replace(response(1), episodes=(b"no episode",))
    with pytest.raises(StoreError):
        coordinator.take("a", broken)
    assert store.waiting == []


def test_nobody_gets_more_to_do_while_the_learner_is_behind(store: SlowStore) -> None:
    unread = 11
    coordinator = Coordinator(
        store.add_packed_later,
        Numbered(6),
        acknowledged=lambda _: None,
        unread=lambda: unread,
        max_unread=10,
    )
    coordinator.join("a")
    coordinator.take("a", response(1, wanted=2))
    assert jobs(coordinator.request("a", patience=0.0)) == []
    assert coordinator.gauges()["cluster/held_back"] == 2
    assert coordinator.gauges()["cluster/unread"] == 11
    unread = 10
    coordinator.take("a", response(1, wanted=2))
    assert jobs(coordinator.request("a", patience=0.0)) == ["j0", "j1"]
    assert coordinator.gauges()["cluster/held_back"] == 0


def test_nobody_gets_more_to_do_while_the_rate_limiter_holds(store: SlowStore) -> None:
    held = True
    coordinator = Coordinator(
        store.add_packed_later, Numbered(6), acknowledged=lambda _: None, held=lambda: held
    )
    coordinator.join("a")
    coordinator.take("a", response(1, wanted=2))
    assert jobs(coordinator.request("a", patience=0.0)) == []
    held = False
    coordinator.take("a", response(1, wanted=2))
    assert jobs(coordinator.request("a", patience=0.0)) == ["j0", "j1"]


def test_numbers_of_hosts_are_put_together_and_survive_them(coordinator: Coordinator) -> None:
    coordinator.join("b")
    numbers = {
        "collect/device_seconds": 6.0,
        "collect/wall_seconds": 8.0,
        "batcher/version": 5.0,
        "batcher/batch": 2.0,
    }
    coordinator.take("a", response(1, gauges=numbers))
    others = {**numbers, "batcher/version": 4.0, "batcher/batch": 4.0}
    coordinator.take("b", response(1, gauges=others))
    gauges = coordinator.gauges()
    assert gauges["collect/device_seconds"] == 12.0
    assert gauges["collect/utilisation"] == 0.75
    assert gauges["batcher/version"] == 4.0
    assert gauges["batcher/batch"] == 3.0
    coordinator.leave("b")
    gauges = coordinator.gauges()
    assert gauges["collect/device_seconds"] == 12.0
    assert gauges["batcher/version"] == 5.0
    assert (gauges["cluster/hosts"], gauges["cluster/hosts_lost"]) == (1.0, 1.0)


def test_a_packet_travels_as_checked_bytes() -> None:
    sent = response(4, "j0", wanted=2, gauges={"batcher/batch": 1.5})
    assert RESPONSE.decode(RESPONSE.encode(sent)) == sent
    with pytest.raises(StoreError, match="damaged"):
        RESPONSE.decode(RESPONSE.encode(sent)[:-1])


def test_the_same_episode_twice_is_stored_once(tmp_path: Path) -> None:
    told: list[Episode] = []
    with SqliteStore(tmp_path / "episodes.sqlite") as store:
        coordinator = Coordinator(store.add_packed_later, Numbered(6), acknowledged=told.append)
        for host in ("a", "b"):
            coordinator.join(host)
            coordinator.take(host, response(1, "j0"))
            stored = partial(
                lambda name: coordinator.request(name, patience=0.0).durable == 1, host
            )
            assert RealClock().wait_until(stored, timeout=DEADLINE)
        assert store.ids() == ["j0"]
        assert store.get("j0").id == "j0"
