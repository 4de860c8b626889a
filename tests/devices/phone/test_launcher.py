from __future__ import annotations

from random import Random

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone import apps
from distrl.devices.phone.launcher import DOCK, PER_PAGE, arrange
from distrl.devices.phone.registry import find


def test_every_app_stands_exactly_once_on_the_home_screen() -> None:
    driver = Driver()
    home = driver.data("launcher")
    placed = [app for page in home["pages"] for app in page] + home["dock"]
    assert sorted(placed) == sorted(apps.names())


def test_no_page_has_more_icons_than_fit() -> None:
    home = arrange([f"app{i}" for i in range(40)], Random(0))
    assert [len(page) for page in home["pages"]] == [PER_PAGE, PER_PAGE, PER_PAGE, 4]


def test_dock_holds_the_apps_of_the_dock() -> None:
    assert set(Driver().data("launcher")["dock"]) == set(DOCK) & set(apps.names())


def test_order_of_icons_differs_between_phones() -> None:
    orders = {str(Driver(seed).data("launcher")) for seed in range(8)}
    assert len(orders) > 4


@pytest.mark.parametrize("layout", [1, 2])
@pytest.mark.parametrize("app", apps.names())
def test_app_opens_from_the_drawer(app: str, layout: int) -> None:
    driver = Driver(layout=layout)
    driver.swipe("up")
    assert driver.page == "drawer"
    driver.tap(find(app).title)
    assert driver.app == app


def test_app_opens_from_its_icon() -> None:
    driver = Driver()
    first = driver.data("launcher")["pages"][0][0]
    driver.tap(find(first).title)
    assert driver.app == first


def test_pages_turn_and_stop_at_the_ends() -> None:
    driver = Driver()
    pages = driver.data("launcher")["pages"]
    assert len(pages) > 1
    driver.swipe("right")
    assert driver.sees(find(pages[0][0]).title)
    for _ in range(len(pages) + 2):
        driver.swipe("left")
    assert driver.sees(find(pages[-1][-1]).title)
    driver.press("home")
    assert driver.sees(find(pages[0][0]).title)


def test_dock_has_no_words_in_the_second_layout() -> None:
    dock = [find(app).title for app in Driver().data("launcher")["dock"]]
    assert dock
    assert all(Driver(layout=1).sees(title) for title in dock)
    assert not any(Driver(layout=2).sees(title) for title in dock)


def test_back_closes_the_drawer() -> None:
    driver = Driver()
    driver.swipe("up")
    driver.press("back")
    assert (driver.app, driver.page) == ("launcher", "main")


def test_search_pill_opens_the_browser() -> None:
    driver = Driver()
    driver.tap("Search the web")
    assert driver.app == "browser"


def test_no_two_apps_look_the_same() -> None:
    looks = [(find(app).icon, find(app).color) for app in apps.names()]
    titles = [find(app).title for app in apps.names()]
    assert len(set(looks)) == len(looks)
    assert len(set(titles)) == len(titles)
