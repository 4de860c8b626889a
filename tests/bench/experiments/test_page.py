from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.bench.experiments.made import curve, result
from tests.bench.experiments.test_scale import MADE_BY, ROW
from tests.bench.experiments.test_table import made

from distrl.bench.experiments import ablation, scale, table, tuning
from distrl.bench.experiments.page import sections
from distrl.errors import ConfigError
from distrl.run.virtual.cost import CostModel


def write(folder: Path, name: str, figures: dict[str, Any]) -> None:
    (folder / name).mkdir(parents=True)
    (folder / name / "summary.json").write_text(json.dumps(figures))


def table_figures(*, quick: bool = False) -> dict[str, Any]:
    cells = made(
        table.Size(seeds=2),
        sync_digirl=(0.3, 0.3, 0.4, 0.4, 0.4, 0.4),
        async_a_ride=(0.5, 0.6, 0.6, 0.6, 0.6, 0.6),
    )
    return table.summary(cells, quick=quick, command="distrl bench table")


def scale_figures() -> dict[str, Any]:
    return scale.summary([ROW], seconds=1800.0, seed=0, made_by=MADE_BY)


def test_what_there_is_no_file_for_has_no_section(tmp_path: Path) -> None:
    assert sections(tmp_path) == ""


def test_the_table_tells_its_claims_and_whether_they_held(tmp_path: Path) -> None:
    write(tmp_path, "table", table_figures())
    text = sections(tmp_path)
    lines = text.splitlines()
    about = "success on general, relative to sync DigiRL at equal time"
    assert f"| {about} | 1.20 | 1.50 | 1.50 to 1.50 | yes |" in lines
    about = "times faster to sync DigiRL's final success on general"
    assert f"| {about} | 3.00 | 2.50 | 2.50 to 2.50 | no |" in lines
    assert "![Success on general by time and by interactions](results/table/general.png)" in lines
    assert any(line.startswith("| async-a_ride | 0.600 (0.50 to 0.69) | 0.600") for line in lines)
    assert "4.7 virtual hours on general and 5.8 virtual hours on shopping." in lines
    assert "is\nreached is known by checkpoints, 15 in the time" in text
    assert "asynchronous adds\n+0.200 (+0.200 to +0.200) to A-RIDE and +0.000" in text
    assert "Made by `distrl bench table`" in text
    assert "3,000 episodes of 6.1 steps on 32 devices are 18,300 steps" in text
    assert "--quick" not in text


def test_a_table_with_the_cost_of_a_large_model_says_so_beside_the_other(tmp_path: Path) -> None:
    cells = made(
        table.Size(seeds=1, cost=CostModel.LARGE_MODEL),
        sync_digirl=(0.3, 0.3, 0.4, 0.4, 0.4, 0.4),
        async_a_ride=(0.5, 0.5, 0.5, 0.5, 0.5, 0.5),
    )
    write(tmp_path, "table", table_figures())
    write(tmp_path, "table_large_model", table.summary(cells, quick=False, command="c"))
    before, after = sections(tmp_path).split("## Methods and modes, with the cost of a large model")
    assert "learning from a step takes 0.5 s and a decision 1 s of virtual time" in after
    assert "(results/table_large_model/general.png)" in after
    assert "| 1.20 | 1.25 | 1.25 to 1.25 | yes |" in after
    assert "What it takes to make" in before
    assert "What it takes to make" not in after


def told_not_to_hold(text: str) -> list[str]:
    (_, after) = text.split("### What did not hold\n\n")
    return [line.removeprefix("- ") for line in after.split("\n\n")[0].splitlines()]


