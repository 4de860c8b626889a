import json
from dataclasses import replace

import pytest

from distrl.cli.main import main
from distrl.tasks import leak_check
from distrl.tasks.leak_check import PairReport
from distrl.tasks.suites import load_suite

LEAK_KEYS = [
    *("suite", "first", "second", "leaks"),
    *("goals", "parameters", "seeds", "values", "templates"),
]


def test_every_split_of_every_suite_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suites", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    pairs = [(row["suite"], row["split"]) for row in listed["rows"]]
    splits = ("train", "val", "test", "unseen")
    assert pairs == [(suite, split) for suite in ("general", "shopping") for split in splits]
    assert listed["count"] == len(pairs)
    (val,) = [r for r in listed["rows"] if (r["suite"], r["split"]) == ("general", "val")]
    assert val["tasks"] == 64
    assert val["example"] == load_suite("general").tasks("val")[0].goal


def test_a_suite_by_name_lists_its_templates(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suites", "general", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["template"] for row in rows] == sorted(load_suite("general").templates)
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
    assert len(found["rows"]) == 2 * 6
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
