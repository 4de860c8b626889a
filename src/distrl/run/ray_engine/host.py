"""A collecting host: devices, rollout collectors and a policy of its own, on any machine.

    HostRequest: jobs --> JobQueue --> Collector[N] --Episode--> Outbox --> HostResponse: episodes
                                  ^  |
                     Fleet --lease+  +-Situation-> Batcher <-- NewestWeights <-- load(version)

    Collector   waits for a job, a free device, its device, its choice, and for room in the outbox
    exchange    waits for an episode or new weights, but no longer than the request allows
    load        waits for nothing: the batcher loads weights between two passes

A host does not know who calls it: a Ray actor, or a test. It stores nothing: when it dies, its
running episodes and those that were not acknowledged are lost, and are played again elsewhere.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Mapping
from dataclasses import replace

from distrl.clock import RealClock
from distrl.collect.batcher import Batcher
from distrl.collect.collector import CollectorParts, DeviceTime, run_collector
from distrl.collect.penalties import penalise
from distrl.config import RunConfig
from distrl.devices.fleet.fleet import Fleet
from distrl.errors import WeightsError
from distrl.learn.ingest import log_probs_of
from distrl.run.builders.android import Phones, is_slow
from distrl.run.builders.judge import RunJudge
from distrl.run.builders.policy_bundle import PolicyBundle
from distrl.run.local.pipeline import COLLECTOR, make_devices, make_env
from distrl.run.processes.supervisor import Supervisor, close_all
from distrl.run.ray_engine.outbox import JobQueue, Outbox
from distrl.run.ray_engine.protocol import HostRequest, HostResponse
from distrl.types import Episode
from distrl.weights.canary import CanaryCheck
from distrl.weights.newest_weights import NewestWeights
from distrl.weights.received_channel import ReceivedChannel
from distrl.weights.serialization import Sealed

_STOP_SECONDS = 20.0
"""A collector ends between two steps of its device, and a step of a slow phone takes seconds."""


class CollectingHost:
    """Plays jobs with the newest weights that it was given. Any thread may call."""

    def __init__(self, name: str, config: RunConfig, bundle: PolicyBundle) -> None:
        """Start the devices; collecting begins when the first weights are loaded."""
        self.name = name
        self._clock = RealClock()
        self._phones = Phones(config, self._clock)
        self._fleet = Fleet(
            make_devices(config, self._clock, self._phones), clock=self._clock, slow=is_slow
        )
        self._collectors = config.collect.devices + config.collect.android.phones
        self._device_time = DeviceTime(self._clock)
        self._channel = ReceivedChannel()
        self._newest = NewestWeights(self._channel)
        self._outbox = Outbox(config.cluster.max_unacknowledged)
        self._canary = CanaryCheck(
            log_probs_of(bundle.model, bundle.unpack), tolerance=bundle.agreement
        )
        self._batcher = Batcher(
            bundle.actor(),
            self._newest,
            canary=self._loaded,
            answer_seconds=bundle.answer_seconds,
        )
        self._bundle = bundle
        self._jobs = JobQueue(room=self._collectors)
        self._supervisor = Supervisor()
        self._loading = threading.Lock()
        self._refused = 0
        self._penalties = config.collect.penalties
        self._judge = RunJudge(config, self._outbox, finish=self._finish)
        self._parts = CollectorParts(
            fleet=self._fleet,
            jobs=self._jobs,
            store=self._outbox,
            make_env=make_env,
            judging=self._judge.judging,
            finish=self._finish,
            clock=self._clock,
            store_seconds=config.cluster.host_timeout_seconds,
        )

    def _finish(self, episode: Episode) -> Episode:
        """Apply penalties, and add the host's name to the device's, which other hosts have too."""
        return replace(penalise(episode, self._penalties), device=f"{self.name}/{episode.device}")

    def _loaded(self, notes: Mapping[str, str], version: int) -> None:
        """Check weights that act from now on, and have an exchange that waits tell of them."""
        self._canary.check(notes, version)
        self._outbox.wake()

    def load(self, data: Sealed, version: int) -> bool:
        """Load weights if they are newer; returns whether they are. WeightsError if damaged."""
        # One at a time: Ray calls from several threads, and two first versions would start twice.
        with self._loading:
            try:
                newer = self._channel.receive(data, version)
            except WeightsError:
                self._refused += 1
                raise
            if newer and self._newest.look() and not self._batcher.version:
                self._batcher.refresh()
                self._start()
        return newer

    def _start(self) -> None:
        self._supervisor.start("batcher", self._batcher.run)
        self._judge.start(self._supervisor)
        for number in range(self._collectors):
            self._supervisor.start(
                f"{COLLECTOR}{number}",
                lambda stopping: run_collector(
                    self._parts, self._batcher, self._device_time, stopping
                ),
                may_end=True,
            )

    def exchange(self, request: HostRequest) -> HostResponse:
        """Take the jobs and acknowledgements of a request; respond with what has been played.

        Idempotent: the same request again gets the same episodes again, and adds no job twice.
        """
        self._outbox.settle(request.durable)
        self._jobs.add(request.jobs)
        failed, episodes = "", tuple[bytes, ...]()
        try:
            episodes = self._outbox.ready(
                request.after,
                timeout=request.patience,
                unless=lambda: self._batcher.version != request.version,
            )
            self._outbox.check()
            self._supervisor.check()
        except BaseException:  # noqa: BLE001 - the caller decides what becomes of this host
            failed = traceback.format_exc()
        return HostResponse(
            first=request.after + 1,
            episodes=episodes,
            wanted=self._jobs.wanted if self._batcher.version else 0,
            version=self._batcher.version,
            gauges=self.gauges(),
            failed=failed,
        )

    def gauges(self) -> dict[str, float]:
        """The numbers of all parts of this host."""
        return {
            "collect/device_seconds": self._device_time.seconds(),
            "collect/wall_seconds": self._fleet.wall_seconds(),
            "cluster/weights_refused": float(self._refused),
            **self._fleet.gauges(),
            **self._phones.gauges(),
            **self._batcher.gauges(),
            **self._outbox.gauges(),
            **self._canary.gauges(),
            **self._bundle.gauges(),
            **self._judge.gauges(),
        }

    def close(self) -> None:
        """Abandon the running episodes and release the devices; a second call does nothing."""
        self._supervisor.stopping.set()
        self._jobs.close()
        self._outbox.close()
        close_all(
            lambda: self._supervisor.stop(timeout=_STOP_SECONDS),
            self._judge.close,
            self._fleet.close,
            self._phones.close,
            self._bundle.close,
        )
