"""What an export writes and compares, with the exporters replaced: they have tests of their own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from tests.policies.pointer.fakes import FakeTextEncoder, hashed
from tests.run.conftest import small_config
from tests.run.runs import UPDATES

from distrl.config import RunConfig
from distrl.errors import ConfigError
from distrl.policies.pointer.export.network_onnx import Compared
from distrl.policies.pointer.inputs import Inputs
from distrl.policies.pointer.text_encoder import Read
from distrl.policies.random import RandomPolicy
from distrl.run.builders.pointer import Pointer, build_pointer
from distrl.run.export import onnx_policy
from distrl.run.export.comparison_inputs import Counted, gather
from distrl.run.export.onnx_policy import export_policy
from distrl.types import Choice, Situation

FILES = {"policy.onnx", "policy.int8.onnx", "text.onnx", "text.int8.onnx", "policy.json"}


class Exporters:
    """Writes files of known sizes and keeps what it was asked for."""

    def __init__(self) -> None:
        self.examples: Sequence[Inputs] = ()
        self.quantised: list[tuple[str, str, bool]] = []
        self.compared: list[tuple[str, int, bool]] = []
        self.sizes: list[int] = []
        self.read: list[str] = []

    def export_onnx(self, network: object, examples: Sequence[Inputs], path: Path) -> None:
        self.examples = examples
        path.write_bytes(b"x" * 4 * 2**20)

    def export_text_encoder(self, path: Path) -> None:
        path.write_bytes(b"x" * 8 * 2**20)

    def quantise(self, path: Path, out: Path, *, tables: bool = False) -> None:
        self.quantised.append((path.name, out.name, tables))
        out.write_bytes(path.read_bytes()[::4])

    def compare(
        self,
        network: object,
        exported: Path,
        seen: Sequence[Inputs],
        as_read: Sequence[Inputs] | None = None,
    ) -> Compared:
        self.sizes = sorted(len(inputs.features) for inputs in seen)
        self.compared.append((exported.name, len(seen), as_read is not None))
        assert as_read is None or len(as_read) == len(seen)
        return Compared(len(seen) - len(self.compared) + 1, 10.0 * len(self.compared))

    def reading(self, path: Path) -> OneReading:
        return OneReading(path, self)


class OneReading:
    """An exported encoder that reads by hashes."""

    def __init__(self, path: Path, exporters: Exporters) -> None:
        self._path, self._exporters = path, exporters

    def __call__(self, texts: Sequence[str]) -> list[Read]:
        self._exporters.read.append(self._path.name)
        return hashed(texts)


@cache
def seen() -> list[tuple[Situation, Choice]]:
    """Played once for all tests."""
    return gather(RandomPolicy(seed=1), small_config("tasks.suite=starter"), 12, Counted())


@pytest.fixture
def exporters(monkeypatch: pytest.MonkeyPatch) -> Exporters:
    made = Exporters()
    config = small_config("policy.pixels=false", "policy.captions=false", "tasks.suite=starter")
    pointer = build_pointer(config, FakeTextEncoder())

    def load(policy: str | Path) -> tuple[Pointer, RunConfig, str]:
        return pointer, config, f"step-{UPDATES}"

    monkeypatch.setattr(onnx_policy, "load_pointer", load)
    monkeypatch.setattr(onnx_policy, "gather", lambda policy, config, most, _: seen()[:most])
    monkeypatch.setattr(onnx_policy, "need", lambda *packages: None)
    monkeypatch.setattr(onnx_policy, "OnnxPointer", lambda path: path)
    monkeypatch.setattr(onnx_policy, "OnnxEncodeTexts", made.reading)
    for name in ("export_onnx", "export_text_encoder", "quantise", "compare"):
        monkeypatch.setattr(onnx_policy, name, getattr(made, name))
    return made


def test_policy_and_text_encoder_are_written_whole_and_in_eight_bits(
    exporters: Exporters, tmp_path: Path
) -> None:
    figures = export_policy("pretrained", tmp_path / "out", observations=6)
    assert {path.name for path in (tmp_path / "out").iterdir()} == FILES
    assert (figures.size_mb, figures.size_mb_int8) == (4.0, 1.0)
    assert (figures.text_size_mb, figures.text_size_mb_int8) == (8.0, 2.0)
    # Of the encoder the table of words is quantised as well: it is nearly all of it.
    assert exporters.quantised == [
        ("policy.onnx", "policy.int8.onnx", False),
        ("text.onnx", "text.int8.onnx", True),
    ]


def test_the_card_says_which_policy_it_was(exporters: Exporters, tmp_path: Path) -> None:
    export_policy("pretrained", tmp_path / "out", observations=3)
    card = json.loads((tmp_path / "out" / "policy.json").read_text())
    assert (card["policy"], card["digest"]) == ("pretrained", f"step-{UPDATES}")


def test_the_policy_is_traced_with_its_largest_screens(
    exporters: Exporters, tmp_path: Path
) -> None:
    export_policy("pretrained", tmp_path / "out", observations=12)
    sizes = [len(inputs.features) for inputs in exporters.examples]
    assert len(exporters.sizes) == 12
    assert sizes == exporters.sizes[-3:] != exporters.sizes[:3]


def test_every_file_is_compared_on_the_same_observations(
    exporters: Exporters, tmp_path: Path
) -> None:
    figures = export_policy("pretrained", tmp_path / "out", observations=6)
    assert exporters.compared == [
        ("policy.onnx", 6, False),
        ("policy.int8.onnx", 6, False),
        ("policy.onnx", 6, True),
        ("policy.int8.onnx", 6, True),
    ]
    assert figures.observations == 6
    assert (figures.same_actions, figures.same_actions_int8) == (6, 5)
    assert (figures.same_actions_from_text, figures.same_actions_from_text_int8) == (4, 3)
    assert (figures.latency_ms, figures.latency_ms_int8) == (10.0, 20.0)


def test_words_are_read_anew_by_both_encoders_and_timed(
    exporters: Exporters, tmp_path: Path
) -> None:
    figures = export_policy("pretrained", tmp_path / "out", observations=3)
    assert set(exporters.read) == {"text.onnx", "text.int8.onnx"}
    assert figures.text_latency_ms > 0
    assert figures.text_latency_ms_int8 > 0


def test_nothing_is_written_where_something_is_missing(
    exporters: Exporters, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def need(*packages: str) -> None:
        raise ConfigError(f"exporting a policy needs {packages[0]}")

    monkeypatch.setattr(onnx_policy, "need", need)
    with pytest.raises(ConfigError, match="needs onnx"):
        export_policy("pretrained", tmp_path / "out")
    assert not (tmp_path / "out").exists()
