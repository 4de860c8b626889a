from __future__ import annotations

from pathlib import Path

import pytest

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
