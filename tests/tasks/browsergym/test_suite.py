from __future__ import annotations

import importlib.util

import pytest
from tests.tasks.browsergym.toy import NAMES, toy

from distrl.errors import ConfigError
from distrl.tasks.browsergym.suite import split_of
from distrl.tasks.suites import find_task, load_suite
from distrl.types import Kind

__all__ = ["toy"]


@pytest.mark.usefixtures("toy")
def test_tasks_that_differ_with_their_seed_are_in_every_split_with_other_seeds() -> None:
    suite = load_suite("browsergym:miniwob.press,miniwob.ask")
    sizes = {split: len(suite.tasks(split)) for split in suite.splits}
    assert sizes == {"train": 600, "val": 20, "test": 200, "unseen": 0}
    seeds = {split: {task.seed for task in suite.tasks(split)} for split in ("train", "test")}
    assert not seeds["train"] & seeds["test"]
    assert suite.device == "browsergym"


@pytest.mark.usefixtures("toy")
def test_tasks_that_no_seed_changes_are_in_one_split_each() -> None:
    suite = load_suite("browsergym:toy")
    where = [task.template for split in suite.splits for task in suite.tasks(split)]
    assert sorted(where) == sorted(f"toy.{name}" for name in NAMES)
    for split in ("train", "val", "test"):
        assert {split_of(task.template) for task in suite.tasks(split)} <= {split}


def test_most_of_many_tasks_are_for_training() -> None:
    splits = [split_of(f"webarena.{number}") for number in range(812)]
    shares = {split: splits.count(split) / 812 for split in ("train", "val", "test")}
    assert shares == pytest.approx({"train": 0.7, "val": 0.1, "test": 0.2}, abs=0.05)


@pytest.mark.usefixtures("toy")
def test_the_number_of_steps_may_be_said() -> None:
    assert {t.step_limit for t in load_suite("browsergym:toy").tasks("train")} == {20}
    task = find_task("browsergym:miniwob.press#steps=7/val/3")
    assert (task.step_limit, task.template, task.seed) == (7, "miniwob.press", 1_000_003)


@pytest.mark.usefixtures("toy")
def test_a_task_may_need_an_answer_in_words() -> None:
    assert Kind.ANSWER in load_suite("browsergym:toy.ask").kinds


@pytest.mark.usefixtures("toy")
def test_an_unknown_task_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(ConfigError, match=r"'toy\.pres'.*toy\.press"):
        load_suite("browsergym:toy.pres")


@pytest.mark.skipif(
    importlib.util.find_spec("browsergym") is not None, reason="BrowserGym is installed"
)
def test_a_benchmark_that_is_not_installed_says_what_to_install() -> None:
    with pytest.raises(
        ConfigError, match=r"pip install 'distrl\[browsergym\]' browsergym-webarena"
    ):
        load_suite("browsergym:webarena")


@pytest.mark.parametrize(
    "name", ["", "#steps=3", "mini wob", "toy,", "../toy", "toy#steps=0", "toy#seed=3", "toy/x"]
)
def test_what_names_no_task_is_refused_with_examples(name: str) -> None:
    with pytest.raises(ConfigError, match=r"such as browsergym:miniwob") as refused:
        load_suite(f"browsergym:{name}")
    assert repr(f"browsergym:{name}") in str(refused.value)
