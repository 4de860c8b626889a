"""A thousand devices on the actors of a cluster on this machine: what one driver and store carry.

    LightActor[8]: collector[125] --Episode--> Outbox --HostResponse--> Coordinator --> store

Collectors are light: a collector waits for as long as a device and a policy would take for an
episode, and hands in one that was recorded before, under the id and task of its job. All that is
between a collector and the disk is that of a run: jobs, packing, Ray, the protocol, the checks of
the coordinator and the store. The hosts have the same machine; with devices that are quicker than
all of it, collectors have to wait (backpressure).
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from distrl.bench.cluster.speed import bench_cluster, lost_and_doubled, settings
from distrl.clock import RealClock
from distrl.collect.episode import run_episode
from distrl.config import RunConfig
from distrl.config.load import check
from distrl.envs.device_kinds import NoOracle, device_factory, env_on
from distrl.errors import PipelineError
from distrl.monitor.metrics_hub import MetricsHub
from distrl.policies.scripted import ScriptedPolicy
from distrl.run.builders.pointer import build_pointer
from distrl.run.processes.supervisor import Supervisor, close_all
from distrl.run.ray_cluster.inventory import ClusterState
from distrl.run.ray_cluster.watchdog import descendants
from distrl.run.ray_engine.engine import RayRollouts
from distrl.run.ray_engine.host_actor import Host, HostActor
from distrl.run.ray_engine.outbox import JobQueue, Outbox
from distrl.run.ray_engine.protocol import HostRequest, HostResponse
from distrl.run.state.folder import create_run
from distrl.tasks.suites import load_suite
from distrl.types import Episode
from distrl.weights.file_channel import FileChannel
from distrl.weights.received_channel import ReceivedChannel
from distrl.weights.serialization import Sealed

PER_HOST = 125
"""Devices of one actor: a thread each, as in a run."""
QUICK_SECONDS = 0.1
"""A step of devices that are quicker than the rest."""
_RECORDED = 8
"""Episodes that are recorded, of as many tasks."""
_SPREAD = 0.5
"""Episodes take from 1 - this to 1 + this of their time, so that devices do not run in step."""
_READY_SECONDS, _STOP_SECONDS = 300.0, 60.0
_LOOK_SECONDS = 0.25
_MEGABYTE = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class DevicesRow:
    """What was measured at one pace of the devices."""

    step_ms: float
    episodes_per_second: float
    """Played and handed over by collectors."""
    stored_per_second: float
    """Durable and acknowledged."""
    stored_steps_per_second: float
    memory_mb: float
    """Of the driver and all hosts; what several of them share is counted once."""
    driver_mb: float
    waiting: float
    """Most episodes at any moment that were not acknowledged."""
    collectors_waiting: float
    """Most collectors at any moment that waited for room."""
    waited_share: float
    """Share of their time that collectors waited for room."""
    lost: int
    doubled: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DevicesFigures:
    """The pace that was asked for; `rows` has the quicker one too."""

    devices: int
    hosts: int
    seconds: float
    step_ms: float
    episodes_per_second: float
    stored_per_second: float
    most_stored_per_second: float
    """With devices that are quicker than the rest."""
    memory_mb: float
    waited_share: float
    most_waited_share: float
    lost: int
    doubled: int
    rows: tuple[DevicesRow, ...]


class LightHost:
    """Hands in recorded episodes at the pace of its devices. Any thread may call."""

    def __init__(self, name: str, config: RunConfig) -> None:
        """Record the episodes; collecting begins when the first weights arrive."""
        self._name, self._devices = name, config.collect.devices
        self._step_seconds = config.collect.latency
        self._episodes = record(config)
        self._jobs = JobQueue(room=self._devices)
        self._outbox = Outbox(config.cluster.max_unacknowledged)
        self._channel = ReceivedChannel()
        self._supervisor = Supervisor()

    def load(self, data: Sealed, version: int) -> bool:
        """Take weights over, as a host does, and start with the first."""
        first = not self._channel.latest()
        newer = self._channel.receive(data, version)
        if newer and first:
            for number in range(self._devices):
                rng = Random(f"{self._name} {number}")
                self._supervisor.start(
                    f"collector-{number}",
                    lambda stopping, rng=rng: self._collect(rng, stopping),  # type: ignore[misc]
                    may_end=True,
                )
        return newer

    def _collect(self, rng: Random, stopping: threading.Event) -> None:
        while (job := self._jobs.next()) is not None:
            played = rng.choice(self._episodes)
            pace = self._step_seconds * rng.uniform(1 - _SPREAD, 1 + _SPREAD)
            if stopping.wait(pace * len(played.steps)):
                return
            # Refused only when the host closes.
            with suppress(PipelineError):
                self._outbox.add_later(
                    replace(played, id=job.episode_id, task=job.task, device=self._name)
                )

    def exchange(self, request: HostRequest) -> HostResponse:
        """Respond with what has been played, as a host does."""
        self._outbox.settle(request.durable)
        self._jobs.add(request.jobs)
        episodes = self._outbox.ready(request.after, timeout=request.patience)
        self._supervisor.check()
        version = self._channel.latest()
        return HostResponse(
            first=request.after + 1,
            episodes=episodes,
            wanted=self._jobs.wanted if version else 0,
            version=version,
            gauges={**self._outbox.gauges(), "batcher/version": float(version)},
        )

    def close(self) -> None:
        """End the collectors."""
        self._supervisor.stopping.set()
        self._jobs.close()
        self._outbox.close()
        self._supervisor.stop(timeout=_STOP_SECONDS)


class LightActor(HostActor):
    """A light host in a process of its own."""

    @staticmethod
    def build(name: str, config: str) -> Host:
        """A light host by a run's settings."""
        return LightHost(name, check(json.loads(config)))


