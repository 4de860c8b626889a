from __future__ import annotations

from pathlib import Path

import pytest

from distrl.devices.phone.adbd.system import AndroidSystem
from distrl.devices.phone.device import PhoneDevice, PhoneSettings
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
        device = PhoneDevice("phone", PhoneSettings(nuisance_rate=0.0))
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
        ("tasks: [{goal: a, chek: []}]", "chek"),
        ("tasks: [{goal: a, split: tain}]", "did you mean 'train'"),
        ("tasks: [{goal: a, check: [{}]}]", "must be one of"),
        ("tasks: [{goal: a, check: [{app: x, file: y}]}]", "must be one of"),
        ("tasks: [{goal: a, check: [{setting: wifi}]}]", "a dot and its name"),
        ("{", "does not fit"),
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
