"""Success by split, for the results page."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from distrl.bench.experiments.page import sections
from distrl.bench.splits import evaluation_splits, measure_splits
from distrl.errors import ConfigError


def test_splits_for_training_and_empty_ones_are_left_out() -> None:
    assert evaluation_splits("general") == (
        *("val", "test", "unseen"),
        *("worded", "composed", "unseen_app"),
    )
    assert evaluation_splits("starter") == ("val", "test")


def test_every_split_of_every_suite_has_a_row() -> None:
    found = measure_splits("scripted", ["starter", "questions"], tasks=2)
    assert [(row.suite, row.split) for row in found.rows] == [
        *(("starter", split) for split in ("val", "test")),
        *(("questions", split) for split in ("val", "test", "unseen")),
    ]
    assert {(row.success, row.tasks, row.false_completions) for row in found.rows} == {(1.0, 2, 0)}


def test_unknown_suites_are_refused_before_anything_is_played() -> None:
    with pytest.raises(ConfigError, match="did you mean 'shopping'"):
        measure_splits("nobody", ["general", "shoping"])


def test_the_page_tells_all_rows_and_the_command(tmp_path: Path) -> None:
    figures = asdict(measure_splits("scripted", ["starter"], tasks=2))
    told = {**figures, "command": "distrl bench splits", "code": "c", "machine": "m"}
    (tmp_path / "splits").mkdir()
    (tmp_path / "splits" / "summary.json").write_text(json.dumps(told), "utf-8")
    text = sections(tmp_path)
    assert "| starter | val | 1.000 (0.34 to 1.00) | 0.000 | 0.000 | 2 |" in text
    assert "Made by `distrl bench splits` (c) on m." in text
