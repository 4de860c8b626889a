"""Mail: folders of mails, reading, answering, writing and searching."""

from __future__ import annotations

from random import Random
from typing import Any

from distrl.devices.phone import content
from distrl.devices.phone.app import App
from distrl.devices.phone.apps.people import address_of, book, by_name, letter_of, tint_of
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import LARGE, Ui
from distrl.devices.phone.ui.view import Handler

FOLDERS = {
    "inbox": "Inbox",
    "sent": "Sent",
    "archive": "Archive",
    "trash": "Trash",
    "spam": "Spam",
}
TOOLS = ("archive", "delete", "star", "reply", "mail")
"""Icons of a mail's buttons. They carry no words, and each phone has an order of its own."""
_DATES = ("9:20 AM", "7:02 AM", "Mon", "Sun", "Sat", "Jan 3", "Jan 2", "Dec 30")
_START = ("inbox",) * 13 + ("archive",) * 3 + ("sent",) * 2 + ("trash", "spam")
"""Where the mails of a new phone are."""
_MOST_RESULTS = 30
ME = "Me"


def new_mail(subject: str, body: str, **fields: Any) -> State:
    """A mail's record; what is not given is as of an unread mail in the inbox."""
    mail = {
        "sender": ME,
        "to": ME,
        "subject": subject,
        "body": body,
        "folder": "inbox",
        "read": False,
        "starred": False,
        "order": 0,
        "date": "9:20 AM",
    }
    return {**mail, **fields}


def _open(key: str) -> Handler:
    def open_mail(control: Control) -> None:
        control.open("mail", id=key)
        if not control.data["mails"][key]["read"]:
            control.write("mails", key, "read", to=True)

    return open_mail


def _write(control: Control) -> None:
    control.open("compose")
    control.focus("to")


