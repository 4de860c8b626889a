"""Gradient workers on a Ray cluster: one on every `learner_host`, as many as a run asks for.

    learner's process                                       machine with a learner_host
    -----------------                                       ---------------------------
    RemoteGradientModel --> RayGradientWorker --WorkItem--> GradientWorkerActor: WorkItemRunner
                                              <--numbers, gradients--

    RayGradientWorkers   lists the cluster's nodes, and starts a worker in every free slot

All calls go through Ray, which demands the cluster's token; no further port is opened, and only
checked bytes travel. Weights go through the object store, once for all workers. A worker that is
silent or gone costs an update some time: the learner computes its work item itself.
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
from distrl.learn.remote_gradients import OUTPUTS, GradientWorkerLost, WorkItem
from distrl.run.builders.policy_bundle import config_for_gradient_workers
from distrl.run.multi_learner.gradient_worker_actor import (
    WORK_ITEM,
    GradientWorkerActor,
    pack_tensors,
    unpack_tensors,
)
from distrl.run.ray_cluster.access import Access
from distrl.run.ray_cluster.node import NodeState, list_nodes
from distrl.run.ray_engine.driver import (
    RAY_SECONDS,
    finishes_within,
    join_cluster,
    leave_cluster,
)
from distrl.run.ray_engine.host_slots import Slot, slots_of
from distrl.run.ray_engine.restart_backoff import RestartBackoff
from distrl.weights.serialization import digest_of, seal

LEARNER_HOST = "learner_host"
"""The Ray resource of which a node has one unit for every gradient worker that may run on it."""

_READY_SECONDS = 300.0
"""Longest wait until a new worker has loaded its model; a large one takes minutes from a disk."""
_LISTEN_SECONDS = 1.0
"""After so long without an answer a worker is sent a heartbeat call, and again after as long."""
_LOOK_SECONDS = 2.0
"""Between two looks at the cluster's nodes."""
_log = logging.getLogger(__name__)

_WorkerActor: Any = ray.remote(GradientWorkerActor)


def worker_slots_of(nodes: Sequence[NodeState]) -> list[Slot]:
    """The slots for gradient workers on the nodes that are alive."""
    return slots_of(nodes, capacity=lambda node: node.learner_hosts)


class _ObjectStoreWeights:
    """The newest weights of each of the learner's models, in the object store."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._put: dict[int, tuple[str, Any]] = {}

    def put(self, number: int, weights: Mapping[str, Tensor]) -> tuple[str, Any]:
        """Put the weights of a model there unless they are; returns their digest and reference."""
        digest = digest_of(weights)
        # The slow put is inside the lock, too: two threads must not put the same weights twice.
        with self._lock:
            if number not in self._put or self._put[number][0] != digest:
                data, _ = seal(weights, 0)
                self._put[number] = digest, ray.put(np.frombuffer(data, np.uint8))
            return self._put[number]


class RayGradientWorker:
    """The learner's side of one gradient worker. A worker that is lost stays lost."""

    def __init__(self, slot: Slot, config: RunConfig, weights_store: _ObjectStoreWeights) -> None:
        """Start its actor in a slot; work may be sent once `is_ready` is true."""
        self.slot, self._weights_store = slot, weights_store
        self._timeout_seconds = config.cluster.host_timeout_seconds
        self._started = time.monotonic()
        self.lost = ""
        """Why it is lost; empty while it is not."""
        self.answers = 0
        """How many work items it has finished."""
        self._actor: Any = _WorkerActor.options(
            num_cpus=0,
            num_gpus=config.cluster.gpus_per_learner,
            resources={LEARNER_HOST: 1},
            # Restarted here, with backoff, and not by Ray: the learner must know that a worker is a
            # new one.
            max_restarts=0,
            max_concurrency=2,  # one call that computes, and the heartbeat beside it
            scheduling_strategy=NodeAffinitySchedulingStrategy(slot.node, soft=False),
        ).remote(config_for_gradient_workers(config).model_dump_json())
        self._start_report: Any = self._actor.ready.remote()
        self.is_ready = False

    def check_ready(self) -> None:
        """Update `is_ready` and `lost` by what the actor reports of its start; never waits."""
        try:
            self.lost = self.lost or ray.get(self._start_report, timeout=0)
            self.is_ready = not self.lost
        except GetTimeoutError:
            if time.monotonic() - self._started > _READY_SECONDS:
                self.lost = f"it was not ready within {_READY_SECONDS:g} s"
        except RayError as error:
            self.lost = str(error)

    def forward(self, work_item: WorkItem, weights: Mapping[str, Tensor]) -> Callable[[], Tensor]:
        """Start the forward pass of a work item; what is returned waits for its result.

        That raises GradientWorkerLost when the worker fails, is gone, or is silent for too long.
        """
        shape = torch.Size((len(work_item.inputs), OUTPUTS))
        call = self._call(lambda: self._actor.forward.remote(*self._arguments(work_item, weights)))
        return lambda: self._wait(call, [shape])[0]

    def backward(
        self,
        work_item: WorkItem,
        weights: Mapping[str, Tensor],
        output_gradients: Tensor,
        shapes: Sequence[torch.Size],
    ) -> Callable[[], Sequence[Tensor]]:
        """Start the backward pass of a work item; what is returned waits for the gradients.

        `output_gradients` are those of the outputs of `forward`. Raises as `forward` does.
        """
        packed = pack_tensors([output_gradients])
        call = self._call(
            lambda: self._actor.backward.remote(*self._arguments(work_item, weights), packed)
        )
        return lambda: self._wait(call, shapes)

    def _arguments(
        self, work_item: WorkItem, weights: Mapping[str, Tensor]
    ) -> tuple[bytes, str, Any]:
        return WORK_ITEM.encode(work_item), *self._weights_store.put(
            work_item.model_number, weights
        )

    def _call(self, call: Callable[[], Any]) -> Any:
        """The reference to a call's result; None when the call cannot be made."""
        if self.lost:
            return None
        try:
            return call()
        except RayError as error:
            self._give_up(str(error))
            return None

    def _wait(self, call: Any, shapes: Sequence[torch.Size]) -> list[Tensor]:
        """The result; GradientWorkerLost when the worker failed, is gone, or is silent too long."""
        heard, heartbeat = time.monotonic(), None
        while call is not None and not self.lost:
            try:
                answer = unpack_tensors(ray.get(call, timeout=_LISTEN_SECONDS), shapes)
                self.answers += 1
                return answer
            except GetTimeoutError:
                # Work takes as long as it takes: the heartbeat tells a slow worker from a dead one.
                heartbeat, heard = self._check_heartbeat(heartbeat, heard)
            except (RayTaskError, WeightsError) as error:
                self._give_up(f"it failed: {error}")
            except RayError as error:
                self._give_up(f"it is gone: {error}")
        raise GradientWorkerLost(f"{self.slot.name} is lost: {self.lost}")

    def _check_heartbeat(self, heartbeat: Any, heard: float) -> tuple[Any, float]:
        """The heartbeat call under way, if any, and when the worker last answered one."""
        heartbeat = self._actor.ready.remote() if heartbeat is None else heartbeat
        if ray.wait([heartbeat], timeout=0)[0]:
            return None, time.monotonic()
        if time.monotonic() - heard > self._timeout_seconds:
            self._give_up(f"it said nothing for {self._timeout_seconds:g} s")
        return heartbeat, heard

    def _give_up(self, why: str) -> None:
        self.lost = self.lost or why

    def kill(self) -> None:
        """End its process at once."""
        finishes_within(RAY_SECONDS, lambda: ray.kill(self._actor))


