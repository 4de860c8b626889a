from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from tests.contracts.store import make_episode, make_task

from distrl.clock import RealClock
from distrl.collect.collector import Job
from distrl.errors import StoreError
from distrl.replay.store.packing import PACKED, PackedEpisode, pack
from distrl.replay.store.sqlite import SqliteStore
from distrl.run.ray_engine.coordinator import Hub
from distrl.run.ray_engine.protocol import ORDER, PACKET, Order, Packet
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


def packet(
    first: int, *names: str, wanted: int = 0, gauges: dict[str, float] | None = None
) -> Packet:
    return Packet(
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
def hub(store: SlowStore, told: list[str]) -> Iterator[Hub]:
    hub = Hub(store, Numbered(6), acknowledged=lambda episode: told.append(episode.id))
    hub.join("a")
    yield hub


def jobs(order: Order) -> list[str]:
    return [job.episode_id for job in order.jobs]


def test_a_host_gets_as_many_jobs_as_it_wants(hub: Hub) -> None:
    assert jobs(hub.order("a", patience=0.0)) == []
    hub.take("a", packet(1, wanted=2))
    assert jobs(hub.order("a", patience=0.0)) == ["j0", "j1"]


def test_an_order_is_repeated_until_the_host_answers(hub: Hub) -> None:
    hub.take("a", packet(1, wanted=2))
    first, again = hub.order("a", patience=0.0), hub.order("a", patience=0.0)
    assert first == again
    assert ORDER.decode(ORDER.encode(first)) == first
    hub.take("a", packet(1))
    assert jobs(hub.order("a", patience=0.0)) == []


def test_only_what_is_durable_is_acknowledged(hub: Hub, store: SlowStore, told: list[str]) -> None:
    hub.take("a", packet(1, wanted=2))
    hub.order("a", patience=0.0)
    hub.take("a", packet(1, "j0", "j1"))
    order = hub.order("a", patience=0.0)
    assert (order.after, order.durable, told) == (2, 0, [])
    store.waiting[0][1].set_result(None)
    order = hub.order("a", patience=0.0)
    assert (order.after, order.durable, told) == (2, 1, ["j0"])
    store.finish()
    order = hub.order("a", patience=0.0)
    assert (order.after, order.durable, told) == (2, 2, ["j0", "j1"])


def test_a_store_that_fails_is_told(hub: Hub, store: SlowStore) -> None:
    hub.take("a", packet(1, "j0"))
    store.waiting[0][1].set_exception(StoreError("the disk is full"))
    with pytest.raises(StoreError, match="the disk is full"):
        hub.order("a", patience=0.0)


def test_a_lost_hosts_jobs_go_to_others_under_the_same_names(
    hub: Hub, store: SlowStore, told: list[str]
) -> None:
    hub.join("b")
    hub.take("a", packet(1, wanted=3))
    hub.order("a", patience=0.0)
    hub.take("a", packet(1, "j0"))
    store.finish()
    hub.leave("a")
    assert told == ["j0"]
    hub.take("b", packet(1, wanted=3))
    assert jobs(hub.order("b", patience=0.0)) == ["j1", "j2", "j3"]
    assert hub.gauges()["cluster/jobs_lost"] == 2


def test_a_host_that_comes_back_is_a_new_one(hub: Hub) -> None:
    with pytest.raises(ValueError, match="already"):
        hub.join("a")
    hub.leave("a")
    hub.join("a")
    assert hub.order("a", patience=0.0).after == 0


def test_another_attempt_at_a_job_is_part_of_it(hub: Hub, store: SlowStore) -> None:
    hub.take("a", packet(1, wanted=6))
    hub.order("a", patience=0.0)
    names = ["j0", "j0.1", *(f"j{n}" for n in range(1, 6))]
    hub.take("a", packet(1, *names, wanted=1))
    hub.order("a", patience=0.0)
    assert not hub.done
    store.finish()
    hub.order("a", patience=0.0)
    assert hub.done


def test_it_is_done_when_all_is_played_and_durable(hub: Hub, store: SlowStore) -> None:
    for n in range(6):
        hub.take("a", packet(n + 1, wanted=1))
        assert jobs(hub.order("a", patience=0.0)) == [f"j{n}"]
        hub.take("a", packet(n + 1, f"j{n}"))
    assert not hub.done
    store.finish()
    hub.take("a", packet(7, wanted=1))
    hub.order("a", patience=0.0)
    assert hub.done


def test_a_lost_job_is_done_once_somebody_has_played_it(hub: Hub, store: SlowStore) -> None:
    hub.take("a", packet(1, wanted=7))
    hub.order("a", patience=0.0)
    hub.leave("a")
    assert not hub.done
    hub.join("b")
    hub.take("b", packet(1, wanted=6))
    hub.order("b", patience=0.0)
    hub.take("b", packet(1, *(f"j{n}" for n in range(6))))
    store.finish()
    hub.settle("b")
    assert hub.done


def test_episodes_with_a_gap_are_refused(hub: Hub) -> None:
    with pytest.raises(StoreError, match="from 3 on, not from 1"):
        hub.take("a", packet(3, "j0"))


def test_what_is_no_episode_is_refused(hub: Hub, store: SlowStore) -> None:
    broken = replace(packet(1), episodes=(b"no episode",))
    with pytest.raises(StoreError):
        hub.take("a", broken)
    assert store.waiting == []


def test_nobody_gets_more_to_do_while_the_learner_is_behind(store: SlowStore) -> None:
    unread = 11
    hub = Hub(
        store,
        Numbered(6),
        acknowledged=lambda _: None,
        unread=lambda: unread,
        most_unread=10,
    )
    hub.join("a")
    hub.take("a", packet(1, wanted=2))
    assert jobs(hub.order("a", patience=0.0)) == []
    assert hub.gauges()["cluster/held_back"] == 2
    assert hub.gauges()["cluster/unread"] == 11
    unread = 10
    hub.take("a", packet(1, wanted=2))
    assert jobs(hub.order("a", patience=0.0)) == ["j0", "j1"]
    assert hub.gauges()["cluster/held_back"] == 0


def test_numbers_of_hosts_are_put_together_and_survive_them(hub: Hub) -> None:
    hub.join("b")
    numbers = {
        "collect/device_seconds": 6.0,
        "collect/wall_seconds": 8.0,
        "batcher/version": 5.0,
        "batcher/batch": 2.0,
    }
    hub.take("a", packet(1, gauges=numbers))
    others = {**numbers, "batcher/version": 4.0, "batcher/batch": 4.0}
    hub.take("b", packet(1, gauges=others))
    gauges = hub.gauges()
    assert gauges["collect/device_seconds"] == 12.0
    assert gauges["collect/utilisation"] == 0.75
    assert gauges["batcher/version"] == 4.0
    assert gauges["batcher/batch"] == 3.0
    hub.leave("b")
    gauges = hub.gauges()
    assert gauges["collect/device_seconds"] == 12.0
    assert gauges["batcher/version"] == 5.0
    assert (gauges["cluster/hosts"], gauges["cluster/hosts_lost"]) == (1.0, 1.0)


def test_a_packet_travels_as_checked_bytes() -> None:
    sent = packet(4, "j0", wanted=2, gauges={"batcher/batch": 1.5})
    assert PACKET.decode(PACKET.encode(sent)) == sent
    with pytest.raises(StoreError, match="damaged"):
        PACKET.decode(PACKET.encode(sent)[:-1])


def test_the_same_episode_twice_is_stored_once(tmp_path: Path) -> None:
    told: list[Episode] = []
    with SqliteStore(tmp_path / "episodes.sqlite") as store:
        hub = Hub(store, Numbered(6), acknowledged=told.append)
        for host in ("a", "b"):
            hub.join(host)
            hub.take(host, packet(1, "j0"))
            stored = partial(lambda name: hub.order(name, patience=0.0).durable == 1, host)
            assert RealClock().wait_until(stored, timeout=DEADLINE)
        assert store.ids() == ["j0"]
        assert store.get("j0").id == "j0"
