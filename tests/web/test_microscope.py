from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.monitor.gauges import BY_NAME, LAG
from distrl.web.episode_index import EMPTY, NOTHING
from distrl.web.microscope import RATIO_EPISODES, bars, microscope, whole_bars


@given(st.lists(st.floats(-1e6, 1e6), max_size=200))
def test_every_number_is_in_exactly_one_bar(values: list[float]) -> None:
    made = bars(np.array(values))
    for value in values:
        assert sum(bar["low"] <= value <= bar["high"] for bar in made) == 1
    assert sum(bar["count"] for bar in made) == len(values)


@given(st.lists(st.integers(0, 500), max_size=200))
def test_every_whole_number_is_in_exactly_one_bar(values: list[int]) -> None:
    made = whole_bars(np.array(values, np.int64))
    for value in values:
        assert sum(bar["low"] <= value <= bar["high"] for bar in made) == 1
    for bar in made:
        assert bar["count"] == sum(bar["low"] <= value <= bar["high"] for value in values)


def test_what_is_no_number_is_left_out() -> None:
    assert bars(np.array([np.nan, np.inf])) == []


@pytest.mark.parametrize("make", [bars, whole_bars])
def test_nothing_has_no_bars(make: object) -> None:
    assert make(np.zeros(0, np.int64)) == []  # type: ignore[operator]


def test_lag_is_defined_in_the_same_words_on_both_pages() -> None:
    lag, *_ = microscope(EMPTY, NOTHING, max_lag=200)
    assert lag["healthy"].startswith(LAG)
    assert BY_NAME["learn/lag_mean"].healthy.startswith(LAG)
    assert "replay.max_lag (200)" in lag["healthy"]
    assert "None" not in microscope(EMPTY, NOTHING, max_lag=None)[0]["healthy"]


def test_ratios_say_how_many_episodes_they_are_of() -> None:
    _, ratio, _ = microscope(EMPTY, NOTHING, max_lag=200)
    assert f"newest {RATIO_EPISODES} episodes only" in ratio["healthy"]
