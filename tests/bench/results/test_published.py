from __future__ import annotations

from pathlib import Path

import pytest

from distrl.bench.results.published import load_published
from distrl.errors import ConfigError
from distrl.tasks.suites import load_suite

RESULTS = Path(__file__).parents[3] / "docs" / "results"


def test_what_is_quoted_is_of_tasks_that_there_are_and_says_where_it_stands() -> None:
    pytest.importorskip("miniwob")
    published = load_published(RESULTS)
    assert published
    for suite, columns in published.items():
        templates = load_suite(suite).templates
        for column in columns:
            assert column.success.keys() <= set(templates)
            assert all(0.0 <= share <= 1.0 for share in column.success.values())
            assert column.source


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "broken.json").write_text("{}")
    with pytest.raises(ConfigError, match=r"broken\.json cannot be read"):
        load_published(tmp_path)


def test_nothing_published_is_nothing(tmp_path: Path) -> None:
    assert load_published(tmp_path) == {}
