"""`distrl bench splits`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from distrl.cli.main import main

LINE = ["bench", "splits", "--policy", "scripted", "--suites", "starter", "--tasks", "1"]


def test_figures_are_kept_with_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "splits"
    assert main([*LINE, "--out", str(out)]) == 0
    assert "false completions" in capsys.readouterr().out
    figures = json.loads((out / "summary.json").read_text("utf-8"))
    assert figures["command"].startswith("distrl bench splits --policy scripted")
    assert [row["split"] for row in figures["rows"]] == ["val", "test"]


def test_json_has_exactly_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*LINE, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert list(printed) == ["policy", "weights", "rows"]
    assert set(printed["rows"][0]) == {
        *("suite", "split", "tasks", "success", "low", "high"),
        *("false_completions", "side_effects"),
    }


def test_a_wrong_suite_ends_with_2_and_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "splits", "--suites", "genral"]) == 2
    assert "did you mean 'general'" in capsys.readouterr().err
