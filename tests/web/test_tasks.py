from __future__ import annotations

import numpy as np

from distrl.web.tasks import trend


def test_a_trend_is_of_equal_parts_oldest_first() -> None:
    won = np.array([False] * 8 + [True] * 8)
    assert trend(won, buckets=2) == [0.0, 1.0]


def test_few_attempts_make_few_points() -> None:
    assert trend(np.array([True] * 3)) == []
    assert trend(np.array([True] * 9)) == [1.0, 1.0]
