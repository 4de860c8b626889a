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


# The keypad


@LAYOUTS
def test_the_keypad_takes_sixteen_characters_and_keeps_the_last(layout: int) -> None:
    driver = opened("Keypad", layout)
    for key in "1234567890*#12345":
        driver.tap(key, role="button")
    assert driver.var("typed") == "234567890*#12345"


def test_the_keypad_has_the_keys_of_a_telephone_in_rows_of_three() -> None:
    driver = opened("Keypad")
    keys = [e for e in driver.elements if e.role == "button" and e.text]
    assert [e.text for e in keys] == list("123456789*0#")
    assert len({e.bounds[0] for e in keys}) == 3


def test_backspace_on_an_empty_keypad_does_nothing() -> None:
    driver = opened("Keypad")
    driver.tap_icon("backspace")
    assert driver.var("typed", "") == ""


def test_what_was_typed_is_kept_between_the_tabs() -> None:
    driver = opened("Keypad")
    driver.tap("7", role="button")
    driver.tap("Recents", role="tab")
    driver.tap("Keypad", role="tab")
    assert driver.var("typed") == "7"


# Search


@pytest.mark.parametrize("text", ["5", "call me", "+"])
def test_what_is_no_number_is_not_offered_to_call(text: str) -> None:
    driver = opened()
    driver.fill("Search people or numbers", text)
    assert not driver.sees(f"Call {text}")


@pytest.mark.parametrize("text", ["55", "+49 (30) 55", "*100#"])
def test_every_number_is_offered_to_call(text: str) -> None:
    driver = opened()
    driver.fill("Search people or numbers", text)
    driver.tap(f"Call {text}")
    assert call(driver)["number"] == text


def test_a_cleared_search_shows_the_tabs_again() -> None:
    driver = opened()
    driver.fill("Search people or numbers", "qqqq")
    assert driver.of_role("tab") == []
    driver.tap("Clear")
    assert driver.var("query") == ""
    assert len(driver.of_role("tab")) == 3


def test_a_person_is_found_by_a_part_of_the_number() -> None:
    driver = opened()
    _, contact = by_name(driver.data("contacts")["contacts"])[3]
    driver.fill("Search people or numbers", contact["phone"][-4:])
    assert contact["name"] in driver.of_role("item")


# Recent calls


@LAYOUTS
def test_recent_calls_stand_newest_first_with_their_kind(layout: int) -> None:
    driver = opened("Recents", layout)
    calls = sorted(driver.data("phone")["recent"].values(), key=lambda c: -c["order"])
    assert driver.scroll_through() == list(
        dict.fromkeys(record["name"] or record["number"] for record in calls)
    )
    first = driver.element(driver.of_role("item")[0])
    assert first.description.split(",")[0] in ("Incoming", "Outgoing", "Missed")


def test_calling_back_puts_an_outgoing_call_on_top() -> None:
    driver = opened("Recents")
    before = len(driver.data("phone")["recent"])
    oldest = min(driver.data("phone")["recent"].values(), key=lambda c: c["order"])
    driver.tap(oldest["name"] or oldest["number"])
    assert (newest(driver)["number"], newest(driver)["kind"]) == (oldest["number"], "out")
    assert len(driver.data("phone")["recent"]) == before + 1


def test_a_call_changes_the_call_and_the_history_alone() -> None:
    driver = opened()
    driver.fill("Search people or numbers", "720-1234")
    with driver.changes("apps.phone.call.*"):
        driver.tap("Call 720-1234")


def test_a_blocked_caller_is_marked_in_the_list() -> None:
    driver = opened("Recents")
    record = newest(driver)
    who = record["name"] or record["number"]
    driver.long_press(who)
    driver.tap("Block number")
    driver.tap("Block")
    assert driver.sees("Number blocked")
    assert driver.element(who).description.startswith("Blocked")


def test_blocking_can_be_cancelled() -> None:
    driver = opened("Recents")
    driver.long_press(driver.of_role("item")[0])
    driver.tap("Block number")
    with driver.changes():
        driver.tap("Cancel")
    assert driver.page == "main"


def test_the_menu_of_a_caller_calls_and_writes() -> None:
    driver = opened("Recents")
    record = newest(driver)
    who = record["name"] or record["number"]
    driver.long_press(who)
    driver.tap("Message")
    assert (driver.app, driver.page) == ("messages", "chat")
    driver.open("phone")
    driver.tap("Call")
    assert call(driver)["number"] == record["number"]


def test_removing_a_caller_removes_all_calls_of_that_number_and_no_other() -> None:
    driver = opened("Recents")
    record = newest(driver)
    others = {k: c for k, c in driver.data("phone")["recent"].items() if c != record}
    driver.change("apps", "phone", "recent", "again", to={**record, "order": -500})
    driver.long_press(record["name"] or record["number"])
    driver.tap("Remove from list")
    assert driver.data("phone")["recent"] == others


