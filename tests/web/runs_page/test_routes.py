from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.test_app import Asking, serve

from distrl.bench.dashboard.synthetic_run import make_synthetic_runs


@pytest.fixture(scope="module")
def week(tmp_path_factory: pytest.TempPathFactory) -> Path:
    parent = tmp_path_factory.mktemp("week")
    make_synthetic_runs(parent, episodes=60)
    return parent


@pytest.fixture(scope="module")
def ask(week: Path) -> Iterator[Asking]:
    yield from serve(week)


def test_runs_come_with_their_groups_and_the_best_of_each_suite(ask: Asking) -> None:
    answer = ask.get("/api/runs")
    assert len(answer["runs"]) == 12
    assert answer["runs"][0]["run"] == "general-a-ride-seed2"
    names = {group["name"]: len(group["runs"]) for group in answer["groups"]}
    assert names["general-a-ride"] == 3
    assert names["general-ppo"] == 4
    assert sum(names.values()) == 12
    bests = {each["suite"]: each["rows"] for each in answer["bests"]}
    assert bests["general"][0]["name"] == "general-a-ride"
    assert {row["name"] for row in bests["shopping"]} == {
        "shopping-a-ride-seed0", "shopping-digirl-seed0"
    }  # fmt: skip


def test_any_number_of_runs_and_groups_are_laid_over(ask: Asking) -> None:
    answer = ask.get("/api/runs")
    group = next(each["id"] for each in answer["groups"] if each["name"] == "general-a-ride")
    picked = [group, *(line["run"] for line in answer["runs"])]
    drawn = ask.get("/api/overlay", pick=picked, over="episodes")
    assert [pick["id"] for pick in drawn["picks"]] == picked
    assert drawn["picks"][0]["runs"] == 3
    assert all(len(chart["curves"]) == 13 for chart in drawn["charts"])
    assert "algorithm.name" in [row["name"] for row in drawn["settings"]]


def test_a_pick_that_is_not_there_is_named_with_the_nearest(ask: Asking) -> None:
    for path in ("/api/overlay", "/api/overlay/templates"):
        said = ask.get(path, 404, pick=["general-ppo-seed"])["detail"]
        assert "no run named 'general-ppo-seed'; did you mean 'general-ppo-seed" in said
        ask.get(path, 422)
    ask.get("/api/overlay", 422, pick=["general-ppo-seed0"], over="weeks")
