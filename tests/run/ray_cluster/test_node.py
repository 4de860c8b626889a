"""A node of a Ray cluster, with Ray's own parts replaced; whole clusters are tested elsewhere."""

from __future__ import annotations

import json
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("ray")

from ray.exceptions import AuthenticationError, RpcError

from distrl.config.inventory import NodeConfig
from distrl.errors import ConfigError
from distrl.run.ray_cluster import node as node_module
from distrl.run.ray_cluster.access import TOKEN_VARIABLE, Access
from distrl.run.ray_cluster.node import (
    NobodyAnswers,
    NodeSettings,
    NodeState,
    list_nodes,
    main,
    start_node,
)


@pytest.fixture
def head(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Access]:
    """The address of somebody who accepts connections, and a token."""
    monkeypatch.setenv(TOKEN_VARIABLE, "secret")
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield Access(f"127.0.0.1:{server.getsockname()[1]}", tmp_path / "token")


def answering(answer: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace Ray's client of a head; returns the addresses that it is asked for."""
    asked: list[str] = []

    class Client:
        def __init__(self, address: str) -> None:
            asked.append(address)

        def get_all_node_info(self, timeout: float) -> object:
            assert timeout > 0
            return answer()

    monkeypatch.setattr(node_module, "GcsClient", Client)
    return asked


def failing(error: Exception) -> Callable[[], object]:
    def answer() -> object:
        raise error

    return answer


def info(name: bytes, *, state: int = 0, **resources: float) -> SimpleNamespace:
    return SimpleNamespace(
        node_id=name, node_manager_address="10.0.0.1", state=state, resources_total=resources
    )


def test_nodes_are_listed_with_their_room_dead_or_alive(
    head: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = info(b"\x0a", CPU=4.0, GPU=1.0, device_host=2.0, learner_host=3.0)
    asked = answering(lambda: {1: full, 2: info(b"\x0b", state=1)}, monkeypatch)
    common = {"address": "10.0.0.1"}
    assert list_nodes(head) == [
        NodeState(id="0a", alive=True, device_hosts=2, learner_hosts=3, cpus=4, gpus=1, **common),
        NodeState(id="0b", alive=False, device_hosts=0, learner_hosts=0, cpus=0, gpus=0, **common),
    ]
    assert asked == [head.address]


def test_a_head_that_is_not_there_is_told_before_ray_is_asked(
    head: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answering(dict, monkeypatch)
    with socket.create_server(("127.0.0.1", 0)) as server:
        free = server.getsockname()[1]
    with pytest.raises(NobodyAnswers, match=rf"nobody answers at 127\.0\.0\.1:{free} .*status"):
        list_nodes(Access(f"127.0.0.1:{free}", head.token_file))
    assert asked == []


def test_a_token_that_the_head_refuses_is_an_error_that_waiting_does_not_cure(
    head: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(failing(AuthenticationError("wrong")), monkeypatch)
    with pytest.raises(
        ConfigError, match=f"refuses the token in the variable {TOKEN_VARIABLE}"
    ) as e:
        list_nodes(head)
    assert not isinstance(e.value, NobodyAnswers)


def test_somebody_else_at_the_address_is_no_cluster(
    head: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(failing(RpcError("not a head")), monkeypatch)
    with pytest.raises(NobodyAnswers, match="no Ray cluster that answers: not a head"):
        list_nodes(head)


def test_without_a_token_nobody_is_asked(head: Access, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = answering(dict, monkeypatch)
    monkeypatch.delenv(TOKEN_VARIABLE)
    with pytest.raises(ConfigError, match="there is no token in"):
        list_nodes(head)
    assert asked == []


def settings_of(*, head: bool, folder: Path, **node: Any) -> NodeSettings:
    return NodeSettings(
        node=NodeConfig(**node), head=head, cluster="10.0.0.1:6390", folder=str(folder)
    )


class FakeNode:
    """Ray's node: what it was started with, and how it was ended."""

    started: list[FakeNode]
    dead: list[tuple[str, SimpleNamespace]]

    def __init__(self, params: Any, **how: bool) -> None:
        self.params, self.how = params, how
        self.killed: list[bool] = []
        self.started.append(self)

    def dead_processes(self) -> list[tuple[str, SimpleNamespace]]:
        return self.dead

    def kill_all_processes(self, *, check_alive: bool, allow_graceful: bool) -> None:
        assert not check_alive
        self.killed.append(allow_graceful)


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> list[FakeNode]:
    """The nodes that are started instead of Ray's."""
    FakeNode.started = []
    FakeNode.dead = [("raylet", SimpleNamespace(returncode=9))]
    monkeypatch.setattr(node_module, "Node", FakeNode)
    monkeypatch.setattr(node_module, "die_with_parent", lambda: None)
    return FakeNode.started


def test_a_head_listens_at_its_port_and_a_worker_joins_the_head(
    nodes: list[FakeNode], tmp_path: Path
) -> None:
    start_node(settings_of(head=True, folder=tmp_path))
    start_node(settings_of(head=False, folder=tmp_path))
    head, worker = (node.params for node in nodes)
    assert (head.gcs_server_port, head.gcs_address) == (6390, None)
    assert worker.gcs_address == "10.0.0.1:6390"
    assert [node.how["head"] for node in nodes] == [True, False]


def test_all_processes_of_a_node_end_with_it(nodes: list[FakeNode], tmp_path: Path) -> None:
    start_node(settings_of(head=True, folder=tmp_path))
    assert nodes[0].how["shutdown_at_exit"]
    assert nodes[0].how["spawn_reaper"]


def test_a_node_offers_the_room_that_its_settings_say(
    nodes: list[FakeNode], tmp_path: Path
) -> None:
    room = {"cpus": 3, "gpus": 1, "device_hosts": 2, "learner_hosts": 0, "object_store_mb": 100}
    start_node(settings_of(head=False, folder=tmp_path, **room))
    params = nodes[0].params
    assert (params.num_cpus, params.num_gpus) == (3, 1)
    assert params.resources == {"device_host": 2}  # Ray refuses a resource of which there is none
    assert params.object_store_memory == 100 * 2**20
    assert not params.include_dashboard


@pytest.fixture
def signals(monkeypatch: pytest.MonkeyPatch) -> dict[int, Callable[..., None]]:
    """Handlers that would be installed."""
    installed: dict[int, Callable[..., None]] = {}
    monkeypatch.setattr(
        signal, "signal", lambda number, handler: installed.update({number: handler})
    )
    return installed


def told_as(settings: NodeSettings) -> str:
    return json.dumps(
        {
            "node": settings.node.model_dump(),
            "head": settings.head,
            "cluster": settings.cluster,
            "folder": settings.folder,
        }
    )


@pytest.mark.usefixtures("signals")
def test_a_node_ends_with_the_first_of_its_processes(
    nodes: list[FakeNode], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "deep" / "ray"
    assert main([told_as(settings_of(head=True, folder=folder))]) == 1
    assert nodes[0].killed == [False]
    assert folder.stat().st_mode & 0o777 == 0o700
    assert "raylet ended with code 9" in caplog.text


def test_a_node_that_is_asked_to_end_lets_its_processes_finish(
    nodes: list[FakeNode], tmp_path: Path, signals: dict[int, Callable[..., None]]
) -> None:
    main([told_as(settings_of(head=False, folder=tmp_path))])
    nodes[0].killed.clear()
    with pytest.raises(SystemExit) as ended:
        signals[signal.SIGTERM](signal.SIGTERM, None)
    assert ended.value.code == 0
    assert nodes[0].killed == [True]
