"""Contacts, driven by hand."""

from __future__ import annotations

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.people import by_name, number_of

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])


def opened(layout: int = 1) -> Driver:
    driver = Driver(layout=layout)
    driver.open("contacts")
    return driver


def names(driver: Driver) -> list[str]:
    """Everybody in the phone book, in its order."""
    return [contact["name"] for _, contact in by_name(driver.data("contacts")["contacts"])]


def rows(driver: Driver) -> list[str]:
    return [element.text for element in driver.elements if element.role == "item"]


@LAYOUTS
def test_people_are_listed_by_name_over_more_than_a_screen(layout: int) -> None:
    driver = opened(layout)
    shown = rows(driver)
    assert shown == names(driver)[: len(shown)]
    assert len(shown) < len(names(driver))


def test_search_narrows_the_list_until_it_is_cleared() -> None:
    driver = opened()
    name = names(driver)[-1]
    driver.fill("Search contacts", name.upper())
    assert rows(driver) == [name]
    driver.tap("Clear")
    assert len(rows(driver)) > 5


def test_a_search_without_a_match_says_so() -> None:
    driver = opened()
    driver.fill("Search contacts", "qqqq")
    assert rows(driver) == []
    assert driver.shows("No contacts found")


@LAYOUTS
def test_a_new_contact_is_saved_with_what_was_typed(layout: int) -> None:
    driver = opened(layout)
    driver.tap_icon("add")
    driver.type("Bo Ek")
    driver.fill("Phone", "555-0000")
    driver.tap("Save")
    saved = [c for c in driver.data("contacts")["contacts"].values() if c["name"] == "Bo Ek"]
    assert [c["phone"] for c in saved] == ["555-0000"]
    assert driver.page == "main"


def test_a_contact_without_a_name_cannot_be_saved() -> None:
    driver = opened()
    before = driver.data("contacts")
    driver.tap_icon("add")
    driver.fill("Phone", "555-0000")
    driver.tap("Save")
    assert driver.page == "edit"
    assert driver.data("contacts") == before


def test_editing_starts_from_what_is_known_and_keeps_the_rest() -> None:
    driver = opened()
    name = names(driver)[0]
    driver.tap(name)
    driver.tap("Edit")
    assert driver.var("phone") == number_of(name)
    driver.fill("Name", "Somebody Else")
    driver.tap("Save")
    assert driver.sees("Somebody Else")
    assert driver.sees(number_of(name))
    assert name not in names(driver)


def test_deleting_asks_first() -> None:
    driver = opened()
    name = names(driver)[0]
    driver.tap(name)
    driver.tap_icon("delete")
    driver.tap("Cancel")
    assert name in names(driver)
    driver.tap_icon("delete")
    driver.tap("Delete")
    assert name not in names(driver)
    assert driver.page == "main"


def test_the_star_switches_a_favorite() -> None:
    driver = opened()
    name = next(
        c["name"] for c in driver.data("contacts")["contacts"].values() if not c["favorite"]
    )
    driver.tap(name)
    driver.tap_icon("star")
    starred = [c["name"] for c in driver.data("contacts")["contacts"].values() if c["favorite"]]
    assert name in starred
    driver.tap_icon("star_filled")
    again = [c["name"] for c in driver.data("contacts")["contacts"].values() if c["favorite"]]
    assert name not in again


def test_the_icons_of_a_card_have_no_words_and_reach_the_person() -> None:
    driver = opened()
    name = names(driver)[0]
    driver.tap(name)
    wordless = [e for e in driver.elements if e.role == "button" and not e.text + e.description]
    assert len(wordless) >= 4
    driver.tap_paint("round_button", "message")
    assert (driver.app, driver.page) == ("messages", "chat")
    driver.open("contacts")
    driver.tap_paint("round_button", "video")
    assert driver.data("phone")["call"]["name"] == name
    assert driver.data("phone")["call"]["video"] is True


def test_a_person_moves_into_a_group_and_is_listed_there() -> None:
    driver = opened()
    name = names(driver)[0]
    group = list(driver.data("contacts")["groups"])[-1]
    driver.tap(name)
    driver.tap("Group", role="item")
    driver.tap(group, role="radio")
    driver.press("back")
    driver.tap("Groups")
    driver.tap(group)
    assert name in rows(driver)


def test_a_new_group_gets_its_name_from_the_dialog() -> None:
    driver = opened()
    driver.tap("Groups")
    driver.tap_icon("add")
    driver.fill("Name", "Sailors")
    driver.tap("Create")
    assert driver.sees("Sailors")


def test_a_card_whose_contact_is_gone_says_so() -> None:
    driver = opened()
    driver.tap(names(driver)[0])
    driver.change("apps", "contacts", "contacts", to={})
    assert driver.shows("This contact was deleted")
