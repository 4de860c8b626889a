"""Clusters from an inventory file: starts the nodes of this machine, prints commands for others.

    cluster.yaml --> up --> watchdog[N] --> node[N]          child processes, known by their ids
                       +-> commands to run elsewhere       nothing here logs in anywhere
    STATE/clusters/NAME.json   what `up` started; `down` ends exactly that

A node belongs to this machine if its address does.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from distrl.config import RunConfig
from distrl.config.inventory import InventoryConfig, NodeConfig
from distrl.config.load import checked, read_tree
from distrl.errors import ConfigError
from distrl.run.processes.child import OwnProcess
from distrl.run.ray_cluster.access import (
    Access,
    check_address,
    check_host,
    default_token_file,
    is_loopback,
    make_token,
)
from distrl.weights.atomic_files import write_whole

if TYPE_CHECKING:
    from distrl.run.ray_cluster.node import NodeState

UP_SECONDS = 120.0
"""Longest wait until all nodes have joined: seconds, but many on a machine that is busy."""
_DOWN_SECONDS = 25.0
"""More than a watchdog takes to end its node and kill what is left."""
_POLL = 0.05
_ours: dict[int, OwnProcess] = {}
"""Watchdogs that this process has started, by process id: only their parent can reap them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """A watchdog that was started on this machine."""

    node: str
    """The address of its node."""
    pid: int
    born: str
    """Start time of its process, in clock ticks: with it, a recycled process id is recognised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterState:
    """A cluster as far as it was started on this machine; kept in a file for `down`."""

    name: str
    address: str
    token_file: str
    folder: str
    """Logs and sockets."""
    started: tuple[Started, ...] = ()

    @property
    def access(self) -> Access:
        """How to reach it."""
        return Access(self.address, Path(self.token_file))


def load_inventory(path: Path) -> InventoryConfig:
    """Read an inventory file; ConfigError names everything that is wrong with it."""
    tree = read_tree(path)
    workers = tree.get("workers")
    if not (workers is None or isinstance(workers, list)):
        raise ConfigError(f"{path}: workers: a list of machines is wanted, got {workers!r}")
    tree["workers"] = tuple(workers or ())
    inventory = checked(InventoryConfig, tree, where=str(path))
    for node in (inventory.head, *inventory.workers):
        check_host(node.address)
    away = [node.address for node in inventory.workers if not is_loopback(node.address)]
    if away and is_loopback(inventory.head.address):
        raise ConfigError(
            f"{path}: {away[0]} cannot reach a head at {inventory.head.address}; give head.address "
            "an address in the same network"
        )
    return inventory


def access_of(config: RunConfig) -> Access:
    """The access to a run's cluster: as the run says, or else the one started on this machine."""
    state = None if config.address is not None else find_state("default")
    if config.address is None and state is None:
        raise ConfigError(
            "engine is ray, and no cluster was started here: distrl cluster up, or give its "
            "address: address=HOST:PORT"
        )
    address = check_address(config.address or (state.address if state else ""))
    given = config.cluster.token_file or (state.token_file if state else None)
    return Access(address, Path(given).expanduser() if given else default_token_file())


def enter_cluster(config: RunConfig) -> None:
    """ConfigError, within seconds, unless a run's cluster answers and accepts the token."""
    access = access_of(config)
    access.enter()
    try:
        # Imported here: Ray is an extra, and reads the environment when it is imported.
        from distrl.run.ray_cluster.node import check_access
    except ModuleNotFoundError as cause:
        raise ConfigError(
            f"engine is ray, which needs pip install 'distrl[cluster]' ({cause.name} is missing)"
        ) from cause
    require_node_here(access, [node.address for node in check_access(access) if node.alive])


