"""`distrl cluster`: start, look at and end a Ray cluster to train on."""

from __future__ import annotations

import signal
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from distrl.cli.arguments import Commands, run_subcommand
from distrl.cli.output import print_json, print_table
from distrl.errors import ConfigError

if TYPE_CHECKING:
    from distrl.run.ray_cluster.access import Access
    from distrl.run.ray_cluster.inventory import ClusterState
    from distrl.run.ray_cluster.node import NodeState
    from distrl.run.ray_cluster.watchdog import Watchdog

_MISSING = "a cluster needs Ray: pip install 'distrl[cluster]'"
_OPEN = (
    "Ray listens on all addresses of each machine, not on the cluster's alone. Close the others, "
    "such as: sudo ufw default deny incoming && sudo ufw allow ssh && "
    "sudo ufw allow in on wg0 && sudo ufw enable (docs/security.md)"
)
_LOOK_SECONDS = 0.5


@dataclass(frozen=True, kw_only=True)
class UpArguments:
    """Start the nodes of a cluster on this machine, and say what to run on the others.

    A token is made if there is none; every node and every run on the cluster needs it.
    """

    file: str | None = None
    """YAML file that names the machines of the cluster; without it, one node on the loopback."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class StatusArguments:
    """Show the nodes of a cluster and the processes that were started on this machine."""

    name: str = "default"
    """Name of the cluster."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class DownArguments:
    """End the processes that `up` has started on this machine, and no others.

    Nodes on other machines are ended there.
    """

    name: str = "default"
    """Name of the cluster."""


@dataclass(frozen=True, kw_only=True)
class JoinArguments:
    """Run a node of a cluster in the foreground until Ctrl-C; it is restarted when it dies."""

    head: str
    """HOST:PORT of the cluster's head."""
    address: str | None = None
    """This machine's address in the network of the cluster; by default the one from which it
    reaches the head."""
    device_hosts: int = 1
    """Processes that collect on this machine; each has as many devices as the run asks for."""
    learner_hosts: int = 0
    """Gradient workers of a learner that this machine makes room for."""
    cpus: int = 2
    """Cores that Ray may use."""
    gpus: int = 0
    """GPUs that Ray may use."""
    object_store_mb: int = 512
    """Memory for Ray's object store, which weights pass through, in MB; at least 100."""
    token_file: str | None = None
    """File with the head's token, copied to this machine; the user's own token by default."""


def _up(arguments: UpArguments) -> int:
    from distrl.config.inventory import InventoryConfig
    from distrl.run.ray_cluster.access import is_loopback
    from distrl.run.ray_cluster.inventory import (
        UP_SECONDS,
        bring_up,
        commands_elsewhere,
        load_inventory,
        take_down,
        train_command,
        wait_for_nodes,
    )

    require_ray()
    given = arguments.file
    inventory = InventoryConfig() if given is None else load_inventory(Path(given))
    state = bring_up(inventory)
    try:
        nodes = wait_for_nodes(state, timeout=UP_SECONDS) if state.started else []
    except BaseException:
        take_down(state)
        raise
    elsewhere = [] if given is None else commands_elsewhere(inventory, Path(given))
    if arguments.json:
        commands = [{"address": where, "command": line} for where, line in elsewhere]
        print_json({**_flat(state, nodes), "elsewhere": commands})
        return 0
    _print_nodes(state, nodes)
    for where, line in elsewhere:
        files = f"{given} and " if where == inventory.head.address else ""
        print(f"On {where}, with {files}{_same_token(state.access)}:\n  {line}")
    if not is_loopback(inventory.head.address):
        print(_OPEN)
    print(f"Train on it, on {inventory.head.address}: {train_command(inventory)}")
    return 0


def _same_token(access: Access) -> str:
    from distrl.run.ray_cluster.access import TOKEN_VARIABLE

    if access.token_given:
        return f"the same {TOKEN_VARIABLE}"
    return f"a copy of {access.token_file} (chmod 600)"


def _status(arguments: StatusArguments) -> int:
    state = _find(arguments.name)
    require_ray()
    nodes = _nodes(state.access)
    if arguments.json:
        print_json(_flat(state, nodes))
    else:
        _print_nodes(state, nodes)
    return 0


def _down(arguments: DownArguments) -> int:
    from distrl.run.ray_cluster.inventory import take_down

    state = _find(arguments.name)
    killed = take_down(state)
    print(f"Ended {len(state.started)} nodes of the cluster {state.name!r}.")
    for pid in killed:
        print(f"Process {pid} did not end in time and was killed.", file=sys.stderr)
    return 0


