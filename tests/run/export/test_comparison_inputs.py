from __future__ import annotations

from pathlib import Path

import pytest
from tests.run.conftest import small_config

from distrl.errors import ConfigError
from distrl.policies.random import RandomPolicy
from distrl.run.export.comparison_inputs import Counted, check_export, gather
from distrl.tasks.suites import load_suite


@pytest.mark.parametrize("most", [1, 7])
def test_as_many_situations_are_gathered_as_asked_for(most: int) -> None:
    seen = gather(RandomPolicy(seed=1), small_config(), most, Counted())
    assert len(seen) == most
    goals = {task.goal for task in load_suite("general").tasks("train")}
    assert {situation.goal for situation, _ in seen} <= goals


def test_each_situation_comes_with_what_was_done_there() -> None:
    first, again = (gather(RandomPolicy(seed=1), small_config(), 5, Counted()) for _ in range(2))
    assert [choice.action for _, choice in first] == [choice.action for _, choice in again]
    other = gather(RandomPolicy(seed=2), small_config(), 5, Counted())
    assert [choice.action for _, choice in first] != [choice.action for _, choice in other]


def test_phones_are_those_of_the_run() -> None:
    ((situation, _),) = gather(
        RandomPolicy(seed=1), small_config("phone.elements=false"), 1, Counted()
    )
    assert situation.observation.elements is None


def test_too_little_to_compare_is_refused(tmp_path: Path) -> None:
    check_export(tmp_path / "new", 3)
    with pytest.raises(ConfigError, match="at least 3, got 2"):
        check_export(tmp_path / "new", 2)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    check_export(tmp_path, 3)
    (tmp_path / "mine").touch()
    for taken in (tmp_path, tmp_path / "mine"):
        with pytest.raises(ConfigError, match="no empty folder"):
            check_export(taken, 3)
