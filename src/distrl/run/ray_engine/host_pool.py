"""The hosts of a run: one in every slot of the cluster, restarted with backoff when it fails.

HostPool.run       lists the cluster's nodes, and starts a thread for every slot without one
thread per slot    starts a host, exchanges requests and responses with it, closes it at the end
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence

import ray

from distrl.config import RunConfig
from distrl.errors import ConfigError, PipelineError
from distrl.run.processes.supervisor import Supervisor
from distrl.run.ray_cluster.access import Access
from distrl.run.ray_cluster.node import list_nodes
from distrl.run.ray_engine.coordinator import BadResponse, Coordinator
from distrl.run.ray_engine.host_actor import HostActor
from distrl.run.ray_engine.host_client import RESEND_SECONDS, HostClient, HostFailed, HostLost
from distrl.run.ray_engine.host_slots import DEVICE_HOST, Slot, slots_of
from distrl.run.ray_engine.protocol import REQUEST
from distrl.run.ray_engine.restart_backoff import FAILURES, RestartBackoff
from distrl.run.ray_engine.weight_relay import WeightRelay

_PATIENCE = 0.25
"""How long a host may wait for an episode before it answers. Its answers are also its heartbeat."""
_EXCHANGE_PAUSE = 0.05
"""Between two requests to one host: episodes that end meanwhile travel in one response."""
_LOOK_SECONDS = 2.0
"""Between two looks at the cluster's nodes, and so how soon a node that joins gets its hosts."""
_ABSENT_SECONDS = 20.0
"""Longest absence of the cluster's head: a watchdog has restarted it long before."""
_AGAIN = "when it is up, the same command goes on"
_log = logging.getLogger(__name__)


class HostPool:
    """Keeps a host in every slot, for as long as the slot is there."""

    def __init__(
        self,
        config: RunConfig,
        access: Access,
        coordinator: Coordinator,
        relay: WeightRelay,
        *,
        actor: type[HostActor] = HostActor,
    ) -> None:
        """Take jobs from the coordinator and weights from the relay; `run` starts hosts."""
        self._actor = actor
        self._config, self._access = config, access
        self._coordinator, self._relay = coordinator, relay
        self._lock = threading.Lock()
        self._slots: Sequence[Slot] = ()
        self._occupied: set[Slot] = set()
        """Slots whose thread is running."""
        self._backoff: RestartBackoff[Slot] = RestartBackoff()
        self._started = 0
        self._here = ray.get_runtime_context().get_node_id()

    def run(self, supervisor: Supervisor) -> None:
        """Start hosts wherever a slot is free, until all jobs are done.

        Raises PipelineError when the cluster is gone, has had no slot for long, or no host works.
        """
        slots_seen = answered = time.monotonic()
        while not supervisor.stopping.is_set() and not self._coordinator.done:
            try:
                nodes = list_nodes(self._access)
                answered = time.monotonic()
            except ConfigError as error:
                if time.monotonic() - answered > _ABSENT_SECONDS:
                    raise PipelineError(f"the cluster is gone: {error}; {_AGAIN}") from None
            else:
                # A head that was started anew knows nothing of this driver or its actors.
                if self._here not in {node.id for node in nodes if node.alive}:
                    raise PipelineError(f"the cluster was started anew; {_AGAIN}")
                self._start_hosts(slots_of(nodes), supervisor)
            if self._has_slots():
                slots_seen = time.monotonic()
            if time.monotonic() - slots_seen > self._config.cluster.no_hosts_seconds:
                raise PipelineError(
                    f"no node of the cluster has had a {DEVICE_HOST} for "
                    f"{self._config.cluster.no_hosts_seconds:g} s; add one: distrl cluster join"
                )
            supervisor.stopping.wait(_LOOK_SECONDS)

    def _has_slots(self) -> bool:
        with self._lock:
            return bool(self._slots or self._occupied)

    def _start_hosts(self, slots: Sequence[Slot], supervisor: Supervisor) -> None:
        """Start a host in every slot whose backoff is over; PipelineError when no host works."""
        self._slots = slots
        # A host that has joined works, or its failure is not known yet: no verdict while there is.
        found = None if self._coordinator.hosts else self._backoff.hopeless(slots)
        if found is not None:
            slot, last = found
            raise PipelineError(
                f"no host works; each failed {FAILURES} times in a row, last {slot.name}:\n"
                f"{last.why}"
            )
        for slot in slots:
            if self._backoff.is_due(slot, time.monotonic()):
                self._start_host(slot, supervisor)

    def _start_host(self, slot: Slot, supervisor: Supervisor) -> None:
        with self._lock:
            if slot in self._occupied:
                return
            # Under the lock: the thread of the last host may be giving the slot back at this
            # moment.
            self._occupied.add(slot)
            self._started += 1
            number = self._started

        def loop(stopping: threading.Event) -> None:
            try:
                self._run_host(slot, stopping)
            finally:
                with self._lock:
                    self._occupied.discard(slot)

        supervisor.start(f"host {number} on {slot.name}", loop, may_end=True)

    def _run_host(self, slot: Slot, stopping: threading.Event) -> None:
        """Start a host, exchange with it until it fails or the run stops, and end it."""
        beside_learner = slot.node == self._here
        client = HostClient(slot, self._config, beside_learner=beside_learner, actor=self._actor)
        lost = False
        try:
            failure = client.wait_ready(stopping) or self._exchange(client, stopping)
            if failure:
                raise HostFailed(failure)
        except (HostLost, HostFailed) as error:
            lost = isinstance(error, HostLost)
            self._note_failure(slot, error)
        finally:
            self._relay.remove(client)
            # Closing ends emulators and adb servers in order; a lost host would only let it time
            # out. Killing frees the slot's resource in any case.
            if not lost:
                client.close()
            client.kill()

    def _exchange(self, client: HostClient, stopping: threading.Event) -> str:
        """Exchange with a host until the run stops; returns why the host failed, if it did."""
        name, resent = client.slot.name, time.monotonic()
        self._coordinator.join(name)
        try:
            self._relay.add(client)
            while not stopping.wait(_EXCHANGE_PAUSE):
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
                # An episode, and not merely an answer: a host may answer well and play nothing.
                if response.episodes:
                    self._backoff.worked(client.slot)
                behind = response.version < self._relay.version
                if behind and time.monotonic() - resent > RESEND_SECONDS:
                    self._relay.resend_to(client)
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
