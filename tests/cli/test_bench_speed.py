from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest

from distrl.bench import collect, modes, replay
from distrl.bench.collect import CollectFigures
from distrl.bench.experiments.page import sections
from distrl.bench.modes import Budget, ModeFigures
from distrl.bench.replay import ReplayFigures, SizeRow
from distrl.cli.main import main

MODES = {"vector_env": 4.0, "async": 20.0, "sync": 8.0, "sync_pooled": 10.0}


@pytest.fixture
def fleets(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, int]]:
    """Devices, rounds and seed of what was measured; it all returns at once."""
    asked: list[tuple[int, int, int]] = []

    def measure_modes(devices: int, budget: Budget, *, seed: int) -> list[ModeFigures]:
        asked.append((devices, budget.rounds, seed))
        return [
            ModeFigures(
                mode=mode,
                devices=devices,
                seconds=60.0,
                steps_per_minute=steps,
                utilisation=0.5,
                speed=10.0,
                cpu_seconds=2.0,
                rss_mb=800.0,
                virtual_steps_per_minute=None if mode == "vector_env" else steps,
            )
            for mode, steps in MODES.items()
        ]

    def measure_collecting(*, devices: int, **_: float) -> CollectFigures:
        numbers = {field.name: 0.5 for field in fields(CollectFigures)}
        return CollectFigures(**{**numbers, "devices": devices})  # type: ignore[arg-type]

    monkeypatch.setattr(modes, "measure_modes", measure_modes)
    monkeypatch.setattr(collect, "measure_collecting", measure_collecting)
    return asked


@pytest.fixture
def replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    row = SizeRow(**{**{field.name: 2.0 for field in fields(SizeRow)}, "entries": 10_000})  # type: ignore[arg-type]
    worst = {field.name: 2.0 for field in fields(ReplayFigures)}
    whole = {"batch": 256, "payload_bytes": 268, "rounds": 60, "seed": 0, "rows": (row,)}
    figures = ReplayFigures(**{**worst, **whole})  # type: ignore[arg-type]
    monkeypatch.setattr(replay, "measure_replay", lambda *_, **__: figures)


def test_collecting_has_the_promised_keys(
    fleets: list[tuple[int, int, int]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "collect", "--json", "--seed", "5"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert {
        *("utilisation", "episodes_per_second", "steps_per_second", "devices"),
        *("async_over_sync", "async_over_sync_pooled", "async_over_vector_env"),
    } <= set(figures)
    assert (figures["async_over_sync"], figures["async_over_vector_env"]) == (2.5, 5.0)
    assert [row["devices"] for row in figures["rows"]] == [8] * 4 + [32] * 4 + [128] * 4
    assert fleets == [(8, 3, 5), (32, 3, 5), (128, 3, 5)]
    assert figures["ratio_devices"] == figures["devices"] == 32
    assert figures["seed"] == 5


@pytest.mark.usefixtures("fleets")
def test_it_says_which_fleet_the_ratios_are_of(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "collect", "--json", "--fleets", "4", "8"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["devices"], figures["ratio_devices"]) == (32, 4)


@pytest.mark.usefixtures("fleets")
def test_a_quick_comparison_is_of_eight_devices(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "collect", "--quick"]) == 0
    shown = capsys.readouterr().out
    assert "vector_env" in shown
    assert "128" not in shown


@pytest.mark.usefixtures("fleets", "replayed")
@pytest.mark.parametrize("name", ["collect", "replay"])
def test_figures_are_kept_for_the_results_page(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "results" / name
    assert main(["bench", name, "--json", "--out", str(out)]) == 0
    shown = json.loads(capsys.readouterr().out)
    kept = json.loads((out / "summary.json").read_text())
    assert kept.items() >= shown.items()
    assert kept["command"] == f"distrl bench {name} --json --out {out}"
    assert f"Made by `distrl bench {name}" in sections(out.parent)


@pytest.mark.usefixtures("replayed")
def test_replay_has_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "replay", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert {"inserts_over_cpprb_min", "samples_over_cpprb_min"} <= set(figures)
    assert figures["seed"] == 0
    assert [row["entries"] for row in figures["rows"]] == [10_000]
    assert main(["bench", "replay"]) == 0
    assert "sample 256" in capsys.readouterr().out


@pytest.mark.usefixtures("fleets", "replayed")
@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["collect", "--devices", "0"], "--devices must be at least 1, got 0"),
        (["collect", "--fleets", "8", "0"], "--fleets must be at least 1, got 0"),
        (["collect", "--step-ms", "0"], "--step-ms must be above 0"),
        (["collect", "--seconds", "inf"], "--seconds must be above 0 and finite, got inf"),
        (["collect", "--out", "/dev/null/there"], "--out /dev/null/there is no folder"),
        (["replay", "--out", "/dev/null/there"], "--out /dev/null/there is no folder"),
        (["replay", "--seed", "-1"], "--seed must be a whole number, from 0 to"),
    ],
)
def test_bad_input_ends_with_2_before_anything_is_measured(
    argv: list[str],
    message: str,
    fleets: list[tuple[int, int, int]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bench", *argv]) == 2
    assert message in capsys.readouterr().err
    assert not fleets
