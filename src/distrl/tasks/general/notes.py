"""Goals in the Notes app."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.control import Control
from distrl.tasks.hand import Hand
from distrl.tasks.pools import NOTE
from distrl.tasks.template import Params, Scene, Template


def _put_note(control: Control, title: str, *, pinned: bool = False) -> None:
    """The phone has exactly one note of this title, with the id `target`."""
    notes = control.state["apps"]["notes"]["notes"]
    kept = {k: n for k, n in notes.items() if n["title"] != title}
    kept["target"] = {"title": title, "body": "written some days ago", "pinned": pinned}
    control.write_root("apps", "notes", "notes", to=kept)


class CreateNote(Template):
    """A new note with a title."""

    name = "create_note"
    phrasings = (
        "Create a note titled {title}",
        "Make a new note called {title}",
        "Write down a note with the title {title}",
    )
    params = {"title": NOTE}
    allows = ("apps.notes.notes.*",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """No such note yet."""
        notes = control.state["apps"]["notes"]["notes"]
        kept = {k: n for k, n in notes.items() if n["title"] != p["title"]}
        control.write_root("apps", "notes", "notes", to=kept)

    def check(self, scene: Scene, p: Params) -> bool:
        """It exists."""
        return any(n["title"] == p["title"] for n in scene.data("notes")["notes"].values())

    def oracle(self, hand: Hand, p: Params) -> None:
        """Add, type the title, save."""
        hand.open("notes")
        if hand.at("edit"):
            hand.type("title", p["title"])
            hand.tap("Save")
        hand.on("main")
        hand.tap_icon("add")


class DeleteNote(Template):
    """A note is gone."""

    name = "delete_note"
    phrasings = (
        "Delete the note {title}",
        "Remove my note called {title}",
        "Throw away the {title} note",
    )
    params = {"title": NOTE}
    allows = ("apps.notes.notes.target",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The note exists."""
        _put_note(control, p["title"])

    def check(self, scene: Scene, p: Params) -> bool:
        """It does not exist any more."""
        return "target" not in scene.data("notes")["notes"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it, press the bin, confirm."""
        hand.open("notes")
        if hand.at("delete", id="target"):
            hand.tap("Delete")
        if hand.at("note", id="target"):
            hand.tap_icon("delete")
        hand.on("main")
        hand.tap(p["title"])


class OpenNote(Template):
    """A note is shown."""

    name = "open_note"
    phrasings = (
        "Open the note {title}",
        "Show me my {title} note",
        "Let me read the note called {title}",
    )
    params = {"title": NOTE}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The note exists."""
        _put_note(control, p["title"])

    def check(self, scene: Scene, p: Params) -> bool:
        """Its page is in front."""
        return scene.at("notes", "note", id="target")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap it."""
        hand.open("notes")
        hand.on("main")
        hand.tap(p["title"])


class PinNote(Template):
    """A note is pinned, by an icon without words."""

    name = "pin_note"
    phrasings = (
        "Pin the note {title}",
        "Keep my {title} note at the top of the list",
        "Mark the note called {title} with a star",
    )
    params = {"title": NOTE}
    allows = ("apps.notes.notes.target.pinned",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The note exists and is not pinned."""
        _put_note(control, p["title"])

    def check(self, scene: Scene, p: Params) -> bool:
        """It is pinned."""
        return bool(scene.data("notes")["notes"].get("target", {}).get("pinned"))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and press the star."""
        hand.open("notes")
        if hand.at("note", id="target"):
            hand.tap_icon("star")
        hand.on("main")
        hand.tap(p["title"])


TEMPLATES: tuple[Template, ...] = (CreateNote(), DeleteNote(), OpenNote(), PinNote())
