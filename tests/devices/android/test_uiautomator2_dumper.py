from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from types import ModuleType

import pytest
from tests.devices.adb_tools import needs_adbutils, own_server, served

from distrl.config.devices import AndroidConfig
from distrl.devices.android.adb import Adb
from distrl.devices.android.device import AndroidDevice
from distrl.devices.android.uiautomator2_dumper import Uiautomator2
from distrl.devices.fault_causes import Cause, DeviceFault
from distrl.devices.phone.adbd.programs import dump
from distrl.errors import ConfigError


class FakeU2(ModuleType):
    """The module, with a phone behind it that says what it is told to."""

    def __init__(self) -> None:
        super().__init__("uiautomator2")
        self.says = "<hierarchy/>"
        self.wrong: Exception | None = None
        self.answers = threading.Event()
        self.answers.set()
        self.connected: list[object] = []

    def connect(self, device: object) -> FakeU2:
        self.connected.append(device)
        return self

    def dump_hierarchy(self) -> str:
        self.answers.wait()
        if self.wrong is not None:
            raise self.wrong
        return self.says


class FakeClient:
    def __init__(self, host: str, port: int) -> None:
        self._port = port

    def device(self, serial: str) -> tuple[int, str]:
        return self._port, serial


@pytest.fixture
def u2(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeU2]:
    fake = FakeU2()
    monkeypatch.setitem(sys.modules, "uiautomator2", fake)
    yield fake
    fake.answers.set()


@pytest.fixture
def reader(u2: FakeU2, monkeypatch: pytest.MonkeyPatch) -> Uiautomator2:
    adbutils = ModuleType("adbutils")
    monkeypatch.setattr(adbutils, "AdbClient", FakeClient, raising=False)
    monkeypatch.setitem(sys.modules, "adbutils", adbutils)
    return Uiautomator2(Adb(port=5999).phone("R58N"))


def test_hierarchies_are_read_over_one_connection_to_the_named_server(
    u2: FakeU2, reader: Uiautomator2
) -> None:
    for _ in range(2):
        assert reader.dump(deadline=30.0) == b"<hierarchy/>"
    assert u2.connected == [(5999, "R58N")]


def test_phone_that_does_not_answer_times_out_and_is_asked_once_at_a_time(
    u2: FakeU2, reader: Uiautomator2
) -> None:
    u2.answers.clear()
    for said in ("no answer within 0.05 s", "still going on"):
        with pytest.raises(DeviceFault, match=said) as caught:
            reader.dump(deadline=0.05)
        assert caught.value.cause is Cause.TIMEOUT
    u2.answers.set()
    assert reader._asking is not None
    reader._asking.join()
    assert reader.dump(deadline=30.0) == b"<hierarchy/>"


def test_what_goes_wrong_is_the_phones_fault_and_it_is_connected_to_again(
    u2: FakeU2, reader: Uiautomator2
) -> None:
    u2.wrong = RuntimeError("UiAutomation not connected")
    with pytest.raises(DeviceFault, match="UiAutomation not connected") as caught:
        reader.dump(deadline=30.0)
    assert caught.value.cause is Cause.GARBLED
    u2.wrong = None
    reader.dump(deadline=30.0)
    assert len(u2.connected) == 2


def test_answer_that_comes_too_late_is_not_taken_for_that_of_the_next_call(
    u2: FakeU2, reader: Uiautomator2
) -> None:
    u2.says = "<old/>"
    u2.answers.clear()
    with pytest.raises(DeviceFault, match="no answer within"):
        reader.dump(deadline=0.02)
    u2.answers.set()
    assert reader._asking is not None
    reader._asking.join()
    u2.says = "<new/>"
    assert reader.dump(deadline=30.0) == b"<new/>"


@pytest.mark.parametrize("wrong", [OSError("adb is gone"), KeyError("window"), SystemError()])
def test_any_error_of_the_package_is_a_fault_of_the_phone(
    u2: FakeU2, reader: Uiautomator2, wrong: Exception
) -> None:
    u2.wrong = wrong
    with pytest.raises(DeviceFault, match="R58N: uiautomator2: ") as caught:
        reader.dump(deadline=30.0)
    assert caught.value.__cause__ is wrong


def test_connection_that_fails_is_tried_again_by_the_next_call(
    u2: FakeU2, reader: Uiautomator2, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(device: object) -> FakeU2:
        raise ConnectionError("no route")

    with monkeypatch.context() as broken:
        broken.setattr(u2, "connect", refuse)
        with pytest.raises(DeviceFault, match="no route"):
            reader.dump(deadline=30.0)
    assert reader.dump(deadline=30.0) == b"<hierarchy/>"


def test_words_of_any_script_are_handed_on_as_utf8(u2: FakeU2, reader: Uiautomator2) -> None:
    u2.says = '<hierarchy><node text="你好 é 😀"/></hierarchy>'
    assert reader.dump(deadline=30.0).decode() == u2.says


def test_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uiautomator2", None)
    settings = AndroidConfig(screen_width=None, hierarchy="uiautomator2")
    with pytest.raises(ConfigError, match=r"pip install 'distrl\[android-u2\]'"):
        AndroidDevice(Adb(port=1).phone("x"), settings)


@needs_adbutils
def test_elements_of_a_phone_come_from_it(
    u2: FakeU2, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("home")
    with own_server(home) as server, served(scale=1) as daemon:
        phone = server.adb.phone(daemon.address)
        usual, device = (
            AndroidDevice(phone),
            AndroidDevice(phone, AndroidConfig(screen_width=None, hierarchy="uiautomator2")),
        )
        u2.says = dump(daemon.system)
        assert device.observe().elements == usual.observe().elements
        u2.says = "<hierarchy/>"
        assert device.observe().elements == ()
        usual.close()