class Mail(App):
    """Data: mails by id, the order of a mail's buttons, recent searches."""

    name = "mail"
    title = "Mail"
    icon = "mail"
    color = (200, 62, 58)
    permission = "read your contacts"
    slow = True

    def create(self, rng: Random) -> State:
        """A score of mails over the folders."""
        mails = {}
        for place, mail in enumerate(rng.sample(content.MAILS, len(_START))):
            folder = _START[place]
            person = rng.choice(content.PEOPLE)
            sent = folder == "sent"
            mails[f"mail{place}"] = new_mail(
                mail.subject,
                mail.body,
                sender=ME if sent else person,
                to=person if sent else ME,
                folder=folder,
                read=sent or rng.random() < 0.6,
                starred=rng.random() < 0.15,
                order=-10 * place - 10,
                date=_DATES[place * len(_DATES) // len(_START)],
            )
        return {"mails": mails, "toolbar": rng.sample(TOOLS, len(TOOLS))}

    def page_main(self, ui: Ui) -> None:
        """The mails of the chosen folder, newest first."""
        folder = str(ui.var("folder", "inbox"))
        actions: list[tuple[str, str, Handler]] = [
            ("search", "", self._search),
            ("menu", "Folders", lambda c: c.open("folders")),
        ]
        in_bar = ui.version % 2 == 0
        if in_bar:
            actions.insert(0, ("edit", "", _write))
        ui.bar(FOLDERS[folder], actions, up=False)
        mails = [item for item in ui.data["mails"].items() if item[1]["folder"] == folder]
        for key, mail in sorted(mails, key=lambda item: -item[1]["order"]):
            self._line(ui, key, mail)
        if not mails:
            ui.empty("Nothing here", "inbox")
        if not in_bar:
            ui.fab("edit", _write)

    def _line(self, ui: Ui, key: str, mail: State) -> None:
        who = mail["to"] if mail["folder"] == "sent" else mail["sender"]
        first, second = (who, mail["subject"]) if ui.version % 2 == 1 else (mail["subject"], who)
        ui.entry(
            first,
            second,
            letter=letter_of(who),
            tint=tint_of(who),
            trailing="icon:star_filled" if mail["starred"] else mail["date"],
            bold=not mail["read"],
            on_tap=_open(key),
            on_long=lambda c: c.open("actions", id=key),
            text=mail["subject"],
            description=who if mail["read"] else f"{who}, unread",
        )

    def dialog_folders(self, ui: Ui) -> None:
        """Which folder to show."""

        def show(folder: str) -> Handler:
            def choose(control: Control) -> None:
                control.back_to("main")
                control.set_var("folder", folder)

            return choose

        ui.menu([(label, show(folder)) for folder, label in FOLDERS.items()])

    def dialog_actions(self, ui: Ui) -> None:
        """The menu of a long press."""
        key = ui.args["id"]
        mail = ui.data["mails"].get(key)
        if mail is None:
            ui.menu([("Close", lambda c: c.back())])
            return

        def flip_read(control: Control) -> None:
            control.write("mails", key, "read", to=not control.data["mails"][key]["read"])
            control.back()

        ui.menu(
            [
                ("Mark as unread" if mail["read"] else "Mark as read", flip_read),
                ("Move to inbox", self._move(key, "inbox", "Moved to inbox")),
                ("Report spam", self._move(key, "spam", "Reported as spam")),
            ]
        )

    def _search(self, control: Control) -> None:
        control.open("search")
        control.focus("query")

    def page_search(self, ui: Ui) -> None:
        """Mails of all folders whose subject, people or text match."""
        ui.search_bar("query", "Search mail", self._remember)
        query = ui.text_of("query").lower()
        if not query:
            self._suggest(ui)
            return
        found = [
            (key, mail)
            for key, mail in ui.data["mails"].items()
            if any(query in mail[part].lower() for part in ("subject", "sender", "to", "body"))
        ]
        for key, mail in found[:_MOST_RESULTS]:
            self._line(ui, key, mail)
        if not found:
            ui.empty("No mails found", "search")

    def _suggest(self, ui: Ui) -> None:
        for words in ui.data.get("recent", {}):
            ui.row(words, icon="history", on_tap=self._search_again(words))
        ui.empty("Search all folders", "search")

    def _search_again(self, words: str) -> Handler:
        return lambda c: c.set_var("query", words)

    def _remember(self, control: Control) -> None:
        words = control.text("query")
        if words:
            earlier = [w for w in control.data.get("recent", {}) if w != words]
            control.write("recent", to=dict.fromkeys([words, *earlier][:4], True))

    # One mail

    def page_mail(self, ui: Ui) -> None:
        """One mail with icons for what can be done with it."""
        key = ui.args["id"]
        mail = ui.data["mails"].get(key)
        if mail is None:
            ui.bar("Mail")
            ui.empty("This mail was deleted", "mail")
            return
        handlers = self._tools(key, mail)
        icons = {"star": "star_filled"} if mail["starred"] else {}
        tools = [(icons.get(tool, tool), "", handlers[tool]) for tool in ui.data["toolbar"]]
        if ui.version % 2 == 1:
            ui.bar("Mail", tools, up=True)
        else:
            ui.bar(FOLDERS[mail["folder"]], up=True)
            ui.bottom_icons(tools)
        ui.text(mail["subject"], LARGE, bold=True)
        who = mail["sender"]
        ui.entry(who, f"to {mail['to']}", letter=letter_of(who), tint=tint_of(who))
        ui.text(mail["date"], 8, ink="muted", align="right")
        ui.text(mail["body"])

    def _tools(self, key: str, mail: State) -> dict[str, Handler]:
        def unread(control: Control) -> None:
            control.write("mails", key, "read", to=False)
            control.back()

        def star(control: Control) -> None:
            control.write("mails", key, "starred", to=not control.data["mails"][key]["starred"])

        forever = mail["folder"] == "trash"
        return {
            "archive": self._move(key, "archive", "Archived"),
            "delete": self._erase(key) if forever else self._move(key, "trash", "Moved to trash"),
            "star": star,
            "reply": lambda c: self._reply(c, key),
            "mail": unread,
        }

    def _move(self, key: str, folder: str, said: str) -> Handler:
        def move(control: Control) -> None:
            control.write("mails", key, "folder", to=folder)
            control.back()
            control.toast(said)

        return move

    def _erase(self, key: str) -> Handler:
        def erase(control: Control) -> None:
            control.erase("mails", key)
            control.back()
            control.toast("Deleted for good")

        return erase

    def _reply(self, control: Control, key: str) -> None:
        mail = control.data["mails"][key]
        subject = mail["subject"]
        control.open("compose", reply=key)
        control.set_var("to", mail["to"] if mail["folder"] == "sent" else mail["sender"])
        control.set_var("subject", subject if subject.startswith("Re: ") else f"Re: {subject}")
        control.focus("body")

    def page_compose(self, ui: Ui) -> None:
        """A form for a new mail or an answer."""
        attach: tuple[str, str, Handler] = ("attach", "", lambda c: c.toast("No files to attach"))
        send: tuple[str, str, Handler] = ("send", "", self._send)
        actions = [attach, send] if ui.version % 2 == 1 else [send, attach]
        ui.bar("Reply" if "reply" in ui.args else "New mail", actions)
        ui.space(4)
        ui.field("to", "To")
        ui.field("subject", "Subject")
        ui.field("body", "Message")
        self._suggest_people(ui)

    def _suggest_people(self, ui: Ui) -> None:
        """Contacts that complete what stands in the To field, until one is chosen."""
        typed = ui.text_of("to").lower()
        if not typed:
            return
        found = [c["name"] for _, c in by_name(book(ui.state)) if typed in c["name"].lower()]
        for name in found[:3]:
            if name.lower() != typed:
                ui.row(name, address_of(name), icon="person", on_tap=self._choose(name))

    def _choose(self, name: str) -> Handler:
        return lambda c: c.set_var("to", name)

    def _send(self, control: Control) -> None:
        to = control.text("to")
        if not to:
            control.toast("Add a recipient")
            return
        mail = new_mail(
            control.text("subject") or "(no subject)",
            control.text("body"),
            to=to,
            folder="sent",
            read=True,
            order=control.time,
            date="Now",
        )
        control.write("mails", control.new_id("sent"), to=mail)
        control.back()
        control.toast("Sent")
