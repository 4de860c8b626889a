from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.bench.experiments.made import curve, result

from distrl.bench.experiments.runs import start_of
from distrl.bench.experiments.table import BASELINE, OURS
from distrl.bench.experiments.tuning import FULL, GRID, QUICK, TRIALS, best, plan, rows, summary
from distrl.config import load_run_config

RESULTS = Path(__file__).parents[3] / "docs" / "results"


def test_every_algorithm_gets_the_same_number_of_configurations() -> None:
    tried = {m.name: [t.setting for t in TRIALS if t.method is m] for m in (OURS, BASELINE)}
    assert tried == {OURS.name: list(GRID), BASELINE.name: list(GRID)}


def test_trials_differ_in_their_setting_alone_and_never_look_at_test() -> None:
    experiments = plan(FULL)
    assert {e.split for e in experiments} == {"val"}
    assert len({(e.suite, e.seconds, start_of(e)) for e in experiments}) == 1
    ours = [e for e in experiments if e.name.startswith(OURS.name)]
    assert len({e.config().algorithm.learning_rate for e in ours}) == len(GRID)
    assert len({e.settings[:-1] for e in ours}) == 1


def test_the_comparison_runs_with_what_tuning_chose() -> None:
    figures = json.loads((RESULTS / "tune" / "summary.json").read_text("utf-8"))
    recipe = load_run_config("comparison")
    for method in (OURS, BASELINE):
        chosen = figures[f"best_{method.name.replace('-', '_')}"]
        assert load_run_config("comparison", [*method.settings, chosen]) == load_run_config(
            "comparison", method.settings
        ), f"{method.name} was tuned to {chosen}, the recipe has another value"
    assert not figures["quick"]
    assert recipe.tasks.suite == "general"


def test_the_best_of_val_is_chosen_for_each() -> None:
    experiments = plan(QUICK)
    levels = [0.3, 0.5, 0.4, 0.6, 0.2, 0.1]
    results = {
        e.name: result(e, curve(*[level] * 3)) for e, level in zip(experiments, levels, strict=True)
    }
    found = rows(experiments, results)
    assert [row["val"] for row in found] == pytest.approx(levels)
    assert best(found, OURS.name) == GRID[1]
    told = summary(found, results[experiments[0].name], quick=True, command="c")
    assert (told["best_async_a_ride"], told["best_sync_digirl"]) == (GRID[1], GRID[0])
