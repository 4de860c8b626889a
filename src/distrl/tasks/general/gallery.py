"""Goals in the Gallery app. Photos carry no words: which one is meant can only be seen."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.apps.gallery import new_photo
from distrl.devices.phone.art import SUBJECTS
from distrl.devices.phone.control import Control, new_page
from distrl.devices.phone.state import State
from distrl.tasks.allowed_changes import Added, Permission
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import ALBUM, closed
from distrl.tasks.template import Params, Scene, Template

SUBJECT = closed("subject", *SUBJECTS)
_COUNT = 9
"""Photos to choose from: a grid that fits one screen in both layouts."""


def _nine_photos(subject: str, rng: Random, album: str = "") -> State:
    """Nine photos of nine subjects in any order; the wanted one has the id `target`."""
    subjects = rng.sample([other for other in SUBJECTS if other != subject], _COUNT - 1)
    subjects.insert(rng.randrange(_COUNT), subject)
    return {
        "target" if shown == subject else f"nine{place}": new_photo(
            shown, rng.randrange(50), album=album, time=place - 100
        )
        for place, shown in enumerate(subjects)
    }


def _put_album(control: Control, title: str) -> None:
    """The phone has exactly one album of this title, with the id `target`."""
    albums = control.state["apps"]["gallery"]["albums"]
    kept = {k: a for k, a in albums.items() if a["title"] != title}
    control.write_root("apps", "gallery", "albums", to={**kept, "target": {"title": title}})


def _fill_album(control: Control, p: Params, rng: Random) -> None:
    """The album holds nine photos, one of them of the subject; Gallery was left at its albums."""
    _put_album(control, p["album"])
    start = {**new_page("main", {}), "vars": {"tab": "albums"}}
    control.write_root("ui", "stacks", "gallery", to=[start])
    photos = control.state["apps"]["gallery"]["photos"]
    nine = _nine_photos(p["subject"], rng, album="target")
    control.write_root("apps", "gallery", "photos", to={**photos, **nine})


def _show_in_album(hand: Hand, p: Params) -> None:
    """The target's page, by way of its album."""
    if hand.at("photo", id="target"):
        return
    photo = hand.data("gallery")["photos"].get("target", {})
    if hand.at("album", id="target") and photo.get("album") == "target":
        hand.tap_paint("photo", p["subject"])
    hand.on("main")
    if photo.get("album") != "target":
        # It was moved by mistake: among all photos it is still to be found.
        hand.tab("Photos")
        hand.tap_paint("photo", p["subject"], photo.get("variant"))
    hand.tab("Albums")
    hand.tap(p["album"], role="item")


class OpenPhoto(Template):
    """A photo is shown, one of nine."""

    name = "open_photo"
    phrasings = (
        "Open the photo of the {subject}",
        "Show me the {subject} picture in my gallery",
        "Find the photo with the {subject} and open it",
        "Go to Gallery and view the picture of the {subject}",
        "Let me see the {subject} photo",
        "View my photo of the {subject}",
        "I want to look at the picture with the {subject} in it",
        "Bring up the {subject} photo from the gallery",
        "Which of my photos has the {subject}? Open it",
        "Open Gallery and tap the picture of the {subject}",
        "Pull up the picture that shows the {subject}",
        "Look for the {subject} among my photos and open that one",
    )
    params = {"subject": SUBJECT}
    visual = True

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The gallery has nine photos."""
        control.write_root("apps", "gallery", "photos", to=_nine_photos(p["subject"], rng))

    def check(self, scene: Scene, p: Params) -> bool:
        """Its page is in front."""
        return scene.at("gallery", "photo", id="target")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap it."""
        hand.open("gallery")
        hand.on("main")
        hand.tab("Photos")
        hand.tap_paint("photo", p["subject"])


