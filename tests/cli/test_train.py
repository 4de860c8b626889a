from __future__ import annotations

import errno
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.run.conftest import SMALL, small_config
from tests.run.runs import fake_run

from distrl.cli.arguments import parse
from distrl.cli.main import main
from distrl.cli.train import Arguments
from distrl.collect.evaluation.evaluate import Report
from distrl.collect.evaluation.statistics import Row
from distrl.config import RunConfig, load_run_config, recipe_names
from distrl.config.collect import CollectConfig
from distrl.run.train import train


@pytest.fixture(scope="module")
def spent_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run whose budget of time is spent, so that going on only evaluates."""
    root = tmp_path_factory.mktemp("runs") / "spent"
    train(small_config("minutes=0.001", "evaluate.tasks=2"), run_dir=root)
    return root


def test_dry_run_explains_each_setting_and_tells_where_it_comes_from(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["train", "--recipe", "debug", "--dry-run", "collect.devices=7"]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    about = CollectConfig.model_fields["devices"].description or ""
    assert any(line.startswith(f"devices 7 command line {about[:10]}") for line in lines)
    assert any(line.startswith("minutes 1.0 debug Budget of training") for line in lines)
    assert any(line.startswith("seed 0 default Decides everything random") for line in lines)
    assert lines[-1] == "a run can start with these settings"


def test_dry_run_speaks_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--dry-run", "--json", "seed=3"]) == 0
    printed = json.loads(capsys.readouterr().out)
    rows = {row["setting"]: row for row in printed.pop("rows")}
    assert RunConfig.model_validate(printed).seed == 3
    assert (rows["seed"]["value"], rows["seed"]["source"]) == (3, "command line")
    assert rows["minutes"]["source"] == "quickstart"
    assert rows["replay.capacity"]["source"] == "default"
    assert all(row["explanation"] for row in rows.values())


def test_the_default_recipe_is_quickstart(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--dry-run", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    del printed["rows"]
    assert printed == load_run_config("quickstart").model_dump(mode="json")


def test_a_dry_run_does_not_wait_for_torch() -> None:
    code = (
        "import sys; from distrl.cli.main import main; main(['train', '--dry-run']);"
        "sys.exit('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["colect.devices=4"], "did you mean 'collect.devices'?"),
        (["--recipe", "quickstrat"], "did you mean 'quickstart'?"),
        (["--dryrun"], "did you mean '--dry-run'?"),
        (["devices"], "key=value"),
        (["collect.devices=none"], "collect.devices must be a whole number"),
        (["--recipe", ""], "--recipe, unless it is the name of one, must be the path of"),
        (["--dry-run", "engine=ray", "address=nowhere"], "address of a cluster is HOST:PORT"),
        (["--resume"], "--resume needs the folder of the run"),
        (["engine=vitual"], "did you mean 'virtual'? (allowed: local, ray, virtual)"),
        (["engine=virtual", "policy.name=lm"], "engine: virtual needs policy.name: pointer"),
        (["--resume", "--run-dir", "nowhere"], "there is no run in nowhere"),
        (["--resume", "--run-dir", "/"], "there is no run in / to go on with"),
        (["--resume", "--run-dir", ".", "--recipe", "debug"], "leave --recipe out"),
    ],
)
def test_bad_input_ends_with_2(
    argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", *argv]) == 2
    assert message in capsys.readouterr().err


def test_a_folder_with_a_run_is_refused(
    spent_run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--recipe", "debug", "--run-dir", str(spent_run)]) == 2
    assert "--resume" in capsys.readouterr().err


def test_json_has_the_promised_keys_and_nothing_else_is_on_stdout(
    spent_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = shutil.copytree(spent_run, tmp_path / "copy")
    assert main(["train", "--run-dir", str(root), "--resume", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert {
        *("warm_start_success", "success", "success_low", "success_high"),
        *("minutes", "episodes", "steps", "updates"),
    } <= set(result)


def test_people_get_a_table_and_the_command_to_repeat_it(
    spent_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = shutil.copytree(spent_run, tmp_path / "copy")
    assert main(["train", "--run-dir", str(root), "--resume"]) == 0
    shown = capsys.readouterr().out
    assert "general/val" in shown
    assert f"distrl eval --policy {root} --suite general --split val" in shown


def test_a_run_s_folder_can_be_evaluated(
    spent_run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for without in ("nothing", "pixels", "elements"):
        line = ["eval", "--policy", str(spent_run), "--tasks", "2", "--json"]
        assert main([*line, "--without", without]) == 0
        assert json.loads(capsys.readouterr().out)["episodes"] == 2


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--policy", "runs/nowhere"], "there is no run in runs/nowhere"),
        (["--policy", "."], "has no whole checkpoint"),
        (["--policy", "random", "--without", "pixels"], "is for trained policies"),
    ],
)
def test_a_folder_without_a_run_is_told(
    argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", *argv]) == 2
    assert message in capsys.readouterr().err


def test_the_virtual_engine_prints_the_same_weights_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["train", "--recipe", "debug", "engine=virtual", *SMALL, "max_episodes=10", "seed=7"]
    assert main([*line, "minutes=null", "--run-dir", str(tmp_path / "first"), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert {
        *("warm_start_success", "success", "success_low", "success_high"),
        *("minutes", "episodes", "steps", "updates", "weights", "run"),
    } == set(result)
    assert result["episodes"] == 10
    assert main([*line, "minutes=null", "--run-dir", str(tmp_path / "second")]) == 0
    assert f"seed: {result['weights']}\n" in capsys.readouterr().out
    evaluate = ["eval", "--policy", str(tmp_path / "first"), "--tasks", "3", "--json"]
    assert main(evaluate) == 0
    assert json.loads(capsys.readouterr().out)["success"] == result["success"]


def test_help_lists_the_recipes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(Arguments, ["--help"], prog="distrl train")
    shown = capsys.readouterr().out
    assert all(name in shown for name in recipe_names())


def test_a_dry_run_says_that_a_folder_is_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    line = ["train", "--recipe", "debug", "--dry-run", "--run-dir", str(tmp_path)]
    assert main(line) == 2
    assert "is not empty and holds no run" in capsys.readouterr().err


def test_a_start_that_is_refused_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "run"
    line = ["train", "--recipe", "debug", "--run-dir", str(root), "algorithm.name=a_rid"]
    assert main(line) == 2
    assert "did you mean 'a_ride'?" in capsys.readouterr().err
    assert not root.exists()


def test_a_start_that_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("distrl.run.train.prepare_start", fail)
    root = tmp_path / "run"
    line = ["train", "--recipe", "debug", *SMALL, "--run-dir", str(root)]
    assert main(line) == 2
    shown = capsys.readouterr().err
    assert "No space left on device" in shown
    assert "--resume" not in shown
    assert not root.exists()


def _damage_checkpoints(root: Path) -> None:
    for path in root.glob("checkpoints/*/tensors.safetensors"):
        path.write_bytes(b"damaged")


def _remove_checkpoints(root: Path) -> None:
    shutil.rmtree(root / "checkpoints")


def _damage_progress(root: Path) -> None:
    (root / "progress.json").write_text("{")


def _damage_episodes(root: Path) -> None:
    (root / "episodes.sqlite").write_bytes(b"damaged")


def _remove_episodes(root: Path) -> None:
    for path in root.glob("episodes.sqlite*"):
        path.unlink()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_damage_checkpoints, "--resume --from-scratch"),
        (_damage_progress, "progress.json is damaged"),
        (_damage_episodes, "episodes.sqlite: this is not an episode store"),
        (_remove_episodes, "episodes.sqlite is gone: put it back"),
    ],
)
def test_a_damaged_run_is_not_resumed_and_says_what_is_damaged(
    damage: Callable[[Path], None],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = fake_run(tmp_path / "run", small_config()).root
    damage(root)
    before = {path.name for path in root.iterdir()}
    assert main(["train", "--run-dir", str(root), "--resume"]) == 2
    assert message in capsys.readouterr().err
    assert main(["train", "--run-dir", str(root), "--resume", "--dry-run"]) == 2
    assert message in capsys.readouterr().err
    logs_of_sqlite = {"episodes.sqlite-shm", "episodes.sqlite-wal"}
    assert {path.name for path in root.iterdir()} - logs_of_sqlite == before


@pytest.mark.parametrize("damage", [_damage_checkpoints, _remove_checkpoints])
def test_from_scratch_says_at_once_that_no_time_is_left(
    damage: Callable[[Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = fake_run(tmp_path / "run", small_config("minutes=3"))
    folder.note({"seconds": 180.0})
    damage(folder.root)
    before = {path.name for path in folder.root.iterdir()}
    line = ["train", "--run-dir", str(folder.root), "--resume", "--from-scratch"]
    assert main(line) == 2
    shown = capsys.readouterr().err
    assert "the 3 minutes of the run" in shown
    assert "such as minutes=6" in shown
    logs_of_sqlite = {"episodes.sqlite-shm", "episodes.sqlite-wal"}
    assert {path.name for path in folder.root.iterdir()} - logs_of_sqlite == before


def test_from_scratch_is_for_a_run_that_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--from-scratch"]) == 2
    assert "--resume" in capsys.readouterr().err


def test_a_run_that_measured_nothing_ends_with_1_and_says_why(
    spent_run: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lost = Row(
        template="all",
        success=None,
        low=None,
        high=None,
        episodes=0,
        false_complete=None,
        side_effects=None,
        mean_steps=None,
        oracle_steps=None,
        faults=2,
    )
    report = Report(overall=lost, rows=(), faults=("general/val/0: no such phone",))
    monkeypatch.setattr("distrl.run.train.evaluate_policy", lambda *_, **__: report)
    root = shutil.copytree(spent_run, tmp_path / "copy")
    assert main(["train", "--run-dir", str(root), "--resume"]) == 1
    assert "no episode of the evaluation counts" in capsys.readouterr().err


def test_a_folder_named_like_a_policy_does_not_stand_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "random").mkdir()
    monkeypatch.chdir(tmp_path)
    assert main(["eval", "--policy", "random", "--tasks", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["episodes"] == 1
    assert main(["eval", "--policy", "./random", "--tasks", "1"]) == 2
    assert "has no whole checkpoint" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("policy.width=32", "policy.width of the run .* cannot be changed to 32"),
        ("engine=virtual", "engine: virtual"),
    ],
)
def test_a_dry_run_says_what_cannot_be_changed_on_the_way(
    change: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = fake_run(tmp_path / "run", small_config()).root
    settings = (root / "config.yaml").read_bytes()
    assert main(["train", "--run-dir", str(root), "--resume", "--dry-run", change]) == 2
    assert re.search(message, capsys.readouterr().err)
    assert (root / "config.yaml").read_bytes() == settings
