from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.contracts.store import make_episode

from distrl.cli.main import main
from distrl.config import load_run_config
from distrl.replay.store.sqlite import SqliteStore, StoreReader
from distrl.run.export import onnx_policy
from distrl.run.export.onnx_policy import ExportFigures
from distrl.run.state.folder import create_run


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "episodes.sqlite"
    with SqliteStore(path) as store:
        for number in range(3):
            store.add(make_episode(f"e{number}", seed=number))
    return path


def test_episodes_go_out_and_come_in_again(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    out, back = tmp_path / "run.parquet", tmp_path / "back.sqlite"
    assert main(["export", "episodes", str(stored), "--out", str(out), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["episodes"] == 3
    assert figures["size_mb"] > 0
    assert main(["export", "episodes", str(out), "--out", str(back)]) == 0
    assert "3 episodes" in capsys.readouterr().out
    with StoreReader(stored) as first, StoreReader(back) as second:
        assert first.ids() == second.ids()
        second.verify()


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["export", "episodes", "STORED", "--out", "run.csv"], ".parquet or .sqlite"),
        (["export", "episodes", "STORED", "--out", "nowhere/run.parquet"], "no folder"),
        (["export", "episodes", "STORED", "--out", "STORED"], "there already"),
        (["export", "episodes", "nothing", "--out", "run.parquet"], "no episodes"),
        (["export", "policy", "--out", "x", "--observations", "2"], "at least 3"),
        (["export", "polices"], "did you mean 'policy'?"),
    ],
)
def test_what_cannot_be_ends_with_2(
    argv: list[str],
    said: str,
    stored: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(stored.parent)
    assert main([str(stored) if word == "STORED" else word for word in argv]) == 2
    assert said in capsys.readouterr().err


def figures(**values: int) -> ExportFigures:
    """What an export of 100 observations came to: all actions are the same unless told."""
    every = dict.fromkeys(ExportFigures.__dataclass_fields__, 100)
    return ExportFigures(**{**every, **values})


@pytest.mark.parametrize(
    ("found", "code"),
    [
        ({}, 0),
        ({"same_actions": 99}, 1),
        ({"same_actions_int8": 98}, 0),
        ({"same_actions_int8": 97}, 1),
        ({"same_actions_from_text": 98}, 0),
        ({"same_actions_from_text": 97}, 1),
        ({"same_actions_from_text_int8": 0}, 0),
    ],
)
def test_a_policy_that_acts_otherwise_after_the_export_ends_with_1(
    found: dict[str, int],
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked: list[tuple[str, int]] = []

    def export(policy: str, out: Path, *, observations: int, progress: object) -> ExportFigures:
        asked.append((policy, observations))
        return figures(**found)

    monkeypatch.setattr(onnx_policy, "export_policy", export)
    line = ["export", "policy", "--out", str(tmp_path / "out")]
    assert main([*line, "--json"]) == code
    told = json.loads(capsys.readouterr().out)
    assert set(told) == set(ExportFigures.__dataclass_fields__)
    assert main([*line, "--observations", "100"]) == code
    shown = capsys.readouterr().out
    assert "float32" in shown
    assert "int8" in shown
    assert asked == [("pretrained", 1000), ("pretrained", 100)]


@pytest.mark.parametrize(("same", "code"), [(50, 0), (49, 0), (48, 1)])
def test_a_language_model_is_merged_and_compared(
    same: int,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    merged_model = pytest.importorskip("distrl.run.export.merged_model")
    run = create_run(tmp_path / "run", load_run_config("smollm"))

    def export(policy: Path, out: Path, *, observations: int, progress: object) -> object:
        assert (policy, observations) == (run.root, 100)
        return merged_model.MergedFigures(
            observations=50, same_actions=same, size_mb=2.0, latency_ms=3.0
        )

    monkeypatch.setattr(merged_model, "export_merged", export)
    line = ["export", "policy", "--policy", str(run.root), "--out", str(tmp_path / "out")]
    assert main([*line, "--json"]) == code
    assert json.loads(capsys.readouterr().out)["same_actions"] == same
    assert main(line) == code
    assert f"{same} of 50" in capsys.readouterr().out


def test_a_policy_that_was_never_trained_is_refused_before_anything_is_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distrl.run.builders.trained_policy", None)
    assert main(["export", "policy", "--policy", "scripted", "--out", str(tmp_path / "out")]) == 2
    assert "the folder of a run whose policy was trained, got 'scripted'" in capsys.readouterr().err
