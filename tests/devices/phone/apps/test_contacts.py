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


def card_of(driver: Driver, **wanted: object) -> tuple[str, str]:
    """Opens the card of the first person with these values; id and name."""
    key, contact = next(
        (key, contact)
        for key, contact in by_name(driver.data("contacts")["contacts"])
        if all(contact[field] == value for field, value in wanted.items())
    )
    driver.tap(contact["name"], role="item")
    return key, contact["name"]


@LAYOUTS
def test_everybody_is_reached_by_scrolling(layout: int) -> None:
    driver = opened(layout)
    assert driver.scroll_through() == names(driver)


def test_the_second_layout_has_a_heading_for_each_letter_while_nobody_searches() -> None:
    driver = opened(2)
    letters = [text for text in driver.of_role("text") if len(text) == 1]
    first_letters = list(dict.fromkeys(name[0] for name in names(driver)))
    assert len(letters) > 3
    assert letters == first_letters[: len(letters)]
    driver.fill("Search contacts", names(driver)[0])
    assert not [text for text in driver.of_role("text") if len(text) == 1]


def test_an_empty_phone_book_says_so() -> None:
    driver = opened()
    driver.change("apps", "contacts", "contacts", to={})
    assert driver.sees("No contacts found")


def test_names_are_ordered_without_regard_to_capitals() -> None:
    driver = opened()
    people = {
        key: {"name": name, "phone": "", "mail": "", "favorite": False, "group": ""}
        for key, name in (("x", "bo"), ("y", "Abe"), ("z", "Cy"))
    }
    driver.change("apps", "contacts", "contacts", to=people)
    assert rows(driver) == ["Abe", "bo", "Cy"]


def test_a_favorite_has_a_star_in_the_list() -> None:
    driver = opened()
    contacts = driver.data("contacts")["contacts"]
    starred = {title for _, _, title, _, mark, *_ in driver.looks("entry") if "star" in mark}
    assert starred == {c["name"] for c in contacts.values() if c["favorite"]} & set(rows(driver))


def test_the_star_changes_only_the_person_of_the_card() -> None:
    driver = opened()
    key, _ = card_of(driver, favorite=False)
    with driver.changes(f"apps.contacts.contacts.{key}.favorite"):
        driver.tap_icon("star")


def test_a_long_press_offers_to_delete() -> None:
    driver = opened()
    name = names(driver)[1]
    driver.long_press(name)
    assert driver.shows(f"{name} will be removed")
    with driver.changes("apps.contacts.contacts.*"):
        driver.tap("Delete")
    assert driver.sees("Contact deleted")
    assert name not in names(driver)


@LAYOUTS
def test_a_new_contact_keeps_all_three_fields_and_belongs_to_nobody(layout: int) -> None:
    driver = opened(layout)
    driver.tap_icon("add")
    driver.type("  Bo Ek ")
    driver.fill("Mail", "bo@post.net")
    driver.fill("Phone", "555-0000")
    with driver.changes("apps.contacts.contacts.new-*"):
        driver.tap("Save")
    assert list(driver.data("contacts")["contacts"].values())[-1] == {
        "name": "Bo Ek",
        "phone": "555-0000",
        "mail": "bo@post.net",
        "favorite": False,
        "group": "",
    }


@LAYOUTS
def test_phone_and_mail_change_places_between_the_layouts(layout: int) -> None:
    driver = opened(layout)
    driver.tap_icon("add")
    driver.back()
    order = [e.description for e in driver.elements if e.role == "field"]
    assert order == (["Name", "Phone", "Mail"] if layout == 1 else ["Name", "Mail", "Phone"])


def test_a_contact_cannot_lose_its_name() -> None:
    driver = opened()
    card_of(driver)
    driver.tap("Edit")
    driver.fill("Name", "  ")
    assert not driver.can_tap("Save")


def test_editing_keeps_group_and_star() -> None:
    driver = opened()
    key, _ = card_of(driver, favorite=True)
    before = driver.data("contacts")["contacts"][key]
    driver.tap("Edit")
    driver.fill("Phone", "555-0001")
    with driver.changes(f"apps.contacts.contacts.{key}.phone"):
        driver.tap("Save")
    assert driver.data("contacts")["contacts"][key] == {**before, "phone": "555-0001"}


