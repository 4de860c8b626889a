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


MINIMAL = "name: made\nurl: http://made.test/\ntasks: {go: {goals: [Go], check: done}}\n"


def test_what_a_file_leaves_out_has_a_usual_value(tmp_path: Path) -> None:
    suite = read_suite(write(tmp_path, MINIMAL))
    page = suite.page("go")
    assert (page.site.width, page.site.height, page.step_limit) == (412, 732, 10)
    assert page.site.folders == {}
    assert not page.judged_by_page
    assert not page.stays
    assert [len(suite.tasks(split)) for split in suite.splits] == [100, 4, 20, 0]


def test_a_task_may_have_a_step_limit_and_an_end_of_its_own(tmp_path: Path) -> None:
    text = MINIMAL.replace("check: done", "check: done, ends: true, step_limit: 3")
    page = read_suite(write(tmp_path, text)).page("go")
    assert page.judged_by_page
    assert page.step_limit == 3
    assert "ended:success&&true" in page.site.probe


def test_a_check_that_fails_on_the_page_is_no_success(tmp_path: Path) -> None:
    probe = read_suite(write(tmp_path, MINIMAL)).page("go").site.probe
    assert "catch{return false}" in probe
    assert "return(done)" in probe


def test_the_reset_of_the_suite_comes_before_that_of_the_task(tmp_path: Path) -> None:
    text = f"reset: first()\n{MINIMAL}".replace("check: done", "check: done, reset: second()")
    suite = read_suite(write(tmp_path, text))
    script = suite.page("go").script(suite.tasks("val")[0])
    assert 0 < script.index("first();") < script.index("second();")


def test_seeds_of_the_splits_can_be_chosen(tmp_path: Path) -> None:
    suite = read_suite(write(tmp_path, f"seeds: {{train: 2, test: 1}}\n{MINIMAL}"))
    assert [len(suite.tasks(split)) for split in suite.splits] == [2, 0, 1, 0]


def test_every_goal_is_asked_with_every_choice_of_values(tmp_path: Path) -> None:
    text = SUITE.replace(
        'values: {item: [tea, "it\'s \\"salt\\""]}', "values: {item: [a, b], n: ['1', '2']}"
    )
    text = text.replace('"We need {item}"', '"We need {n} {item}"')
    goals = {task.goal for task in read_suite(write(tmp_path, text)).tasks("train")}
    assert goals == {"Add a", "Add b", *(f"We need {n} {item}" for n in "12" for item in "ab")}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "valid dictionary"),
        ("- a\n- b\n", "valid dictionary"),
        (MINIMAL.replace("name: made\n", ""), r"name: Field required"),
        (MINIMAL.replace("url: http://made.test/\n", ""), r"url: Field required"),
        (MINIMAL.replace("tasks: {go: {goals: [Go], check: done}}", "tasks: {}"), "at least 1"),
        (MINIMAL.replace("[Go]", "[]"), r"tasks\.go\.goals: .*at least 1"),
        (MINIMAL.replace("[Go]", "Go"), r"tasks\.go\.goals: .*valid list"),
        (
            MINIMAL.replace("check: done", "check: done, step_limit: 0"),
            "greater than or equal to 1",
        ),
        (f"width: wide\n{MINIMAL}", "width: .*valid integer"),
        (f"height: 0\n{MINIMAL}", "height: .*greater than or equal to 1"),
        (f"sedes: {{train: 3}}\n{MINIMAL}", "sedes: Extra inputs"),
        (f"seeds: {{trian: 3}}\n{MINIMAL}", "a split is one of train, val, test, unseen"),
        (f"seeds: {{train: -1}}\n{MINIMAL}", "got train: -1"),
        (MINIMAL.replace("check: done", "check: done, check_python: a:b"), "either check or"),
        (MINIMAL.replace("[Go]", "['Go {']"), "has no value for"),
        (MINIMAL.replace("[Go]", "['Go {}']"), "has no value for"),
        (MINIMAL.replace("check: done", "check_python: checks"), "MODULE:FUNCTION"),
        (MINIMAL.replace("check: done", "check_python: broken:f"), "cannot be imported: .*boom"),
        (MINIMAL.replace("check: done", "check_python: checks:NUMBER"), "has no function 'NUMBER'"),
    ],
)
def test_every_mistake_is_told_in_its_own_words(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "checks.py").write_text("NUMBER = 3\n")
    (tmp_path / "broken.py").write_text("raise RuntimeError('boom')\n")
    with pytest.raises(ConfigError, match=message):
        read_suite(write(tmp_path, text))


def test_all_mistakes_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, "width: wide\nheight: tall\n")
    with pytest.raises(ConfigError) as told:
        read_suite(path)
    lines = str(told.value).splitlines()
    assert len(lines) == 5
    assert all(line.startswith(f"{path}: ") for line in lines)


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "suite.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_suite(str(path))
