"""What the goals in the Store accept and what they do not."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed

from distrl.devices.phone.apps.store import APPS
from distrl.types import Kind

APP = "Pill Nudge"


def open_app(posed: Posed, name: str) -> None:
    posed.open("store")
    posed.fill("Search apps", name)
    posed.tap(name, role="item")


def test_an_install_is_not_done_before_the_download_is() -> None:
    posed = Posed("install_app", app=APP)
    open_app(posed, APP)
    posed.tap("Install")
    assert not posed.reached
    assert posed.next_action().kind is Kind.WAIT
    posed.wait()
    assert posed.reached
    assert posed.side_effects == ()


def test_installing_another_app_is_a_side_effect() -> None:
    posed = Posed("install_app", app=APP)
    open_app(posed, "Zip Zebra")
    posed.tap("Install")
    posed.wait()
    assert posed.side_effects == ("system.installed.get:Zip Zebra",)


def test_an_app_that_the_store_lacks_is_given_up_only_after_a_search() -> None:
    posed = Posed("install_missing_app", app=APP)
    assert posed.next_action().kind is not Kind.INFEASIBLE
    posed.solve()
    assert posed.sees("No apps found")


def test_an_app_that_the_store_has_is_not_given_up() -> None:
    posed = Posed("install_app", app=APP)
    assert posed.solve() <= 8
    assert posed.reached


def test_uninstalling_removes_the_named_app_alone() -> None:
    posed = Posed("uninstall_app", app=APP)
    others = set(posed.state["system"]["installed"]) - {f"get:{APP}"}
    posed.solve()
    assert set(posed.state["system"]["installed"]) == others


def test_an_old_version_does_not_count_as_updated() -> None:
    posed = Posed("update_app", app=APP)
    assert not posed.reached
    posed.solve()
    assert posed.state["system"]["installed"][f"get:{APP}"] == "2.0"


def test_a_wrong_rating_can_be_corrected() -> None:
    posed = Posed("rate_app", app=APP, stars=3)
    open_app(posed, APP)
    posed.tap_icon("star", nth=4)
    assert not posed.reached
    posed.solve()
    assert posed.data("store")["ratings"] == {APP: 3}


def test_a_download_that_was_cancelled_installs_nothing() -> None:
    posed = Posed("install_app", app=APP)
    open_app(posed, APP)
    posed.tap("Install")
    posed.tap("Cancel")
    for _ in range(6):
        posed.wait()
    assert not posed.reached
    assert posed.side_effects == ()


def test_an_app_can_be_installed_from_its_category() -> None:
    posed = Posed("install_app", app=APP)
    posed.open("store")
    posed.tap("Categories", role="tab")
    posed.tap(APPS[APP].category, role="item")
    posed.tap(APP, role="item")
    posed.tap("Install")
    posed.wait()
    assert posed.reached
    assert posed.side_effects == ()


def test_an_app_that_was_installed_and_removed_is_not_installed() -> None:
    posed = Posed("install_app", app=APP)
    posed.solve()
    posed.tap("Uninstall")
    posed.tap("OK")
    assert not posed.reached


def test_an_app_can_be_uninstalled_from_a_search_and_only_if_confirmed() -> None:
    posed = Posed("uninstall_app", app=APP)
    open_app(posed, APP)
    posed.tap("Uninstall")
    posed.tap("Cancel")
    assert not posed.reached
    posed.tap("Uninstall")
    posed.tap("OK")
    assert posed.reached
    assert posed.side_effects == ()


def test_uninstalling_another_app_is_a_side_effect() -> None:
    posed = Posed("uninstall_app", app=APP)
    installed = posed.state["system"]["installed"]
    other = next(name for name in installed if name.startswith("get:") and name != f"get:{APP}")
    open_app(posed, other.removeprefix("get:"))
    posed.tap("Uninstall")
    posed.tap("OK")
    assert not posed.reached
    assert posed.side_effects == (f"system.installed.{other}",)


def test_removing_an_app_does_not_update_it() -> None:
    posed = Posed("update_app", app=APP)
    open_app(posed, APP)
    posed.tap("Uninstall")
    posed.tap("OK")
    assert not posed.reached
    posed.tap("Install")
    posed.wait()
    assert posed.reached
    assert posed.side_effects == ()


def test_an_update_takes_a_moment() -> None:
    posed = Posed("update_app", app=APP)
    open_app(posed, APP)
    posed.tap("Update")
    assert not posed.reached
    posed.wait()
    assert posed.reached


def test_the_page_of_another_app_is_not_the_one() -> None:
    posed = Posed("open_store_page", app=APP)
    open_app(posed, "Zip Zebra")
    assert not posed.reached
    posed.press("back")
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == ()


def test_opening_the_store_page_installs_nothing() -> None:
    posed = Posed("open_store_page", app=APP)
    posed.solve()
    posed.tap("Install")
    posed.wait()
    assert posed.side_effects == (f"system.installed.get:{APP}",)


@pytest.mark.parametrize("stars", [2, 3, 4, 5])
def test_exactly_as_many_stars_count_as_were_asked_for(stars: int) -> None:
    posed = Posed("rate_app", app=APP, stars=stars)
    for given in range(1, 6):
        posed.change("apps", "store", "ratings", APP, to=given)
        assert posed.reached is (given == stars)
    assert posed.side_effects == ()


def test_rating_another_app_is_a_side_effect() -> None:
    posed = Posed("rate_app", app=APP, stars=3)
    open_app(posed, "Zip Zebra")
    posed.tap_icon("star", nth=2)
    assert not posed.reached
    assert posed.side_effects == ("apps.store.ratings.Zip Zebra",)


def test_what_the_store_lacks_is_nowhere_to_be_found() -> None:
    posed = Posed("install_missing_app", app=APP)
    posed.open("store")
    posed.tap("Categories", role="tab")
    posed.tap(APPS[APP].category, role="item")
    assert not posed.sees(APP)
    assert not posed.reached
