from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.policies.pointer.fakes import (
    DISABLED,
    TINY,
    make_model,
    make_preparer,
    random_situation,
    situation,
)

from distrl.errors import ConfigError
from distrl.policies.pointer.export.network_onnx import (
    OnnxPointer,
    compare,
    describe,
    export_onnx,
    need,
    quantise,
)
from distrl.policies.pointer.model import PointerModel
from distrl.policies.pointer.network import PointerNetwork

PREPARER = make_preparer()
EXAMPLES = [PREPARER.prepare(random_situation(seed)) for seed in (3, 4, 5)]
OBSERVATIONS = [
    PREPARER.prepare(here)
    for here in (
        *(random_situation(seed) for seed in range(40)),
        situation(()),
        situation((DISABLED,)),
        situation(None),
        situation(goal="?!"),
    )
]


def test_what_is_missing_is_named_with_how_to_get_it() -> None:
    with pytest.raises(ConfigError, match=r"no_such_package.*distrl\[export\]"):
        need("json", "no_such_package")


def test_the_card_says_what_a_decision_means(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    describe(path, PointerNetwork(TINY), digest="abc", trained_as="pretrained")
    card = json.loads(path.read_text())
    assert card["kinds"][0] == ["tap", None]
    assert ["press", "back"] in card["kinds"]
    assert card["inputs"][0] == "words"
    assert (card["digest"], card["policy"]) == ("abc", "pretrained")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[PointerModel, Path]:
    for package in ("onnx", "onnxscript", "onnxruntime"):
        pytest.importorskip(package)
    model, path = make_model(), tmp_path_factory.mktemp("onnx") / "policy.onnx"
    export_onnx(model.network, EXAMPLES, path)
    return model, path


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_an_exported_network_decides_the_same_for_all_sizes(
    exported: tuple[PointerModel, Path],
) -> None:
    model, path = exported
    found = compare(model.network, OnnxPointer(path), OBSERVATIONS)
    assert found.same == len(OBSERVATIONS)
    assert found.latency_ms > 0


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_many_screens_at_once_are_decided_like_each_alone(
    exported: tuple[PointerModel, Path],
) -> None:
    _, path = exported
    runs = OnnxPointer(path)
    kinds = runs.decide(OBSERVATIONS)[:, 0]
    alone = [runs.decide((one,))[0, 0] for one in OBSERVATIONS]
    assert np.array_equal(kinds, alone)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_eight_bits_are_smaller_and_mostly_the_same(
    exported: tuple[PointerModel, Path], tmp_path: Path
) -> None:
    model, path = exported
    small = tmp_path / "small.onnx"
    quantise(path, small)
    assert small.stat().st_size < path.stat().st_size
    found = compare(model.network, OnnxPointer(small), OBSERVATIONS)
    assert found.same >= 0.7 * len(OBSERVATIONS)
