from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from string import Formatter

import pytest
from tests.tasks.runs import EVERY, SPLITS, SUITES

from distrl.errors import ConfigError
from distrl.tasks import suites
from distrl.tasks.pools import Pool, normalise
from distrl.tasks.suites import Suite, SuiteShape, find_task, is_file, load_suite
from distrl.tasks.template import Draw, Template

SIZES = {
    "general": {"train": 600, "val": 64, "test": 128},
    "shopping": {"train": 500, "val": 64, "test": 128},
    "questions": {"train": 320, "val": 64, "test": 128},
}
LEAST_TEMPLATES = {"general": 60, "shopping": 25, "questions": 28}
STEP_LIMIT = {"general": 15, "shopping": 20, "questions": 20}
PUBLISHED = {
    "general": "5614717741601eae",
    "shopping": "d3a9dcb0602af852",
    "starter": "3569191b07f967d8",
}
"""Digests of all tasks of the suites that figures have been published on."""
EVERY_TEMPLATE = [
    pytest.param(template, id=f"{name}-{template.name}")
    for name in SUITES
    for template in load_suite(name).templates.values()
]


@pytest.mark.parametrize("suite", SUITES)
def test_splits_have_the_published_sizes(suite: str) -> None:
    sizes = {split: len(load_suite(suite).tasks(split)) for split in ("train", "val", "test")}
    assert sizes == SIZES[suite]


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_tasks_of_published_figures_stay_as_they_are(name: str) -> None:
    suite = load_suite(name)
    tasks = [task for split in SPLITS for task in suite.tasks(split)]
    assert hashlib.sha256(repr(tasks).encode()).hexdigest()[:16] == PUBLISHED[name]


@pytest.mark.parametrize("suite", SUITES)
def test_phrasings_take_turns(suite: str) -> None:
    """Where there are goals enough to choose from, every phrasing is heard, and none too often."""
    for template in load_suite(suite).templates.values():
        split = "unseen" if template.unseen else "train"
        phrasings = template.phrasings_for(split)
        tasks = [t for t in load_suite(suite).tasks(split) if t.template == template.name]
        heard = Counter(p for t in tasks for p in phrasings if p.format(**t.parameters) == t.goal)
        assert sum(heard.values()) == len(tasks)
        assert len(heard) == min(len(phrasings), len(tasks)), template.name


@pytest.mark.parametrize("suite", SUITES)
def test_there_are_templates_enough(suite: str) -> None:
    trained = [t for t in load_suite(suite).templates.values() if not t.unseen]
    assert len(trained) >= LEAST_TEMPLATES[suite]


@pytest.mark.parametrize("suite", SUITES)
def test_unseen_has_templates_of_its_own(suite: str) -> None:
    unseen = {task.template for task in load_suite(suite).tasks("unseen")}
    assert all(load_suite(suite).template(name).unseen for name in unseen)


def test_twelve_templates_are_never_trained() -> None:
    unseen = {
        (suite, task.template) for suite in SUITES for task in load_suite(suite).tasks("unseen")
    }
    assert len(unseen) >= 12


@pytest.mark.parametrize("suite", SUITES)
def test_every_trained_template_has_training_tasks(suite: str) -> None:
    found = load_suite(suite)
    trained = {task.template for task in found.tasks("train")}
    assert trained == {name for name, t in found.templates.items() if not t.unseen}


def test_seeds_and_ids_are_unique_over_everything() -> None:
    tasks = [task for suite, split in EVERY for task in load_suite(suite).tasks(split)]
    assert len({task.seed for task in tasks}) == len(tasks)
    assert len({task.id for task in tasks}) == len(tasks)


@pytest.mark.parametrize(("suite", "split"), EVERY)
def test_tasks_carry_their_origin(suite: str, split: str) -> None:
    for index, task in enumerate(load_suite(suite).tasks(split)):
        assert task.id == f"{suite}/{split}/{index}"
        assert (task.suite, task.split, task.step_limit) == (suite, split, STEP_LIMIT[suite])
        assert find_task(task.id) is task


@pytest.mark.parametrize(("suite", "split"), EVERY)
def test_open_tasks_of_a_split_all_differ(suite: str, split: str) -> None:
    found = load_suite(suite)
    goals = [
        normalise(task.goal)
        for task in found.tasks(split)
        if not found.template(task.template).closed_only
    ]
    assert len(set(goals)) >= 0.98 * len(goals)


@pytest.mark.parametrize("build", [suites._general, suites._shopping])
def test_second_build_draws_the_same_tasks(build: Callable[[], Suite]) -> None:
    again = build()
    for split in SPLITS:
        assert again.tasks(split) == load_suite(again.name).tasks(split)


