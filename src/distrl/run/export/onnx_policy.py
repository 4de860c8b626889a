"""A trained policy as files for a device, and the proof that they do the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from distrl.collect.evaluation.evaluate import Progress
from distrl.config import RunConfig
from distrl.policies.pointer.export.network_onnx import (
    Compared,
    OnnxPointer,
    compare,
    describe,
    export_onnx,
    need,
    quantise,
)
from distrl.policies.pointer.export.text_encoder_onnx import OnnxEncodeTexts, export_text_encoder
from distrl.policies.pointer.inputs import Inputs
from distrl.policies.pointer.text_encoder import TextEncoder
from distrl.run.builders.pointer import build_preparer
from distrl.run.builders.trained_policy import load_pointer
from distrl.run.export.comparison_inputs import Counted, check_export, gather
from distrl.types import Situation

_TIMED_TEXTS = 200
_PASSES = 7
"""Over all screens: gathering, four comparisons and two readings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFigures:
    """What was written, and how it compares with the policy itself."""

    observations: int
    same_actions: int
    """Observations on which the exported policy does the same."""
    same_actions_int8: int
    same_actions_from_text: int
    """The same when the exported encoder reads the words as well."""
    same_actions_from_text_int8: int
    size_mb: float
    size_mb_int8: float
    latency_ms: float
    """Median time of one decision on one core, with words that were read before."""
    latency_ms_int8: float
    text_size_mb: float
    text_size_mb_int8: float
    text_latency_ms: float
    """Median time of reading one new text on one core."""
    text_latency_ms_int8: float


def export_policy(
    policy: str | Path,
    out: Path,
    *,
    observations: int = 1000,
    progress: Progress | None = None,
) -> ExportFigures:
    """Write the policy and its text encoder as ONNX, and compare them with the policy.

    It is compared on screens that the policy itself comes by on the training tasks. `progress` is
    told of screens in all passes: gathered, compared four times, and read twice.
    """
    check_export(out, observations)
    need("onnx", "onnxscript", "onnxruntime")
    pointer, config, digest = load_pointer(policy)
    acting = pointer.policy(greedy=True)
    counted = Counted(observations, passes=_PASSES, progress=progress)
    situations = [situation for situation, _ in gather(acting, config, observations, counted)]
    seen = [acting.prepare(situation) for situation in situations]
    out.mkdir(parents=True, exist_ok=True)
    network, whole, small = pointer.model.network, out / "policy.onnx", out / "policy.int8.onnx"
    text, small_text = out / "text.onnx", out / "text.int8.onnx"
    # The largest screens as examples: their sizes are surely above 2, so none is taken for a
    # constant.
    by_size = sorted(seen, key=lambda inputs: len(inputs.features))
    export_onnx(network, by_size[-3:], whole)
    quantise(whole, small)
    export_text_encoder(text)
    quantise(text, small_text, tables=True)
    describe(out / "policy.json", network, digest=digest, trained_as=str(policy))

    def compared(exported: Path, as_read: Sequence[Inputs] | None = None) -> Compared:
        found = compare(network, OnnxPointer(exported), seen, as_read)
        counted.add(len(seen))
        return found

    exact, rough = compared(whole), compared(small)
    exact_read = _read_anew(text, config, situations, counted)
    rough_read = _read_anew(small_text, config, situations, counted)
    return ExportFigures(
        observations=len(seen),
        same_actions=exact.same,
        same_actions_int8=rough.same,
        same_actions_from_text=compared(whole, exact_read.inputs).same,
        same_actions_from_text_int8=compared(small, rough_read.inputs).same,
        size_mb=_mb(whole),
        size_mb_int8=_mb(small),
        latency_ms=exact.latency_ms,
        latency_ms_int8=rough.latency_ms,
        text_size_mb=_mb(text),
        text_size_mb_int8=_mb(small_text),
        text_latency_ms=exact_read.latency_ms,
        text_latency_ms_int8=rough_read.latency_ms,
    )


@dataclass(frozen=True, slots=True)
class _ReadAnew:
    inputs: list[Inputs]
    latency_ms: float


def _read_anew(
    encoder: Path, config: RunConfig, situations: Sequence[Situation], counted: Counted
) -> _ReadAnew:
    """Situations as an exported encoder reads them, which has read nothing before."""
    reading = OnnxEncodeTexts(encoder)
    with TemporaryDirectory(prefix="distrl-export-") as folder:
        vectors = TextEncoder(Path(folder) / "vectors.sqlite", load=lambda: reading)
        preparer = build_preparer(config, vectors)
        inputs = []
        for situation in situations:
            inputs.append(preparer.prepare(situation))
            counted.add(1)
        vectors.close()
    texts = sorted({e.text for s in situations for e in s.observation.elements or () if e.text})
    times = []
    for text in texts[:_TIMED_TEXTS] or [""]:
        started = perf_counter()
        reading((text,))
        times.append(perf_counter() - started)
    return _ReadAnew(inputs, 1000 * float(np.median(times)))


def _mb(path: Path) -> float:
    return path.stat().st_size / 2**20
