from pathlib import Path
from typing import Any

import numpy as np
import pytest

from distrl.checks import (
    LARGEST_SEED,
    require_flag,
    require_path,
    require_port,
    require_seed,
    require_text,
    require_texts,
    require_whole,
)
from distrl.errors import ConfigError


@pytest.mark.parametrize("value", [0, 7, LARGEST_SEED, np.int64(3)])
def test_whole_numbers_from_0_on_are_seeds(value: object) -> None:
    require_seed(value)


@pytest.mark.parametrize("value", [-1, LARGEST_SEED + 1, 10**23, "4", 1.0, True, None])
def test_what_no_generator_takes_is_no_seed(value: object) -> None:
    with pytest.raises(ConfigError, match=f"seed must be a whole number, from 0 to .*{value!r}"):
        require_seed(value)


def test_the_largest_seed_is_the_last_that_a_browser_shows_as_it_is() -> None:
    assert float(LARGEST_SEED) == LARGEST_SEED
    assert float(LARGEST_SEED + 2) != LARGEST_SEED + 2


@pytest.mark.parametrize("value", [-1, 65536, "80", None])
def test_a_port_is_from_0_to_65535(value: object) -> None:
    require_port(0)
    require_port(65535)
    with pytest.raises(ConfigError, match="port must be a whole number, from 0 to 65535, got"):
        require_port(value)


def test_a_number_without_an_upper_bound_tells_the_lower_one() -> None:
    require_whole("tasks", 10**30, low=1)
    with pytest.raises(ConfigError, match="tasks must be a whole number, at least 1, got 0"):
        require_whole("tasks", 0, low=1)


def test_text_is_told_by_an_example() -> None:
    require_text("suite", "general", such_as="general")
    with pytest.raises(ConfigError, match="suite must be text, such as 'general', got 3"):
        require_text("suite", 3, such_as="general")


@pytest.mark.parametrize("value", ["", "  ", 3, None])
def test_a_path_is_text_or_a_path_and_not_empty(value: object) -> None:
    require_path("run_dir", "runs/mine")
    require_path("run_dir", Path("runs/mine"))
    with pytest.raises(ConfigError, match="run_dir must be the path of a folder or a file, got"):
        require_path("run_dir", value)


@pytest.mark.parametrize(("value", "told"), [("minutes=5", "'minutes=5'"), (5, "5"), ([5], "5")])
def test_a_single_text_is_no_list_of_texts(value: Any, told: str) -> None:
    require_texts("overrides", ("minutes=5",), such_as="minutes=5")
    with pytest.raises(ConfigError, match=f"overrides must be .*, got {told}"):
        require_texts("overrides", value, such_as="minutes=5")


@pytest.mark.parametrize("value", ["no", 0, None])
def test_a_flag_is_true_or_false(value: object) -> None:
    require_flag("greedy", value=True)
    with pytest.raises(ConfigError, match=f"greedy must be True or False, got {value!r}"):
        require_flag("greedy", value)
