"""Training on a real Ray cluster on the loopback of this machine."""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from distrl.bench.cluster.chaos import command_line
from distrl.clock import RealClock
from distrl.config.inventory import InventoryConfig, NodeConfig
from distrl.monitor.jsonl import read_records
from distrl.replay.store.sqlite import StoreReader
from distrl.run.builders.adb_servers import free_port
from distrl.run.ray_cluster.access import TOKEN_VARIABLE, Access, make_token
from distrl.run.ray_cluster.inventory import ClusterState, birth_of, cluster_here, is_running
from distrl.run.ray_cluster.watchdog import descendants
from distrl.run.state.folder import RunFolder

pytest.importorskip("ray")
grpc = pytest.importorskip("grpc")
pytestmark = [pytest.mark.ray, pytest.mark.slow, pytest.mark.timeout(600)]

DEADLINE = 600.0


@contextmanager
def cluster_with(home: Path, head: NodeConfig, *workers: NodeConfig) -> Iterator[ClusterState]:
    """A cluster on this machine, the user's own as long as it is there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(home / "state"))
        patch.setenv("XDG_CONFIG_HOME", str(home / "config"))
        patch.delenv(TOKEN_VARIABLE, raising=False)
        for name in Access("127.0.0.1:1", home).environment():
            patch.setenv(name, os.environ.get(name, ""))  # put back afterwards
        with cluster_here(InventoryConfig(port=free_port(), head=head, workers=workers)) as state:
            yield state
        assert not any(is_running(one) for one in state.started)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterState]:
    """A head without devices, and a node with two hosts' worth of them."""
    head = NodeConfig(device_hosts=0, object_store_mb=200)
    worker = NodeConfig(device_hosts=2, object_store_mb=200)
    with cluster_with(tmp_path_factory.mktemp("home"), head, worker) as state:
        yield state


def command(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    paths = {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [sys.executable, "-m", "distrl", *words],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        env={**os.environ, **paths, **environment},
    )


def start(*words: str, **more: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *words],
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        **more,
    )


def training_line(cluster: ClusterState, root: Path, *settings: str) -> list[str]:
    line = ["train", "--recipe", "debug", "--run-dir", str(root), "engine=ray"]
    line += [f"address={cluster.address}", f"cluster.token_file={cluster.token_file}"]
    line += ["policy.width=16", "policy.heads=2", "policy.layers=1", "collect.devices=3"]
    return [*line, "evaluate.before=false", "evaluate.tasks=1", "minutes=20", *settings]


