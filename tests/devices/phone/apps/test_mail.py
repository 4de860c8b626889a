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
    assert driver.sees("Deleted for good")


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


def read_first(driver: Driver, **wanted: Any) -> tuple[str, dict[str, Any]]:
    key, mail = first(driver, folder="inbox", **wanted)
    driver.tap(mail["subject"])
    return key, mail


# The list


@LAYOUTS
def test_mails_stand_newest_first(layout: int) -> None:
    driver = opened(layout)
    inbox = sorted(mails(driver, folder="inbox").values(), key=lambda mail: -mail["order"])
    assert driver.scroll_through() == [mail["subject"] for mail in inbox]


def test_an_unread_mail_is_bold() -> None:
    driver = opened()
    bold = {sub: bold for _, _, _, sub, _, bold, _ in driver.looks("entry")}
    for mail in mails(driver, folder="inbox").values():
        if mail["subject"] in bold:
            assert bold[mail["subject"]] == (not mail["read"])


def test_a_starred_mail_shows_its_star_instead_of_its_date() -> None:
    driver = opened()
    _, mail = read_first(driver, starred=False)
    driver.tap_icon("star")
    driver.back()
    marks = {sub: trailing for _, _, _, sub, trailing, *_ in driver.looks("entry")}
    assert marks[mail["subject"]] == "icon:star_filled"


def test_sent_mails_show_who_got_them() -> None:
    driver = opened()
    _, mail = first(driver, folder="sent")
    driver.tap("Folders")
    driver.tap("Sent")
    assert driver.element(mail["subject"]).description == mail["to"]


def test_an_empty_folder_says_so() -> None:
    driver = opened()
    driver.change("apps", "mail", "mails", to={})
    assert driver.sees("Nothing here")


def test_the_chosen_folder_is_kept_while_a_mail_is_read() -> None:
    driver = opened()
    _, mail = first(driver, folder="archive")
    driver.tap("Folders")
    driver.tap("Archive")
    driver.tap(mail["subject"])
    driver.back()
    assert driver.sees("Archive")
    assert driver.page == "main"


@pytest.mark.parametrize("read", [True, False])
def test_a_long_press_flips_whether_a_mail_was_read(read: bool) -> None:
    driver = opened()
    key, mail = first(driver, folder="inbox", read=read)
    driver.long_press(mail["subject"])
    with driver.changes(f"apps.mail.mails.{key}.read"):
        driver.tap("Mark as unread" if read else "Mark as read")
    assert driver.page == "main"


def test_a_mail_comes_back_from_the_spam() -> None:
    driver = opened()
    key, mail = first(driver, folder="spam")
    driver.tap("Folders")
    driver.tap("Spam")
    driver.long_press(mail["subject"])
    with driver.changes(f"apps.mail.mails.{key}.folder"):
        driver.tap("Move to inbox")
    assert driver.sees("Moved to inbox")
    assert driver.data("mail")["mails"][key]["folder"] == "inbox"


def test_the_menu_of_a_mail_that_is_gone_can_only_be_closed() -> None:
    driver = opened()
    driver.long_press(driver.of_role("item")[0])
    driver.change("apps", "mail", "mails", to={})
    driver.tap("Close")
    assert driver.page == "main"


# One mail


@LAYOUTS
def test_a_mail_shows_subject_people_date_and_body(layout: int) -> None:
    driver = opened(layout)
    _, mail = read_first(driver)
    for words in (mail["subject"], mail["sender"], f"to {ME}", mail["date"], mail["body"]):
        assert driver.sees(words)


def test_the_page_of_a_deleted_mail_says_so() -> None:
    driver = opened()
    read_first(driver)
    driver.change("apps", "mail", "mails", to={})
    assert driver.sees("This mail was deleted")


def test_the_star_of_a_mail_can_be_taken_back() -> None:
    driver = opened()
    key, _ = read_first(driver, starred=False)
    with driver.changes(f"apps.mail.mails.{key}.starred"):
        driver.tap_icon("star")
    driver.tap_icon("star_filled")
    assert driver.data("mail")["mails"][key]["starred"] is False
    assert driver.page == "mail"


@LAYOUTS
@pytest.mark.parametrize(
    ("icon", "said"),
    [("archive", "Archived"), ("delete", "Moved to trash")],
)
def test_putting_a_mail_away_returns_to_the_list_and_says_so(
    icon: str, said: str, layout: int
) -> None:
    driver = opened(layout)
    _, mail = read_first(driver)
    driver.tap_icon(icon)
    assert driver.page == "main"
    assert driver.sees(said)
    assert mail["subject"] not in driver.of_role("item")


