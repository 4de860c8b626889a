"""Light hosts without a cluster; `distrl bench cluster --devices` puts them on one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from tests.run.conftest import small_config
from tests.run.ray_engine.test_host import RoundRobin

pytest.importorskip("ray")

from distrl.bench.cluster.devices import LightActor, LightHost, memory_of
from distrl.clock import RealClock
from distrl.collect.jobs import SampledJobs
from distrl.replay.store.sqlite import SqliteStore
from distrl.run.ray_engine.coordinator import Coordinator
from distrl.run.ray_engine.protocol import HostRequest
from distrl.weights.serialization import seal

DEADLINE = 60.0


@pytest.fixture
def host() -> Iterator[LightHost]:
    settings = ("collect.devices=3", "collect.latency=0.001", "cluster.max_unacknowledged=2")
    made = LightHost("h", small_config(*settings))
    yield made
    made.close()


def test_every_job_of_a_light_host_is_stored_once(host: LightHost, tmp_path: Path) -> None:
    told: list[str] = []
    with SqliteStore(tmp_path / "episodes.sqlite") as store:
        coordinator = Coordinator(
            store.add_packed_later,
            SampledJobs(RoundRobin(), seed=1, prefix="p", limit=10),
            acknowledged=lambda episode: told.append(episode.id),
        )
        coordinator.join("h")
        assert host.load(seal({"w": torch.ones(1)}, 1)[0], 1)

        def done() -> bool:
            coordinator.take("h", host.exchange(coordinator.request("h", patience=0.1)))
            return coordinator.done

        assert RealClock().wait_until(done, timeout=DEADLINE)
        assert len(told) == 10
        assert sorted(told) == sorted(store.ids())


def test_collectors_of_a_light_host_wait_for_room(host: LightHost) -> None:
    jobs = SampledJobs(RoundRobin(), seed=1, prefix="p", limit=9)
    some = tuple(job for job in iter(jobs.next, None))
    host.load(seal({"w": torch.ones(1)}, 1)[0], 1)
    host.exchange(HostRequest(after=0, durable=0, jobs=some, version=1, patience=0.0))

    def full() -> bool:
        asked = HostRequest(after=0, durable=0, jobs=(), version=1, patience=0.0)
        gauges = host.exchange(asked).gauges
        assert gauges["cluster/unacknowledged"] <= 2
        return gauges["cluster/collectors_waiting"] == 3

    assert RealClock().wait_until(full, timeout=DEADLINE)


def test_a_light_actor_has_a_light_host_by_the_settings_of_the_run() -> None:
    actor = LightActor(
        "h", small_config("collect.devices=1").model_dump_json(), beside_learner=False
    )
    assert actor.ready() == ""
    assert actor.load(1, torch.frombuffer(bytearray(seal({}, 1)[0]), dtype=torch.uint8).numpy())
    actor.close()


def test_a_process_that_is_gone_has_no_memory() -> None:
    assert memory_of(os.getpid()) > 1
    assert memory_of(2**22 + 1) == 0
