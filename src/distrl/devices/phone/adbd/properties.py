"""Names by which Android knows what the embedded phone has: packages, settings, properties."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from distrl.devices.phone.registry import INSTALLED_PREFIX
from distrl.devices.phone.state import State, put

PACKAGE = "org.distrl.phone"
KEYBOARD_PACKAGE = "com.android.adbkeyboard"
KEYBOARD = f"{KEYBOARD_PACKAGE}/.AdbIME"
SYSTEM_UI = "com.android.systemui"
ACTIVITY = "MainActivity"
SDK, RELEASE = "34", "14"


@dataclass(frozen=True, slots=True)
class Setting:
    """Where the phone keeps what Android calls by another name."""

    key: str
    on: str = "1"
    off: str = "0"
    scale: float = 0.0
    """For amounts: by what the phone's value is multiplied; 0 for what is on or off."""

    def read(self, state: State) -> str:
        """The value as Android says it."""
        held = state["system"][self.key]
        if self.scale:
            return str(round(held * self.scale))
        return self.on if held else self.off

    def write(self, state: State, value: str) -> State:
        """A state with this value; ValueError when it is none."""
        if self.scale:
            amount = min(100, max(0, round(int(value) / self.scale)))
            return _put(state, self.key, amount)
        if value not in (self.on, self.off):
            raise ValueError(f"{value!r} is neither {self.on} nor {self.off}")
        return _put(state, self.key, value == self.on)


SETTINGS: Mapping[tuple[str, str], Setting] = {
    ("global", "airplane_mode_on"): Setting("airplane"),
    ("global", "bluetooth_on"): Setting("bluetooth"),
    ("global", "wifi_on"): Setting("wifi"),
    ("global", "mobile_data"): Setting("mobile_data"),
    ("global", "auto_time"): Setting("auto_time"),
    ("global", "low_power"): Setting("saver"),
    ("global", "zen_mode"): Setting("dnd"),
    ("secure", "location_mode"): Setting("location", on="3"),
    ("secure", "ui_night_mode"): Setting("dark", on="2", off="1"),
    ("secure", "night_display_activated"): Setting("night_light"),
    ("secure", "accessibility_display_inversion_enabled"): Setting("invert"),
    ("secure", "accessibility_display_magnification_enabled"): Setting("magnification"),
    ("system", "accelerometer_rotation"): Setting("rotate"),
    ("system", "screen_brightness"): Setting("brightness", scale=2.55),
    ("system", "screen_brightness_mode"): Setting("adaptive"),
    ("system", "sound_effects_enabled"): Setting("touch_sounds"),
    ("system", "time_12_24"): Setting("hour24", on="24", off="12"),
    ("system", "vibrate_when_ringing"): Setting("vibrate"),
    ("system", "volume_music"): Setting("media_volume", scale=0.15),
    ("system", "volume_ring"): Setting("ring_volume", scale=0.15),
}


def package_of(app: str) -> str:
    """The package of an app of the phone."""
    if app.startswith(INSTALLED_PREFIX):
        return f"{PACKAGE}.store.{_plain(app.removeprefix(INSTALLED_PREFIX))}"
    return f"{PACKAGE}.{_plain(app)}"


def app_of(package: str, state: State) -> str | None:
    """The installed app of a package; None when there is none."""
    names = ("launcher", *state["system"]["installed"])
    return next((name for name in names if package_of(name) == package), None)


def packages(state: State) -> dict[str, str]:
    """Where the file of every installed package lies, by its name."""
    apps = ("launcher", *state["system"]["installed"])
    files = {
        package_of(app): _apk(app.startswith(INSTALLED_PREFIX), package_of(app)) for app in apps
    }
    return {
        **files,
        KEYBOARD_PACKAGE: _apk(True, KEYBOARD_PACKAGE),
        SYSTEM_UI: _apk(False, SYSTEM_UI),
    }


def is_system(file: str) -> bool:
    """Whether a package came with the phone, by where its file lies."""
    return file.startswith("/system/")


def _apk(added: bool, package: str) -> str:
    """What the owner has added lies elsewhere than what came with the phone."""
    return f"/data/app/{package}/base.apk" if added else f"/system/app/{package}/{package}.apk"


def component_of(app: str) -> str:
    """Package and activity of an app, as Android names what is in front."""
    package = package_of(app)
    return f"{package}/{package}.{ACTIVITY}"


def properties(state: State, serial: str) -> dict[str, str]:
    """What `getprop` says."""
    return {
        "dev.bootcomplete": "1",
        "init.svc.bootanim": "stopped",
        "persist.sys.locale": "en-US",
        "ro.build.version.release": RELEASE,
        "ro.build.version.sdk": SDK,
        "ro.product.brand": "distrl",
        "ro.product.cpu.abi": "x86_64",
        "ro.product.device": "distrl",
        "ro.product.manufacturer": "distrl",
        "ro.product.model": str(state["system"]["model"]),
        "ro.product.name": "distrl_phone",
        "ro.serialno": serial,
        "sys.boot_completed": "1",
    }


def _put(state: State, key: str, value: object) -> State:
    changed: State = put(state, ("system", key), value)
    return changed


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "app"
