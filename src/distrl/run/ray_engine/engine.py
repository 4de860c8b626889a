"""The Ray engine: the same parts, with collectors on every device host of a cluster.

    device host (any number)                 the machine that trains: its disk, its GPU
    ------------------------                 ------------------------------------------
    HostActor: CollectingHost <-HostRequest-- HostClient[N] <-> Coordinator --> SqliteStore
                              --HostResponse->                                      ~
                              <--load-------- WeightRelay <~~ FileChannel <-- learner's process
                               (object store)

    HostPool      starts a host on every free `device_host`, and a thread per host that exchanges
                  requests and responses with it
    WeightRelay   puts every new version into the object store once and tells all hosts of it

Ray holds nothing that lasts: episodes, weights and checkpoints are in the run's folder, as with the
local engine. Whatever dies, the same command goes on from there. Only bytes that are checked cross
between machines; `protocol` says what they mean.
"""

from __future__ import annotations

import atexit
import logging
import signal
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from operator import attrgetter
from typing import Any

import numpy as np
import ray
from ray.exceptions import ActorUnavailableError, GetTimeoutError, RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from distrl.clock import RealClock
from distrl.config import RunConfig
from distrl.errors import ConfigError, DistrlError, PipelineError, StoreError
from distrl.monitor.metrics_hub import MetricsHub
from distrl.run.builders.policy_bundle import PolicyBundle, config_for_hosts
from distrl.run.local.pipeline import COLLECTOR
from distrl.run.processes.supervisor import Supervisor, close_all
from distrl.run.ray_cluster.access import Access
from distrl.run.ray_cluster.inventory import access_of
from distrl.run.ray_cluster.node import NodeState, check_access, list_nodes
from distrl.run.ray_engine.coordinator import BadResponse, Coordinator
from distrl.run.ray_engine.host import HostSettings
from distrl.run.ray_engine.host_actor import HostActor
from distrl.run.ray_engine.protocol import REQUEST, RESPONSE, HostResponse
from distrl.run.ray_engine.restart_backoff import FAILURES, RestartBackoff
from distrl.run.state.folder import RunFolder
from distrl.run.state.run_state import RunState
from distrl.weights.files import FileChannel

DEVICE_HOST = "device_host"
"""The resource that a node has for each host's worth of devices on it."""

_READY_SECONDS = 300.0
"""Until a new host has loaded its policy; the first one on a machine fills a cache."""
_PATIENCE = 0.25
_LISTEN_SECONDS = 0.5
_PACE = 0.05
"""Between two orders to the same host: episodes that end meanwhile travel together."""
_POLL = 0.05
_LOOK_SECONDS = 2.0
_RESEND_SECONDS = 5.0
_ABSENT_SECONDS = 20.0
_RAY_SECONDS = 10.0
_CLOSE_SECONDS = 15.0
_AGAIN = "when it is up, the same command goes on"
_log = logging.getLogger(__name__)


_RayHostActor: Any = ray.remote(HostActor)


class HostLost(DistrlError):  # noqa: N818 - the name says what happened
    """A host that will not answer again."""


class HostFailed(DistrlError):  # noqa: N818 - the name says what happened
    """A host that is there, and does not do what it should."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a host: one unit of a node's `device_host`."""

    node: str
    place: int
    address: str

    @property
    def name(self) -> str:
        """What its devices are called by; a host that takes its place later has the same name."""
        return f"{self.address}-{self.node[:6]}-{self.place}"


def slots_of(
    nodes: Sequence[NodeState], *, room: Callable[[NodeState], int] = attrgetter("device_hosts")
) -> list[Slot]:
    """Where hosts can be, by what a cluster says of its nodes; `room` is how many on each."""
    return [
        Slot(node.id, place, node.address)
        for node in nodes
        if node.alive
        for place in range(room(node))
    ]


def is_due(version: int, *, told: int, under_way: bool, waited: float) -> bool:
    """Whether to send a host a version: it was not sent it, and is not busy with another.

    What it does not take within seconds may be lost, and then it is not waited for.
    """
    return version > told and (not under_way or waited >= _RESEND_SECONDS)


def within(seconds: float, call: Callable[[], object]) -> bool:
    """Do something that may hang when the cluster is gone; whether it was done in time."""
    thread = threading.Thread(target=call, name="ray", daemon=True)
    thread.start()
    thread.join(seconds)
    return not thread.is_alive()


