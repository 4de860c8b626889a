from __future__ import annotations

import pytest
from tests.tasks.general.posed import neighbour
from tests.tasks.questions.asked import Asked, Case, misjudged, unseen

from distrl.tasks.questions.people import TEMPLATES

CONTACT = ("apps", "contacts", "contacts", "target")
MAIL = ("apps", "mail", "mails", "target")
CHAT = ("apps", "messages", "chats", "target", "messages")
CASES = (
    Case(
        "q_contact_number",
        {"person": "Yara Khoury"},
        ("555-3087", "5553087", "555 3087", "The number is 555-3087."),
        ("555-3088", "3087", "555-308", "555-3087 or 555-3088", "none"),
        {(*CONTACT, "phone"): "555-3087"},
    ),
    Case(
        "q_contact_mail",
        {"person": "Yara Khoury"},
        ("y.khoury@post.net", "Y.Khoury@post.net", "It is y.khoury@post.net"),
        ("khoury@post.net", "y.khoury@post.com", "y.khoury", "555-3087"),
        {(*CONTACT, "mail"): "y.khoury@post.net"},
    ),
    Case(
        "q_mail_sender",
        {"subject": "Visa checklist"},
        ("Mateo Urrutia", "mateo urrutia", "It is by Mateo Urrutia."),
        ("Mateo", "Urrutia and Mateo", "Me", "Mateo Urrutia or Yara Khoury", "Visa"),
        {(*MAIL, "sender"): "Mateo Urrutia"},
    ),
    Case(
        "q_last_message",
        {"person": "Naomi Ashworth"},
        ("the blue gate is open", "The blue gate is open!", "blue gate open"),
        ("the blue gate is shut", "my own words", "hello", "the blue gate", "none"),
        {
            CHAT: {
                "m0": {"text": "hello", "mine": False},
                "m1": {"text": "the blue gate is open", "mine": False},
                "m2": {"text": "my own words", "mine": True},
            }
        },
    ),
    Case(
        "q_no_contact",
        {"person": "Winston Bramwell"},
        ("none", "no number", "There is no such contact", "nobody"),
        ("555-1234", "yes", "Winston"),
    ),
)
every_case = pytest.mark.parametrize("case", CASES, ids=str)


def test_every_question_of_the_module_has_a_case_or_a_test() -> None:
    tested = {case.template for case in CASES} | {"q_sender_number"}
    assert tested == {template.name for template in TEMPLATES}


@every_case
def test_the_right_answer_counts_in_any_spelling_and_a_near_miss_does_not(case: Case) -> None:
    assert not list(misjudged(case))


@every_case
def test_the_oracle_reads_the_answer_on_the_screen(case: Case) -> None:
    assert not list(unseen(case))


def test_the_number_of_a_neighbour_is_no_answer() -> None:
    asked = Asked("q_contact_number", person="Yara Khoury")
    _, other = neighbour(asked.data("contacts")["contacts"])
    assert not asked.accepts(other["phone"])
    assert asked.accepts(asked.data("contacts")["contacts"]["target"]["phone"])


@pytest.mark.parametrize("seed", range(5, 9))
def test_the_number_of_a_sender_takes_the_mail_and_the_card(seed: int) -> None:
    asked = Asked("q_sender_number", seed, subject="Visa checklist")
    sender = asked.data("mail")["mails"]["target"]["sender"]
    card = asked.data("contacts")["contacts"]["target"]
    assert card["name"] == sender
    said = asked.find_out()
    assert said == card["phone"]
    assert asked.shows(sender)
    assert asked.state["ui"]["stacks"]["mail"][-1]["args"] == {"id": "target"}
    assert asked.accepts(said)
    assert not asked.accepts(sender)
    _, other = neighbour(asked.data("contacts")["contacts"])
    assert not asked.accepts(other["phone"])


def test_a_mail_may_be_read_for_its_sender_and_nothing_else() -> None:
    asked = Asked("q_mail_sender", subject="Visa checklist")
    asked.change(*MAIL, "read", to=True)
    assert not asked.side_effects
    asked.change(*MAIL, "starred", to=True)
    assert asked.side_effects == ("apps.mail.mails.target.starred",)


def test_who_is_asked_for_in_vain_is_not_in_the_phone_book() -> None:
    asked = Asked("q_no_contact", person="Winston Bramwell")
    names = {contact["name"] for contact in asked.data("contacts")["contacts"].values()}
    assert "Winston Bramwell" not in names
    assert names
    assert asked.find_out() == "none"
    assert asked.app == "contacts"
    assert asked.var("query") == "Winston Bramwell"


def test_a_message_of_mine_is_not_what_the_other_wrote() -> None:
    asked = Asked("q_last_message", person="Naomi Ashworth")
    sent = asked.data("messages")["chats"]["target"]["messages"]
    asked.arrange(*CHAT, to={**sent, "mine": {"text": "a lie of mine", "mine": True}})
    assert not asked.accepts("a lie of mine")
    theirs = [message["text"] for message in sent.values() if not message["mine"]]
    assert asked.accepts(theirs[-1])
