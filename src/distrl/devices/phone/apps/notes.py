"""Notes: write, find, pin and delete short texts."""

from __future__ import annotations

from random import Random

from distrl.devices.phone import content
from distrl.devices.phone.app import App
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui import TITLE, Ui
from distrl.devices.phone.view import Handler

COLORS = ("yellow", "green", "blue", "pink")


def _open(key: str) -> Handler:
    return lambda c: c.open("note", id=key)


def _menu(key: str) -> Handler:
    return lambda c: c.open("actions", id=key)


class Notes(App):
    """Data: notes by id with title, body, pinned."""

    name = "notes"
    title = "Notes"
    icon = "note"
    color = (214, 158, 20)

    def create(self, rng: Random) -> State:
        """Six notes."""
        chosen = rng.sample(content.NOTES, 6)
        return {
            "notes": {
                f"note{i}": {"title": n.title, "body": n.body, "pinned": False}
                for i, n in enumerate(chosen)
            }
        }

    def page_main(self, ui: Ui) -> None:
        """All notes, pinned ones first, filtered by the search text."""
        ui.search_bar("query", "Search notes", lambda c: None)
        query = ui.text_of("query").lower()
        notes = ui.data["notes"].items()
        for key, note in sorted(notes, key=lambda item: (not item[1]["pinned"], item[1]["title"])):
            if query in note["title"].lower() or query in note["body"].lower():
                mark = "icon:star_filled" if note["pinned"] else ""
                ui.row(
                    note["title"],
                    note["body"],
                    trailing=mark,
                    on_tap=_open(key),
                    on_long=_menu(key),
                )
        ui.fab("add", lambda c: c.open("edit"))

    def page_note(self, ui: Ui) -> None:
        """One note, with icon buttons for what can be done to it."""
        key = ui.args["id"]
        note = ui.data["notes"].get(key)
        if note is None:
            ui.bar("Note")
            ui.empty("This note was deleted")
            return
        ui.bar(
            "Note",
            [
                ("star_filled" if note["pinned"] else "star", "", self._pin(key)),
                ("edit", "", self._edit(key)),
                ("delete", "", lambda c: c.open("delete", id=key)),
            ],
        )
        ui.text(note["title"], TITLE, bold=True)
        ui.text(note["body"])

    def page_edit(self, ui: Ui) -> None:
        """A form for a new note, or for one that exists."""
        ui.bar("Edit note" if "id" in ui.args else "New note")
        ui.field("title", "Title")
        ui.field("body", "Note")
        ready = bool(ui.text_of("title"))
        ui.button("Save", self._save if ready else None)

    def dialog_delete(self, ui: Ui) -> None:
        """Ask before deleting."""
        ui.dialog(
            "Delete note?",
            "This cannot be undone.",
            [("Cancel", lambda c: c.back()), ("Delete", self._delete)],
        )

    def dialog_actions(self, ui: Ui) -> None:
        """The menu of a long press."""
        key = ui.args["id"]
        ui.menu(
            [
                ("Pin", self._pin(key, close=True)),
                ("Delete", lambda c: c.replace("delete", id=key)),
            ]
        )

    def _pin(self, key: str, *, close: bool = False) -> Handler:
        def pin(control: Control) -> None:
            note = control.data["notes"][key]
            control.write("notes", key, "pinned", to=not note["pinned"])
            if close:
                control.back()

        return pin

    def _edit(self, key: str) -> Handler:
        def edit(control: Control) -> None:
            note = control.data["notes"][key]
            control.open("edit", id=key)
            control.set_var("title", note["title"])
            control.set_var("body", note["body"])

        return edit

    def _save(self, control: Control) -> None:
        key = control.page["args"].get("id") or control.new_id("note")
        old = control.data["notes"].get(key, {"pinned": False})
        note = {**old, "title": control.text("title"), "body": control.text("body")}
        control.write("notes", key, to=note)
        control.back()
        control.toast("Note saved")

    def _delete(self, control: Control) -> None:
        control.erase("notes", control.page["args"]["id"])
        control.back_to("main")
        control.toast("Note deleted")
