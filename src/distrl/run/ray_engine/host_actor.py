"""The actor of a collecting host: checked bytes in, checked bytes out.

A plain class in a module of its own, without Ray: Ray sends an actor's class by name and imports it
on the other machine, and tests use it directly.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

import numpy.typing as npt
import torch

from distrl.config.load import check
from distrl.run.builders.policy_bundle import build_acting_bundle
from distrl.run.processes.cpu_affinity import learners_core
from distrl.run.processes.garbage_collection import freeze_objects
from distrl.run.ray_cluster.watchdog import adopt_orphans
from distrl.run.ray_engine.host import CollectingHost
from distrl.run.ray_engine.protocol import REQUEST, RESPONSE, HostRequest, HostResponse
from distrl.tasks.suites import load_suite
from distrl.weights.serialization import Sealed

_SWITCH_SECONDS = 0.001
"""Longest time that a thread may hold the GIL while others want it. Python's own 5 ms add up: a
decision passes through several threads, one after the other."""

_CLOSE_SECONDS = 5.0
"""How long an abandoned host may take to release its devices."""
_ANSWER_SECONDS = 1.0
"""Between `close` and the end of the process."""


class Host(Protocol):
    """What an actor passes calls on to; a `CollectingHost`, or what stands for one."""

    def load(self, data: Sealed, version: int) -> bool:
        """Load weights if they are newer; returns whether they are. WeightsError if damaged."""
        ...

    def exchange(self, request: HostRequest) -> HostResponse:
        """Take the jobs and acknowledgements of a request; respond with what has been played."""
        ...

    def close(self) -> None:
        """Abandon the running episodes and release the devices."""
        ...


class HostActor:
    """A collecting host in a process of its own."""

    def __init__(
        self,
        name: str,
        config: str,
        *,
        beside_learner: bool,
        abandoned_seconds: float | None = None,
        end: Callable[[], None] = lambda: os._exit(0),
    ) -> None:
        """Build the host; an error is kept as text for `ready`, which the driver asks.

        With `abandoned_seconds` the process ends by itself, after `close` or so long without a
        call: Ray ends an actor, and tells it of its driver's death, through the GCS, which may have
        died too.
        """
        self._failed = ""
        self._host: Host | None = None
        # What a device starts and leaves alone lives as long as its host: without an owner it would
        # be ended by the node's watchdog.
        adopt_orphans()
        try:
            if beside_learner:
                leave_learners_core(config)
            self._host = self.build(name, config)
        except BaseException:  # noqa: BLE001 - told to whoever asks
            self._failed = traceback.format_exc()
        self._called, self._closed = time.monotonic(), threading.Event()
        if abandoned_seconds is not None:
            watch = partial(self._end_when_abandoned, abandoned_seconds, end)
            threading.Thread(target=watch, name="abandoned", daemon=True).start()

    def _end_when_abandoned(self, seconds: float, end: Callable[[], None]) -> None:
        while (left := self._called + seconds - time.monotonic()) > 0:
            if self._closed.wait(left):
                break
        else:
            # Whatever hangs while closing ends with the process, as do the devices' own processes.
            threading.Thread(target=self.close, name="closing", daemon=True).start()
            self._closed.wait(_CLOSE_SECONDS)
        # The answer to `close` is on its way, and nothing says when it has arrived.
        time.sleep(_ANSWER_SECONDS)
        end()

    @staticmethod
    def build(name: str, config: str) -> Host:
        """The host of this actor, by a run's settings."""
        return build_host(name, config)

    def ready(self) -> str:
        """Why the host could not be built; empty if it was."""
        return self._failed

    def load(self, version: int, data: npt.NDArray[Any]) -> bool:
        """Load weights; returns whether they are newer than those that act."""
        assert self._host is not None
        self._called = time.monotonic()
        return self._host.load(data.data, version)

    def exchange(self, request: bytes) -> bytes:
        """Answer an encoded request with an encoded response."""
        assert self._host is not None
        self._called = time.monotonic()
        return RESPONSE.encode(self._host.exchange(REQUEST.decode(request)))

    def close(self) -> None:
        """Release the devices, and end what was started for them."""
        try:
            if self._host is not None:
                self._host.close()
        finally:
            self._closed.set()


def build_host(name: str, config_json: str) -> CollectingHost:
    """A host by a run's settings, with its policy loaded and the texts of all goals encoded."""
    config = check(json.loads(config_json))
    # Collectors and devices use the other cores; a small model gains nothing from more threads.
    torch.set_num_threads(1)
    sys.setswitchinterval(_SWITCH_SECONDS)
    bundle = build_acting_bundle(config)
    suite = load_suite(config.tasks.suite)
    bundle.get_ready(task.goal for task in suite.tasks(config.tasks.split))
    host = CollectingHost(name, config, bundle)
    freeze_objects()
    return host


def leave_learners_core(config_json: str) -> None:
    """Keep this process off the learner's core; beside slow devices the learner has none."""
    if json.loads(config_json)["collect"]["latency"] or not hasattr(os, "sched_getaffinity"):
        return
    cores = frozenset(os.sched_getaffinity(0))
    core = learners_core(cores)
    if core is not None:
        os.sched_setaffinity(0, cores - {core})