def require_node_here(access: Access, addresses: Sequence[str]) -> None:
    """ConfigError unless this machine is a node: Ray accepts drivers on nodes only."""
    if not any(is_here(address) for address in addresses):
        raise ConfigError(
            f"this machine is no node of the cluster at {access.address}, which has nodes at "
            f"{', '.join(sorted(set(addresses))) or 'no address'}; train on the head, or make this "
            f"machine a node first: distrl cluster join --head {access.address} --device-hosts 0"
        )


def state_file(name: str) -> Path:
    """The file of a cluster's state."""
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "distrl" / "clusters" / f"{name}.json"


def find_state(name: str) -> ClusterState | None:
    """The state of the cluster of a name; None if none was started."""
    try:
        tree: dict[str, Any] = json.loads(state_file(name).read_text())
    except FileNotFoundError:
        return None
    started = tuple(Started(**one) for one in tree.pop("started"))
    return ClusterState(**tree, started=started)


def _write(state: ClusterState) -> None:
    path = state_file(state.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(asdict(state), indent=1).encode())


def bring_up(inventory: InventoryConfig) -> ClusterState:
    """Start the watchdogs of all nodes on this machine; ConfigError when it is up already."""
    before = find_state(inventory.name)
    if before is not None and any(is_running(one) for one in before.started):
        raise ConfigError(
            f"the cluster {inventory.name!r} is up at {before.address}; "
            f"end it first: distrl cluster down --name {inventory.name}"
        )
    given = inventory.token_file
    token = Path(given).expanduser().absolute() if given else default_token_file()
    make_token(token)
    # In /tmp, for Ray's sockets are inside and their paths have 107 characters at most; mkdtemp
    # makes it accessible to its owner only.
    folder = Path(tempfile.mkdtemp(prefix="distrl-"))
    state = ClusterState(
        name=inventory.name,
        address=f"{inventory.head.address}:{inventory.port}",
        token_file=str(token),
        folder=str(folder),
    )
    for number, node in enumerate((inventory.head, *inventory.workers)):
        if is_here(node.address):
            state = add_node(state, node, head=number == 0)
    if not state.started:
        folder.rmdir()
    return state


def add_node(state: ClusterState, node: NodeConfig, *, head: bool = False) -> ClusterState:
    """Start the watchdog of one more node on this machine; returns the new state."""
    folder = Path(state.folder)
    process = OwnProcess(
        watchdog_arguments(state.address, node, head=head, folder=folder),
        log=folder / f"node-{len(state.started)}.log",
        environment=state.access.environment(),
    )
    _ours[process.pid] = process
    started = Started(node=node.address, pid=process.pid, born=birth_of(process.pid))
    state = replace(state, started=(*state.started, started))
    # After every node: `down` must find each of them, even if starting the next one fails.
    _write(state)
    return state


def watchdog_arguments(
    cluster: str, node: NodeConfig, *, head: bool = False, folder: Path
) -> list[str]:
    """Arguments of a Python process that is the watchdog of a node."""
    settings = {
        "node": node.model_dump(),
        "head": head,
        "cluster": cluster,
        "folder": str(folder / "ray"),
    }
    command = [sys.executable, "-m", "distrl.run.ray_cluster.node", json.dumps(settings)]
    return ["-m", "distrl.run.ray_cluster.watchdog", *command]


def commands_elsewhere(inventory: InventoryConfig, file: Path) -> list[tuple[str, str]]:
    """The address of every other machine, and the command to run there.

    On the head that is `up` with the same file, which starts all its nodes; on others it is `join`.
    """
    head = inventory.head.address
    joining = [node for node in inventory.workers if node.address != head]
    up = shlex.join(["distrl", "cluster", "up", "--file", str(file)])
    commands = [(head, up), *((node.address, join_command(inventory, node)) for node in joining)]
    return [(address, command) for address, command in commands if not is_here(address)]


