"""What the goals in the Store accept and what they do not."""

from __future__ import annotations

from tests.tasks.general.posed import Posed

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
