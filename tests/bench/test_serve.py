from __future__ import annotations

import pytest

pytest.importorskip("websockets")
from distrl.bench.serve import measure_serve


@pytest.mark.slow
@pytest.mark.alone
def test_sixteen_sessions_are_fast_and_aborted_clients_leave_nothing() -> None:
    figures = measure_serve(2.0, aborted=200)
    assert figures.steps_per_second_16 >= 300
    assert 0 < figures.in_process_ratio < 1
    assert figures.memory_mb_64 > 0
    assert (figures.aborted, figures.leaked) == (200, 0)
