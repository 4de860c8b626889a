from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from tests.policies.pointer.fakes import FakeTextEncoder
from tests.run.conftest import small_config

from distrl.errors import StoreError
from distrl.run.builders.pointer import build_pointer
from distrl.run.ray_cluster.watchdog import descendants
from distrl.run.ray_engine import host_actor
from distrl.run.ray_engine.host_actor import HostActor, build_host, leave_learners_core
from distrl.run.ray_engine.protocol import REQUEST, RESPONSE, HostRequest, HostResponse
from distrl.tasks.suites import load_suite

DEADLINE = 60.0
POLL = REQUEST.encode(HostRequest(after=3, durable=2, jobs=(), version=0, patience=0.0))


class FakeHost:
    """Keeps what it is told, and says how often it was asked."""

    def __init__(self) -> None:
        self.loaded: list[tuple[bytes, int]] = []
        self.asked: list[HostRequest] = []
        self.closed = 0

    def load(self, data: bytes, version: int) -> bool:
        self.loaded.append((data, version))
        return version > 1

    def exchange(self, request: HostRequest) -> HostResponse:
        self.asked.append(request)
        return HostResponse(first=request.after + 1, episodes=(), wanted=2, version=1, gauges={})

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeHost:
    host = FakeHost()
    monkeypatch.setattr(host_actor, "build_host", lambda name, config: host)
    return host


def test_a_request_is_decoded_answered_and_encoded(fake: FakeHost) -> None:
    actor = HostActor("h", "{}", beside_learner=False)
    assert actor.ready() == ""
    answer = RESPONSE.decode(actor.exchange(POLL))
    assert (answer.first, answer.wanted) == (4, 2)
    assert fake.asked == [REQUEST.decode(POLL)]


def test_a_damaged_request_does_not_reach_the_host(fake: FakeHost) -> None:
    actor = HostActor("h", "{}", beside_learner=False)
    with pytest.raises(StoreError, match="damaged"):
        actor.exchange(POLL[:-1])
    assert fake.asked == []


@pytest.mark.parametrize(("version", "newer"), [(1, False), (2, True)])
def test_weights_are_handed_on_as_bytes(fake: FakeHost, version: int, newer: bool) -> None:
    actor = HostActor("h", "{}", beside_learner=False)
    assert actor.load(version, np.frombuffer(b"sealed", np.uint8)) is newer
    assert fake.loaded == [(b"sealed", version)]


def test_what_keeps_a_host_from_starting_is_told_and_nothing_is_left_to_close() -> None:
    actor = HostActor("h", '{"collect": {"devices": "many"}}', beside_learner=False)
    assert "ConfigError" in actor.ready()
    assert "collect.devices" in actor.ready()
    actor.close()


LEAVES_ALONE = """
import subprocess, sys
line = [sys.executable, "-c", "import time; time.sleep(600)"]
print(subprocess.Popen(line, stdout=subprocess.DEVNULL).pid)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans on")
def test_what_its_devices_start_and_leave_alone_stays_below_the_actor(fake: FakeHost) -> None:
    HostActor("h", "{}", beside_learner=False)
    line = [sys.executable, "-c", LEAVES_ALONE]
    said = subprocess.run(line, stdout=subprocess.PIPE, check=True, timeout=DEADLINE)
    left = int(said.stdout)
    try:
        assert left in descendants(os.getpid())
    finally:
        os.kill(left, signal.SIGKILL)
    os.waitpid(left, 0)


def test_closing_an_actor_closes_its_host(fake: FakeHost) -> None:
    HostActor("h", "{}", beside_learner=False).close()
    assert fake.closed == 1


class Machine:
    """A machine's cores, and which of them this process may use."""

    def __init__(self, cores: set[int]) -> None:
        self.cores = cores

    def pin(self, process: int, cores: set[int]) -> None:
        assert process == 0
        self.cores = set(cores)


def machine_of(cores: int, monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine(set(range(cores)))
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: machine.cores, raising=False)
    monkeypatch.setattr(os, "sched_setaffinity", machine.pin, raising=False)
    return machine


@pytest.mark.parametrize(
    ("cores", "latency", "left"),
    [(4, 0.0, {0, 1, 2}), (1, 0.0, {0}), (4, 0.3, {0, 1, 2, 3})],
    ids=["quick devices", "a single core", "slow devices"],
)
def test_the_learner_has_a_core_of_its_own_beside_quick_devices(
    cores: int, latency: float, left: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = machine_of(cores, monkeypatch)
    leave_learners_core(small_config(f"collect.latency={latency}").model_dump_json())
    assert machine.cores == left


@pytest.mark.parametrize(("beside", "left"), [(True, {0}), (False, {0, 1})])
def test_only_a_host_beside_the_learner_leaves_it_a_core(
    fake: FakeHost, beside: bool, left: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = machine_of(2, monkeypatch)
    HostActor("h", small_config().model_dump_json(), beside_learner=beside)
    assert machine.cores == left


@pytest.fixture
def switching() -> Iterator[None]:
    """Python's own switch interval again afterwards."""
    before = sys.getswitchinterval()
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("switching")
def test_a_host_is_built_by_the_settings_of_its_run(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = FakeTextEncoder()
    monkeypatch.setattr(
        host_actor, "build_acting_bundle", lambda config: build_pointer(config, encoder)
    )
    host = build_host("h", small_config("tasks.suite=starter").model_dump_json())
    try:
        assert sys.getswitchinterval() == pytest.approx(0.001)
        goals = {task.goal for task in load_suite("starter").tasks("train")}
        assert goals <= set(encoder.encoded)  # before the first episode, not during it
        told = host.exchange(HostRequest(after=0, durable=0, jobs=(), version=0, patience=0.0))
        assert (told.episodes, told.wanted, told.failed) == ((), 0, "")
    finally:
        host.close()


def test_a_host_that_nobody_calls_releases_its_devices_and_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told, ended = list[str](), threading.Event()

    class Closing:
        def close(self) -> None:
            told.append("closed")

    monkeypatch.setattr(HostActor, "build", staticmethod(lambda *_: Closing()))
    HostActor("h", "{}", beside_learner=False, abandoned_seconds=0.01, end=ended.set)
    assert ended.wait(30.0)
    assert told == ["closed"]


def test_a_host_that_is_closed_ends_its_process_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()
    monkeypatch.setattr(host_actor, "_ANSWER_SECONDS", 0.0)
    monkeypatch.setattr(HostActor, "build", staticmethod(lambda *_: None))
    actor = HostActor("h", "{}", beside_learner=False, abandoned_seconds=60.0, end=ended.set)
    assert not ended.is_set()
    actor.close()
    assert ended.wait(30.0)
