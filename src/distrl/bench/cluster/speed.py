"""The Ray engine against the local one: the same phones, the same settings, one after the other.

Two things are measured:

    throughput   two real runs of the same recipe on phones that take a constant time for a step:
                 32 phones of one process, then the same 32 on two hosts of a cluster
    publish      weights of two sizes, published as a learner does it, while phones collect:
                 seconds until every host acts with them, as the gauges of the hosts say
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Literal

from distrl.bench.chaos import acknowledged_ids
from distrl.bench.collect import CollectFigures, Probe
from distrl.clock import RealClock
from distrl.config import RunConfig, load_run_config
from distrl.config.inventory import InventoryConfig, NodeConfig
from distrl.errors import PipelineError
from distrl.monitor.metrics_hub import MetricsHub
from distrl.replay.store.packing import PACKED, check_packed, pack
from distrl.replay.store.sqlite import SqliteStore, StoreReader
from distrl.run.builders.adb_servers import free_port
from distrl.run.builders.pointer import build_pointer
from distrl.run.local.pipeline import LocalRollouts
from distrl.run.processes.supervisor import Supervisor, close_all
from distrl.run.ray_cluster.inventory import ClusterState, cluster_here
from distrl.run.state.folder import RunFolder, create_run
from distrl.run.train import ray_rollouts, train
from distrl.weights.file_channel import FileChannel

# As many as the paper's fleet has emulators.
PHONES = 32
HOSTS = 2
SIZES: dict[int, tuple[str, ...]] = {
    5: ("policy.width=200", "policy.layers=3"),
    100: ("policy.width=768", "policy.layers=5"),
}
"""Megabytes of weights, and a policy that has about as many."""
_READY_SECONDS = 300.0
_ACTS_SECONDS = 60.0
_POLL = 0.005
_COSTED = 200
"""Episodes that the cost of a step is measured with."""

Engine = Literal["local", "ray"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishFigures:
    """How long weights took to reach everybody."""

    engine: str
    megabytes: float
    """What was published."""
    p50_s: float
    p95_s: float
    publishes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterFigures:
    """What was measured."""

    ray_over_local: float
    """Episodes per second on the cluster over those of the local engine."""
    publish_p50_s_5mb: float
    publish_p95_s_5mb: float
    publish_p95_s_100mb: float
    lost: int
    """Acknowledged episodes of the run on the cluster that are not in its store."""
    doubled: int
    """Episodes that are there more than once."""
    local_episodes_per_second: float
    ray_episodes_per_second: float
    local_steps_per_second: float
    ray_steps_per_second: float
    local_utilisation: float
    ray_utilisation: float
    hub_ms_per_step: float
    """Processor time that the machine that trains spends on a step: checking and storing it."""
    bytes_per_step: float
    """What a step is over the network; a picture that the store has is sent once."""
    phones: int
    hosts: int
    step_ms: float
    rows: tuple[PublishFigures, ...]


def measure_cluster(
    *, seconds: float = 60.0, step_seconds: float = 0.5, publishes: int = 20
) -> ClusterFigures:
    """Measure the local engine, bring a cluster up, and measure that."""
    with TemporaryDirectory(prefix="distrl-bench-") as folder:
        root = Path(folder)
        local, _, _ = _throughput(root / "local", settings("local", step_seconds, seconds))
        rows = [_publishing(root, "local", size, publishes) for size in SIZES]
        with bench_cluster() as cluster:
            config = settings("ray", step_seconds, seconds, cluster)
            over_ray, lost, doubled = _throughput(root / "ray", config)
            rows += [_publishing(root, "ray", size, publishes, cluster) for size in SIZES]
        hub_ms, size_of_step = _cost_of_a_step(root / "ray")
    found = {(row.engine, size): row for row, size in zip(rows, [*SIZES] * 2, strict=True)}
    return ClusterFigures(
        ray_over_local=over_ray.episodes_per_second / local.episodes_per_second,
        publish_p50_s_5mb=found["ray", 5].p50_s,
        publish_p95_s_5mb=found["ray", 5].p95_s,
        publish_p95_s_100mb=found["ray", 100].p95_s,
        lost=lost,
        doubled=doubled,
        local_episodes_per_second=local.episodes_per_second,
        ray_episodes_per_second=over_ray.episodes_per_second,
        local_steps_per_second=local.steps_per_second,
        ray_steps_per_second=over_ray.steps_per_second,
        local_utilisation=local.utilisation,
        ray_utilisation=over_ray.utilisation,
        hub_ms_per_step=hub_ms,
        bytes_per_step=size_of_step,
        phones=PHONES,
        hosts=HOSTS,
        step_ms=1000 * step_seconds,
        rows=tuple(rows),
    )


@contextmanager
def bench_cluster(hosts: int = HOSTS) -> Iterator[ClusterState]:
    """A cluster on the loopback whose node has so many hosts' worth of devices."""
    node = NodeConfig(device_hosts=hosts, object_store_mb=1024)
    inventory = InventoryConfig(name="bench", port=free_port(), head=node)
    with cluster_here(inventory) as state:
        yield state


