"""Mail, driven by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.mail import FOLDERS, ME
from distrl.devices.phone.apps.people import by_name

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])


def opened(layout: int = 1) -> Driver:
    driver = Driver(layout=layout)
    driver.open("mail")
    return driver


def mails(driver: Driver, **wanted: Any) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = driver.data("mail")["mails"]
    return {
        key: mail
        for key, mail in found.items()
        if all(mail[field] == value for field, value in wanted.items())
    }


def first(driver: Driver, **wanted: Any) -> tuple[str, dict[str, Any]]:
    return next(iter(mails(driver, **wanted).items()))


@LAYOUTS
@pytest.mark.parametrize("folder", FOLDERS)
def test_the_menu_shows_each_folder(folder: str, layout: int) -> None:
    driver = opened(layout)
    driver.tap("Folders")
    driver.tap(FOLDERS[folder])
    shown = {e.text for e in driver.elements if e.role == "item"}
    assert shown
    assert shown <= {mail["subject"] for mail in mails(driver, folder=folder).values()}


def test_reading_a_mail_takes_its_unread_mark_away() -> None:
    driver = opened()
    key, mail = first(driver, folder="inbox", read=False)
    assert driver.shows(f"{mail['sender']}, unread")
    driver.tap(mail["subject"])
    assert driver.sees(mail["body"])
    assert driver.data("mail")["mails"][key]["read"] is True


@LAYOUTS
@pytest.mark.parametrize(
    ("icon", "field", "value"),
    [
        ("archive", "folder", "archive"),
        ("delete", "folder", "trash"),
        ("star", "starred", True),
        ("mail", "read", False),
    ],
)
def test_each_icon_of_a_mail_does_its_thing(
    icon: str, field: str, value: object, layout: int
) -> None:
    driver = opened(layout)
    key, mail = first(driver, folder="inbox", read=True, starred=False)
    driver.tap(mail["subject"])
    driver.tap_icon(icon)
    assert driver.data("mail")["mails"][key] == {**mail, field: value}


def test_the_icons_of_a_mail_carry_no_words_and_stand_in_the_phones_own_order() -> None:
    driver = opened()
    _, mail = first(driver, folder="inbox", starred=False)
    order = ["reply", "star", "archive", "mail", "delete"]
    driver.change("apps", "mail", "toolbar", to=order)
    driver.tap(mail["subject"])
    assert [icon for icon in driver.icons() if icon != "back"] == order[::-1]
    wordless = [e for e in driver.elements if e.role == "button" and not e.text + e.description]
    assert len(wordless) == len(order)


def test_deleting_from_the_trash_is_for_good() -> None:
    driver = opened()
    key, mail = first(driver, folder="trash")
    driver.tap("Folders")
    driver.tap("Trash")
    driver.tap(mail["subject"])
    driver.tap_icon("delete")
    assert key not in driver.data("mail")["mails"]
    assert driver.page == "main"


def test_a_reply_goes_to_the_sender_under_the_same_subject() -> None:
    driver = opened()
    _, mail = first(driver, folder="inbox")
    driver.tap(mail["subject"])
    driver.tap_icon("reply")
    driver.type("fine with me")
    driver.tap_icon("send")
    (sent,) = mails(driver, subject=f"Re: {mail['subject']}").values()
    assert (sent["sender"], sent["to"], sent["folder"]) == (ME, mail["sender"], "sent")
    assert sent["body"] == "fine with me"
    assert driver.page == "mail"


@LAYOUTS
def test_a_new_mail_is_sent_to_a_suggested_contact(layout: int) -> None:
    driver = opened(layout)
    _, contact = by_name(driver.data("contacts")["contacts"])[0]
    driver.tap_icon("edit")
    driver.type(contact["name"][:-2])
    driver.press("back")
    driver.tap(contact["name"])
    driver.fill("Subject", "A new subject")
    driver.tap_icon("send")
    (sent,) = mails(driver, subject="A new subject").values()
    assert (sent["to"], sent["folder"]) == (contact["name"], "sent")


def test_a_mail_without_a_recipient_is_not_sent() -> None:
    driver = opened()
    before = driver.data("mail")
    driver.tap_icon("edit")
    driver.fill("Subject", "Nobody reads this")
    driver.tap_icon("send")
    assert driver.page == "compose"
    assert driver.data("mail") == before


def test_search_looks_into_all_folders_and_remembers_the_words() -> None:
    driver = opened()
    _, mail = first(driver, folder="archive")
    driver.tap_icon("search")
    driver.type(mail["subject"])
    driver.press("enter")
    assert driver.sees(mail["subject"])
    driver.press("back")
    driver.tap_icon("search")
    driver.tap(mail["subject"], role="item")
    assert driver.var("query") == mail["subject"]


def test_a_search_without_a_match_says_so() -> None:
    driver = opened()
    driver.tap_icon("search")
    driver.type("qqqq")
    assert driver.shows("No mails found")


def test_a_long_press_reports_spam() -> None:
    driver = opened()
    key, mail = first(driver, folder="inbox")
    driver.long_press(mail["subject"])
    driver.tap("Report spam")
    assert driver.data("mail")["mails"][key]["folder"] == "spam"