class FavouritePhoto(Template):
    """A photo of an album is a favourite."""

    name = "favourite_photo"
    unseen = True
    phrasings = (
        "In the album {album}, mark the photo of the {subject} as a favorite",
        "Add the {subject} picture from {album} to my favorites",
        "Like the photo of the {subject} in my album {album}",
    )
    params = {"album": ALBUM, "subject": SUBJECT}
    allows = ("apps.gallery.photos.target.favourite",)
    visual = True

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The album holds nine photos, none of them a favourite."""
        _fill_album(control, p, rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is a favourite."""
        return bool(scene.data("gallery")["photos"].get("target", {}).get("favourite"))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and press the heart."""
        hand.open("gallery")
        _show_in_album(hand, p)
        hand.tap_icon("heart")


class DeletePhoto(Template):
    """A photo of an album is gone."""

    name = "delete_photo"
    unseen = True
    phrasings = (
        "Delete the photo of the {subject} from the album {album}",
        "Remove the {subject} picture in my {album} album",
        "Get rid of the photo that shows the {subject} in {album}",
    )
    params = {"album": ALBUM, "subject": SUBJECT}
    allows = ("apps.gallery.photos.target",)
    visual = True

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The album holds nine photos."""
        _fill_album(control, p, rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It does not exist any more."""
        return "target" not in scene.data("gallery")["photos"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it, press the bin, confirm."""
        hand.open("gallery")
        if hand.at("delete", id="target"):
            hand.tap("Delete")
        _show_in_album(hand, p)
        hand.tap_icon("delete")


class MovePhoto(Template):
    """A photo, one of nine, is in an album."""

    name = "move_photo"
    unseen = True
    phrasings = (
        "Move the photo of the {subject} to the album {album}",
        "Put the {subject} picture into my album {album}",
        "Sort the photo with the {subject} into {album}",
    )
    params = {"album": ALBUM, "subject": SUBJECT}
    allows = ("apps.gallery.photos.target.album",)
    visual = True

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The gallery has nine photos, none of them in an album."""
        _put_album(control, p["album"])
        control.write_root("apps", "gallery", "photos", to=_nine_photos(p["subject"], rng))

    def check(self, scene: Scene, p: Params) -> bool:
        """It is in the album."""
        album: str = scene.data("gallery")["photos"].get("target", {}).get("album", "")
        return album == "target"

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it, press the folder, choose the album."""
        hand.open("gallery")
        if hand.at("move", id="target"):
            hand.tap(p["album"], role="item")
        if hand.at("photo", id="target"):
            hand.tap_icon("folder")
        hand.on("main")
        hand.tab("Photos")
        hand.tap_paint("photo", p["subject"])


class OpenAlbum(Template):
    """An album is shown."""

    name = "open_album"
    phrasings = (
        "Open the album {album}",
        "Show me the photos in {album}",
        "Go to my {album} album in the gallery",
    )
    params = {"album": ALBUM}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It exists and holds some photos."""
        _put_album(control, p["album"])
        photos = control.state["apps"]["gallery"]["photos"]
        for key in rng.sample(list(photos), 6):
            control.write_root("apps", "gallery", "photos", key, "album", to="target")

    def check(self, scene: Scene, p: Params) -> bool:
        """Its page is in front."""
        return scene.at("gallery", "album", id="target")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap it."""
        hand.open("gallery")
        hand.on("main")
        hand.tab("Albums")
        hand.tap(p["album"], role="item")


class CreateAlbum(Template):
    """A new album."""

    name = "create_album"
    unseen = True
    phrasings = (
        "Create a photo album called {album}",
        "Make a new album named {album} in Gallery",
        "Start an album with the title {album}",
    )
    params = {"album": ALBUM}
    weight = 0.6

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """One new album of this title."""
        return (Added("apps.gallery.albums", {"title": p["album"]}),)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """There is none yet."""
        albums = control.state["apps"]["gallery"]["albums"]
        kept = {k: a for k, a in albums.items() if a["title"] != p["album"]}
        control.write_root("apps", "gallery", "albums", to=kept)

    def check(self, scene: Scene, p: Params) -> bool:
        """It exists."""
        albums = scene.data("gallery")["albums"].values()
        return any(album["title"] == p["album"] for album in albums)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Add, type the title, create."""
        hand.open("gallery")
        if hand.at("album_name"):
            hand.type("title", p["album"])
            hand.tap("Create")
        hand.on("main")
        hand.tab("Albums")
        hand.tap_icon("add")


TEMPLATES: tuple[Template, ...] = (
    OpenPhoto(),
    FavouritePhoto(),
    DeletePhoto(),
    MovePhoto(),
    OpenAlbum(),
    CreateAlbum(),
)
