"""Hosts that fail in every way that Ray reports; nothing here starts Ray."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from tests.run.conftest import small_config

pytest.importorskip("ray")

import ray
from ray import exceptions

from distrl.run.ray_engine import host_client
from distrl.run.ray_engine.host_client import HostClient, HostFailed, HostLost, is_due
from distrl.run.ray_engine.host_slots import Slot
from distrl.run.ray_engine.protocol import RESPONSE, HostResponse

SLOT = Slot("a" * 56, 0, "10.0.0.2")

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

    def build(*answers: object, host_timeout_seconds: float = 60.0) -> tuple[HostClient, FakeRay]:
        fake = FakeRay(*answers)
        call = SimpleNamespace(remote=fake.ask)
        actor = SimpleNamespace(ready=call, exchange=call, load=call, close=call)
        made = SimpleNamespace(remote=lambda *_, **__: actor)
        monkeypatch.setattr(ray, "remote", lambda _: SimpleNamespace(options=lambda **_: made))
        monkeypatch.setattr(ray, "get", fake.get)
        monkeypatch.setattr(ray, "wait", lambda refs, timeout: (refs, []))
        monkeypatch.setattr(host_client, "_RECONNECT_SECONDS", 0.001)
        config = small_config(f"cluster.host_timeout_seconds={host_timeout_seconds}")
        return HostClient(SLOT, config, beside_learner=False), fake

    return build


Build = Callable[..., tuple[HostClient, FakeRay]]


def name_of(error: BaseException) -> str:
    return type(error).__name__


EMPTY = HostResponse(first=1, episodes=(), wanted=0, version=1, gauges={})


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
    made, _ = client(error, host_timeout_seconds=0.01)
    with pytest.raises(HostLost, match=r"said nothing for 0\.01 s"):
        made.exchange(b"", threading.Event())


def test_a_broken_line_is_no_readiness(client: Build) -> None:
    broken = exceptions.ActorUnavailableError("the line broke", None)
    made, fake = client(broken, broken, "no adb here")
    assert made.wait_ready(threading.Event()) == "no adb here"
    assert fake.asked == 3


def test_a_host_is_asked_again_when_the_line_broke_and_once_when_it_is_slow(client: Build) -> None:
    broken = exceptions.ActorUnavailableError("the line broke", None)
    answer = RESPONSE.encode(EMPTY)
    made, fake = client(broken, exceptions.GetTimeoutError("late"), answer)
    assert made.exchange(b"", threading.Event()) == EMPTY
    assert fake.asked == 2


@pytest.mark.parametrize("error", GONE, ids=name_of)
def test_weights_that_got_lost_are_no_error_of_the_offer(
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


def test_a_host_is_sent_a_version_once() -> None:
    assert is_due(3, sent=2, under_way=False, waited=0.1)
    assert not is_due(3, sent=3, under_way=False, waited=100.0)


def test_versions_do_not_pile_up_in_front_of_a_host_that_is_busy_with_one() -> None:
    assert not is_due(9, sent=2, under_way=True, waited=0.5)


def test_weights_that_nobody_took_for_seconds_are_not_waited_for() -> None:
    assert is_due(9, sent=2, under_way=True, waited=6.0)
