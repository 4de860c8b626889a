"""Goals in the Settings app."""

from __future__ import annotations

from random import Random
from typing import Any

from distrl.actions import Direction
from distrl.devices.phone.apps.settings_apps import PERMISSIONS, new_record
from distrl.devices.phone.apps.settings_tables import CHOICES, SECTIONS, TITLES, page_of
from distrl.devices.phone.control import Control
from distrl.devices.phone.paint import WALLPAPER_PHOTOS
from distrl.devices.phone.registry import INSTALLED_PREFIX
from distrl.tasks.allowed_changes import Permission, fields_of
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import (
    BLUETOOTH_DEVICE,
    STORE_APP,
    SWITCH,
    WIFI_NETWORK,
    WIFI_PASSWORD,
    closed,
)
from distrl.tasks.template import Draw, Params, Scene, Template

_BEHIND = {"wifi": "network", "pairing": "bluetooth"}
"""Pages that do not hang from the first page, and the page that leads to them."""
_NAMES = {"wifi": "Wi-Fi", "pairing": "Pair new device"}

FIRST_PHOTO = 6
"""Number of the first wallpaper that is a photograph."""


def reach(hand: Hand, page: str) -> None:
    """A page of Settings is on top."""
    hand.open("settings")
    if hand.at(page):
        return
    if page in _BEHIND:
        if hand.at(_BEHIND[page]):
            hand.tap(_NAMES[page], role="item")
        reach(hand, _BEHIND[page])
    hand.on("main")
    hand.tap(SECTIONS[page].title, role="item")


def setting_paths(key: str, switch: str) -> tuple[str, ...]:
    """What flipping a setting changes: airplane mode turns the radios off, but never on again."""
    radios = ("wifi", "bluetooth") if (key, switch) == ("airplane", "on") else ()
    return fields_of("system", key, *radios)


def _put_app(control: Control, title: str, **record: Any) -> str:
    """An app from the store is on the phone, with settings of its own; its name."""
    name = f"{INSTALLED_PREFIX}{title}"
    control.write_root("system", "installed", name, to="1.0")
    control.write_root("apps", "settings", "apps", name, to={**new_record(), **record})
    return name


