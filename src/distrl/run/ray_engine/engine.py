"""The Ray engine: the same parts, with collectors on every device host of a cluster.

    device host (any number)                 the machine that trains: its disk, its GPU
    ------------------------                 ------------------------------------------
    HostActor: CollectingHost <-HostRequest-- HostClient[N] <-> Coordinator --> SqliteStore
                              --HostResponse->                                      ~
                              <--load-------- WeightRelay <~~ FileChannel <-- learner's process
                               (object store)

    HostPool      starts a host in every `device_host` slot, and a thread per host that exchanges
                  requests and responses with it
    WeightRelay   puts every new version into the object store once and offers it to all hosts

Ray holds nothing that lasts: episodes, weights and checkpoints are in the run's folder, as with the
local engine. Whatever dies, the same command resumes the run from there. Only checked bytes cross
between machines; `protocol` says what they mean.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from distrl.clock import RealClock
from distrl.collect.rate_limiter import rate_limiter_of
from distrl.config import RunConfig
from distrl.errors import PipelineError
from distrl.monitor.metrics_hub import MetricsHub
from distrl.run.builders.policy_bundle import PolicyBundle
from distrl.run.local.pipeline import COLLECTOR
from distrl.run.processes.supervisor import Supervisor, close_all
from distrl.run.ray_engine.coordinator import Coordinator
from distrl.run.ray_engine.driver import join_cluster, leave_cluster
from distrl.run.ray_engine.host_actor import HostActor
from distrl.run.ray_engine.host_client import READY_SECONDS
from distrl.run.ray_engine.host_pool import HostPool
from distrl.run.ray_engine.weight_relay import WeightRelay
from distrl.run.state.folder import RunFolder
from distrl.run.state.run_state import RunState
from distrl.weights.file_channel import FileChannel


class RayRollouts:
    """The collecting half of a run on a cluster; the counterpart of `LocalRollouts`."""

    def __init__(
        self,
        folder: RunFolder,
        config: RunConfig,
        bundle: PolicyBundle,
        metrics: MetricsHub,
        *,
        before: float = 0.0,
        actor: type[HostActor] = HostActor,
    ) -> None:
        """Join the cluster and open the store; `before` is the seconds of training so far.

        `actor` is what every host is made of.
        """
        del bundle  # every host builds its own
        access = join_cluster(config)
        self._config, self._metrics = config, metrics
        self.clock = RealClock()
        self._relay = WeightRelay(FileChannel(folder.weights, keep=config.learner.keep_weights))
        self.run_state = RunState(
            folder, config, self.clock, version=lambda: self._relay.version, before=before
        )
        self._limiter = rate_limiter_of(config, self.clock)
        self._read: int | None = None
        """Episodes that the learner has read; None until it has said so."""
        self.coordinator = Coordinator(
            self.run_state.store.add_packed_later,
            self.run_state.jobs,
            acknowledged=self.run_state.acknowledge,
            unread=self._unread,
            max_unread=config.cluster.max_unread,
            held=lambda: self._limiter.held,
        )
        self._host_pool = HostPool(config, access, self.coordinator, self._relay, actor=actor)

    def _unread(self) -> int:
        # No backpressure before the learner's first report: it may take minutes to load a model.
        return 0 if self._read is None else max(0, self.run_state.counters.episodes - self._read)

    def on_status(self, status: Mapping[str, Any]) -> None:
        """Take in what the learner's process reports of itself."""
        self._limiter.on_report(status)
        if "collected/episodes" in status:
            self._read = int(status["collected/episodes"] + status.get("replay/skipped", 0))

    def start(self, supervisor: Supervisor) -> None:
        """Start all loops; returns when the first host has joined, for then training time counts.

        Raises PipelineError when none has within READY_SECONDS.
        """
        # Before any host starts, so that the first `add` has a version to offer.
        self._relay.poll()
        supervisor.start("weights", self._relay.run)
        supervisor.start(
            f"{COLLECTOR}host pool", lambda _: self._host_pool.run(supervisor), may_end=True
        )
        if not supervisor.wait(lambda: bool(self.coordinator.hosts), timeout=READY_SECONDS):
            raise PipelineError(f"no host was ready within {READY_SECONDS:g} s")
        self.run_state.start()
        supervisor.start("numbers", self._record)

    def _record(self, stopping: threading.Event) -> None:
        while not stopping.wait(self._config.monitor.every_seconds):
            self._metrics.collect(self.gauges(), step=self.run_state.counters.episodes)
            self.on_status(self._metrics.follow())

    def gauges(self) -> dict[str, float]:
        """The numbers of all parts, those of hosts combined."""
        return {**self.run_state.gauges(), **self.coordinator.gauges()}

    def close(self) -> None:
        """Make durable what was handed in, and leave the cluster; call it after the stop."""
        close_all(self.run_state.close, leave_cluster)
