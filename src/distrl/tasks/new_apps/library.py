"""Goals on the web site of a library: pages in the browser."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.apps.library import BOOKS, new_library
from distrl.devices.phone.apps.web import LIBRARY_HOST
from distrl.devices.phone.control import Control
from distrl.tasks.general.browser import go_to, to_web
from distrl.tasks.new_apps.common import NewAppTemplate
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import closed
from distrl.tasks.template import Params, Scene
from distrl.tasks.wording.grammar import typed

_RESERVED = ("apps.browser.library.target.reserved",)


class _AtLibrary(NewAppTemplate):
    """The book is in the catalogue, with the id `target`."""

    new_apps = ("library",)
    params = {"book": closed("book", *BOOKS), "site": closed("library_site", LIBRARY_HOST)}
    reserved = False
    """Whether it is reserved at the start."""

    def say(self, rng: Random) -> str:
        """The site is named by its address, which is never mistyped; it is no app to name."""
        return typed(rng.choice(self.requests), rng)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The phone knows the library, whose catalogue has the book once."""
        books = [item for item in new_library(rng).items() if item[1]["title"] != p["book"]]
        target = {"title": p["book"], "reserved": self.reserved}
        books.insert(rng.randrange(len(books) + 1), ("target", target))
        control.write_root("apps", "browser", "library", to=dict(books))

    def _show(self, hand: Hand, p: Params) -> None:
        """The book's page is in front."""
        to_web(hand)
        if hand.at("library_book", id="target"):
            return
        if hand.at("library"):
            if str(hand.var("sought", "")).strip().lower() not in p["book"].lower():
                hand.type("sought", p["book"])
            hand.tap(p["book"], role="item")
        go_to(hand, LIBRARY_HOST)


class OpenBook(_AtLibrary):
    """A book is shown."""

    name = "open_book"
    requests = (
        "go to {site} and open the book {book}",
        "find {book} on {site}",
        "look up the book {book} on {site}",
    )

    def check(self, scene: Scene, p: Params) -> bool:
        """Its page is in front."""
        return scene.at("browser", "library_book", id="target")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Go there and tap it."""
        self._show(hand, p)


class ReserveBook(_AtLibrary):
    """A book is reserved."""

    name = "reserve_book"
    requests = (
        "reserve {book} on {site}",
        "go to {site} and reserve the book {book}",
        "put a reservation on {book} at {site}",
    )
    allows = _RESERVED

    def check(self, scene: Scene, p: Params) -> bool:
        """It is."""
        return bool(scene.data("browser")["library"]["target"]["reserved"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and press the button."""
        self._show(hand, p)
        hand.tap("Reserve")


class CancelReservation(_AtLibrary):
    """A book is not reserved any more."""

    name = "cancel_reservation"
    reserved = True
    requests = (
        "cancel my reservation of {book} on {site}",
        "go to {site} and cancel the reservation of {book}",
        "drop my reservation for the book {book} at {site}",
    )
    allows = _RESERVED

    def check(self, scene: Scene, p: Params) -> bool:
        """It is not."""
        return not scene.data("browser")["library"]["target"]["reserved"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and press the button."""
        self._show(hand, p)
        hand.tap("Cancel the reservation")


TEMPLATES: tuple[NewAppTemplate, ...] = (OpenBook(), ReserveBook(), CancelReservation())
