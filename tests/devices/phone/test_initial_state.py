from __future__ import annotations

import json
from typing import Any

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone import apps, nuisance, phone_time
from distrl.devices.phone.initial_state import HOUSEHOLDS, create_state


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
