"""Notes: write, find, colour, pin and delete short texts."""

from __future__ import annotations

from random import Random

from distrl.devices.phone import content
from distrl.devices.phone.app import App
from distrl.devices.phone.control import Control
from distrl.devices.phone.paint import fonts
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import SMALL, TITLE, Ui
from distrl.devices.phone.ui.view import WIDTH, Handler

COLORS: dict[str, tuple[int, int, int]] = {
    "yellow": (255, 224, 96),
    "green": (146, 214, 128),
    "blue": (128, 186, 250),
    "pink": (252, 150, 192),
    "orange": (255, 176, 96),
    "gray": (204, 206, 212),
}
"""Paper by the name that people give it."""

_COLUMNS, _GRID_HEIGHT, _LIST_HEIGHT, _GAP = 2, 66, 42, 6


def _open(key: str) -> Handler:
    return lambda c: c.open("note", id=key)


def _menu(key: str) -> Handler:
    return lambda c: c.open("actions", id=key)


def _new_note(control: Control) -> None:
    control.open("edit")
    control.focus("title")


class Notes(App):
    """Data: notes by id with title, body (lines), color and pinned."""

    name = "notes"
    title = "Notes"
    icon = "note"
    color = (214, 158, 20)

    def create(self, rng: Random) -> State:
        """Six notes."""
        chosen = rng.sample(content.NOTES, 6)
        colors = list(COLORS)
        return {
            "notes": {
                f"note{i}": {
                    "title": n.title,
                    "body": n.body,
                    "color": rng.choice(colors),
                    "pinned": False,
                }
                for i, n in enumerate(chosen)
            }
        }

    def page_main(self, ui: Ui) -> None:
        """All notes, pinned ones first, filtered by the search text; tiles or a list by layout."""
        tiled = ui.version % 2 == 1
        add = ("add", "", _new_note)
        ui.search_bar("query", "Search notes", lambda c: None, () if tiled else (add,))
        query = ui.text_of("query").lower()
        notes = [
            (key, note)
            for key, note in ui.data["notes"].items()
            if query in note["title"].lower() or query in note["body"].lower()
        ]
        notes.sort(key=lambda item: (not item[1]["pinned"], item[1]["title"]))
        columns, height = (_COLUMNS, _GRID_HEIGHT) if tiled else (1, _LIST_HEIGHT)
        width = (WIDTH - _GAP) // columns
        ui.space(_GAP)
        top = ui.y
        for place, (key, note) in enumerate(notes):
            row, column = divmod(place, columns)
            y = top + row * height
            box = (_GAP + column * width, y, width - _GAP, height - _GAP)
            self._tile(ui, box, key, note)
        ui.space(-(-len(notes) // columns) * height)
        if not notes:
            ui.empty("No notes found" if query else "No notes yet", "note")
        if tiled:
            ui.fab("add", _new_note)

    def _tile(self, ui: Ui, box: tuple[int, int, int, int], key: str, note: State) -> None:
        lines = fonts.wrap(note["body"], SMALL, box[2] - 12)[: 3 if box[3] > 50 else 1]
        mark = "star_filled" if note["pinned"] else ""
        paint = ("sticky", COLORS[note["color"]], note["title"], lines, mark)
        said = note["body"].replace("\n", " ")
        widget = ui.place_at(paint, box, "item", note["title"], said, _open(key))
        if widget is not None:
            widget.on_long = _menu(key)

    def page_note(self, ui: Ui) -> None:
        """One note, with icon buttons for what can be done to it and a field that adds to it."""
        key = ui.args["id"]
        note = ui.data["notes"].get(key)
        if note is None:
            ui.bar("Note")
            ui.empty("This note was deleted", "note")
            return
        ui.bar(
            "Note",
            [
                ("star_filled" if note["pinned"] else "star", "", self._pin(key)),
                ("palette", "", lambda c: c.open("paper", id=key)),
                ("edit", "", self._edit(key)),
                ("delete", "", lambda c: c.open("delete", id=key)),
            ],
        )
        ui.place(("fill", COLORS[note["color"]]), 6)
        ui.text(note["title"], TITLE, bold=True)
        ui.text(note["body"])
        ui.divider()
        ui.field("line", "Add a line", self._add_line, icon="add")

    def _add_line(self, control: Control) -> None:
        key, line = control.page["args"]["id"], control.text("line")
        if line:
            body = control.data["notes"][key]["body"]
            control.write("notes", key, "body", to=f"{body}\n{line}" if body else line)
            control.set_var("line", "")

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

    def dialog_paper(self, ui: Ui) -> None:
        """Choose the colour of a note."""
        key = ui.args["id"]
        now = ui.data["notes"].get(key, {}).get("color")
        choices = [(name.capitalize(), name == now, self._paint(key, name)) for name in COLORS]
        ui.dialog("Color", choices=choices)

    def dialog_actions(self, ui: Ui) -> None:
        """The menu of a long press."""
        key = ui.args["id"]
        pinned = ui.data["notes"].get(key, {}).get("pinned")
        ui.menu(
            [
                ("Unpin" if pinned else "Pin", self._pin(key, close=True)),
                ("Color", lambda c: c.replace("paper", id=key)),
                ("Delete", lambda c: c.replace("delete", id=key)),
            ]
        )

    def _paint(self, key: str, color: str) -> Handler:
        def paint(control: Control) -> None:
            control.write("notes", key, "color", to=color)
            control.back()

        return paint

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
        old = control.data["notes"].get(key, {"pinned": False, "color": "yellow"})
        note = {**old, "title": control.text("title"), "body": control.text("body")}
        control.write("notes", key, to=note)
        control.back()
        control.toast("Note saved")

    def _delete(self, control: Control) -> None:
        control.erase("notes", control.page["args"]["id"])
        control.back_to("main")
        control.toast("Note deleted")
