"""The example web app: its tasks can be solved, and are not solved by doing something else."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.devices.browser.browsers import find, needs_chromium

from distrl import actions
from distrl.cli.main import main
from distrl.config import load_run_config
from distrl.envs.device_kinds import device_factory, env_on
from distrl.envs.page_env import PageEnv
from distrl.tasks.suites import load_suite
from distrl.types import Outcome

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "webapp"
SUITE = str(EXAMPLE / "suite.yaml")


def test_recipe_of_the_example_loads() -> None:
    config = load_run_config(EXAMPLE / "recipe.yaml")
    assert config.tasks.suite == "examples/webapp/suite.yaml"


@pytest.mark.browser
@pytest.mark.slow
@needs_chromium
def test_tasks_of_the_example_are_checked_by_what_the_page_holds() -> None:
    env, _ = env_on(device_factory(SUITE).make_device("page-0"))
    assert isinstance(env, PageEnv)

    def play(name: str, *doing: str) -> Outcome | None:
        task = next(t for t in load_suite(SUITE).tasks("train") if t.template == name)
        seen = env.reset(task)
        for what in doing:
            if what.startswith(">"):
                moved = env.step(actions.type_text(what[1:]))
            else:
                moved = env.step(actions.tap(*find(seen, what).center))
            seen = moved.observation
            assert not moved.fault
        return moved.outcome

    assert play("clear", "Clear all") is Outcome.SUCCEEDED
    assert play("tick", "Bread") is None
    assert play("tick", "Flour") is Outcome.SUCCEEDED
    assert play("tick", "Milk", "Flour") is None
    assert play("tick", "Milk", "Flour", "Milk") is Outcome.SUCCEEDED
    assert play("add", "New item", ">tea", "Add") is Outcome.SUCCEEDED
    assert play("add", "New item", ">salt", "Add") is None
    assert play("add", "Milk", "New item", ">tea", "Add") is None
    assert play("add", "Clear all") is None
    assert play("tick", "Clear all") is None
    assert play("add-and-tick", "Clear all") is None
    assert play("add-and-tick", "New item", ">salt", "Add", "salt") is None
    assert play("add-and-tick", "Milk", "New item", ">tea", "Add", "tea") is None
    assert play("add-and-tick", "New item", ">tea", "Add") is None
    assert play("add-and-tick", "New item", ">tea", "Add", "tea") is Outcome.SUCCEEDED
    env.close()


@pytest.mark.browser
@pytest.mark.slow
@needs_chromium
def test_a_check_that_throws_is_told_before_training_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "app").symlink_to(EXAMPLE / "app")
    (tmp_path / "checks.py").symlink_to(EXAMPLE / "checks.py")
    mistyped = tmp_path / "suite.yaml"
    mistyped.write_text(Path(SUITE).read_text().replace("app.items.length", "app.itms.length"))
    recipe, run = str(EXAMPLE / "recipe.yaml"), tmp_path / "run"
    line = ["train", "--recipe", recipe, f"tasks.suite={mistyped}", "--run-dir", str(run)]
    assert main(line) == 2
    said = "clear (suite.yaml, line 17) fails on http://list.test/: TypeError"
    assert said in capsys.readouterr().err
    assert not run.exists()
