from __future__ import annotations

from pathlib import Path

import pytest

from distrl.config.devices import PhoneConfig
from distrl.devices.phone.adbd.system import AndroidSystem
from distrl.devices.phone.device import PhoneDevice
from distrl.errors import ConfigError, TaskError
from distrl.tasks.android import AndroidReferee, AndroidSuite, Check, holds, read_suite, unjudged
from distrl.tasks.suites import find_task, is_file, load_suite
from distrl.types import Kind, Outcome

SUITE = """
step_limit: 9
tasks:
  - goal: Turn Bluetooth on
    start:
      settings: {global.bluetooth_on: "0"}
      stop: [org.distrl.phone.clock]
      app: org.distrl.phone.settings
    check:
      - setting: global.bluetooth_on
        is: "1"
  - goal: Open the clock
    split: val
    step_limit: 4
    check:
      - app: org.distrl.phone.clock
      - package: org.distrl.phone.clock
      - package: no.such.app
        installed: false
      - file: /sdcard/note.txt
        contains: hello
"""


class SystemPhone:
    """A served phone without the cable."""

    def __init__(self) -> None:
        device = PhoneDevice("phone", PhoneConfig(nuisance_rate=0.0))
        self.system = AndroidSystem(device, serial="x", scale=1)

    def _say(self, line: str) -> str:
        done = self.system.run(line)
        assert done.code == 0, done
        return done.stdout.decode().strip()

    def reset(self, seed: int) -> None:
        self.system.device.reset(seed)

    def setting(self, space: str, name: str) -> str:
        return self._say(f"settings get {space} {name}")

    def current_app(self) -> str:
        return self._say("dumpsys window | grep mFocusedApp").split("/")[0].split()[-1]

    def packages(self) -> frozenset[str]:
        return frozenset(line[8:] for line in self._say("pm list packages").splitlines())

    def read_file(self, path: str) -> bytes | None:
        return self.system.storage.read(path)

    def put_setting(self, space: str, name: str, value: str) -> None:
        self._say(f"settings put {space} {name} {value}")

    def start_app(self, package: str) -> None:
        self._say(f"monkey -p {package} 1")

    def stop_app(self, package: str) -> None:
        self._say(f"am force-stop {package}")


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "goals.yaml"
    file.write_text(SUITE)
    return str(file)


def test_goals_are_tasks_of_their_splits(path: str) -> None:
    suite = read_suite(path)
    (train,), (val,) = suite.tasks("train"), suite.tasks("val")
    assert (train.goal, train.step_limit) == ("Turn Bluetooth on", 9)
    assert (val.goal, val.step_limit) == ("Open the clock", 4)
    assert train.seed != val.seed
    assert suite.tasks("test") == ()
    assert is_file(path)
    assert load_suite(path) is load_suite(path)


def test_goal_is_posed_and_judged(path: str) -> None:
    phone = SystemPhone()
    referee = AndroidReferee(phone, phone.reset, load_suite)
    phone.put_setting("global", "bluetooth_on", "1")
    (task,) = load_suite(path).tasks("train")
    referee.begin(task)
    assert phone.setting("global", "bluetooth_on") == "0"
    assert phone.current_app() == "org.distrl.phone.settings"
    outcome = referee.outcome(Kind.COMPLETE)
    assert outcome is Outcome.FALSE_COMPLETE
    assert "not so: setting global.bluetooth_on is 1" in referee.verdict(outcome).reason
    phone.put_setting("global", "bluetooth_on", "1")
    outcome = referee.outcome(Kind.COMPLETE)
    assert outcome is Outcome.SUCCEEDED
    assert referee.verdict(outcome).success
    assert referee.outcome(Kind.TAP) is Outcome.STEP_LIMIT
    assert referee.outcome(Kind.INFEASIBLE) is Outcome.FAILED


