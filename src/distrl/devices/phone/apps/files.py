"""Files: folders, lists that can be sorted, search, previews, rename, move and delete."""

from __future__ import annotations

import zlib
from functools import lru_cache
from random import Random
from typing import Any

from distrl.devices.phone import content, phone_time
from distrl.devices.phone.app import App
from distrl.devices.phone.art import SUBJECTS
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import SMALL, TITLE, Ui
from distrl.devices.phone.ui.view import Handler, Paint

FOLDERS = ("Documents", "Downloads", "Music", "Pictures")
SORTS = {"name": "Name", "size": "Size", "date": "Date"}
_PER_FOLDER = {"Documents": 14, "Downloads": 13, "Music": 7, "Pictures": 9}
_FOLDER_ICONS = {
    "documents": "file",
    "downloads": "download",
    "music": "music",
    "pictures": "image",
}
_ORDERS: dict[str, Any] = {
    "name": lambda item: item[1]["name"],
    "size": lambda item: -item[1]["kb"],
    "date": lambda item: -item[1]["day"],
}
_KINDS = {
    "pdf": ("pdf", (200, 60, 50)),
    "docx": ("file", (50, 100, 190)),
    "txt": ("note", (110, 116, 128)),
    "xlsx": ("grid", (40, 140, 80)),
    "csv": ("grid", (40, 140, 80)),
    "pptx": ("screen", (214, 110, 40)),
    "zip": ("archive", (150, 110, 60)),
    "apk": ("apps", (90, 160, 60)),
    "epub": ("book", (120, 80, 170)),
    "jpg": ("image", (20, 140, 150)),
    "png": ("image", (20, 140, 150)),
}
_SOUND = ("music", (200, 60, 130))
_MOTIFS = {
    "sunset": "sunset",
    "dawn": "sunset",
    "cake": "cake",
    "puppy": "dog",
    "roses": "flower",
    "snowy": "snow",
    "parking": "car",
    "road": "mountain",
    "cat": "cat",
    "owl": "bird",
    "boats": "boat",
    "tide": "beach",
    "leaves": "tree",
    "street": "city",
}
_MOST_RECENT = 5


@lru_cache(maxsize=512)
def kind_of(name: str) -> tuple[str, tuple[int, int, int]]:
    """Icon and colour of a file, from the end of its name."""
    return _KINDS.get(name.rpartition(".")[2], _SOUND if "." in name else ("file", (110, 116, 128)))


@lru_cache(maxsize=512)
def motif_of(name: str) -> tuple[str, int]:
    """What a picture file shows."""
    number = zlib.crc32(name.encode())
    for word, subject in _MOTIFS.items():
        if word in name:
            return subject, number % 50
    return SUBJECTS[number % len(SUBJECTS)], number % 50


def _size_text(kb: int) -> str:
    return f"{kb} KB" if kb < 1000 else f"{kb / 1000:.1f} MB"


def _open_file(key: str) -> Handler:
    def open_it(control: Control) -> None:
        recent = [key, *(k for k in control.data["recent_files"] if k != key)]
        control.write("recent_files", to=recent[:_MOST_RECENT])
        control.open("file", id=key)

    return open_it


def _to(page: str, key: str) -> Handler:
    return lambda c: c.open(page, id=key)


