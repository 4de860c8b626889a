from __future__ import annotations

from pathlib import Path

import pytest

from distrl.errors import ConfigError
from distrl.tasks.leak_check import check_leaks
from distrl.tasks.suites import load_suite
from distrl.tasks.web.described import read_suite
from distrl.tasks.web.suite import PageSuite
from distrl.types import Kind

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "webapp" / "suite.yaml"

SUITE = """
name: made
url: http://made.test/
folder: app
tasks:
  add:
    goals: ["Add {item}", "We need {item}"]
    choices: {item: [tea, "it's \\"salt\\""]}
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
        (("goals: [", "goals: [["), "is not YAML"),
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
    assert "ended:success&&true" in page.check_script


def test_a_check_that_throws_on_the_page_is_told_and_not_taken_for_false(tmp_path: Path) -> None:
    suite = read_suite(write(tmp_path, MINIMAL))
    page = suite.page("go")
    assert "error:String(error)" in page.check_script
    assert "Boolean(done)" in page.check_script
    assert page.site_of(suite.tasks("val")[0]).probe.endswith('({"SEED": 1000000, "SPLIT": "val"})')


def test_the_line_of_each_check_is_known(tmp_path: Path) -> None:
    assert read_suite(write(tmp_path, SUITE)).page("add").where == "suite.yaml, line 9"
    assert read_suite(write(tmp_path, MINIMAL)).page("go").where == "suite.yaml, line 3"


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
        'choices: {item: [tea, "it\'s \\"salt\\""]}', "choices: {item: [a, b], n: ['1', '2']}"
    )
    text = text.replace('"We need {item}"', '"We need {n} {item}"')
    goals = {task.goal for task in read_suite(write(tmp_path, text)).tasks("train")}
    assert goals == {"Add a", "Add b", *(f"We need {n} {item}" for n in "12" for item in "ab")}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "keys and values"),
        ("- a\n- b\n", "keys and values"),
        (MINIMAL.replace("name: made\n", ""), "name is missing"),
        (MINIMAL.replace("url: http://made.test/\n", ""), "url is missing"),
        (
            MINIMAL.replace("tasks: {go: {goals: [Go], check: done}}", "tasks: {}"),
            "tasks must not be empty",
        ),
        (MINIMAL.replace("[Go]", "[]"), r"tasks\.go\.goals must not be empty"),
        (MINIMAL.replace("[Go]", "Go"), r"tasks\.go\.goals must be a list; got 'Go'"),
        (
            MINIMAL.replace("check: done", "check: done, step_limit: 0"),
            "greater than or equal to 1",
        ),
        (f"width: wide\n{MINIMAL}", "width must be a whole number; got 'wide'"),
        (f"height: 0\n{MINIMAL}", "height must be greater than or equal to 1; got 0"),
        (f"sedes: {{train: 3}}\n{MINIMAL}", "unknown key 'sedes'; did you mean 'seeds'"),
        (f"seeds: {{trian: 3}}\n{MINIMAL}", "a split is one of train, val, test, unseen"),
        (f"seeds: {{train: -1}}\n{MINIMAL}", "got train: -1"),
        (MINIMAL.replace("check: done", "check: done, check_python: a:b"), "either check or"),
        (MINIMAL.replace("[Go]", "['Go {']"), r"\.yaml: the goal 'Go {' .* cannot be filled in"),
        (
            MINIMAL.replace("[Go], check", "['Go {x.y}'], choices: {x: [a]}, check"),
            "cannot be filled in",
        ),
        (MINIMAL.replace("[Go]", "['']"), "a goal of the task 'go' is empty"),
        (f"{MINIMAL}serve: python -c 'x\n", r"\.yaml: serve is no command .No closing"),
        (f"{MINIMAL}width: 300\nwidth: 400\n", "'width' stands twice"),
        (MINIMAL.replace("[Go]", "['Go {}']"), r"\.yaml: a goal .* has no value for"),
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


ITEMS = [f"item {number}" for number in range(40)]


def _with_values(folder: Path, values: str, more: str = "") -> str:
    text = SUITE.replace('choices: {item: [tea, "it\'s \\"salt\\""]}', f"values: {{{values}}}")
    return write(folder, more + text)


def _items(suite: PageSuite, split: str) -> set[object]:
    return {task.parameters["item"] for task in suite.tasks(split)}


def test_no_two_splits_share_a_value_and_none_is_left_out(tmp_path: Path) -> None:
    enough = "seeds: {train: 100, val: 50, test: 50}\n"
    suite = read_suite(_with_values(tmp_path, f"item: [{', '.join(ITEMS)}]", enough))
    shares = [_items(suite, split) for split in ("train", "val", "test")]
    assert all(shares)
    assert sum(map(len, shares)) == len(set().union(*shares)) == len(ITEMS)
    assert [report for report in check_leaks([suite]) if report.leaks] == []
    for task in suite.tasks("val"):
        assert str(task.parameters["item"]) in task.goal
    more = read_suite(_with_values(tmp_path, f"item: [{', '.join([*ITEMS, 'tea'])}]", enough))
    assert _items(suite, "train") <= _items(more, "train")


def test_a_file_may_say_which_split_has_which_value(tmp_path: Path) -> None:
    said = "item: {train: [a, b], val: [c], test: [d]}"
    suite = read_suite(_with_values(tmp_path, said))
    assert [_items(suite, split) for split in ("train", "val", "test")] == [
        {"a", "b"},
        {"c"},
        {"d"},
    ]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            "item: [anna, ben, cleo]",
            r"no value of add\.item is left for .*\{train: \[anna\], val: \[cleo\], test: \[ben",
        ),
        ("item: [anna]", r"\{train: \[\.\.\.\], val: \[anna\], test: \[\.\.\.\]\}"),
        ("item: {train: [a], val: [b]}", r"is left for test"),
        ("item: {train: [a], val: [b], test: [A]}", "'a' of add.item stands there twice"),
        ("item: {train: [a], vall: [b]}", r"unknown split of add\.item 'vall'; did you mean 'val'"),
        (
            "item: {train: [a], val: [b], test: [c]}}\n    choices: {item: [d]",
            "in values and in choices",
        ),
    ],
)
def test_values_that_cannot_be_divided_are_refused(
    tmp_path: Path, values: str, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        read_suite(_with_values(tmp_path, values))


def test_a_split_without_tasks_needs_no_values(tmp_path: Path) -> None:
    suite = read_suite(_with_values(tmp_path, "item: [anna, ben]", "seeds: {train: 4}\n"))
    assert _items(suite, "train") == {"anna", "ben"}


def test_without_values_val_and_test_have_a_wording_of_their_own(tmp_path: Path) -> None:
    suite = read_suite(write(tmp_path, MINIMAL.replace("[Go]", "[Go, Run, Walk, March]")))
    goals = [{task.goal for task in suite.tasks(split)} for split in ("train", "val", "test")]
    assert goals == [{"Go", "Run"}, {"Walk"}, {"March"}]
    assert [report for report in check_leaks([suite]) if report.leaks] == []


def test_a_goal_that_all_splits_share_is_told_as_a_leak(tmp_path: Path) -> None:
    suite = read_suite(write(tmp_path, MINIMAL))
    leaks = {(r.first, r.second): r.goals for r in check_leaks([suite]) if r.leaks}
    assert leaks == dict.fromkeys([("train", "val"), ("train", "test"), ("val", "test")], ("go",))


def test_the_example_has_no_leaks() -> None:
    assert [r for r in check_leaks([read_suite(str(EXAMPLE))]) if r.leaks] == []


def test_a_suite_that_is_not_finished_is_told_what_is_missing(tmp_path: Path) -> None:
    half = "name: half\ntasks: {add: {goals: [Go], chek: done}}\n"
    with pytest.raises(ConfigError) as raised:
        load_suite(str(write(tmp_path, half)))
    assert "url is missing" in str(raised.value)
    assert "unknown key 'tasks.add.chek'; did you mean 'tasks.add.check'" in str(raised.value)


ASKING = """
name: counting
url: http://127.0.0.1:8123/
tasks:
  count:
    goals: ["How many {item} are there?"]
    choices: {item: [tea, salt]}
    answer: "3 {item}"
"""


def test_a_task_may_ask_for_an_answer_and_needs_no_check_then(tmp_path: Path) -> None:
    suite = read_suite(write(tmp_path, ASKING))
    assert suite.page("count").answer == "3 {item}"
    assert Kind.ANSWER in suite.kinds
    assert "Boolean(true)" in suite.page("count").check_script


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("3 {item}", "3 {kind}"), "does not fit its values"),
        (("3 {item}", "3 {"), "does not fit its values"),
        (('"3 {item}"', '"3"\n    ends: true'), "cannot end it"),
        (('"3 {item}"', '""'), "answer"),
    ],
)
def test_an_answer_that_cannot_be_is_told(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        read_suite(write(tmp_path, ASKING.replace(*change)))