def test_all_checks_must_hold(path: str) -> None:
    phone = SystemPhone()
    referee = AndroidReferee(phone, phone.reset, load_suite)
    (task,) = load_suite(path).tasks("val")
    referee.begin(task)
    phone.start_app("org.distrl.phone.clock")
    outcome = referee.outcome(Kind.COMPLETE)
    assert referee.verdict(outcome).reason == ("false_complete; not so: file /sdcard/note.txt")
    phone.system.storage.write("/sdcard/note.txt", b"say hello")
    assert referee.outcome(Kind.COMPLETE) is Outcome.SUCCEEDED


def test_each_check_can_fail() -> None:
    phone = SystemPhone()
    wrong = (
        Check(setting="global.wifi_on", is_="0"),
        Check(app="x"),
        Check(package="x"),
        Check(package="org.distrl.phone.clock", installed=False),
        Check(file="/x"),
    )
    assert not any(holds(check, phone) for check in wrong)
    assert len({str(check) for check in wrong}) == len(wrong)


def test_goals_of_a_text_file_have_no_verdict(tmp_path: Path) -> None:
    file = tmp_path / "goals.txt"
    file.write_text("# mine\nOpen the clock\n\nTake a photo\n")
    suite = read_suite(str(file))
    assert unjudged(suite, "train") == ("Open the clock", "Take a photo")
    assert unjudged(load_suite("general"), "train") == ()
    phone = SystemPhone()
    referee = AndroidReferee(phone, phone.reset, lambda _: suite)
    referee.begin(suite.tasks("train")[0])
    with pytest.raises(TaskError, match="it has no check"):
        referee.outcome(Kind.COMPLETE)
    assert referee.outcome(Kind.TAP) is Outcome.STEP_LIMIT


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tasks: []", "no goals"),
        ("tasks: [{goal: 3}]", "does not fit"),
        ("tasks: [{goal: a, chek: []}]", r"'chek'; did you mean 'check'\? \(allowed: check, goal"),
        ("tasks: [{goal: ' '}]", "is empty"),
        ("tasks: [{goal: a, check: [{ap: x}]}]", r"'ap'; did you mean 'app'\? .*setting\)"),
        ("tasks: [{goal: a}]\ntasks: []", "'tasks' stands twice"),
        ("tasks: [{goal: a, split: tain}]", "did you mean 'train'"),
        ("tasks: [{goal: a, check: [{}]}]", "must be one of"),
        ("tasks: [{goal: a, check: [{app: x, file: y}]}]", "must be one of"),
        ("tasks: [{goal: a, check: [{setting: wifi}]}]", "a dot and its name"),
        ("{", "is not YAML"),
        ("", "must hold keys and values"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "goals.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=said):
        read_suite(str(file))


def test_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"missing\.yaml"):
        load_suite(str(tmp_path / "missing.yaml"))


def test_tasks_of_other_suites_are_refused(path: str) -> None:
    phone = SystemPhone()
    referee = AndroidReferee(phone, phone.reset, load_suite)
    with pytest.raises(TaskError, match="not a file of goals"):
        referee.begin(find_task("general/val/0"))
    with pytest.raises(TaskError, match="no task"):
        AndroidReferee(phone, phone.reset, load_suite).outcome(Kind.COMPLETE)
    assert isinstance(load_suite(path), AndroidSuite)


@pytest.mark.parametrize(
    ("check", "said"),
    [
        (Check(setting="global.wifi_on", is_="1"), "setting global.wifi_on is 1"),
        (Check(app="org.x"), "app org.x in front"),
        (Check(package="org.x"), "package org.x"),
        (Check(package="org.x", installed=False), "package org.x is not installed"),
        (Check(file="/sdcard/a"), "file /sdcard/a"),
    ],
)
def test_a_check_says_what_it_looks_at(check: Check, said: str) -> None:
    assert str(check) == said