_DIGEST = """
import hashlib
from distrl.tasks.suites import load_suite, suite_names
tasks = [t for n in suite_names() for s in load_suite(n).splits for t in load_suite(n).tasks(s)]
print(hashlib.sha256(repr(tasks).encode()).hexdigest())
"""


def test_another_process_draws_the_same_tasks() -> None:
    here = [t for n in SUITES for s in load_suite(n).splits for t in load_suite(n).tasks(s)]
    digest = hashlib.sha256(repr(here).encode()).hexdigest()
    for hash_seed in ("1", "2"):
        found = subprocess.run(
            [sys.executable, "-c", _DIGEST],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert found.stdout.strip() == digest


@pytest.mark.parametrize("template", EVERY_TEMPLATE)
def test_template_has_phrasings_enough(template: Template) -> None:
    least = 5 if template.closed_only and not template.unseen else 3
    assert len(template.phrasings) >= least
    assert len({normalise(p) for p in template.phrasings}) == len(template.phrasings)


@pytest.mark.parametrize("template", EVERY_TEMPLATE)
def test_phrasings_name_exactly_the_parameters(template: Template) -> None:
    for phrasing in template.phrasings:
        named = {name for _, name, _, _ in Formatter().parse(phrasing) if name}
        assert named <= set(template.params)
        opened = {name for name, pool in template.params.items() if pool.open}
        assert opened <= named, f"{phrasing!r} does not say {opened - named}"


@pytest.mark.parametrize("template", EVERY_TEMPLATE)
def test_template_changes_only_what_it_names(template: Template) -> None:
    parameters = template.sample(Draw("unseen" if template.unseen else "train", Random(0)))
    for permission in template.allowed(parameters):
        path = permission if isinstance(permission, str) else permission.collection
        assert path.startswith(("apps.", "system."))
        assert "*" not in path


def test_unknown_names_tell_the_nearest_right_one() -> None:
    with pytest.raises(ConfigError, match="did you mean 'general'"):
        load_suite("genral")
    with pytest.raises(ConfigError, match="did you mean 'test'"):
        load_suite("general").tasks("tset")
    with pytest.raises(ConfigError, match="did you mean 'set_alarm'"):
        load_suite("general").template("set_alrm")


@pytest.mark.parametrize("wrong", ["general", "general/val", "general/val/64", "general/val/x"])
def test_unknown_task_is_refused(wrong: str) -> None:
    with pytest.raises(ConfigError):
        find_task(wrong)


class _Small(Template):
    phrasings: tuple[str, ...] = ("one", "two", "three", "four", "five")

    def __init__(self, name: str, weight: float = 1.0) -> None:
        self.name, self.weight = name, weight


def _suite(*templates: Template, size: int) -> Suite:
    shape = SuiteShape(sizes=dict.fromkeys(SPLITS, size), step_limit=5, first_seed=0)
    return Suite("small", templates, shape)


def test_weights_share_the_tasks_out() -> None:
    tasks = _suite(_Small("a", 3.0), _Small("b", 1.0), size=10).tasks("train")
    counts = [sum(task.template == name for task in tasks) for name in "ab"]
    assert sorted(counts) in ([2, 8], [3, 7])
    assert counts[0] > counts[1]


def test_two_templates_of_one_name_are_refused() -> None:
    with pytest.raises(ConfigError, match="two templates of small are named 'a'"):
        _suite(_Small("a"), _Small("a"), size=4)


def test_a_yaml_file_with_an_address_is_a_web_app_and_any_other_is_for_phones(
    tmp_path: Path,
) -> None:
    pages, goals = tmp_path / "pages.yaml", tmp_path / "goals.yaml"
    pages.write_text("name: x\nurl: http://127.0.0.1/\n")
    goals.write_text("tasks:\n  - goal: Open the clock\n")
    assert [is_file(str(path)) for path in (pages, goals, tmp_path / "none.yaml")] == [
        *(False, True, True)
    ]
    assert is_file("goals.txt")
    assert not is_file("general")


def test_the_starter_s_goals_are_near() -> None:
    starter = load_suite("starter")
    general = load_suite("general").templates
    assert set(starter.templates) < set(general)
    tasks = [task for split in starter.splits for task in starter.tasks(split)]
    assert {task.step_limit for task in tasks} == {5}
    assert len(starter.tasks("test")) == 48
    assert {task.seed for task in tasks}.isdisjoint(
        task.seed for split in SPLITS for task in load_suite("general").tasks(split)
    )


@pytest.mark.parametrize(("suite", "split"), EVERY)
def test_every_goal_says_its_open_values(suite: str, split: str) -> None:
    templates = load_suite(suite).templates
    for task in load_suite(suite).tasks(split):
        params = templates[task.template].params
        for name, value in task.parameters.items():
            if params[name].open:
                assert str(value) in task.goal, task.id


@pytest.mark.parametrize(("suite", "split"), EVERY)
def test_no_goal_has_an_open_place_left(suite: str, split: str) -> None:
    for task in load_suite(suite).tasks(split):
        assert "{" not in task.goal
        assert "  " not in task.goal
        assert task.goal == task.goal.strip()


@pytest.mark.parametrize(("suite", "split"), EVERY)
def test_every_value_of_a_task_belongs_to_its_split(suite: str, split: str) -> None:
    templates = load_suite(suite).templates
    for task in load_suite(suite).tasks(split):
        params = templates[task.template].params
        assert set(task.parameters) == set(params)
        for name, value in task.parameters.items():
            assert value in params[name].share(split), task.id


@pytest.mark.parametrize("suite", SUITES)
def test_closed_values_are_drawn_from_end_to_end(suite: str) -> None:
    """No choice is so rare that a policy never meets it: small pools are used up in training."""
    seen: dict[tuple[str, str], set[object]] = {}
    for task in load_suite(suite).tasks("train"):
        for name, value in task.parameters.items():
            seen.setdefault((task.template, name), set()).add(value)
    for (template, name), values in seen.items():
        pool = load_suite(suite).template(template).params[name]
        if not pool.open and len(pool.values) == 2:
            assert values == set(pool.values), (template, name)


def test_some_of_a_suite_keep_their_tasks_and_the_whole_is_unharmed() -> None:
    whole = load_suite("general")
    some = load_suite("general:create_note, set_alarm")
    assert set(some.templates) == {"create_note", "set_alarm"}
    assert some.tasks("train") == tuple(
        task for task in whole.tasks("train") if task.template in some.templates
    )
    assert len(whole.templates) > 2
    assert len(whole.tasks("train")) == 600


def test_a_template_that_is_not_in_the_suite_cannot_be_chosen() -> None:
    with pytest.raises(ConfigError, match="did you mean 'create_note'"):
        load_suite("general:create_noet")


def test_tasks_are_found_by_their_ids() -> None:
    for suite, split in EVERY:
        tasks = load_suite(suite).tasks(split)
        for task in (tasks[0], tasks[-1]):
            assert find_task(task.id) == task


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("general", "SUITE/SPLIT/NUMBER"),
        ("general/val/64", "has the numbers 0 to 63"),
        ("general/val/-1", "has the numbers 0 to 63"),
        ("general/vla/0", "did you mean 'val'"),
        ("genral/val/0", "did you mean 'general'"),
        ("starter/unseen/0", "has no tasks"),
    ],
)
def test_a_task_that_is_not_there_is_told_with_what_is(wrong: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        find_task(wrong)


def test_every_template_gets_a_task_as_long_as_there_are_enough() -> None:
    names = [f"t{n}" for n in range(7)]
    tasks = _suite(*(_Small(name) for name in names), size=7).tasks("train")
    assert sorted(task.template for task in tasks) == names


@pytest.mark.parametrize("size", [1, 5, 13, 40])
def test_a_split_has_exactly_its_size(size: int) -> None:
    tasks = _suite(_Small("a", 0.3), _Small("b", 1.7), _Small("c", 1.0), size=size).tasks("train")
    assert len(tasks) == size


def test_seeds_of_the_splits_are_a_million_apart() -> None:
    suite = _suite(_Small("a"), size=3)
    firsts = [min(task.seed for task in suite.tasks(split)) for split in ("train", "val", "test")]
    assert firsts == [0, 1_000_000, 2_000_000]


def test_a_task_of_a_file_is_found_by_the_path_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "goals.yaml"
    path.write_text("tasks: [{goal: Open the clock, check: [{app: a.b}]}]\n")
    assert find_task(f"{path}/train/0").goal == "Open the clock"


def test_a_template_with_too_few_phrasings_says_how_many_it_needs() -> None:
    terse = _Small("terse")
    terse.phrasings = ("do it", "please do it")
    with pytest.raises(ConfigError, match="'terse' has no phrasing left for the split 'train'"):
        _suite(terse, size=2).tasks("train")


def test_a_pool_without_a_value_for_a_split_is_named() -> None:
    narrow = _Small("narrow")
    narrow.params = {"code": Pool("code", (10,))}
    with pytest.raises(ConfigError, match="'code' of the template 'narrow' has no value"):
        _suite(narrow, size=2).tasks("val")


def test_a_web_app_cannot_take_the_name_of_a_built_in_suite(tmp_path: Path) -> None:
    path = tmp_path / "suite.yaml"
    path.write_text(
        "name: general\nurl: http://made.test/\ntasks: {go: {goals: [Go], check: done}}\n"
    )
    with pytest.raises(ConfigError, match=r"suite.yaml: name is 'general', a built-in suite"):
        load_suite(str(path))
