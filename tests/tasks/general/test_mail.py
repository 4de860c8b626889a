"""What the goals in Mail accept and what they do not."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed, added

from distrl.devices.phone.apps.people import address_of
from distrl.types import Element

SUBJECT, TEXT, PERSON = "Rent receipt", "i can pick you up", "Amara Okonjo"


@pytest.mark.parametrize("template", ["archive_mail", "delete_mail", "star_mail"])
def test_the_icons_of_a_mail_can_only_be_told_apart_by_looking(template: str) -> None:
    taps: dict[tuple[Element, ...], set[float]] = {}
    for seed in range(12):
        posed = Posed(template, seed, subject=SUBJECT)
        posed.open("mail")
        posed.tap(SUBJECT)
        elements = tuple(e for e in posed.elements if e.role != "status")
        taps.setdefault(elements, set()).add(posed.next_action().x)
    assert max(len(places) for places in taps.values()) > 1


@pytest.mark.parametrize("template", ["archive_mail", "delete_mail", "star_mail"])
def test_doing_it_to_another_mail_is_a_side_effect(template: str) -> None:
    posed = Posed(template, subject=SUBJECT)
    icon = template.removesuffix("_mail")
    other = next(
        mail["subject"]
        for key, mail in posed.data("mail")["mails"].items()
        if key != "target" and mail["folder"] == "inbox" and not mail["starred"]
    )
    posed.open("mail")
    posed.tap(other)
    posed.tap_icon(icon)
    assert not posed.reached
    assert posed.side_effects


def test_a_mail_in_the_wrong_folder_is_still_found() -> None:
    posed = Posed("archive_mail", subject=SUBJECT)
    posed.change("apps", "mail", "mails", "target", "folder", to="spam")
    posed.solve()
    assert posed.data("mail")["mails"]["target"]["folder"] == "archive"


def test_a_reply_with_another_text_does_not_count() -> None:
    posed = Posed("reply_mail", subject=SUBJECT, text=TEXT)
    posed.open("mail")
    posed.tap(SUBJECT)
    posed.tap_icon("reply")
    posed.type("something else")
    posed.tap_icon("send")
    assert not posed.reached
    posed.solve()


def test_a_reply_whose_receiver_was_spoilt_is_begun_again() -> None:
    posed = Posed("reply_mail", subject=SUBJECT, text=TEXT)
    posed.open("mail")
    posed.tap(SUBJECT)
    posed.tap_icon("reply")
    posed.fill("To", "nobody")
    posed.solve()


def test_a_mail_with_the_right_subject_must_go_to_the_right_person() -> None:
    posed = Posed("compose_mail", person=PERSON, subject=SUBJECT)
    posed.open("mail")
    posed.tap_icon("edit")
    posed.type("Wei Huang")
    posed.fill("Subject", SUBJECT)
    posed.tap_icon("send")
    assert not posed.reached
    posed.solve()


def test_a_search_for_other_words_does_not_count() -> None:
    posed = Posed("search_mail", subject=SUBJECT)
    posed.open("mail")
    posed.tap_icon("search")
    posed.type("Rent")
    assert posed.sees(SUBJECT)
    assert not posed.reached
    posed.solve()
    assert posed.sees(SUBJECT)


def _open(posed: Posed, subject: str) -> None:
    posed.open("mail")
    posed.tap(subject)


def _compose(posed: Posed, to: str, subject: str) -> None:
    posed.open("mail")
    posed.tap_icon("edit")
    posed.fill("To", to)
    posed.fill("Subject", subject)
    posed.tap_icon("send")


@pytest.mark.parametrize("template", ["archive_mail", "delete_mail", "star_mail"])
def test_an_opened_mail_is_read_and_nothing_else(template: str) -> None:
    posed = Posed(template, subject=SUBJECT)
    posed.change("apps", "mail", "mails", "target", "read", to=False)
    _open(posed, SUBJECT)
    assert not posed.reached
    assert posed.side_effects == ()


def test_spam_is_not_the_archive() -> None:
    posed = Posed("archive_mail", subject=SUBJECT)
    posed.open("mail")
    posed.long_press(SUBJECT)
    posed.tap("Report spam")
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == ()


def test_a_mail_that_went_back_to_the_inbox_is_not_archived() -> None:
    posed = Posed("archive_mail", subject=SUBJECT)
    posed.solve()
    posed.change("apps", "mail", "mails", "target", "folder", to="inbox")
    assert not posed.reached


def test_a_mail_that_is_deleted_for_good_is_deleted_too() -> None:
    posed = Posed("delete_mail", subject=SUBJECT)
    posed.solve()
    assert posed.data("mail")["mails"]["target"]["folder"] == "trash"
    posed.open("mail")
    posed.tap_icon("menu")
    posed.tap("Trash")
    posed.tap(SUBJECT)
    posed.tap_icon("delete")
    assert "target" not in posed.data("mail")["mails"]
    assert posed.reached
    assert posed.side_effects == ()


def test_an_archived_mail_is_not_deleted() -> None:
    posed = Posed("delete_mail", subject=SUBJECT)
    _open(posed, SUBJECT)
    posed.tap_icon("archive")
    assert not posed.reached


def test_a_star_that_is_taken_back_does_not_count() -> None:
    posed = Posed("star_mail", subject=SUBJECT)
    _open(posed, SUBJECT)
    posed.tap_icon("star")
    assert posed.reached
    posed.tap_icon("star_filled")
    assert not posed.reached


def test_starring_and_archiving_is_one_thing_too_many() -> None:
    posed = Posed("star_mail", subject=SUBJECT)
    _open(posed, SUBJECT)
    posed.tap_icon("star")
    posed.tap_icon("archive")
    assert posed.reached
    assert posed.side_effects == ("apps.mail.mails.target.folder",)


def test_an_answer_counts_once_it_is_sent_and_only_once() -> None:
    posed = Posed("reply_mail", subject=SUBJECT, text=TEXT)
    for sent in range(2):
        _open(posed, SUBJECT)
        posed.tap_icon("reply")
        posed.type(TEXT)
        assert posed.reached is (sent > 0)
        posed.tap_icon("send")
        assert posed.reached
        assert len(posed.side_effects) == sent
        posed.press("back")


def test_a_new_mail_instead_of_an_answer_does_not_count() -> None:
    posed = Posed("reply_mail", subject=SUBJECT, text=TEXT)
    sender = posed.data("mail")["mails"]["target"]["sender"]
    posed.open("mail")
    posed.tap_icon("edit")
    posed.fill("To", sender)
    posed.fill("Subject", SUBJECT)
    posed.fill("Message", TEXT)
    posed.tap_icon("send")
    assert not posed.reached


def test_a_mail_may_go_to_the_name_or_to_the_address() -> None:
    for to in (PERSON, address_of(PERSON)):
        posed = Posed("compose_mail", person=PERSON, subject=SUBJECT)
        _compose(posed, to, SUBJECT)
        assert posed.reached
        assert posed.side_effects == ()


def test_a_mail_can_be_begun_on_the_card_of_the_contact() -> None:
    posed = Posed("compose_mail", person=PERSON, subject=SUBJECT)
    posed.open("contacts")
    posed.tap(PERSON)
    posed.tap_paint("round_button", "mail")
    posed.fill("Subject", SUBJECT)
    posed.tap_icon("send")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_mail_without_its_subject_stays_as_a_side_effect() -> None:
    posed = Posed("compose_mail", person=PERSON, subject=SUBJECT)
    posed.open("mail")
    before = posed.data("mail")["mails"]
    posed.tap_icon("edit")
    posed.fill("To", PERSON)
    posed.tap_icon("send")
    wrong = added(posed.data("mail")["mails"], before)
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == (f"apps.mail.mails.{wrong}",)


def test_nothing_is_sent_without_a_receiver() -> None:
    posed = Posed("compose_mail", person=PERSON, subject=SUBJECT)
    posed.open("mail")
    posed.tap_icon("edit")
    posed.fill("Subject", SUBJECT)
    posed.tap_icon("send")
    assert not posed.reached
    assert posed.side_effects == ()


def test_a_search_for_less_or_on_another_page_is_no_search_for_it() -> None:
    posed = Posed("search_mail", subject=SUBJECT)
    posed.open("mail")
    posed.tap_icon("search")
    posed.fill("Search mail", SUBJECT[:4])
    assert not posed.reached
    posed.fill("Search mail", SUBJECT.upper())
    assert posed.reached
    posed.tap(SUBJECT)
    assert not posed.reached
