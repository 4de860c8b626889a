"""Every derived template, played by its oracle."""

from __future__ import annotations

import pytest
from tests.tasks.runs import SUITES, Run, listed, play

from distrl.devices.phone.device import PhoneDevice
from distrl.tasks.splits import MORE_SPLITS
from distrl.tasks.suites import load_suite
from distrl.types import Task

EVERY = [
    (name, split) for name in SUITES for split in load_suite(name).splits if split in MORE_SPLITS
]


def _one_of_each(suite: str, split: str) -> list[Task]:
    found: dict[str, Task] = {}
    for task in load_suite(suite).tasks(split):
        found.setdefault(task.template, task)
    return list(found.values())


@pytest.mark.parametrize(("suite", "split"), EVERY)
def test_the_oracle_reaches_every_goal_and_changes_nothing_else(suite: str, split: str) -> None:
    device = PhoneDevice()
    runs: list[Run] = [play(task, device) for task in _one_of_each(suite, split)]
    assert runs
    assert not [r for r in runs if not r.succeeded or r.held_at_start or r.side_effects], listed(
        r for r in runs if not r.succeeded or r.held_at_start or r.side_effects
    )
    assert all(run.steps <= run.task.step_limit - 2 for run in runs)
