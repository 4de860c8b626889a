from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from distrl.errors import PipelineError
from distrl.run.ray_cluster.network_namespaces import Network, can_make_namespaces, network

CONNECT = "import socket, sys; socket.create_connection((sys.argv[1], 7000), 1)"
LISTEN = """
import socket
with socket.create_server((ADDRESS, 7000)) as server:
    print("listening", flush=True)
    while True:
        server.accept()[0].close()
"""


def reaches(net: Network, here: int, there: int) -> bool:
    line = [*net.inside(here), sys.executable, "-c", CONNECT, net.address(there)]
    return subprocess.run(line, capture_output=True, timeout=30).returncode == 0


@pytest.mark.skipif(
    not can_make_namespaces(), reason="this process may not make network namespaces"
)
def test_hosts_reach_one_another_until_one_is_cut_off() -> None:
    with network(2) as net:
        listen = LISTEN.replace("ADDRESS", repr(net.address(1)))
        with subprocess.Popen(
            [*net.inside(1), sys.executable, "-c", listen], stdout=subprocess.PIPE
        ) as server:
            try:
                assert server.stdout is not None
                assert server.stdout.readline() == b"listening\n"
                assert reaches(net, 0, 1)
                net.cut_off(1)
                assert not reaches(net, 0, 1)
                net.bring_back(1)
                assert reaches(net, 0, 1)
            finally:
                server.kill()
    assert not any(path.name.startswith(net.prefix) for path in Path("/run/netns").iterdir())


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What `ip` would be asked for; it is not run."""
    lines: list[str] = []

    def run(words: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        lines.append(" ".join(words))
        return subprocess.CompletedProcess(words, 0, "", "")

    monkeypatch.setattr(subprocess, "run", run)
    return lines


def test_every_host_gets_a_namespace_an_address_and_a_port_of_the_bridge(asked: list[str]) -> None:
    Network("x", 2).build()
    for host, address in ((0, "10.201.0.1"), (1, "10.201.0.2")):
        assert f"ip netns add x{host}" in asked
        assert f"ip -netns x{host} address add {address}/24 dev eth0" in asked
        assert f"ip -netns xsw link set port{host} master bridge0 up" in asked


def test_only_the_port_of_one_host_is_taken_down_and_up_again(asked: list[str]) -> None:
    net = Network("x", 3)
    net.cut_off(1)
    net.bring_back(1)
    assert asked == ["ip -netns xsw link set port1 down", "ip -netns xsw link set port1 up"]


def test_what_was_made_is_removed_even_if_the_block_fails(asked: list[str]) -> None:
    def use() -> None:
        with network(2) as net:
            asked.clear()
            asked.append(net.prefix)
            raise KeyError("in the block")

    with pytest.raises(KeyError, match="in the block"):
        use()
    prefix, *removed = asked
    assert removed == [f"ip netns delete {prefix}{name}" for name in ("0", "1", "sw")]


def test_a_command_that_fails_is_told_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(words: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(words, 1, "", "Operation not permitted\n")

    monkeypatch.setattr(subprocess, "run", refuse)
    with pytest.raises(PipelineError, match="ip netns add xsw: Operation not permitted"):
        Network("x", 1).build()
    Network("x", 1).remove()
