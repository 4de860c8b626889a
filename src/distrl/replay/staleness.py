"""The staleness bound: how old a trajectory may be and still train the policy.

The lag of a trajectory is the learner's version less the oldest version that acted in it. Up to
`replay.max_lag` versions it trains policy and critics; beyond that, the critics only.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def oldest_fresh(version: int, max_lag: int) -> int:
    """The oldest acting version that may still train the policy at a learner's version."""
    return version - max_lag


def is_fresh(
    versions: npt.NDArray[np.int64], *, version: int, max_lag: int
) -> npt.NDArray[np.bool_]:
    """For each trajectory, by the oldest version that acted in it, whether it is in the bound."""
    fresh: npt.NDArray[np.bool_] = versions >= oldest_fresh(version, max_lag)
    return fresh
