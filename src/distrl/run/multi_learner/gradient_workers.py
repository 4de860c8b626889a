"""Gradient workers on a Ray cluster: one on every `learner_host`, as many as a run asks for.

    learner's process                                       machine with a learner_host
    -----------------                                       ---------------------------
    RemoteGradientModel --> RayGradientWorker --WorkItem--> GradientWorkerActor: WorkItemRunner
                                              <--numbers, gradients--

    RayGradientWorkers   lists the cluster's nodes, and starts a worker wherever one is missing

All of it goes through Ray, which asks everybody for the cluster's token; no further port is opened,
and only bytes that are checked travel. Weights go through the object store, once for all workers. A
worker that is silent or gone costs an update some time: the learner does its share itself.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import ray
import torch
from ray.exceptions import GetTimeoutError, RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy
from torch import Tensor

from distrl.config import RunConfig
from distrl.errors import ConfigError, WeightsError
from distrl.learn.remote_gradients import COLUMNS, GradientWorkerLost, WorkItem
from distrl.run.builders.policy_bundle import config_for_gradient_workers
from distrl.run.multi_learner.gradient_worker_actor import (
    ERRAND,
    GradientWorkerActor,
    pack_tensors,
    unpack_tensors,
)
from distrl.run.ray_cluster.access import Access
from distrl.run.ray_cluster.node import NodeState, list_nodes
from distrl.run.ray_engine.engine import Slot, join_cluster, leave_cluster, slots_of, within
from distrl.run.ray_engine.restart_backoff import RestartBackoff
from distrl.weights.sealed import digest_of, seal

LEARNER_HOST = "learner_host"
"""The resource that a node has for each worker that may be on it."""

_READY_SECONDS = 300.0
_LISTEN_SECONDS = 1.0
_LOOK_SECONDS = 2.0
_RAY_SECONDS = 10.0
_log = logging.getLogger(__name__)

_WorkerActor: Any = ray.remote(GradientWorkerActor)


def places_of(nodes: Sequence[NodeState]) -> list[Slot]:
    """Where workers can be, by what a cluster says of its nodes."""
    return slots_of(nodes, room=lambda node: node.learner_hosts)


class _ObjectStoreWeights:
    """The newest weights of each of the learner's models, in the object store."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._put: dict[int, tuple[str, Any]] = {}

    def put(self, number: int, weights: Mapping[str, Tensor]) -> tuple[str, Any]:
        """Their digest, and where they are."""
        digest = digest_of(weights)
        with self._lock:
            if number not in self._put or self._put[number][0] != digest:
                data, _ = seal(weights, 0)
                self._put[number] = digest, ray.put(np.frombuffer(data, np.uint8))
            return self._put[number]


class RayGradientWorker:
    """One worker, in the learner's eyes. Once it is lost it stays so."""

    def __init__(self, slot: Slot, config: RunConfig, weights_store: _ObjectStoreWeights) -> None:
        """Start it; it can be asked when `is_ready`."""
        self.slot, self._weights_store = slot, weights_store
        self._silence = config.cluster.silent_seconds
        self._started = time.monotonic()
        self.lost = ""
        """Why it is lost, if it is."""
        self.answers = 0
        """How often something came of it."""
        self._actor: Any = _WorkerActor.options(
            num_cpus=0,
            num_gpus=config.cluster.gpus_per_learner,
            resources={LEARNER_HOST: 1},
            max_restarts=0,
            max_concurrency=2,  # it can say that it is there while it works
            scheduling_strategy=NodeAffinitySchedulingStrategy(slot.node, soft=False),
        ).remote(config_for_gradient_workers(config).model_dump_json())
        self._answer: Any = self._actor.ready.remote()
        self.is_ready = False

    def look_whether_ready(self) -> None:
        """Note what it says of its start, if it has said something."""
        try:
            self.lost = self.lost or ray.get(self._answer, timeout=0)
            self.is_ready = not self.lost
        except GetTimeoutError:
            if time.monotonic() - self._started > _READY_SECONDS:
                self.lost = f"it was not ready within {_READY_SECONDS:g} s"
        except RayError as error:
            self.lost = str(error)

    def look(self, work_item: WorkItem, weights: Mapping[str, Tensor]) -> Callable[[], Tensor]:
        """What the model with these weights says of the steps."""
        shape = torch.Size((len(work_item.inputs), COLUMNS))
        call = self._ask(lambda: self._actor.look.remote(*self._words(work_item, weights)))
        return lambda: self._wait(call, [shape])[0]

    def differentiate(
        self,
        work_item: WorkItem,
        weights: Mapping[str, Tensor],
        by: Tensor,
        shapes: Sequence[torch.Size],
    ) -> Callable[[], Sequence[Tensor]]:
        """Gradients of the trained weights."""
        told = pack_tensors([by])
        call = self._ask(
            lambda: self._actor.differentiate.remote(*self._words(work_item, weights), told)
        )
        return lambda: self._wait(call, shapes)

    def _words(self, work_item: WorkItem, weights: Mapping[str, Tensor]) -> tuple[bytes, str, Any]:
        return ERRAND.encode(work_item), *self._weights_store.put(work_item.copy, weights)

    def _ask(self, call: Callable[[], Any]) -> Any:
        """What will be the answer; None if it cannot even be asked."""
        if self.lost:
            return None
        try:
            return call()
        except RayError as error:
            self._give_up(str(error))
            return None

    def _wait(self, call: Any, shapes: Sequence[torch.Size]) -> list[Tensor]:
        """The answer; GradientWorkerLost when it failed, is gone, or says nothing for too long."""
        heard, here = time.monotonic(), None
        while call is not None and not self.lost:
            try:
                answer = unpack_tensors(ray.get(call, timeout=_LISTEN_SECONDS), shapes)
                self.answers += 1
                return answer
            except GetTimeoutError:
                here, heard = self._listen(here, heard)
            except (RayTaskError, WeightsError) as error:
                self._give_up(f"it failed: {error}")
            except RayError as error:
                self._give_up(f"it is gone: {error}")
        raise GradientWorkerLost(f"{self.slot.name} is lost: {self.lost}")

    def _listen(self, here: Any, heard: float) -> tuple[Any, float]:
        """Ask whether it is still there, and when it last said so."""
        here = self._actor.ready.remote() if here is None else here
        if ray.wait([here], timeout=0)[0]:
            return None, time.monotonic()
        if time.monotonic() - heard > self._silence:
            self._give_up(f"it said nothing for {self._silence:g} s")
        return here, heard

    def _give_up(self, why: str) -> None:
        self.lost = self.lost or why

    def kill(self) -> None:
        """End its process at once."""
        within(_RAY_SECONDS, lambda: ray.kill(self._actor))


