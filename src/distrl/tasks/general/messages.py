"""Goals in the Messages app."""

from __future__ import annotations

from random import Random

from distrl.devices.phone import content
from distrl.devices.phone.control import Control
from distrl.tasks.allowed_changes import Added, Permission, fields_of
from distrl.tasks.general.contacts import put_contact
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import PERSON, TEXT
from distrl.tasks.template import Params, Scene, Template


def _drop_chats(control: Control, name: str) -> None:
    chats = control.state["apps"]["messages"]["chats"]
    kept = {key: chat for key, chat in chats.items() if chat["name"] != name}
    control.write_root("apps", "messages", "chats", to=kept)


def _put_chat(control: Control, name: str, rng: Random, *, without: str = "") -> None:
    """There is exactly one chat with a person, with the id `target`, somewhere in the list."""
    _drop_chats(control, name)
    texts = [text for text in rng.sample(content.TEXTS, 4) if text != without]
    chat = {
        "name": name,
        "messages": {f"m{i}": {"text": t, "mine": i % 2 == 1} for i, t in enumerate(texts[:3])},
        "unread": rng.random() < 0.4,
        "archived": False,
        "order": -10 * rng.randrange(13) - 5,
    }
    control.write_root("apps", "messages", "chats", "target", to=chat)


def _tap_chat(hand: Hand, name: str, *, hold: bool = False) -> None:
    """Touch the chat `target`, in the list or among the archived ones."""
    if hand.data("messages")["chats"].get("target", {}).get("archived"):
        if hand.at("archived"):
            hand.tap(name, role="item", hold=hold)
        if hand.at("menu"):
            hand.tap("Archived")
        hand.on("main")
        hand.tap_icon("more")
    hand.on("main")
    hand.tap(name, role="item", hold=hold)


class SendMessage(Template):
    """A message in a chat that exists."""

    name = "send_message"
    phrasings = (
        "Send {text} to {person}",
        "Text {person}: {text}",
        "Write {text} in my chat with {person}",
        "Message {person} saying {text}",
    )
    params = {"person": PERSON, "text": TEXT}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """One new message; opening the chat marks it as read, and sending moves it to the top."""
        message = {"text": p["text"], "mine": True}
        return (
            Added("apps.messages.chats.target.messages", message),
            *fields_of("apps.messages.chats.target", "order", "unread"),
        )

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The chat exists, without that message."""
        _put_chat(control, p["person"], rng, without=p["text"])

    def check(self, scene: Scene, p: Params) -> bool:
        """The message was sent."""
        messages = scene.data("messages")["chats"].get("target", {}).get("messages", {})
        return any(m["mine"] and m["text"] == p["text"] for m in messages.values())

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the chat, type, send."""
        hand.open("messages")
        if hand.at("chat", name=p["person"]):
            hand.type("draft", p["text"])
            hand.tap_icon("send")
        _tap_chat(hand, p["person"])


class NewChat(Template):
    """A chat with somebody from the phone book."""

    name = "new_chat"
    unseen = True
    phrasings = (
        "Start a new chat with {person}",
        "Begin a conversation with {person} in Messages",
        "Open a new message to {person}",
    )
    params = {"person": PERSON}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The contact exists, a chat does not."""
        put_contact(control, p["person"])
        _drop_chats(control, p["person"])

    def check(self, scene: Scene, p: Params) -> bool:
        """The empty chat is in front."""
        return scene.at("messages", "chat", name=p["person"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """New chat, search for the name, tap it."""
        hand.open("messages")
        if hand.at("new"):
            hand.type("query", p["person"])
            hand.tap(p["person"], role="item")
        hand.on("main")
        hand.tap_icon("edit")


class OpenChat(Template):
    """A chat is in front."""

    name = "open_chat"
    phrasings = (
        "Open the chat with {person}",
        "Show me my messages with {person}",
        "Go to the conversation with {person}",
    )
    params = {"person": PERSON}
    allows = ("apps.messages.chats.target.unread",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The chat exists."""
        _put_chat(control, p["person"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is in front."""
        return scene.at("messages", "chat", name=p["person"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap it."""
        hand.open("messages")
        _tap_chat(hand, p["person"])


class DeleteChat(Template):
    """A chat is gone."""

    name = "delete_chat"
    unseen = True
    phrasings = (
        "Delete the chat with {person}",
        "Remove my conversation with {person}",
        "Erase all messages with {person}",
    )
    params = {"person": PERSON}
    allows = ("apps.messages.chats.target",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The chat exists."""
        _put_chat(control, p["person"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It does not exist any more."""
        return "target" not in scene.data("messages")["chats"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Hold it, choose to delete, confirm."""
        hand.open("messages")
        if hand.at("delete", "actions", id="target"):
            hand.tap("Delete")
        _tap_chat(hand, p["person"], hold=True)


TEMPLATES: tuple[Template, ...] = (SendMessage(), NewChat(), OpenChat(), DeleteChat())
