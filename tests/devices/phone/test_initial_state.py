from __future__ import annotations

import json
from typing import Any

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone import apps, nuisance, phone_time
from distrl.devices.phone.initial_state import FIRST_ID, HOUSEHOLDS, WALLPAPERS, create_state


def _create(seed: int) -> dict[str, Any]:
    return create_state(seed, nuisance_rate=0.25, weights=nuisance.WEIGHTS, layouts={})


@pytest.mark.parametrize("seed", [0, 1, 123_456_789])
def test_same_seed_gives_the_same_state(seed: int) -> None:
    assert json.dumps(_create(seed)) == json.dumps(_create(seed))


def test_state_survives_json_unchanged() -> None:
    for seed in range(HOUSEHOLDS):
        state = _create(seed)
        assert json.loads(json.dumps(state)) == state


def test_phones_of_one_household_share_what_they_hold() -> None:
    states = [_create(seed) for seed in range(200)]
    held = {id(state["apps"]["notes"]) for state in states}
    assert 1 < len(held) <= HOUSEHOLDS


def test_change_on_one_phone_never_reaches_its_neighbour() -> None:
    before = {seed: json.dumps(_create(seed)) for seed in range(HOUSEHOLDS)}
    for seed in range(HOUSEHOLDS):
        driver = Driver(seed)
        driver.open("notes")
        driver.tap_icon("add")
        driver.fill("Title", "Graffiti")
        driver.tap("Save")
    assert {seed: json.dumps(_create(seed)) for seed in range(HOUSEHOLDS)} == before


def test_seeds_differ_in_time_icons_and_content() -> None:
    states = [_create(seed) for seed in range(40)]
    assert len({state["time"] for state in states}) > 30
    assert len({json.dumps(state["apps"]["launcher"]) for state in states}) > 30
    assert len({json.dumps(state["apps"]["notes"]) for state in states}) > 10


def test_day_starts_between_seven_and_twenty_one() -> None:
    for seed in range(100):
        assert 7 * 60 <= phone_time.minute_of(_create(seed)["time"]) < 21 * 60


def test_every_app_is_installed_and_has_data() -> None:
    state = _create(0)
    assert set(state["system"]["installed"]) == set(apps.names())
    assert set(state["apps"]) == {*apps.names(), "launcher"}


def test_phone_starts_on_its_home_screen() -> None:
    ui = _create(5)["ui"]
    assert (ui["app"], ui["shade"], ui["overlay"], ui["focus"]) == ("launcher", False, None, None)


@pytest.mark.parametrize("key", ["wifi", "rotate", "mobile_data", "location"])
def test_a_new_phone_has_its_usual_settings_on(key: str) -> None:
    assert all(_create(seed)["system"][key] is True for seed in range(20))


@pytest.mark.parametrize("key", ["bluetooth", "airplane", "flashlight", "dnd", "dark", "hotspot"])
def test_a_new_phone_has_the_others_off(key: str) -> None:
    assert all(_create(seed)["system"][key] is False for seed in range(20))


def test_batteries_and_wallpapers_differ_within_bounds() -> None:
    systems = [_create(seed)["system"] for seed in range(200)]
    assert {system["battery"] for system in systems} <= set(range(35, 96))
    assert {system["wallpaper"] for system in systems} == set(range(WALLPAPERS))
    assert len({system["battery"] for system in systems}) > 40


def test_days_are_spread_over_two_months() -> None:
    days = {phone_time.day_of(_create(seed)["time"]) for seed in range(400)}
    assert min(days) >= 0
    assert max(days) < 60
    assert len(days) > 50


def test_all_households_are_drawn() -> None:
    held = {id(_create(seed)["apps"]["notes"]) for seed in range(600)}
    assert len(held) == HOUSEHOLDS


def test_households_differ_in_every_app_that_is_filled() -> None:
    states = [_create(seed) for seed in range(60)]
    for name in apps.names():
        if name != "calculator":
            assert len({json.dumps(state["apps"][name]) for state in states}) > 5, name


def test_layouts_are_those_that_were_asked_for() -> None:
    asked = {"clock": 2}
    state = create_state(1, nuisance_rate=0.0, weights=nuisance.WEIGHTS, layouts=asked)
    assert state["system"]["layouts"] == asked
    assert state["system"]["layouts"] is not asked


def test_ids_of_a_new_phone_carry_no_dash_and_new_ones_begin_above_them() -> None:
    state = _create(3)
    records = [key for app in ("notes", "clock", "todo") for key in _ids(state["apps"][app])]
    assert records
    assert not any("-" in key for key in records)
    assert state["ids"] == FIRST_ID


def _ids(data: dict[str, Any]) -> list[str]:
    return [key for value in data.values() if isinstance(value, dict) for key in value]


def test_the_rate_of_nuisances_changes_nothing_else() -> None:
    def held(rate: float) -> dict[str, Any]:
        state = create_state(7, nuisance_rate=rate, weights={}, layouts={})
        return {key: value for key, value in state.items() if key not in ("nuisance", "ui")}

    assert held(0.0) == held(1.0)


def test_new_phones_have_no_notifications_and_one_open_page() -> None:
    state = _create(9)
    assert state["notices"] == {}
    assert list(state["ui"]["stacks"]) == ["launcher"]
    assert [page["name"] for page in state["ui"]["stacks"]["launcher"]] == ["main"]