class FixedPhone(SystemPhone):
    """A phone of which everything that a check asks for is known."""

    def __init__(self, file: bytes | None = None) -> None:
        self._file = file

    def setting(self, space: str, name: str) -> str:
        return {"global.wifi_on": "1"}.get(f"{space}.{name}", "null")

    def current_app(self) -> str:
        return "org.front"

    def packages(self) -> frozenset[str]:
        return frozenset({"org.front", "org.back"})

    def read_file(self, path: str) -> bytes | None:
        return self._file


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        (Check(setting="global.wifi_on", is_="1"), True),
        (Check(setting="global.wifi_on", is_="0"), False),
        (Check(setting="secure.wifi_on", is_="1"), False),
        (Check(setting="global.none", is_="null"), True),
        (Check(app="org.front"), True),
        (Check(app="org.back"), False),
        (Check(package="org.back"), True),
        (Check(package="org.back", installed=False), False),
        (Check(package="org.gone"), False),
        (Check(package="org.gone", installed=False), True),
    ],
)
def test_a_check_holds_only_where_it_is_so(check: Check, expected: bool) -> None:
    assert holds(check, FixedPhone()) is expected


@pytest.mark.parametrize(
    ("content", "contains", "expected"),
    [
        (None, "", False),
        (b"", "", True),
        (b"say hello", "hello", True),
        (b"say Hello", "hello", False),
        ("grüße".encode(), "grüße", True),
        (b"\xff\xfe", "x", False),
    ],
)
def test_a_file_must_be_there_with_the_text_in_it(
    content: bytes | None, contains: str, expected: bool
) -> None:
    assert holds(Check(file="/a", contains=contains), FixedPhone(content)) is expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "must hold keys and values"),
        ("step_limit: 3", "tasks"),
        ("tasks: [{split: train}]", "goal"),
        ("tasks: [{goal: a, step_limit: many}]", "step_limit"),
        ("tasks: [{goal: a, start: {apps: x}}]", r"start 'apps'; did you mean 'app'\? .*stop\)"),
        ("tasks: [{goal: a, start: {settings: {wifi: '1'}}}]", "a dot and its name"),
        ("tasks: [{goal: a, start: {settings: {remote.wifi: '1'}}}]", "global or secure or system"),
        ("tasks: [{goal: a, check: [{setting: global.wifi on}]}]", "a dot and its name"),
        ("tasks: [{goal: a, check: [{installed: false}]}]", "must be one of"),
        ("steps: 3\ntasks: [{goal: a}]", r"'steps'; .*step_limit, tasks\)"),
    ],
)
def test_more_that_does_not_fit_is_refused_and_named(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "goals.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=said):
        read_suite(str(file))


def test_a_text_file_without_goals_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "goals.txt"
    file.write_text("# nothing yet\n\n")
    with pytest.raises(ConfigError, match="no goals"):
        read_suite(str(file))


def test_goals_without_a_step_limit_have_the_file_s_or_the_usual_one(tmp_path: Path) -> None:
    file = tmp_path / "goals.yaml"
    file.write_text("tasks: [{goal: a}, {goal: b, step_limit: 3}]")
    assert [task.step_limit for task in read_suite(str(file)).tasks("train")] == [15, 3]
    file.write_text("step_limit: 7\ntasks: [{goal: a}, {goal: b, step_limit: 3}]")
    assert [task.step_limit for task in read_suite(str(file)).tasks("train")] == [7, 3]


def test_a_goal_may_ask_for_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "asked.yaml"
    path.write_text(
        "tasks:\n  - goal: When does the alarm ring?\n    check:\n      - answer: 7:30 PM\n"
    )
    suite = load_suite(str(path))
    assert Kind.ANSWER in suite.kinds
    phone = SystemPhone()
    referee = AndroidReferee(phone, phone.reset, load_suite)
    (task,) = suite.tasks("train")
    referee.begin(task)
    assert referee.answered("At 19:30.") is Outcome.SUCCEEDED
    outcome = referee.answered("8 PM")
    assert outcome is Outcome.FALSE_COMPLETE
    assert "not so: answer 7:30 PM" in referee.verdict(outcome).reason
    assert referee.outcome(Kind.COMPLETE) is Outcome.FALSE_COMPLETE
