from __future__ import annotations

import pytest
from tests.devices.adb_tools import needs_adbutils

from distrl.bench.android.adb import measure_adb


@needs_adbutils
@pytest.mark.slow
def test_steps_are_counted_and_the_phones_own_time_is_taken_off() -> None:
    figures = measure_adb(2.0, fleets=(1, 8))
    assert 0 < figures.overhead_ms < figures.step_ms
    assert figures.steps_per_second_1 > 0
    assert figures.steps_per_second_8 > 0
    assert figures.steps_per_second_32 == 0.0
