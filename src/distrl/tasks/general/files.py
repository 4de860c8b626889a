"""Goals in the Files app."""

from __future__ import annotations

from random import Random
from typing import Any

from distrl.devices.phone import content
from distrl.devices.phone.apps.files import FOLDERS, SORTS
from distrl.devices.phone.control import Control
from distrl.tasks.allowed_changes import Added, Permission
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import ALBUM, FILE, closed
from distrl.tasks.template import Draw, Params, Scene, Template

FOLDER = closed("folder", *FOLDERS)
ORDER = closed("order", *SORTS)
_FOLDER_OF = {file.name: file.folder for file in content.FILES}


def _put_file(control: Control, name: str, rng: Random, *, without: str = "") -> None:
    """The phone has exactly one file of this name, with the id `target`, in its usual folder."""
    files = control.state["apps"]["files"]["files"]
    kept = {k: f for k, f in files.items() if f["name"] not in (name, without)}
    kept["target"] = {
        "name": name,
        "folder": _FOLDER_OF[name].lower(),
        "kb": rng.randrange(20, 9900),
        "day": rng.randrange(-200, 0),
    }
    control.write_root("apps", "files", "files", to=kept)


def _show_in_folder(hand: Hand, name: str) -> None:
    """The target's page, by way of its folder."""
    if hand.at("file", id="target"):
        return
    folder = _FOLDER_OF[name]
    if hand.at("folder", id=folder.lower()):
        hand.tap(name, role="item")
    hand.on("main")
    hand.tap(folder, role="item")


class OpenFile(Template):
    """A file is shown."""

    name = "open_file"
    unseen = True
    phrasings = (
        "Open the file {file}",
        "Find {file} on my phone and open it",
        "Search Files for {file} and show it to me",
        "Bring up {file} in the Files app",
    )
    params = {"file": FILE}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The file exists."""
        _put_file(control, p["file"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """Its page is in front."""
        return scene.at("files", "file", id="target")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Search for its name."""
        hand.open("files")
        if hand.at("search"):
            hand.type("query", p["file"])
            hand.tap(p["file"], role="item")
        hand.on("main")
        hand.tap_icon("search")


class OpenRecentFile(Template):
    """A file that was used lately is shown again."""

    name = "open_recent_file"
    phrasings = (
        "Open {file} from the recent files",
        "Go back to {file}, which I had open lately",
        "Reopen the recent file {file}",
    )
    params = {"file": FILE}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The list of recent files has it."""
        _put_file(control, p["file"], rng)
        recent = control.state["apps"]["files"]["recent_files"][:4]
        recent.insert(rng.randrange(len(recent) + 1), "target")
        control.write_root("apps", "files", "recent_files", to=recent)

    def check(self, scene: Scene, p: Params) -> bool:
        """Its page is in front."""
        return scene.at("files", "file", id="target")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap it on the first page, or in its folder once others have pushed it out."""
        hand.open("files")
        if hand.at("main"):
            if "target" in hand.data("files")["recent_files"]:
                hand.tap(p["file"], role="item")
            hand.tap(_FOLDER_OF[p["file"]], role="item")
        if hand.at("folder", id=_FOLDER_OF[p["file"]].lower()):
            hand.tap(p["file"], role="item")
        hand.back()


