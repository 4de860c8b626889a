"""What the goals in Mail accept and what they do not."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed

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
