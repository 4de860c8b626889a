from __future__ import annotations

import json
from pathlib import Path

import pytest

from distrl.cli.main import main
from distrl.config import load_run_config
from distrl.errors import ConfigError
from distrl.tasks.suites import load_suite
from distrl.tasks.web import miniwob
from distrl.tasks.web.suite import PageSuite

pytest.importorskip("miniwob", reason="miniwob is not installed: pip install 'distrl[browser]'")


def suite(name: str = "miniwob") -> PageSuite:
    loaded = load_suite(name)
    assert isinstance(loaded, PageSuite)
    return loaded


def test_every_page_of_the_package_is_a_task() -> None:
    pages = {path.stem for path in (miniwob.html_folder() / "miniwob").glob("*.html")}
    assert pages < set(suite().templates)
    assert {name for name in suite().templates if name not in pages} >= {
        *("flight.AA", "flight.Alaska", "flight.Alaska-auto")
    }
    assert len(suite().tasks("test")) == 100 * len(suite().templates)


def test_tables_name_only_tasks_that_there_are() -> None:
    named = {
        *(miniwob._TYPING | miniwob._DRAGGING | miniwob._SCROLLING | miniwob._HOVERING),
        *(miniwob._LONG | miniwob._CLOSENESS | miniwob.STAYS),
        *miniwob.BASIC,
    }
    assert named <= set(suite().templates)
    assert len(miniwob.BASIC) == 20


def test_what_a_hand_needs_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suites", "miniwob", "--json"]) == 0
    rows = {row["template"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert rows["click-test"]["needs"] == "click"
    assert rows["login-user"]["needs"] == "click, type"
    assert rows["drag-box"]["needs"] == "click, drag"
    assert rows["click-test"]["tasks"] == sum(miniwob.PER_TASK.values())


def test_splits_share_no_seed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suites", "miniwob:click-test", "--check-leaks", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["leaks"] == 0


def test_default_tasks_are_a_group_and_others_can_be_chosen() -> None:
    assert tuple(suite("miniwob:basic").templates) == miniwob.BASIC
    chosen = suite("miniwob:click-test, drag-box")
    assert tuple(chosen.templates) == ("click-test", "drag-box")
    assert {task.suite for task in chosen.tasks("train")} == {"miniwob"}
    for recipe in ("miniwob", "miniwob-transfer"):
        assert load_run_config(recipe).tasks.suite == "miniwob:basic"


def test_unknown_task_gets_the_nearest_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suites", "miniwob:click-buton"]) == 2
    assert "did you mean 'click-button'" in capsys.readouterr().err


def test_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install 'distrl\[browser\]'"):
        miniwob.html_folder()


def test_closeness_counts_where_the_reward_is_how_close_one_came(tmp_path: Path) -> None:
    assert ">= 0.8" in miniwob.page_task("circle-center", tmp_path).site.probe
    assert ">= 1.0" in miniwob.page_task("click-test", tmp_path).site.probe
