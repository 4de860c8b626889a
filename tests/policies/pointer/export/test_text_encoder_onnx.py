from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnxscript")
pytest.importorskip("onnxruntime")

from distrl.policies.pointer.export.network_onnx import quantise
from distrl.policies.pointer.export.text_encoder_onnx import OnnxEncodeTexts, export_text_encoder
from distrl.policies.pointer.text_encoder import TextEncoder, Vectors

LABELS = ["Settings", "", "7:05 AM", "Ann Lee, unread", "…", "naïve café 東京", "word " * 200]
GOALS = ["Open the chat with Ann Lee", "Set an alarm for 7:05 AM, please", "?!"]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported")
    export_text_encoder(folder / "text.onnx")
    quantise(folder / "text.onnx", folder / "text.int8.onnx", tables=True)
    return folder


def vectors_of(encoder: TextEncoder) -> Vectors:
    goals = [encoder.goal(goal) for goal in GOALS]
    rows = [encoder.labels(LABELS), *(part for goal in goals for part in goal)]
    return np.concatenate(rows)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "nearest"), [("text.onnx", 0.999), ("text.int8.onnx", 0.93)])
def test_an_exported_encoder_reads_as_the_encoder_does(
    name: str, nearest: float, exported: Path, tmp_path: Path
) -> None:
    wanted = vectors_of(TextEncoder(tmp_path / "torch.sqlite"))
    found = vectors_of(
        TextEncoder(tmp_path / "onnx.sqlite", load=lambda: OnnxEncodeTexts(exported / name))
    )
    assert wanted.shape == found.shape
    told = np.linalg.norm(wanted, axis=1) > 0
    assert np.array_equal(told, np.linalg.norm(found, axis=1) > 0)
    assert told.sum() == len(wanted) - 1  # the empty label says nothing
    alike = (wanted * found).sum(1)[told]
    assert alike.min() > nearest


@pytest.mark.slow
def test_eight_bits_are_a_third_of_the_size_at_most(exported: Path) -> None:
    whole, small = (exported / name for name in ("text.onnx", "text.int8.onnx"))
    assert small.stat().st_size < whole.stat().st_size / 3


@pytest.mark.slow
def test_a_text_is_read_the_same_beside_others(exported: Path) -> None:
    reading = OnnxEncodeTexts(exported / "text.onnx")
    alone, beside = (
        reading(["Settings"])[0],
        reading(["a longer text than this one", "Settings"])[1],
    )
    assert np.array_equal(alone.late, beside.late)
    assert np.array_equal(alone.offsets, [[0, 8]])