def test_what_did_not_hold_follows_from_the_figures(tmp_path: Path) -> None:
    figures = table_figures()
    about = "times faster to sync DigiRL's final success on"
    write(tmp_path, "table", figures)
    assert told_not_to_hold(sections(tmp_path)) == [
        f"{about} general: 2.50 (2.50 to 2.50), not 3.00.",
        f"{about} shopping: 2.50 (2.50 to 2.50), not 3.00.",
    ]
    for row in figures["rows"]:
        row["steps"] = 4000 if row["method"] == "async-a_ride" else 1000
        if (row["suite"], row["method"]) == ("general", "async-digirl"):
            row |= {"unseen": 0.5, "unseen_low": 0.4, "unseen_high": 0.6}
    figures |= {"time_ratio_general": 4.0, "time_ratio_shopping": 4.0}
    figures |= {"time_ratio_shopping_lowest": 3.5, "interaction_ratio_shopping": 0.5}
    write(tmp_path / "other", "table", figures)
    assert told_not_to_hold(sections(tmp_path / "other")) == [
        f"{about} general: 4.00 in the mean, but not with every seed (2.50 to 2.50).",
        "on shopping, the gain is throughput and not data efficiency: async-a_ride makes 4.0 "
        "times the steps in the time, and needs 2.00 times the steps of sync-digirl for the same "
        "success.",
        "on unseen templates of general, async-digirl is above async-a_ride: "
        "0.500 (0.40 to 0.60) against 0.300 (0.19 to 0.44).",
    ]


def test_where_all_held_nothing_is_said_not_to(tmp_path: Path) -> None:
    figures = table_figures()
    figures |= {f"time_ratio_{suite}": 4.0 for suite in table.SUITES}
    figures |= {f"time_ratio_{suite}_lowest": 3.5 for suite in table.SUITES}
    write(tmp_path, "table", figures)
    assert "did not hold" not in sections(tmp_path)


def test_what_averaging_does_to_the_headline_is_told_where_it_was_measured(
    tmp_path: Path,
) -> None:
    cells = made(
        table.Size(seeds=1),
        "default,async-a_ride-newest",
        sync_digirl=(0.3, 0.3, 0.4, 0.4, 0.4, 0.4),
        sync_digirl_newest=(0.3, 0.5, 0.5, 0.5, 0.5, 0.5),
        async_a_ride=(0.5, 0.6, 0.6, 0.6, 0.6, 0.6),
        async_a_ride_newest=(0.6, 0.6, 0.6, 0.6, 0.6, 0.6),
    )
    write(tmp_path, "table", table.summary(cells, quick=False, command="c"))
    text = sections(tmp_path)
    assert "success on general is\n1.20 times (averaged: 1.50) that of sync DigiRL" in text
    assert "reached\n2.00 times (averaged: 2.50) faster" in text
    newest = "general, both evaluated with their newest weights: 2.00 (2.00 to 2.00), not 3.00."
    assert any(line.endswith(newest) for line in told_not_to_hold(text))
    write(tmp_path / "default", "table", table_figures())
    assert "by how much was not measured here" in sections(tmp_path / "default")


def test_quick_figures_are_called_so(tmp_path: Path) -> None:
    write(tmp_path, "table", table_figures(quick=True))
    assert "noise around a trend" in sections(tmp_path)