class HostClient:
    """Calls one host. Whoever is asked twice answers twice; nothing waits for ever."""

    def __init__(self, slot: Slot, config: RunConfig, *, beside: bool) -> None:
        self.slot = slot
        cluster = config.cluster
        settings = HostSettings(
            most_unacknowledged=cluster.most_unacknowledged, silent_seconds=cluster.silent_seconds
        )
        self._silence = cluster.silent_seconds
        self._actor: Any = _RayHostActor.options(
            num_cpus=0,
            num_gpus=cluster.gpus_per_host,
            resources={DEVICE_HOST: 1},
            max_restarts=0,
            max_concurrency=4,
            scheduling_strategy=NodeAffinitySchedulingStrategy(slot.node, soft=False),
        ).remote(
            slot.name,
            config_for_hosts(config).model_dump_json(),
            asdict(settings),
            beside_learner=beside,
        )
        self._loading: Any = None
        self._told = 0
        """The newest version that it was sent."""
        self._told_at = 0.0

    def wait_ready(self, stopping: threading.Event) -> str:
        """Wait until it can begin; why it cannot, if so.

        Raises as `exchange` does. Empty also when it is time to stop.
        """
        return self._ask(self._actor.ready.remote, stopping, _READY_SECONDS) or ""

    def exchange(self, request: bytes, stopping: threading.Event) -> HostResponse | None:
        """Its answer; None when it is time to stop.

        Raises HostLost when it is gone, or silent for too long, and HostFailed when its answer is
        an error, or none that can be read.
        """
        answer = self._ask(lambda: self._actor.exchange.remote(request), stopping, self._silence)
        try:
            return None if answer is None else RESPONSE.decode(answer)
        except StoreError as error:
            raise HostFailed(f"its answer cannot be read: {error}") from None

    def offer(self, version: int, weights: Any) -> None:
        """Send it new weights, unless it has them or is still at others; nobody waits for it."""
        under_way = self._loading is not None and not self._loaded()
        waited = time.monotonic() - self._told_at
        if is_due(version, told=self._told, under_way=under_way, waited=waited):
            self._told, self._told_at = version, time.monotonic()
            self._loading = self._actor.load.remote(version, weights)

    def forget_version(self) -> None:
        """Let it be sent the newest once more: it does not seem to have it."""
        self._told = 0

    def _loaded(self) -> bool:
        if not ray.wait([self._loading], timeout=0)[0]:
            return False
        try:
            ray.get(self._loading)
        except RayTaskError as error:
            _log.warning("%s refused weights: %s", self.slot.name, error.cause)
        except RayError:
            pass  # its tender finds that out by itself
        self._loading = None
        return True

    def _ask(self, call: Callable[[], Any], stopping: threading.Event, seconds: float) -> Any:
        """Ask, and again whenever the line breaks, until it answers or the time is over."""
        deadline = time.monotonic() + seconds
        asked: Any = None
        while not stopping.is_set():
            try:
                asked = call() if asked is None else asked
                return ray.get(asked, timeout=_LISTEN_SECONDS)
            except RayTaskError as error:  # first: it may be one of the others too, by its cause
                raise HostFailed(str(error)) from None
            except (GetTimeoutError, ActorUnavailableError) as error:
                if time.monotonic() > deadline:
                    raise HostLost(f"{self.slot.name} said nothing for {seconds:g} s") from None
                if isinstance(error, ActorUnavailableError):
                    asked = None
                    stopping.wait(_PATIENCE)
            except RayError as error:
                raise HostLost(f"{self.slot.name} is gone: {error}") from None
        return None

    def close(self) -> None:
        """Let it let go of its devices, if it can, and end what it started for them."""

        def ask() -> None:
            with suppress(RayError):  # whoever cannot is killed anyway
                ray.get(self._actor.close.remote(), timeout=_CLOSE_SECONDS)

        within(_CLOSE_SECONDS, ask)

    def kill(self) -> None:
        """End its process at once."""
        within(_RAY_SECONDS, lambda: ray.kill(self._actor))


