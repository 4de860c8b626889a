"""Messages: conversations with people, one bubble after another."""

from __future__ import annotations

from random import Random
from typing import Any

from distrl.devices.phone import content
from distrl.devices.phone.app import App
from distrl.devices.phone.apps.people import (
    book,
    by_name,
    letter_of,
    open_chat,
    phone_of,
    place_call,
    tint_of,
)
from distrl.devices.phone.control import Control
from distrl.devices.phone.paint import fonts
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import BODY, Ui
from distrl.devices.phone.ui.view import Handler

_SHOWN = 9
"""Messages of a conversation that its page shows; older ones are left out."""
_BUBBLE_WIDTH = 118
_MOST_LINES = 6


def _open(name: str) -> Handler:
    return lambda c: open_chat(c, name)


def _menu(key: str) -> Handler:
    return lambda c: c.open("actions", id=key)


def _last(chat: State) -> str:
    """The newest message, as a line of the list."""
    messages = chat["messages"]
    if not messages:
        return "No messages"
    message = messages[next(reversed(messages))]
    return f"You: {message['text']}" if message["mine"] else str(message["text"])


def _with_name(chats: State, name: str) -> tuple[str, Any]:
    """Id and record of the conversation with a person, or ("", None)."""
    return next(((k, chat) for k, chat in chats.items() if chat["name"] == name), ("", None))


