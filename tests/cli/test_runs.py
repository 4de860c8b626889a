from __future__ import annotations

import json
from pathlib import Path

import pytest

from distrl.bench.dashboard.synthetic_run import make_synthetic_run
from distrl.cli.main import main
from distrl.config import RunConfig
from distrl.run.state.folder import create_run


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    make_synthetic_run(tmp_path / "good", 30, reaches=0.8)
    create_run(tmp_path / "bad", RunConfig())
    (tmp_path / "bad" / "progress.json").write_text("{{")
    return tmp_path


def test_runs_are_listed_with_their_success_and_a_broken_one_says_why(
    parent: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["runs", str(parent)]) == 0
    said = capsys.readouterr().out
    assert "finished" in said
    assert "broken" in said
    assert "bad: " in said
    assert "progress.json cannot be read" in said


def test_json_is_one_flat_object_with_a_row_per_run(
    parent: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["runs", str(parent / "good"), str(parent / "bad"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["runs"], told["finished"], told["broken"], told["running"]) == (2, 1, 1, 0)
    rows = {row["run"]: row for row in told["rows"]}
    assert told["newest"] == told["rows"][0]["run"]
    good = rows["good"]
    assert good["after_low"] < good["after"] < good["after_high"]
    assert rows["bad"]["after"] is None
    assert len(rows["bad"]["problems"]) == 1


def test_a_folder_without_runs_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["runs", str(tmp_path)]) == 2
    assert "there is no run in" in capsys.readouterr().err
    assert main(["runs", str(tmp_path / "nowhere")]) == 2
    assert main(["runs", "--jsn"]) == 2
    assert "--json" in capsys.readouterr().err
