"""Postcards: pictures without words, and icons for what can be done. No phone starts with it."""

from __future__ import annotations

from random import Random
from typing import Any

from distrl.devices.phone.app import App
from distrl.devices.phone.art import SUBJECTS
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import Ui
from distrl.devices.phone.ui.view import Handler

CARDS = 9
"""Postcards of a new phone, each with a picture of its own."""


class Postcards(App):
    """Data: cards by id with the subject of the picture, whether it is liked, and sent."""

    name = "postcards"
    title = "Postcards"
    icon = "image"
    color = (20, 124, 140)

    def create(self, rng: Random) -> State:
        """Nine cards."""
        subjects = rng.sample(SUBJECTS, CARDS)
        return {"cards": {f"card{i}": new_card(subject, rng) for i, subject in enumerate(subjects)}}

    def page_main(self, ui: Ui) -> None:
        """All cards; what they show can only be seen."""
        ui.bar(self.title)
        cards = list(ui.data["cards"].items())
        if ui.version % 2 == 0:
            cards.reverse()
        cells: list[tuple[Any, str, str, Handler | None]] = [
            (("photo", card["subject"], card["variant"]), "", "", _open(key)) for key, card in cards
        ]
        ui.grid(cells, columns=3, height=64)
        if not cards:
            ui.empty("No postcards", "image")

    def page_card(self, ui: Ui) -> None:
        """One card, with icons below its picture."""
        key = ui.args["id"]
        card = ui.data["cards"].get(key)
        if card is None:
            ui.bar("Postcard")
            ui.empty("This postcard was thrown away", "image")
            return
        ui.bar("Postcard")
        ui.picture(("photo", card["subject"], card["variant"]), 130)
        liked = "heart_filled" if card["liked"] else "heart"
        ui.icon_buttons(
            [
                (liked, "", lambda c: c.write("cards", key, "liked", to=not card["liked"])),
                ("send", "", lambda c: c.write("cards", key, "sent", to=True)),
                ("delete", "", _throw_away(key)),
            ]
        )
        if card["sent"]:
            ui.text("Sent", ink="muted", align="center")


def new_card(subject: str, rng: Random) -> State:
    """A card that was neither liked nor sent."""
    return {"subject": subject, "variant": rng.randrange(5), "liked": False, "sent": False}


def _open(key: str) -> Handler:
    return lambda c: c.open("card", id=key)


def _throw_away(key: str) -> Handler:
    def throw(control: Control) -> None:
        control.erase("cards", key)
        control.back()

    return throw