class Messages(App):
    """Data: chats by id with name, messages by id (text, mine), unread, archived, order."""

    name = "messages"
    title = "Messages"
    icon = "message"
    color = (36, 106, 214)
    permission = "send and view messages"

    def create(self, rng: Random) -> State:
        """Fourteen conversations, one of them archived."""
        chats = {}
        for place, name in enumerate(rng.sample(content.PEOPLE, 14)):
            texts = rng.sample(content.TEXTS, rng.randint(2, 4))
            messages = {
                f"m{i}": {"text": text, "mine": rng.random() < 0.5} for i, text in enumerate(texts)
            }
            answered = messages[f"m{len(texts) - 1}"]["mine"]
            chats[f"chat{place}"] = {
                "name": name,
                "messages": messages,
                "unread": not answered and rng.random() < 0.5,
                "archived": place == 13,
                "order": -10 * place - 10,
            }
        return {"chats": chats}

    def page_main(self, ui: Ui) -> None:
        """The conversations, newest first."""
        new: tuple[str, str, Handler] = ("edit", "", self._new)
        menu: tuple[str, str, Handler] = ("more", "More options", lambda c: c.open("menu"))
        in_bar = ui.version % 2 == 0
        ui.bar("Chats" if in_bar else "Messages", [new, menu] if in_bar else [menu], up=False)
        self._list(ui, archived=False)
        if not in_bar:
            ui.fab("edit", new[2])

    def page_archived(self, ui: Ui) -> None:
        """The conversations that were put away."""
        ui.bar("Archived")
        self._list(ui, archived=True)

    def _list(self, ui: Ui, *, archived: bool) -> None:
        chats = [item for item in ui.data["chats"].items() if item[1]["archived"] is archived]
        for key, chat in sorted(chats, key=lambda item: -item[1]["order"]):
            name, unread = chat["name"], chat["unread"]
            last = _last(chat)
            ui.entry(
                name,
                last,
                letter=letter_of(name),
                tint=tint_of(name),
                trailing="icon:dot" if unread else "",
                bold=unread,
                on_tap=_open(name),
                on_long=_menu(key),
                description=f"Unread, {last}" if unread else last,
            )
        if not chats:
            ui.empty("No conversations", "message")

    def page_chat(self, ui: Ui) -> None:
        """One conversation with a field to write the next message."""
        name = ui.args["name"]
        key, chat = _with_name(ui.data["chats"], name)

        def call(control: Control) -> None:
            place_call(control, phone_of(control.state, name), name)

        actions: list[tuple[str, str, Handler]] = [("phone", "", call)]
        if chat is not None:
            actions.append(("more", "More options", _menu(key)))
        ui.bar(name, actions)
        ui.composer("draft", "Text message", self._send)
        ui.space(4)
        if chat is None:
            ui.text("Say hello", ink="muted", align="center")
            return
        for message in list(chat["messages"].values())[-_SHOWN:]:
            text, mine = message["text"], message["mine"]
            wrapped = fonts.wrap(text, BODY, _BUBBLE_WIDTH)[:_MOST_LINES]
            lines = tuple(fonts.shorten(line, BODY, _BUBBLE_WIDTH) for line in wrapped)
            who = "You" if mine else name
            ui.place(("bubble", lines, mine, self.color), 12 * len(lines) + 9, "text", text, who)

    def _send(self, control: Control) -> None:
        text, name = control.text("draft"), control.page["args"]["name"]
        if not text:
            return
        key, chat = _with_name(control.data["chats"], name)
        if chat is None:
            key = control.new_id("new")
            empty = {"name": name, "messages": {}, "unread": False, "archived": False, "order": 0}
            control.write("chats", key, to=empty)
        message = {"text": text, "mine": True}
        control.write("chats", key, "messages", control.new_id("sent"), to=message)
        control.write("chats", key, "order", to=control.time)
        control.set_var("draft", "")

    def _new(self, control: Control) -> None:
        control.open("new")
        control.focus("query")

    def page_new(self, ui: Ui) -> None:
        """Whom to write to."""
        ui.search_bar("query", "To: name or number", self._write_to_typed)
        query = ui.text_of("query").lower()
        contacts = by_name(book(ui.state))
        for _, contact in contacts:
            name = contact["name"]
            if query in name.lower() or query in contact["phone"]:
                ui.entry(
                    name,
                    contact["phone"],
                    letter=letter_of(name),
                    tint=tint_of(name),
                    on_tap=self._start_chat(name),
                )
        if not contacts:
            ui.empty("No contacts", "person")

    def _write_to_typed(self, control: Control) -> None:
        if control.text("query"):
            self._start_chat(control.text("query"))(control)

    def _start_chat(self, name: str) -> Handler:
        # `open_chat` shows the conversation above the first page, so back leads to the list.
        return lambda c: open_chat(c, name)

    def dialog_menu(self, ui: Ui) -> None:
        """The menu of the list."""

        def read_all(control: Control) -> None:
            for key, chat in control.data["chats"].items():
                if chat["unread"]:
                    control.write("chats", key, "unread", to=False)
            control.back()

        ui.menu(
            [("Mark all as read", read_all), ("Archived", lambda c: c.replace("archived"))],
        )

    def dialog_actions(self, ui: Ui) -> None:
        """The menu of one conversation."""
        key = ui.args["id"]
        chat = ui.data["chats"].get(key)
        if chat is None:
            ui.menu([("Close", lambda c: c.back())])
            return
        archived, unread = chat["archived"], chat["unread"]
        items = [
            ("Unarchive" if archived else "Archive", self._set(key, "archived", to=not archived)),
            (
                "Mark as read" if unread else "Mark as unread",
                self._set(key, "unread", to=not unread),
            ),
            ("Delete", lambda c: c.replace("delete", id=key)),
        ]
        ui.menu(items if ui.version % 2 == 1 else items[::-1])

    def _set(self, key: str, field: str, *, to: bool) -> Handler:
        def change(control: Control) -> None:
            control.write("chats", key, field, to=to)
            control.back()
            if control.page["name"] == "chat":
                control.back()

        return change

    def dialog_delete(self, ui: Ui) -> None:
        """Ask before deleting."""
        ui.dialog(
            "Delete chat?",
            "All its messages will be deleted.",
            [("Cancel", lambda c: c.back()), ("Delete", self._delete)],
        )

    def _delete(self, control: Control) -> None:
        control.erase("chats", control.page["args"]["id"])
        control.back()
        if control.page["name"] == "chat":
            control.back()
        control.toast("Conversation deleted")
