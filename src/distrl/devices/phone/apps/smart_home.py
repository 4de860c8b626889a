"""Smart Home: rooms with switches, steps and choices. No phone starts with it."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.app import App
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import HUGE, Ui
from distrl.devices.phone.ui.view import Handler

ROOMS = ("Kitchen", "Living room", "Bedroom", "Study", "Hallway", "Bathroom")
MODES = ("Everyone home", "Away", "Night")
COOLEST, WARMEST = 15, 25


class SmartHome(App):
    """Data: rooms by name with lamp, fan and heating; the mode of the house."""

    name = "smart_home"
    title = "Smart Home"
    icon = "plug"
    color = (92, 64, 150)

    def create(self, rng: Random) -> State:
        """Six rooms as somebody left them."""
        rooms = {
            room: {
                "lamp": rng.random() < 0.5,
                "fan": rng.random() < 0.3,
                "heating": rng.randint(17, 23),
            }
            for room in ROOMS
        }
        return {"rooms": rooms, "mode": MODES[0]}

    def page_main(self, ui: Ui) -> None:
        """The rooms, and the mode of the house."""
        ui.bar(self.title)
        mode: Handler = lambda c: c.open("mode")  # noqa: E731 - a handler, as everywhere
        if ui.version % 2:
            ui.row("House mode", trailing=ui.data["mode"], icon="home", on_tap=mode)
        ui.header("Rooms")
        for room in ui.data["rooms"]:
            ui.row(room, icon="lock", trailing=">", on_tap=_open(room))
        if ui.version % 2 == 0:
            ui.row("House mode", trailing=ui.data["mode"], icon="home", on_tap=mode)

    def page_room(self, ui: Ui) -> None:
        """One room: two switches, and the heating in steps."""
        name = ui.args["room"]
        room = ui.data["rooms"][name]
        ui.bar(name)
        for key, title in (("lamp", "Ceiling lamp"), ("fan", "Fan")):
            ui.switch(title, on=room[key], on_tap=_set(name, key, not room[key]))
        ui.header("Heating")
        degrees = room["heating"]
        ui.text(f"{degrees}°", HUGE, align="center", bold=True)
        ui.icon_buttons(
            [
                ("remove", "", _set(name, "heating", max(COOLEST, degrees - 1))),
                ("add", "", _set(name, "heating", min(WARMEST, degrees + 1))),
            ]
        )

    def dialog_mode(self, ui: Ui) -> None:
        """What the house should be ready for."""
        now = ui.data["mode"]
        ui.dialog("House mode", choices=[(mode, mode == now, _choose(mode)) for mode in MODES])


def _open(room: str) -> Handler:
    return lambda c: c.open("room", room=room)


def _set(room: str, key: str, to: object) -> Handler:
    return lambda c: c.write("rooms", room, key, to=to)


def _choose(mode: str) -> Handler:
    def choose(control: Control) -> None:
        control.write("mode", to=mode)
        control.back()

    return choose