def test_the_ablation_tells_every_row(tmp_path: Path) -> None:
    row = {
        **{"about": "what", "settings": "", "seeds": 3, "start": 0.3, "test": 0.5, "tasks": 128},
        **{"test_low": 0.4, "test_high": 0.6, "test_lowest": 0.4, "test_highest": 0.6},
        **{"unseen": 0.1, "gain": 0.0, "gain_lowest": 0.0, "gain_highest": 0.0},
        **{"gain_low": 0.0, "gain_high": 0.0},
        **{"episodes": 1500.0, "updates": 300.0, "cpu_minutes": 2.0},
    }
    worse = {"test": 0.3, "test_low": 0.2, "test_high": 0.4}
    worse |= {"gain": -0.2, "gain_lowest": -0.3, "gain_highest": -0.1}
    worse |= {"gain_low": -0.32, "gain_high": -0.07}
    rows = [{**row, "row": "base"}, {**row, "row": "no-correction", **worse}]
    base = made(table.Size(seeds=1), sync_digirl=(0.3, 0.4, 0.5))[0].results[0]
    write(tmp_path, "ablation", ablation.summary(rows, base, quick=False, command="c"))
    text = sections(tmp_path)
    told = "0.300 (0.20 to 0.40) | 0.100 | -0.200 (-0.32 to -0.07), -0.300 to -0.100 |"
    assert f"| no-correction | what | {told}" in text
    assert "all 1 differences together are right at 95 %" in text
    assert "what was changed helps here as it was: no-correction" in text
    alone = tmp_path / "alone"
    write(
        alone,
        "ablation",
        ablation.summary([{**r, "seeds": 1} for r in rows], base, quick=False, command="c"),
    )
    text = sections(alone)
    assert "nothing else; 1 seed," in text
    assert "| 0.100 | -0.200 (-0.32 to -0.07) |" in text
    assert "| base | what | 0.500 (0.40 to 0.60) | 0.100 |  |" in text


def test_collecting_is_told_beside_what_the_virtual_engine_says(tmp_path: Path) -> None:
    rows = [
        {"mode": "async", "devices": 8, "steps_per_minute": 20.0, "utilisation": 0.96,
         "virtual_steps_per_minute": 25.0, "seconds": 600.0, "cpu_seconds": 4.0, "rss_mb": 1500.0},
        {"mode": "vector_env", "devices": 8, "steps_per_minute": 4.0, "utilisation": 0.25,
         "virtual_steps_per_minute": None},
        {"mode": "sync", "devices": 32, "steps_per_minute": 18.5, "utilisation": 0.5,
         "virtual_steps_per_minute": 20.0},
    ]  # fmt: skip
    figures = {
        **{"devices": 32, "async_over_sync": 3.0, "async_over_sync_pooled": 1.5},
        **{"async_over_vector_env": 3.9, "async_utilisation": 0.96, "step_ms": 100.0},
        **{"ratio_devices": 8},
        **{"utilisation": 0.7, "steps_per_second": 160.0, "episodes_per_second": 30.0},
        **{"updates_per_second": 2.0, "quick": False, "rows": rows},
        **{"command": "distrl bench collect", "code": "d", "machine": "m"},
    }
    write(tmp_path, "collect", figures)
    text = sections(tmp_path)
    assert "| 8 | async | 20.0 | 25.0 | 0.80 | 0.960 | 20.0 | 1,500 |" in text
    assert "| 8 | vector_env | 4.0 |  |  | 0.250 |  |  |" in text
    assert "| collects more than sync, times, 8 devices | 2.4 | 3.00 | yes |" in text
    assert "AsyncVectorEnv, times, 8 devices | 4 | 3.90 | no |" in text
    assert "| async with 8 devices, real over virtual | 0.90 to 1.10 | 0.80 | no |" in text
    assert "| sync with 32 devices, real over virtual | 0.90 to 1.10 | 0.93 | yes |" in text
    assert "With 8 devices, async collects 3.00 times as much as sync" in text
    assert "busy 0.700 of the time, 160 steps" in text


def test_replay_is_told_size_by_size(tmp_path: Path) -> None:
    row: dict[str, Any] = {"entries": 10_000}
    for place, (key, ratio) in enumerate(
        (("insert", "inserts"), ("sample", "samples"), ("update", "updates"), ("cycle", "cycles"))
    ):
        row |= {f"{key}_us": 1.0 + place, f"cpprb_{key}_us": 4.0, f"{ratio}_over_cpprb": 2.0}
    figures = {
        **{"batch": 256, "payload_bytes": 268, "rounds": 60, "quick": True, "rows": [row]},
        **{"command": "distrl bench replay", "code": "d", "machine": "m"},
    }
    write(tmp_path, "replay", figures)
    text = sections(tmp_path)
    assert "| 10,000 | sample 256 | 2.0 | 4.0 | 2.00 |" in text
    assert "noise around a trend" in text


