from __future__ import annotations

import pytest
from tests.devices.adb_tools import needs_adbutils

from distrl.bench.android.adb_success import choose_tasks, measure_success
from distrl.collect.evaluation.evaluate import select_tasks
from distrl.errors import ConfigError
from distrl.tasks.suites import load_suite


def test_few_tasks_are_spread_over_the_split_as_they_are() -> None:
    everything = select_tasks("general", "val")
    assert choose_tasks(everything, 4, 0) == everything[::16]


def test_another_seed_has_the_same_goals_on_other_phones() -> None:
    everything = select_tasks("general", "val")
    moved = choose_tasks(everything, 4, 3)
    assert [task.goal for task in moved] == [task.goal for task in everything[::16]]
    suite = load_suite("general")
    seeds = {task.seed for split in suite.splits for task in suite.tasks(split)}
    assert not seeds & {task.seed for task in moved}
    assert not {task.id for task in moved} & {task.id for task in everything}


def test_more_tasks_than_a_split_has_are_on_more_phones() -> None:
    everything = select_tasks("general", "val")
    chosen = choose_tasks(everything, 100, 1)
    assert len({task.id for task in chosen}) == len({task.seed for task in chosen}) == 100
    assert {task.goal for task in chosen[:64]} == {task.goal for task in everything}


def test_more_tasks_than_there_are_seeds_are_refused() -> None:
    with pytest.raises(ConfigError, match="65 tasks are too many: a split has 64"):
        choose_tasks(select_tasks("general", "val"), 65, 49)


@needs_adbutils
@pytest.mark.slow
@pytest.mark.alone
def test_the_same_tasks_are_played_on_both_roads() -> None:
    figures = measure_success(2, policy="random", split="val", seed=2)
    assert figures.tasks == 2
    assert figures.lost == 0
    assert figures.in_process is not None
    assert figures.untidy_adb is not None
