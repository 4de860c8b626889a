from __future__ import annotations

import json
from dataclasses import replace

import pytest

from distrl.devices.browser.site import Site
from distrl.errors import ConfigError
from distrl.tasks.web.suite import KNOWN, PageGoal, PageSuite, PageTask
from distrl.types import Task

PAGE = PageTask(
    name="add",
    site=Site(start="http://made.test/"),
    begin="app.begin(SEED, item);",
    goals=(PageGoal("Add tea", {"item": "tea"}), PageGoal("Add milk", {"item": "milk"})),
    judged_by_page=False,
    stays=False,
    step_limit=7,
)


def _suite(*pages: PageTask) -> PageSuite:
    return PageSuite("made", pages or (PAGE,), {"train": 4, "test": 3}, where="made.yaml")


def _known(task: Task, page: PageTask = PAGE) -> dict[str, object]:
    """What a page is told of its task."""
    told = page.script(task).partition(f"window.{KNOWN}=")[2].partition(";")[0]
    known: dict[str, object] = json.loads(told)
    return known


@pytest.mark.parametrize("split", ["train", "test"])
def test_values_go_with_the_goal_that_speaks_of_them(split: str) -> None:
    for task in _suite().tasks(split):
        item = _known(task)["item"]
        assert str(item) in task.goal


def test_a_script_knows_seed_and_split() -> None:
    (first, *_) = _suite().tasks("test")
    assert _known(first) == {"SEED": 2_000_000, "SPLIT": "test", "item": "tea"}
    assert PAGE.script(first).startswith("const {SEED,SPLIT,item}=")
    assert PAGE.script(first).endswith(PAGE.begin)


def test_a_page_without_values_knows_nothing_else() -> None:
    page = replace(PAGE, goals=(PageGoal("Add"),))
    (task, *_) = _suite(page).tasks("train")
    assert set(_known(task, page)) == {"SEED", "SPLIT"}


@pytest.mark.parametrize("item", ['"; alert(1); "', "it's", "a\nb", "</script>", "ü"])
def test_values_are_data_and_never_script(item: str) -> None:
    page = replace(PAGE, goals=(PageGoal("Add", {"item": item}),))
    (task, *_) = _suite(page).tasks("train")
    told = page.script(task).partition(f"window.{KNOWN}=")[2]
    known, end = json.JSONDecoder().raw_decode(told)
    assert known["item"] == item
    assert told[end:] == f";{PAGE.begin}"


def test_tasks_are_filed_under_the_name_and_loaded_by_the_place() -> None:
    (task, *_) = _suite().tasks("train")
    assert (task.id, task.suite, task.step_limit) == ("made/train/0", "made.yaml", 7)


def test_a_page_is_found_by_its_name() -> None:
    other = replace(PAGE, name="drop")
    suite = _suite(PAGE, other)
    assert suite.page("drop") is other
    with pytest.raises(ConfigError, match="did you mean 'drop'"):
        suite.page("drp")


def test_a_split_asks_for_its_own_goals_alone() -> None:
    goals = (PageGoal("Add tea", {"item": "tea"}, ("train",)), PageGoal("Add milk", {}, ("test",)))
    suite = _suite(replace(PAGE, goals=goals))
    assert {task.goal for task in suite.tasks("train")} == {"Add tea"}
    assert {task.goal for task in suite.tasks("test")} == {"Add milk"}
    assert suite.tasks("train")[0].parameters == {"item": "tea"}


def test_the_probe_of_a_task_knows_the_task_whatever_the_page_forgets() -> None:
    page = replace(PAGE, check_script="({item})=>item")
    task = _suite(page).tasks("train")[1]
    assert page.site_of(task).probe == (
        '(({item})=>item)({"SEED": 1, "SPLIT": "train", "item": "milk"})'
    )
    assert PAGE.site_of(task) is PAGE.site
