"""Gallery: a grid of photos without words, albums, favourites, and a page for each photo."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from distrl.actions import Direction
from distrl.devices.phone import content, phone_time
from distrl.devices.phone.app import App
from distrl.devices.phone.art import SUBJECTS
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import Ui
from distrl.devices.phone.ui.view import Handler, Paint

SELF = "self"
"""The subject of what the front camera takes."""
TABS = (
    ("photos", "Photos", "image"),
    ("albums", "Albums", "folder"),
    ("favourites", "Favorites", "heart"),
)
CROPS = {"original": ("Original", 230), "square": ("Square", 176), "wide": ("Wide", 100)}
_PHOTOS, _ALBUMS = 24, 4
_ZOOMED = 300
"""Height of a photo that a double tap has enlarged."""


def new_photo(subject: str, variant: int, *, album: str = "", time: int = 0) -> State:
    """A photo's record; it is shown from `time` on."""
    return {
        "subject": subject,
        "variant": variant,
        "album": album,
        "time": time,
        "favourite": False,
        "crop": "original",
    }


def looks_of(photo: State) -> Paint:
    """How a photo is painted."""
    if photo["subject"] == SELF:
        return ("selfie", photo["variant"])
    return ("photo", photo["subject"], photo["variant"])


def _open(key: str) -> Handler:
    return lambda c: c.open("photo", id=key)


def _to(page: str, key: str) -> Handler:
    return lambda c: c.open(page, id=key)


def _close(control: Control) -> None:
    control.back()