def test_the_toolbar_moves_to_the_bottom_in_the_second_layout() -> None:
    driver = opened(2)
    read_first(driver)
    assert driver.sees("Inbox")
    wordless = [e for e in driver.elements if e.role == "button" and not e.description]
    assert len(wordless) == 5
    assert all(e.bounds[1] > 0.8 for e in wordless)


# Writing


def test_a_reply_to_a_sent_mail_goes_to_the_same_person_again() -> None:
    driver = opened()
    _, mail = first(driver, folder="sent")
    driver.tap("Folders")
    driver.tap("Sent")
    driver.tap(mail["subject"])
    driver.tap_icon("reply")
    assert driver.var("to") == mail["to"]


def test_an_answer_to_an_answer_has_one_re() -> None:
    driver = opened()
    key, _ = first(driver, folder="inbox")
    driver.change("apps", "mail", "mails", key, "subject", to="Re: Lunch")
    driver.tap("Re: Lunch")
    driver.tap_icon("reply")
    assert driver.var("subject") == "Re: Lunch"
    assert driver.sees("Reply")


@LAYOUTS
def test_sending_adds_one_mail_and_changes_no_other(layout: int) -> None:
    driver = opened(layout)
    driver.tap_icon("edit")
    driver.type("bo@post.net")
    driver.fill("Message", "hello")
    with driver.changes("apps.mail.mails.sent-*"):
        driver.tap_icon("send")
    assert driver.sees("Sent")
    (sent,) = mails(driver, to="bo@post.net").values()
    assert (sent["subject"], sent["body"], sent["read"]) == ("(no subject)", "hello", True)


def test_a_sent_mail_is_the_first_of_its_folder() -> None:
    driver = opened()
    driver.tap_icon("edit")
    driver.type("Bo")
    driver.fill("Subject", "Newest of all")
    driver.tap_icon("send")
    driver.tap("Folders")
    driver.tap("Sent")
    assert driver.of_role("item")[0] == "Newest of all"


def test_a_recipient_of_blanks_is_none() -> None:
    driver = opened()
    driver.tap_icon("edit")
    driver.type("   ")
    with driver.changes():
        driver.tap_icon("send")
    assert driver.sees("Add a recipient")


def test_there_is_nothing_to_attach() -> None:
    driver = opened()
    driver.tap_icon("edit")
    with driver.changes():
        driver.tap_icon("attach")
    assert driver.sees("No files to attach")


def test_at_most_three_people_are_suggested_and_none_once_one_is_chosen() -> None:
    driver = opened()
    driver.tap_icon("edit")
    assert driver.of_role("item") == []
    driver.type("a")
    suggested = driver.of_role("item")
    assert 0 < len(suggested) <= 3
    assert all("a" in name.lower() for name in suggested)
    driver.press("back")
    driver.tap(suggested[0])
    assert driver.var("to") == suggested[0]
    assert driver.of_role("item") == []


def test_leaving_a_draft_sends_nothing() -> None:
    driver = opened()
    driver.tap_icon("edit")
    driver.type("Bo")
    with driver.changes():
        driver.back(2)
    assert driver.page == "main"


# Search


@pytest.mark.parametrize("part", ["subject", "sender", "body"])
def test_the_search_looks_into(part: str) -> None:
    driver = opened()
    _, mail = first(driver, folder="inbox")
    driver.tap_icon("search")
    driver.type(mail[part].upper())
    assert mail["subject"] in driver.of_role("item")


def test_only_words_that_were_entered_are_remembered_newest_first() -> None:
    driver = opened()
    driver.tap_icon("search")
    for words in ("one", "two", "one", "three", "four", "five"):
        driver.fill("Search mail", words)
        driver.press("enter")
    driver.fill("Search mail", "never entered")
    assert list(driver.data("mail")["recent"]) == ["five", "four", "three", "one"]


def test_an_empty_search_is_not_remembered() -> None:
    driver = opened()
    driver.tap_icon("search")
    driver.press("enter")
    assert driver.data("mail").get("recent", {}) == {}
    assert driver.sees("Search all folders")


def test_a_found_mail_opens_and_back_returns_to_the_results() -> None:
    driver = opened()
    _, mail = first(driver, folder="archive")
    driver.tap_icon("search")
    driver.type(mail["subject"])
    driver.tap(mail["subject"], role="item")
    assert driver.page == "mail"
    driver.back()
    assert (driver.page, driver.var("query")) == ("search", mail["subject"])
