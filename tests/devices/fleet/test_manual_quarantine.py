from __future__ import annotations

import json
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.devices.android.adb import Adb
from distrl.devices.android.device import AndroidDevice
from distrl.devices.fault_causes import Cause, DeviceFault
from distrl.devices.fleet.manual_quarantine import ManualQuarantine, default_path
from distrl.errors import ConfigError


def test_device_is_withheld_until_it_is_released(tmp_path: Path) -> None:
    quarantine = ManualQuarantine(tmp_path / "deep" / "list.json")
    assert quarantine.all() == {}
    assert quarantine.reason("a") is None
    quarantine.add("a", "its screen is cracked")
    quarantine.add("b", "")
    assert ManualQuarantine(quarantine.path).reason("a") == "its screen is cracked"
    assert quarantine.remove("a")
    assert not quarantine.remove("a")
    assert quarantine.all() == {"b": ""}


def test_withheld_device_is_lost_before_anything_is_asked_of_it(tmp_path: Path) -> None:
    quarantine = ManualQuarantine(tmp_path / "list.json")
    quarantine.add("127.0.0.1:1", "cracked")
    device = AndroidDevice(Adb(port=1).phone("127.0.0.1:1"), manual_quarantine=quarantine)
    with pytest.raises(DeviceFault, match="cracked") as caught:
        device.reset(0)
    assert caught.value.cause is Cause.WITHHELD
    quarantine.remove("127.0.0.1:1")
    with pytest.raises(DeviceFault) as caught:
        device.reset(0)
    assert caught.value.cause is Cause.SERVER


@pytest.mark.parametrize("text", ["{", "[]", '{"a": 1}'])
def test_damaged_list_is_an_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "list.json"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"list\.json"):
        ManualQuarantine(path).all()


def test_list_is_the_users_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_path() == tmp_path / "distrl" / "withheld.json"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_path() == tmp_path / ".local" / "state" / "distrl" / "withheld.json"


def test_list_can_be_read_by_people(tmp_path: Path) -> None:
    quarantine = ManualQuarantine(tmp_path / "list.json")
    quarantine.add("b", "its battery is swollen")
    quarantine.add("a", "lent to Zażółć")
    text = quarantine.path.read_text(encoding="utf-8")
    assert json.loads(text) == {"a": "lent to Zażółć", "b": "its battery is swollen"}
    assert text.index('"a"') < text.index('"b"')
    assert text.count("\n") == 3


def test_device_that_is_added_twice_has_the_newest_reason(tmp_path: Path) -> None:
    quarantine = ManualQuarantine(tmp_path / "list.json")
    quarantine.add("a", "old")
    quarantine.add("a", "new")
    assert quarantine.all() == {"a": "new"}


def test_list_is_read_anew_whenever_it_is_asked(tmp_path: Path) -> None:
    here, there = (ManualQuarantine(tmp_path / "list.json") for _ in range(2))
    here.add("a", "mine")
    assert there.reason("a") == "mine"
    there.remove("a")
    assert here.reason("a") is None


def test_no_half_written_list_is_ever_seen(tmp_path: Path) -> None:
    """It is written aside and put in its place: who reads meanwhile sees the one or the other."""
    quarantine = ManualQuarantine(tmp_path / "list.json")
    quarantine.add("base", "x" * 5000)
    stop, wrong = threading.Event(), list[object]()

    def read() -> None:
        while not stop.is_set():
            try:
                if "base" not in quarantine.all():
                    wrong.append("the list lost an entry")
            except ConfigError as error:
                wrong.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(60):
        quarantine.add(f"phone-{number}", "y" * 5000)
    stop.set()
    reader.join(30)
    assert wrong == []
    assert len(quarantine.all()) == 61
    assert [path.name for path in tmp_path.iterdir()] == ["list.json"]


def test_damaged_list_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_text("{half")
    with pytest.raises(ConfigError, match="cannot read the devices"):
        ManualQuarantine(path).add("a", "")
    with pytest.raises(ConfigError, match="cannot read the devices"):
        ManualQuarantine(path).remove("a")
    assert path.read_text() == "{half"


def test_list_that_cannot_be_read_is_an_error_and_not_empty(tmp_path: Path) -> None:
    (tmp_path / "list.json").mkdir()
    with pytest.raises(ConfigError, match=r"list\.json"):
        ManualQuarantine(tmp_path / "list.json").all()
    (tmp_path / "latin.json").write_bytes(b'{"a": "\xff"}')
    with pytest.raises(ConfigError, match=r"latin\.json"):
        ManualQuarantine(tmp_path / "latin.json").all()


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=12), max_size=5))
@settings(max_examples=40)
def test_any_serials_and_reasons_are_kept(devices: dict[str, str]) -> None:
    encodable = {
        serial: reason
        for serial, reason in devices.items()
        if not any(0xD800 <= ord(c) <= 0xDFFF for c in serial + reason)
    }
    with tempfile.TemporaryDirectory() as folder:
        quarantine = ManualQuarantine(Path(folder) / "list.json")
        for serial, reason in encodable.items():
            quarantine.add(serial, reason)
        assert quarantine.all() == encodable
        assert all(quarantine.remove(serial) for serial in encodable)
        assert quarantine.all() == {}
