from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.bench.results.rows import make_result

from distrl.bench.results.make import save
from distrl.bench.results.record import flat, load, load_all
from distrl.errors import ConfigError


def test_a_row_comes_back_from_its_file(tmp_path: Path) -> None:
    result = make_result(seed=3)
    assert save(result, tmp_path) == tmp_path / "quickstart-seed3.json"
    assert load(tmp_path / "quickstart-seed3.json") == result


def test_rows_come_in_the_order_of_groups_and_seeds(tmp_path: Path) -> None:
    for group, seed in (("shopping", 0), ("other", 0), ("quickstart", 10), ("quickstart", 2)):
        save(make_result(group, seed), tmp_path)
    found = [result.name for result in load_all(tmp_path)]
    assert found == ["quickstart-seed2", "quickstart-seed10", "shopping-seed0", "other-seed0"]


def test_a_folder_that_is_not_there_has_no_rows(tmp_path: Path) -> None:
    assert load_all(tmp_path / "nowhere") == ()


@pytest.mark.parametrize(("text", "message"), [("{", "truncated"), ("{}", "name")])
def test_a_damaged_file_is_named(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "row.json").write_text(text)
    with pytest.raises(ConfigError, match=rf"row\.json cannot be read: .*{message}"):
        load_all(tmp_path)


def test_a_flat_row_has_the_figures_of_all_evaluations() -> None:
    row = flat(make_result())
    assert json.loads(json.dumps(row)) == row
    wanted = ("success", "unseen", "without_pixels", "without_elements")
    assert [row[name] for name in wanted] == [112 / 128, 96 / 128, 80 / 128, 64 / 128]
    assert row["low"] < row["success"] < row["high"]
    assert (row["minutes"], row["updates"]) == (6.5, 1500)


def test_what_was_not_measured_is_none_in_a_flat_row() -> None:
    row = flat(replace(make_result(), evaluations=()))
    assert row["success"] is row["unseen"] is row["low"] is None
