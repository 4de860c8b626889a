"""The store: find, install, update, rate and uninstall."""

from __future__ import annotations

import pytest
from tests.devices.phone.driver import Driver

from distrl.types import Key

APP = "Pill Nudge"
INSTALLED = "get:Pill Nudge"


@pytest.fixture(params=[1, 2], ids=["layout1", "layout2"])
def driver(request: pytest.FixtureRequest) -> Driver:
    phone = Driver(seed=3, layout=request.param)
    phone.open("store")
    return phone


def open_app(driver: Driver) -> None:
    driver.fill("Search apps", APP)
    driver.tap(APP, role="item")


def test_an_install_takes_time_and_puts_the_app_on_the_phone(driver: Driver) -> None:
    open_app(driver)
    driver.tap("Install")
    assert driver.shows("Downloading")
    assert INSTALLED not in driver.state["system"]["installed"]
    driver.wait()
    assert driver.state["system"]["installed"][INSTALLED] == "2.0"
    driver.tap("Open")
    assert driver.app == INSTALLED
    assert driver.sees(f"Welcome to {APP}")


def test_a_download_can_be_cancelled(driver: Driver) -> None:
    open_app(driver)
    driver.tap("Install")
    driver.tap("Cancel")
    driver.wait()
    driver.wait()
    assert INSTALLED not in driver.state["system"]["installed"]


def test_an_installed_app_is_in_the_drawer(driver: Driver) -> None:
    driver.change("system", "installed", INSTALLED, to="2.0")
    driver.press(Key.HOME)
    driver.swipe("up")
    driver.tap(APP)
    assert driver.app == INSTALLED


def test_an_old_version_is_listed_first_and_updated(driver: Driver) -> None:
    driver.change("system", "installed", "get:Chess Nomad", to="2.0")
    driver.change("system", "installed", INSTALLED, to="1.0")
    driver.tap("My apps")
    assert next(e.text for e in driver.elements if e.role == "item") == APP
    driver.tap(APP)
    driver.tap("Update")
    driver.wait()
    assert driver.state["system"]["installed"][INSTALLED] == "2.0"


def test_uninstalling_asks_first(driver: Driver) -> None:
    driver.change("system", "installed", INSTALLED, to="2.0")
    open_app(driver)
    driver.tap("Uninstall")
    driver.tap("Cancel")
    assert INSTALLED in driver.state["system"]["installed"]
    driver.tap("Uninstall")
    driver.tap("OK")
    assert INSTALLED not in driver.state["system"]["installed"]
    assert driver.sees("Install")


def test_the_page_of_an_app_that_the_store_has_dropped_says_so(driver: Driver) -> None:
    open_app(driver)
    driver.change("apps", "store", "missing", to={APP: True})
    assert driver.sees("This app is not available")
    assert not driver.sees("Install")


def test_the_third_star_rates_three(driver: Driver) -> None:
    open_app(driver)
    driver.tap_icon("star", nth=2)
    assert driver.data("store")["ratings"] == {APP: 3}


def test_an_app_that_this_store_lacks_is_nowhere_to_be_found(driver: Driver) -> None:
    driver.change("apps", "store", "missing", to={APP: True})
    driver.change("apps", "store", "featured", to=[APP, "Chess Nomad"])
    assert not driver.shows(APP)
    driver.tap("Categories")
    driver.tap("Health")
    assert not driver.shows(APP)
    driver.press(Key.BACK)
    driver.fill("Search apps", APP)
    assert driver.sees("No apps found")


def test_a_category_lists_the_best_rated_first(driver: Driver) -> None:
    driver.tap("Categories")
    driver.tap("Games")
    assert next(e.text for e in driver.elements if e.role == "item") == "Chess Nomad"