class Gallery(App):
    """Data: photos by id, the newest last, and albums by id (title)."""

    name = "gallery"
    title = "Gallery"
    icon = "image"
    color = (190, 70, 120)
    permission = "access photos and media"

    def create(self, rng: Random) -> State:
        """24 photos, most of them in one of four albums."""
        titles = rng.sample(content.ALBUMS, _ALBUMS)
        albums = {f"album{i}": {"title": title} for i, title in enumerate(titles)}
        subjects = rng.sample(SUBJECTS, 16) + rng.sample(SUBJECTS, _PHOTOS - 16)
        rng.shuffle(subjects)
        times = sorted(rng.randrange(-150 * phone_time.DAY, 0) for _ in subjects)
        photos = {
            f"photo{i}": new_photo(
                subject, rng.randrange(50), album=rng.choice(["", *albums]), time=time
            )
            for i, (subject, time) in enumerate(zip(subjects, times, strict=True))
        }
        photos[f"photo{rng.randrange(_PHOTOS)}"]["favourite"] = True
        return {"photos": photos, "albums": albums}

    def on_swipe(self, control: Control, direction: Direction) -> None:
        """Turn to the photo beside the one that is open."""
        page = control.page
        # Grids show the newest photo first, so that the next one to the right is an older one.
        step = {Direction.LEFT: -1, Direction.RIGHT: 1}.get(direction, 0)
        keys = list(control.data["photos"])
        if page["name"] == "photo" and step and page["args"]["id"] in keys:
            place = keys.index(page["args"]["id"]) + step
            if 0 <= place < len(keys):
                control.replace("photo", id=keys[place])

    def page_main(self, ui: Ui) -> None:
        """The chosen tab."""
        tab = str(ui.var("tab", "photos"))
        ui.bar("Gallery")
        ui.tabs(TABS, tab, lambda key: lambda c: c.set_var("tab", key))
        photos = ui.data["photos"].items()
        if tab == "albums":
            self._albums(ui)
        elif tab == "favourites":
            self._grid(ui, (item for item in photos if item[1]["favourite"]))
        else:
            self._grid(ui, photos)

    def _grid(self, ui: Ui, photos: Iterable[tuple[str, State]]) -> None:
        cells: list[tuple[Paint, str, str, Handler | None]] = [
            (looks_of(photo), "", "", _open(key))
            for key, photo in photos
            if photo["time"] <= ui.time
        ]
        if not cells:
            ui.empty("No photos", "image")
            return
        cells.reverse()
        columns = 3 if ui.version % 2 else 4
        ui.grid(cells, columns=columns, height=180 // columns)

    def _albums(self, ui: Ui) -> None:
        covers, counts = self._covers(ui)
        albums = ui.data["albums"].items()
        if ui.version % 2:
            cells: list[tuple[Paint, str, str, Handler | None]] = [
                (
                    ("captioned", *covers.get(key, ("sunset", 0)), album["title"]),
                    album["title"],
                    f"{counts.get(key, 0)} photos",
                    _to("album", key),
                )
                for key, album in albums
            ]
            ui.grid(cells, columns=2, height=92, role="item", gap=4)
        else:
            for key, album in albums:
                said = f"{counts.get(key, 0)} photos"
                cover = covers.get(key, ("sunset", 0))
                paint = ("media", *cover, album["title"], said, 1.0, "")
                ui.place(paint, 40, "item", album["title"], said, _to("album", key))
        ui.fab("add", self._new_album)

    def _covers(self, ui: Ui) -> tuple[dict[str, tuple[str, int]], dict[str, int]]:
        """Cover and size of each album."""
        covers: dict[str, tuple[str, int]] = {}
        counts: dict[str, int] = {}
        for photo in ui.data["photos"].values():
            album = photo["album"]
            counts[album] = counts.get(album, 0) + 1
            # Selfies have a painter of their own, which covers do not use.
            if photo["subject"] != SELF:
                covers[album] = (photo["subject"], photo["variant"])
        return covers, counts

    def page_album(self, ui: Ui) -> None:
        """The photos of one album."""
        key = ui.args["id"]
        album = ui.data["albums"].get(key)
        if album is None:
            ui.bar("Album")
            ui.empty("This album was deleted", "image")
            return
        ui.bar(album["title"])
        self._grid(ui, (item for item in ui.data["photos"].items() if item[1]["album"] == key))

    def page_photo(self, ui: Ui) -> None:
        """One photo with icons that carry no words."""
        key = ui.args["id"]
        photo = ui.data["photos"].get(key)
        if photo is None:
            ui.bar("Photo")
            ui.empty("This photo was deleted", "image")
            return
        heart = "heart_filled" if photo["favourite"] else "heart"
        icons: list[tuple[str, str, Handler]] = [
            (heart, "", self._favour(key)),
            ("share", "", _to("share", key)),
            ("photo_edit", "", self._edit(key)),
            ("folder", "", _to("move", key)),
            ("info", "", _to("info", key)),
            ("delete", "", _to("delete", key)),
        ]
        zoomed = bool(ui.var("zoomed", False))
        height = _ZOOMED if zoomed else CROPS[photo["crop"]][1]
        ui.bar("Photo")
        if ui.version % 2:
            ui.bottom_icons(icons)
        else:
            ui.icon_buttons(icons)
        ui.space(max(0, (260 - height) // 2))
        picture = ui.picture(looks_of(photo), height)
        if picture is not None:
            picture.on_double = lambda c: c.set_var("zoomed", not zoomed)

    def _favour(self, key: str) -> Handler:
        def favour(control: Control) -> None:
            now = not control.data["photos"][key]["favourite"]
            control.write("photos", key, "favourite", to=now)

        return favour

    def dialog_info(self, ui: Ui) -> None:
        """When it was taken and how large it is; never what it shows."""
        photo = ui.data["photos"].get(ui.args["id"])
        if photo is None:
            ui.dialog("Details", "This photo was deleted.", [("Close", _close)])
            return
        day = phone_time.date_text(phone_time.day_of(photo["time"]))
        clock = phone_time.clock_text(
            phone_time.minute_of(photo["time"]), hour24=bool(ui.system["hour24"])
        )
        size = 1 + photo["variant"] % 7
        ui.dialog("Details", f"{day}, {clock}. {size}.2 MB, 3000 x 4000.", [("Close", _close)])

    def dialog_share(self, ui: Ui) -> None:
        """Ways to send a photo; there is nobody near enough to receive it."""

        def send(control: Control) -> None:
            control.back()
            control.toast("No device found")

        ui.dialog("Share", "", [("Cancel", _close)], choices=[("Nearby", False, send)])

    def dialog_delete(self, ui: Ui) -> None:
        """Ask before deleting."""
        key = ui.args["id"]

        def delete(control: Control) -> None:
            control.erase("photos", key)
            control.back(2)
            control.toast("Photo deleted")

        buttons: list[tuple[str, Handler | None]] = [("Cancel", _close), ("Delete", delete)]
        ui.dialog("Delete photo?", "It will be gone for good.", buttons)

    def _edit(self, key: str) -> Handler:
        def edit(control: Control) -> None:
            crop = control.data["photos"][key]["crop"]
            control.open("edit", id=key)
            control.set_var("crop", crop)

        return edit

    def page_edit(self, ui: Ui) -> None:
        """Crop a photo."""
        key = ui.args["id"]
        ui.bar("Edit")
        photo = ui.data["photos"].get(key)
        if photo is None:
            ui.empty("This photo was deleted", "image")
            return
        crop = str(ui.var("crop", "original"))
        ui.picture(looks_of(photo), CROPS[crop][1])
        ui.chips([(label, name == crop, _crop(name)) for name, (label, _) in CROPS.items()])

        def save(control: Control) -> None:
            control.write("photos", key, "crop", to=crop)
            control.back()
            control.toast("Saved")

        ui.bottom_buttons([("Cancel", _close), ("Save", save)])

    def page_move(self, ui: Ui) -> None:
        """Choose the album that a photo goes to."""
        ui.bar("Move to album")
        photo = ui.data["photos"].get(ui.args["id"])
        for key, album in ui.data["albums"].items():
            here = photo is None or photo["album"] == key
            handler = None if here else self._move(ui.args["id"], key)
            ui.row(album["title"], icon="folder", enabled=not here, on_tap=handler)

    def _move(self, key: str, album: str) -> Handler:
        def move(control: Control) -> None:
            control.write("photos", key, "album", to=album)
            control.back()
            control.toast("Photo moved")

        return move

    def _new_album(self, control: Control) -> None:
        control.open("album_name")
        control.focus("title")

    def dialog_album_name(self, ui: Ui) -> None:
        """Name a new album."""
        title = ui.text_of("title")
        taken = any(album["title"] == title for album in ui.data["albums"].values())
        buttons = [("Cancel", _close), ("Create", self._create if title and not taken else None)]
        ui.dialog("New album", "", buttons, fields=[("title", "Album name")])

    def _create(self, control: Control) -> None:
        title = control.text("title")
        control.write("albums", control.new_id("album"), to={"title": title})
        control.back()
        control.toast("Album created")


def _crop(name: str) -> Handler:
    return lambda c: c.set_var("crop", name)
