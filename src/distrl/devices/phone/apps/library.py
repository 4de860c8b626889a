"""A public library on the web: a catalogue with a search, and books to reserve.

The browser reaches it only on phones that have been given a library.
"""

from __future__ import annotations

from random import Random

from distrl.devices.phone.apps.web import LIBRARY_HOST, chrome, visitor
from distrl.devices.phone.content.tables.reader import phrases
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import LARGE, Ui
from distrl.devices.phone.ui.view import Handler

BOOKS = phrases(
    """
    The Salt Ferry; Nine Winter Orchards; A Clock for Agatha; Under the Tin Roof; Paper Rivers
    The Lighthouse Ledger; Marble and Moss; The Last Cartographer; Gravel Songs; A Field of Keys
    The Beekeeper's Atlas; Harbor of Small Lamps; The Quiet Signal; Seven Copper Bowls
    Letters to a Glacier; The Orchard Thief; Bread for the Ferryman; The Violet Door
    """
)
TINT = (70, 96, 60)


def new_library(rng: Random) -> State:
    """Twelve books, none of them reserved."""
    books = rng.sample(BOOKS, 12)
    return {f"book{i}": {"title": t, "reserved": False} for i, t in enumerate(books)}


class LibraryPages:
    """Pages of the library for the browser to inherit."""

    def page_library(self, ui: Ui) -> None:
        """The catalogue; what is typed into its search narrows it."""
        chrome(ui, LIBRARY_HOST)
        ui.color = TINT
        masthead = ("line", "Reading Hall", LARGE, "white", TINT, "center", True)
        ui.place(masthead, 30, "text", "Reading Hall")
        ui.field("sought", "Search the catalogue", lambda c: c.focus(None), icon="search")
        sought = ui.text_of("sought").lower()
        for key, book in ui.data["library"].items():
            if sought in book["title"].lower():
                state = "reserved for you" if book["reserved"] else "on the shelf"
                ui.row(book["title"], state, icon="book", on_tap=_book(key))

    def page_library_book(self, ui: Ui) -> None:
        """One book."""
        key = str(ui.args["id"])
        chrome(ui, f"{LIBRARY_HOST}/{key}")
        ui.color = TINT
        book = ui.data["library"].get(key, {"title": "Unknown book", "reserved": False})
        ui.row("Catalogue", icon="left", on_tap=visitor("library", host=LIBRARY_HOST))
        ui.text(book["title"], LARGE, bold=True)
        if book["reserved"]:
            ui.text("Reserved for you", ink="muted")
            ui.button("Cancel the reservation", _reserve(key, False), style="outlined")
        else:
            ui.text("On the shelf", ink="muted")
            ui.button("Reserve", _reserve(key, True))


def _book(key: str) -> Handler:
    return visitor("library_book", host=LIBRARY_HOST, id=key)


def _reserve(key: str, to: bool) -> Handler:
    def reserve(control: Control) -> None:
        if key in control.data["library"]:
            control.write("library", key, "reserved", to=to)

    return reserve
