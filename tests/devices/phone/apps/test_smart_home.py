"""Smart Home, driven by hand on a phone that was given it."""

from __future__ import annotations

from random import Random

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.smart_home import COOLEST, WARMEST, SmartHome


def opened(layout: int = 1) -> Driver:
    driver = Driver(layout=layout)
    driver.change("system", "layouts", "smart_home", to=layout)
    driver.change("apps", "smart_home", to=SmartHome().create(Random(1)))
    driver.open("smart_home")
    return driver


@pytest.mark.parametrize("layout", [1, 2])
def test_a_switch_belongs_to_one_room(layout: int) -> None:
    driver = opened(layout)
    before = driver.data("smart_home")["rooms"]
    driver.tap("Bedroom")
    driver.tap("Ceiling lamp", role="switch")
    after = driver.data("smart_home")["rooms"]
    assert after["Bedroom"]["lamp"] is not before["Bedroom"]["lamp"]
    assert {**after, "Bedroom": None} == {**before, "Bedroom": None}


@pytest.mark.parametrize(("icon", "end"), [("add", WARMEST), ("remove", COOLEST)])
def test_the_heating_goes_by_degrees_to_an_end(icon: str, end: int) -> None:
    driver = opened()
    driver.tap("Study")
    for _ in range(WARMEST - COOLEST + 2):
        driver.tap_icon(icon)
    assert driver.data("smart_home")["rooms"]["Study"]["heating"] == end
    assert driver.shows(f"{end}°")


@pytest.mark.parametrize("layout", [1, 2])
def test_the_house_has_one_mode(layout: int) -> None:
    driver = opened(layout)
    driver.tap("House mode")
    driver.tap("Night", role="radio")
    assert driver.data("smart_home")["mode"] == "Night"
    assert driver.page == "main"
