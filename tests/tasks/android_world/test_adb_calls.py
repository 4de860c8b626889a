from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.tasks.android_world.fake_android import FakeAndroid

from distrl.devices.fault_causes import Cause, DeviceFault
from distrl.errors import ConfigError, DeviceError
from distrl.tasks.android_world.adb_calls import AdbCalls


class Asked:
    """Calls on one phone, and what was asked beside its shell."""

    def __init__(self, phone: FakeAndroid) -> None:
        self.roots: list[float] = []
        self.calls = AdbCalls(phone, become_root=self.roots.append, tell_console=phone.console)

    def __call__(self, *words: str) -> bytes:
        said: bytes = self.calls.execute_adb_call(SimpleNamespace(words=list(words)))
        return said


@pytest.fixture
def phone() -> FakeAndroid:
    return FakeAndroid()


@pytest.fixture
def adb(small: str, phone: FakeAndroid) -> Asked:
    return Asked(phone)


@pytest.fixture
def failure(adb: Asked) -> type[Exception]:
    """What a command that fails raises, as in android_env."""
    from android_env.components.errors import AdbControllerError

    chosen: type[Exception] = AdbControllerError
    return chosen


def test_a_line_reaches_the_phones_shell_as_it_is(adb: Asked, phone: FakeAndroid) -> None:
    adb("shell", "echo", "'two  words'", ">", "/sdcard/a")
    assert phone.lines == ["echo 'two  words' > /sdcard/a"]
    assert adb("shell", "cat /sdcard/a | grep two") == b"two  words\n"


def test_a_program_that_fails_is_the_error_that_tasks_expect(
    adb: Asked, failure: type[Exception]
) -> None:
    with pytest.raises(failure, match=r"adb shell cat /none ended with 1: .*No such file"):
        adb("shell", "cat", "/none")
    assert adb.calls.take_fault() is None


def test_files_are_pushed_and_pulled(adb: Asked, phone: FakeAndroid, tmp_path: Path) -> None:
    here, back = tmp_path / "here", tmp_path / "back"
    here.write_bytes(b"\0\xff")
    adb("push", str(here), "/sdcard/new/folder/file")
    assert phone.files["/storage/emulated/0/new/folder/file"] == b"\0\xff"
    adb("pull", "/sdcard/new/folder/file", str(back))
    assert back.read_bytes() == b"\0\xff"


def test_a_file_that_is_not_there_is_the_tasks_error(
    adb: Asked, failure: type[Exception], tmp_path: Path
) -> None:
    with pytest.raises(failure, match="pull of /none"):
        adb("pull", "/none", str(tmp_path / "back"))


def test_root_is_asked_for_with_a_deadline(adb: Asked) -> None:
    assert adb("root") == b""
    assert adb.roots == [120.0]


def test_the_console_hears_one_command_whatever_is_in_it(adb: Asked, phone: FakeAndroid) -> None:
    adb("emu", "sms", "send", "123", "Hello\nkill")
    assert phone.messages == [("inbox", "123", "Hello kill")]


def test_what_the_console_refuses_is_the_tasks_error(adb: Asked, failure: type[Exception]) -> None:
    with pytest.raises(failure, match="the console of emulator-5586 says KO: unknown command gsm"):
        adb("emu", "gsm", "call", "123", "now")


@pytest.mark.parametrize("serial", ["R58N", "10.0.0.1:5555", "emulator-x"])
def test_only_emulators_have_a_console(small: str, serial: str) -> None:
    adb = Asked(FakeAndroid(serial))
    with pytest.raises(Exception, match=f"{serial} has no console that could be told sms send"):
        adb("emu", "sms", "send", "123", "Hello")


@pytest.mark.parametrize("words", [("install", "an.apk"), ("reboot",), ("kill-server",), ()])
def test_other_commands_of_adb_are_refused(
    adb: Asked, failure: type[Exception], words: tuple[str, ...]
) -> None:
    with pytest.raises(failure, match="a task may not use `adb"):
        adb(*words)


def test_a_phone_that_is_gone_is_a_fault_and_is_remembered(adb: Asked, phone: FakeAndroid) -> None:
    phone.faults["whoami"] = DeviceFault(Cause.OFFLINE, "gone")
    phone.faults["date"] = DeviceFault(Cause.TIMEOUT, "later")
    for line in ("whoami", "date"):
        with pytest.raises(DeviceFault):
            adb("shell", line)
    first = adb.calls.take_fault()
    assert first is not None
    assert first.cause is Cause.OFFLINE
    assert adb.calls.take_fault() is None


def test_a_refusal_of_the_phone_is_no_fault(
    adb: Asked, phone: FakeAndroid, failure: type[Exception]
) -> None:
    phone.faults["date"] = DeviceError("no")
    with pytest.raises(failure, match="no"):
        adb("shell", "date")
    assert adb.calls.take_fault() is None


def test_a_step_is_a_look_at_the_screen(adb: Asked) -> None:
    looks: list[Any] = [adb.calls.step({"action_type": 3}), adb.calls.reset()]
    assert [look.observation["pixels"].shape for look in looks] == [(1, 1, 3)] * 2


def test_without_android_env_it_says_what_to_install(
    alone: None, monkeypatch: pytest.MonkeyPatch, phone: FakeAndroid
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "android_env", None)
    with pytest.raises(ConfigError, match=r"pip install 'distrl\[android-world\]'"):
        Asked(phone)
