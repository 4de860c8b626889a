import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.devices.browser.browsers import needs_chromium

from distrl.cli.main import main
from distrl.tasks import leak_check
from distrl.tasks.leak_check import PairReport
from distrl.tasks.suites import load_suite
from distrl.tasks.web import trial

SUITES = ("general", "shopping", "questions")

LEAK_KEYS = [
    *("suite", "first", "second", "leaks"),
    *("goals", "parameters", "seeds", "values", "templates"),
    *("wordings", "compositions", "apps", "unknown"),
]


def test_every_split_of_every_suite_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suites", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    pairs = [(row["suite"], row["split"]) for row in listed["rows"]]
    assert pairs == [(n, split) for n in SUITES for split in load_suite(n).splits]
    assert listed["count"] == len(pairs)
    (val,) = [r for r in listed["rows"] if (r["suite"], r["split"]) == ("general", "val")]
    assert val["tasks"] == 64
    assert val["example"] == load_suite("general").tasks("val")[0].goal


def test_a_suite_by_name_lists_its_templates(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suites", "general", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["template"] for row in rows] == sorted(load_suite("general").all_templates())
    total = sum(len(load_suite("general").tasks(split)) for split in load_suite("general").splits)
    assert sum(row["tasks"] for row in rows) == total


def test_a_split_leaves_out_templates_that_it_does_not_use(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["suites", "general", "--split", "val", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert sum(row["tasks"] for row in rows) == 64
    assert all(row["tasks"] > 0 and not row["unseen"] for row in rows)


def test_tasks_are_listed_with_their_goals(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suites", "general", "--split", "val", "--tasks", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    tasks = load_suite("general").tasks("val")
    assert [(row["id"], row["goal"]) for row in rows] == [(t.id, t.goal) for t in tasks]


def test_the_tables_are_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suites"]) == 0
    assert "general" in capsys.readouterr().out
    assert main(["suites", "general"]) == 0
    assert "set_alarm" in capsys.readouterr().out


def test_no_pair_of_splits_leaks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suites", "--check-leaks", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["leaks"] == 0
    splits = [len(load_suite(name).splits) for name in SUITES]
    assert len(found["rows"]) == sum(n * (n - 1) // 2 for n in splits)
    assert all(list(row) == LEAK_KEYS for row in found["rows"])


def test_a_leak_is_told_and_ends_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clean = leak_check.check_leaks

    def leaky(suites: list[object]) -> tuple[PairReport, ...]:
        first, *rest = clean(suites)  # type: ignore[arg-type]
        return replace(first, goals=("set an alarm",), seeds=(1, 2)), *rest

    monkeypatch.setattr(leak_check, "check_leaks", leaky)
    assert main(["suites", "general", "--check-leaks", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["leaks"] == 3
    assert (found["rows"][0]["goals"], found["rows"][0]["seeds"]) == (1, 2)
    assert main(["suites", "general", "--check-leaks"]) == 1
    shown = capsys.readouterr().out
    assert "general: train and val share goals: set an alarm" in shown
    assert "3 leaks" in shown


@pytest.mark.parametrize(
    ("argv", "nearest"),
    [(["genral"], "'general'"), (["--split", "tets"], "'test'"), (["--check-leak"], "leaks'")],
)
def test_a_wrong_name_ends_with_2_and_the_nearest(
    argv: list[str], nearest: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["suites", *argv]) == 2
    assert f"{nearest}?" in capsys.readouterr().err


WEBAPP = str(Path(__file__).resolve().parents[2] / "examples" / "webapp" / "suite.yaml")


def test_a_web_suite_shows_its_goals(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suites", WEBAPP, "--json"]) == 0
    examples = {r["template"]: r["example"] for r in json.loads(capsys.readouterr().out)["rows"]}
    assert examples["clear"] == "Clear the shopping list"
    assert examples["add"] == "Put tea on the list"


def test_a_goal_that_splits_of_a_web_suite_share_is_a_leak(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "suite.yaml"
    path.write_text(
        "name: letters\nurl: http://letters.test/\ntasks:\n  subscribe:\n"
        "    goals: ['Subscribe {who}']\n    choices: {who: [anna, ben]}\n    check: done\n"
    )
    assert main(["suites", str(path), "--check-leaks"]) == 1
    assert "train and val share goals: subscribe anna" in capsys.readouterr().out


def test_goals_that_only_the_page_knows_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("miniwob")
    assert main(["suites", "miniwob:basic", "--check-leaks"]) == 0
    assert "goals of 20 templates are worded when they are played" in capsys.readouterr().out
    assert main(["suites", "miniwob:basic", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {row["example"] for row in rows} == {None}


GOALS = """
tasks:
  - {goal: Open the clock, check: [{app: a.clock}]}
  - {goal: Open the notes, split: val, check: [{app: a.notes}]}
  - {goal: open the Clock!, split: test, check: [{app: a.clock}]}
"""


def test_goals_for_real_phones_are_listed_and_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "goals.yaml"
    path.write_text(GOALS)
    assert main(["suites", str(path), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["template"], row["example"]) for row in rows] == [
        ("goal-0", "Open the clock"),
        ("goal-1", "Open the notes"),
        ("goal-2", "open the Clock!"),
    ]
    assert main(["suites", str(path), "--tasks"]) == 0
    assert "Open the notes" in capsys.readouterr().out
    assert main(["suites", str(path), "--check-leaks"]) == 1
    assert "train and test share goals: open the clock" in capsys.readouterr().out


@pytest.mark.parametrize("name", [(), ("general",)])
def test_only_pages_are_tried(name: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suites", *name, "--try"]) == 2
    assert "distrl suites FILE.yaml --try" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("held", "fault", "code", "said"),
    [
        (False, "", 0, "all checks can be used"),
        (True, "", 1, "holds before anything was done"),
        (None, "it broke", 1, "it broke"),
    ],
)
def test_what_came_of_trying_is_told(
    *,
    held: bool | None,
    fault: str,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    task = load_suite(WEBAPP).tasks("train")[0]
    found = trial.Trial(task=task, where="suite.yaml, line 9", held=held, fault=fault)
    monkeypatch.setattr(trial, "try_checks", lambda suite: iter([found]))
    assert main(["suites", WEBAPP, "--try"]) == code
    shown = capsys.readouterr()
    assert said in shown.out
    assert main(["suites", WEBAPP, "--try", "--json"]) == code
    assert json.loads(capsys.readouterr().out)["failed"] == code


@pytest.mark.browser
@pytest.mark.slow
@needs_chromium
def test_the_checks_of_the_example_can_be_used(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suites", WEBAPP, "--try"]) == 0
    assert "all checks can be used" in capsys.readouterr().out


def test_two_questions_at_once_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suites", WEBAPP, "--check-leaks", "--try"]) == 2
    assert "ask one at a time" in capsys.readouterr().err


def test_a_second_suite_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suites", "general", "shopping"]) == 2
    told = capsys.readouterr().err
    assert "distrl suites takes at most 1 words beside its options, got 'shopping'" in told
