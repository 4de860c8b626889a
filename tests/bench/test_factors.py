"""Success by factor of robustness, for the results page."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from distrl.bench.experiments.page import sections
from distrl.bench.factors import measure_factors
from distrl.config.factors import Factor
from distrl.errors import ConfigError


def test_every_suite_has_a_row_for_plain_phones_and_for_each_factor() -> None:
    found = measure_factors("scripted", ["starter", "questions"], "val", tasks=2)
    assert [suite.suite for suite in found.suites] == ["starter", "questions"]
    for suite in found.suites:
        assert [row.factor for row in suite.rows] == ["plain", *Factor]
        assert {row.success for row in suite.rows} == {1.0}


def test_suites_of_other_devices_are_refused_before_anything_is_played() -> None:
    with pytest.raises(ConfigError, match="'miniwob' is played elsewhere"):
        measure_factors("nobody", ["general", "miniwob"], "val")


def test_the_page_tells_all_rows_and_the_command(tmp_path: Path) -> None:
    figures = asdict(measure_factors("scripted", ["starter"], "val", tasks=2))
    told = {**figures, "command": "distrl bench factors", "code": "c", "machine": "m"}
    (tmp_path / "factors").mkdir()
    (tmp_path / "factors" / "summary.json").write_text(json.dumps(told), "utf-8")
    text = sections(tmp_path)
    assert "| plain | 1.000 (0.34 to 1.00) | 1.00 | 2 | none of them |" in text
    assert all(f"| {factor} |" in text for factor in Factor)
    assert "Made by `distrl bench factors` (c) on m." in text