def test_a_card_without_number_or_mail_has_no_rows_for_them() -> None:
    driver = opened()
    driver.tap_icon("add")
    driver.type("Bo Ek")
    driver.tap("Save")
    driver.tap("Bo Ek", role="item")
    assert driver.of_role("item") == ["Group"]
    driver.tap_paint("round_button", "phone")
    assert driver.sees("This contact has no number")
    assert driver.data("phone")["call"] == {}


@pytest.mark.parametrize(
    ("icon", "app", "page"),
    [
        ("phone", "phone", "call"),
        ("message", "messages", "chat"),
        ("mail", "mail", "compose"),
        ("video", "phone", "call"),
    ],
)
def test_each_icon_of_a_card_leads_to_its_app(icon: str, app: str, page: str) -> None:
    driver = opened()
    card_of(driver)
    driver.tap_paint("round_button", icon)
    assert (driver.app, driver.page) == (app, page)
    driver.back()
    assert (driver.app, driver.page) == (app, "main")


def test_number_and_mail_of_a_card_are_taps_away_from_a_call_and_a_mail() -> None:
    driver = opened()
    _, name = card_of(driver)
    driver.tap(number_of(name), role="item")
    assert driver.data("phone")["call"]["name"] == name
    assert driver.data("phone")["call"]["video"] is False
    driver.open("contacts")
    driver.tap(next(text for text in driver.of_role("item") if "@" in text))
    assert driver.var("to") == name


def test_a_call_from_the_card_stands_in_the_history_of_calls() -> None:
    driver = opened()
    _, name = card_of(driver)
    driver.tap_paint("round_button", "phone")
    driver.tap_icon("hang_up")
    driver.tap("Recents", role="tab")
    assert driver.of_role("item")[0] == name


# Groups


def test_a_group_counts_its_people() -> None:
    driver = opened()
    contacts = driver.data("contacts")["contacts"].values()
    driver.tap("Groups")
    for group in driver.data("contacts")["groups"]:
        assert driver.element(group).description == str(sum(c["group"] == group for c in contacts))


def test_the_group_of_a_person_changes_alone_and_can_be_taken_away() -> None:
    driver = opened()
    group = next(iter(driver.data("contacts")["groups"]))
    key, _ = card_of(driver, group="")
    driver.tap("Group", role="item")
    assert driver.element("None", "radio").checked
    with driver.changes(f"apps.contacts.contacts.{key}.group"):
        driver.tap(group, role="radio")
    assert driver.element("Group").description == group
    driver.tap("Group", role="item")
    driver.tap("None", role="radio")
    assert driver.data("contacts")["contacts"][key]["group"] == ""


def test_a_deleted_group_lets_its_people_go_but_keeps_them() -> None:
    driver = opened()
    _, name = card_of(driver)
    group = next(iter(driver.data("contacts")["groups"]))
    driver.tap("Group", role="item")
    driver.tap(group, role="radio")
    driver.back()
    driver.tap("Groups")
    driver.tap(group)
    driver.tap_icon("delete")
    assert group not in driver.data("contacts")["groups"]
    assert not any(c["group"] == group for c in driver.data("contacts")["contacts"].values())
    assert name in names(driver)


def test_a_group_without_people_and_a_book_without_groups_say_so() -> None:
    driver = opened()
    driver.change("apps", "contacts", "groups", to={"Sailors": True})
    driver.tap("Groups")
    driver.tap("Sailors")
    assert driver.sees("Nobody is in this group")
    driver.tap_icon("delete")
    assert driver.sees("No groups")


def test_a_group_needs_a_name() -> None:
    driver = opened()
    driver.tap("Groups")
    driver.tap_icon("add")
    assert not driver.can_tap("Create")
    driver.fill("Name", "  ")
    assert not driver.can_tap("Create")
    with driver.changes():
        driver.tap("Cancel")
    assert driver.page == "groups"


def test_a_person_opens_from_the_group() -> None:
    driver = opened()
    group = next(c["group"] for c in driver.data("contacts")["contacts"].values() if c["group"])
    driver.tap("Groups")
    driver.tap(group)
    driver.tap(rows(driver)[0])
    assert driver.page == "contact"
    assert driver.element("Group").description == group
