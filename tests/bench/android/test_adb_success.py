from __future__ import annotations

import pytest
from tests.devices.adb_tools import needs_adbutils

from distrl.bench.android.adb_success import measure_success


@needs_adbutils
@pytest.mark.slow
@pytest.mark.alone
def test_the_same_tasks_are_played_on_both_roads() -> None:
    figures = measure_success(2, policy="random", split="val")
    assert figures.tasks == 2
    assert figures.lost == 0
    assert figures.in_process is not None
    assert figures.untidy_adb is not None