def test_the_history_can_be_cleared() -> None:
    driver = opened("Recents")
    driver.tap("More options")
    driver.tap("Clear call history")
    assert driver.data("phone")["recent"] == {}
    assert driver.sees("No recent calls")


# People


def test_every_contact_can_be_called_from_the_list() -> None:
    driver = opened("Contacts")
    people = [c["name"] for _, c in by_name(driver.data("contacts")["contacts"])]
    assert set(driver.scroll_through()) == set(people)
    driver.tap(people[-1], role="item")
    assert call(driver)["name"] == people[-1]


def test_without_favorites_there_is_no_heading_for_them() -> None:
    driver = opened("Contacts")
    contacts = driver.data("contacts")["contacts"]
    plain = {key: {**c, "favorite": False} for key, c in contacts.items()}
    driver.change("apps", "contacts", "contacts", to=plain)
    assert not driver.sees("Favorites")


def test_at_most_eight_favorites_have_a_picture() -> None:
    driver = opened("Contacts")
    contacts = driver.data("contacts")["contacts"]
    starred = {key: {**c, "favorite": True} for key, c in contacts.items()}
    driver.change("apps", "contacts", "contacts", to=starred)
    assert len(driver.looks("avatar")) == 8


# The call


def test_the_call_shows_how_long_it_lasts() -> None:
    driver = in_call()
    assert driver.sees("00:02")
    driver.wait(12)
    assert driver.sees("01:02")


def test_a_call_on_hold_says_so_instead_of_its_length() -> None:
    driver = in_call()
    driver.tap_icon(CONTROLS["hold"])
    assert driver.sees("On hold")
    driver.tap_icon(CONTROLS["hold"])
    assert not driver.sees("On hold")


def test_the_keypad_of_a_call_sends_tones() -> None:
    driver = in_call()
    driver.tap_icon(CONTROLS["keypad"])
    driver.tap("1", role="button")
    driver.tap("#", role="button")
    assert driver.sees("1#")
    assert call(driver)["number"] == "720-1234"


def test_adding_somebody_leads_to_the_first_page_and_keeps_the_call() -> None:
    driver = in_call()
    with driver.changes():
        driver.tap_icon(CONTROLS["add"])
    assert driver.page == "main"
    driver.press("home")
    driver.open("phone")
    assert driver.element("Return to call").description == "720-1234"


def test_the_search_offers_to_return_to_the_call() -> None:
    driver = in_call()
    driver.back()
    driver.fill("Search people or numbers", "5")
    driver.tap("Return to call")
    assert driver.page == "call"


def test_the_icons_of_a_call_stand_in_the_phones_own_order() -> None:
    driver = in_call()
    order = ["record", "mute", "add", "hold", "speaker", "keypad"]
    driver.change("apps", "phone", "controls", to=order)
    shown = [icon for icon, *_ in driver.looks("round_button")]
    assert shown == [*(CONTROLS[key] for key in order), "hang_up"]


def test_hanging_up_forgets_what_was_switched() -> None:
    driver = in_call()
    driver.tap_icon(CONTROLS["mute"])
    driver.tap_icon("hang_up")
    assert driver.sees("Call ended")
    driver.fill("Search people or numbers", "720-1234")
    driver.tap("Call 720-1234")
    assert not any(call(driver)[key] for key in CONTROLS if key != "add")


def test_the_page_of_an_ended_call_says_so() -> None:
    driver = in_call()
    driver.change("apps", "phone", "call", to={})
    assert driver.sees("The call has ended")


def test_a_second_call_takes_the_place_of_the_first() -> None:
    driver = in_call()
    driver.back()
    driver.fill("Search people or numbers", "720-9999")
    driver.tap("Call 720-9999")
    assert call(driver)["number"] == "720-9999"
    assert driver.page == "call"


# Blocked numbers


def test_the_list_of_blocked_numbers_begins_empty_and_back_leads_to_the_tabs() -> None:
    driver = opened()
    driver.tap("More options")
    driver.tap("Blocked numbers")
    assert driver.sees("No blocked numbers")
    assert not driver.can_tap("Block")
    driver.back()
    assert driver.page == "main"


def test_blocking_a_typed_number_empties_the_field_and_touches_no_other() -> None:
    driver = opened()
    driver.change("apps", "phone", "blocked", to={"310-1111": True})
    driver.tap("More options")
    driver.tap("Blocked numbers")
    driver.fill("Add a number", "310-4444")
    with driver.changes("apps.phone.blocked.310-4444"):
        driver.tap("Block")
    assert driver.var("number") == ""
    assert driver.of_role("item") == ["310-1111", "310-4444"]