class RayGradientWorkers:
    """Keeps a worker in every slot, up to `cluster.learners`. Any thread may ask for them."""

    def __init__(self, config: RunConfig, access: Access) -> None:
        """Start workers in a thread of its own, until `close`."""
        self._config, self._access = config, access
        self._lock, self._weights_store = threading.Lock(), _ObjectStoreWeights()
        self._workers: list[RayGradientWorker] = []
        self._backoff: RestartBackoff[Slot] = RestartBackoff()
        self._lost, self._answers_of_lost = 0, 0
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="workers", daemon=True)
        self._thread.start()

    def workers(self) -> list[RayGradientWorker]:
        """The workers that take work items now."""
        with self._lock:
            return [worker for worker in self._workers if worker.is_ready and not worker.lost]

    def gauges(self) -> dict[str, float]:
        """How many workers there are and were lost, and how many work items they have finished."""
        with self._lock:
            answers = self._answers_of_lost + sum(worker.answers for worker in self._workers)
        return {
            "learner/workers": float(len(self.workers())),
            "learner/workers_answers": float(answers),
            "learner/workers_lost": float(self._lost),
        }

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._replace_lost()
            except ConfigError as error:  # the run itself finds out what that means
                _log.warning("the cluster's nodes cannot be listed: %s", error)
            except RayError as error:
                _log.warning("no worker could be started: %s", error)
            self._stopping.wait(_LOOK_SECONDS)

    def _replace_lost(self) -> None:
        """Remove the workers that are lost, and start new ones in free slots."""
        for worker in self._workers:
            worker.check_ready()
            if worker.answers:
                self._backoff.worked(worker.slot)
        for worker in [worker for worker in self._workers if worker.lost]:
            self._remove(worker)
        taken = {worker.slot for worker in self._workers}
        free = [slot for slot in worker_slots_of(list_nodes(self._access)) if slot not in taken]
        due = [slot for slot in free if self._backoff.is_due(slot, time.monotonic())]
        for slot in due[: self._config.cluster.learners - len(taken)]:
            worker = RayGradientWorker(slot, self._config, self._weights_store)
            with self._lock:
                self._workers.append(worker)

    def _remove(self, worker: RayGradientWorker) -> None:
        times = self._backoff.failed(worker.slot, worker.lost, time.monotonic())
        _log.warning(
            "worker on %s, lost for the %d. time: %s", worker.slot.name, times, worker.lost
        )
        with self._lock:
            self._workers.remove(worker)
            self._lost += 1
            self._answers_of_lost += worker.answers
        worker.kill()

    def close(self) -> None:
        """Stop starting workers, and end those there are."""
        self._stopping.set()
        self._thread.join(RAY_SECONDS)
        for worker in self._workers:
            worker.kill()


@contextmanager
def gradient_workers_of(config: RunConfig) -> Iterator[RayGradientWorkers]:
    """The gradient workers of a run's learner; this process is a driver of the cluster inside."""
    gradient_workers = RayGradientWorkers(config, join_cluster(config))
    try:
        yield gradient_workers
    finally:
        gradient_workers.close()
        leave_cluster()