class WeightRelay:
    """Brings what the learner publishes to all hosts, through the object store."""

    def __init__(self, channel: FileChannel) -> None:
        self._channel = channel
        self._lock = threading.Lock()
        self._clients: list[HostClient] = []
        self._newest: tuple[int, Any] | None = None

    def look(self) -> bool:
        """Take up the newest version, if it is a new one."""
        latest = self._channel.latest()
        if latest <= self.version:
            return False
        try:
            data = self._channel.sealed(latest)
        except LookupError:  # replaced by a newer one meanwhile
            return False
        put = ray.put(np.frombuffer(data, np.uint8))
        with self._lock:
            self._newest = latest, put
        return True

    @property
    def version(self) -> int:
        """The newest version that was taken up; 0 before the first."""
        return self._newest[0] if self._newest else 0

    def add(self, client: HostClient) -> None:
        """Send it the newest version, and those that come."""
        with self._lock:
            self._clients.append(client)
        self.tell()

    def again(self, client: HostClient) -> None:
        """Send the newest version once more, to one who does not seem to have it."""
        with self._lock:
            client.forget_version()

    def remove(self, client: HostClient) -> None:
        """Send it nothing any more."""
        with self._lock:
            if client in self._clients:
                self._clients.remove(client)

    def tell(self) -> None:
        """Offer all hosts the newest version."""
        with self._lock:
            if self._newest is not None:
                for client in self._clients:
                    client.offer(*self._newest)

    def run(self, stopping: threading.Event) -> None:
        """Look and tell until it is time to stop."""
        while not stopping.wait(_POLL):
            self.look()
            self.tell()


class HostPool:
    """A host on every slot, for as long as the slot is there."""

    def __init__(
        self, config: RunConfig, access: Access, coordinator: Coordinator, relay: WeightRelay
    ) -> None:
        self._config, self._access, self._coordinator, self._relay = (
            config,
            access,
            coordinator,
            relay,
        )
        self._lock = threading.Lock()
        self._slots: Sequence[Slot] = ()
        self._tended: set[Slot] = set()
        self._backoff: RestartBackoff[Slot] = RestartBackoff()
        self._started = 0
        self._here = ray.get_runtime_context().get_node_id()

    def run(self, supervisor: Supervisor) -> None:
        """Look for nodes until all jobs are done.

        PipelineError when the cluster is gone, has had no device host for long, or has none that
        works.
        """
        alone_since = answered = time.monotonic()
        while not supervisor.stopping.is_set() and not self._coordinator.done:
            try:
                nodes = list_nodes(self._access)
                answered = time.monotonic()
            except ConfigError as error:
                if time.monotonic() - answered > _ABSENT_SECONDS:
                    raise PipelineError(f"the cluster is gone: {error}; {_AGAIN}") from None
            else:
                if self._here not in {node.id for node in nodes if node.alive}:
                    raise PipelineError(f"the cluster was started anew; {_AGAIN}")
                self._tend_all(slots_of(nodes), supervisor)
            if not self._alone():
                alone_since = time.monotonic()
            if time.monotonic() - alone_since > self._config.cluster.alone_seconds:
                raise PipelineError(
                    f"no node of the cluster has had a {DEVICE_HOST} for "
                    f"{self._config.cluster.alone_seconds:g} s; add one: distrl cluster join"
                )
            supervisor.stopping.wait(_LOOK_SECONDS)

    def _alone(self) -> bool:
        with self._lock:
            return not self._slots and not self._tended

    def _tend_all(self, slots: Sequence[Slot], supervisor: Supervisor) -> None:
        """Start what is due; PipelineError when no host works, and none has just begun to."""
        self._slots = slots
        found = None if self._coordinator.hosts else self._backoff.hopeless(slots)
        if found is not None:
            slot, last = found
            raise PipelineError(
                f"no host works; each failed {FAILURES} times in a row, last {slot.name}:\n"
                f"{last.why}"
            )
        for slot in slots:
            if self._backoff.is_due(slot, time.monotonic()):
                self._tend_to(slot, supervisor)

    def _tend_to(self, slot: Slot, supervisor: Supervisor) -> None:
        with self._lock:
            if slot in self._tended:
                return
            self._tended.add(slot)
            self._started += 1
            number = self._started

        def tend(stopping: threading.Event) -> None:
            try:
                self._tend(slot, stopping)
            finally:
                with self._lock:
                    self._tended.discard(slot)

        supervisor.start(f"host {number} on {slot.name}", tend, may_end=True)

    def _tend(self, slot: Slot, stopping: threading.Event) -> None:
        client, gone = HostClient(slot, self._config, beside=slot.node == self._here), False
        try:
            failed = client.wait_ready(stopping) or self._keep_going(client, stopping)
            if failed:
                raise HostFailed(failed)
        except (HostLost, HostFailed) as error:
            gone = isinstance(error, HostLost)
            self._note_failure(slot, error)
        finally:
            self._relay.remove(client)
            if not gone:
                client.close()
            client.kill()

    def _keep_going(self, client: HostClient, stopping: threading.Event) -> str:
        """Exchange with a host until it is time to stop; why it failed, if it did."""
        name, resent = client.slot.name, time.monotonic()
        self._coordinator.join(name)
        try:
            self._relay.add(client)
            while not stopping.wait(_PACE):
                request = REQUEST.encode(self._coordinator.request(name, patience=_PATIENCE))
                response = client.exchange(request, stopping)
                if response is None:
                    continue
                try:
                    self._coordinator.take(name, response)
                except BadResponse as error:
                    return str(error)
                if response.failed:
                    return response.failed
                if response.episodes:
                    self._backoff.worked(client.slot)
                behind = response.version < self._relay.version
                if behind and time.monotonic() - resent > _RESEND_SECONDS:
                    self._relay.again(client)
                    resent = time.monotonic()
        finally:
            self._coordinator.leave(name, lost=not stopping.is_set())
        return ""

    def _note_failure(self, slot: Slot, error: HostLost | HostFailed) -> None:
        times = self._backoff.failed(slot, str(error), time.monotonic())
        if isinstance(error, HostLost):
            _log.warning("%s; what it was playing goes to others", error)
        else:
            _log.warning("%s failed, time %d in a row:\n%s", slot.name, times, error)


