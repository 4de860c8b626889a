"""The actor of a collecting host: checked bytes in, checked bytes out.

A plain class in a module of its own, without Ray: Ray sends an actor's class by name and imports it
on the other machine, and tests use it directly.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from typing import Any

import numpy.typing as npt
import torch

from distrl.config.load import check
from distrl.run.builders.policy_bundle import build_acting_bundle
from distrl.run.processes.cpu_affinity import learners_core
from distrl.run.ray_engine.host import CollectingHost
from distrl.run.ray_engine.protocol import REQUEST, RESPONSE
from distrl.tasks.suites import load_suite

_SWITCH_SECONDS = 0.001
"""Longest time that a thread may hold the GIL while others want it. Python's own 5 ms add up: a
decision passes through several threads, one after the other."""


class HostActor:
    """A collecting host in a process of its own."""

    def __init__(self, name: str, config: str, *, beside_learner: bool) -> None:
        """Build the host; an error is kept as text for `ready`, which the driver asks."""
        self._failed, self._host = "", None
        try:
            if beside_learner:
                leave_learners_core(config)
            self._host = build_host(name, config)
        except BaseException:  # noqa: BLE001 - told to whoever asks
            self._failed = traceback.format_exc()

    def ready(self) -> str:
        """Why the host could not be built; empty if it was."""
        return self._failed

    def load(self, version: int, data: npt.NDArray[Any]) -> bool:
        """Load weights; returns whether they are newer than those that act."""
        assert self._host is not None
        return self._host.load(data.tobytes(), version)

    def exchange(self, request: bytes) -> bytes:
        """Answer an encoded request with an encoded response."""
        assert self._host is not None
        return RESPONSE.encode(self._host.exchange(REQUEST.decode(request)))

    def close(self) -> None:
        """Release the devices, and end what was started for them."""
        if self._host is not None:
            self._host.close()


def build_host(name: str, config_json: str) -> CollectingHost:
    """A host by a run's settings, with its policy loaded and the texts of all goals encoded."""
    config = check(json.loads(config_json))
    # Collectors and devices use the other cores; a small model gains nothing from more threads.
    torch.set_num_threads(1)
    sys.setswitchinterval(_SWITCH_SECONDS)
    bundle = build_acting_bundle(config)
    suite = load_suite(config.tasks.suite)
    bundle.get_ready(task.goal for task in suite.tasks(config.tasks.split))
    return CollectingHost(name, config, bundle)


def leave_learners_core(config_json: str) -> None:
    """Keep this process off the learner's core; beside slow devices the learner has none."""
    if json.loads(config_json)["collect"]["latency"] or not hasattr(os, "sched_getaffinity"):
        return
    cores = frozenset(os.sched_getaffinity(0))
    core = learners_core(cores)
    if core is not None:
        os.sched_setaffinity(0, cores - {core})
