from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.devices.phone.adbd import properties
from distrl.devices.phone.adbd.properties import SETTINGS, Setting, app_of, package_of
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.state import State, put


@pytest.fixture(scope="module")
def state() -> State:
    device = PhoneDevice()
    device.reset(0)
    return device.snapshot()


SWITCHES = [name for name, setting in SETTINGS.items() if not setting.scale]
AMOUNTS = [name for name, setting in SETTINGS.items() if setting.scale]


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_every_setting_stands_for_something_that_the_phone_has(
    state: State, name: tuple[str, str]
) -> None:
    assert SETTINGS[name].key in state["system"]
    assert name[0] in ("global", "secure", "system")


@pytest.mark.parametrize("name", sorted(SWITCHES))
def test_a_switch_is_written_as_it_is_read(state: State, name: tuple[str, str]) -> None:
    setting = SETTINGS[name]
    for value in (setting.on, setting.off, setting.on):
        state = setting.write(state, value)
        assert setting.read(state) == value
        assert state["system"][setting.key] is (value == setting.on)


@pytest.mark.parametrize(
    ("space", "name", "values"),
    [
        ("secure", "location_mode", ("3", "0")),
        ("secure", "ui_night_mode", ("2", "1")),
        ("system", "time_12_24", ("24", "12")),
        ("global", "zen_mode", ("1", "0")),
    ],
)
def test_values_are_those_that_android_has(space: str, name: str, values: tuple[str, str]) -> None:
    assert (SETTINGS[space, name].on, SETTINGS[space, name].off) == values


@pytest.mark.parametrize("name", sorted(AMOUNTS))
def test_an_amount_is_read_as_near_as_the_phone_can_keep_it(
    state: State, name: tuple[str, str]
) -> None:
    setting = SETTINGS[name]
    most = round(100 * setting.scale)
    for amount in range(most + 1):
        found = int(setting.read(setting.write(state, str(amount))))
        assert abs(found - amount) <= setting.scale / 2 + 0.5
    assert setting.read(setting.write(state, str(most))) == str(most)


@pytest.mark.parametrize(
    ("value", "held"), [("-20", 0), ("0", 0), ("128", 50), ("255", 100), ("99999", 100)]
)
def test_an_amount_beyond_its_bounds_is_the_nearest(state: State, value: str, held: int) -> None:
    setting = SETTINGS["system", "screen_brightness"]
    assert setting.write(state, value)["system"]["brightness"] == held


@pytest.mark.parametrize("value", ["", "yes", "2", "true", " 1", "1.0"])
def test_a_switch_takes_its_two_values_only(state: State, value: str) -> None:
    with pytest.raises(ValueError, match="neither 1 nor 0"):
        Setting("wifi").write(state, value)


@pytest.mark.parametrize("value", ["", "half", "1.5", "0x10"])
def test_an_amount_is_a_whole_number(state: State, value: str) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        SETTINGS["system", "screen_brightness"].write(state, value)


def test_writing_a_setting_changes_nothing_else(state: State) -> None:
    for setting in SETTINGS.values():
        changed = setting.write(state, "0" if setting.scale else setting.off)
        assert {**changed["system"], setting.key: None} == {**state["system"], setting.key: None}
        assert {name: part for name, part in changed.items() if name != "system"} == {
            name: part for name, part in state.items() if name != "system"
        }


@pytest.mark.parametrize(
    ("app", "package"),
    [
        ("clock", "org.distrl.phone.clock"),
        ("launcher", "org.distrl.phone.launcher"),
        ("get:Chess", "org.distrl.phone.store.chess"),
        ("get:Tic-Tac-Toe 2!", "org.distrl.phone.store.tic_tac_toe_2"),
        ("get:???", "org.distrl.phone.store.app"),
        ("get:Żółw", "org.distrl.phone.store.w"),
    ],
)
def test_apps_have_packages(app: str, package: str) -> None:
    assert package_of(app) == package


@given(st.text(max_size=20))
@settings(max_examples=100)
def test_any_name_makes_a_package_that_android_would_take(name: str) -> None:
    for app in (name, f"get:{name}"):
        assert re.fullmatch(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)+", package_of(app))


def test_packages_lead_back_to_their_apps(state: State) -> None:
    for app in ("launcher", *state["system"]["installed"]):
        assert app_of(package_of(app), state) == app
    assert app_of("org.distrl.phone.store.chess", state) is None
    added = put(state, ("system", "installed"), (*state["system"]["installed"], "get:Chess"))
    assert app_of("org.distrl.phone.store.chess", added) == "get:Chess"


def test_packages_are_told_apart_by_where_they_lie(state: State) -> None:
    added = put(state, ("system", "installed"), (*state["system"]["installed"], "get:Chess"))
    theirs = {
        name for name, file in properties.packages(added).items() if properties.is_system(file)
    }
    assert "org.distrl.phone.clock" in theirs
    assert properties.SYSTEM_UI in theirs
    assert not theirs & {"org.distrl.phone.store.chess", properties.KEYBOARD_PACKAGE}


def test_component_is_a_package_and_an_activity_of_it() -> None:
    package, activity = properties.component_of("clock").split("/")
    assert package == "org.distrl.phone.clock"
    assert activity == f"{package}.MainActivity"


def test_properties_are_those_that_clients_ask_for(state: State) -> None:
    found = properties.properties(state, "distrl-7")
    assert found["ro.serialno"] == "distrl-7"
    assert found["sys.boot_completed"] == found["dev.bootcomplete"] == "1"
    assert found["ro.product.name"] == "distrl_phone"
    assert int(found["ro.build.version.sdk"]) >= 24
    assert found["ro.product.model"] == state["system"]["model"]
    assert all(isinstance(value, str) and value for value in found.values())
