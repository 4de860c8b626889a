"""Goals in the Notes app."""

from __future__ import annotations

from random import Random
from typing import NoReturn

from distrl.devices.phone.apps.notes import COLORS
from distrl.devices.phone.control import Control
from distrl.tasks.allowed_changes import Added, Permission
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import NOTE, REMINDER, closed
from distrl.tasks.template import Params, Scene, Template

_BODY = "written some days ago"


def _put_note(control: Control, title: str, rng: Random) -> None:
    """The phone has exactly one note of this title, with the id `target`."""
    notes = control.state["apps"]["notes"]["notes"]
    kept = {k: n for k, n in notes.items() if n["title"] != title}
    color = rng.choice(list(COLORS))
    kept["target"] = {"title": title, "body": _BODY, "color": color, "pinned": False}
    control.write_root("apps", "notes", "notes", to=kept)


def _tap_note(hand: Hand, title: str) -> NoReturn:
    """Open a note from the list; a search that hides it is written over."""
    hand.on("main")
    if str(hand.var("query", "")).strip().lower() not in title.lower():
        hand.type("query", title)
    hand.tap(title, role="item")


class CreateNote(Template):
    """A new note with a title."""

    name = "create_note"
    phrasings = (
        "Create a note titled {title}",
        "Make a new note called {title}",
        "Write down a note with the title {title}",
    )
    params = {"title": NOTE}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """One new note of this title."""
        return (Added("apps.notes.notes", {"title": p["title"]}),)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """No such note yet."""
        notes = control.state["apps"]["notes"]["notes"]
        kept = {k: n for k, n in notes.items() if n["title"] != p["title"]}
        control.write_root("apps", "notes", "notes", to=kept)

    def check(self, scene: Scene, p: Params) -> bool:
        """It exists and is new: an old note with a new title does not count."""
        before, now = scene.data_before("notes")["notes"], scene.data("notes")["notes"]
        new = [note["title"] for key, note in now.items() if key not in before]
        return p["title"] in new

    def oracle(self, hand: Hand, p: Params) -> None:
        """Add, type the title, save."""
        hand.open("notes")
        if hand.at("edit") and "id" not in hand.args:
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
        _put_note(control, p["title"], rng)

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
        _tap_note(hand, p["title"])


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
        _put_note(control, p["title"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """Its page is in front."""
        return scene.at("notes", "note", id="target")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap it."""
        hand.open("notes")
        _tap_note(hand, p["title"])


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
        _put_note(control, p["title"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is pinned."""
        return bool(scene.data("notes")["notes"].get("target", {}).get("pinned"))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and press the star."""
        hand.open("notes")
        if hand.at("note", id="target"):
            hand.tap_icon("star")
        _tap_note(hand, p["title"])


class AddLine(Template):
    """A note has one more line."""

    name = "add_to_note"
    unseen = True
    phrasings = (
        "Add {line} to my note {title}",
        "Write {line} into the {title} note",
        "Put {line} on a new line of the note called {title}",
    )
    params = {"line": REMINDER, "title": NOTE}
    allows = ("apps.notes.notes.target.body",)
    weight = 0.7

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The note exists, without the line."""
        _put_note(control, p["title"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """The line stands below what the note held before."""
        note = scene.data("notes")["notes"].get("target", {"body": ""})
        lines = note["body"].split("\n")
        return lines[0] == _BODY and p["line"] in lines[1:]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and type."""
        hand.open("notes")
        if hand.at("note", id="target"):
            hand.submit("line", p["line"])
        _tap_note(hand, p["title"])


class SearchNotes(Template):
    """The notes are searched for some words."""

    name = "search_notes"
    unseen = True
    phrasings = (
        "Search my notes for {title}",
        "Look for {title} in Notes",
        "Use the search in the Notes app to find {title}",
    )
    params = {"title": NOTE}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """There is something to find."""
        _put_note(control, p["title"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """The list shows what was found."""
        query = str(scene.var("query", "")).strip().lower()
        return scene.at("notes", "main") and query == p["title"].lower()

    def oracle(self, hand: Hand, p: Params) -> None:
        """Type it into the search bar."""
        hand.open("notes")
        hand.on("main")
        hand.type("query", p["title"])


class OpenColorNote(Template):
    """One of several notes with the same words, told apart by the colour of its paper."""

    name = "open_color_note"
    phrasings = (
        "Open the {color} note titled {title}",
        "Of my notes called {title}, show the {color} one",
        "Let me read the {title} note on {color} paper",
    )
    params = {"color": closed("note_color", *COLORS), "title": NOTE}
    visual = True

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """One note on each paper, in an order of the seed."""
        colors = list(COLORS)
        rng.shuffle(colors)
        note = {"title": p["title"], "body": _BODY, "pinned": False}
        notes = {f"paper_{color}": {**note, "color": color} for color in colors}
        control.write_root("apps", "notes", "notes", to=notes)

    def check(self, scene: Scene, p: Params) -> bool:
        """Its page is in front."""
        return scene.at("notes", "note", id=f"paper_{p['color']}")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap it by its colour."""
        hand.open("notes")
        hand.on("main")
        if str(hand.var("query", "")).strip().lower() not in p["title"].lower():
            hand.type("query", p["title"])
        hand.tap_paint("sticky", COLORS[p["color"]])


TEMPLATES: tuple[Template, ...] = (
    CreateNote(),
    DeleteNote(),
    OpenNote(),
    PinNote(),
    AddLine(),
    SearchNotes(),
    OpenColorNote(),
)