class DeleteFile(Template):
    """A file is gone."""

    name = "delete_file"
    phrasings = (
        "Delete {file} from the {folder} folder",
        "Remove the file {file} that is in {folder}",
        "I no longer need {file} in my {folder}, get rid of it",
    )
    params = {"file": FILE, "folder": FOLDER}
    allows = ("apps.files.files.target",)

    def sample(self, draw: Draw) -> dict[str, Any]:
        file = draw.of(FILE)
        return {"file": file, "folder": _FOLDER_OF[file]}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The file exists."""
        _put_file(control, p["file"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It does not exist any more."""
        return "target" not in scene.data("files")["files"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it, press the bin, confirm."""
        hand.open("files")
        if hand.at("delete", id="target"):
            hand.tap("Delete")
        _show_in_folder(hand, p["file"])
        hand.tap_icon("delete")


class RenameFile(Template):
    """A file has another name."""

    name = "rename_file"
    unseen = True
    phrasings = (
        "Rename {file} in {folder} to {name}",
        "Change the name of the file {file} in the {folder} folder to {name}",
        "In {folder}, call the file {file} {name} instead",
    )
    params = {"file": FILE, "name": FILE, "folder": FOLDER}
    allows = ("apps.files.files.target.name",)
    weight = 0.6

    def sample(self, draw: Draw) -> dict[str, Any]:
        """Both names are of the same kind of file."""
        file = draw.rng.choice([f for f in FILE.share(draw.split) if _twins(draw, str(f))])
        name = draw.rng.choice(_twins(draw, str(file)))
        return {"file": file, "name": name, "folder": _FOLDER_OF[str(file)]}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The file exists, and none has the new name."""
        _put_file(control, p["file"], rng, without=p["name"])

    def check(self, scene: Scene, p: Params) -> bool:
        """It has the new name."""
        return bool(scene.data("files")["files"].get("target", {}).get("name") == p["name"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it, press the pencil, type over the old name."""
        hand.open("files")
        if hand.at("rename", id="target"):
            hand.type("name", p["name"])
            hand.tap("Rename")
        name = hand.data("files")["files"].get("target", {}).get("name", p["file"])
        if hand.at("file", id="target"):
            hand.tap_icon("edit")
        if hand.at("folder", id=p["folder"].lower()):
            hand.tap(name, role="item")
        hand.on("main")
        hand.tap(p["folder"], role="item")


def _twins(draw: Draw, file: str) -> list[str]:
    """Other names in the split that end like this one."""
    ending = file.rpartition(".")[2]
    shared = [str(name) for name in FILE.share(draw.split)]
    return [name for name in shared if name != file and name.endswith(f".{ending}")]


class MoveFile(Template):
    """A file is in another folder."""

    name = "move_file"
    unseen = True
    phrasings = (
        "Move {file} from {source} to {folder}",
        "Put the file {file}, which is in {source}, into the {folder} folder",
        "Take {file} out of {source} and move it to {folder}",
    )
    params = {"file": FILE, "source": FOLDER, "folder": FOLDER}
    allows = ("apps.files.files.target.folder",)

    def sample(self, draw: Draw) -> dict[str, Any]:
        file = draw.of(FILE)
        source = _FOLDER_OF[file]
        folder = draw.rng.choice([name for name in FOLDERS if name != source])
        return {"file": file, "source": source, "folder": folder}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The file is in its usual folder."""
        _put_file(control, p["file"], rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is in the other one."""
        file = scene.data("files")["files"].get("target", {})
        return bool(file.get("folder") == p["folder"].lower())

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it, press the folder, choose."""
        hand.open("files")
        if hand.at("move", id="target"):
            hand.tap(p["folder"], role="item")
        if hand.at("file", id="target"):
            hand.tap_icon("folder")
        now = hand.data("files")["files"].get("target", {}).get("folder", p["source"].lower())
        if hand.at("folder", id=now):
            hand.tap(p["file"], role="item")
        hand.on("main")
        hand.tap(now.capitalize(), role="item")


class CreateFolder(Template):
    """A new folder."""

    name = "create_folder"
    phrasings = (
        "Create a folder named {title}",
        "Make a new folder called {title} in Files",
        "Add a folder with the name {title}",
    )
    params = {"title": ALBUM}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """One new folder of this name."""
        return (Added("apps.files.folders", {"name": p["title"]}),)

    def check(self, scene: Scene, p: Params) -> bool:
        """It exists."""
        folders = scene.data("files")["folders"].values()
        return any(folder["name"] == p["title"] for folder in folders)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Add, type the name, create."""
        hand.open("files")
        if hand.at("folder_name"):
            hand.type("name", p["title"])
            hand.tap("Create")
        hand.on("main")
        hand.tap_icon("add")


class SortFolder(Template):
    """A folder is shown in an order."""

    name = "sort_folder"
    unseen = True
    phrasings = (
        "Sort the files in {folder} by {order}",
        "Order my {folder} folder by {order}",
        "Show what is in {folder} sorted by {order}",
        "In Files, arrange {folder} by {order}",
        "Change the sorting of the {folder} folder to {order}",
        "List the {folder} files by {order}",
    )
    params = {"folder": FOLDER, "order": ORDER}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The order of this folder."""
        return (f"apps.files.folders.{p['folder'].lower()}.sort",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is in another order."""
        other = rng.choice([order for order in SORTS if order != p["order"]])
        control.write_root("apps", "files", "folders", p["folder"].lower(), "sort", to=other)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is in that order."""
        folder = scene.data("files")["folders"][p["folder"].lower()]
        return bool(folder["sort"] == p["order"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the folder, press sort, choose."""
        key = p["folder"].lower()
        hand.open("files")
        if hand.at("sort", id=key):
            hand.tap(SORTS[p["order"]], role="radio")
        if hand.at("folder", id=key):
            hand.tap_icon("sort")
        hand.on("main")
        hand.tap(p["folder"], role="item")


TEMPLATES: tuple[Template, ...] = (
    OpenFile(),
    OpenRecentFile(),
    DeleteFile(),
    RenameFile(),
    MoveFile(),
    CreateFolder(),
    SortFolder(),
)
