"""The collecting half of a run, and who waits for whom.

    process of the collectors                              process of the learner
    -------------------------                              ----------------------
    Fleet --lease--> Collector[N] --episode--> SqliteStore ~~rows~~> Ingest --> ReplayBuffer
                      ^  |    (Judging)        (durable)                            |
                      |  +-Situation-> Batcher                                      v
                      +----Choice------  ^  policy                               Learner
                                         |                                          |
                          NewestWeights -+ <~~files~~ FileChannel <----publish------+

    Collector      waits for a free device, its device, its choice; for the store only when it
                   is `most_pending` episodes behind; for the learner only with `collect.max_ahead`
    Judging        has threads of its own; a collector waits for it only if it rewards and is full
    Batcher        waits for a first situation; takes new weights between two passes
    NewestWeights  polls the channel; nobody waits for it
    SqliteStore    acknowledges when an episode is durable; never holds a device
    Learner        waits for `min_episodes`, and while `replay_ratio` is spent
    LiveScreens    writes what devices show, while somebody watches; nobody waits for it

The two processes share the run's folder (~~) and a pipe, over which the learner is told to stop.
Every loop here is supervised: the first that ends unasked stops the run with its error.
"""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path

from distrl.clock import RealClock
from distrl.collect.batcher import Batcher
from distrl.collect.collector import CollectorParts, DeviceTime, run_collector
from distrl.collect.env_wrappers import EnvWrappers
from distrl.collect.penalties import penalise
from distrl.collect.rate_limiter import rate_limiter_of
from distrl.collect.takeover import Takeover
from distrl.config import RunConfig
from distrl.devices.fault_injection import SlowDevice
from distrl.devices.fleet.fleet import Fleet
from distrl.envs.device_kinds import device_factory, env_on
from distrl.errors import ConfigError
from distrl.interfaces import Clock, Device, Env
from distrl.learn.ingest import log_probs_of
from distrl.monitor.live_screens import LiveScreens
from distrl.monitor.metrics_hub import MetricsHub
from distrl.replay.store.picture_codec import encode
from distrl.run.builders.android import Phones, is_slow
from distrl.run.builders.judge import RunJudge
from distrl.run.builders.policy_bundle import PolicyBundle
from distrl.run.local.fleet_control import Control
from distrl.run.processes.supervisor import Supervisor
from distrl.run.state.cassettes import CassetteFolder
from distrl.run.state.folder import RunFolder
from distrl.run.state.run_state import RunState
from distrl.weights.canary import CanaryCheck
from distrl.weights.file_channel import FileChannel
from distrl.weights.newest_weights import NewestWeights

COLLECTOR = "collector-"


_OUT = frozenset({"quarantined", "retired"})
"""States of the fleet in which a device plays nothing."""


def make_devices(config: RunConfig, clock: Clock, phones: Phones | None = None) -> list[Device]:
    """The devices of a run: its own, as slow as they are asked to be, and those over adb."""
    others = [] if phones is None else phones.all()
    if not config.collect.devices:
        return [*others]
    latency = config.collect.latency
    factory = device_factory(
        config.tasks.suite,
        phone=config.phone,
        factors=config.tasks.factors,
        pictures=config.policy.pixels,
        options=config.collect.options,
    )
    devices = [factory.make_device(f"{factory.kind}-{n}") for n in range(config.collect.devices)]
    if latency:
        devices = [SlowDevice(device, clock, observe=latency) for device in devices]
    return [*devices, *others]


def make_env(device: Device) -> Env:
    """The environment on a device, whichever kind it is of."""
    env, _ = env_on(device)
    return env


def utilisation(inside: float, wall: float) -> dict[str, float]:
    """Seconds inside device calls over wall seconds of the devices in use, as a gauge.

    Nothing before the first call, when 0 % would look like devices that hang.
    """
    return {"collect/utilisation": inside / wall} if inside and wall else {}


