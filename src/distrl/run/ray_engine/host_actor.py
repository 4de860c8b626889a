"""The process around a collecting host, for whoever starts it from elsewhere: bytes in, bytes out.

A plain class in a module of its own: an actor's class travels by its name, and is imported there.
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
from distrl.run.ray_engine.host import CollectingHost, HostSettings
from distrl.run.ray_engine.protocol import REQUEST, RESPONSE
from distrl.tasks.suites import load_suite

_SWITCH_SECONDS = 0.001
"""How long a thread may keep the others from running: a decision waits for several of them."""


class HostActor:
    """A collecting host in a process of its own."""

    def __init__(
        self, name: str, config: str, settings: dict[str, Any], *, beside_learner: bool
    ) -> None:
        """Build it; what goes wrong is told by `ready`, where somebody listens."""
        self._failed, self._host = "", None
        try:
            if beside_learner:
                leave_learners_core(config)
            self._host = build_host(name, config, HostSettings(**settings))
        except BaseException:  # noqa: BLE001 - told to whoever asks
            self._failed = traceback.format_exc()

    def ready(self) -> str:
        """Empty when it can begin, else why not."""
        return self._failed

    def load(self, version: int, data: npt.NDArray[Any]) -> bool:
        """Take weights over."""
        assert self._host is not None
        return self._host.load(data.tobytes(), version)

    def exchange(self, request: bytes) -> bytes:
        """Take a request and answer with a response."""
        assert self._host is not None
        return RESPONSE.encode(self._host.exchange(REQUEST.decode(request)))

    def close(self) -> None:
        """Let go of the devices, and end what was started for them."""
        if self._host is not None:
            self._host.close()


def build_host(name: str, config_json: str, settings: HostSettings) -> CollectingHost:
    """A host by a run's settings, its policy ready and its texts known."""
    config = check(json.loads(config_json))
    torch.set_num_threads(1)
    sys.setswitchinterval(_SWITCH_SECONDS)
    bundle = build_acting_bundle(config)
    suite = load_suite(config.tasks.suite)
    bundle.get_ready(task.goal for task in suite.tasks(config.tasks.split))
    return CollectingHost(name, config, bundle, settings)


def leave_learners_core(config_json: str) -> None:
    """Stay away from the learner's core, unless devices are slow and nobody has one."""
    if json.loads(config_json)["collect"]["latency"] or not hasattr(os, "sched_getaffinity"):
        return
    cores = frozenset(os.sched_getaffinity(0))
    core = learners_core(cores)
    if core is not None:
        os.sched_setaffinity(0, cores - {core})