def settings(
    engine: Engine,
    step_seconds: float,
    seconds: float,
    cluster: ClusterState | None = None,
    more: tuple[str, ...] = (),
) -> RunConfig:
    """The default recipe from the shipped policy, on phones as slow as they are asked to be."""
    where = [] if cluster is None else [f"address={cluster.address}"]
    where += [] if cluster is None else [f"cluster.token_file={cluster.token_file}"]
    return load_run_config(
        "quickstart",
        [
            f"engine={engine}",
            *where,
            f"collect.devices={PHONES if engine == 'local' else PHONES // HOSTS}",
            f"collect.latency={step_seconds}",
            f"minutes={(seconds + 30) / 60}",
            "init=pretrained:quickstart",
            "learner.min_episodes=16",
            "evaluate.before=false",
            "evaluate.tasks=1",
            "monitor.every_seconds=0.5",
            *more,
        ],
    )


def _throughput(root: Path, config: RunConfig) -> tuple[CollectFigures, int, int]:
    """A run's figures, and what it lost and doubled."""
    probe = Probe()
    train(config, run_dir=root, view=probe)
    lost, doubled = lost_and_doubled(RunFolder(root))
    return probe.figures(PHONES, config.collect.latency), lost, doubled


def lost_and_doubled(folder: RunFolder) -> tuple[int, int]:
    """Acknowledged episodes that are not stored, and those that are stored more than once."""
    with StoreReader(folder.episodes) as store:
        stored = Counter(store.ids())
    lost = sum(stored[name] == 0 for name in acknowledged_ids(folder))
    return lost, sum(count > 1 for count in stored.values())


def _cost_of_a_step(root: Path) -> tuple[float, float]:
    """Milliseconds of processor time, and bytes, for each step of a run's episodes."""
    with StoreReader(RunFolder(root).episodes) as stored:
        episodes = [stored.get(name) for name in stored.ids()[:_COSTED]]
    steps = sum(len(episode.steps) for episode in episodes)
    known: set[bytes] = set()
    blobs: list[bytes] = []
    for episode in episodes:
        packed = pack(episode, codec="png", known=known.__contains__)
        known.update(packed.shared)
        blobs.append(PACKED.encode(packed))
    with SqliteStore(root / "again.sqlite") as store:
        began = time.process_time()
        arrived = [PACKED.decode(blob) for blob in blobs]
        for packed in arrived:
            check_packed(packed)
        for done in [store.add_packed_later(packed) for packed in arrived]:
            done.result(_ACTS_SECONDS)
        spent = time.process_time() - began
    return 1000 * spent / steps, sum(map(len, blobs)) / steps


def _publishing(
    root: Path, engine: Engine, size: int, publishes: int, cluster: ClusterState | None = None
) -> PublishFigures:
    """Publish new weights while phones collect, one version at a time."""
    more = (*SIZES[size], "init=scratch")
    config = settings(engine, 0.5, 3600.0, cluster, more)
    folder = create_run(root / f"publish-{engine}-{size}", config)
    pointer = build_pointer(config)
    pointer.encoder.load()
    weights = dict(pointer.model.state_dict())
    channel = FileChannel(folder.weights)
    channel.publish(weights, 1)
    metrics, supervisor = MetricsHub(folder.root, config, RealClock()), Supervisor()
    kind = LocalRollouts if engine == "local" else ray_rollouts()
    rollouts = kind(folder, config, pointer, metrics)
    hosts = 1 if engine == "local" else HOSTS

    def acts_with(version: int) -> bool:
        numbers = rollouts.gauges()
        everybody = numbers.get("cluster/hosts", 1.0) == hosts
        return everybody and numbers.get("batcher/version", 0.0) >= version

    took: list[float] = []
    try:
        rollouts.start(supervisor)
        if not supervisor.wait(lambda: acts_with(1), timeout=_READY_SECONDS, poll=_POLL):
            raise PipelineError(f"not all hosts were there within {_READY_SECONDS:g} s")
        for version in range(2, publishes + 2):
            began = time.monotonic()
            channel.publish(weights, version)
            acted = supervisor.wait(
                lambda version=version: acts_with(version),  # type: ignore[misc]
                timeout=_ACTS_SECONDS,
                poll=_POLL,
            )
            if not acted:
                raise PipelineError(f"version {version} did not act within {_ACTS_SECONDS:g} s")
            took.append(time.monotonic() - began)
    finally:
        close_all(lambda: supervisor.stop(timeout=_READY_SECONDS), rollouts.close, metrics.close)
    cuts = quantiles(took, n=20, method="inclusive")
    return PublishFigures(
        engine=engine,
        megabytes=sum(one.numel() * one.element_size() for one in weights.values()) / 1e6,
        p50_s=cuts[9],
        p95_s=cuts[18],
        publishes=publishes,
    )
