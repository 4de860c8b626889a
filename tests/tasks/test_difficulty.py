"""How hard the suites are, in the oracle's steps with the final declaration."""

from __future__ import annotations

from statistics import median

import pytest
from tests.tasks.runs import EVERY, SUITES, oracle_runs

from distrl.tasks.suites import load_suite
from distrl.tasks.template import Template

MEDIAN = {"general": 4, "shopping": 7, "questions": 4}
NINETIETH = {"general": 8, "shopping": 13, "questions": 8}


def _templates(suite: str, split: str) -> list[Template]:
    """The template of each task."""
    found = load_suite(suite)
    return [found.template(task.template) for task in found.tasks(split)]


@pytest.mark.parametrize("suite", SUITES)
def test_half_of_the_tasks_take_the_oracle_few_steps(suite: str) -> None:
    trained = ("train", "val", "test")
    steps = [run.steps for split in trained for run in oracle_runs(suite, split)]
    assert median(steps) == MEDIAN[suite]


@pytest.mark.parametrize(("suite", "split"), EVERY)
def test_no_split_is_much_easier_or_harder(suite: str, split: str) -> None:
    assert abs(median(run.steps for run in oracle_runs(suite, split)) - MEDIAN[suite]) <= 1


@pytest.mark.parametrize(("suite", "split"), EVERY)
def test_nine_in_ten_tasks_are_short(suite: str, split: str) -> None:
    steps = sorted(run.steps for run in oracle_runs(suite, split))
    assert steps[int(0.9 * len(steps))] <= NINETIETH[suite]


@pytest.mark.parametrize(("suite", "split"), EVERY)
def test_every_task_leaves_room_within_its_limit(suite: str, split: str) -> None:
    tight = {
        run.task.template: run.steps
        for run in oracle_runs(suite, split)
        if run.steps > run.task.step_limit - 2
    }
    assert not tight


@pytest.mark.parametrize(("suite", "split"), EVERY)
def test_few_tasks_are_infeasible(suite: str, split: str) -> None:
    templates = _templates(suite, split)
    assert sum(t.infeasible for t in templates) <= 0.04 * len(templates)


@pytest.mark.parametrize("suite", SUITES)
def test_some_tasks_are_infeasible(suite: str) -> None:
    assert any(template.infeasible for template in _templates(suite, "train"))


@pytest.mark.parametrize("suite", ["general", "shopping"])
@pytest.mark.parametrize("split", ["train", "test"])
def test_a_tenth_of_the_tasks_is_visual(suite: str, split: str) -> None:
    templates = _templates(suite, split)
    assert sum(t.visual for t in templates) >= 0.10 * len(templates)


@pytest.mark.parametrize("suite", SUITES)
def test_most_test_tasks_have_an_open_parameter(suite: str) -> None:
    templates = _templates(suite, "test")
    assert sum(t.closed_only for t in templates) <= 0.40 * len(templates)
