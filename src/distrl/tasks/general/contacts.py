"""Goals in the Contacts app."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.apps.contacts import ACTIONS, new_contact
from distrl.devices.phone.apps.people import number_of
from distrl.devices.phone.control import Control
from distrl.tasks.allowed_changes import Added, Permission, fields_of
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import PERSON
from distrl.tasks.template import Params, Scene, Template

CALL = fields_of(
    "apps.phone.call",
    *("name", "number", "video", "since", "mute", "speaker", "keypad", "hold", "record"),
)
"""The record of a call, which is empty while there is none: a call that begins writes all of it."""


def drop_contact(control: Control, name: str) -> None:
    """Nobody of this name is in the phone book."""
    contacts = control.state["apps"]["contacts"]["contacts"]
    kept = {key: contact for key, contact in contacts.items() if contact["name"] != name}
    control.write_root("apps", "contacts", "contacts", to=kept)


def put_contact(control: Control, name: str) -> None:
    """The phone book has exactly one contact of this name, with the id `target`."""
    drop_contact(control, name)
    control.write_root("apps", "contacts", "contacts", "target", to=new_contact(name))


def open_card(hand: Hand, name: str) -> None:
    """The card of the contact `target` is open."""
    hand.open("contacts")
    if hand.at("contact", id="target"):
        return
    hand.on("main")
    if hand.var("query") and not hand.sees(name):
        hand.tap_icon("close")
    hand.tap(name, role="item")


class AddContact(Template):
    """A new contact with a name."""

    name = "add_contact"
    phrasings = (
        "Add {person} to my contacts",
        "Create a new contact named {person}",
        "Save a contact called {person}",
        "Put {person} into the phone book",
    )
    params = {"person": PERSON}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """One new contact of this name."""
        return (Added("apps.contacts.contacts", {"name": p["person"]}),)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The person is not there yet."""
        drop_contact(control, p["person"])

    def check(self, scene: Scene, p: Params) -> bool:
        """The person is there."""
        contacts = scene.data("contacts")["contacts"].values()
        return any(contact["name"] == p["person"] for contact in contacts)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Add, type the name, save."""
        hand.open("contacts")
        if hand.at("edit") and "id" not in hand.args:
            hand.type("name", p["person"])
            hand.tap("Save")
        hand.on("main")
        hand.tap_icon("add")


class DeleteContact(Template):
    """A contact is gone."""

    name = "delete_contact"
    unseen = True
    phrasings = (
        "Delete {person} from my contacts",
        "Remove the contact {person}",
        "I no longer need {person} in my phone book, delete the contact",
    )
    params = {"person": PERSON}
    allows = ("apps.contacts.contacts.target",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The contact exists."""
        put_contact(control, p["person"])

    def check(self, scene: Scene, p: Params) -> bool:
        """It does not exist any more."""
        return "target" not in scene.data("contacts")["contacts"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the card, press the bin, confirm."""
        hand.open("contacts")
        if hand.at("delete", id="target"):
            hand.tap("Delete")
        open_card(hand, p["person"])
        hand.tap_icon("delete")


class StarContact(Template):
    """A contact is a favorite, by an icon without words."""

    name = "star_contact"
    phrasings = (
        "Add {person} to my favorites",
        "Star the contact {person}",
        "Make {person} a favorite contact",
    )
    params = {"person": PERSON}
    allows = ("apps.contacts.contacts.target.favorite",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The contact exists and is no favorite."""
        put_contact(control, p["person"])

    def check(self, scene: Scene, p: Params) -> bool:
        """It is a favorite."""
        return bool(scene.data("contacts")["contacts"].get("target", {}).get("favorite"))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the card and press the star."""
        open_card(hand, p["person"])
        hand.tap_icon("star")


class ContactNumber(Template):
    """A question: the number of a person stands on the screen."""

    name = "contact_number"
    phrasings = (
        "What is the phone number of {person}?",
        "Look up {person}'s number in my contacts",
        "Find the number I have saved for {person}",
        "Which phone number does {person} have?",
    )
    params = {"person": PERSON}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The contact exists."""
        put_contact(control, p["person"])

    def check(self, scene: Scene, p: Params) -> bool:
        """The number can be read."""
        return scene.shows(number_of(p["person"]))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the card."""
        open_card(hand, p["person"])
        hand.back()


class VideoCall(Template):
    """A video call, by one of the card's icons, whose order differs from phone to phone."""

    name = "video_call"
    unseen = True
    phrasings = (
        "Start a video call with {person}",
        "Video call {person}",
        "Call {person} with video from the Contacts app",
    )
    params = {"person": PERSON}
    allows = CALL
    visual = True

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The contact exists; the icons stand in any order."""
        put_contact(control, p["person"])
        order = rng.sample(ACTIONS, len(ACTIONS))
        control.write_root("apps", "contacts", "actions", to=order)

    def check(self, scene: Scene, p: Params) -> bool:
        """A video call with the person is going on."""
        call = scene.data("phone")["call"]
        return bool(call) and call["name"] == p["person"] and call["video"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the card and press the camera."""
        open_card(hand, p["person"])
        hand.tap_icon("video")


TEMPLATES: tuple[Template, ...] = (
    AddContact(),
    DeleteContact(),
    StarContact(),
    ContactNumber(),
    VideoCall(),
)