class SwitchSetting(Template):
    """Something in Settings is on or off."""

    name = "switch_setting"
    phrasings = (
        "Turn {switch} {setting}",
        "Switch {setting} {switch}",
        "Set {setting} to {switch}",
        "In Settings, turn {setting} {switch}",
        "Please turn {switch} {setting} for me",
        "Make sure {setting} is {switch}",
        "Open the settings and turn {setting} {switch}",
        "Can you switch {switch} {setting}?",
        "I would like {setting} turned {switch}",
        "I want {setting} to be {switch}",
        "Go to Settings and switch {switch} {setting}",
    )
    KEYS = {
        "Wi-Fi": "wifi",
        "Bluetooth": "bluetooth",
        "airplane mode": "airplane",
        "dark theme": "dark",
        "auto-rotate": "rotate",
        "night light": "night_light",
        "the hotspot": "hotspot",
        "mobile data": "mobile_data",
        "battery saver": "saver",
        "live captions": "captions",
        "magnification": "magnification",
        "large text": "large_text",
        "vibrate for calls": "vibrate",
        "touch sounds": "touch_sounds",
        "notification dots": "dots",
        "the 24-hour format": "hour24",
        "location": "location",
    }
    params = {"setting": closed("setting", *KEYS), "switch": SWITCH}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is the other way round."""
        control.write_root("system", self.KEYS[p["setting"]], to=p["switch"] == "off")

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The setting alone; airplane mode takes the radios with it when it goes on."""
        return setting_paths(self.KEYS[p["setting"]], p["switch"])

    def check(self, scene: Scene, p: Params) -> bool:
        """It is as asked."""
        return bool(scene.system[self.KEYS[p["setting"]]] is (p["switch"] == "on"))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Go to its page and flip it."""
        key = self.KEYS[p["setting"]]
        own = {"wifi": "Use Wi-Fi", "bluetooth": "Use Bluetooth", "saver": "Battery saver"}
        page = {"wifi": "wifi", "bluetooth": "bluetooth", "saver": "battery"}.get(key)
        reach(hand, page or page_of(key))
        hand.switch(own.get(key) or TITLES[key], on=p["switch"] == "on")


class ChooseOption(Template):
    """One of several values of a setting."""

    name = "choose_option"
    phrasings = (
        "Set the {setting} to {value}",
        "Change the {setting} to {value}",
        "Make {value} the {setting}",
        "In Settings, pick {value} as the {setting}",
        "Use {value} as the {setting}",
        "I want the {setting} to be {value}",
        "Open Settings and change the {setting} to {value}",
        "Please make the {setting} {value}",
        "Go for {value} as the {setting} of this phone",
        "I would like {value} for the {setting}",
        "Please switch the {setting} over to {value}",
    )
    weight = 0.8
    KEYS = {"screen timeout": "timeout", "font size": "font", "ringtone": "ringtone"}
    params = {
        "setting": closed("choice_setting", *KEYS),
        "value": closed("choice", *(v for key in KEYS.values() for v in CHOICES[key])),
    }

    def sample(self, draw: Draw) -> dict[str, Any]:
        """A value that the setting can have."""
        setting = draw.of(self.params["setting"])
        return {"setting": setting, "value": draw.rng.choice(CHOICES[self.KEYS[setting]])}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It has another value."""
        key = self.KEYS[p["setting"]]
        others = [value for value in CHOICES[key] if value != p["value"]]
        control.write_root("system", key, to=rng.choice(others))

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        return (f"system.{self.KEYS[p['setting']]}",)

    def check(self, scene: Scene, p: Params) -> bool:
        """It has this value."""
        return bool(scene.system[self.KEYS[p["setting"]]] == p["value"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open its choices and pick one."""
        key = self.KEYS[p["setting"]]
        if hand.app == "settings" and hand.at("choice", "choose", key=key):
            hand.tap(p["value"], role="radio")
        reach(hand, page_of(key))
        hand.tap(TITLES[key], role="item")


class DragSlider(Template):
    """A slider is at one of its ends."""

    name = "drag_slider"
    unseen = True
    phrasings = (
        "Set the {slider} to {level}",
        "Turn the {slider} to {level}",
        "Put the {slider} at {level}",
        "Move the {slider} to its {level}",
        "I want the {slider} at the {level}",
        "Drag the {slider} in Settings to the {level}",
    )
    weight = 0.6
    KEYS = {
        "media volume": "media_volume",
        "ring volume": "ring_volume",
        "alarm volume": "alarm_volume",
        "brightness": "brightness",
    }
    params = {"slider": closed("slider", *KEYS), "level": closed("level", "maximum", "minimum")}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        return (f"system.{self.KEYS[p['slider']]}",)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is at that end."""
        wanted = 100 if p["level"] == "maximum" else 0
        return bool(scene.system[self.KEYS[p["slider"]]] == wanted)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Drag it from its middle."""
        key = self.KEYS[p["slider"]]
        reach(hand, page_of(key))
        wanted = hand.say(TITLES[key])
        for widget in hand.view.widgets:
            if widget.role == "slider" and widget.text == wanted and widget.element():
                right = p["level"] == "maximum"
                hand.drag(widget, Direction.RIGHT if right else Direction.LEFT)
        hand.swipe(Direction.DOWN)


class ConnectWifi(Template):
    """The phone is on a network that asks for no password."""

    name = "connect_wifi"
    phrasings = (
        "Connect to the Wi-Fi network {network}",
        "Join the {network} Wi-Fi",
        "Switch my Wi-Fi over to {network}",
        "Get online with the open network {network}",
    )
    params = {"network": WIFI_NETWORK}
    allows = ("apps.settings.connected", "apps.settings.networks.target.saved")

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is in range, and the phone is on another."""
        put_network(control, p["network"], saved=False)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is the connected one."""
        return bool(scene.data("settings")["connected"] == "target")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap it in the list."""
        reach(hand, "wifi")
        hand.switch("Use Wi-Fi", on=True)
        hand.tap(p["network"], role="item")


def put_network(control: Control, name: str, *, saved: bool, password: str = "") -> None:
    """Exactly one network of this name is in range, somewhere in the list, as `target`."""
    networks = control.state["apps"]["settings"]["networks"]
    kept = {key: n for key, n in networks.items() if n["name"] != name}
    record = {"name": name, "password": password, "saved": saved}
    first = next(iter(kept))
    control.write_root(
        "apps", "settings", "networks", to={first: kept.pop(first), "target": record, **kept}
    )
    control.write_root("apps", "settings", "connected", to=first)


class JoinWifi(Template):
    """The phone is on a network that asks for a password."""

    name = "join_wifi"
    unseen = True
    phrasings = (
        "Connect to the Wi-Fi {network} with the password {password}",
        "Join {network}, the Wi-Fi password is {password}",
        "Use the password {password} to get on the {network} Wi-Fi",
    )
    params = {"network": WIFI_NETWORK, "password": WIFI_PASSWORD}
    allows = ("apps.settings.connected", "apps.settings.networks.target.saved")
    weight = 0.8

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is in range and secured."""
        put_network(control, p["network"], saved=False, password=p["password"])

    def check(self, scene: Scene, p: Params) -> bool:
        """It is the connected one."""
        return bool(scene.data("settings")["connected"] == "target")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap it, type the password, connect."""
        hand.open("settings")
        if hand.at("password", id="target"):
            hand.type("password", p["password"])
            hand.tap("Connect")
        reach(hand, "wifi")
        hand.switch("Use Wi-Fi", on=True)
        hand.tap(p["network"], role="item")


class ForgetWifi(Template):
    """The phone no longer knows the network it is on."""

    name = "forget_wifi"
    unseen = True
    phrasings = (
        "Forget the Wi-Fi network {network}",
        "Make my phone forget the {network} Wi-Fi",
        "Remove {network} from my saved Wi-Fi networks",
    )
    params = {"network": WIFI_NETWORK}
    allows = ("apps.settings.connected", "apps.settings.networks.target.saved")

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is the connected one."""
        put_network(control, p["network"], saved=True)
        control.write_root("apps", "settings", "connected", to="target")

    def check(self, scene: Scene, p: Params) -> bool:
        """It is not saved."""
        return not scene.data("settings")["networks"]["target"]["saved"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open its details and press Forget."""
        hand.open("settings")
        if hand.at("details", id="target"):
            hand.tap("Forget")
        reach(hand, "wifi")
        hand.switch("Use Wi-Fi", on=True)
        if hand.data("settings")["connected"] == "target":
            hand.tap(p["network"], role="item")
        hand.tap(p["network"], role="item", hold=True)


class PairDevice(Template):
    """A Bluetooth device is paired."""

    name = "pair_device"
    phrasings = (
        "Pair my phone with {device}",
        "Connect the Bluetooth device {device}",
        "Add {device} as a new Bluetooth device",
    )
    params = {"device": BLUETOOTH_DEVICE}
    allows = fields_of("apps.settings.devices.target", "paired", "connected")

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """Bluetooth is on, and the device is nearby but unknown."""
        control.write_root("system", "bluetooth", to=True)
        devices = control.state["apps"]["settings"]["devices"]
        kept = [(key, d) for key, d in devices.items() if d["name"] != p["device"]]
        record = {"name": p["device"], "icon": "music", "paired": False, "connected": False}
        kept.insert(rng.randrange(len(kept)), ("target", record))
        control.write_root("apps", "settings", "devices", to=dict(kept))

    def check(self, scene: Scene, p: Params) -> bool:
        """It is paired."""
        return bool(scene.data("settings")["devices"]["target"]["paired"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Find it among the new devices and confirm."""
        hand.open("settings")
        if hand.at("pair", id="target"):
            hand.tap("Pair")
        if not hand.system["bluetooth"]:
            reach(hand, "bluetooth")
            hand.switch("Use Bluetooth", on=True)
        reach(hand, "pairing")
        hand.tap(p["device"], role="item")


class AppInfo(Template):
    """The page of an app in Settings."""

    name = "app_info"
    phrasings = (
        "Open the app info of {app}",
        "Show me the settings page of the {app} app",
        "In Settings, go to the page for {app}",
    )
    params = {"app": STORE_APP}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is on the phone."""
        _put_app(control, p["app"])

    def check(self, scene: Scene, p: Params) -> bool:
        """Its page is in front."""
        return scene.at("settings", "app", name=f"{INSTALLED_PREFIX}{p['app']}")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Find it in the list of apps."""
        reach(hand, "apps")
        hand.tap(p["app"], role="item")


class AppNotifications(Template):
    """Whether an app may notify."""

    name = "app_notifications"
    unseen = True
    phrasings = (
        "Turn {switch} notifications for {app}",
        "Switch the notifications of the {app} app {switch}",
        "Set notifications from {app} to {switch}",
    )
    params = {"app": STORE_APP, "switch": SWITCH}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is the other way round."""
        _put_app(control, p["app"], notifications=p["switch"] == "off")

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        return (f"apps.settings.apps.{INSTALLED_PREFIX}{p['app']}.notifications",)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is as asked."""
        record = scene.data("settings")["apps"][f"{INSTALLED_PREFIX}{p['app']}"]
        return bool(record["notifications"] is (p["switch"] == "on"))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Flip the switch on its page."""
        hand.open("settings")
        if hand.at("app", name=f"{INSTALLED_PREFIX}{p['app']}"):
            hand.switch("Notifications", on=p["switch"] == "on")
        reach(hand, "apps")
        hand.tap(p["app"], role="item")


class AppPermission(Template):
    """What an app may use."""

    name = "app_permission"
    unseen = True
    phrasings = (
        "Stop {app} from using the {permission} permission",
        "Take the {permission} permission away from {app}",
        "In Settings, deny {app} the {permission} permission",
    )
    LABELS = {label.lower(): (key, label) for key, label, _ in PERMISSIONS}
    params = {"app": STORE_APP, "permission": closed("permission", *LABELS)}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is allowed."""
        _put_app(control, p["app"])

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        key = self.LABELS[p["permission"]][0]
        return (f"apps.settings.apps.{INSTALLED_PREFIX}{p['app']}.permissions.{key}",)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is denied."""
        record = scene.data("settings")["apps"][f"{INSTALLED_PREFIX}{p['app']}"]
        return not record["permissions"][self.LABELS[p["permission"]][0]]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Flip the switch on the page of its permissions."""
        hand.open("settings")
        name = f"{INSTALLED_PREFIX}{p['app']}"
        if hand.at("permissions", name=name):
            hand.switch(self.LABELS[p["permission"]][1], on=False)
        if hand.at("app", name=name):
            hand.tap("Permissions", role="item")
        reach(hand, "apps")
        hand.tap(p["app"], role="item")


class PhoneFact(Template):
    """A question about the phone is answered on the screen."""

    name = "phone_fact"
    phrasings = (
        "What is {fact}?",
        "Find out {fact}",
        "Look up {fact} in Settings",
        "Check {fact}",
        "Show me {fact}",
        "I need to know {fact}",
        "Open Settings and find {fact}",
        "Can you find {fact} for me?",
        "Read {fact} in the settings",
        "Tell me {fact}",
        "I would like to know {fact}",
    )
    weight = 0.6
    PAGES = {
        "the battery level": "battery",
        "the free storage": "storage",
        "the model of this phone": "about",
        "the Android version": "about",
    }
    params = {"fact": closed("phone_fact", *PAGES)}

    def check(self, scene: Scene, p: Params) -> bool:
        """The page that says it is in front."""
        return scene.at("settings", self.PAGES[p["fact"]]) and scene.shows(
            {
                "the battery level": f"{scene.system['battery']}%",
                "the free storage": "GB free",
                "the model of this phone": scene.system["model"],
                "the Android version": "Android version",
            }[p["fact"]]
        )

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the page; scroll back up if the answer is out of sight."""
        reach(hand, self.PAGES[p["fact"]])
        hand.swipe(Direction.DOWN)


class SetWallpaper(Template):
    """The home screen has another picture, chosen by what it shows."""

    name = "set_wallpaper"
    unseen = True
    phrasings = (
        "Set the wallpaper that shows {picture}",
        "Use the picture of {picture} as my wallpaper",
        "Change my wallpaper to {picture}",
        "Put {picture} on my home screen as the wallpaper",
        "I want {picture} as the background of my home screen",
        "Pick the wallpaper with {picture}",
    )
    SUBJECTS = {
        "a mountain": "mountain",
        "a beach": "beach",
        "a sunset": "sunset",
        "a city": "city",
        "a flower": "flower",
        "snow": "snow",
    }
    params = {"picture": closed("wallpaper", *SUBJECTS)}
    allows = ("system.wallpaper",)
    visual = True
    weight = 0.6

    def _number(self, p: Params) -> int:
        return FIRST_PHOTO + WALLPAPER_PHOTOS.index(self.SUBJECTS[p["picture"]])

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The pictures stand in an order of their own."""
        order = list(control.system["wallpapers"])
        Random(f"{rng.random()} {p['picture']}").shuffle(order)
        control.write_root("system", "wallpapers", to=order)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is set."""
        return bool(scene.system["wallpaper"] == self._number(p))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Choose it by its looks and confirm."""
        hand.open("settings")
        if hand.at("preview", number=self._number(p)):
            hand.tap("Set wallpaper")
        reach(hand, "wallpaper")
        widget = hand.find_paint("wallpaper_thumb", self._number(p))
        if widget is not None:
            hand.touch(widget)
        below = self._number(p) in hand.system["wallpapers"][len(hand.system["wallpapers"]) // 2 :]
        hand.swipe(Direction.UP if below else Direction.DOWN)


TEMPLATES: tuple[Template, ...] = (
    SwitchSetting(),
    ChooseOption(),
    DragSlider(),
    ConnectWifi(),
    JoinWifi(),
    ForgetWifi(),
    PairDevice(),
    AppInfo(),
    AppNotifications(),
    AppPermission(),
    PhoneFact(),
    SetWallpaper(),
)
