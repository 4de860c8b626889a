"""One node of a Ray cluster in the foreground: `python -m distrl.run.ray_cluster.node SETTINGS`.

`watchdog` restarts it when it ends. All processes of the node die with it, however it dies. It
replaces `ray start`, which cannot start a second node on the loopback interface, and listens on
every interface there.
"""

from __future__ import annotations

import json
import logging
import signal
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from ray._private import ray_constants
from ray._private.node import Node
from ray._private.parameter import RayParams
from ray._raylet import AuthenticationTokenLoader, Config, GcsClient
from ray.exceptions import AuthenticationError, RpcError

from distrl.config.inventory import NodeConfig
from distrl.errors import ConfigError
from distrl.run.ray_cluster.access import Access, require_token
from distrl.run.ray_cluster.watchdog import UP, die_with_parent

_CONNECT_SECONDS = 2.0
"""Longest wait for a head to accept a connection, and for its answer: it is in the same network."""
_POLL = 0.5
_MEGABYTE = 2**20
_log = logging.getLogger(__name__)


class NobodyAnswers(ConfigError):  # noqa: N818 - the name says what happened
    """No cluster answers at an address, or not yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSettings:
    """What the process of a node is told."""

    node: NodeConfig
    head: bool
    cluster: str
    """HOST:PORT of the head, which may be this node."""
    folder: str
    """For Ray's logs and sockets; short, for a socket's path has 107 characters at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeState:
    """What the head knows of one node."""

    id: str
    address: str
    alive: bool
    device_hosts: int
    learner_hosts: int
    cpus: int
    gpus: int


def check_access(access: Access) -> list[NodeState]:
    """The nodes of a cluster; raises ConfigError, within seconds, as `list_nodes` does.

    Call it before Ray is used in this process.
    """
    read_environment_again()
    return list_nodes(access)


def list_nodes(access: Access) -> list[NodeState]:
    """The nodes that the head knows, dead or alive.

    Raises NobodyAnswers when no head answers, and ConfigError when it refuses the token.
    """
    require_token(access.token_file)
    # First a plain connection: Ray's own client retries one that is refused for much longer.
    try:
        socket.create_connection((access.host.strip("[]"), access.port), _CONNECT_SECONDS).close()
    except OSError as error:
        raise NobodyAnswers(
            f"nobody answers at {access.address} ({error}); is the cluster up? "
            f"distrl cluster status"
        ) from None
    try:
        found = GcsClient(address=access.address).get_all_node_info(timeout=_CONNECT_SECONDS)
    except AuthenticationError:
        raise ConfigError(
            f"the cluster at {access.address} refuses the token in {access.token_place}: every "
            f"machine needs the token of the head"
        ) from None
    except RpcError as error:
        raise NobodyAnswers(f"{access.address} is no Ray cluster that answers: {error}") from None
    return [
        NodeState(
            id=node.node_id.hex(),
            address=node.node_manager_address,
            alive=node.state == 0,
            device_hosts=int(node.resources_total.get("device_host", 0)),
            learner_hosts=int(node.resources_total.get("learner_host", 0)),
            cpus=int(node.resources_total.get("CPU", 0)),
            gpus=int(node.resources_total.get("GPU", 0)),
        )
        for node in found.values()
    ]


def read_environment_again() -> None:
    """Have Ray read the environment once more, in case it was imported before `Access.enter`."""
    ray_constants.ENABLE_RAY_CLUSTER = ray_constants.env_bool(
        ray_constants.ENABLE_RAY_CLUSTERS_ENV_VAR, True
    )
    Config.initialize("")
    AuthenticationTokenLoader.instance().reset_cache()


def start_node(settings: NodeSettings) -> Node:
    """Start all processes of a node; they end with this one."""
    node, port = settings.node, settings.cluster.rpartition(":")[2]
    where = {"gcs_server_port": int(port)} if settings.head else {"gcs_address": settings.cluster}
    params = RayParams(
        node_ip_address=node.address,
        num_cpus=node.cpus,
        num_gpus=node.gpus,
        resources={
            name: count
            for name, count in (
                ("device_host", node.device_hosts),
                ("learner_host", node.learner_hosts),
            )
            if count
        },
        object_store_memory=node.object_store_mb * _MEGABYTE,
        # Nothing here uses Ray's dashboard, which would listen on one more port, nor its monitors.
        include_dashboard=False,
        include_log_monitor=False,
        no_monitor=True,
        # A free port: the fixed default would keep a second node off the same machine.
        dashboard_agent_listen_port=0,
        temp_dir=settings.folder,
        **where,
    )
    return Node(params, head=settings.head, shutdown_at_exit=True, spawn_reaper=True)


def main(argv: list[str]) -> int:
    """Run a node until SIGTERM; returns 1 when one of its processes ends by itself."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    die_with_parent()
    told = json.loads(argv[0])
    settings = NodeSettings(**{**told, "node": NodeConfig(**told["node"])})
    Path(settings.folder).mkdir(mode=0o700, parents=True, exist_ok=True)
    node = start_node(settings)
    _log.info("%s: %s of the cluster %s", UP, settings.node.address, settings.cluster)

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        node.kill_all_processes(check_alive=False, allow_graceful=True)
        sys.exit(0)

    signal.signal(signal.SIGTERM, stop)
    while not (dead := node.dead_processes()):
        time.sleep(_POLL)
    for name, process in dead:
        _log.error("%s ended with code %s; so does the node", name, process.returncode)
    node.kill_all_processes(check_alive=False, allow_graceful=False)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