def _join(arguments: JoinArguments) -> int:
    from distrl.config.inventory import NodeConfig
    from distrl.run.ray_cluster.access import (
        Access,
        check_address,
        check_host,
        default_token_file,
        own_address,
    )
    from distrl.run.ray_cluster.inventory import watchdog_arguments
    from distrl.run.ray_cluster.watchdog import Watchdog

    require_ray()
    for name in ("device_hosts", "learner_hosts", "cpus", "gpus"):
        if getattr(arguments, name) < 0:
            option = f"--{name.replace('_', '-')}"
            raise ConfigError(f"{option} must be at least 0, got {getattr(arguments, name)}")
    if arguments.object_store_mb < 100:
        raise ConfigError(
            f"--object-store-mb must be at least 100, got {arguments.object_store_mb}"
        )
    given = arguments.token_file
    token = Path(given).expanduser() if given else default_token_file()
    access = Access(check_address(arguments.head), token)
    access.enter()
    node = NodeConfig(
        address=check_host(arguments.address or own_address(access.host)),
        device_hosts=arguments.device_hosts,
        learner_hosts=arguments.learner_hosts,
        cpus=arguments.cpus,
        gpus=arguments.gpus,
        object_store_mb=arguments.object_store_mb,
    )
    with tempfile.TemporaryDirectory(prefix="distrl-", ignore_cleanup_errors=True) as folder:
        line = watchdog_arguments(access.address, node, folder=Path(folder))
        # The watchdog is this process: what it keeps begins after its own name.
        watchdog = Watchdog(line[2:])
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: watchdog.stop())
        before = _wait_for_head(access, watchdog)
        if before is not None:
            watch = threading.Thread(
                target=_tell_when_up, args=(access, node.address, before, watchdog), daemon=True
            )
            watch.start()
            watchdog.run()
    return 0


def _wait_for_head(access: Access, watchdog: Watchdog) -> list[NodeState] | None:
    """The nodes of a cluster as soon as there is one; None when it is time to stop before.

    ConfigError when it refuses the token: it will not take it later.
    """
    # Imported here: Ray reads the environment when it is.
    from distrl.run.ray_cluster.node import NobodyAnswers, check_access

    told = False
    while not watchdog.stopping:
        try:
            return check_access(access)
        except NobodyAnswers as error:
            if not told:
                print(f"Waiting for the head: {error}. Ctrl-C ends it.", flush=True)
                told = True
            time.sleep(_LOOK_SECONDS)
    return None


def _tell_when_up(
    access: Access, address: str, before: Sequence[NodeState], watchdog: Watchdog
) -> None:
    """Say so when there is a node at an address that was not there before."""
    from distrl.run.ray_cluster.node import list_nodes

    known = {node.id for node in before}
    while not watchdog.stopping:
        # What the cluster does not say now it says later, and what is wrong the node itself tells.
        with suppress(ConfigError):
            nodes = list_nodes(access)
            if any(one.alive and one.address == address and one.id not in known for one in nodes):
                print(f"A node of {access.address} at {address}; Ctrl-C ends it.", flush=True)
                return
        time.sleep(_LOOK_SECONDS)


def _find(name: str) -> ClusterState:
    from distrl.run.ray_cluster.inventory import find_state

    state = find_state(name)
    if state is None:
        raise ConfigError(f"no cluster {name!r} was started here: distrl cluster up")
    return state


def require_ray() -> None:
    """ConfigError when Ray is not installed."""
    from importlib.util import find_spec

    if find_spec("ray") is None:
        raise ConfigError(_MISSING)


def _nodes(access: Access) -> list[NodeState]:
    access.enter()
    # Imported here: Ray reads the environment when it is.
    from distrl.run.ray_cluster.node import list_nodes

    return list_nodes(access)


def _flat(state: ClusterState, nodes: Sequence[NodeState]) -> dict[str, object]:
    return {
        "name": state.name,
        "address": state.address,
        "token_file": state.token_file,
        "logs": state.folder,
        "nodes": sum(node.alive for node in nodes),
        "device_hosts": sum(node.device_hosts for node in nodes if node.alive),
        "learner_hosts": sum(node.learner_hosts for node in nodes if node.alive),
        "pids": [one.pid for one in state.started],
        "rows": [asdict(node) for node in nodes],
    }


def _print_nodes(state: ClusterState, nodes: Sequence[NodeState]) -> None:
    rows = [
        (
            node.address,
            "yes" if node.alive else "no",
            node.device_hosts,
            node.learner_hosts,
            node.cpus,
            node.gpus,
        )
        for node in nodes
    ]
    title = f"cluster {state.name} at {state.address}"
    headings = ("node", "alive", "device hosts", "learner hosts", "cpus", "gpus")
    print_table(headings, rows, title=title)
    from distrl.run.ray_cluster.inventory import is_running

    running = ", ".join(str(one.pid) for one in state.started if is_running(one))
    print(f"Processes of ours: {running or 'none'}. Logs: {state.folder}")
    print(f"Token: {state.access.token_place}")


COMMANDS: Commands = {
    "up": (UpArguments, _up),
    "status": (StatusArguments, _status),
    "down": (DownArguments, _down),
    "join": (JoinArguments, _join),
}


def main(argv: Sequence[str]) -> int:
    """Run one of the sub-commands."""
    return run_subcommand(
        COMMANDS,
        argv,
        prog="distrl cluster",
        about="Start, look at and end a Ray cluster to train on.",
    )
