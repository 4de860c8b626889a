from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.run.conftest import SMALL, small_config

from distrl.cli.main import main
from distrl.config import RunConfig, load_run_config
from distrl.run.train import train


@pytest.fixture(scope="module")
def spent_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run whose budget of time is spent, so that going on only evaluates."""
    root = tmp_path_factory.mktemp("runs") / "spent"
    train(small_config("minutes=0.001", "evaluate.limit=2"), run_dir=root)
    return root


def test_dry_run_prints_settings_that_load_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--recipe", "debug", "--dry-run", "collect.devices=7"]) == 0
    printed = capsys.readouterr().out
    (tmp_path / "printed.yaml").write_text(printed)
    config = load_run_config(tmp_path / "printed.yaml")
    assert config == load_run_config("debug", ["collect.devices=7"])


def test_dry_run_speaks_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--dry-run", "--json", "seed=3"]) == 0
    assert RunConfig.model_validate(json.loads(capsys.readouterr().out)).seed == 3


def test_the_default_recipe_is_quickstart(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--dry-run"]) == 0
    printed = yaml.safe_load(capsys.readouterr().out)
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
        (["--resume"], "--resume needs the folder of the run"),
        (["engine=vitual"], "did you mean 'virtual'? (allowed: local, ray, virtual)"),
        (["engine=virtual", "policy.name=lm"], "engine: virtual needs policy.name: pointer"),
        (["--resume", "--run-dir", "nowhere"], "there is no run in nowhere"),
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
