from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.tasks.mobilegym.standin import CHECKOUT, SUITE, checkout

from distrl.errors import ConfigError
from distrl.tasks.mobilegym.suite import URL, MobileGymSuite, served_at
from distrl.tasks.suites import find_task, load_suite
from distrl.types import Kind

__all__ = ["checkout"]


@pytest.mark.usefixtures("checkout")
def test_its_split_train_gives_train_and_val_and_test_has_tasks_of_its_own() -> None:
    suite = load_suite(SUITE)
    assert isinstance(suite, MobileGymSuite)
    templates = {split: {t.template for t in suite.tasks(split)} for split in suite.splits}
    assert templates["train"] == templates["val"]
    assert templates["train"] == {"clock.SwitchAlarm", "notes.AddNote", "notes.Broken"}
    assert templates["test"] == {"clock.JudgeFails", "notes.CountNotes"}
    assert templates["unseen"] == set()
    sizes = {split: len(suite.tasks(split)) for split in suite.splits}
    assert sizes == {"train": 60, "val": 6, "test": 4, "unseen": 0}
    assert not {t.seed for t in suite.tasks("train")} & {t.seed for t in suite.tasks("val")}


@pytest.mark.usefixtures("checkout")
def test_goals_and_steps_are_those_of_its_tasks() -> None:
    suite = load_suite(SUITE)
    by_name = {task.template: task for task in suite.tasks("train")}
    assert by_name["notes.AddNote"].goal in {
        f"Write the note {w}" for w in ("milk", "bread", "salt")
    }
    assert by_name["notes.AddNote"].step_limit == 30
    assert by_name["clock.SwitchAlarm"].step_limit == 15
    assert by_name["notes.Broken"].goal == "Nobody can set this up"
    assert Kind.OPEN_APP in suite.kinds
    assert suite.device == "mobilegym"


@pytest.mark.usefixtures("checkout")
def test_some_of_its_suites_or_tasks_may_be_named() -> None:
    chosen = load_suite(f"{SUITE}#clock,notes.AddNote")
    assert set(chosen.templates) == {"clock.SwitchAlarm", "clock.JudgeFails", "notes.AddNote"}
    assert find_task(f"{SUITE}#clock/train/0").template == "clock.SwitchAlarm"


@pytest.mark.usefixtures("checkout")
def test_an_unknown_suite_or_task_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(ConfigError, match=r"'notes\.AddNotes'.*notes\.AddNote"):
        load_suite(f"{SUITE}#notes.AddNotes")
    with pytest.raises(ConfigError, match=r"'clok'; did you mean 'clock'.*allowed: clock, notes\)"):
        load_suite(f"{SUITE}#clok")


def test_a_folder_that_is_no_checkout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is no checkout of MobileGym"):
        load_suite(f"mobilegym:{tmp_path}")


@pytest.mark.usefixtures("checkout")
def test_a_package_that_its_code_needs_is_named(tmp_path: Path) -> None:
    copied = tmp_path / "copy"
    shutil.copytree(CHECKOUT, copied)
    (copied / "bench_env" / "splits.py").write_text("import opencc_of_nobody\n")
    with pytest.raises(ConfigError, match=r"needs opencc_of_nobody: pip install -r .*requirements"):
        load_suite(f"mobilegym:{copied}")


@pytest.mark.usefixtures("checkout")
def test_a_second_checkout_in_one_process_is_refused(tmp_path: Path) -> None:
    load_suite(SUITE)
    copied = tmp_path / "copy"
    shutil.copytree(CHECKOUT, copied)
    with pytest.raises(ConfigError, match="one checkout per process"):
        load_suite(f"mobilegym:{copied}")


@pytest.mark.parametrize("rest", ["", "#clock", f"{CHECKOUT}#", f"{CHECKOUT}#a b"])
def test_what_names_no_checkout_is_refused_with_examples(rest: str) -> None:
    with pytest.raises(ConfigError, match="such as mobilegym:~/mobilegym"):
        load_suite(f"mobilegym:{rest}")


def test_a_variable_says_where_the_page_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISTRL_MOBILEGYM_URL", raising=False)
    assert served_at() == URL
    monkeypatch.setenv("DISTRL_MOBILEGYM_URL", "http://127.0.0.1:3000/")
    assert served_at() == "http://127.0.0.1:3000/"
    monkeypatch.setenv("DISTRL_MOBILEGYM_URL", "127.0.0.1:3000")
    with pytest.raises(ConfigError, match=r"is an address such as .*, got '127\.0\.0\.1:3000'"):
        served_at()
