"""Hosts that fail in every way that Ray tells of; nothing here starts Ray."""

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
from ray import exceptions

from distrl.clock import RealClock
from distrl.collect.collector import Job
from distrl.errors import PipelineError
from distrl.replay.store.packing import PACKED, PackedEpisode, pack
from distrl.run.processes.supervisor import Supervisor
from distrl.run.ray_cluster.node import NodeState
from distrl.run.ray_engine import engine, restart_backoff
from distrl.run.ray_engine.coordinator import Coordinator
from distrl.run.ray_engine.engine import HostClient, HostFailed, HostLost, HostPool, Slot
from distrl.run.ray_engine.protocol import REQUEST, RESPONSE, HostResponse

SLOT = Slot("a" * 56, 0, "10.0.0.2")
DEADLINE = 30.0

GONE = [
    exceptions.ActorDiedError(),
    exceptions.ActorUnschedulableError("its node is dead"),
    exceptions.LocalRayletDiedError(),
    exceptions.NodeDiedError("it is off"),
    exceptions.ObjectFetchTimedOutError("00", None, ""),
    exceptions.ObjectLostError("00", None, ""),
    exceptions.OutOfMemoryError("the node is full"),
    exceptions.OwnerDiedError("00", None, ""),
    exceptions.RaySystemError("a socket broke"),
    exceptions.WorkerCrashedError(),
]


class FakeRay:
    """Answers what it is told to, in this order; the last for ever."""

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.asked = 0

    def ask(self, *_: object) -> str:
        self.asked += 1
        return "a reference"

    def get(self, asked: object, timeout: float | None = None) -> object:
        del asked, timeout
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[HostClient, FakeRay]]:
    """A client to a host that answers so."""

    def build(*answers: object, silent_seconds: float = 60.0) -> tuple[HostClient, FakeRay]:
        fake = FakeRay(*answers)
        call = SimpleNamespace(remote=fake.ask)
        actor = SimpleNamespace(ready=call, exchange=call, load=call, close=call)
        made = SimpleNamespace(remote=lambda *_, **__: actor)
        monkeypatch.setattr(engine, "_RayHostActor", SimpleNamespace(options=lambda **_: made))
        monkeypatch.setattr(ray, "get", fake.get)
        monkeypatch.setattr(ray, "wait", lambda refs, timeout: (refs, []))
        monkeypatch.setattr(engine, "_PATIENCE", 0.001)
        config = small_config(f"cluster.silent_seconds={silent_seconds}")
        return HostClient(SLOT, config, beside=False), fake

    return build


Build = Callable[..., tuple[HostClient, FakeRay]]


def name_of(error: BaseException) -> str:
    return type(error).__name__


def response(*names: str, first: int = 1, wanted: int = 0) -> HostResponse:
    blobs = tuple(PACKED.encode(pack(make_episode(name), codec="png")) for name in names)
    return HostResponse(first=first, episodes=blobs, wanted=wanted, version=1, gauges={})


@pytest.mark.parametrize("error", GONE, ids=name_of)
def test_whatever_ray_says_of_a_host_that_is_gone_it_is_lost(
    client: Build, error: BaseException
) -> None:
    made, _ = client(error)
    with pytest.raises(HostLost, match=r"10\.0\.0\.2-aaaaaa-0 is gone"):
        made.exchange(b"", threading.Event())
    with pytest.raises(HostLost, match="is gone"):
        made.wait_ready(threading.Event())


@pytest.mark.parametrize(
    "cause", [AssertionError("no host"), exceptions.ObjectLostError("00", None, "")], ids=name_of
)
def test_an_error_in_the_hosts_own_code_is_its_failure(client: Build, cause: Exception) -> None:
    error = exceptions.RayTaskError("exchange", "what the host told", cause)
    made, _ = client(error.as_instanceof_cause())
    with pytest.raises(HostFailed, match="what the host told"):
        made.exchange(b"", threading.Event())


def test_an_answer_that_is_none_is_the_hosts_failure(client: Build) -> None:
    made, _ = client(b"what another version of us would say")
    with pytest.raises(HostFailed, match="cannot be read"):
        made.exchange(b"", threading.Event())


@pytest.mark.parametrize(
    "error",
    [exceptions.ActorUnavailableError("the line broke", None), exceptions.GetTimeoutError("late")],
    ids=name_of,
)
def test_a_host_that_cannot_be_reached_is_silent_and_then_lost(
    client: Build, error: BaseException
) -> None:
    made, _ = client(error, silent_seconds=0.01)
    with pytest.raises(HostLost, match=r"said nothing for 0\.01 s"):
        made.exchange(b"", threading.Event())


