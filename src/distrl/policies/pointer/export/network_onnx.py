"""Exports the pointer network to ONNX, for machines without torch: phones, browsers, servers.

    prepared inputs of one screen or of many  ->  policy.onnx  ->  decision [B, 3], values [B, 2]

The decision is the likeliest kind and its likeliest parts, in the numbering of `decisions.py`.
policy.json beside it describes inputs and outputs. Texts are given as vectors of the sentence
encoder (`text_encoder_onnx.py`), which a device can keep in a table: it shows few distinct labels.
"""

from __future__ import annotations

import copy
import json
import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from distrl.actions import ANSWER_WORDS
from distrl.errors import ConfigError
from distrl.policies.pointer import decisions as d
from distrl.policies.pointer.acting import choose
from distrl.policies.pointer.export.padded import PaddedBatch, as_batch, collate_padded
from distrl.policies.pointer.inputs import Inputs
from distrl.policies.pointer.network import PointerNetwork
from distrl.policies.pointer.scores import Scores

OPSET = 18
NAMES = tuple(field.name for field in fields(PaddedBatch))
"""Inputs of the exported network, in order."""
_WORDS = {"words", "word_features", "word_mask"}
_CANDIDATES = {"labels", "features", "crops", "mask", "enabled"}

Decisions = npt.NDArray[np.int64]


class _Greedy(nn.Module):
    """Maps the tensors of a PaddedBatch to greedy decisions and values."""

    def __init__(self, network: PointerNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, *batch: Tensor) -> tuple[Tensor, Tensor]:
        scores: Scores = self.network(as_batch(PaddedBatch(*batch)))
        nothing = torch.zeros(0)
        return choose(scores, nothing, greedy=True), scores.values


def export_onnx(network: PointerNetwork, examples: Sequence[Inputs], path: Path) -> None:
    """Write a network to `path`, for any number of screens, words and candidates.

    It is traced with `examples`: three or more, since smaller sizes would become constants.
    ConfigError if a needed package is missing.
    """
    need("onnx", "onnxscript")
    assert len(examples) >= 3, "sizes of 1 and 2 would be taken for constants"
    plain = copy.deepcopy(network).cpu().eval()
    batch = collate_padded(examples)
    with torch.no_grad(), silence_exporter():
        program = torch.onnx.export(
            _Greedy(plain).eval(),
            tuple(getattr(batch, name) for name in NAMES),
            dynamo=True,
            opset_version=OPSET,
            input_names=list(NAMES),
            output_names=["decision", "values"],
            dynamic_shapes=(_dynamic(),),
            verbose=False,
        )
        assert program is not None
        program.save(str(path), external_data=False)


def quantise(path: Path, out: Path, *, tables: bool = False) -> None:
    """Write a copy with 8-bit weights; with `tables`, embedding tables are quantised as well."""
    need("onnx", "onnxruntime")
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    model = onnx.load(path)
    # The quantiser transposes weights and then fails on the shapes noted for the original ones.
    del model.graph.value_info[:]
    with silence_exporter():
        quantize_dynamic(
            model,
            out,
            weight_type=QuantType.QInt8,
            per_channel=True,
            op_types_to_quantize=["MatMul", "Gather"] if tables else ["MatMul"],
        )


def one_core_session(path: Path) -> Any:
    """An onnxruntime session with one thread, as on a small device; ConfigError without it."""
    need("onnxruntime")
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # One core, so that latency is that of a small device, whatever this machine has.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


class OnnxPointer:
    """An exported network on one core."""

    def __init__(self, path: Path) -> None:
        """Load it; ConfigError without onnxruntime."""
        self._session = one_core_session(path)
        self._names = {entry.name for entry in self._session.get_inputs()}

    def decide(self, inputs: Sequence[Inputs]) -> Decisions:
        """Decisions [B, 3] in the padded numbering of these inputs."""
        batch = collate_padded(inputs)
        feed = {name: getattr(batch, name).numpy() for name in NAMES if name in self._names}
        decisions: Decisions = self._session.run(["decision"], feed)[0]
        return decisions


@dataclass(frozen=True, slots=True)
class Compared:
    """Agreement and latency of an exported network."""

    same: int
    """Observations with the same decision."""
    latency_ms: float
    """Median time of one decision, for one screen, on one core."""


def compare(
    network: PointerNetwork,
    exported: OnnxPointer,
    observations: Sequence[Inputs],
    as_read: Sequence[Inputs] | None = None,
) -> Compared:
    """Decide for each observation on its own with both networks, as a device would.

    `as_read` are the inputs of the exported network, if it has an exported text encoder too.
    """
    same, times = 0, []
    greedy = _Greedy(network).eval()
    with torch.inference_mode():
        for inputs, read in zip(observations, as_read or observations, strict=True):
            batch = collate_padded((inputs,))
            wanted = greedy(*(getattr(batch, name) for name in NAMES))[0].numpy()
            started = perf_counter()
            found = exported.decide((read,))
            times.append(perf_counter() - started)
            same += bool(np.array_equal(wanted, found))
    return Compared(same, 1000 * float(np.median(times)))


def describe(path: Path, network: PointerNetwork, *, digest: str, trained_as: str) -> None:
    """Write the description that a program needs to use the exported network."""
    card = {
        "format": "distrl-pointer",
        "opset": OPSET,
        "policy": trained_as,
        "digest": digest,
        "inputs": list(NAMES),
        "outputs": ["decision", "values"],
        "kinds": [[kind.value, key.value if key else None] for kind, key in network.choices],
        "directions": [direction.value for direction in d.DIRECTIONS],
        "vocabulary": list(d.VOCABULARY),
        "answers": list(ANSWER_WORDS),
        "max_span": d.MAX_SPAN,
        "max_candidates": d.MAX_CANDIDATES,
        "grid": [d.GRID_COLUMNS, d.GRID_ROWS],
    }
    path.write_text(json.dumps(card, indent=1) + "\n")


def need(*packages: str) -> None:
    """ConfigError with the install command if a package is missing."""
    from importlib.util import find_spec

    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"exporting a policy needs {' and '.join(missing)}: pip install 'distrl[export]'"
        )


def _dynamic() -> tuple[dict[int, Any], ...]:
    """The dynamic dimensions of each input."""
    from torch.export import Dim

    def open_sizes(name: str) -> dict[int, Any]:
        places = {0}
        if name in _WORDS | _CANDIDATES:
            places = {0, 1}
        elif name in ("links", "alike"):
            places = {0, 1, 2}
        return dict.fromkeys(sorted(places), Dim.DYNAMIC)

    return tuple(open_sizes(name) for name in NAMES)


@contextmanager
def silence_exporter() -> Iterator[None]:
    """Suppress the warnings and log messages of exporters."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
