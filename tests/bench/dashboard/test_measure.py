from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from distrl.bench.dashboard.measure import measure_listing


def test_the_second_list_of_runs_is_quicker_than_the_first(tmp_path: Path) -> None:
    first, second = measure_listing(tmp_path / "many", 10)
    assert 0 < second < first
    assert len(list((tmp_path / "many").iterdir())) == 10
