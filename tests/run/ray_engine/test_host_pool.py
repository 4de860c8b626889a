"""A pool of hosts some of which never work; nothing here starts Ray."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from tests.contracts.store import make_episode, make_task
from tests.run.conftest import small_config

pytest.importorskip("ray")

import ray

from distrl.clock import RealClock
from distrl.collect.jobs import Job
from distrl.errors import PipelineError
from distrl.replay.store.packing import PACKED, PackedEpisode, pack
from distrl.run.processes.supervisor import Supervisor
from distrl.run.ray_cluster.node import NodeState
from distrl.run.ray_engine import host_pool, restart_backoff
from distrl.run.ray_engine.coordinator import Coordinator
from distrl.run.ray_engine.host_pool import HostPool
from distrl.run.ray_engine.host_slots import Slot
from distrl.run.ray_engine.protocol import REQUEST, HostResponse

DEADLINE = 30.0


def response(*names: str, first: int = 1, wanted: int = 0) -> HostResponse:
    blobs = tuple(PACKED.encode(pack(make_episode(name), codec="png")) for name in names)
    return HostResponse(first=first, episodes=blobs, wanted=wanted, version=1, gauges={})


class Jobs:
    """So many."""

    def __init__(self, limit: int) -> None:
        self._names = iter(f"j{number}" for number in range(limit))

    def next(self) -> Job | None:
        name = next(self._names, None)
        return None if name is None else Job(task=make_task(), episode_id=name, seed=0)


class Store:
    """Durable at once."""

    def add_packed_later(self, packed: PackedEpisode) -> Future[None]:
        del packed
        stored: Future[None] = Future()
        stored.set_result(None)
        return stored


class FakeHost:
    """The host at 10.0.0.9 never works; others do when it has failed often."""

    failures = 0
    garbage = False
    ended: ClassVar[list[tuple[str, str]]] = []
    """Which host was told what at its end."""

    def __init__(self, slot: Slot, *_: object, **__: object) -> None:
        self.slot = slot
        self._wanted = 1

    def wait_ready(self, stopping: threading.Event) -> str:
        del stopping
        return "" if self.garbage or not self._bad else self._fail()

    def exchange(self, request: bytes, stopping: threading.Event) -> HostResponse | None:
        told = REQUEST.decode(request)
        if self._bad:
            self._fail()
            return HostResponse(first=1, episodes=(b"none",), wanted=0, version=1, gauges={})
        while FakeHost.failures < 2 * restart_backoff.FAILURES and not stopping.is_set():
            stopping.wait(0.001)
        names = [job.episode_id for job in told.jobs]
        return response(*names, first=told.after + 1, wanted=1)

    @property
    def _bad(self) -> bool:
        return self.slot.address == "10.0.0.9"

    def _fail(self) -> str:
        FakeHost.failures += 1
        return "no adb here"

    def close(self) -> None:
        FakeHost.ended.append((self.slot.address, "close"))

    def kill(self) -> None:
        FakeHost.ended.append((self.slot.address, "kill"))


class Relay:
    version = 0

    def add(self, client: Any) -> None:
        """Nothing is sent."""

    remove = resend_to = add


def node(name: str, address: str) -> NodeState:
    return NodeState(
        id=name * 8, address=address, alive=True, device_hosts=1, learner_hosts=0, cpus=1, gpus=0
    )


GOOD, BAD = node("a", "10.0.0.2"), node("b", "10.0.0.9")


@pytest.fixture
def build_pool(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[HostPool, Coordinator]]:
    def build(*nodes: NodeState, garbage: bool = False) -> tuple[HostPool, Coordinator]:
        here = SimpleNamespace(get_node_id=lambda: nodes[0].id)
        monkeypatch.setattr(ray, "get_runtime_context", lambda: here)
        monkeypatch.setattr(host_pool, "list_nodes", lambda access: list(nodes))
        monkeypatch.setattr(host_pool, "HostClient", FakeHost)
        monkeypatch.setattr(host_pool, "_LOOK_SECONDS", 0.005)
        monkeypatch.setattr(host_pool, "_EXCHANGE_PAUSE", 0.001)
        monkeypatch.setattr(restart_backoff, "_FIRST_PAUSE", 0.0)
        monkeypatch.setattr(FakeHost, "failures", 0)
        monkeypatch.setattr(FakeHost, "garbage", garbage)
        monkeypatch.setattr(FakeHost, "ended", [])
        coordinator = Coordinator(
            Store().add_packed_later, Jobs(3), acknowledged=lambda episode: None
        )
        anybody: Any = None
        relay: Any = Relay()
        return HostPool(small_config(), anybody, coordinator, relay), coordinator

    return build


@pytest.mark.parametrize("garbage", [False, True], ids=["says why", "sends garbage"])
def test_one_host_that_never_works_does_not_end_the_others_training(
    build_pool: Callable[..., tuple[HostPool, Coordinator]], garbage: bool
) -> None:
    pool, coordinator = build_pool(GOOD, BAD, garbage=garbage)
    supervisor = Supervisor()
    supervisor.start("host pool", lambda _: pool.run(supervisor), may_end=True)
    try:
        assert supervisor.wait(lambda: coordinator.done, timeout=DEADLINE)
    finally:
        supervisor.stop(timeout=DEADLINE)
    assert FakeHost.failures >= 2 * restart_backoff.FAILURES
    assert [what for where, what in FakeHost.ended if where == "10.0.0.2"] == ["close", "kill"]


def test_a_run_ends_when_no_host_works_and_says_why(
    build_pool: Callable[..., tuple[HostPool, Coordinator]],
) -> None:
    pool, _ = build_pool(BAD)
    supervisor = Supervisor()
    supervisor.start("host pool", lambda _: pool.run(supervisor))
    with pytest.raises(PipelineError, match=r"no host works(?s:.*)no adb here"):
        supervisor.wait(lambda: False, timeout=DEADLINE)
    assert RealClock().wait_until(lambda: not supervisor.running(), timeout=DEADLINE)
    assert FakeHost.failures == restart_backoff.FAILURES
