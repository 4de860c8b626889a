from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from distrl.run.ray_cluster.network_namespaces import Network, can_make_namespaces, network

pytestmark = pytest.mark.skipif(
    not can_make_namespaces(), reason="this process may not make network namespaces"
)

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