def test_mobilegym_is_told_with_what_differs_and_what_was_left_out(tmp_path: Path) -> None:
    pages = {"pages": 4, "ours": 9.0, "own": 4.5, "ours_memory_mb": 150.4}
    figures = {
        **{"episodes": 50, "same_verdicts": 49, "same_details": 48, "passed": 9, "reached": 12},
        **{"unclean": 7, "steps_per_second": 15.0, "own_steps_per_second": 1.0, "ratio": 15.0},
        **{"own_steps_per_second_without_delay": 2.0, "ratio_without_delay": 7.0},
        **{"steps_per_second_of_longest": 14.0},
        **{"reset_seconds": 1.0, "own_reset_seconds": 1.5, "by_pages": [pages]},
        **{"differing": [{"task": "clock.A"}], "left_out": {"sms.B": "no data"}},
        **{"command": "distrl bench mobilegym", "code": "d", "machine": "m"},
    }
    write(tmp_path, "mobilegym", figures)
    text = sections(tmp_path)
    assert "| steps per second, one page | 15.0 | 1.00 | 15.0 |" in text
    assert "| the longest of them, without its waiting | 14.0 | 2.00 | 7.0 |" in text
    assert "pages in one browser: 4, with resets and judging | 9.00 | 4.50 | 2.0 |" in text
    assert "They differ in `clock.A`." in text
    assert "Left out, because one of the two could not play them: `sms.B`." in text
    assert "| times as fast as its own runner | 3 | 15.00 | yes |" in text
    assert "| share of the verdicts that are the same | 1 | 0.98 | no |" in text


def test_scale_says_whose_cost_it_was_made_with(tmp_path: Path) -> None:
    cost = CostModel.LARGE_MODEL
    large = scale.summary([ROW], seconds=60.0, seed=0, cost=cost, made_by=MADE_BY)
    write(tmp_path, "scale", scale_figures())
    write(tmp_path, "scale_large_model", large)
    before, after = sections(tmp_path).split("## Devices for the learner of a large model")
    assert "ms of one core, as measured" in before
    assert "500.00 ms by published figures" in after


def test_scale_tells_where_one_learner_is_no_longer_enough(tmp_path: Path) -> None:
    write(tmp_path, "scale", scale_figures())
    text = sections(tmp_path)
    assert "One learner keeps up with about 2,500 devices." in text
    assert "| 100 | 30.0 | 0.990 | 0.040 |" in text


def test_notes_of_a_person_follow_their_section(tmp_path: Path) -> None:
    write(tmp_path, "scale", scale_figures())
    (tmp_path / "scale" / "notes.md").write_text("Why it is so.\n")
    assert sections(tmp_path).endswith("Why it is so.")


def test_notes_on_the_rows_of_policies_come_before_the_experiments(tmp_path: Path) -> None:
    write(tmp_path, "scale", scale_figures())
    (tmp_path / "notes.md").write_text("Of the rows.\n")
    assert sections(tmp_path).startswith("Of the rows.\n\n## ")


def test_damaged_figures_are_named(tmp_path: Path) -> None:
    (tmp_path / "scale").mkdir()
    (tmp_path / "scale" / "summary.json").write_text("{")
    with pytest.raises(ConfigError, match=r"summary\.json cannot be read"):
        sections(tmp_path)


def test_tuning_tells_every_trial(tmp_path: Path) -> None:
    experiments = tuning.plan(tuning.QUICK)
    results = {e.name: result(e, curve(0.2, 0.4, 0.6)) for e in experiments}
    found = tuning.rows(experiments, results)
    one = results[experiments[0].name]
    write(tmp_path, "tune", tuning.summary(found, one, quick=True, command="distrl bench tune"))
    page = sections(tmp_path)
    assert all(f"`{setting}`" in page for setting in tuning.GRID)
    assert page.count("0.400 (") == len(experiments)
    assert "made with `--quick`" in page
