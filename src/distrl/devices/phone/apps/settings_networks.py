"""The pages of Settings for Wi-Fi networks and Bluetooth devices."""

from __future__ import annotations

from random import Random

from distrl.devices.phone import content
from distrl.devices.phone.control import Control
from distrl.devices.phone.shade import toggle_system
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import Ui
from distrl.devices.phone.ui.view import Handler

DEVICE_ICONS = ("volume", "music", "keyboard", "fitness", "car", "game")
_LEAST_PASSWORD = 4


def create_networks(rng: Random) -> State:
    """Nine networks in range; the phone is connected to the first."""
    names = rng.sample(content.WIFI_NETWORKS, 9)
    return {
        f"net{i}": {
            "name": name,
            "password": f"{rng.randrange(10**9):09d}" if i == 0 or rng.random() < 0.5 else "",
            "saved": i < 2,
        }
        for i, name in enumerate(names)
    }


def create_devices(rng: Random) -> State:
    """Three paired devices and seven strangers nearby."""
    names = rng.sample(content.BLUETOOTH_DEVICES, 10)
    return {
        f"device{i}": {
            "name": name,
            "icon": rng.choice(DEVICE_ICONS),
            "paired": i < 3,
            "connected": False,
        }
        for i, name in enumerate(names)
    }


def _join(control: Control, key: str) -> None:
    control.write("networks", key, "saved", to=True)
    control.write("connected", to=key)
    control.toast("Connected")


