from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.replay.trajectories import make_trajectory

from distrl.replay.trajectory import Trajectory


@pytest.mark.parametrize("steps", [1, 2, 15])
def test_its_length_is_its_number_of_steps(steps: int) -> None:
    assert len(make_trajectory(steps=steps)) == steps


@pytest.mark.parametrize("name", ["inputs", "log_mu", "rewards", "penalties"])
def test_a_step_that_is_missing_somewhere_is_noticed(name: str) -> None:
    whole = make_trajectory(steps=3)
    with pytest.raises(AssertionError, match="3"):
        replace(whole, **{name: getattr(whole, name)[:2]})


def test_one_number_for_all_steps_is_not_taken_for_a_number_per_step() -> None:
    """Numpy would spread it over the steps without a word."""
    with pytest.raises(AssertionError, match="rewards"):
        replace(make_trajectory(steps=3), rewards=np.ones(1, np.float32))


def test_an_episode_without_steps_is_no_record() -> None:
    with pytest.raises(AssertionError, match="at least one"):
        Trajectory(
            id="empty",
            inputs=(),
            decisions=(),
            log_mu=np.zeros(0, np.float32),
            rewards=np.zeros(0, np.float32),
            penalties=np.zeros(0, np.float32),
            terminated=True,
            oldest_version=0,
            succeeded=False,
            goal="",
        )