def join_command(inventory: InventoryConfig, node: NodeConfig) -> str:
    """The command that adds a machine to the cluster, in the foreground."""
    words = ["distrl", "cluster", "join", "--address", node.address]
    words += ["--head", f"{inventory.head.address}:{inventory.port}"]
    words += ["--device-hosts", str(node.device_hosts)]
    if node.learner_hosts:
        words += ["--learner-hosts", str(node.learner_hosts)]
    words += [
        "--cpus",
        str(node.cpus),
        "--gpus",
        str(node.gpus),
        "--object-store-mb",
        str(node.object_store_mb),
    ]
    if inventory.token_file is not None:
        words += ["--token-file", _wherever(inventory.token_file)]
    return shlex.join(words)


def train_command(inventory: InventoryConfig) -> str:
    """The command that trains on the cluster, to be run on its head."""
    words = ["distrl", "train", "engine=ray"]
    words += [f"address={inventory.head.address}:{inventory.port}"]
    if inventory.token_file is not None:
        words += [f"cluster.token_file={_wherever(inventory.token_file)}"]
    return shlex.join(words)


def _wherever(path: str) -> str:
    """A path that does not depend on the folder; `~` stays, for homes differ between machines."""
    return path if path.startswith("~") else str(Path(path).absolute())


def wait_for_nodes(state: ClusterState, *, timeout: float) -> list[NodeState]:
    """Wait until all nodes that were started here have joined; ConfigError when they do not."""
    state.access.enter()
    # Imported here: Ray reads the environment when it is.
    from distrl.run.ray_cluster.node import list_nodes, read_environment_again

    read_environment_again()
    deadline, problem = time.monotonic() + timeout, ConfigError("no node has joined")
    while time.monotonic() < deadline and all(is_running(one) for one in state.started):
        try:
            nodes = [node for node in list_nodes(state.access) if node.alive]
        except ConfigError as error:
            problem = error
        else:
            # At least: nodes of other machines may have joined already.
            if len(nodes) >= len(state.started):
                return nodes
        time.sleep(_POLL)
    told = Path(state.folder) / "node-0.log"
    last = told.read_text("utf-8", errors="replace").splitlines()[-5:] if told.exists() else []
    raise ConfigError(
        f"the cluster did not come up within {timeout:g} s: {problem}"
        + "".join(f"\n    {line}" for line in last)
    )


@contextmanager
def cluster_here(inventory: InventoryConfig) -> Iterator[ClusterState]:
    """A cluster on this machine, up inside the block."""
    state = bring_up(inventory)
    try:
        wait_for_nodes(state, timeout=UP_SECONDS)
        yield find_state(state.name) or state
    finally:
        take_down(find_state(state.name) or state)


def take_down(state: ClusterState) -> list[int]:
    """End what `up` has started, by process id; returns the ids of those that had to be killed."""
    running = [one for one in state.started if is_running(one)]
    # Workers first: one that loses its head logs errors and tries to reconnect.
    for one in reversed(running):
        os.kill(one.pid, signal.SIGTERM)
    deadline = time.monotonic() + _DOWN_SECONDS
    while any(is_running(one) for one in running) and time.monotonic() < deadline:
        time.sleep(_POLL)
    killed = [one for one in running if is_running(one)]
    for one in killed:
        os.kill(one.pid, signal.SIGKILL)
    for one in running:
        if one.pid in _ours:
            _ours.pop(one.pid).wait(_DOWN_SECONDS)
    state_file(state.name).unlink(missing_ok=True)
    shutil.rmtree(state.folder, ignore_errors=True)
    return [one.pid for one in killed]


def is_running(started: Started) -> bool:
    """Whether a watchdog is running; another process of the same id is not taken for it."""
    return bool(started.born) and birth_of(started.pid) == started.born


def birth_of(pid: int) -> str:
    """The start time of a process; empty when there is none, or it is a zombie."""
    try:
        # The name of a process is in brackets and may hold anything, so fields are counted after
        # it.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]


def is_here(address: str) -> bool:
    """Whether an address belongs to this machine: only then a socket can be bound to it."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((address, 0))
    except OSError:
        return False
    return True
