"""A damaged run folder among sound ones: it says what is wrong, and the others are as before."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.test_app import Asking, serve

from distrl.bench.dashboard.synthetic_run import make_synthetic_run
from distrl.web.overview import status
from distrl.web.runs import Run, Runs


def bad_settings(root: Path) -> None:
    (root / "config.yaml").write_text("seed: [")


def wrong_value(root: Path) -> None:
    (root / "config.yaml").write_text("minutes: long\ntasks: {suite: mine}")


def no_settings(root: Path) -> None:
    (root / "config.yaml").unlink()


def bad_store(root: Path) -> None:
    (root / "episodes.sqlite").write_bytes(b"this is no database at all" * 100)


def cut_store(root: Path) -> None:
    path = root / "episodes.sqlite"
    path.write_bytes(path.read_bytes()[:5000])


def foreign_store(root: Path) -> None:
    (root / "episodes.sqlite").unlink()
    with sqlite3.connect(root / "episodes.sqlite") as database:
        database.execute("CREATE TABLE recipes (name TEXT)")


def text_among_numbers(root: Path) -> None:
    database = sqlite3.connect(root / "episodes.sqlite")
    database.execute("UPDATE episodes SET reward = 'much' WHERE number = 3")
    database.commit()
    database.close()


def bad_progress(root: Path) -> None:
    (root / "progress.json").write_bytes(b"\xff{{{")


def list_for_progress(root: Path) -> None:
    (root / "progress.json").write_text("[1, 2]")


DAMAGES = [
    (bad_settings, "not YAML"),
    (wrong_value, "minutes must be a number"),
    (no_settings, "config.yaml cannot be read"),
    (bad_store, "not an episode store"),
    (cut_store, "episode store"),
    (foreign_store, "episodes.sqlite"),
    (bad_progress, "progress.json cannot be read"),
    (list_for_progress, "it holds [1, 2]"),
]


def listed(ask: Asking) -> dict[str, Any]:
    return {line["run"]: line for line in ask.get("/api/runs")["runs"]}


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    for name in ("broken", "sound"):
        make_synthetic_run(tmp_path / name, 12)
    return tmp_path


@pytest.fixture
def ask(runs: Path) -> Iterator[Asking]:
    yield from serve(runs)


@pytest.mark.parametrize(("damage", "said"), DAMAGES)
def test_a_damaged_run_says_why_and_the_others_are_shown(
    runs: Path, ask: Asking, damage: Callable[[Path], None], said: str
) -> None:
    damage(runs / "broken")
    lines = listed(ask)
    assert lines["broken"]["state"] == "broken"
    assert any(said in problem for problem in lines["broken"]["problems"])
    assert (lines["sound"]["problems"], lines["sound"]["episodes"]) == ([], 12)
    assert any(said in problem for problem in ask.get("/api/runs/broken/overview")["problems"])
    assert ask.get("/api/runs/sound/tasks")["templates"]


def test_a_damaged_row_is_told_by_whoever_reads_all_rows(runs: Path, ask: Asking) -> None:
    text_among_numbers(runs / "broken")
    assert listed(ask)["broken"]["episodes"] == 12
    for part in ("status", "overview"):
        (problem,) = ask.get(f"/api/runs/broken/{part}")["problems"]
        assert "a row is damaged" in problem


def test_what_is_sound_of_a_damaged_run_is_still_shown(runs: Path, ask: Asking) -> None:
    wrong_value(runs / "broken")
    bad_progress(runs / "broken")
    broken = listed(ask)["broken"]
    assert (broken["episodes"], broken["suite"], broken["algorithm"]) == (12, "mine", None)
    assert ask.get("/api/runs/broken/episodes")["total"] == 12
    assert ask.get("/api/runs/broken/lag")["charts"]
    assert ask.get("/api/overlay", pick=["broken", "sound"])["settings"]


def test_a_damaged_store_is_the_answer_of_the_pages_that_need_it(runs: Path, ask: Asking) -> None:
    bad_store(runs / "broken")
    for part in ("tasks", "episodes", "lag"):
        answer = ask.get(f"/api/runs/broken/{part}", 500)
        assert "not an episode store" in answer["detail"], part


def test_settings_of_another_version_are_shown_and_not_fatal(runs: Path, ask: Asking) -> None:
    path = runs / "broken" / "config.yaml"
    path.write_text(path.read_text() + "quantum: {flux: 3}\n")
    shown = ask.get("/api/runs/broken/overview")
    assert shown["problems"] == []
    assert shown["unknown_settings"] == [{"name": "quantum", "value": "{'flux': 3}"}]
    assert shown["settings"]["quantum"] == {"flux": 3}
    compared = ask.get("/api/overlay", pick=["broken", "sound"])["settings"]
    assert [row["name"] for row in compared] == ["quantum.flux"]


def test_figures_of_another_shape_are_left_out(runs: Path, ask: Asking) -> None:
    for noted in ('{"seconds": "many", "before": 3}', '{"before": {"overall": {"won": 1}}}'):
        (runs / "broken" / "progress.json").write_text(noted)
        shown = ask.get("/api/runs/broken/overview")
        assert (shown["evaluations"], shown["problems"]) == ({}, [])


def test_outcomes_of_another_version_do_not_count_as_attempts(runs: Path, ask: Asking) -> None:
    database = sqlite3.connect(runs / "broken" / "episodes.sqlite")
    database.execute("UPDATE episodes SET outcome = 'teleported' WHERE number <= 2")
    database.commit()
    database.close()
    templates = ask.get("/api/runs/broken/tasks")["templates"]
    assert sum(row["faults"] for row in templates) >= 2


def test_a_failure_that_nobody_thought_of_stays_with_its_run(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = Runs([runs])

    def fail() -> int:
        raise RuntimeError("cosmic ray")

    monkeypatch.setattr(broken.metrics, "refresh", fail)
    told: dict[str, Run] = {run.name: run for run in (broken, sound)}
    assert status(told["broken"])["state"] == "broken"
    assert "cosmic ray" in status(told["broken"])["problems"][0]
    assert status(told["sound"])["problems"] == []
