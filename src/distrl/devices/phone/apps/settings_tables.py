"""What can be set on the phone: pages, their entries, choices and the values of a new phone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from distrl.devices.phone.shade import TILES
from distrl.devices.phone.state import State

WALLPAPER_COUNT = 12
MODELS = ("Fern 7", "Fern 7 Pro", "Quill X", "Quill Mini", "Harbor One")
VERSION = "15"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a settings page."""

    kind: str
    """switch, slider, choice or page."""
    key: str
    """The setting, or the page that it opens."""
    title: str
    icon: str = ""
    sub: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A page that the first page leads to."""

    title: str
    sub: str
    icon: str
    color: tuple[int, int, int]
    entries: tuple[Entry, ...] = ()


SECTIONS: Mapping[str, Section] = {
    "network": Section(
        "Network & internet",
        "Wi-Fi, hotspot, airplane",
        "wifi",
        (34, 120, 220),
        (
            Entry("page", "wifi", "Wi-Fi", "wifi", "Choose a network"),
            Entry("switch", "airplane", "Airplane mode", "airplane"),
            Entry("switch", "hotspot", "Hotspot", "hotspot", "Share your connection"),
            Entry("switch", "mobile_data", "Mobile data", "data"),
            Entry("switch", "data_saver", "Data saver", "signal"),
        ),
    ),
    "bluetooth": Section("Bluetooth", "Paired devices", "bluetooth", (70, 90, 210)),
    "apps": Section("Apps", "Permissions, app info", "apps", (220, 120, 30)),
    "notifications": Section(
        "Notifications",
        "Dots, lock screen",
        "bell",
        (210, 70, 70),
        (
            Entry("switch", "dnd", "Do not disturb", "bell_off"),
            Entry("switch", "dots", "Notification dots", "dot"),
            Entry("switch", "lock_notices", "Show on lock screen", "lock"),
            Entry("page", "apps", "App notifications", "apps", "Choose app by app"),
        ),
    ),
    "battery": Section("Battery", "Saver, usage", "battery", (40, 150, 80)),
    "storage": Section("Storage", "What takes up space", "folder", (120, 90, 190)),
    "sound": Section(
        "Sound & vibration",
        "Volume, ringtone",
        "volume",
        (190, 60, 140),
        (
            Entry("slider", "media_volume", "Media volume", "music"),
            Entry("slider", "ring_volume", "Ring volume", "bell"),
            Entry("slider", "alarm_volume", "Alarm volume", "alarm"),
            Entry("choice", "ringtone", "Phone ringtone", "music"),
            Entry("switch", "vibrate", "Vibrate for calls", "vibrate"),
            Entry("switch", "touch_sounds", "Touch sounds", "volume"),
            Entry("switch", "dnd", "Do not disturb", "bell_off"),
        ),
    ),
    "display": Section(
        "Display",
        "Dark theme, font size, timeout",
        "brightness",
        (230, 150, 20),
        (
            Entry("slider", "brightness", "Brightness level", "brightness"),
            Entry("switch", "adaptive", "Adaptive brightness", "sun", "Follows the light"),
            Entry("switch", "dark", "Dark theme", "moon"),
            Entry("switch", "rotate", "Auto-rotate", "rotate"),
            Entry("switch", "night_light", "Night light", "eye", "Warmer colors"),
            Entry("choice", "timeout", "Screen timeout", "timer"),
            Entry("choice", "font", "Font size", "zoom_in"),
            Entry("page", "wallpaper", "Wallpaper", "image"),
        ),
    ),
    "wallpaper": Section("Wallpaper", "Home screen picture", "palette", (20, 150, 150)),
    "accessibility": Section(
        "Accessibility",
        "Captions, magnification",
        "accessibility",
        (30, 110, 190),
        (
            Entry("switch", "large_text", "Large text", "zoom_in"),
            Entry("switch", "captions", "Live captions", "chat", "Subtitles for speech"),
            Entry("switch", "magnification", "Magnification", "search", "Zoom with a shortcut"),
            Entry("switch", "invert", "Color inversion", "palette"),
            Entry("switch", "mono", "Mono audio", "volume"),
        ),
    ),
    "security": Section(
        "Security & privacy",
        "Screen lock, location",
        "lock",
        (50, 140, 110),
        (
            Entry("choice", "lock", "Screen lock", "lock"),
            Entry("switch", "location", "Use location", "location"),
            Entry("switch", "show_passwords", "Show passwords", "eye"),
            Entry("page", "apps", "App permissions", "apps", "Camera, microphone, location"),
        ),
    ),
    "language": Section(
        "Language",
        "Words on the screen",
        "globe",
        (100, 110, 130),
        (
            Entry("choice", "language", "System language", "globe"),
            Entry("switch", "spelling", "Spell checker", "keyboard"),
        ),
    ),
    "datetime": Section(
        "Date & time",
        "Clock format",
        "clock",
        (160, 80, 60),
        (
            Entry("switch", "hour24", "Use 24-hour format", "clock"),
            Entry("switch", "auto_time", "Set time automatically", "globe"),
        ),
    ),
    "about": Section("About phone", "Model, version", "info", (90, 90, 100)),
}
"""Every page that the first page leads to, in the order of layout 1."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "Connections": ("bluetooth", "network"),
    "Device": ("display", "sound", "wallpaper", "battery", "storage", "notifications"),
    "General": ("apps", "security", "accessibility", "datetime", "language", "about"),
}
"""The first page of layout 2."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "timeout": ("15 seconds", "30 seconds", "1 minute", "2 minutes", "5 minutes", "10 minutes"),
    "font": ("Small", "Default", "Large", "Largest"),
    "ringtone": ("Morning Dew", "Paper Boats", "Clockwork", "Old Bell", "Night Owl", "Marimba"),
    "language": ("English", "Deutsch", "Italiano", "Nederlands", "Polski", "Svenska"),
    "lock": ("None", "Swipe", "Pattern", "PIN", "Password"),
}

TITLES: Mapping[str, str] = {
    entry.key: entry.title for section in SECTIONS.values() for entry in section.entries
}
"""Title of every setting that stands on a plain page."""


def page_of(key: str) -> str:
    """The page that a setting of the table stands on."""
    return next(
        page
        for page, section in SECTIONS.items()
        if any(entry.key == key for entry in section.entries)
    )


@lru_cache(maxsize=512)
def matches(query: str) -> tuple[tuple[str, str, str], ...]:
    """Title, section and page of whatever the search field finds."""
    wanted = query.lower()
    found = [(s.title, s.sub, page) for page, s in SECTIONS.items() if wanted in s.title.lower()]
    for page, section in SECTIONS.items():
        for entry in section.entries:
            if wanted in entry.title.lower():
                target = entry.key if entry.kind == "page" else page
                found.append((entry.title, section.title, target))
    return tuple(found[:12])


def system_defaults(rng: Random) -> State:
    """The settings of a new phone that only the Settings app and the shade know."""
    tiles = [key for key, _, _ in TILES]
    rng.shuffle(tiles)
    wallpapers = list(range(WALLPAPER_COUNT))
    rng.shuffle(wallpapers)
    on = ("mobile_data", "dots", "lock_notices", "vibrate", "touch_sounds", "adaptive")
    off = ("data_saver", "night_light", "large_text", "captions", "magnification", "invert")
    return {
        **dict.fromkeys((*on, "location", "auto_time", "spelling", "show_passwords"), True),
        **dict.fromkeys((*off, "mono", "saver"), False),
        "media_volume": rng.randrange(30, 75, 5),
        "ring_volume": rng.randrange(30, 75, 5),
        "alarm_volume": rng.randrange(30, 75, 5),
        "timeout": "30 seconds",
        "font": "Default",
        "ringtone": "Morning Dew",
        "language": "English",
        "lock": "PIN",
        "model": rng.choice(MODELS),
        "storage_gb": rng.randint(41, 112),
        "tiles": tiles,
        "wallpapers": wallpapers,
    }