class RayGradientWorkers:
    """A worker on every place, as long as the place is there. Any thread may ask for them."""

    def __init__(self, config: RunConfig, access: Access) -> None:
        """Begin to look; `close` ends it."""
        self._config, self._access = config, access
        self._lock, self._weights_store = threading.Lock(), _ObjectStoreWeights()
        self._workers: list[RayGradientWorker] = []
        self._attempts: RestartBackoff[Slot] = RestartBackoff()
        self._lost, self._answers_of_lost = 0, 0
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="workers", daemon=True)
        self._thread.start()

    def workers(self) -> list[RayGradientWorker]:
        """Those who can be asked now."""
        with self._lock:
            return [one for one in self._workers if one.is_ready and not one.lost]

    def gauges(self) -> dict[str, float]:
        """Numbers for a monitor."""
        with self._lock:
            answers = self._answers_of_lost + sum(one.answers for one in self._workers)
        return {
            "learner/workers": float(len(self.workers())),
            "learner/helpers_answers": float(answers),
            "learner/helpers_lost": float(self._lost),
        }

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._look_around()
            except ConfigError as error:  # the run itself finds out what that means
                _log.warning("no look at the cluster: %s", error)
            except RayError as error:
                _log.warning("no worker could be started: %s", error)
            self._stopping.wait(_LOOK_SECONDS)

    def _look_around(self) -> None:
        """Let go of who is lost, and start whoever is missing."""
        for one in self._workers:
            one.look_whether_ready()
            if one.answers:
                self._attempts.worked(one.slot)
        for one in [one for one in self._workers if one.lost]:
            self._let_go(one)
        taken = {one.slot for one in self._workers}
        free = [slot for slot in places_of(list_nodes(self._access)) if slot not in taken]
        due = [slot for slot in free if self._attempts.is_due(slot, time.monotonic())]
        for slot in due[: self._config.cluster.learners - len(taken)]:
            worker = RayGradientWorker(slot, self._config, self._weights_store)
            with self._lock:
                self._workers.append(worker)

    def _let_go(self, worker: RayGradientWorker) -> None:
        times = self._attempts.failed(worker.slot, worker.lost, time.monotonic())
        _log.warning(
            "worker on %s, lost for the %d. time: %s", worker.slot.name, times, worker.lost
        )
        with self._lock:
            self._workers.remove(worker)
            self._lost += 1
            self._answers_of_lost += worker.answers
        worker.kill()

    def close(self) -> None:
        """End all workers."""
        self._stopping.set()
        self._thread.join(_RAY_SECONDS)
        for worker in self._workers:
            worker.kill()


@contextmanager
def gradient_workers_of(config: RunConfig) -> Iterator[RayGradientWorkers]:
    """The workers of a run's learner; this process is a driver of the cluster meanwhile."""
    gradient_workers = RayGradientWorkers(config, join_cluster(config))
    try:
        yield gradient_workers
    finally:
        gradient_workers.close()
        leave_cluster()