class LocalRollouts:
    """Collectors, batcher and store of a run, wired; `start` sets them going."""

    def __init__(
        self,
        folder: RunFolder,
        config: RunConfig,
        bundle: PolicyBundle,
        metrics: MetricsHub,
        *,
        before: float = 0.0,
    ) -> None:
        """Open the store and switch the devices on; `before` are seconds of training so far."""
        self._config, self._metrics, self._bundle = config, metrics, bundle
        self.clock = RealClock()
        self.run_state = RunState(
            folder, config, self.clock, version=lambda: self.batcher.version, before=before
        )
        self._phones = Phones(config, self.clock, logs=folder.root / "emulators")
        self.fleet = Fleet(
            make_devices(config, self.clock, self._phones), clock=self.clock, slow=is_slow
        )
        self.device_time = DeviceTime(self.clock)
        self._limiter = rate_limiter_of(config, self.clock)
        self._newest = NewestWeights(FileChannel(folder.weights, keep=config.learner.keep_weights))
        self._canary = CanaryCheck(
            log_probs_of(bundle.model, bundle.unpack), tolerance=bundle.agreement
        )
        self.batcher = Batcher(
            bundle.actor(),
            self._newest,
            canary=self._canary.check,
            answer_seconds=bundle.answer_seconds,
        )
        self._takeover = Takeover(bundle.express, lambda: self.batcher.version)
        cassettes = config.collect.cassettes
        self._supervisor: Supervisor | None = None
        self._collectors = 0
        control = Control(self.fleet, self._takeover, join=self.join, leave=self.leave)
        self.live_screens = LiveScreens(
            folder.root,
            encode=partial(encode, codec="png"),
            states=control.states,
            handle=control.handle,
        )
        finish = partial(penalise, sizes=config.collect.penalties)
        self._judge = RunJudge(
            config,
            self.run_state.store,
            finish=finish,
            acknowledged=self.run_state.acknowledge,
            costs=folder.judge_costs,
        )
        self.parts = CollectorParts(
            fleet=self.fleet,
            jobs=self.run_state.jobs,
            store=self.run_state.store,
            make_env=make_env,
            wrappers=EnvWrappers(
                record=None if cassettes is None else CassetteFolder(Path(cassettes)).tape,
                watch=self.live_screens.watch,
            ),
            takeover=self._takeover.choose,
            judging=self._judge.judging,
            finish=finish,
            acknowledged=self.run_state.acknowledge,
            may_begin=self._limiter.wait,
            clock=self.clock,
        )

    def start(self, supervisor: Supervisor) -> None:
        """Set all loops going."""
        self.run_state.start()
        # Before any collector starts: the first decision already needs the run's weights.
        self._newest.look()
        self.batcher.refresh()
        supervisor.start("weights", self._newest.run)
        supervisor.start("batcher", self.batcher.run)
        supervisor.start("numbers", self._record)
        supervisor.start("live_screens", self._show)
        self._judge.start(supervisor)
        self._supervisor = supervisor
        for _ in self.fleet.states():
            self._add_collector(supervisor)

    # One collector per device: a collector waits for its device most of the time, so a thread each
    # is cheap, and no device is ever idle because all collectors are busy.
    def _add_collector(self, supervisor: Supervisor) -> None:
        name = f"{COLLECTOR}{self._collectors}"
        self._collectors += 1
        supervisor.start(name, self._collect, may_end=True)

    def join(self, serial: str, *, opted_in: bool = False) -> None:
        """Take a phone over adb in while the run goes on, with somebody who plays on it.

        ConfigError when it may not be used, or is there already.
        """
        self.fleet.join(self._phones.make(serial, opted_in=opted_in))
        if self._supervisor is not None:
            self._add_collector(self._supervisor)

    def leave(self, device: str) -> None:
        """Let a device go when its episode has ended; ConfigError when it is the last one."""
        if set(self.fleet.states()) == {device}:
            raise ConfigError(f"{device} is the last device of the run: stop the run instead")
        self.fleet.leave(device)
        self.live_screens.forget(device)

    def _collect(self, stopping: threading.Event) -> None:
        run_collector(self.parts, self.batcher, self.device_time, stopping)

    def _show(self, stopping: threading.Event) -> None:
        try:
            self.live_screens.run(stopping)
        finally:
            self._takeover.close()

    def _record(self, stopping: threading.Event) -> None:
        while not stopping.wait(self._config.monitor.every_seconds):
            self._metrics.collect(self.gauges(), step=self.run_state.counters.episodes)
            self._limiter.on_report(self._metrics.follow())
        # Once more at the end: a short run would have no numbers, and others not their last ones.
        self._metrics.collect(self.gauges(), step=self.run_state.counters.episodes)

    def gauges(self) -> dict[str, float]:
        """Numbers of all parts."""
        inside, wall = self.device_time.seconds(), self.fleet.wall_seconds()
        return {
            **self.run_state.gauges(),
            **utilisation(inside, wall),
            "collect/held_back": self._limiter.waited_seconds / max(1e-9, wall),
            "collect/device_seconds": inside,
            "collect/wall_seconds": wall,
            **self.fleet.gauges(),
            **self._phones.gauges(),
            **self.batcher.gauges(),
            **self._canary.gauges(),
            **self._bundle.gauges(),
            **self._judge.gauges(),
        }

    def out_of_use(self) -> dict[str, str]:
        """Why devices play nothing now, by their names; devices in use are left out."""
        states = self.fleet.states().items()
        return {name: reason or state for name, (state, reason) in states if state in _OUT}

    def close(self) -> None:
        """Make durable what was handed in, and let go of everything; call it after the stop."""
        # The judge before the store: it still hands in the episodes that it holds.
        self._judge.close()
        self.run_state.close()
        self.fleet.close()
        self._phones.close()
        self._bundle.close()