class RayRollouts:
    """The collecting half of a run on a cluster; as `LocalRollouts` on one machine."""

    def __init__(
        self,
        folder: RunFolder,
        config: RunConfig,
        bundle: PolicyBundle,
        metrics: MetricsHub,
        *,
        before: float = 0.0,
    ) -> None:
        """Join the cluster and open the store; `before` are seconds of training so far."""
        del bundle  # every host has its own
        access = join_cluster(config)
        self._config, self._metrics = config, metrics
        self.clock = RealClock()
        self._relay = WeightRelay(FileChannel(folder.weights, keep=config.learner.keep_weights))
        self.run_state = RunState(
            folder, config, self.clock, version=lambda: self._relay.version, before=before
        )
        self._read: int | None = None
        self.coordinator = Coordinator(
            self.run_state.store,
            self.run_state.jobs,
            acknowledged=self.run_state.acknowledge,
            unread=self._unread,
            most_unread=config.cluster.most_unread,
        )
        self._herd = HostPool(config, access, self.coordinator, self._relay)

    def _unread(self) -> int:
        return 0 if self._read is None else max(0, self.run_state.counters.episodes - self._read)

    def on_status(self, status: Mapping[str, Any]) -> None:
        """Take in what the learner's process says of itself."""
        if "collected/episodes" in status:
            self._read = int(status["collected/episodes"] + status.get("replay/skipped", 0))

    def start(self, supervisor: Supervisor) -> None:
        """Set all loops going; returns when the first host is there, for then the time counts."""
        self._relay.look()
        supervisor.start("weights", self._relay.run)
        supervisor.start(f"{COLLECTOR}herd", lambda _: self._herd.run(supervisor), may_end=True)
        if not supervisor.wait(lambda: bool(self.coordinator.hosts), timeout=_READY_SECONDS):
            raise PipelineError(f"no host was ready within {_READY_SECONDS:g} s")
        self.run_state.start()
        supervisor.start("numbers", self._record)

    def _record(self, stopping: threading.Event) -> None:
        while not stopping.wait(self._config.monitor.every_seconds):
            self._metrics.collect(self.gauges(), step=self.run_state.counters.episodes)
            self.on_status(self._metrics.follow())

    def gauges(self) -> dict[str, float]:
        """Numbers of all parts."""
        return {**self.run_state.gauges(), **self.coordinator.gauges()}

    def close(self) -> None:
        """Make durable what was handed in, and leave the cluster; call it after the stop."""
        close_all(self.run_state.close, leave_cluster)


def leave_cluster() -> None:
    """Be no driver any more; a cluster that is gone keeps nobody."""
    if not within(_RAY_SECONDS, ray.shutdown):
        _log.warning("the cluster does not answer; it is left without a word")
        atexit.unregister(ray.shutdown)


def join_cluster(config: RunConfig) -> Access:
    """Become a driver of the cluster; ConfigError when it is not there or the token is wrong."""
    access = access_of(config)
    check_access(access)
    with _own_way_to_end():
        ray.init(
            address=access.address,
            namespace=f"distrl-{uuid.uuid4().hex[:8]}",
            log_to_driver=False,
            logging_level=logging.WARNING,
        )
    return access


@contextmanager
def _own_way_to_end() -> Iterator[None]:
    """Keep what SIGTERM and SIGINT do here: a driver of Ray would abort, and end nothing in order.

    Ray puts its handlers below Python's, which does not notice: they are set once more.
    """
    here = threading.current_thread() is threading.main_thread()  # nobody else may set any
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        if here and handler is not None:
            signal.signal(number, handler)
