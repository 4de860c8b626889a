"""A learner and its workers on a real Ray cluster on the loopback of this machine."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("ray")
pytest.importorskip("peft")

import torch
from tests.policies.lm.tiny import loaded_llama
from tests.run.builders.test_lm import SMALL, save, small_config
from tests.run.ray_engine.test_engine import cluster_with, start
from torch import Tensor

from distrl.bench.cluster.chaos import command_line
from distrl.clock import RealClock
from distrl.config import RunConfig
from distrl.config.inventory import NodeConfig
from distrl.learn.remote_gradients import GradientWorkerLost, WorkItem
from distrl.monitor.jsonl import read_records
from distrl.run.builders.initial_weights import prepare_start
from distrl.run.builders.policy_bundle import build_policy_bundle
from distrl.run.local.learner_process import ALONE, LearnerPeers, build_learner
from distrl.run.multi_learner.gradient_workers import (
    RayGradientWorker,
    RayGradientWorkers,
    gradient_workers_of,
    worker_slots_of,
)
from distrl.run.ray_cluster.inventory import ClusterState, access_of
from distrl.run.ray_cluster.node import NodeState
from distrl.run.ray_cluster.watchdog import descendants
from distrl.run.state.folder import RunFolder, create_run
from distrl.run.train import train

DEADLINE = 240.0


def node(name: str, workers: int, *, alive: bool = True) -> NodeState:
    return NodeState(
        id=name * 8,
        address="10.0.0.1",
        alive=alive,
        device_hosts=3,
        learner_hosts=workers,
        cpus=1,
        gpus=0,
    )


def test_every_learner_host_of_a_living_node_is_a_slot_for_a_worker() -> None:
    found = worker_slots_of([node("a", 2), node("b", 0), node("c", 1, alive=False), node("d", 1)])
    assert [(slot.node[0], slot.index) for slot in found] == [("a", 0), ("a", 1), ("d", 0)]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterState]:
    """A head with devices, and a node with room for two workers."""
    head = NodeConfig(object_store_mb=200)
    worker = NodeConfig(device_hosts=0, learner_hosts=2, object_store_mb=200)
    with cluster_with(tmp_path_factory.mktemp("home"), head, worker) as state:
        yield state


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(loaded_llama(), tmp_path_factory.mktemp("models") / "llama")


def settings_of(cluster: ClusterState) -> list[str]:
    return [
        "engine=ray",
        f"address={cluster.address}",
        f"cluster.token_file={cluster.token_file}",
        "cluster.learners=2",
    ]


@pytest.fixture
def config(cluster: ClusterState, llama: Path) -> RunConfig:
    return small_config(llama, *settings_of(cluster), "init=scratch", "minutes=null")


@contextmanager
def helped(config: RunConfig, count: int) -> Iterator[RayGradientWorkers]:
    """So many workers, all of them ready."""
    access_of(config).enter()
    with gradient_workers_of(config) as gradient_workers:
        assert RealClock().wait_until(
            lambda: len(gradient_workers.workers()) == count, timeout=DEADLINE
        )
        yield gradient_workers


@pytest.fixture(scope="module")
def episodes(llama: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a run on this machine has collected."""
    root = tmp_path_factory.mktemp("runs") / "local"
    train(small_config(llama), run_dir=root)
    return RunFolder(root).episodes


def learned(
    root: Path, episodes: Path, config: RunConfig, others: LearnerPeers
) -> dict[str, Tensor]:
    """Weights after everything was learned from episodes that were collected before."""
    folder = create_run(root, config)
    prepare_start(folder, config, build_policy_bundle(config), lambda _: None)
    for file in episodes.parent.glob(f"{episodes.name}*"):  # what is written is in its log
        shutil.copy(file, folder.root)
    learner = build_learner(folder, config, torch.device("cpu"), others)
    learner.begin()
    while learner.waiting_for != "replay_ratio":
        learner.step()
    assert learner.updates > 3
    assert learner._parts.monitor is not None
    learner._parts.monitor.close()
    return {name: weight.clone() for name, weight in learner.algorithm.model.state_dict().items()}


@pytest.mark.ray
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_learner_with_gradient_workers_learns_what_it_learns_alone(
    tmp_path: Path, episodes: Path, config: RunConfig
) -> None:
    alone = learned(tmp_path / "alone", episodes, config, ALONE)
    with helped(config, 2) as gradient_workers:
        together = learned(
            tmp_path / "together", episodes, config, LearnerPeers(gradient_workers=gradient_workers)
        )
        said = gradient_workers.gauges()
    assert said["learner/workers"] == 2
    assert said["learner/workers_answers"] > 20
    assert said["learner/workers_lost"] == 0
    for name, weight in alone.items():
        assert torch.allclose(weight, together[name], atol=1e-4), name


@pytest.mark.ray
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_worker_that_cannot_do_its_share_is_lost_and_another_takes_its_place(
    config: RunConfig,
) -> None:
    weights = build_policy_bundle(config).model.state_dict()
    with helped(config, 2) as gradient_workers:
        worker, other = gradient_workers.workers()
        nonsense = WorkItem(
            number=1, model_number=0, inputs=(b"",), decisions=((0,),), needs_grad=False
        )
        with pytest.raises(GradientWorkerLost, match="it failed"):
            worker.forward(nonsense, weights)()
        with pytest.raises(GradientWorkerLost, match="it failed"):
            worker.forward(nonsense, weights)()

        def replaced() -> list[RayGradientWorker]:
            return [one for one in gradient_workers.workers() if one not in (worker, other)]

        assert RealClock().wait_until(lambda: bool(replaced()), timeout=DEADLINE)
        assert gradient_workers.gauges()["learner/workers_lost"] == 1


def number_of(root: Path, name: str) -> float:
    """What the learner said last of itself."""
    file = root / "metrics" / "learn.jsonl"
    records = read_records(file) if file.exists() else []
    return records[-1].numbers.get(name, 0.0) if records else 0.0


def workers_on(cluster: ClusterState) -> list[int]:
    """Their processes."""
    everybody = {pid for one in cluster.started for pid in descendants(one.pid)}
    return [pid for pid in everybody if b"GradientWorkerActor" in command_line(pid)]


@pytest.mark.ray
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_run_goes_on_when_a_worker_is_killed_and_gets_another(
    cluster: ClusterState, llama: Path, tmp_path: Path
) -> None:
    root = tmp_path / "run"
    line = ["train", "--recipe", "debug", "--run-dir", str(root), *SMALL, *settings_of(cluster)]
    line += [f"policy.lm.model={llama}", "minutes=20", "max_episodes=100000"]

    def comes(name: str, least: float) -> bool:
        return RealClock().wait_until(lambda: number_of(root, name) >= least, timeout=DEADLINE)

    run = start("-m", "distrl", *line)
    try:
        assert comes("learn/workers_answers", 1)
        workers = workers_on(cluster)
        assert len(workers) == 2
        os.kill(workers[0], signal.SIGKILL)
        assert comes("learn/workers_lost", 1)
        assert comes("learn/workers", 2)
        updates = number_of(root, "learn/updates")
        assert comes("learn/updates", updates + 1)
        run.terminate()  # whoever runs the tests in the background has SIGINT ignored
        assert run.wait(timeout=DEADLINE) == 130
    finally:
        run.kill()
        run.wait()
    assert RealClock().wait_until(lambda: not workers_on(cluster), timeout=DEADLINE)
