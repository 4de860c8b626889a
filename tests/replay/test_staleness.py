from __future__ import annotations

import numpy as np
import pytest

from distrl.replay.staleness import is_fresh, oldest_fresh


@pytest.mark.parametrize(
    ("version", "max_lag", "acted", "fresh"),
    [
        (10, 3, 10, True),
        (10, 3, 7, True),
        (10, 3, 6, False),
        (10, 0, 10, True),
        (10, 0, 9, False),
        (2, 5, 0, True),
    ],
)
def test_a_trajectory_is_fresh_up_to_the_bound_and_stale_beyond_it(
    version: int, max_lag: int, acted: int, fresh: bool
) -> None:
    versions = np.array([acted], np.int64)
    assert is_fresh(versions, version=version, max_lag=max_lag).tolist() == [fresh]


def test_the_bound_moves_with_every_publish() -> None:
    assert [oldest_fresh(version, 4) for version in (4, 5, 6)] == [0, 1, 2]