class Files(App):
    """Data: folders by id (name, sort), files by id (name, folder, kb, day), recent_files."""

    name = "files"
    title = "Files"
    icon = "folder"
    color = (46, 118, 196)
    permission = "access files on this device"

    def create(self, rng: Random) -> State:
        """Four folders with 43 files."""
        files: State = {}
        for folder, count in _PER_FOLDER.items():
            names = [file.name for file in content.FILES if file.folder == folder]
            for name in rng.sample(names, count):
                files[f"file{len(files)}"] = {
                    "name": name,
                    "folder": folder.lower(),
                    "kb": rng.choice((rng.randrange(20, 999), rng.randrange(1000, 9900))),
                    "day": rng.randrange(-200, 0),
                }
        return {
            "folders": {name.lower(): {"name": name, "sort": "name"} for name in FOLDERS},
            "files": files,
            "used": rng.randrange(20, 58),
            "recent_files": rng.sample(list(files), _MOST_RECENT),
        }

    def page_main(self, ui: Ui) -> None:
        """Storage, folders and what was opened last."""
        new: Handler = self._new_folder
        actions: list[tuple[str, str, Handler]] = [("search", "Search", self._search)]
        if ui.version % 2 == 0:
            actions.append(("add", "", new))
        ui.bar("Files", actions)
        if ui.version % 2:
            self._folder_grid(ui)
            self._storage(ui)
        else:
            self._storage(ui)
            for key, folder in ui.data["folders"].items():
                icon = _FOLDER_ICONS.get(key, "folder")
                ui.row(folder["name"], icon=icon, trailing=">", on_tap=_to("folder", key))
        ui.header("Recent")
        files = ui.data["files"]
        for key in ui.data["recent_files"]:
            if key in files:
                self._row(ui, key, files[key])
        if ui.version % 2:
            ui.fab("add", new)

    def _folder_grid(self, ui: Ui) -> None:
        cells: list[tuple[Paint, str, str, Handler | None]] = [
            (
                ("labelled", _FOLDER_ICONS.get(key, "folder"), folder["name"], ui.color),
                folder["name"],
                "",
                _to("folder", key),
            )
            for key, folder in ui.data["folders"].items()
        ]
        ui.grid(cells, columns=3, height=54, role="item")

    def _storage(self, ui: Ui) -> None:
        used = int(ui.data["used"])
        ui.place(("progress", used * 100 // 64, ui.color), 12)
        ui.text(f"{used} GB of 64 GB used", SMALL, ink="muted")

    def _row(self, ui: Ui, key: str, file: State) -> None:
        icon, tint = kind_of(file["name"])
        sub = f"{_size_text(file['kb'])}, {phone_time.date_text(file['day'])}"
        ui.row(
            file["name"],
            sub,
            icon=icon,
            tint=tint,
            on_tap=_open_file(key),
            on_long=_to("actions", key),
        )

    def page_folder(self, ui: Ui) -> None:
        """What a folder holds, in its own order."""
        key = ui.args["id"]
        folder = ui.data["folders"].get(key)
        if folder is None:
            ui.bar("Folder")
            ui.empty("This folder was deleted", "folder")
            return
        ui.bar(folder["name"], [("search", "Search", self._search), ("sort", "", _to("sort", key))])
        held = [item for item in ui.data["files"].items() if item[1]["folder"] == key]
        for file_key, file in sorted(held, key=_ORDERS[folder["sort"]]):
            self._row(ui, file_key, file)
        if not held:
            ui.empty("This folder is empty", "folder")

    def dialog_sort(self, ui: Ui) -> None:
        """Choose the order of a folder."""
        key = ui.args["id"]
        chosen = ui.data["folders"].get(key, {}).get("sort")
        choices = [
            (label, order == chosen, self._sort(key, order)) for order, label in SORTS.items()
        ]
        ui.dialog("Sort by", "", [("Cancel", lambda c: c.back())], choices=choices)

    def _sort(self, key: str, order: str) -> Handler:
        def sort(control: Control) -> None:
            control.write("folders", key, "sort", to=order)
            control.back()

        return sort

    def page_search(self, ui: Ui) -> None:
        """Files whose names hold the words."""
        ui.search_bar("query", "Search files", lambda c: None)
        query = ui.text_of("query").lower()
        if not query:
            ui.empty("Type a part of the name", "search")
            return
        found = [item for item in ui.data["files"].items() if query in item[1]["name"].lower()]
        for key, file in found:
            self._row(ui, key, file)
        if not found:
            ui.empty("No files found", "search")

    def _search(self, control: Control) -> None:
        control.open("search")
        control.focus("query")

    def page_file(self, ui: Ui) -> None:
        """A preview with icons for what can be done to the file."""
        key = ui.args["id"]
        file = ui.data["files"].get(key)
        if file is None:
            ui.bar("File")
            ui.empty("This file was deleted", "file")
            return
        ui.bar(file["name"])
        icon, tint = kind_of(file["name"])
        if icon == "image":
            ui.picture(("photo", *motif_of(file["name"])), 130)
        else:
            ui.space(8)
            ui.place(("round_button", icon, "white", tint), 84)
        ui.text(file["name"], TITLE, align="center", bold=True)
        folder = ui.data["folders"].get(file["folder"], {}).get("name", "")
        ui.row("Size", trailing=_size_text(file["kb"]))
        ui.row("Modified", trailing=phone_time.date_text(file["day"]))
        ui.row("Folder", trailing=folder)
        ui.bottom_icons(
            [
                ("edit", "", self._rename(key)),
                ("folder", "", _to("move", key)),
                ("share", "Share", lambda c: c.toast("Nobody nearby to share with")),
                ("delete", "", _to("delete", key)),
            ]
        )

    def dialog_actions(self, ui: Ui) -> None:
        """The menu of a long press on a file."""
        key = ui.args["id"]

        def instead(page: str) -> Handler:
            return lambda c: c.replace(page, id=key)

        def rename(control: Control) -> None:
            control.back()
            self._rename(key)(control)

        ui.menu([("Rename", rename), ("Move", instead("move")), ("Delete", instead("delete"))])

    def _rename(self, key: str) -> Handler:
        def rename(control: Control) -> None:
            name = control.data["files"].get(key, {}).get("name", "")
            control.open("rename", id=key)
            control.set_var("name", name)
            control.focus("name")

        return rename

    def dialog_rename(self, ui: Ui) -> None:
        """Type another name."""
        key = ui.args["id"]

        def save(control: Control) -> None:
            control.write("files", key, "name", to=control.text("name"))
            control.back()
            control.toast("File renamed")

        ready = bool(ui.text_of("name")) and key in ui.data["files"]
        buttons = [("Cancel", _close), ("Rename", save if ready else None)]
        ui.dialog("Rename file", "", buttons, fields=[("name", "Name")])

    def page_move(self, ui: Ui) -> None:
        """Choose the folder that a file goes to."""
        ui.bar("Move to")
        key = ui.args["id"]
        file = ui.data["files"].get(key)
        for folder_key, folder in ui.data["folders"].items():
            here = file is None or file["folder"] == folder_key
            ui.row(
                folder["name"],
                icon=_FOLDER_ICONS.get(folder_key, "folder"),
                enabled=not here,
                on_tap=None if here else self._move(key, folder_key, folder["name"]),
            )

    def _move(self, key: str, folder: str, name: str) -> Handler:
        def move(control: Control) -> None:
            control.write("files", key, "folder", to=folder)
            control.back()
            control.toast(f"Moved to {name}")

        return move

    def dialog_delete(self, ui: Ui) -> None:
        """Ask before deleting."""
        key = ui.args["id"]

        def delete(control: Control) -> None:
            control.erase("files", key)
            control.back()
            if control.page["name"] == "file":
                control.back()
            control.toast("File deleted")

        buttons: list[tuple[str, Handler | None]] = [("Cancel", _close), ("Delete", delete)]
        ui.dialog("Delete file?", "It will be gone for good.", buttons)

    def _new_folder(self, control: Control) -> None:
        control.open("folder_name")
        control.focus("name")

    def dialog_folder_name(self, ui: Ui) -> None:
        """Name a new folder."""
        name = ui.text_of("name")
        taken = any(folder["name"] == name for folder in ui.data["folders"].values())
        buttons = [("Cancel", _close), ("Create", self._create if name and not taken else None)]
        ui.dialog("New folder", "", buttons, fields=[("name", "Folder name")])

    def _create(self, control: Control) -> None:
        folder = {"name": control.text("name"), "sort": "name"}
        control.write("folders", control.new_id("folder"), to=folder)
        control.back()
        control.toast("Folder created")


def _close(control: Control) -> None:
    control.back()
