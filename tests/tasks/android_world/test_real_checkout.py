"""AndroidWorld's own task classes on a device in memory.

They run where there is a checkout, whose folder DISTRL_ANDROID_WORLD names, and what it imports.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from datetime import date, datetime
from datetime import time as clock_time
from importlib.util import find_spec
from typing import Any, cast

import pytest
from tests.tasks.android_world.conftest import forget
from tests.tasks.android_world.fake_android import FakeAndroid, FakeDevice, screen_with
from tests.tasks.android_world.installed_apps import install_apps

from distrl.devices.android.device import AndroidDevice
from distrl.tasks.android_world import referee as referees
from distrl.tasks.android_world.referee import AndroidWorldReferee
from distrl.tasks.android_world.suite import REFUSED, AndroidWorldSuite, seed_of
from distrl.tasks.suites import load_suite
from distrl.types import Kind, Outcome, Task

VARIABLE = "DISTRL_ANDROID_WORLD"
WHERE = os.environ.get(VARIABLE, "")
pytestmark = [
    pytest.mark.skipif(not WHERE, reason=f"{VARIABLE} names no checkout of AndroidWorld"),
    pytest.mark.skipif(not find_spec("android_env"), reason="android-env is not installed"),
    # Of what its tasks import, and of the places that they leave open.
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.timeout(600),
]

HOLD_AT_ONCE = {
    "RecipeDeleteMultipleRecipesWithConstraint",  # where no recipe has the ingredient
    *("SystemBluetoothTurnOffVerify", "SystemBluetoothTurnOnVerify"),
    *("SystemBrightnessMaxVerify", "SystemBrightnessMinVerify"),
    *("SystemWifiTurnOffVerify", "SystemWifiTurnOnVerify"),
}
"""Tasks of `test` that are done before anything was done: most say so by their names."""
_FFMPEG = (
    '#!/bin/sh\nwhile [ "$#" -gt 1 ]; do [ "$1" = -i ] && in="$2"; shift; done\ncp "$in" "$1"\n'
)
"""Stands in for an encoder: what it makes sounds like what it was given."""


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AndroidWorldSuite]:
    folder = tmp_path_factory.mktemp("bin")
    (folder / "ffmpeg").write_text(_FFMPEG)
    (folder / "ffmpeg").chmod(0o755)
    forget()
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PATH", f"{folder}:{os.environ['PATH']}")
        found = load_suite(f"androidworld:{WHERE}")
        assert isinstance(found, AndroidWorldSuite)
        yield found
    forget()


@pytest.fixture(autouse=True)
def _without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    # Its code waits for apps by the clock; this device's apps are always done.
    monkeypatch.setattr(time, "sleep", lambda seconds: None)


class Game:
    """A task that was set up on a device of its own."""

    def __init__(self, suite: AndroidWorldSuite, task: Task) -> None:
        self.phone = FakeAndroid()
        install_apps(self.phone, suite.checkout)
        device = cast(AndroidDevice, FakeDevice(self.phone))
        self.referee = AndroidWorldReferee(device, load_suite)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(referees, "tell_console", self.phone.console)
            self.referee.begin(task)

    @property
    def task(self) -> Any:
        return self.referee._task


def test_all_of_its_tasks_are_there(suite: AndroidWorldSuite) -> None:
    assert len(suite.checkout.classes) == 116
    assert set(suite.checkout.classes) == {*suite.templates, *REFUSED}


def test_every_task_is_set_up_and_judged(suite: AndroidWorldSuite) -> None:
    held = set()
    for task in suite.tasks("test"):
        game = Game(suite, task)
        game.phone.on_start("whatever is needed")  # an app that was never opened keeps nothing
        outcome = game.referee.outcome(Kind.COMPLETE)
        assert game.phone.unknown == [], task.template
        assert outcome in (Outcome.SUCCEEDED, Outcome.FALSE_COMPLETE)
        if outcome is Outcome.SUCCEEDED:
            held.add(task.template)
    assert held == HOLD_AT_ONCE


def put(phone: FakeAndroid, space: str, key: str, value: str) -> None:
    phone.settings[space, key] = value


def send(phone: FakeAndroid, number: str, text: str) -> None:
    phone.messages.insert(0, ("sent", number, text))
    phone.top = "com.simplemobiletools.smsmessenger/.Main"


def delete_rows(phone: FakeAndroid, task: Any) -> None:
    """Delete the rows that a task is about, as its app would."""
    phone.on_start(task.app_name_with_db)
    for row in task.params["row_objects"]:
        title = getattr(row, "title", None) or row.name
        column = "title" if hasattr(row, "title") else "name"
        quoted = title.replace("'", "''")
        phone.sql(task.db_path, f"DELETE FROM {task.table_name} WHERE {column} = '{quoted}'")  # noqa: S608


def show(phone: FakeAndroid, app: str, *texts: str) -> None:
    phone.top, phone.screen = app, screen_with(*texts)


def write(phone: FakeAndroid, task: Any, folder: str, text: str = "x") -> None:
    phone.write(f"{folder}/{task.params.get('file_name', 'new')}", text.encode())


SD = "/storage/emulated/0"
MARKOR = f"{SD}/Documents/Markor"
DEEDS: dict[str, Callable[[FakeAndroid, Any], None]] = {
    "SystemWifiTurnOn": lambda phone, _: put(phone, "global", "wifi_on", "1"),
    "SystemWifiTurnOff": lambda phone, _: put(phone, "global", "wifi_on", "0"),
    "SystemBluetoothTurnOn": lambda phone, _: put(phone, "global", "bluetooth_on", "1"),
    "SystemBrightnessMax": lambda phone, _: put(phone, "system", "screen_brightness", "255"),
    "SimpleSmsSend": lambda phone, t: send(phone, t.params["number"], t.params["message"]),
    "SimpleSmsReply": lambda phone, t: send(phone, t.params["number"], t.params["message"]),
    "ContactsAddContact": lambda phone, t: phone.contacts.append(
        (t.params["name"], t.params["number"])
    ),
    "CameraTakePhoto": lambda phone, t: write(phone, t, f"{SD}/Pictures"),
    "CameraTakeVideo": lambda phone, t: write(phone, t, f"{SD}/Movies"),
    "FilesDeleteFile": lambda phone, t: phone.remove(
        f"{SD}/{t.params['subfolder']}/{t.params['file_name']}"
    ),
    "MarkorCreateNote": lambda phone, t: write(phone, t, MARKOR, t.params["text"]),
    "MarkorCreateFolder": lambda phone, t: phone.make(f"{MARKOR}/{t.params['folder_name']}"),
    "MarkorDeleteNote": lambda phone, t: phone.remove(f"{MARKOR}/{t.params['file_name']}"),
    "MarkorDeleteAllNotes": lambda phone, _: phone.empty(MARKOR),
    "SystemCopyToClipboard": lambda phone, t: setattr(
        phone, "clipboard", t.params["clipboard_content"]
    ),
    "RecipeDeleteSingleRecipe": delete_rows,
    "RecipeDeleteMultipleRecipes": delete_rows,
    "ExpenseDeleteSingle": delete_rows,
    "SimpleCalendarDeleteOneEvent": delete_rows,
    "BrowserMaze": lambda phone, _: show(phone, "com.android.chrome/.Main", "Success!"),
    "OpenAppTaskEval": lambda phone, t: show(
        phone, {"camera": "com.android.camera2"}.get(t.params["app_name"], "?") + "/.Main"
    ),
}
"""What an agent would have made of the phone, had it done what was asked."""


@pytest.mark.parametrize("name", sorted(DEEDS))
def test_a_task_that_was_done_succeeds(suite: AndroidWorldSuite, name: str) -> None:
    tasks = [task for task in suite.tasks("train") if task.template == name]
    if name == "OpenAppTaskEval":
        tasks = [task for task in tasks if "camera" in task.goal.lower()]
    game = Game(suite, tasks[0])
    DEEDS[name](game.phone, game.task)
    assert game.referee.outcome(Kind.COMPLETE) is Outcome.SUCCEEDED
    assert game.phone.unknown == []


def test_every_question_is_answered_by_what_its_own_task_expects(suite: AndroidWorldSuite) -> None:
    retrieval = "task_evals.information_retrieval"
    protos = suite.checkout.module(f"{retrieval}.proto_utils")
    dates = suite.checkout.module(f"{retrieval}.datetime_utils").DATE_FORMAT
    asked = [task for task in suite.tasks("test") if task.template in suite.checkout.questions]
    assert len(asked) == 25
    for task in asked:
        game = Game(suite, task)
        answer = ", ".join(_said(one, dates) for one in protos.get_expected_answer(game.task.task))
        assert game.referee.answered(answer) is Outcome.SUCCEEDED, (task.template, answer)
        wrong = Game(suite, task)
        assert wrong.referee.answered("no such thing 987654") is Outcome.FALSE_COMPLETE


def _said(expected: Any, dates: str) -> str:
    """An expected answer in the form that goals ask for."""
    styles = {datetime: f"{dates} %H:%M", date: dates, clock_time: "%H:%M"}
    style = styles.get(type(expected))
    return str(expected) if style is None else str(expected.strftime(style))


def test_parameters_are_those_of_its_own_suite(suite: AndroidWorldSuite) -> None:
    suites = pytest.importorskip("pandas") and suite.checkout.module("suite_utils")
    # Made after ours, so that its module is not among those that were given numbers of their own.
    suites.random = suite.checkout.module("task_evals.task_eval").random
    own = suites.create_suite(dict(suite.checkout.classes), 1, seed=30)
    moment = {"MarkorCreateFolder"}  # named after the time of day
    for task in suite.tasks("test"):
        if task.template not in moment:
            expected = own[task.template][0]
            made = suite.checkout.instance(task.template, seed_of(task))
            assert task.goal == made.goal == expected.goal
            assert made.params == expected.params
