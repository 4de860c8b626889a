"""A trained policy as files for a device, and the proof that they do the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from distrl.clock import RealClock
from distrl.collect.lockstep import run_episodes
from distrl.config import RunConfig
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_env import DeviceEnv
from distrl.errors import ConfigError
from distrl.policies.pointer.inputs import Inputs
from distrl.policies.pointer.onnx import (
    OnnxPointer,
    compare,
    describe,
    export_onnx,
    need,
    quantise,
)
from distrl.policies.pointer.policy import PointerPolicy
from distrl.run.trained import load_pointer
from distrl.tasks.referee import PhoneReferee
from distrl.tasks.suites import load_suite
from distrl.types import Choice, Situation

_PHONES = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFigures:
    """What was written, and how it compares with the policy itself."""

    observations: int
    same_actions: int
    """Observations on which the exported policy does the same."""
    same_actions_int8: int
    size_mb: float
    size_mb_int8: float
    latency_ms: float
    """Median time of one decision on one core."""
    latency_ms_int8: float


def export_policy(policy: str | Path, out: Path, *, observations: int = 1000) -> ExportFigures:
    """Write policy.onnx, policy.int8.onnx and policy.json, and compare both with the policy.

    It is compared on screens that the policy itself comes by on the training tasks.
    """
    if observations < 3:
        raise ConfigError(f"the number of observations must be at least 3, got {observations}")
    need("onnx", "onnxscript", "onnxruntime")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(f"{out} is there already, and is no empty folder")
    pointer, config, digest = load_pointer(policy)
    acting = pointer.policy(greedy=True)
    seen = gather(acting, config, observations)
    out.mkdir(parents=True, exist_ok=True)
    network, whole, small = pointer.model.network, out / "policy.onnx", out / "policy.int8.onnx"
    by_size = sorted(seen, key=lambda inputs: len(inputs.features))
    export_onnx(network, by_size[-3:], whole)
    quantise(whole, small)
    describe(out / "policy.json", digest=digest, trained_as=str(policy))
    exact = compare(network, OnnxPointer(whole), seen)
    rough = compare(network, OnnxPointer(small), seen)
    return ExportFigures(
        observations=len(seen),
        same_actions=exact.same,
        same_actions_int8=rough.same,
        size_mb=whole.stat().st_size / 2**20,
        size_mb_int8=small.stat().st_size / 2**20,
        latency_ms=exact.latency_ms,
        latency_ms_int8=rough.latency_ms,
    )


class _Gathering:
    """A policy that keeps what it was shown."""

    def __init__(self, policy: PointerPolicy, most: int) -> None:
        self._policy, self._most = policy, most
        self.seen: list[Inputs] = []

    def begin(self, seed: int) -> None:
        self._policy.begin(seed)

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        inputs = [self._policy.prepare(situation) for situation in situations]
        self.seen += inputs[: self._most - len(self.seen)]
        return self._policy.decide(situations, inputs)


def gather(policy: PointerPolicy, config: RunConfig, most: int) -> list[Inputs]:
    """What a policy comes to see on the training tasks, up to `most` observations."""
    tasks = load_suite(config.tasks.suite).tasks(config.tasks.split)
    phones = [PhoneDevice(f"export-{number}") for number in range(_PHONES)]
    envs = [DeviceEnv(phone, PhoneReferee(phone)) for phone in phones]
    gathering = _Gathering(policy, most)
    for start in range(0, len(tasks), _PHONES):
        for _ in run_episodes(envs, gathering, tasks[start : start + _PHONES], clock=RealClock()):
            continue
        if len(gathering.seen) >= most:
            break
    for env in envs:
        env.close()
    return gathering.seen
