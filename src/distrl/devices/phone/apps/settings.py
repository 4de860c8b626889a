"""Settings: everything about the phone that can be switched, chosen or looked up."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from distrl.devices.phone import phone_time
from distrl.devices.phone.app import App
from distrl.devices.phone.apps.settings_apps import AppPages
from distrl.devices.phone.apps.settings_networks import (
    NetworkPages,
    create_devices,
    create_networks,
)
from distrl.devices.phone.apps.settings_tables import (
    CHOICES,
    GROUPS,
    SECTIONS,
    TITLES,
    VERSION,
    Entry,
    matches,
)
from distrl.devices.phone.control import Control
from distrl.devices.phone.registry import find
from distrl.devices.phone.shade import toggle_system
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import HUGE, SMALL, Ui
from distrl.devices.phone.ui.view import Handler

STORAGE_GB = 128
_USES = (
    ("Apps", "apps", (220, 120, 30)),
    ("Photos & videos", "image", (40, 150, 80)),
    ("Music", "music", (190, 60, 140)),
    ("Documents", "file", (34, 120, 220)),
    ("System", "settings", (90, 90, 100)),
)


def _open(page: str) -> Handler:
    return lambda c: c.open(page)


class Settings(NetworkPages, AppPages, App):
    """What is set stands in the state's `system`; data: networks, devices, settings per app."""

    name = "settings"
    title = "Settings"
    icon = "settings"
    color = (56, 108, 176)

    def create(self, rng: Random) -> State:
        """Networks and devices around the phone."""
        return {
            "networks": create_networks(rng),
            "connected": "net0",
            "devices": create_devices(rng),
            "apps": {},
        }

    def page_main(self, ui: Ui) -> None:
        """All sections: one list in layout 1, grouped in layout 2."""
        ui.bar("Settings", [("search", "", _open("search"))], up=False)
        if ui.version % 2:
            self._sections(ui, tuple(SECTIONS))
            return
        for title, pages in GROUPS.items():
            ui.header(title)
            self._sections(ui, pages)

    def _sections(self, ui: Ui, pages: Sequence[str]) -> None:
        for page in pages:
            section = SECTIONS[page]
            ui.row(
                section.title,
                section.sub,
                icon=section.icon,
                tint=section.color,
                on_tap=_open(page),
            )

    def page_search(self, ui: Ui) -> None:
        """Find a setting by its words."""
        ui.search_bar("query", "Search settings", lambda c: c.focus(None))
        query = ui.text_of("query")
        found = matches(query) if query else ()
        for title, sub, page in found:
            ui.row(
                title,
                sub,
                icon=SECTIONS[page].icon if page in SECTIONS else "wifi",
                on_tap=_open(page),
            )
        if not found:
            ui.empty("No results" if query else "Type what you are looking for", "search")

    # Pages that are only a list of entries

    def _list(self, ui: Ui, page: str) -> None:
        section = SECTIONS[page]
        ui.bar(section.title)
        for entry in section.entries:
            self._entry(ui, entry)

    def _entry(self, ui: Ui, entry: Entry) -> None:
        key = entry.key
        if entry.kind == "switch":
            ui.switch(
                entry.title,
                on=bool(ui.system[key]),
                on_tap=toggle_system(key),
                sub=entry.sub,
                icon=entry.icon,
            )
        elif entry.kind == "slider":
            ui.slider(
                entry.title,
                value=int(ui.system[key]),
                on_change=lambda value: lambda c: c.write_system(key, to=value),
                icon=entry.icon,
            )
        elif entry.kind == "choice":
            page = "choice" if ui.version % 2 else "choose"
            ui.row(
                entry.title,
                str(ui.system[key]),
                icon=entry.icon,
                on_tap=lambda c: c.open(page, key=key),
            )
        else:
            ui.row(entry.title, entry.sub, icon=entry.icon, trailing=">", on_tap=_open(key))

    def page_network(self, ui: Ui) -> None:
        """Wi-Fi and what else leads to the internet."""
        self._list(ui, "network")

    def page_notifications(self, ui: Ui) -> None:
        """What may disturb."""
        self._list(ui, "notifications")

    def page_sound(self, ui: Ui) -> None:
        """Volumes and the ringtone."""
        self._list(ui, "sound")

    def page_display(self, ui: Ui) -> None:
        """Brightness, theme, timeout, font."""
        self._list(ui, "display")

    def page_accessibility(self, ui: Ui) -> None:
        """Help for eyes and ears."""
        self._list(ui, "accessibility")

    def page_security(self, ui: Ui) -> None:
        """The lock and the location."""
        self._list(ui, "security")

    def page_language(self, ui: Ui) -> None:
        """The language of the phone."""
        self._list(ui, "language")

    def page_datetime(self, ui: Ui) -> None:
        """How the clock is shown, and the time itself."""
        self._list(ui, "datetime")
        now = phone_time.clock_text(phone_time.minute_of(ui.time), hour24=ui.system["hour24"])
        ui.row("Date", trailing=phone_time.date_text(phone_time.day_of(ui.time)), icon="calendar")
        ui.row("Time", trailing=now, icon="clock")

    # Choices: a page of their own in layout 1, a dialog in layout 2

    def page_choice(self, ui: Ui) -> None:
        """One of several values."""
        key = ui.args["key"]
        ui.bar(TITLES[key])
        for value in CHOICES[key]:
            on = ui.system[key] == value
            ui.radio(value, on=on, on_tap=_choose(key, value, close=False))

    def dialog_choose(self, ui: Ui) -> None:
        """One of several values, above the page."""
        key = ui.args["key"]
        chosen = ui.system[key]
        ui.dialog(
            TITLES[key],
            buttons=[("Cancel", lambda c: c.back())],
            choices=[(v, v == chosen, _choose(key, v, close=True)) for v in CHOICES[key]],
        )

    # Pages with a look of their own

    def page_battery(self, ui: Ui) -> None:
        """How full it is, the saver, and who uses it."""
        level = int(ui.system["battery"])
        ui.bar("Battery")
        ui.space(6)
        ui.text(f"{level}%", HUGE, align="center")
        ui.place(("progress", level, (40, 150, 80)), 14)
        ui.text(f"About {level // 4} hours left", SMALL, ink="muted", align="center")
        ui.switch(
            "Battery saver",
            on=bool(ui.system["saver"]),
            on_tap=toggle_system("saver"),
            icon="battery",
        )
        ui.header("Usage since last full charge")
        for place, name in enumerate(sorted(ui.system["installed"])[:6]):
            app = find(name)
            ui.row(app.title, trailing=f"{19 - 3 * place}%", icon=app.icon, tint=app.color)

    def page_storage(self, ui: Ui) -> None:
        """How much space is left."""
        used = int(ui.system["storage_gb"])
        ui.bar("Storage")
        ui.space(6)
        ui.text(f"{STORAGE_GB - used} GB free", 18, align="center", bold=True)
        ui.place(("progress", 100 * used // STORAGE_GB, ui.color), 14)
        ui.text(f"{used} GB of {STORAGE_GB} GB used", SMALL, ink="muted", align="center")
        for place, (title, icon, color) in enumerate(_USES):
            ui.row(title, trailing=f"{used // (place + 2)} GB", icon=icon, tint=color)

    def page_about(self, ui: Ui) -> None:
        """What kind of phone this is."""
        ui.bar("About phone")
        ui.place(("glyph", "screen", ui.color, "bg"), 34)
        ui.text(ui.system["model"], 15, align="center", bold=True)
        network = ui.data["networks"].get(ui.data["connected"], {"name": "None"})
        for title, value in (
            ("Model", ui.system["model"]),
            ("Android version", VERSION),
            ("Build number", "FE.2501.06"),
            ("Phone number", "555 0142"),
            ("Wi-Fi network", network["name"]),
            ("Storage", f"{STORAGE_GB} GB"),
        ):
            ui.row(title, trailing=str(value))

    def page_wallpaper(self, ui: Ui) -> None:
        """Pictures for the home screen, in an order of this phone's own, without any words."""
        ui.bar("Wallpaper")
        current = ui.system["wallpaper"]
        columns, height = (3, 84) if ui.version % 2 else (2, 100)
        ui.grid(
            [
                (("wallpaper_thumb", number, number == current, ui.color), "", "", _preview(number))
                for number in ui.system["wallpapers"]
            ],
            columns=columns,
            height=height,
            gap=4,
        )

    def page_preview(self, ui: Ui) -> None:
        """A wallpaper as it would look."""
        number = int(ui.args["number"])
        ui.bar("Preview")
        ui.bottom_buttons([("Cancel", lambda c: c.back()), ("Set wallpaper", _wear(number))])
        ui.picture(("wallpaper_thumb", number, False, ui.color), 300)


def _choose(key: str, value: str, *, close: bool) -> Handler:
    def choose(control: Control) -> None:
        control.write_system(key, to=value)
        if close:
            control.back()

    return choose


def _preview(number: int) -> Handler:
    return lambda c: c.open("preview", number=number)


def _wear(number: int) -> Handler:
    def wear(control: Control) -> None:
        control.write_system("wallpaper", to=number)
        control.back()
        control.toast("Wallpaper set")

    return wear
