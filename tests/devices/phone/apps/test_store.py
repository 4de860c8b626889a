"""The store: find, install, update, rate and uninstall."""

from __future__ import annotations

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.store import APPS, ICONS, by_category, install_seconds
from distrl.devices.phone.control import Control
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


# Lists


def test_the_featured_apps_of_the_phone_are_all_offered(driver: Driver) -> None:
    assert driver.scroll_through() == driver.data("store")["featured"]


@pytest.mark.parametrize("category", ICONS)
def test_each_category_lists_its_apps_best_first(driver: Driver, category: str) -> None:
    driver.tap("Categories")
    driver.tap(category, role="item")
    listed = driver.scroll_through()
    assert listed == [app.name for app in by_category(category)]
    ratings = [APPS[name].rating for name in listed]
    assert ratings == sorted(ratings, reverse=True)


def test_a_search_by_category_finds_its_apps(driver: Driver) -> None:
    driver.fill("Search apps", "FINANCE")
    found = driver.scroll_through()
    assert 0 < len(found) <= 15
    assert all(APPS[name].category == "Finance" or "finance" in name.lower() for name in found)


def test_the_cross_clears_the_search(driver: Driver) -> None:
    driver.fill("Search apps", "qqqq")
    assert driver.sees("No apps found")
    driver.tap_icon("close")
    assert driver.sees("Featured")
    assert not driver.device.observe().keyboard


def test_sponsored_apps_stand_above_what_was_found() -> None:
    driver = Driver(seed=3)
    driver.change("nuisance", "promo", to=True)
    driver.open("store")
    driver.fill("Search apps", APP)
    assert driver.elements[[e.role for e in driver.elements].index("item")].description == "Ad"
    driver.tap(APP, role="item")
    assert driver.page == "app"


def test_apps_that_came_with_the_phone_open_from_the_list(driver: Driver) -> None:
    driver.tap("My apps")
    assert driver.sees("Came with the phone")
    driver.tap("Clock", role="item")
    assert driver.app == "clock"


def test_my_apps_tell_which_are_up_to_date(driver: Driver) -> None:
    driver.change("system", "installed", INSTALLED, to="2.0")
    driver.change("system", "installed", "get:Chess Nomad", to="1.0")
    driver.tap("My apps")
    assert driver.element(APP).description == "Up to date"
    assert driver.element("Chess Nomad").description == "Update available"


# One app


def test_an_app_tells_who_made_it_and_how_large_it_is(driver: Driver) -> None:
    open_app(driver)
    app = APPS[APP]
    assert driver.element(APP).description == app.developer
    assert driver.shows(f"{app.size_mb} MB")
    assert driver.shows(f"{app.rating} stars")


def test_an_install_changes_nothing_but_the_list_of_apps(driver: Driver) -> None:
    open_app(driver)
    with driver.changes(f"system.installed.{INSTALLED}"):
        driver.tap("Install")
        driver.wait(3)


def test_a_download_shows_how_far_it_is_and_goes_on_elsewhere(driver: Driver) -> None:
    largest = max(APPS.values(), key=lambda app: app.size_mb)
    driver.fill("Search apps", largest.name)
    driver.tap(largest.name, role="item")
    driver.tap("Install")
    first = driver.looks("progress")[0][0]
    driver.press(Key.HOME)
    driver.wait(install_seconds(largest.name) // 5)
    driver.open("store")
    assert 0 <= first < 100
    assert driver.sees("Open")


def test_two_downloads_run_side_by_side(driver: Driver) -> None:
    for name in (APP, "Chess Nomad"):
        driver.fill("Search apps", name)
        driver.tap(name, role="item")
        driver.tap("Install")
        driver.back()
    driver.wait(4)
    assert {INSTALLED, "get:Chess Nomad"} <= set(driver.state["system"]["installed"])


def test_an_uninstalled_app_is_gone_from_the_drawer(driver: Driver) -> None:
    driver.change("system", "installed", INSTALLED, to="2.0")
    open_app(driver)
    driver.tap("Uninstall")
    with driver.changes(f"system.installed.{INSTALLED}"):
        driver.tap("OK")
    assert driver.sees(f"{APP} uninstalled")
    driver.press(Key.HOME)
    driver.swipe("up")
    assert APP not in driver.scroll_through()


@pytest.mark.parametrize("stars", range(1, 6))
def test_each_star_rates_its_number_and_the_last_rating_counts(driver: Driver, stars: int) -> None:
    driver.change("apps", "store", "ratings", to={"Chess Nomad": 2})
    open_app(driver)
    with driver.changes(f"apps.store.ratings.{APP}"):
        driver.tap_icon("star", nth=stars - 1)
    assert driver.sees("Thank you for rating")
    filled = [icon for icon in driver.icons() if icon == "star_filled"]
    assert len(filled) == stars
    driver.tap_icon("star_filled")
    assert driver.data("store")["ratings"][APP] == 1


def test_larger_apps_take_longer_to_install() -> None:
    smallest = min(APPS.values(), key=lambda app: app.size_mb)
    largest = max(APPS.values(), key=lambda app: app.size_mb)
    assert 5 <= install_seconds(smallest.name) <= install_seconds(largest.name)


def test_a_button_of_an_app_that_was_removed_elsewhere_does_nothing(driver: Driver) -> None:
    driver.tap("My apps")
    installed = driver.state["system"]["installed"]
    view = driver.device.phone.view
    start = next(w for w in view.widgets if w.text == "Clock")
    driver.change("system", "installed", to={k: v for k, v in installed.items() if k != "clock"})
    control = Control(driver.state, "store")
    assert start.on_tap is not None
    start.on_tap(control)
    assert control.app == "store"
