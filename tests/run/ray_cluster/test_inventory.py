from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from distrl.config import load_run_config
from distrl.config.inventory import InventoryConfig, NodeConfig
from distrl.errors import ConfigError
from distrl.run.ray_cluster.access import Access
from distrl.run.ray_cluster.inventory import (
    ClusterState,
    Started,
    _write,
    access_of,
    birth_of,
    bring_up,
    commands_elsewhere,
    find_state,
    is_here,
    is_running,
    join_command,
    load_inventory,
    require_node_here,
    take_down,
    train_command,
    watchdog_arguments,
)


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "cluster.yaml"
    path.write_text(text)
    return path


def test_a_file_names_a_head_and_workers(tmp_path: Path) -> None:
    text = "name: lab\nport: 7000\nhead: {gpus: 1}\nworkers:\n  - {device_hosts: 2}\n"
    found = load_inventory(write(tmp_path, text))
    assert (found.name, found.port, found.head.gpus) == ("lab", 7000, 1)
    assert [node.device_hosts for node in found.workers] == [2]


def test_an_empty_file_is_one_node_on_the_loopback(tmp_path: Path) -> None:
    assert load_inventory(write(tmp_path, "")) == InventoryConfig()
    assert InventoryConfig().head.address == "127.0.0.1"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hed: {}", "hed"),
        ("head: {cpus: many}", r"head\.cpus"),
        ("name: ../escape", "name"),
        ("port: 80", "port"),
        ("workers: [{address: 10.0.0.9}]", "cannot reach a head at 127.0.0.1"),
        ("head: {address: 127.0.0.2}", "Ray knows 127.0.0.1 only, got 127.0.0.2"),
        ("workers: 5", "workers: a list of machines is wanted, got 5"),
        ("workers: true", "workers: a list of machines is wanted, got True"),
        ("workers: hello", "workers: a list of machines is wanted, got 'hello'"),
        ("workers: {address: 10.0.0.9}", "workers: a list of machines is wanted, got {'address'"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        load_inventory(write(tmp_path, text))


def test_machines_elsewhere_get_a_command_and_nothing_logs_in() -> None:
    inventory = InventoryConfig(
        head=NodeConfig(address="192.0.2.77"),
        workers=(
            NodeConfig(address="127.0.0.1"),
            NodeConfig(address="192.0.2.78", cpus=4, learner_hosts=3),
        ),
    )
    assert not is_here("192.0.2.77")
    ((head, up), (worker, line)) = commands_elsewhere(inventory, Path("my lab.yaml"))
    assert (head, worker) == ("192.0.2.77", "192.0.2.78")
    assert up == "distrl cluster up --file 'my lab.yaml'"
    assert line.startswith("distrl cluster join --address 192.0.2.78 --head 192.0.2.77:6390")
    assert "--learner-hosts 3 --cpus 4" in line


def test_the_head_starts_all_of_its_own_nodes() -> None:
    head = NodeConfig(address="192.0.2.77")
    ((address, _),) = commands_elsewhere(InventoryConfig(head=head, workers=(head,)), Path("f"))
    assert address == "192.0.2.77"


@pytest.mark.parametrize("file", ["/lab/token", "~/.lab/token", "token"])
def test_a_token_of_the_clusters_own_is_in_every_command(file: str) -> None:
    worker = NodeConfig(address="192.0.2.78")
    inventory = InventoryConfig(
        token_file=file, head=NodeConfig(address="192.0.2.77"), workers=(worker,)
    )
    anywhere = str(Path(file).absolute()) if file == "token" else file
    joined = shlex.split(join_command(inventory, worker))
    assert joined[joined.index("--token-file") + 1] == anywhere
    trained = shlex.split(train_command(inventory))
    assert trained[2:] == [
        "engine=ray",
        "address=192.0.2.77:6390",
        f"cluster.token_file={anywhere}",
    ]


def test_without_a_token_of_its_own_no_command_names_one() -> None:
    assert "token" not in join_command(InventoryConfig(), NodeConfig())
    assert "token" not in train_command(InventoryConfig())


def test_only_a_machine_of_the_cluster_may_train_on_it(tmp_path: Path) -> None:
    access = Access("192.0.2.77:6390", tmp_path)
    require_node_here(access, ["192.0.2.77", "127.0.0.1"])
    with pytest.raises(ConfigError, match=r"no node of the cluster.*192\.0\.2\.77, 192\.0\.2\.78"):
        require_node_here(access, ["192.0.2.78", "192.0.2.77"])
    with pytest.raises(ConfigError, match="join --head 192"):
        require_node_here(access, [])


def state_of(tmp_path: Path, *started: Started) -> ClusterState:
    folder = tmp_path / "logs"
    folder.mkdir()
    return ClusterState(
        name="default",
        address="127.0.0.1:7000",
        token_file=str(tmp_path / "token"),
        folder=str(folder),
        started=started,
    )


def test_a_process_that_got_our_number_later_is_left_alone(tmp_path: Path) -> None:
    ours = Started(node="127.0.0.1", pid=os.getpid(), born=birth_of(os.getpid()))
    others = Started(node="127.0.0.1", pid=os.getpid(), born="1")
    assert is_running(ours)
    assert not is_running(others)
    state = state_of(tmp_path, others)
    _write(state)
    assert find_state("default") == state
    assert take_down(state) == []
    assert find_state("default") is None
    assert not Path(state.folder).exists()


def test_a_run_finds_the_cluster_that_was_started_here(tmp_path: Path) -> None:
    config = load_run_config("debug", ["engine=ray"])
    with pytest.raises(ConfigError, match="distrl cluster up"):
        access_of(config)
    state = state_of(tmp_path)
    _write(state)
    assert access_of(config) == state.access


def test_a_run_can_name_its_cluster(tmp_path: Path) -> None:
    config = load_run_config("debug", ["engine=ray", "address=10.1.2.3:7000"])
    access = access_of(config)
    assert (access.host, access.port) == ("10.1.2.3", 7000)
    assert access.token_file == tmp_path / "config" / "distrl" / "cluster-token"
    with pytest.raises(ConfigError, match="HOST:PORT"):
        access_of(load_run_config("debug", ["engine=ray", "address=somewhere"]))


def test_an_address_needs_the_engine() -> None:
    with pytest.raises(ConfigError, match="engine: ray"):
        load_run_config("debug", ["address=10.1.2.3:7000"])


def test_a_watchdog_is_told_all_that_its_node_needs() -> None:
    node = NodeConfig(address="10.0.0.5", device_hosts=2)
    arguments = watchdog_arguments("10.0.0.1:6390", node, head=True, folder=Path("/logs"))
    assert arguments[:2] == ["-m", "distrl.run.ray_cluster.watchdog"]
    assert arguments[-2] == "distrl.run.ray_cluster.node"
    told = json.loads(arguments[-1])
    assert NodeConfig(**told.pop("node")) == node
    assert told == {"head": True, "cluster": "10.0.0.1:6390", "folder": "/logs/ray"}


def test_a_cluster_that_is_up_is_not_started_again(tmp_path: Path) -> None:
    ours = Started(node="127.0.0.1", pid=os.getpid(), born=birth_of(os.getpid()))
    _write(state_of(tmp_path, ours))
    with pytest.raises(ConfigError, match=r"is up at 127\.0\.0\.1:7000.*down --name default"):
        bring_up(InventoryConfig(name="default"))


def test_a_cluster_whose_nodes_are_all_elsewhere_starts_nothing_here(tmp_path: Path) -> None:
    inventory = InventoryConfig(head=NodeConfig(address="192.0.2.77"))
    state = bring_up(inventory)
    assert state.started == ()
    assert state.address == "192.0.2.77:6390"
    assert not Path(state.folder).exists()
    assert find_state("default") is None
    assert (tmp_path / "config" / "distrl" / "cluster-token").is_file()


def test_a_process_that_ended_has_no_birth() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    assert birth_of(process.pid) == ""
    assert not is_running(Started(node="127.0.0.1", pid=process.pid, born=""))


def test_an_address_of_this_machine_is_here_and_others_are_not() -> None:
    assert is_here("127.0.0.1")
    assert not is_here("192.0.2.77")


def test_a_typing_mistake_in_the_file_gets_the_nearest_key(tmp_path: Path) -> None:
    file = tmp_path / "cluster.yaml"
    file.write_text("naem: x\nhead: {adress: 127.0.0.1}\nworkers: [{cpu: 3}]\n")
    with pytest.raises(ConfigError) as raised:
        load_inventory(file)
    for nearest in ("'name'", "'head.address'", "'workers.0.cpus'"):
        assert f"did you mean {nearest}" in str(raised.value)
