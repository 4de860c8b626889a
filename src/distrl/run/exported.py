"""A trained policy as files for a device, and the proof that they do the same."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from distrl.policies.pointer.onnx import (
    OnnxPointer,
    compare,
    describe,
    export_onnx,
    need,
    quantise,
)
from distrl.run.gathering import check_export, gather
from distrl.run.trained import load_pointer


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
    check_export(out, observations)
    need("onnx", "onnxscript", "onnxruntime")
    pointer, config, digest = load_pointer(policy)
    acting = pointer.policy(greedy=True)
    seen = [acting.prepare(situation) for situation, _ in gather(acting, config, observations)]
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
