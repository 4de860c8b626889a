from __future__ import annotations

from pathlib import Path

import pytest

from distrl.bench.chaos import acknowledged_ids, measure_chaos
from distrl.run.state.folder import RunFolder


def test_a_line_that_a_kill_cut_in_two_does_not_count(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    assert acknowledged_ids(folder) == []
    folder.acknowledged.write_text("a-1\nb-2\nc-")
    assert acknowledged_ids(folder) == ["a-1", "b-2"]


@pytest.mark.timeout(600)
def test_nothing_acknowledged_is_lost_when_a_run_is_killed() -> None:
    figures = measure_chaos(kills=2, seed=3)
    assert figures.acknowledged > 0
    assert (figures.lost, figures.doubled) == (0, 0)
    assert figures.resumed == figures.kills == 2
    assert figures.stored >= figures.acknowledged


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_nothing_acknowledged_is_lost_in_twenty_kills() -> None:
    figures = measure_chaos(kills=20, seed=0)
    assert (figures.lost, figures.doubled) == (0, 0)
    assert figures.resumed == 20
