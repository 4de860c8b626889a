from __future__ import annotations

from dataclasses import replace

import pytest
from tests.tasks.runs import SUITES

from distrl.tasks.leak_check import PairReport, check_leaks
from distrl.tasks.pools import NOTE, SWITCH
from distrl.tasks.suites import Suite, SuiteShape, load_suite
from distrl.tasks.template import Template
from distrl.types import Task


@pytest.mark.parametrize("suite", SUITES)
def test_no_pair_of_splits_shares_anything(suite: str) -> None:
    reports = check_leaks([load_suite(suite)])
    assert len(reports) == 6
    assert [report for report in reports if report.leaks] == []


def test_suites_do_not_share_values_across_splits_either() -> None:
    """What one suite trains on is not what the other is tested on."""
    values: dict[str, set[str]] = {}
    for name in SUITES:
        suite = load_suite(name)
        for split in suite.splits:
            for task in suite.tasks(split):
                params = suite.template(task.template).params
                held = values.setdefault(split, set())
                held |= {str(v) for k, v in task.parameters.items() if params[k].open}
    assert not values["train"] & (values["val"] | values["test"] | values["unseen"])


class _Open(Template):
    name = "open"
    phrasings = ("Open {title}", "Show {title}", "Read {title}")
    params = {"title": NOTE}  # noqa: RUF012 - a declaration, as in every template


class _Closed(Template):
    name = "closed"
    phrasings = ("Turn it {how}", "Switch it {how}", "Make it {how}", "Set it {how}", "Be {how}")
    params = {"how": SWITCH}  # noqa: RUF012 - a declaration, as in every template


def _task(split: str, number: int, **changes: object) -> Task:
    title = f"{split} title {number}"
    task = Task(
        id=f"planted/{split}/{number}",
        goal=f"Open {title}",
        suite="planted",
        split=split,
        template="open",
        parameters={"title": title},
        seed=hash_free(split) * 100 + number,
        step_limit=5,
    )
    return replace(task, **changes)  # type: ignore[arg-type]


def hash_free(split: str) -> int:
    """A number per split that is the same in every process."""
    return ("train", "val", "test", "unseen").index(split)


def _report(train: Task, test: Task) -> PairReport:
    shape = SuiteShape(sizes={}, step_limit=5, first_seed=0)
    suite = Suite("planted", (_Open(), _Closed()), shape)
    suite._tasks = {
        "train": (_task("train", 1), train),
        "val": (),
        "test": (_task("test", 1), test),
        "unseen": (),
    }
    (found,) = (r for r in check_leaks([suite]) if {r.first, r.second} == {"train", "test"})
    return found


def test_clean_splits_have_no_leak() -> None:
    assert _report(_task("train", 2), _task("test", 2)).leaks == 0


def test_same_goal_is_a_leak_whatever_its_spelling() -> None:
    report = _report(
        _task("train", 2, goal="Open: the MILK  list!"), _task("test", 2, goal="open the milk list")
    )
    assert report.goals == ("open the milk list",)
    assert report.leaks == 1


def test_same_seed_is_a_leak() -> None:
    report = _report(_task("train", 2, seed=7), _task("test", 2, seed=7))
    assert (report.seeds, report.leaks) == ((7,), 1)


def test_same_value_is_a_leak_in_any_spelling() -> None:
    report = _report(
        _task("train", 2, parameters={"title": "Milk"}),
        _task("test", 2, parameters={"title": "milk!"}),
    )
    assert report.values == ("milk",)


def test_same_template_with_the_same_parameters_is_a_leak() -> None:
    same = {"title": "Milk"}
    report = _report(_task("train", 2, parameters=same), _task("test", 2, parameters=same))
    assert report.parameters == ("open [('title', 'Milk')]",)


def test_closed_parameters_are_exempt_but_their_goals_are_not() -> None:
    closed = {"template": "closed", "parameters": {"how": "on"}}
    differ = _report(
        _task("train", 2, goal="Turn it on", **closed), _task("test", 2, goal="Be on", **closed)
    )
    assert differ.leaks == 0
    same = _report(
        _task("train", 2, goal="Turn it on", **closed),
        _task("test", 2, goal="Turn it on", **closed),
    )
    assert same.goals == ("turn it on",)


def test_trained_template_in_unseen_is_a_leak() -> None:
    shape = SuiteShape(sizes={}, step_limit=5, first_seed=0)
    suite = Suite("planted", (_Open(),), shape)
    suite._tasks = {
        "train": (_task("train", 1),),
        "val": (),
        "test": (),
        "unseen": (_task("unseen", 1),),
    }
    found = [report for report in check_leaks([suite]) if report.leaks]
    assert [(r.first, r.second, r.templates) for r in found] == [("train", "unseen", ("open",))]
