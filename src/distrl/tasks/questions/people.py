"""Questions about people: contacts, mails and messages."""

from __future__ import annotations

from random import Random

from distrl.devices.phone import content
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.tasks.general import mail, messages
from distrl.tasks.general.contacts import drop_contact, open_card, put_contact
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import MAIL, PERSON
from distrl.tasks.question import Question, Unanswerable
from distrl.tasks.template import Params, Template


class ContactNumber(Question):
    """A phone number."""

    name = "q_contact_number"
    phrasings = (
        "What is the phone number of {person}?",
        "Which number does {person} have?",
        "Look up how I can call {person} and tell me the number",
    )
    params = {"person": PERSON}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The contact exists."""
        put_contact(control, p["person"])

    def look(self, hand: Hand, p: Params) -> None:
        """The card is open."""
        open_card(hand, p["person"])

    def right(self, state: State, p: Params) -> str:
        """The number on the card."""
        return str(state["apps"]["contacts"]["contacts"]["target"]["phone"])


class ContactMail(ContactNumber):
    """A mail address."""

    name = "q_contact_mail"
    unseen = True
    phrasings = (
        "What is the mail address of {person}?",
        "Which mail address does {person} have?",
        "Look {person} up in my contacts and tell me the mail address",
    )

    def right(self, state: State, p: Params) -> str:
        """The address on the card."""
        return str(state["apps"]["contacts"]["contacts"]["target"]["mail"])


class NoContact(Unanswerable):
    """Who is not in the phone book has no number there."""

    name = "q_no_contact"
    phrasings = ContactNumber.phrasings
    params = {"person": PERSON}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The person is not there."""
        drop_contact(control, p["person"])

    def look(self, hand: Hand, p: Params) -> None:
        """A search for the name is in front."""
        hand.open("contacts")
        hand.on("main")
        hand.type("query", p["person"])


class MailSender(Question):
    """Who wrote a mail."""

    name = "q_mail_sender"
    phrasings = (
        "Who sent me the mail {subject}?",
        "Who wrote the mail with the subject {subject}?",
        "Tell me who the mail {subject} is from",
    )
    params = {"subject": MAIL}
    allows = ("apps.mail.mails.target.read",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is in the inbox, from anybody."""
        mail.StarMail().setup(control, p, rng)
        sender = rng.choice(content.PEOPLE)
        control.write_root("apps", "mail", "mails", "target", "sender", to=sender)

    def look(self, hand: Hand, p: Params) -> None:
        """It is open."""
        hand.open("mail")
        if hand.at("mail", id="target"):
            return
        hand.on("main")
        hand.tap(p["subject"])

    def right(self, state: State, p: Params) -> str:
        """The sender's name."""
        return str(state["apps"]["mail"]["mails"]["target"]["sender"])


class SenderNumber(MailSender):
    """Two apps: who wrote a mail, and the number of that person."""

    name = "q_sender_number"
    phrasings = (
        "What is the phone number of the person who sent me the mail {subject}?",
        "Find out who wrote the mail {subject} and tell me their phone number",
        "Which number can I call the sender of the mail {subject} at?",
    )

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The sender is in the phone book."""
        super().setup(control, p, rng)
        put_contact(control, super().right(control.state, p))

    def look(self, hand: Hand, p: Params) -> None:
        """The mail first, whose page stays open behind the contacts; then the card."""
        pages = hand.state["ui"]["stacks"].get("mail", [{"name": ""}])
        if hand.app == "mail" or pages[-1]["name"] != "mail":
            super().look(hand, p)
        open_card(hand, super().right(hand.state, p))

    def right(self, state: State, p: Params) -> str:
        """The number on the card."""
        return str(state["apps"]["contacts"]["contacts"]["target"]["phone"])


class LastMessage(Question):
    """What somebody wrote last."""

    name = "q_last_message"
    phrasings = (
        "What was the last thing that {person} wrote to me?",
        "What does the newest message from {person} say?",
        "Read me the latest message of {person}",
    )
    place = messages.OpenChat()

    def right(self, state: State, p: Params) -> str:
        """The newest one that is not mine."""
        sent = state["apps"]["messages"]["chats"]["target"]["messages"].values()
        return str([message["text"] for message in sent if not message["mine"]][-1])


TEMPLATES: tuple[Template, ...] = (
    ContactNumber(),
    ContactMail(),
    NoContact(),
    MailSender(),
    SenderNumber(),
    LastMessage(),
)
