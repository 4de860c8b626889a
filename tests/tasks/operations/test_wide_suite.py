from __future__ import annotations

from collections import Counter

import pytest
from tests.tasks.runs import SUITES

from distrl.errors import ConfigError
from distrl.tasks.operations.wide_suite import More, WideSuite
from distrl.tasks.pools import SPLITS, normalise
from distrl.tasks.splits import MORE_SPLITS, values_of
from distrl.tasks.suites import Suite, find_task, load_suite

EVERY = [
    (name, split) for name in SUITES for split in load_suite(name).splits if split in MORE_SPLITS
]
LEAST_TRAINED = {"general": 400, "shopping": 120}
WIDE = sorted({name for name, _ in EVERY})


@pytest.mark.parametrize("suite", WIDE)
def test_the_four_splits_of_old_are_as_if_there_were_no_others(suite: str) -> None:
    found = load_suite(suite)
    plain = Suite(suite, tuple(found.templates.values()), found.shape)
    for split in SPLITS:
        assert plain.tasks(split) == found.tasks(split)


@pytest.mark.parametrize("suite", WIDE)
def test_worded_has_the_test_tasks_in_other_words(suite: str) -> None:
    test, worded = load_suite(suite).tasks("test"), load_suite(suite).tasks("worded")
    assert [(t.template, t.parameters) for t in worded] == [
        (t.template, t.parameters) for t in test
    ]
    said = {normalise(task.goal) for task in test}
    assert not any(normalise(task.goal) in said for task in worded)


@pytest.mark.parametrize("suite", WIDE)
def test_wide_trains_every_written_template_and_many_derived_ones(suite: str) -> None:
    found = load_suite(suite)
    trained = {task.template for task in found.tasks("wide")}
    assert {name for name, t in found.templates.items() if not t.unseen} <= trained
    assert not any(found.template(name).unseen for name in trained)
    assert len(trained) >= LEAST_TRAINED[suite]


@pytest.mark.parametrize("suite", WIDE)
def test_composed_puts_known_operations_together(suite: str) -> None:
    found = load_suite(suite)
    known = {task.template for task in found.tasks("wide")}
    for task in found.tasks("wide"):
        known |= set(found.template(task.template).operations)
    composed = {task.template for task in found.tasks("composed")}
    for name in composed:
        operations = found.template(name).operations
        assert len(operations) >= 2
        assert set(operations) <= known


@pytest.mark.parametrize(("suite", "split"), EVERY)
def test_every_goal_says_its_open_values_and_all_goals_differ(suite: str, split: str) -> None:
    found = load_suite(suite)
    goals: Counter[str] = Counter()
    for task in found.tasks(split):
        params = found.template(task.template).params
        goals[normalise(task.goal)] += 1
        for name, value in task.parameters.items():
            assert value in params[name].share(values_of(split)), task.id
            if params[name].open:
                assert str(value) in task.goal, task.id
        assert "{" not in task.goal
        assert "<" not in task.goal
        assert find_task(task.id) is task
    assert max(goals.values()) <= 2  # a test task may come twice, and so may its words


def test_a_part_of_the_suite_has_its_own_wide_tasks() -> None:
    some = load_suite("general:create_note,set_alarm")
    assert {task.template for task in some.tasks("wide")} == {"create_note", "set_alarm"}
    with pytest.raises(ConfigError, match="create_event"):
        some.template("create_event")


def test_a_derived_template_can_be_chosen_alone() -> None:
    name = next(t.template for t in load_suite("general").tasks("composed"))
    some = load_suite(f"general:{name}")
    assert {task.template for task in some.tasks("composed")} == {name}
    assert some.tasks("train") == ()


def test_a_template_without_words_is_named() -> None:
    templates = tuple(load_suite("general").templates.values())
    empty = More(words={}, derived={}, sizes={})
    suite = WideSuite("mute", templates, load_suite("general").shape, lambda: empty)
    with pytest.raises(ConfigError, match="mute has no words for the template"):
        suite.tasks("worded")
