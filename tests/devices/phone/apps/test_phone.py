"""The dialler, driven by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.people import by_name
from distrl.devices.phone.apps.phone import CONTROLS

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])


def opened(tab: str = "", layout: int = 1) -> Driver:
    driver = Driver(layout=layout)
    driver.open("phone")
    if tab:
        driver.tap(tab, role="tab")
    return driver


def call(driver: Driver) -> dict[str, Any]:
    going_on: dict[str, Any] = driver.data("phone")["call"]
    return going_on


def newest(driver: Driver) -> dict[str, Any]:
    record: dict[str, Any] = max(
        driver.data("phone")["recent"].values(), key=lambda record: record["order"]
    )
    return record


def in_call(layout: int = 1) -> Driver:
    driver = opened(layout=layout)
    driver.fill("Search people or numbers", "720-1234")
    driver.tap("Call 720-1234")
    return driver


@LAYOUTS
def test_the_keypad_dials_what_its_keys_spell(layout: int) -> None:
    driver = opened("Keypad", layout)
    for key in "04#2":
        driver.tap(key, role="button")
    driver.tap_icon("backspace")
    assert driver.sees("04#")
    driver.tap_icon("phone")
    assert call(driver)["number"] == "04#"
    assert driver.page == "call"


def test_an_empty_keypad_calls_nobody() -> None:
    driver = opened("Keypad")
    driver.tap_icon("phone")
    assert call(driver) == {}


def test_a_dialled_number_is_recognised_as_a_contacts() -> None:
    driver = opened("Keypad")
    _, contact = by_name(driver.data("contacts")["contacts"])[0]
    for digit in contact["phone"].replace("-", ""):
        driver.tap(digit, role="button")
    assert driver.sees(contact["name"])
    driver.tap_icon("phone")
    assert call(driver)["name"] == contact["name"]


def test_search_finds_a_contact_to_call() -> None:
    driver = opened()
    _, contact = by_name(driver.data("contacts")["contacts"])[-1]
    driver.fill("Search people or numbers", contact["name"].lower())
    driver.tap(contact["name"], role="item")
    assert call(driver)["number"] == contact["phone"]


def test_search_for_nobody_says_so() -> None:
    driver = opened()
    driver.fill("Search people or numbers", "qqqq")
    assert driver.shows("No contacts found")


def test_favorites_stand_above_all_contacts() -> None:
    driver = Driver()
    contacts = driver.data("contacts")["contacts"]
    key, contact = by_name(contacts)[-1]
    driver.change("apps", "contacts", "contacts", key, "favorite", to=True)
    driver.open("phone")
    driver.tap("Contacts", role="tab")
    texts = driver.texts()
    assert texts.index("Favorites") < texts.index(contact["name"]) < texts.index("All contacts")


def test_the_dialler_works_on_a_phone_without_contacts() -> None:
    driver = Driver()
    apps = driver.state["apps"]
    driver.change("apps", to={name: data for name, data in apps.items() if name != "contacts"})
    driver.open("phone")
    driver.tap("Contacts", role="tab")
    assert driver.shows("No contacts")


def test_a_call_is_remembered_and_can_be_returned_to() -> None:
    driver = in_call()
    assert newest(driver)["number"] == "720-1234"
    driver.press("back")
    driver.tap("Return to call")
    assert driver.page == "call"


@LAYOUTS
@pytest.mark.parametrize("control", ["mute", "speaker", "keypad", "hold", "record"])
def test_each_icon_of_a_call_switches_one_thing(control: str, layout: int) -> None:
    driver = in_call(layout)
    driver.tap_icon(CONTROLS[control])
    on = [key for key in CONTROLS if call(driver).get(key)]
    assert on == [control]


def test_the_icons_of_a_call_carry_no_words() -> None:
    driver = in_call()
    buttons = [e for e in driver.elements if e.role == "button"]
    assert len(buttons) == len(CONTROLS) + 1
    assert not any(e.text or e.description for e in buttons)


def test_hanging_up_ends_the_call() -> None:
    driver = in_call()
    driver.tap_icon("hang_up")
    assert call(driver) == {}
    assert driver.page == "main"
    assert not driver.sees("Return to call")


@LAYOUTS
def test_a_caller_is_blocked_from_the_recent_calls_and_unblocked_again(layout: int) -> None:
    driver = opened("Recents", layout)
    record = newest(driver)
    who = record["name"] or record["number"]
    driver.long_press(who)
    driver.tap("Block number")
    assert driver.data("phone")["blocked"] == {}
    driver.tap("Block")
    assert driver.data("phone")["blocked"] == {record["number"]: True}
    driver.long_press(who)
    driver.tap("Unblock number")
    assert driver.data("phone")["blocked"] == {}


def test_a_number_can_be_blocked_by_typing_it() -> None:
    driver = opened()
    driver.tap("More options")
    driver.tap("Blocked numbers")
    driver.fill("Add a number", "not one")
    driver.tap("Block")
    assert driver.data("phone")["blocked"] == {}
    driver.fill("Add a number", "310-4444")
    driver.tap("Block")
    assert driver.data("phone")["blocked"] == {"310-4444": True}
    driver.tap("310-4444", role="item")
    assert driver.data("phone")["blocked"] == {}


def test_a_removed_call_leaves_the_list() -> None:
    driver = opened("Recents")
    record = newest(driver)
    driver.long_press(record["name"] or record["number"])
    driver.tap("Remove from list")
    assert record not in driver.data("phone")["recent"].values()
