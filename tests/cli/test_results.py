from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.bench.results.rows import make_result

from distrl.bench.results.make import Workshop, save
from distrl.bench.results.page import render
from distrl.bench.results.plan import GROUPS, Planned
from distrl.bench.results.record import Result, load_all
from distrl.cli.main import main


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Path, bool]]:
    """Rows are made at once; name, folder of the runs and whether it was `again` are kept."""
    calls: list[tuple[str, Path, bool]] = []

    def make(workshop: Workshop, planned: Planned, *, again: bool = False) -> Result:
        calls.append((planned.name, workshop.work, again))
        return make_result(planned.group.name, planned.seed, quick=planned.quick)

    monkeypatch.setattr(Workshop, "make", make)
    return calls


Made = list[tuple[str, Path, bool]]


def test_missing_rows_are_made_and_others_left_alone(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, work = tmp_path / "out", tmp_path / "work"
    line = ["results", "run", "--out", str(out), "--work", str(work), "--json"]
    save(make_result("quickstart", 1, successes=100), out)
    assert main([*line, "--only", "quickstart"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert made == [("quickstart-seed0", work, False), ("quickstart-seed2", work, False)]
    assert (shown["count"], shown["made"], shown["out"]) == (3, 2, str(out))
    assert [row["success"] for row in shown["rows"]] == [112 / 128, 100 / 128, 112 / 128]
    assert main([*line, "--only", "quickstart-seed1", "--again"]) == 0
    assert made[-1] == ("quickstart-seed1", work, True)
    assert json.loads(capsys.readouterr().out)["rows"][0]["success"] == 112 / 128


def test_quick_rows_do_not_land_among_the_others(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    work = tmp_path / "work"
    assert main(["results", "run", "--quick", "--seeds", "5", "--work", str(work)]) == 0
    assert made[0] == ("quickstart-seed5", work / "quick", False)
    assert len(load_all(work / "quick" / "files")) == len(GROUPS)
    assert not (tmp_path / "docs").exists()


def test_a_quick_row_does_not_stand_for_a_real_one(made: Made, tmp_path: Path) -> None:
    save(make_result("shopping", quick=True), tmp_path)
    words = ["--out", str(tmp_path), "--work", str(tmp_path / "work"), "--only", "shopping"]
    assert main(["results", "run", *words]) == 0
    assert [name for name, _, _ in made] == ["shopping-seed0"]
    assert not load_all(tmp_path)[0].quick


def test_a_dry_run_prints_the_plan_and_does_nothing(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(make_result("cloning"), tmp_path)
    line = ["results", "run", "--out", str(tmp_path), "--dry-run", "--seeds", "0,1"]
    assert main([*line, "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    for_every_seed = sum(group.every_seed for group in GROUPS)
    assert plan["rows_to_make"] == len(GROUPS) + for_every_seed - 1
    makes = {row["name"]: row["make"] for row in plan["rows"]}
    assert makes["cloning-seed0"] is False
    assert makes["cloning-seed1"] is True
    minutes = {row["name"]: row["minutes"] for row in plan["rows"]}
    assert minutes["quickstart-seed0"] > 0
    assert minutes["cloning-seed0"] is None
    assert main(line) == 0
    assert "warm-start-seed1" in capsys.readouterr().out
    assert made == []


def test_a_dry_run_does_not_wait_for_torch(tmp_path: Path) -> None:
    save(make_result("cloning"), tmp_path)
    code = (
        "import sys; from distrl.cli.main import main;"
        f"main(['results', 'run', '--dry-run', '--out', {str(tmp_path)!r}]);"
        "sys.exit('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0


def test_the_page_is_written_from_the_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = (make_result(seed=0), make_result(seed=1))
    for result in results:
        save(result, tmp_path / "files")
    page = tmp_path / "deep" / "page.md"
    line = ["results", "write", "--results", str(tmp_path / "files"), "--page", str(page)]
    assert main(line) == 0
    assert "quickstart-seed1" in capsys.readouterr().out
    assert page.read_text("utf-8") == render(results)
    assert main([*line, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["count"], told["page"]) == (2, str(page))


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["rum"], "did you mean 'run'?"),
        (["run", "--only", "clonning"], "did you mean 'cloning'?"),
        (["run", "--seeds", "0,x"], "--seeds takes whole numbers"),
        (["run", "--seeds", ""], "--seeds takes whole numbers"),
        (["run", "--dryrun"], "did you mean '--dry-run'?"),
        (["write", "--results", "nowhere"], "there is no result in nowhere"),
    ],
)
def test_bad_input_ends_with_2(
    argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["results", *argv]) == 2
    assert message in capsys.readouterr().err
