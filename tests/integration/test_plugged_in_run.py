"""A device nobody here wrote trains with a policy nobody here wrote.

Each example of `examples/plugins` is a package of its own; a run is made of nothing else.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.packages import write_example

from distrl.collect.evaluation.evaluate import evaluate_policy, select_tasks
from distrl.config import load_run_config
from distrl.config.inventory import InventoryConfig, NodeConfig
from distrl.monitor.jsonl import read_records
from distrl.replay.store.sqlite import StoreReader
from distrl.run.builders.adb_servers import free_port
from distrl.run.builders.trained_policy import load_policy
from distrl.run.ray_cluster.access import TOKEN_VARIABLE, Access
from distrl.run.ray_cluster.inventory import ClusterState, cluster_here
from distrl.run.state.folder import RunFolder
from distrl.run.train import TrainResult, train

PACKAGES = ("device", "trainable_policy", "algorithm", "judge", "tracker")
STRANGERS = (
    "tasks.suite=lamps",
    "policy.name=tiny",
    "policy.options.width=8",
    "algorithm.name=imitation",
    "algorithm.learning_rate=0.02",
    "judge.name=trusting",
    "monitor.trackers={lines: {}}",
    "learner.swap_names=false",
    "collect.devices=3",
    "evaluate.tasks=10",
)


@pytest.fixture
def strangers(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The packages, for this process and for those that it starts."""
    for name in PACKAGES:
        write_example(site, name)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))


def check_run(folder: RunFolder, result: TrainResult) -> None:
    """All parts have done their work."""
    acknowledged = folder.acknowledged.read_text().split()
    with StoreReader(folder.episodes) as store:
        assert sorted(acknowledged) == sorted(store.ids())
        episodes = [store.get(name) for name in store.ids()]
    assert len(episodes) == result.episodes
    assert {episode.device.rpartition("/")[2] for episode in episodes} <= {
        f"lamp-{number}" for number in range(3)
    }
    judges = {verdict.judge for episode in episodes for verdict in episode.verdicts}
    assert judges == {"lamp", "trusting"}
    assert result.updates > 0
    collected = read_records(folder.root / "metrics" / "collect.jsonl")[-1].numbers
    assert collected["canary/mismatches"] == 0
    told = (folder.root / "numbers.txt").read_text()
    assert "collect/episodes" in told
    assert "learn/updates" in told
    tasks = select_tasks("lamps", "val", tasks=10)
    again = evaluate_policy(load_policy(folder.root), tasks)
    assert again.overall.success == result.success


@pytest.mark.usefixtures("strangers")
def test_a_plugged_in_device_trains_with_a_plugged_in_policy_on_this_machine(
    tmp_path: Path,
) -> None:
    config = load_run_config("debug", [*STRANGERS, "max_episodes=100"])
    result = train(config, run_dir=tmp_path / "run")
    assert result.episodes == 100
    assert result.success is not None and result.warm_start_success is not None
    assert result.success > result.warm_start_success
    check_run(RunFolder(tmp_path / "run"), result)


@pytest.fixture
def cluster(
    strangers: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ClusterState]:
    """A head with two hosts' worth of devices, started with the packages on its path."""
    del strangers
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    for name in Access("127.0.0.1:1", tmp_path).environment():
        monkeypatch.setenv(name, os.environ.get(name, ""))  # put back afterwards
    head = NodeConfig(device_hosts=2, object_store_mb=200)
    with cluster_here(InventoryConfig(port=free_port(), head=head)) as state:
        yield state


@pytest.mark.ray
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_plugged_in_device_trains_with_a_plugged_in_policy_on_ray(
    cluster: ClusterState, tmp_path: Path
) -> None:
    pytest.importorskip("ray")
    where = (f"address={cluster.address}", f"cluster.token_file={cluster.token_file}")
    config = load_run_config(
        "debug", [*STRANGERS, *where, "engine=ray", "max_episodes=60", "minutes=10"]
    )
    result = train(config, run_dir=tmp_path / "run")
    assert result.episodes == 60
    check_run(RunFolder(tmp_path / "run"), result)
