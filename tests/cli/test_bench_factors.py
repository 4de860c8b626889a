"""`distrl bench factors`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from distrl.cli.main import main

LINE = ["bench", "factors", "--policy", "scripted", "--suites", "starter", "--tasks", "1"]


def test_figures_are_kept_with_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "factors"
    assert main([*LINE, "--split", "val", "--out", str(out)]) == 0
    assert "dropped_frames" in capsys.readouterr().out
    figures = json.loads((out / "summary.json").read_text("utf-8"))
    assert figures["command"].startswith("distrl bench factors --policy scripted")
    assert len(figures["suites"][0]["rows"]) == 12


def test_json_has_exactly_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*LINE, "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == ["policy", "weights", "split", "suites"]


def test_a_wrong_suite_ends_with_2_and_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "factors", "--suites", "genral"]) == 2
    assert "did you mean 'general'" in capsys.readouterr().err