@pytest.fixture(scope="module")
def run(cluster: ClusterState, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run on the cluster that has ended, and was then run once more by the same command."""
    root = tmp_path_factory.mktemp("runs") / "run"
    for episodes in (12, 20):
        done = command(*training_line(cluster, root, f"max_episodes={episodes}"))
        assert done.returncode == 0, done.stderr
    return RunFolder(root)


def test_a_run_on_a_cluster_stores_every_acknowledged_episode_once(run: RunFolder) -> None:
    acknowledged = run.acknowledged.read_text().split()
    with StoreReader(run.episodes) as store:
        assert sorted(acknowledged) == sorted(store.ids())
        episodes = [store.get(name) for name in store.ids()]
    assert len(episodes) == 20
    hosts = {episode.device.partition("/")[0] for episode in episodes}
    assert all(re.fullmatch(r"127\.0\.0\.1-[0-9a-f]{6}-[01]", host) for host in hosts)
    screens = [step.observation.screen for episode in episodes for step in episode.steps]
    assert all(screen.shape[2] == 3 for screen in screens)


def test_the_learner_learned_from_it_and_agrees_with_the_hosts(run: RunFolder) -> None:
    collected = read_records(run.root / "metrics" / "collect.jsonl")[-1].numbers
    learned = read_records(run.root / "metrics" / "learn.jsonl")
    assert learned[-1].numbers["learn/updates"] > 0
    assert collected["canary/mismatches"] == 0
    assert collected["cluster/weights_refused"] == 0
    with StoreReader(run.episodes) as store:
        versions = [step.version for _, one in store.read_after(0, 100) for step in one.steps]
    assert min(versions) >= 1
    assert max(versions) > 1


def test_the_same_command_goes_on(run: RunFolder) -> None:
    assert "going on after update" in run.learner_log.read_text()


def test_how_far_behind_anybody_is_is_recorded(run: RunFolder) -> None:
    recorded = {
        name for one in read_records(run.root / "metrics" / "collect.jsonl") for name in one.numbers
    }
    for name in ("unacknowledged", "collectors_waiting", "held_back", "unread", "hosts", "storing"):
        assert f"cluster/{name}" in recorded


def test_a_wrong_token_is_told_plainly_within_five_seconds(
    cluster: ClusterState, tmp_path: Path
) -> None:
    wrong = tmp_path / "token"
    make_token(wrong)
    said = subprocess.run(
        [sys.executable, "-c", CHECK, cluster.address, str(wrong)],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    answer, seconds = said.stdout.strip().rsplit(" ", 1)
    assert "refuses the token" in answer
    assert float(seconds) < 5.0


CHECK = """
import sys, time
from pathlib import Path
from distrl.errors import ConfigError
from distrl.run.ray_cluster.access import Access
access = Access(sys.argv[1], Path(sys.argv[2]))
access.enter()
from distrl.run.ray_cluster.node import check_access
began = time.monotonic()
try:
    check_access(access)
except ConfigError as error:
    print(error, time.monotonic() - began)
"""


def test_a_run_with_a_wrong_token_ends_with_a_message_and_no_traceback(
    cluster: ClusterState, tmp_path: Path
) -> None:
    wrong = tmp_path / "token"
    make_token(wrong)
    done = command(
        "train",
        "--recipe",
        "debug",
        "--run-dir",
        str(tmp_path / "run"),
        "engine=ray",
        f"address={cluster.address}",
        f"cluster.token_file={wrong}",
    )
    assert done.returncode == 2
    assert "refuses the token" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "run" / "config.yaml").exists()


@pytest.mark.parametrize("place", ["file", "variable"])
def test_a_machine_with_a_wrong_token_does_not_join(
    cluster: ClusterState, tmp_path: Path, place: str
) -> None:
    wrong = tmp_path / "token"
    make_token(wrong)
    given = {TOKEN_VARIABLE: "f" * 64} if place == "variable" else {}
    line = ["cluster", "join", "--head", cluster.address, "--token-file", str(wrong)]
    done = command(*line, **given)
    assert done.returncode == 2
    assert done.stdout == ""
    where = f"the variable {TOKEN_VARIABLE}" if given else str(wrong)
    assert f"refuses the token in {where}" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_status_shows_the_nodes(cluster: ClusterState) -> None:
    done = command("cluster", "status", "--json")
    assert done.returncode == 0, done.stderr
    assert '"device_hosts": 2' in done.stdout
    assert '"nodes": 2' in done.stdout


def test_a_machine_that_joins_says_so_when_it_has(cluster: ClusterState) -> None:
    line = ["cluster", "join", "--head", cluster.address, "--token-file", cluster.token_file]
    line += ["--device-hosts", "0", "--object-store-mb", "100"]
    process = start("-m", "distrl", *line, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(f"A node of {cluster.address} at 127.0.0.1")
        assert '"nodes": 3' in command("cluster", "status", "--json").stdout
    finally:
        process.terminate()
        process.communicate(timeout=DEADLINE)
    assert process.returncode == 0


PARENTS = """
import os, subprocess, sys
from pathlib import Path
from distrl.run.ray_cluster.access import Access
access = Access(sys.argv[1], Path(sys.argv[2]))
access.enter()
import ray

class Parent:
    def start(self):
        line = [sys.executable, "-c", "import time; time.sleep(3600)"]
        return os.getpid(), subprocess.Popen(line, start_new_session=True).pid

ray.init(address=access.address, log_to_driver=False)
parents = [ray.remote(num_cpus=0, max_restarts=0)(Parent).remote() for _ in range(2)]
print(*(pid for pids in ray.get([one.start.remote() for one in parents]) for pid in pids))
sys.stdout.flush()
sys.stdin.read()
"""


def test_what_a_killed_host_had_started_is_ended_and_nobody_elses(cluster: ClusterState) -> None:
    process = start(
        *("-c", PARENTS, cluster.address, cluster.token_file),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        killed, orphan, _, other = map(int, process.stdout.readline().split())
        os.kill(killed, signal.SIGKILL)
        assert RealClock().wait_until(lambda: not birth_of(orphan), timeout=DEADLINE)
        assert birth_of(other)
    finally:
        process.communicate(timeout=DEADLINE)
    assert RealClock().wait_until(lambda: not birth_of(other), timeout=DEADLINE)


@pytest.fixture(scope="module")
def busy(
    cluster: ClusterState, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, set[tuple[str, int]]]]:
    """Where everybody listens while a run collects on both hosts."""
    folder = RunFolder(tmp_path_factory.mktemp("runs") / "busy")
    line = training_line(cluster, folder.root, "max_episodes=null", "monitor.every_seconds=0.5")
    with (folder.root.parent / "log").open("w") as log:
        process = start("-m", "distrl", *line, stdout=log, stderr=log)
    try:
        recorded = folder.root / "metrics" / "collect.jsonl"

        def both() -> bool:
            assert process.poll() is None, (folder.root.parent / "log").read_text()
            found = read_records(recorded) if recorded.exists() else []
            return any(one.numbers.get("cluster/hosts") == 2 for one in found)

        assert RealClock().wait_until(both, timeout=DEADLINE)
        nodes = [pid for one in cluster.started for pid in descendants(one.pid)]
        shells = [pid for pid in nodes if b"ray::HostActor" in command_line(pid)]
        assert len(shells) == 2
        run = [process.pid, *descendants(process.pid)]
        yield {"nodes": ports(nodes), "hosts": ports(shells), "run": ports(run)}
    finally:
        process.terminate()
        process.wait(DEADLINE)


def test_nothing_listens_beyond_the_loopback(
    cluster: ClusterState, busy: dict[str, set[tuple[str, int]]]
) -> None:
    listening = set[tuple[str, int]]().union(*busy.values())
    assert cluster.access.port in {port for _, port in listening}
    assert {address for address, _ in listening} == {"127.0.0.1"}


@pytest.mark.parametrize("token", [None, "Bearer 0123456789abcdef"], ids=["none", "wrong"])
def test_every_port_refuses_work_without_the_token(
    busy: dict[str, set[tuple[str, int]]], token: str | None
) -> None:
    # The head's GCS; of two nodes a raylet, an object manager and an agent for environments.
    assert len(busy["nodes"] - busy["hosts"]) >= 7
    # Whoever runs code listens too: both hosts, and the driver.
    assert len(busy["hosts"]) >= 2
    assert len(busy["run"]) >= 1
    listening = set[tuple[str, int]]().union(*busy.values())
    answers = {port: ask_everything(port, token) for _, port in listening}
    for port, found in answers.items():
        assert found in (GRPC_REFUSES, HTTP_REFUSES), f"port {port}"
    assert GRPC_REFUSES in answers.values()


GRPC_REFUSES = {"UNAUTHENTICATED", "UNIMPLEMENTED"}
"""What is served wants a token; what belongs to another port is not there."""
HTTP_REFUSES = {"refused"}


def methods() -> list[str]:
    """Every method of every service of Ray; one service has no description in its package."""
    found = {f"/ray.rpc.ObjectManagerService/{name}" for name in ("Push", "Pull")}
    generated = importlib.import_module("ray.core.generated")
    for module in pkgutil.iter_modules(generated.__path__):
        if module.name.endswith("_pb2"):
            described = importlib.import_module(f"ray.core.generated.{module.name}").DESCRIPTOR
            for service in described.services_by_name.values():
                found |= {f"/{service.full_name}/{one.name}" for one in service.methods}
    return sorted(found)


def ask_everything(port: int, token: str | None) -> set[str]:
    """What a port answers to a call of each method there is, or to HTTP if it speaks that."""
    answers: set[str] = set()
    metadata = [("authorization", token)] if token else None
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        for method in methods():
            try:
                channel.unary_unary(method)(b"", timeout=20, metadata=metadata)
                answers.add("answered")
            except grpc.RpcError as error:
                if error.code().name == "UNAVAILABLE":
                    return {http_status(port, token)}
                answers.add(error.code().name)
    return answers


def http_status(port: int, token: str | None) -> str:
    headers = {"Authorization": token} if token else {}
    address = f"http://127.0.0.1:{port}/get_or_create_runtime_env"
    request = urllib.request.Request(address, data=b"", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310 - our own server
            return str(answer.status)
    except urllib.error.HTTPError as error:
        return "refused" if error.code in (401, 403) else str(error.code)


def ports(pids: Iterable[int]) -> set[tuple[str, int]]:
    """Where processes listen, by what the system says."""
    inodes = set()
    for pid in pids:
        for client in Path(f"/proc/{pid}/fd").glob("*"):
            try:
                target = str(client.readlink())
            except OSError:
                continue
            if target.startswith("socket:["):
                inodes.add(target[8:-1])
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                address, _, port = fields[1].partition(":")
                found.add((readable(address), int(port, 16)))
    return found


def readable(address: str) -> str:
    """An address as the kernel writes it: words of four bytes, each the other way round."""
    raw = b"".join(bytes.fromhex(address[at : at + 8])[::-1] for at in range(0, len(address), 8))
    if len(raw) == 4:
        return socket.inet_ntop(socket.AF_INET, raw)
    if raw[:12] == bytes(10) + b"\xff\xff":
        return socket.inet_ntop(socket.AF_INET, raw[12:])
    return socket.inet_ntop(socket.AF_INET6, raw)
