from __future__ import annotations

from itertools import pairwise

import pytest

from distrl.errors import ConfigError
from distrl.tasks.leak_check import check_leaks
from distrl.tasks.seed_suite import FIRST_SEEDS, SeedSuite, SeedTemplate


def make_suite() -> SeedSuite:
    templates = [
        SeedTemplate("press", ("Press it", "Do press it"), 5),
        SeedTemplate("type", ("Type it",), 9),
    ]
    return SeedSuite("made", templates, {"train": 3, "val": 1, "test": 2, "unseen": 0})


def test_each_kind_of_task_has_its_seeds_and_goals_take_turns() -> None:
    tasks = make_suite().tasks("train")
    assert [(t.template, t.seed, t.goal, t.step_limit) for t in tasks] == [
        ("press", 0, "Press it", 5),
        ("type", 0, "Type it", 9),
        ("press", 1, "Do press it", 5),
        ("type", 1, "Type it", 9),
        ("press", 2, "Press it", 5),
        ("type", 2, "Type it", 9),
    ]
    assert [t.id for t in tasks] == [f"made/train/{n}" for n in range(6)]
    assert make_suite().tasks("unseen") == ()


def test_splits_share_no_seed() -> None:
    reports = check_leaks([make_suite()])
    assert len(reports) == 6
    assert all(report.leaks == 0 for report in reports)


def test_some_of_the_templates_keep_their_tasks() -> None:
    suite = make_suite()
    suite.groups = {"all": ("press", "type")}
    chosen = suite.only(["type"])
    assert chosen.tasks("test") == tuple(t for t in suite.tasks("test") if t.template == "type")
    assert suite.only(["all"]).tasks("val") == suite.tasks("val")
    assert len(suite.tasks("test")) == 4
    with pytest.raises(ConfigError, match="did you mean 'press'"):
        suite.only(["pres"])


@pytest.mark.parametrize("sizes", [{"trian": 3}, {"train": -1}, {"train": 2_000_000}])
def test_splits_that_cannot_be_are_refused(sizes: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match="a split is one of train, val, test, unseen"):
        SeedSuite("made", [SeedTemplate("press", ("Press it",), 5)], sizes)


def test_a_split_that_is_not_named_is_empty() -> None:
    suite = SeedSuite("made", [SeedTemplate("press", ("Press it",), 5)], {"train": 1})
    assert [len(suite.tasks(split)) for split in suite.splits] == [1, 0, 0, 0]


def test_seeds_begin_where_their_split_does() -> None:
    suite = make_suite()
    assert [suite.tasks(split)[0].seed for split in ("train", "val", "test")] == [
        *(0, 1_000_000, 2_000_000),
    ]


def test_the_longest_split_does_not_reach_into_the_next() -> None:
    firsts = sorted(FIRST_SEEDS.values())
    assert min(second - first for first, second in pairwise(firsts)) >= 1_000_000


def test_tasks_name_the_place_that_the_suite_is_loaded_by() -> None:
    templates = [SeedTemplate("press", ("Press it",), 5)]
    plain = SeedSuite("made", templates, {"train": 1})
    placed = SeedSuite("made", templates, {"train": 1}, where="pages/made.yaml")
    assert plain.tasks("train")[0].suite == "made"
    assert placed.tasks("train")[0].suite == "pages/made.yaml"
    assert placed.tasks("train")[0].id == "made/train/0"


def test_the_suite_s_step_limit_is_the_longest_of_its_tasks() -> None:
    assert make_suite().shape.step_limit == 9


def test_the_same_suite_made_again_has_the_same_tasks() -> None:
    assert make_suite().tasks("train") == make_suite().tasks("train")


def test_two_kinds_of_one_name_are_refused() -> None:
    templates = [SeedTemplate("press", ("Press it",), 5)] * 2
    with pytest.raises(ConfigError, match="two templates of made are named 'press'"):
        SeedSuite("made", templates, {"train": 1})