def test_a_broken_line_is_no_readiness(client: Build) -> None:
    broken = exceptions.ActorUnavailableError("the line broke", None)
    made, fake = client(broken, broken, "no adb here")
    assert made.wait_ready(threading.Event()) == "no adb here"
    assert fake.asked == 3


def test_a_host_is_asked_again_when_the_line_broke_and_once_when_it_is_slow(client: Build) -> None:
    broken = exceptions.ActorUnavailableError("the line broke", None)
    answer = RESPONSE.encode(response())
    made, fake = client(broken, exceptions.GetTimeoutError("late"), answer)
    assert made.exchange(b"", threading.Event()) == response()
    assert fake.asked == 2


@pytest.mark.parametrize("error", GONE, ids=name_of)
def test_weights_that_got_lost_are_the_tenders_business(
    client: Build, error: BaseException
) -> None:
    made, fake = client(error)
    made.offer(1, "weights")
    made.offer(2, "weights")
    assert fake.asked == 2


@pytest.mark.parametrize("error", [*GONE, exceptions.GetTimeoutError("late")], ids=name_of)
def test_a_host_that_cannot_let_go_of_its_devices_keeps_nobody(
    client: Build, error: BaseException
) -> None:
    made, fake = client(error)
    made.close()
    assert fake.asked == 1


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


class FakeLink:
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
        while FakeLink.failures < 2 * restart_backoff.FAILURES and not stopping.is_set():
            stopping.wait(0.001)
        names = [job.episode_id for job in told.jobs]
        return response(*names, first=told.after + 1, wanted=1)

    @property
    def _bad(self) -> bool:
        return self.slot.address == "10.0.0.9"

    def _fail(self) -> str:
        FakeLink.failures += 1
        return "no adb here"

    def close(self) -> None:
        FakeLink.ended.append((self.slot.address, "close"))

    def kill(self) -> None:
        FakeLink.ended.append((self.slot.address, "kill"))


class Relay:
    version = 0

    def add(self, client: Any) -> None:
        """Nothing is sent."""

    again = remove = add


def node(name: str, address: str) -> NodeState:
    return NodeState(
        id=name * 8, address=address, alive=True, device_hosts=1, learner_hosts=0, cpus=1, gpus=0
    )


GOOD, BAD = node("a", "10.0.0.2"), node("b", "10.0.0.9")


@pytest.fixture
def herd(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[HostPool, Coordinator]]:
    def build(*nodes: NodeState, garbage: bool = False) -> tuple[HostPool, Coordinator]:
        here = SimpleNamespace(get_node_id=lambda: nodes[0].id)
        monkeypatch.setattr(ray, "get_runtime_context", lambda: here)
        monkeypatch.setattr(engine, "list_nodes", lambda access: list(nodes))
        monkeypatch.setattr(engine, "HostClient", FakeLink)
        monkeypatch.setattr(engine, "_LOOK_SECONDS", 0.005)
        monkeypatch.setattr(engine, "_PACE", 0.001)
        monkeypatch.setattr(restart_backoff, "_FIRST_PAUSE", 0.0)
        monkeypatch.setattr(FakeLink, "failures", 0)
        monkeypatch.setattr(FakeLink, "garbage", garbage)
        monkeypatch.setattr(FakeLink, "ended", [])
        coordinator = Coordinator(Store(), Jobs(3), acknowledged=lambda episode: None)
        anybody: Any = None
        relay: Any = Relay()
        return HostPool(small_config(), anybody, coordinator, relay), coordinator

    return build


@pytest.mark.parametrize("garbage", [False, True], ids=["says why", "sends garbage"])
def test_one_host_that_never_works_does_not_end_the_others_training(
    herd: Callable[..., tuple[HostPool, Coordinator]], garbage: bool
) -> None:
    made, coordinator = herd(GOOD, BAD, garbage=garbage)
    supervisor = Supervisor()
    supervisor.start("herd", lambda _: made.run(supervisor), may_end=True)
    try:
        assert supervisor.wait(lambda: coordinator.done, timeout=DEADLINE)
    finally:
        supervisor.stop(timeout=DEADLINE)
    assert FakeLink.failures >= 2 * restart_backoff.FAILURES
    assert [what for where, what in FakeLink.ended if where == "10.0.0.2"] == ["close", "kill"]


def test_a_run_ends_when_no_host_works_and_says_why(
    herd: Callable[..., tuple[HostPool, Coordinator]],
) -> None:
    made, _ = herd(BAD)
    supervisor = Supervisor()
    supervisor.start("herd", lambda _: made.run(supervisor))
    with pytest.raises(PipelineError, match=r"no host works(?s:.*)no adb here"):
        supervisor.wait(lambda: False, timeout=DEADLINE)
    assert RealClock().wait_until(lambda: not supervisor.running(), timeout=DEADLINE)
    assert FakeLink.failures == restart_backoff.FAILURES
