from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.bench.experiments.made import TINY

from distrl.bench import cost as bench_cost
from distrl.bench.experiments import ablation, table
from distrl.bench.experiments.table import Size
from distrl.cli.main import main
from distrl.run.virtual.cost import Cost, measured_cost


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["tabel"], "did you mean 'table'?"),
        (["table", "--method", "all"], "did you mean '--methods'?"),
        (["table", "--methods", "async-aride"], "did you mean 'async-a_ride'?"),
        (["table", "--seeds", "0"], "--seeds must be at least 1, got 0"),
        (["ablation", "--only", "no-entrop"], "did you mean 'no-entropy'?"),
        (["ablation", "--seeds", "-1"], "--seeds must be at least 1, got -1"),
        (["scale", "--devices", "1,many"], "numbers above 0 with commas between, got '1,many'"),
        (["table", "--methods", ""], "--methods names no method, got ''"),
        (["ablation", "--only", ""], "--only names no row, got ''"),
        (["scale", "--seconds", "0"], "--seconds must be above 0"),
        (["scale", "--seconds", "inf"], "--seconds must be above 0 and finite, got inf"),
        (["scale", "--seconds", "nan"], "--seconds must be above 0 and finite, got nan"),
        (["scale", "--seed", "-1"], "--seed must be a whole number, from 0 to"),
        *(
            ([name, "--out", "/dev/null"], "--out /dev/null is no folder to write to")
            for name in ("tune", "table", "ablation", "scale")
        ),
        (["cost", "--updates", "0"], "--updates must be at least 1, got 0"),
    ],
)
def test_bad_input_ends_with_2(
    argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", *argv]) == 2
    assert message in capsys.readouterr().err


def test_without_runs_there_have_to_be_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("table", "ablation"):
        assert main(["bench", name, "--no-runs", "--out", str(tmp_path)]) == 2
        assert "has no result of start-general-seed0" in capsys.readouterr().err


def test_scale_prints_its_rows_and_writes_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--devices", "2,8", "--seconds", "600", "--json", "--out", str(tmp_path)]
    assert main(["bench", "scale", *words]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["devices"] for row in told["rows"]] == [2, 8]
    assert (told["seconds"], told["seed"]) == (600.0, 0)
    assert json.loads((tmp_path / "summary.json").read_text()) == told
    assert main(["bench", "scale", "--devices", "2", "--seconds", "600"]) == 0
    assert "from one device to many" in capsys.readouterr().out


@pytest.mark.parametrize("write", [False, True])
def test_cost_is_written_only_when_asked_and_names_its_command(
    write: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written: list[Cost] = []

    def measure(*, episodes: int, updates: int, command: str) -> Cost:
        return replace(measured_cost(), steps=episodes, batch=updates, command=command)

    monkeypatch.setattr(bench_cost, "measure_cost", measure)
    monkeypatch.setattr(bench_cost, "write_cost", written.append)
    words = ["cost", "--episodes", "3", "--updates", "2", *(["--write"] if write else [])]
    assert main(["bench", *words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["steps"], told["batch"]) == (3, 2)
    assert told["command"] == " ".join(["distrl", "bench", *words, "--json"])
    assert len(written) == write
    assert main(["bench", *words]) == 0
    assert "what a step costs on one core" in capsys.readouterr().out


@pytest.mark.slow
def test_cost_prints_what_a_step_costs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "cost", "--episodes", "6", "--updates", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {"decide_seconds", "learn_seconds", "play_seconds", "step_bytes"} <= set(told)
    assert told["command"].startswith("distrl bench cost")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_small_table_has_the_promised_keys_and_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = Size(episodes=12, seeds=1, checkpoints=3, tasks=2, quick=True, common=TINY)
    monkeypatch.setattr(table, "QUICK", small)
    words = ["bench", "table", "--quick", "--json", "--out", str(tmp_path)]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert {
        *("success_ratio_general", "success_ratio_shopping"),
        *("time_ratio_general", "interaction_ratio_general", "rows"),
    } <= set(told)
    assert len(told["rows"]) == 6
    pictures = {path.name for path in tmp_path.glob("*.png")}
    assert pictures == {"general.png", "shopping.png"}
    times = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*-seed0.json")}
    assert len(times) == 8
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out) == told
    assert main([*words, "--no-runs"]) == 0
    assert json.loads(capsys.readouterr().out) == {**told, "only_read": True}
    assert all(path.stat().st_mtime_ns == before for path, before in times.items())


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_small_ablation_has_a_row_for_each_variant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = Size(episodes=12, seeds=1, checkpoints=3, tasks=2, quick=True, common=TINY)
    monkeypatch.setattr(ablation, "QUICK", small)
    words = ["--quick", "--json", "--only", "noisy-judge,goal-filter", "--out", str(tmp_path)]
    assert main(["bench", "ablation", *words]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["row"] for row in told["rows"]] == ["base", "goal-filter", "noisy-judge"]
