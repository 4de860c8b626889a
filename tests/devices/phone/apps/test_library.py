"""The library's web site, driven by hand."""

from __future__ import annotations

from random import Random

from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.library import new_library
from distrl.devices.phone.apps.web import LIBRARY_HOST


def visited(*, known: bool = True) -> Driver:
    driver = Driver()
    if known:
        driver.change("apps", "browser", "library", to=new_library(Random(2)))
    driver.open("browser")
    driver.tap_field("Search or type an address")
    driver.type(LIBRARY_HOST)
    driver.press("enter")
    return driver


def test_phones_that_were_given_no_library_search_for_its_address() -> None:
    assert visited(known=False).page == "results"
    assert visited().page == "library"


def test_the_catalogue_is_narrowed_by_what_is_typed() -> None:
    driver = visited()
    books = driver.data("browser")["library"]
    sought = books["book7"]["title"]
    driver.fill("Search the catalogue", sought)
    assert driver.of_role("item") == [sought]


def test_a_book_is_reserved_and_given_back_to_the_shelf() -> None:
    driver = visited()
    title = driver.data("browser")["library"]["book1"]["title"]
    driver.tap(title)
    driver.tap("Reserve")
    assert driver.data("browser")["library"]["book1"]["reserved"]
    driver.tap("Cancel the reservation")
    assert not driver.data("browser")["library"]["book1"]["reserved"]
    driver.tap("Catalogue")
    assert driver.page == "library"