class NetworkPages:
    """Data: networks by id (name, password, saved), the id of the connected one, devices by id."""

    def page_wifi(self, ui: Ui) -> None:
        """The switch, and the networks in range."""
        ui.bar("Wi-Fi", [("refresh", "", lambda c: c.toast("Scanning"))])
        on = bool(ui.system["wifi"])
        ui.switch("Use Wi-Fi", on=on, on_tap=toggle_system("wifi"))
        if not on:
            ui.empty("To see networks, turn Wi-Fi on", "wifi")
            return
        networks, current = ui.data["networks"], ui.data["connected"]
        if current in networks:
            ui.header("Connected")
            ui.row(
                networks[current]["name"],
                "Connected",
                icon="wifi",
                trailing="icon:settings",
                on_tap=_open_network(current),
            )
        ui.header("Available networks")
        for key, network in networks.items():
            if key != current:
                ui.row(
                    network["name"],
                    "Saved" if network["saved"] else "",
                    icon="wifi",
                    tint="muted",
                    trailing="icon:lock" if network["password"] else "",
                    on_tap=self._choose_network(key),
                    on_long=_open_network(key) if network["saved"] else None,
                )

    def _choose_network(self, key: str) -> Handler:
        def choose(control: Control) -> None:
            network = control.data["networks"][key]
            if network["password"] and not network["saved"]:
                control.open("password", id=key)
                control.focus("password")
            else:
                _join(control, key)

        return choose

    def dialog_password(self, ui: Ui) -> None:
        """What a secured network asks for."""
        network = ui.data["networks"].get(ui.args["id"], {"name": "Wi-Fi"})
        ready = len(ui.text_of("password")) >= _LEAST_PASSWORD
        ui.dialog(
            network["name"],
            buttons=[("Cancel", lambda c: c.back()), ("Connect", self._enter if ready else None)],
            fields=[("password", "Password")],
        )

    def _enter(self, control: Control) -> None:
        key = control.page["args"]["id"]
        network = control.data["networks"].get(key)
        if network is None:
            control.back()
        elif control.text("password") == network["password"]:
            control.back()
            _join(control, key)
        else:
            control.toast("Wrong password")

    def page_details(self, ui: Ui) -> None:
        """What the phone knows of one network."""
        key = ui.args["id"]
        network = ui.data["networks"].get(key)
        if network is None:
            ui.bar("Network")
            ui.empty("This network is out of range", "wifi")
            return
        connected = key == ui.data["connected"]
        ui.bar("Network details")
        ui.place(("glyph", "wifi", ui.color, "bg"), 34)
        ui.text(network["name"], align="center", bold=True)
        if connected:
            ui.button("Disconnect", lambda c: c.write("connected", to=""), style="outlined")
        else:
            ui.button("Connect", self._choose_network(key))
        ui.button("Forget", _forget(key) if network["saved"] else None, style="outlined")
        ui.row("Signal strength", trailing="Excellent", icon="signal")
        ui.row("Security", trailing="WPA3" if network["password"] else "None", icon="lock")

    def page_bluetooth(self, ui: Ui) -> None:
        """The switch, the way to new devices, and the paired ones."""
        ui.bar("Bluetooth")
        on = bool(ui.system["bluetooth"])
        ui.switch("Use Bluetooth", on=on, on_tap=toggle_system("bluetooth"))
        if not on:
            ui.empty("To connect devices, turn Bluetooth on", "bluetooth")
            return
        ui.row("Pair new device", icon="add", on_tap=lambda c: c.open("pairing"))
        ui.header("Saved devices")
        for key, device in ui.data["devices"].items():
            if device["paired"]:
                ui.row(
                    device["name"],
                    "Connected" if device["connected"] else "Saved",
                    icon=device["icon"],
                    trailing="icon:settings",
                    on_tap=_open_device(key),
                )

    def page_pairing(self, ui: Ui) -> None:
        """Devices nearby that the phone does not know."""
        ui.bar("Pair new device")
        if not ui.system["bluetooth"]:
            ui.empty("Bluetooth is off", "bluetooth")
            return
        ui.row("Device name", trailing=ui.system["model"], icon="phone")
        ui.header("Available devices")
        for key, device in ui.data["devices"].items():
            if not device["paired"]:
                ui.row(device["name"], icon=device["icon"], tint="muted", on_tap=_ask_pair(key))

    def dialog_pair(self, ui: Ui) -> None:
        """Ask before pairing."""
        device = ui.data["devices"].get(ui.args["id"], {"name": "this device"})
        ui.dialog(
            "Pair device?",
            f"Pair with {device['name']}?",
            [("Cancel", lambda c: c.back()), ("Pair", self._pair)],
        )

    def _pair(self, control: Control) -> None:
        key = control.page["args"]["id"]
        control.back_to("bluetooth")
        if key in control.data["devices"]:
            control.write("devices", key, "paired", to=True)
            control.write("devices", key, "connected", to=True)
            control.toast("Paired")

    def page_device(self, ui: Ui) -> None:
        """One paired device."""
        key = ui.args["id"]
        device = ui.data["devices"].get(key)
        ui.bar("Device details")
        if device is None or not device["paired"]:
            ui.empty("This device is not paired", "bluetooth")
            return
        ui.place(("glyph", device["icon"], ui.color, "bg"), 34)
        ui.text(device["name"], align="center", bold=True)
        label = "Disconnect" if device["connected"] else "Connect"
        ui.button(label, self._flip_device(key))
        ui.button("Forget", _unpair(key), style="outlined")

    def _flip_device(self, key: str) -> Handler:
        def flip(control: Control) -> None:
            connected = control.data["devices"][key]["connected"]
            control.write("devices", key, "connected", to=not connected)

        return flip


def _open_network(key: str) -> Handler:
    return lambda c: c.open("details", id=key)


def _open_device(key: str) -> Handler:
    return lambda c: c.open("device", id=key)


def _ask_pair(key: str) -> Handler:
    return lambda c: c.open("pair", id=key)


def _forget(key: str) -> Handler:
    def forget(control: Control) -> None:
        control.write("networks", key, "saved", to=False)
        if control.data["connected"] == key:
            control.write("connected", to="")
        control.back()
        control.toast("Network forgotten")

    return forget


def _unpair(key: str) -> Handler:
    def unpair(control: Control) -> None:
        record = control.data["devices"][key]
        control.write("devices", key, to={**record, "paired": False, "connected": False})
        control.back()
        control.toast("Device forgotten")

    return unpair
