from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.bench.experiments.made import curve, result
from tests.bench.experiments.test_scale import ROW
from tests.bench.experiments.test_table import made

from distrl.bench.experiments import ablation, scale, table, tuning
from distrl.bench.experiments.page import sections
from distrl.errors import ConfigError


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


def test_what_there_is_no_file_for_has_no_section(tmp_path: Path) -> None:
    assert sections(tmp_path) == ""


def test_the_table_tells_its_claims_and_whether_they_held(tmp_path: Path) -> None:
    write(tmp_path, "table", table_figures())
    text = sections(tmp_path)
    lines = text.splitlines()
    claim = "| success on general, relative to sync DigiRL at equal time | 1.20 | 1.50 | yes |"
    assert claim in lines
    slower = "| times faster to sync DigiRL's final success on general | 3.00 | 2.50 | no |"
    assert slower in lines
    assert "![Success on general by time and by interactions](results/table/general.png)" in lines
    assert any(line.startswith("| async-a_ride | 0.600 (0.53 to 0.67) | 0.600") for line in lines)
    assert "going asynchronous adds +0.200 to A-RIDE" in text
    assert "Made by `distrl bench table`" in text
    assert "3,000 episodes of 6.1 steps on 32 devices are 18,300 steps" in text
    assert "--quick" not in text


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
    assert "success on general is 1.20 times sync DigiRL's (averaged: 1.50)" in text
    assert "reached 2.00 times faster (averaged: 2.50)" in text
    write(tmp_path / "default", "table", table_figures())
    assert "newest" not in sections(tmp_path / "default")


def test_quick_figures_are_called_so(tmp_path: Path) -> None:
    write(tmp_path, "table", table_figures(quick=True))
    assert "noise around a trend" in sections(tmp_path)


def test_the_ablation_tells_every_row(tmp_path: Path) -> None:
    row = {
        **{"about": "what", "settings": "", "seeds": 3, "start": 0.3, "test": 0.5, "tasks": 128},
        **{"test_low": 0.4, "test_high": 0.6, "test_lowest": 0.4, "test_highest": 0.6},
        **{"unseen": 0.1, "gain": 0.0, "gain_lowest": 0.0, "gain_highest": 0.0},
        **{"episodes": 1500.0, "updates": 300.0, "cpu_minutes": 2.0},
    }
    worse = {"test": 0.3, "test_low": 0.2, "test_high": 0.4}
    worse |= {"gain": -0.2, "gain_lowest": -0.3, "gain_highest": -0.1}
    rows = [{**row, "row": "base"}, {**row, "row": "no-correction", **worse}]
    base = made(table.Size(seeds=1), sync_digirl=(0.3, 0.4, 0.5))[0].results[0]
    write(tmp_path, "ablation", ablation.summary(rows, base, quick=False, command="c"))
    text = sections(tmp_path)
    assert (
        "| no-correction | what | 0.300 (0.20 to 0.40) | 0.100 | -0.200 (-0.300 to -0.100)" in text
    )
    assert "what was changed helps here as it was: no-correction" in text
    alone = tmp_path / "alone"
    write(
        alone,
        "ablation",
        ablation.summary([{**r, "seeds": 1} for r in rows], base, quick=False, command="c"),
    )
    text = sections(alone)
    assert "nothing else; 1 seed," in text
    assert "| 0.100 | -0.200 |" in text


def test_collecting_is_told_beside_what_the_virtual_engine_says(tmp_path: Path) -> None:
    rows = [
        {"mode": "async", "devices": 8, "steps_per_minute": 20.0, "utilisation": 0.96,
         "virtual_steps_per_minute": 25.0},
        {"mode": "vector_env", "devices": 8, "steps_per_minute": 4.0, "utilisation": 0.25,
         "virtual_steps_per_minute": None},
    ]  # fmt: skip
    figures = {
        **{"devices": 8, "async_over_sync": 3.0, "async_over_sync_pooled": 1.5},
        **{"async_over_vector_env": 5.0, "async_utilisation": 0.96, "step_ms": 100.0},
        **{"utilisation": 0.7, "steps_per_second": 160.0, "episodes_per_second": 30.0},
        **{"updates_per_second": 2.0, "quick": False, "rows": rows},
        **{"command": "distrl bench collect", "code": "d", "machine": "m"},
    }
    write(tmp_path, "collect", figures)
    text = sections(tmp_path)
    assert "| 8 | async | 20.0 | 25.0 | 0.80 | 0.960 |" in text
    assert "| 8 | vector_env | 4.0 |  |  | 0.250 |" in text
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


def test_scale_tells_where_one_learner_is_no_longer_enough(tmp_path: Path) -> None:
    write(tmp_path, "scale", scale.summary([ROW], command="c", code="d", machine="m"))
    text = sections(tmp_path)
    assert "One learner keeps up with about 2,500 devices." in text
    assert "| 100 | 30.0 | 0.990 | 0.040 |" in text


def test_notes_of_a_person_follow_their_section(tmp_path: Path) -> None:
    write(tmp_path, "scale", scale.summary([ROW], command="c", code="d", machine="m"))
    (tmp_path / "scale" / "notes.md").write_text("Why it is so.\n")
    assert sections(tmp_path).endswith("Why it is so.")


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