def record(config: RunConfig) -> list[Episode]:
    """A few episodes of training tasks, played by the oracle."""
    factory = device_factory(config.tasks.suite, phone=config.phone)
    played: list[Episode] = []
    for task in islice(load_suite(config.tasks.suite).tasks(config.tasks.split), _RECORDED):
        env, oracle = env_on(factory.make_device("recorded"))
        policy = ScriptedPolicy(oracle or NoOracle(config.tasks.suite))
        played.append(run_episode(env, policy, task, clock=RealClock(), episode_id=task.id))
    return played


def measure_devices(
    devices: int = 1000, *, seconds: float = 60.0, step_seconds: float = 2.0
) -> DevicesFigures:
    """Measure so many devices at the pace that is asked for, and at a quicker one."""
    hosts = max(1, round(devices / PER_HOST))
    per_host = max(1, devices // hosts)
    with TemporaryDirectory(prefix="distrl-bench-") as folder, bench_cluster(hosts) as cluster:
        asked, quicker = (
            _Paced(Path(folder) / str(pace), cluster, hosts, per_host, pace).measure(seconds)
            for pace in (step_seconds, QUICK_SECONDS)
        )
    return DevicesFigures(
        devices=hosts * per_host,
        hosts=hosts,
        seconds=seconds,
        step_ms=asked.step_ms,
        episodes_per_second=asked.episodes_per_second,
        stored_per_second=asked.stored_per_second,
        most_stored_per_second=quicker.stored_per_second,
        memory_mb=max(asked.memory_mb, quicker.memory_mb),
        waited_share=asked.waited_share,
        most_waited_share=quicker.waited_share,
        lost=asked.lost + quicker.lost,
        doubled=asked.doubled + quicker.doubled,
        rows=(asked, quicker),
    )


class _Paced:
    """Devices of one pace."""

    def __init__(
        self, root: Path, cluster: ClusterState, hosts: int, per_host: int, step_seconds: float
    ) -> None:
        more = (f"collect.devices={per_host}", "max_episodes=null", "init=scratch")
        self._config = settings("ray", step_seconds, 3600.0, cluster, more)
        self._folder = create_run(root, self._config)
        self._cluster, self._hosts = cluster, hosts
        self._devices = hosts * per_host

    def measure(self, seconds: float) -> DevicesRow:
        """Wait until every device has had time for an episode, then look for a while."""
        pointer = build_pointer(self._config)
        FileChannel(self._folder.weights).publish(pointer.model.state_dict(), 1)
        metrics = MetricsHub(self._folder.root, self._config, RealClock())
        rollouts = RayRollouts(self._folder, self._config, pointer, metrics, actor=LightActor)
        supervisor = Supervisor()

        def everybody_plays() -> bool:
            numbers = rollouts.gauges()
            there = numbers.get("cluster/hosts") == self._hosts
            return there and numbers["collect/episodes"] >= self._devices

        try:
            rollouts.start(supervisor)
            if not supervisor.wait(everybody_plays, timeout=_READY_SECONDS, poll=_LOOK_SECONDS):
                raise PipelineError(f"not all devices played within {_READY_SECONDS:g} s")
            looks = self._look(rollouts, supervisor, seconds)
            memory = self._memory()
        finally:
            close_all(lambda: supervisor.stop(timeout=_STOP_SECONDS), rollouts.close, metrics.close)
        return self._row(looks, memory)

    def _look(
        self, rollouts: RayRollouts, supervisor: Supervisor, seconds: float
    ) -> list[Mapping[str, float]]:
        """The gauges, again and again."""
        looks: list[Mapping[str, float]] = []

        def over() -> bool:
            looks.append({**rollouts.gauges(), "at": time.monotonic()})
            return looks[-1]["at"] - looks[0]["at"] >= seconds

        supervisor.wait(over, timeout=2 * seconds + _READY_SECONDS, poll=_LOOK_SECONDS)
        return looks

    def _memory(self) -> tuple[float, float]:
        """Megabytes of driver and hosts, and of the driver alone."""
        nodes = [pid for one in self._cluster.started for pid in descendants(one.pid)]
        hosts = [pid for pid in nodes if LightActor.__name__ in _name_of(pid)]
        driver = memory_of(os.getpid())
        return driver + sum(map(memory_of, hosts)), driver

    def _row(self, looks: list[Mapping[str, float]], memory: tuple[float, float]) -> DevicesRow:
        first, last = looks[0], looks[-1]

        def gained(name: str) -> float:
            return last[name] - first[name]

        stored = gained("collect/episodes")
        lost, doubled = lost_and_doubled(self._folder)
        return DevicesRow(
            step_ms=1000 * self._config.collect.latency,
            episodes_per_second=(stored + gained("cluster/unacknowledged")) / gained("at"),
            stored_per_second=stored / gained("at"),
            stored_steps_per_second=gained("collect/steps") / gained("at"),
            memory_mb=memory[0],
            driver_mb=memory[1],
            waiting=max(look["cluster/unacknowledged"] for look in looks),
            collectors_waiting=max(look["cluster/collectors_waiting"] for look in looks),
            waited_share=gained("cluster/waited_seconds") / (gained("at") * self._devices),
            lost=lost,
            doubled=doubled,
        )


def _name_of(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text("utf-8", errors="replace")
    return ""


def memory_of(pid: int) -> float:
    """Megabytes of a process, with its share of what it has in common with others; 0 if gone."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024 / _MEGABYTE
    return 0.0
