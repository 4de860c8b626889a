from __future__ import annotations

from pathlib import Path

import pytest

from distrl.errors import ConfigError
from distrl.tasks.suites import load_suite
from distrl.tasks.web.described import read_suite
from distrl.tasks.web.suite import PageSuite

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "webapp" / "suite.yaml"

SUITE = """
name: made
url: http://made.test/
folder: app
tasks:
  add:
    goals: ["Add {item}", "We need {item}"]
    values: {item: [tea, "it's \\"salt\\""]}
    check: app.has(item)
"""


def write(folder: Path, text: str) -> str:
    (folder / "app").mkdir(exist_ok=True)
    path = folder / "suite.yaml"
    path.write_text(text)
    return str(path)


def test_goals_take_turns_through_all_values(tmp_path: Path) -> None:
    suite = read_suite(write(tmp_path, SUITE))
    goals = [task.goal for task in suite.tasks("train")[:5]]
    assert goals == [
        *("Add tea", "We need tea", 'Add it\'s "salt"', 'We need it\'s "salt"'),
        "Add tea",
    ]
    task = suite.tasks("val")[2]
    assert '"item": "it\'s \\"salt\\""' in suite.page("add").script(task)
    assert f'"SEED": {task.seed}' in suite.page("add").script(task)


def test_suite_is_loaded_by_its_path(tmp_path: Path) -> None:
    path = write(tmp_path, SUITE)
    suite = load_suite(path)
    assert isinstance(suite, PageSuite)
    assert suite.name == "made"
    assert {task.suite for task in suite.tasks("test")} == {path}
    assert suite.page("add").site.folders == {"http://made.test": tmp_path / "app"}


def test_example_can_be_read() -> None:
    suite = read_suite(str(EXAMPLE))
    assert set(suite.templates) == {"clear", "tick", "add", "add-and-tick"}
    assert suite.page("add-and-tick").check is not None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("check: app.has(item)", ""), "needs either check or check_python"),
        (("check: app", "chekc: app"), r"tasks\.add\.chekc"),
        (("{item: [tea", "{thing: [tea"), "no value for 'item'"),
        (("folder: app", "folder: none"), "there is no folder"),
        (("url: http://made.test/", "url: made.test"), "http, https or data"),
        (("check: app.has(item)", "check_python: none:f"), "MODULE:FUNCTION"),
        (("check: app.has(item)", "check_python: checks:g"), "has no function 'g'"),
        (("goals: [", "goals: [["), "cannot be read"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    (tmp_path / "checks.py").write_text("def f(device, task): return True\n")
    with pytest.raises(ConfigError, match=message):
        read_suite(write(tmp_path, SUITE.replace(*change)))


def test_missing_file_is_told() -> None:
    with pytest.raises(ConfigError, match=r"no/such\.yaml cannot be read"):
        read_suite("no/such.yaml")


def test_check_in_python_is_found_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text("def f(device, task): return task == 7\n")
    suite = read_suite(
        write(tmp_path, SUITE.replace("check: app.has(item)", "check_python: checks:f"))
    )
    check = suite.page("add").check
    assert check is not None
    assert check(None, 7) is True  # type: ignore[arg-type]
