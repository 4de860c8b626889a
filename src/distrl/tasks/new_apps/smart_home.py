"""Goals in Smart Home: switches, steps and choices."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.apps.smart_home import COOLEST, MODES, ROOMS, WARMEST
from distrl.devices.phone.control import Control
from distrl.tasks.allowed_changes import Permission
from distrl.tasks.new_apps.common import NewAppTemplate, install
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import SWITCH, closed
from distrl.tasks.template import Params, Scene

_ROOM = closed("room", *ROOMS)
_FARTHEST = 3
"""Steps of the heating that a goal is away at most."""


def _show_room(hand: Hand, room: str) -> None:
    hand.open("smart_home")
    if not hand.at("room", room=room):
        hand.on("main")
        hand.tap(room, role="item")


def _room(scene: Scene, p: Params, key: str) -> object:
    return scene.data("smart_home")["rooms"][p["room"]][key]


class _Switch(NewAppTemplate):
    """A switch of a room."""

    new_apps = ("smart_home",)
    params = {"room": _ROOM, "switch": SWITCH}
    key: str
    label: str

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is the other way round."""
        install(control, "smart_home", rng)
        path = ("apps", "smart_home", "rooms", p["room"], self.key)
        control.write_root(*path, to=p["switch"] == "off")

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The switch alone."""
        return (f"apps.smart_home.rooms.{p['room']}.{self.key}",)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is as asked."""
        return _room(scene, p, self.key) is (p["switch"] == "on")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the room and press it."""
        _show_room(hand, p["room"])
        hand.switch(self.label, on=p["switch"] == "on")


class SwitchLamp(_Switch):
    """The lamp of a room."""

    name, key, label = "switch_lamp", "lamp", "Ceiling lamp"
    requests = (
        "turn {switch} the lamp in the {room}",
        "switch the {room} lamp {switch}",
        "set the ceiling lamp of the {room} to {switch}",
    )


class SwitchFan(_Switch):
    """The fan of a room."""

    name, key, label = "switch_fan", "fan", "Fan"
    requests = (
        "turn {switch} the fan in the {room}",
        "switch the {room} fan {switch}",
        "set the fan of the {room} to {switch}",
    )


class SetHeating(NewAppTemplate):
    """The heating of a room, a few steps away."""

    name = "set_heating"
    new_apps = ("smart_home",)
    params = {
        "room": _ROOM,
        "degrees": closed("degrees", *range(COOLEST + _FARTHEST, WARMEST - _FARTHEST + 1)),
    }
    requests = (
        "set the heating in the {room} to {degrees} degrees",
        "heat the {room} to {degrees} degrees",
        "change the temperature of the {room} to {degrees}",
    )

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is warmer or cooler."""
        install(control, "smart_home", rng)
        away = rng.choice([step for step in range(-_FARTHEST, _FARTHEST + 1) if step])
        path = ("apps", "smart_home", "rooms", p["room"], "heating")
        control.write_root(*path, to=p["degrees"] + away)

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The heating alone."""
        return (f"apps.smart_home.rooms.{p['room']}.heating",)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is as asked."""
        return bool(_room(scene, p, "heating") == p["degrees"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the room and press plus or minus."""
        _show_room(hand, p["room"])
        now = hand.data("smart_home")["rooms"][p["room"]]["heating"]
        hand.tap_icon("add" if now < p["degrees"] else "remove")


class HouseMode(NewAppTemplate):
    """The mode of the house."""

    name = "house_mode"
    new_apps = ("smart_home",)
    params = {"mode": closed("mode", *MODES)}
    requests = (
        "set the house mode to {mode}",
        "switch the house to {mode}",
        "put my smart home into the mode {mode}",
        "change the mode of the house to {mode}",
    )
    allows = ("apps.smart_home.mode",)
    weight = 0.5

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is another one."""
        install(control, "smart_home", rng)
        others = [mode for mode in MODES if mode != p["mode"]]
        control.write_root("apps", "smart_home", "mode", to=rng.choice(others))

    def check(self, scene: Scene, p: Params) -> bool:
        """It is as asked."""
        return bool(scene.data("smart_home")["mode"] == p["mode"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the choices and take one."""
        hand.open("smart_home")
        if hand.at("mode"):
            hand.tap(p["mode"], role="radio")
        hand.on("main")
        hand.tap("House mode")


TEMPLATES: tuple[NewAppTemplate, ...] = (SwitchLamp(), SwitchFan(), SetHeating(), HouseMode())
