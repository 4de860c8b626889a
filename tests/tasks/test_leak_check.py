from __future__ import annotations

from dataclasses import replace

import pytest
from tests.tasks.runs import SUITES

from distrl.tasks.leak_check import PairReport, check_leaks
from distrl.tasks.pools import NOTE, SWITCH
from distrl.tasks.seed_suite import SeedSuite, SeedTemplate
from distrl.tasks.suites import Suite, SuiteShape, load_suite
from distrl.tasks.template import Template
from distrl.types import Task

_TRAINED = {"train", "wide"}


@pytest.mark.parametrize("suite", SUITES)
def test_no_pair_of_splits_shares_anything(suite: str) -> None:
    reports = check_leaks([load_suite(suite)])
    splits = len(load_suite(suite).splits)
    assert len(reports) == splits * (splits - 1) / 2
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
    trained = values["train"] | values["wide"]
    assert not trained & set().union(*(values[split] for split in values.keys() - _TRAINED))


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


def _suite_of(**tasks: tuple[Task, ...]) -> Suite:
    shape = SuiteShape(sizes={}, step_limit=5, first_seed=0)
    suite = Suite("planted", (_Open(), _Closed()), shape)
    suite._tasks = {split: tasks.get(split, ()) for split in ("train", "val", "test", "unseen")}
    return suite


def test_every_pair_of_splits_is_compared_once() -> None:
    reports = check_leaks([_suite_of()])
    pairs = [(report.first, report.second) for report in reports]
    assert pairs == [
        *(("train", "val"), ("train", "test"), ("train", "unseen")),
        *(("val", "test"), ("val", "unseen"), ("test", "unseen")),
    ]
    assert {report.suite for report in reports} == {"planted"}


@pytest.mark.parametrize(
    ("first", "second"), [("train", "val"), ("val", "test"), ("train", "unseen")]
)
def test_a_leak_is_reported_between_the_splits_that_have_it_alone(first: str, second: str) -> None:
    leaking = {split: (_task(split, 1, seed=7),) for split in (first, second)}
    found = [report for report in check_leaks([_suite_of(**leaking)]) if report.seeds]
    assert [(report.first, report.second) for report in found] == [(first, second)]


def test_everything_that_leaks_is_counted() -> None:
    twice = {"seed": 7, "goal": "Open Milk", "parameters": {"title": "Milk"}}
    suite = _suite_of(train=(_task("train", 1, **twice),), test=(_task("test", 1, **twice),))
    (report,) = (r for r in check_leaks([suite]) if r.leaks)
    assert (report.goals, report.seeds, report.values) == (("open milk",), (7,), ("milk",))
    assert report.parameters == ("open [('title', 'Milk')]",)
    assert report.leaks == 4


def test_a_value_leaks_across_templates_and_parameters() -> None:
    class Other(_Open):
        name = "other"

    shape = SuiteShape(sizes={}, step_limit=5, first_seed=0)
    suite = Suite("planted", (_Open(), Other()), shape)
    suite._tasks = {
        "train": (_task("train", 1, parameters={"title": "Milk"}),),
        "val": (),
        "test": (_task("test", 1, template="other", parameters={"title": "Milk"}),),
        "unseen": (),
    }
    (report,) = (r for r in check_leaks([suite]) if r.leaks)
    assert report.values == ("milk",)
    assert report.parameters == ()


def test_a_value_twice_in_one_split_is_no_leak() -> None:
    same = {"parameters": {"title": "Milk"}}
    suite = _suite_of(train=(_task("train", 1, **same), _task("train", 2, **same)))
    assert all(report.leaks == 0 for report in check_leaks([suite]))


def test_suites_are_checked_one_by_one() -> None:
    one = _suite_of(train=(_task("train", 1, seed=7),))
    two = _suite_of(test=(_task("test", 1, seed=7),))
    reports = check_leaks([one, two])
    assert len(reports) == 12
    assert all(report.leaks == 0 for report in reports)


def test_goals_of_a_suite_of_seeds_may_be_the_same_but_seeds_may_not() -> None:
    suite = SeedSuite("pages", [SeedTemplate("press", ("Press it",), 5)], {"train": 2, "test": 2})
    assert {task.goal for task in suite.tasks("train")} == {"Press it"}
    assert all(report.leaks == 0 for report in check_leaks([suite]))
    suite._tasks["test"] = suite.tasks("train")
    (report,) = (r for r in check_leaks([suite]) if r.leaks)
    assert (report.seeds, report.goals) == ((0, 1), ())


def test_goals_that_are_worded_when_they_are_played_are_told_not_to_be_compared() -> None:
    later, known = (SeedTemplate(name, ("Press it",), 5) for name in ("later", "known"))
    known.worded_when_played = False
    suite = SeedSuite("pages", [later, known], {"train": 2, "test": 2})
    (report,) = (r for r in check_leaks([suite]) if {r.first, r.second} == {"train", "test"})
    assert (report.unknown, report.goals) == (("later",), ("press it",))


class _Promising(Suite):
    """A suite with the splits that promise something new."""

    @property
    def splits(self) -> tuple[str, ...]:
        return ("train", "wide", "test", "worded", "composed", "unseen_app")


class _Composed(_Open):
    name = "composed"
    compositions = ("a + b",)
    new_apps = ("garden",)


def _promised(**tasks: Task) -> dict[tuple[str, str], PairReport]:
    shape = SuiteShape(sizes={}, step_limit=5, first_seed=0)
    suite = _Promising("planted", (_Open(), _Composed()), shape)
    suite._tasks = {split: (tasks[split],) if split in tasks else () for split in suite.splits}
    return {(r.first, r.second): r for r in check_leaks([suite])}


def _said(number: int, goal: str, title: str, template: str = "open") -> Task:
    return replace(
        _task("train", number), goal=goal, parameters={"title": title}, template=template
    )


def test_a_wording_of_training_is_a_leak_of_worded_whatever_its_value() -> None:
    heard = _said(1, "pls open Milk", "Milk")
    said = _said(2, "Pls open Tea list!", "Tea list")
    found = _promised(train=heard, worded=said)[("train", "worded")]
    assert found.wordings == ("open: pls open _",)
    assert _promised(train=heard, test=said)[("train", "test")].wordings == ()


def test_two_splits_of_one_share_have_values_in_common_on_purpose() -> None:
    one, two = _said(1, "Open Milk", "Milk"), _said(2, "Milk now", "Milk")
    assert _promised(test=one, worded=two)[("test", "worded")].leaks == 0
    assert _promised(train=one, wide=two)[("train", "wide")].leaks == 0
    assert _promised(train=one, worded=two)[("train", "worded")].values == ("milk",)
    assert _promised(wide=one, worded=two)[("wide", "worded")].values == ("milk",)


def test_a_composition_or_an_app_of_training_is_a_leak() -> None:
    one = _said(1, "Open Milk", "Milk", "composed")
    two = _said(2, "Open Tea", "Tea", "composed")
    found = _promised(wide=one, composed=two)[("wide", "composed")]
    assert (found.compositions, found.templates) == (("a + b",), ("composed",))
    found = _promised(wide=one, unseen_app=two)[("wide", "unseen_app")]
    assert (found.apps, found.templates) == (("garden",), ("composed",))
