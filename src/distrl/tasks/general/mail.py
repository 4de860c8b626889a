"""Goals in the Mail app."""

from __future__ import annotations

from random import Random

from distrl.devices.phone import content
from distrl.devices.phone.apps.mail import FOLDERS, TOOLS, new_mail
from distrl.devices.phone.apps.people import address_of
from distrl.devices.phone.control import Control
from distrl.tasks.allowed_changes import Added, Permission
from distrl.tasks.general.contacts import put_contact
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import MAIL, PERSON, TEXT
from distrl.tasks.template import Params, Scene, Template

_BODIES = {mail.subject: mail.body for mail in content.MAILS}


def _sender(subject: str) -> str:
    """Who wrote a mail: the same on every phone, so that only the icons tell phones apart."""
    return content.PEOPLE[sum(map(ord, subject)) % len(content.PEOPLE)]


def _put_mail(control: Control, subject: str, rng: Random) -> None:
    """There is exactly one mail of this subject, in the inbox, with the id `target`."""
    mails = control.state["apps"]["mail"]["mails"]
    kept = {key: mail for key, mail in mails.items() if subject not in mail["subject"]}
    kept["target"] = new_mail(
        subject,
        _BODIES[subject],
        sender=_sender(subject),
        read=rng.random() < 0.5,
        order=-10 * rng.randrange(12) - 5,
        date="Today",
    )
    control.write_root("apps", "mail", "mails", to=kept)
    control.write_root("apps", "mail", "toolbar", to=rng.sample(TOOLS, len(TOOLS)))


def _open_mail(hand: Hand, subject: str) -> None:
    """The mail `target` is in front; it is looked for in the folder that it is in."""
    hand.open("mail")
    if hand.at("mail", id="target"):
        return
    folder = hand.data("mail")["mails"].get("target", {}).get("folder", "inbox")
    if hand.at("folders"):
        hand.tap(FOLDERS[folder])
    hand.on("main")
    if hand.var("folder", "inbox") != folder:
        hand.tap_icon("menu")
    hand.tap(subject)


class _MailTool(Template):
    """A button of a mail. Its icon has no words and no fixed place."""

    params = {"subject": MAIL}
    visual = True
    tool: str
    """Which of `TOOLS` to press."""

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The mail is in the inbox; the icons stand in any order."""
        _put_mail(control, p["subject"], rng)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the mail and press the icon."""
        _open_mail(hand, p["subject"])
        hand.tap_icon(self.tool)


class ArchiveMail(_MailTool):
    """A mail is in the archive."""

    name = "archive_mail"
    phrasings = (
        "Archive the mail {subject}",
        "Put the message with the subject {subject} into the archive",
        "Move the mail called {subject} to Archive",
    )
    allows = ("apps.mail.mails.target.folder", "apps.mail.mails.target.read")
    tool = "archive"

    def check(self, scene: Scene, p: Params) -> bool:
        """It is there."""
        return bool(scene.data("mail")["mails"].get("target", {}).get("folder") == "archive")


class DeleteMail(_MailTool):
    """A mail is in the trash, or gone for good."""

    name = "delete_mail"
    unseen = True
    phrasings = (
        "Delete the mail {subject}",
        "Move the message {subject} to the trash",
        "Throw away the mail with the subject {subject}",
    )
    allows = (
        "apps.mail.mails.target",
        "apps.mail.mails.target.folder",
        "apps.mail.mails.target.read",
    )
    tool = "delete"

    def check(self, scene: Scene, p: Params) -> bool:
        """It is not where it was."""
        mail = scene.data("mail")["mails"].get("target")
        return mail is None or bool(mail["folder"] == "trash")


class StarMail(_MailTool):
    """A mail has a star."""

    name = "star_mail"
    phrasings = (
        "Star the mail {subject}",
        "Mark the message {subject} with a star",
        "Give the mail with the subject {subject} a star",
    )
    allows = ("apps.mail.mails.target.starred", "apps.mail.mails.target.read")
    tool = "star"

    def check(self, scene: Scene, p: Params) -> bool:
        """It has one."""
        return bool(scene.data("mail")["mails"].get("target", {}).get("starred"))


class ReplyMail(Template):
    """An answer to a mail."""

    name = "reply_mail"
    phrasings = (
        "Reply to the mail {subject} with {text}",
        "Answer the message {subject} saying {text}",
        "Respond {text} to the mail titled {subject}",
    )
    params = {"subject": MAIL, "text": TEXT}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """One new mail with that text; opening the mail that it answers marks it as read."""
        return (
            Added("apps.mail.mails", {"folder": "sent", "body": p["text"]}),
            "apps.mail.mails.target.read",
        )

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The mail is in the inbox."""
        _put_mail(control, p["subject"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """An answer with that text went to the sender."""
        wanted = (f"Re: {p['subject']}", p["text"], _sender(p["subject"]), "sent")
        return any(
            (m["subject"], m["body"], m["to"], m["folder"]) == wanted
            for m in scene.data("mail")["mails"].values()
        )

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the mail, reply, type, send."""
        hand.open("mail")
        subject = p["subject"]
        if hand.at("compose", reply="target"):
            if (hand.var("to"), hand.var("subject")) != (_sender(subject), f"Re: {subject}"):
                hand.back()
            hand.type("body", p["text"])
            hand.tap_icon("send")
        _open_mail(hand, subject)
        hand.tap_icon("reply")


class ComposeMail(Template):
    """A new mail to a person."""

    name = "compose_mail"
    unseen = True
    phrasings = (
        "Send {person} a mail with the subject {subject}",
        "Write a mail to {person} about {subject}",
        "Mail {person}, the subject is {subject}",
    )
    params = {"person": PERSON, "subject": MAIL}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """One new mail with that subject."""
        return (Added("apps.mail.mails", {"folder": "sent", "subject": p["subject"]}),)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The person is a contact; nothing of that subject was sent yet."""
        put_contact(control, p["person"])
        mails = control.state["apps"]["mail"]["mails"]
        kept = {key: mail for key, mail in mails.items() if mail["subject"] != p["subject"]}
        control.write_root("apps", "mail", "mails", to=kept)

    def check(self, scene: Scene, p: Params) -> bool:
        """Such a mail was sent."""
        receivers = (p["person"], address_of(p["person"]))
        return any(
            m["folder"] == "sent" and m["to"] in receivers and m["subject"] == p["subject"]
            for m in scene.data("mail")["mails"].values()
        )

    def oracle(self, hand: Hand, p: Params) -> None:
        """New mail, type person and subject, send."""
        hand.open("mail")
        if hand.at("compose") and "reply" not in hand.args:
            hand.type("to", p["person"])
            hand.type("subject", p["subject"])
            hand.tap_icon("send")
        hand.on("main")
        hand.tap_icon("edit")


class SearchMail(Template):
    """The results of a search are in front."""

    name = "search_mail"
    unseen = True
    phrasings = (
        "Search my mail for {subject}",
        "Find messages about {subject} with the search in Mail",
        "Look for {subject} in the Mail app using search",
    )
    params = {"subject": MAIL}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """There is such a mail."""
        _put_mail(control, p["subject"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """The search page shows what it found."""
        query = str(scene.var("query", "")).strip().lower()
        return scene.at("mail", "search") and query == p["subject"].lower()

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the search and type."""
        hand.open("mail")
        if hand.at("search"):
            hand.type("query", p["subject"])
        hand.on("main")
        hand.tap_icon("search")


TEMPLATES: tuple[Template, ...] = (
    ArchiveMail(),
    DeleteMail(),
    StarMail(),
    ReplyMail(),
    ComposeMail(),
    SearchMail(),
)
