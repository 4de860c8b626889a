from __future__ import annotations

from dataclasses import replace

from tests.web.runs_page.made import line

from distrl.web.runs import State
from distrl.web.runs_page.bests import SuiteBests, best_per_suite, overlaps
from distrl.web.runs_page.grouping import Spread, group_runs
from distrl.web.runs_page.summary import RunSummary


def bests(*lines: RunSummary) -> list[SuiteBests]:
    return best_per_suite(group_runs(lines), {each.run: each for each in lines})


def spread(low: float, mean: float, high: float, *seeds: float) -> Spread:
    values = seeds or (mean,)
    return Spread(
        mean=mean, low=low, high=high, lowest=min(values), highest=max(values), runs=len(values)
    )


def test_each_suite_and_split_has_its_own_ranking() -> None:
    found = bests(
        line("a", success=0.3, key="a"),
        line("b", success=0.9, key="b"),
        line("c", success=0.5, key="c", suite="shopping"),
        line("d", success=0.6, key="d", split="val"),
    )
    assert [(each.suite, each.split) for each in found] == [
        ("general", "test"), ("general", "val"), ("shopping", "test")
    ]  # fmt: skip
    assert [row.name for row in found[0].rows] == ["b", "a"]


def test_what_cannot_be_told_from_the_first_is_marked_as_tied() -> None:
    (suite,) = bests(
        line("a", success=0.80, key="a"),
        line("b", success=0.75, key="b"),
        line("c", success=0.30, key="c"),
    )
    assert [row.tied for row in suite.rows] == [False, True, False]
    assert suite.tied == 1


def test_few_tasks_tie_with_many() -> None:
    (suite,) = bests(
        line("sure", success=0.8, key="a", evaluated=1000),
        line("lucky", success=1.0, key="b", evaluated=2),
    )
    assert [(row.name, row.tied, row.evaluated) for row in suite.rows] == [
        ("lucky", False, 2),
        ("sure", True, 1000),
    ]


def test_intervals_that_meet_overlap_and_so_do_spreads_of_seeds() -> None:
    assert overlaps(spread(0.7, 0.8, 0.9), spread(0.5, 0.6, 0.7))
    assert not overlaps(spread(0.7, 0.8, 0.9), spread(0.5, 0.6, 0.69))
    assert overlaps(spread(0.7, 0.8, 0.9), spread(0.5, 0.6, 0.69, 0.45, 0.75))
    assert overlaps(spread(0.7, 0.8, 0.9, 0.65, 0.95), spread(0.5, 0.6, 0.69))


def test_a_group_names_the_weights_of_its_best_seed() -> None:
    (suite,) = bests(
        line("a", 0, 0.7, weights="aaa", checkpoint="step-1"),
        line("b", 1, 0.9, weights="bbb", checkpoint="step-2"),
    )
    (row,) = suite.rows
    assert (row.run, row.weights, row.checkpoint) == ("b", "bbb", "step-2")
    assert row.success.mean == 0.8


def test_runs_without_an_evaluation_are_in_no_ranking() -> None:
    assert bests(line("a"), line("b", key=None)) == []


def test_a_run_of_which_nobody_knows_the_suite_is_in_no_ranking() -> None:
    assert bests(line("a", success=0.5, suite=None, key=None)) == []


def test_a_broken_run_is_in_no_ranking() -> None:
    broken = replace(line("broken", success=0.9, key="b"), state=State.BROKEN)
    (suite,) = bests(broken, line("sound", success=0.5, key="a"))
    assert [row.name for row in suite.rows] == ["sound"]


def test_the_rest_is_counted() -> None:
    (suite,) = bests(*(line(str(i), success=i / 10, key=str(i)) for i in range(9)))
    assert (len(suite.rows), suite.more) == (5, 4)
    assert suite.rows[0].name == "8"
